#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints the path of the pyconfig.h that CPython has for Windows, of the release's python3: it stands
# in Debian's source package, under PC/, and in no package that is installed.  All versions of it
# say the same of what our headers use.
#
#   CACHE (~/.cache/interpreters/cache) lists, the source package, and $CACHE/windows/pyconfig.h
set -euo pipefail
. "$(dirname "$0")/private_apt.sh"
apt=()                                  # private_apt fills it
cache=${CACHE:-$HOME/.cache/interpreters/cache}
file=$cache/windows/pyconfig.h
die() { printf 'windows_pyconfig: %s\n' "$*" >&2; exit 1; }
[ ! -s "$file" ] || { printf '%s\n' "$file"; exit 0; }

d=$cache/apt-windows
private_apt "$d" 'deb @' 'deb-src @'
"${apt[@]}" update >"$d/log" 2>&1 || { tail -5 "$d/log" >&2; die "apt-get update failed"; }
version=$("${apt[@]}" install -s python3-minimal 2>/dev/null |
    sed -n 's/^Inst python\(3\.[0-9]*\)-minimal .*/\1/p' | head -1)
[ -n "$version" ] || die "no python3 on this mirror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
( cd "$work" && "${apt[@]}" source --download-only "python$version" ) >>"$d/log" 2>&1 ||
    { tail -5 "$d/log" >&2; die "no source of python$version on this mirror"; }
tar -C "$work" --strip-components=1 -xf "$work"/python"$version"_*.orig.tar.[gx]z --wildcards '*/PC/pyconfig.h*'
mkdir -p "$cache/windows"
cp "$work"/PC/pyconfig.h* "$file.new"         # .in from 3.13 on, of which nothing is filled in for builds with a GIL
mv "$file.new" "$file"
printf '%s\n' "$file"
