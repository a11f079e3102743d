#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Races: threads look slots up and read C fields while others create classes, assign bases, declare slots, set and
# delete fields and drop classes, on a free-threaded CPython under ThreadSanitizer, all of it instrumented:
# interpreter, headers, test modules; newer implementations arrive meanwhile (tests/ages); and threads fill the
# table of the process.  A report about us is a failure.  CPython's own races are left out by its lists (Tools/tsan)
# and by tsan.supp.
#
#   tests/hostile/tsan.sh [THREADS [STEPS [SEEDS]]]          default: 4 60 4
#
# The interpreter is compiled once, and kept beside the others; with -O1, as the sanitizer's authors advise, which is
# also quicker to compile.  Exit code 77: no source or no ThreadSanitizer here, so nothing was tested.
set -euo pipefail
cd "$(dirname "$0")/../.."
threads=${1:-4} steps=${2:-60} seeds=${3:-4}
prefix=${PREFIX:-$HOME/.cache/interpreters/py}/3.13t-tsan
python=$prefix/bin/python3
work=$(mktemp -d "${TMPDIR:-/tmp}/customslots-tsan.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Without address space randomisation: the sanitizer maps its shadow at fixed addresses.
still() { if command -v setarch >/dev/null; then setarch -R "$@"; else "$@"; fi; }
quiet() { TSAN_OPTIONS=report_bugs=0:exitcode=0 still "$@"; }

build() {
    local source
    source=$(python3 .ci/machine.py source) || exit 77
    echo "tsan: compiling ${source##*/} with ThreadSanitizer, once"
    mkdir -p "$work/src" "$work/obj"
    tar -C "$work/src" --strip-components=1 -xf "$source"
    ( cd "$work/obj" && quiet ../src/configure -q --prefix="$prefix" --disable-test-modules --disable-gil \
          --with-thread-sanitizer --with-ensurepip=no OPT="-DNDEBUG -g1 -O1" &&
      quiet make -s -j"$(nproc)" && quiet make -s install ) >"$work/log" 2>&1 || {
        tail -15 "$work/log"; rm -rf "$prefix"; exit 1; }
    cp "$work/src/Tools/tsan"/suppressions*.txt "$prefix/"
}

compile() {                                # compile MODULE ARGUMENTS...
    gcc -shared -fPIC -O1 -g -UNDEBUG -fno-omit-frame-pointer -fsanitize=thread "${@:2}" \
        -I"$("$python" -c 'import sysconfig as s; print(s.get_path("include"))')" -o "$work/$1.so"
}

watch() {                                  # watch SCRIPT ARGUMENTS...: it must say what it checked
    TSAN_OPTIONS="suppressions=$work/suppressions history_size=7 exitcode=66 halt_on_error=0" \
    PYTHONPATH="$work:tests/hostile:tests/core" PYTHON_GIL=0 PYTHONFAULTHANDLER=1 still "$python" "$@" > "$work/log" 2>&1 || {
        failed=1; head -c 20000 "$work/log"; }
    grep -E '(functions|classes) checked' "$work/log" || failed=1
}

# A check that cannot fail is none: a race that is there must be reported, in one of five runs: of two accesses at
# the same moment the sanitizer may see neither.
cat > "$work/race.c" <<'C'
#include <pthread.h>
static int word;
static void *run(void *x) { for (int n = 1000000; n-- > 0;) word = n; return x; }
int main(void) { pthread_t thread; pthread_create(&thread, 0, run, 0); run(0); return pthread_join(thread, 0); }
C
gcc -g -fsanitize=thread "$work/race.c" -o "$work/race" -pthread && quiet "$work/race" || {
    echo "tsan: this gcc cannot build programs with -fsanitize=thread"; exit 77; }
reports() { ! TSAN_OPTIONS=exitcode=66 still "$work/race" >/dev/null 2>&1; }
reports || reports || reports || reports || reports || {
    echo "tsan: the sanitizer does not report a race that is there"; exit 1; }

[ -e "$prefix/suppressions.txt" ] && quiet "$python" -c '' || build
cat "$prefix"/suppressions*.txt tests/hostile/tsan.supp > "$work/suppressions"
# The test modules carry the headers and make the metaclass: nothing else is needed.
mkdir "$work/include"
python3 cython_customslots/tools/headers.py "$work/include/customslots_runtime.h"
headers=(-Icython_customslots/include -I"$work/include")
compile probe -DPROBE_NAME=probe "${headers[@]}" tests/core/probe*.c
compile typed_probe -DPROBE_NAME=typed_probe "${headers[@]}" tests/typed/typed_{probe,calling,finding}.c

# The same of other ages; and typed functions of modules of several ages are registered and found meanwhile.
ages=(old this function field state) typed=(this record flags)
python3 tests/ages/texts.py "$work/ages" "${ages[@]}"
for age in "${ages[@]}"; do
    compile "age_$age" -DPROBE_NAME="age_$age" -DPyExtensibleType_MODULE_NAME="\"age_$age\"" \
        $(cat "$work/ages/$age/defines") -I"$work/ages/$age" -Itests/core tests/ages/age.c
done
python3 tests/ages/typed_texts.py "$work/typed" "${typed[@]}"
for age in "${typed[@]}"; do
    compile "typed_$age" -DAGE_NAME="typed_$age" -DPROBE_NAME="probe_$age" -std=gnu11 \
        -DPyExtensibleType_MODULE_NAME="\"typed_$age\"" $(cat "$work/typed/$age/defines") -I"$work/typed/$age" \
        -Itests/typed tests/ages/typed_age.c
done

failed=0
echo "tsan: $threads threads fill the table of the process"
watch tests/typed/filling_the_table.py "$threads" "$steps"
for seed in $(seq 1 "$seeds"); do
    echo "tsan: $threads threads, $steps steps each, seed $seed"
    watch tests/hostile/changing_classes.py "$threads" "$steps" "$seed"
    watch tests/ages/racing.py "$seed" "${ages[@]/#/age_}"
    watch tests/ages/typed_racing.py "$seed" "${ages[@]/#/age_}" -- "${typed[@]/#/typed_}"
done
exit $failed
