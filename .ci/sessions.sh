# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Sourced by .ci/run and .ci/nightly: runs sessions, some at a time, and tells how they ended.
#
# A session is a line "NAME" or "NAME -- ARGUMENTS": one of noxfile.py's, or `readme` or `demo`,
# the README's own commands.  They share generated C and wheels, and interpreters are fetched or
# compiled beside them: a session waits for its own only.
root=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/customslots-ci.XXXXXX")
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
export root work PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1 PIP_ROOT_USER_ACTION=ignore
export DEBIAN_FRONTEND=noninteractive
mkdir -p "$work/sessions" "$work/pythons"
# For all that runs on this machine at once; a session is one process and what it starts, and
# waits now and then for files and packages.
at_once=${CUSTOMSLOTS_CI_JOBS:-$(($(nproc) + 1))}
. .ci/interpreters.sh

say() { printf '\n=== %s (%s s)\n' "$*" "$SECONDS"; }

prepare() {                                # a clean clone, and nox
    # An old nox does; it is not what is tested.
    git clone -q --no-hardlinks "$root" "$work/clone" && python3 -m venv "$work/nox" &&
        "$work/nox/bin/pip" install -q nox uv || { printf '!!! nox could not be installed\n'; exit 1; }
}

listed() {                                 # listed STEP: its sessions, as nox names them
    local name=${1/#matrix/tests}
    case $name in
        readme | demo) printf '%s\n' "$name";;
        *) "$work/nox/bin/nox" -f "$work/clone/noxfile.py" --list-sessions 2>/dev/null |
               sed -nE "s/^[*-] ($name(\([^)]*\))?) ->.*/\\1/p; s/^[*-] ($name(\([^)]*\))?)\$/\\1/p";;
    esac
}

# -------------------------------------------------------------------- what they need
packages() {                               # packages NAME...: from Debian, if we may
    local name wanted=()
    command -v dpkg-query >/dev/null || return 1
    for name; do
        dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || wanted+=("$name")
    done
    [ ${#wanted[@]} = 0 ] && return 0
    [ "$(id -u)" = 0 ] || return 1
    # The index may be older than what the archive still serves, hence the second try.
    apt-get -q install -y --no-install-recommends "${wanted[@]}" >"$work/apt.log" 2>&1 ||
        { apt-get -q update && apt-get -q install -y --no-install-recommends "${wanted[@]}"; } \
            >"$work/apt.log" 2>&1 || { tail -3 "$work/apt.log"; return 1; }
}

provide() {                                # provide VERSION...: one after the other
    local version python name
    for version; do
        if [ "$version" = 32 ]; then
            # What gcc -m32 needs: gcc-multilib, which is the same, cannot be there with cross compilers.
            name=$(gcc -dumpversion | cut -d. -f1)
            python=$( { packages "lib32gcc-$name-dev" "lib32stdc++-$name-dev" libc6-dev-i386 patchelf &&
                            bash .ci/foreign.sh i386; } \
                2>"$work/pythons/$version.log" | tail -1)
        elif [ "$version" = arm64 ] || [ "$version" = s390x ]; then
            python=$( { packages qemu-user-static "g++-$(machine_of "$version")-linux-gnu" && bash .ci/foreign.sh "$version"; } \
                2>"$work/pythons/$version.log" | tail -1)
        elif [ "$version" = windows ]; then
            python=$( { packages clang g++-mingw-w64-x86-64 g++-mingw-w64-i686 && bash .ci/windows_pyconfig.sh; } \
                2>"$work/pythons/$version.log" | tail -1)
        elif [ "$version" = musl ]; then
            command -v musl-gcc >/dev/null || packages musl-tools >"$work/pythons/$version.log" 2>&1
            python=$(command -v musl-gcc)
        elif [ "$version" = clang ]; then
            { command -v clang && command -v clang++; } >/dev/null || packages clang >"$work/pythons/$version.log" 2>&1
            python=$(command -v clang++)
        elif [ "$version" = sanitizer ]; then          # if not, gcc's will do
            packages clang libclang-rt-dev >"$work/pythons/$version.log" 2>&1
            python="tried"
        elif [ "$version" = doxygen ]; then            # without it there is no reference
            command -v doxygen >/dev/null || packages doxygen >"$work/pythons/$version.log" 2>&1
            python=$(command -v doxygen)
        elif [ "$version" = rustc ]; then              # if not, a test is skipped and says so
            command -v rustc >/dev/null || packages rustc >"$work/pythons/$version.log" 2>&1
            python="tried"
        elif [ "$version" = any ] || [ "$version" = newest ]; then    # for the README's commands
            [ "$version" = any ] && name=3.11 || name=3.14
            python=$(interpreter "$name" 2>"$work/pythons/$version.log" || command -v python3)
        elif [ "$version" = cython ]; then
            python=$(environment_with_cython 2>"$work/pythons/$version.log")
        else
            python=$(interpreter "$version" 2>"$work/pythons/$version.log")
        fi
        # In one step: who waits for the file reads all of it.
        printf '%s' "$python" >"$work/pythons/$version.new"
        mv "$work/pythons/$version.new" "$work/pythons/$version"
    done
}

machine_of() { case $1 in arm64) echo aarch64;; *) printf '%s' "$1";; esac; }

