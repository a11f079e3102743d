#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# foreign.sh NAME prints the path of a CPython, with its headers, for another kind of processor: Debian's own
# packages of the release that this machine runs, unpacked into a private root together with their libc and ld.so.
# Nothing is installed, and the configurations of apt and dpkg stay as they are.
#
#   32              (i386) runs on an x86_64; needs patchelf
#   arm64, s390x    run by qemu-user; need qemu-user-static (s390x is big-endian)
#
# These, and the compilers, are the business of .ci/machine.py, which says what PREFIX and CACHE are.
set -euo pipefail
name=${1:?expected a name: 32, arm64, s390x} architecture=$1
case $name in
    32) architecture=i386 bits=32 order=little qemu=;;
    arm64) bits=64 order=little qemu=qemu-aarch64-static;;
    s390x) bits=64 order=big qemu=qemu-s390x-static;;
    *) printf "foreign: found '%s', expected 32, arm64 or s390x\n" "$name" >&2; exit 2;;
esac
prefix=${PREFIX:-$HOME/.cache/interpreters/py}/$name
cache=${CACHE:-$HOME/.cache/interpreters/cache}/apt-$name
python=$prefix/usr/bin/python3

works() {
    [ -x "$python" ] && "$python" -I -c "
import ctypes, ensurepip, os, ssl, struct, sys, sysconfig, venv, zlib
assert struct.calcsize('P') * 8 == $bits and sys.byteorder == '$order'
assert os.path.exists(os.path.join(sysconfig.get_path('include'), 'Python.h'))" 2>/dev/null
}
die() { tail -5 "$cache/log" >&2 || true; printf 'foreign: %s\n' "$*" >&2; exit 1; }
works && { printf '%s\n' "$python"; exit 0; }

# An apt-get that knows the archive of this release, and of no package that it is installed.
mkdir -p "$cache/lists/partial" "$cache/archives/partial"
code=$(. /etc/os-release; echo "${VERSION_CODENAME:-}") keys=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Identifier: Packages' |
    awk -v c="$code" '$2=="main" && $1==c && !n++ {print $3}')
[ -n "$mirror" ] || die "apt has no list of the packages of '$code'; run apt-get update"
echo "deb $([ ! -r $keys ] || echo "[signed-by=$keys]") $mirror $code main" > "$cache/sources.list"
: > "$cache/status"
cat > "$cache/apt.conf" <<CONF
APT { Architecture "$architecture"; Architectures { "$architecture"; }; Install-Recommends "0"; Sandbox::User "root"; };
Dir { State "$cache"; State::status "$cache/status"; Cache "$cache"; };
Dir::Etc { sourcelist "$cache/sources.list"; sourceparts "/dev/null"; };
Dir::Etc { preferences "/dev/null"; preferencesparts "/dev/null"; };
CONF
export APT_CONFIG=$cache/apt.conf
apt-get -q update >"$cache/log" 2>&1 || die "apt-get update failed"
apt-get -q clean
# Whatever `python3` is: 3.11 in Debian 12, 3.13 in Debian 13.
apt-get -q install -y --download-only python3-venv python3-dev >>"$cache/log" 2>&1 ||
    die "python3 for $architecture could not be had from this mirror"
rm -rf "$prefix"
mkdir -p "$prefix"
for package in "$cache"/archives/*.deb; do dpkg-deb -x "$package" "$prefix"; done

real=$(readlink -f "$python")
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
works || die "unpacked $real for $architecture, but it does not pass the check"
printf '%s\n' "$python"
