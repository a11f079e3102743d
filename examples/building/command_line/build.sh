#!/bin/sh
# SPDX-License-Identifier: MIT
# A compiler and nothing else.  PYTHON and CC may name others.
set -e
cd "$(dirname "$0")"
python=${PYTHON:-python3} cc=${CC:-cc}
config() { "$python" -c "import sysconfig; print(sysconfig.$1)"; }
include=$(config 'get_path("include")') suffix=$(config 'get_config_var("EXT_SUFFIX")')
flags="-shared -fPIC -O2 $CFLAGS $LDFLAGS"

# .pyx to C, by `cython-customslots` in the place of `cython`; the C needs no header of ours.
"$python" -m cython_customslots cython circle.pyx
$cc $flags -I"$include" circle.c -o "circle$suffix"

# C that includes our headers.
$cc $flags -I"$include" -I"$("$python" -m cython_customslots --include)" total.c -o "total$suffix"