# Generates C for the interpreters that take ten times as long for it.
environment_with_cython() {
    local uv=$work/nox/bin/uv
    "$uv" venv -q --python "$(interpreter 3.11)" "$work/cython" >&2 &&
        "$uv" pip install -q --python "$work/cython/bin/python" "$work/clone[cython]" >&2 &&
        printf '%s' "$work/cython/bin/python"
}

needs() {                                  # needs SESSION: what it has to wait for
    local version=${1#tests(}; version=${version%%,*}
    case $1 in
        lint) ;;
        readme) echo any;;
        demo) echo newest;;
        sanitizers) echo "sanitizer 3.11";;
        benchmarks | release) echo 3.11;;
        threads) echo 3.13t;;
        thirtytwo) echo 32;;
        pypy) echo "3.12 pypy";;
        docs) echo "3.12 doxygen";;
        'platforms(windows)') echo "3.11 windows 3.10 3.15 3.13t";;
        'platforms(msvc)') echo "3.11 clang";;
        'platforms(systems)') echo "3.11 musl";;
        'platforms(wheels)') echo 3.11;;
        platforms*) version=${1#platforms(}; echo "cython ${version%)}";;
        'tests(3.14, clang)') echo "3.14 clang rustc";;
        tests*clang\)) echo "$version clang";;
        tests*[td],*) echo "cython $version";;
        tests*) echo "$version";;
        *) echo 3.12;;
    esac
}

wait_for() {                               # wait_for VERSION...: names them in the environment
    local version
    export CUSTOMSLOTS_PYTHONS=
    for version; do
        until [ -e "$work/pythons/$version" ]; do sleep 0.5; done
        if [ ! -s "$work/pythons/$version" ]; then
            printf 'could not be had: %s\n' "$version"
            tail -3 "$work/pythons/$version.log"
            return 1
        fi
        case $version in
            cython) export CUSTOMSLOTS_TEST_CYTHON; CUSTOMSLOTS_TEST_CYTHON=$(cat "$work/pythons/cython");;
            *) CUSTOMSLOTS_PYTHONS+="${CUSTOMSLOTS_PYTHONS:+ }$version=$(cat "$work/pythons/$version")";;
        esac
    done
}

# ------------------------------------------------------------------ README's commands
# Taken from the README: docs and CI cannot differ.
readme_command() { python3 "$root/.ci/readme_command.py" "$root/README.md" "$1"; }

in_new_environment() {                     # in_new_environment NAME: activates it, in a clone
    "${CUSTOMSLOTS_PYTHONS#*=}" -m venv "$work/$1" && git clone -q "$work/clone" "$work/$1/clone" &&
        cd "$work/$1/clone" && . "$work/$1/bin/activate"
}

readme() {                                 # as a user has it: with workers
    in_new_environment readme && export CUSTOMSLOTS_ALL_TOOLS=1 PYTEST_ADDOPTS=--durations=20 || return 1
    eval "$(readme_command tests)" || return 1
    # The other spelling puts the checkout in front of the installed package.
    python -m pytest -q tests/layout
}

# It shows a crash and what a compiler says of mistakes: told in full it looks like failures.
demo() {
    in_new_environment demo || return 1
    ( eval "$(readme_command demo)" ) >"$work/demo.log" 2>&1 || { cat "$work/demo.log"; return 1; }
    printf 'the demo wrote %s lines and succeeded\n' "$(wc -l <"$work/demo.log")"
}

# ------------------------------------------------------------------------ the sessions
file_of() { printf '%s' "$work/sessions/${1//[^0-9A-Za-z.]/-}"; }

in_nox() {                                 # in_nox NAME [-- ARGUMENTS...]
    local name=$1 file; file=$(file_of "$1"); shift
    "$work/nox/bin/nox" -f "$work/clone/noxfile.py" --envdir "$file.nox" --report "$file.json" \
        -s "$name" "$@" || return 1
    ! grep -q '"result": "skipped"' "$file.json" || return 77
}

