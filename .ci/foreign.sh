#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints the path of a 32-bit CPython with its headers: Debian's own i386 packages of the
# release that this machine runs, unpacked into a private root together with their libc
# and ld.so.  Nothing is installed and apt's configuration stays as it is: the list of
# i386 packages is a private one.  A `gcc -m32` is the caller's business.
#
#   PREFIX (~/.cache/interpreters/py)   the interpreter: $PREFIX/32/usr/bin/python3
#   CACHE (~/.cache/interpreters/cache) lists and packages
set -euo pipefail
prefix=${PREFIX:-$HOME/.cache/interpreters/py}/32
cache=${CACHE:-$HOME/.cache/interpreters/cache}/apt-32
python=$prefix/usr/bin/python3

works() {
    [ -x "$python" ] && "$python" -I - <<'PY' 2>/dev/null
import os, struct, sysconfig
assert struct.calcsize("P") == 4
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
import ctypes, ensurepip, ssl, venv, zlib
PY
}
works && { printf '%s\n' "$python"; exit 0; }

die() { printf 'interpreter32: %s\n' "$*" >&2; exit 1; }
[ "$(uname -m)" = x86_64 ] || die "found a machine of kind $(uname -m), expected x86_64"
command -v patchelf >/dev/null || die "patchelf is missing; install it"
command -v dpkg-deb >/dev/null && command -v apt-get >/dev/null || die "apt-get is missing: only for Debian"

code=$(. /etc/os-release; echo "${VERSION_CODENAME:-}")
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Identifier: Packages' |
    awk -v c="$code" '$2=="main" && $1==c && !n++ {print $3}')
[ -n "$mirror" ] || die "apt has no list of the packages of '$code'; run apt-get update"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
signed=; [ ! -r "$keys" ] || signed=" signed-by=$keys"

mkdir -p "$cache/lists/partial" "$cache/cache/archives/partial" "$cache/state" "$cache/debs"
: > "$cache/status"                        # as if nothing were installed: full closures
printf 'deb [arch=i386%s] %s %s main\n' "$signed" "${mirror%/}" "$code" > "$cache/sources.list"
apt=(apt-get -q -o APT::Architecture=i386 -o APT::Architectures::=i386
     -o Dir::Etc::sourcelist="$cache/sources.list" -o Dir::Etc::sourceparts=/dev/null
     -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
     -o Dir::State="$cache/state" -o Dir::State::lists="$cache/lists"
     -o Dir::State::status="$cache/status" -o Dir::Cache="$cache/cache"
     -o APT::Install-Recommends=0 -o APT::Sandbox::User=root)
"${apt[@]}" update >"$cache/log" 2>&1 || { tail -5 "$cache/log" >&2; die "apt-get update failed"; }
# 3.11 in Debian 12, 3.13 in Debian 13: whatever `python3` is.
version=$("${apt[@]}" install -s python3-minimal 2>/dev/null |
    sed -n 's/^Inst python\(3\.[0-9]*\)-minimal .*/\1/p' | head -1)
[ -n "$version" ] || die "no python3 for i386 in '$code' on this mirror"
# What only matters once configured, and what a compiler needs, is left out.
names=$("${apt[@]}" install -y -s "python$version-venv" "python$version-dev" | awk '/^Inst /{print $2}' |
    sed 's/:i386$//' | grep -vE '^(debconf|openssl$|netbase|tzdata|linux-libc|libc6-dev|libc-dev|rpcsvc|gcc-|dpkg|perl|tar$|mailcap|adduser|passwd)')
( cd "$cache/debs" && "${apt[@]}" download $names ) >>"$cache/log" 2>&1 ||
    { tail -5 "$cache/log" >&2; die "download failed"; }
rm -rf "$prefix"
mkdir -p "$prefix"
for f in $names; do dpkg-deb -x "$(ls -t "$cache/debs/${f}"_*.deb | head -1)" "$prefix"; done

# It starts through its own ld.so and finds its libraries and headers in that root.
# (Packages of Debian 12 still have files in /lib; later ones in /usr/lib only.)
real=$prefix/usr/bin/python$version
loader=$(find "$prefix" -path '*/i386-linux-gnu/ld-linux.so.2' -print -quit)
patchelf --set-interpreter "$loader" --force-rpath \
    --set-rpath "$prefix/lib/i386-linux-gnu:$prefix/usr/lib/i386-linux-gnu" "$real"
find "$prefix/usr/include" -maxdepth 2 -name pyconfig.h ! -type l -exec \
    sed -i -E 's|^( *# *include +)<([a-z0-9_-]+/python[^>]+)>|\1"../\2"|' {} +
find "$prefix/usr/lib" -name '_sysconfigdata*.py' -exec \
    sed -i -E "s#: (['\"])/usr/(include|lib|share)(/|\\1)#: \\1$prefix/usr/\\2\\3#" {} +
find "$prefix/usr/lib" -path '*/__pycache__/_sysconfigdata*' -delete
find "$prefix/usr/lib" -name 'python-*.pc' ! -type l -exec sed -i -E "s#^prefix=/usr\$#prefix=$prefix/usr#" {} +
ln -sfn "python$version" "$python"           # beside it: a venv looks for lib/ from here
works || die "unpacked CPython $version for i386, but it does not pass the check: $python"
printf '%s\n' "$python"
