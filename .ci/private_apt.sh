# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Sourced.  private_apt DIRECTORY LINE...: sets the array `apt`, an apt-get that knows the archive of
# the release that this machine runs, and nothing else.  Nothing is installed, and the configurations
# of apt and dpkg stay as they are.  A LINE is one of sources.list; @ stands for address, suite and
# component.  Calls die() with what is wrong.
private_apt() {
    local d=$1 code mirror line keys=/usr/share/keyrings/debian-archive-keyring.gpg
    shift
    command -v dpkg-deb >/dev/null && command -v apt-get >/dev/null || die "apt-get is missing: only for Debian"
    code=$(. /etc/os-release; echo "${VERSION_CODENAME:-}")
    mirror=$(apt-get indextargets --format '$(RELEASE) $(COMPONENT) $(REPO_URI)' 'Identifier: Packages' |
        awk -v c="$code" '$2=="main" && $1==c && !n++ {print $3}')
    [ -n "$mirror" ] || die "apt has no list of the packages of '$code'; run apt-get update"
    mkdir -p "$d/lists/partial" "$d/cache/archives/partial" "$d/state"
    : > "$d/status"                        # as if nothing were installed: full closures
    for line; do
        [ ! -r "$keys" ] || line=${line/ / [signed-by=$keys] }
        printf '%s\n' "${line/@/${mirror%/} $code main}"
    done > "$d/sources.list"
    apt=(apt-get -q -o Dir::Etc::sourcelist="$d/sources.list" -o Dir::Etc::sourceparts=/dev/null
         -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
         -o Dir::State="$d/state" -o Dir::State::lists="$d/lists"
         -o Dir::State::status="$d/status" -o Dir::Cache="$d/cache"
         -o APT::Install-Recommends=0 -o APT::Sandbox::User=root)
}
