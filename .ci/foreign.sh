#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# foreign.sh ARCHITECTURE prints the path of a CPython, with its headers, for another kind of
# processor than this machine's: Debian's own packages of the release that this machine runs,
# unpacked into a private root together with their libc and ld.so.  Nothing is installed.
#
#   i386            runs on an x86_64; needs patchelf
#   arm64, s390x    run by qemu-user; need qemu-user-static (s390x is big-endian)
#
# A compiler (gcc -m32, or the cross compiler that its sysconfig names) is the caller's business.
#
#   PREFIX (~/.cache/interpreters/py)   the interpreter: $PREFIX/ARCHITECTURE/usr/bin/python3
#   CACHE (~/.cache/interpreters/cache) lists and packages
set -euo pipefail
. "$(dirname "$0")/private_apt.sh"
architecture=${1:?expected an architecture: i386, arm64, s390x}
case $architecture in
    i386) name=32 bits=32 order=little qemu=;;
    arm64) name=arm64 bits=64 order=little qemu=qemu-aarch64-static;;
    s390x) name=s390x bits=64 order=big qemu=qemu-s390x-static;;
    *) printf "foreign: found '%s', expected i386, arm64 or s390x\n" "$architecture" >&2; exit 2;;
esac
prefix=${PREFIX:-$HOME/.cache/interpreters/py}/$name
cache=${CACHE:-$HOME/.cache/interpreters/cache}/apt-$name
python=$prefix/usr/bin/python3

works() {
    [ -x "$python" ] && "$python" -I - "$bits" "$order" <<'PY' 2>/dev/null
import os, struct, sys, sysconfig
assert struct.calcsize("P") * 8 == int(sys.argv[1]) and sys.byteorder == sys.argv[2]
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
import ctypes, ensurepip, ssl, venv, zlib
PY
}
die() { printf 'foreign: %s\n' "$*" >&2; exit 1; }
need() { command -v "$1" >/dev/null || die "$1 is missing; install it"; }
[ -z "$qemu" ] || need "$qemu"
works && { printf '%s\n' "$python"; exit 0; }

if [ -z "$qemu" ]; then
    [ "$(uname -m)" = x86_64 ] || die "found a machine of kind $(uname -m), expected x86_64"
    need patchelf
fi
private_apt "$cache" 'deb @'
apt+=(-o APT::Architecture="$architecture" -o APT::Architectures::="$architecture")
mkdir -p "$cache/debs"
"${apt[@]}" update >"$cache/log" 2>&1 || { tail -5 "$cache/log" >&2; die "apt-get update failed"; }
# 3.11 in Debian 12, 3.13 in Debian 13: whatever `python3` is.
version=$("${apt[@]}" install -s python3-minimal 2>/dev/null |
    sed -n 's/^Inst python\(3\.[0-9]*\)-minimal .*/\1/p' | head -1)
[ -n "$version" ] || die "no python3 for $architecture on this mirror"
# What only matters once configured, and what a compiler needs, is left out.
names=$("${apt[@]}" install -y -s "python$version-venv" "python$version-dev" | awk '/^Inst /{print $2}' |
    sed "s/:$architecture\$//" | grep -vE '^(debconf|openssl$|netbase|tzdata|linux-libc|libc6-dev|libc-dev|rpcsvc|gcc-|dpkg|perl|tar$|mailcap|adduser|passwd)')
( cd "$cache/debs" && "${apt[@]}" download $names ) >>"$cache/log" 2>&1 ||
    { tail -5 "$cache/log" >&2; die "download failed"; }
rm -rf "$prefix"
mkdir -p "$prefix"
for f in $names; do dpkg-deb -x "$(ls -t "$cache/debs/${f}"_*.deb | head -1)" "$prefix"; done

real=$prefix/usr/bin/python$version
if [ -n "$qemu" ]; then
    # An ordinary command, so that environments, children and scripts need to know nothing of it.
    mv "$real" "$real.$architecture"
    printf '#!/bin/sh\nexec %s -L %s -0 "$0" %s "$@"\n' "$(command -v "$qemu")" "$prefix" \
        "$real.$architecture" > "$real"
    chmod +x "$real"
else
    # It starts through its own ld.so and finds its libraries in that root.
    # (Packages of Debian 12 still have files in /lib; later ones in /usr/lib only.)
    loader=$(find "$prefix" -path '*/i386-linux-gnu/ld-linux.so.2' -print -quit)
    patchelf --set-interpreter "$loader" --force-rpath \
        --set-rpath "$prefix/lib/i386-linux-gnu:$prefix/usr/lib/i386-linux-gnu" "$real"
fi
# Its headers are in that root, too.
find "$prefix/usr/include" -maxdepth 2 -name pyconfig.h ! -type l -exec \
    sed -i -E 's|^( *# *include +)<([a-z0-9_-]+/python[^>]+)>|\1"../\2"|' {} +
find "$prefix/usr/lib" -name '_sysconfigdata*.py' -exec \
    sed -i -E "s#: (['\"])/usr/(include|lib|share)(/|\\1)#: \\1$prefix/usr/\\2\\3#" {} +
find "$prefix/usr/lib" -path '*/__pycache__/_sysconfigdata*' -delete
find "$prefix/usr/lib" -name 'python-*.pc' ! -type l -exec sed -i -E "s#^prefix=/usr\$#prefix=$prefix/usr#" {} +
ln -sfn "python$version" "$python"           # beside it: a venv looks for lib/ from here
works || die "unpacked CPython $version for $architecture, but it does not pass the check: $python"
printf '%s\n' "$python"
