# SPDX-License-Identifier: MIT
"""Where an interpreter or a tool comes from; what is not on this machine is installed or compiled, if we may.

    python3 .ci/machine.py NAME       prints its path; exit code 1 if it could not be had, with the reason

NAME is a CPython (3.12, 3.14d, 3.13t), `pypy`, one of TOOLS, `source` (the archive that 3.13t was compiled from) or
`windows` (the pyconfig.h in it).  Interpreters are looked up in pyenv and on PATH.  ../shared/interpreters.sh, if it is
there, fetches them to PREFIX (~/.cache/interpreters/py) by way of CACHE (~/.cache/interpreters/cache).
"""
import fcntl
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

TREE = Path(__file__).resolve().parent.parent
KEPT = Path.home() / ".cache" / "interpreters"
PREFIX = Path(os.environ.get("PREFIX") or KEPT / "py")
CACHE = Path(os.environ.get("CACHE") or KEPT / "cache")

#: {name: (what bash answers if it is there, Debian's packages that bring it)}.  gcc-multilib would bring what "32"
#: needs, but cannot be there together with cross compilers.
TOOLS = {
    "clang": ("type -P clang clang++", "clang"),
    "doxygen": ("type -P doxygen", "doxygen"),
    "mingw": ("type -P clang x86_64-w64-mingw32-g++ i686-w64-mingw32-g++",
              "clang g++-mingw-w64-x86-64 g++-mingw-w64-i686"),
    "musl": ("type -P musl-gcc", "musl-tools"),
    "pyo3": ("ls -d /usr/share/cargo/registry/pyo3-0.17.* && type -P cargo",
             "$(type -P cargo >&2 || echo cargo) librust-pyo3-dev"),
    "rustc": ("type -P rustc", "rustc"),
    "spin": ("type -P spin", "spin"),
    "sanitizers": ('ls "$(clang -print-file-name=libclang_rt.asan-$(uname -m).so)"', "clang libclang-rt-dev"),
    "32": ("type -P patchelf && echo 'int main() {}' | g++ -m32 -x c++ - -o /dev/null",
           "patchelf libc6-dev-i386 lib32gcc-$N-dev lib32stdc++-$N-dev"),
    "arm64": ("type -P qemu-aarch64-static aarch64-linux-gnu-g++", "qemu-user-static g++-aarch64-linux-gnu"),
    "s390x": ("type -P qemu-s390x-static s390x-linux-gnu-g++", "qemu-user-static g++-s390x-linux-gnu"),
}

#: For these there is also an interpreter, from tests/platforms/foreign.sh.
FOREIGN = ("32", "arm64", "s390x")

#: An interpreter prints its name, if modules can be compiled for it, and environments be made of it.
NAME = """\
import ensurepip, os, sys, sysconfig, venv
assert os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
kind = "t" * bool(sysconfig.get_config_var("Py_GIL_DISABLED")) + "d" * hasattr(sys, "gettotalrefcount")
print("pypy" if sys.implementation.name == "pypy" else "%d.%d" % sys.version_info[:2] + kind)
"""


def answer(*command):
    """The last line that a command prints; nothing if it fails."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    return done.stdout.splitlines()[-1] if done.stdout and not done.returncode else None


def change(*command):
    """Run a command that changes this machine, one at a time of several runs of CI; its last line."""
    PREFIX.mkdir(parents=True, exist_ok=True)
    with open(PREFIX / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                              errors="replace", env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    lines = done.stdout.splitlines()
    if done.returncode:
        raise SystemExit("\n".join([*lines[-3:], f"ended with exit code {done.returncode}: {shlex.join(command)}"]))
    return lines[-1] if lines else None


def tool(name):
    question, packages = TOOLS[name]
    if not answer("bash", "-c", question):
        change("bash", "-c", "N=$(gcc -dumpversion | cut -d. -f1); apt-get -q update;"
               f"apt-get -q install -y --no-install-recommends {packages}")
    if name in FOREIGN:
        return change("bash", str(TREE / "tests" / "platforms" / "foreign.sh"), name)
    return answer("bash", "-c", question)


def interpreter(name):
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    fetched, fetch = PREFIX / name / "bin" / "python3", Path("../shared/interpreters.sh")
    places = [*sorted(versions.glob(f"{name.rstrip('td')}.*/bin/python3")),
              shutil.which("pypy3" if name == "pypy" else f"python{name}"), fetched]
    for place in places:
        if place and os.access(place, os.X_OK) and answer(str(place), "-IWignore", "-c", NAME) == name:
            return place
    if not fetch.exists():
        raise SystemExit(f"found no Python {name} that has its headers and venv, in pyenv or on PATH, and no {fetch}; "
                         f"install it as python{name}")
    change("bash", str(fetch), name)
    return fetched


def source():
    interpreter("3.13t")                    # leaves it behind when it is compiled
    archives = sorted((CACHE / "src").glob("python3.13_*.orig.tar.[gx]z"), key=os.path.getmtime)
    if not archives:
        raise SystemExit(f"found no source of CPython 3.13 in {CACHE}/src, where ../shared/interpreters.sh leaves it")
    return archives[-1]


def windows():
    """CPython's pyconfig.h for Windows; of a .in, nothing is filled in for builds with a GIL."""
    file = CACHE / "windows" / "pyconfig.h"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(source()) as archive:
            member = next(each for each in archive if each.name.endswith(("/PC/pyconfig.h", "/PC/pyconfig.h.in")))
            file.write_bytes(archive.extractfile(member).read())
    return file


if __name__ == "__main__":
    _, name = sys.argv
    if name in TOOLS:
        print(tool(name))
    else:
        print({"source": source, "windows": windows}.get(name, lambda: interpreter(name))())
