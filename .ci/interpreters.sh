# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Sourced by .ci/run.  interpreter VERSION prints the path of that CPython (3.12, 3.14d,
# 3.13t) or of PyPy (pypy), looking at pyenv, at PATH, and at what ../shared/interpreters.sh can
# fetch.

_ci_is() {                                 # _ci_is PYTHON VERSION: of that version and kind?
    "$1" -I - "$2" <<'PY' 2>/dev/null
import os, sys, sysconfig
wanted = sys.argv[1]
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
if wanted == "pypy":
    sys.exit(sys.implementation.name != "pypy")
kind = wanted.lstrip("0123456789.")
assert "%d.%d" % sys.version_info[:2] == wanted.rstrip("td")
assert hasattr(sys, "gettotalrefcount") == ("d" in kind)
assert bool(sysconfig.get_config_var("Py_GIL_DISABLED")) == ("t" in kind)
import ensurepip, venv
PY
}

interpreter() {
    local wanted=$1 candidate fetched=${PREFIX:-$HOME/.cache/interpreters/py}
    local candidates=()
    if command -v pyenv >/dev/null; then
        while read -r candidate; do
            candidates+=("$(pyenv prefix "$candidate" 2>/dev/null)/bin/python3")
        done < <(pyenv versions --bare 2>/dev/null | grep -E "^${wanted%%[td]*}\.[0-9]+${wanted#"${wanted%%[td]*}"}\$")
    fi
    [ "$wanted" != pypy ] || candidates+=("$(command -v pypy3 || true)")
    candidates+=("$(command -v "python$wanted" || true)" "$fetched/$wanted/bin/python3")
    for candidate in "${candidates[@]}"; do
        [ -x "$candidate" ] && _ci_is "$candidate" "$wanted" && { printf '%s\n' "$candidate"; return 0; }
    done
    if [ -r ../shared/interpreters.sh ]; then
        bash ../shared/interpreters.sh "$wanted" >&2 || return 1
        _ci_is "$fetched/$wanted/bin/python3" "$wanted" && { printf '%s\n' "$fetched/$wanted/bin/python3"; return 0; }
    fi
    return 1
}