session() {                                # session LINE: runs it; its log when it is over
    local name=${1%% -- *} file started=$SECONDS rc=0 words used arguments=()
    file=$(file_of "$name")
    [ "$name" = "$1" ] || read -r -a arguments <<<"-- ${1#* -- }"
    if ! wait_for $(needs "$name") >"$file.log" 2>&1; then
        rc=77
    else
        started=$SECONDS
        export CUSTOMSLOTS_TEST_OUTCOMES=$file.outcomes
        case $name in
            readme | demo) ( "$name" ) >"$file.log" 2>&1 || rc=1;;
            *) in_nox "$name" "${arguments[@]}" >"$file.log" 2>&1 || rc=$?;;
        esac
    fi
    # What this process's children have used; in a subshell, times would start again.
    times >"$file.times"
    used=$(awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); printf "%.0f", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$file.times")
    printf '%s %s %s %s\n' "$rc" "$((SECONDS - started))" "$used" "$name" >"$file.rc"
    case $rc in 0) words=passed;; 77) words="not run";; *) words=FAILED;; esac
    # In one piece: several run at a time.  A success is told by what pytest sums up.
    flock "$work/lock" bash -c '
        printf "\n=== %s: %s (took %s s, %s s of a processor)\n" "$1" "$2" "$3" "$5"
        case $2 in
            FAILED) cat "$4";;
            passed) grep -E "^([0-9]+ skipped: |nox > Session|[0-9]+ passed|=+ .* in |the demo)|: ok|same outcome|classes checked" "$4" | tail -40;;
            *) tail -5 "$4";;
        esac
    ' - "$name" "$words" "$((SECONDS - started))" "$file.log" "$used"
    rm -rf "$file.nox" "${work:?}/$name"
}

why() {                                    # why LOG: the lines of it that say what failed
    [ -e "$1" ] || return 0
    grep -aE '^(FAILED|ERROR|E   |Fatal|[A-Za-z.]*(Error|Exception)\b)|Sanitizer|!!!|[0-9]+ (failed|error)' "$1" |
        cut -c1-300 | tail -40
    printf '...\n'
    tail -5 "$1" | cut -c1-300
}

run_sessions() {                           # run_sessions LINE...: the longest first
    local line version versions=() compiled=()
    for line; do
        for version in $(needs "${line%% -- *}"); do
            # In the order in which they are waited for, those that have to be compiled last.
            [[ " ${versions[*]} ${compiled[*]} " != *" $version "* ]] || continue
            case $version in
                *t | *td) compiled+=("$version");;
                *) versions+=("$version");;
            esac
        done
    done
    provide "${versions[@]}" "${compiled[@]}" &
    export CUSTOMSLOTS_TEST_GENERATED=$work/generated CUSTOMSLOTS_WHEELS=$work/wheels
    # A session is one of several: it has no workers of its own.
    export CUSTOMSLOTS_PYTEST="-n0 --durations=20"
    export -f session wait_for needs in_nox file_of readme demo in_new_environment readme_command
    say "${#} sessions, $at_once at a time: $*"
    printf '%s\0' "$@" | xargs -0 -n1 -P"$at_once" bash -c 'session "$1"' -
}

tests_that_ran_nowhere() {
    find "$work/sessions" -name '*.outcomes' -exec cat {} + | awk -F '\t' '
        $1 == "skipped" { if (!($2 in ran)) skipped[$2] = $3 } $1 != "skipped" { ran[$2]; delete skipped[$2] }
        END { for (name in skipped) printf "  %s: %s\n", name, skipped[name] }' | sort
}

tell() {                                   # tell LINE...: how they ended; exits with 1 if one failed
    local line rc name nowhere failed=() missing=()
    say "done; seconds that each session took, and those of a processor"
    sort -k2,2nr "$work"/sessions/*.rc | awk '{ rc = $1; s = $2; p = $3; $1 = $2 = $3 = ""
        printf "%6d %6d %s%s\n", s, p, $0, rc == 0 ? "" : rc == 77 ? "  (not run)" : "  FAILED"; all += p }
        END { printf "       %6d   in all\n", all }'
    say "the slowest twenty tests"
    for line; do
        name=${line%% -- *}
        sed -nE "s/^([0-9.]+s) (call|setup|teardown) +(.*)/\\1 $name: \\2 of \\3/p" "$(file_of "$name").log"
    done | sort -rn | head -20
    nowhere=$(tests_that_ran_nowhere)
    [ -z "$nowhere" ] || printf '\n=== tests that no session ran, and the last reason\n%s\n' "$nowhere"
    for line; do
        name=${line%% -- *}
        read -r rc _ <"$(file_of "$name").rc" || rc=1
        case $rc in 0) ;; 77) missing+=("$name");; *) failed+=("$name");; esac
    done
    [ ${#missing[@]} = 0 ] || { printf '\ncould not be had on this machine, so not tested:\n'; printf '  %s\n' "${missing[@]}"; }
    if [ ${#failed[@]} -gt 0 ]; then
        # Once more where they are found: the whole logs stand above, in the order of the run.
        for name in "${failed[@]}"; do
            printf '\n=== %s failed:\n' "$name"
            why "$(file_of "$name").log"
        done
        printf '\nfailed:\n'; printf '  %s\n' "${failed[@]}"
        exit 1
    fi
    printf '\neverything that was run passed\n'
    exit 0
}
