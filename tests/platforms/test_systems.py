# SPDX-License-Identifier: MIT
"""Headers and implementation for other systems, C libraries and processors: compiled, not
run.  What is run elsewhere than on x86 is in the sessions platforms(arm64) and platforms(s390x)."""
import os
import subprocess

import cross
import pytest

pytestmark = [pytest.mark.platforms, pytest.mark.once]

#: What configure finds there; of sizes the compiler knows.  Only what Python.h asks for.
PYCONFIG = """\
#define _GNU_SOURCE 1
#define _DARWIN_C_SOURCE 1
#define SIZEOF_SHORT __SIZEOF_SHORT__
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__
#define SIZEOF_FLOAT __SIZEOF_FLOAT__
#define SIZEOF_DOUBLE __SIZEOF_DOUBLE__
#define SIZEOF_TIME_T 8
#define SIZEOF_PID_T 4
#define HAVE_LONG_LONG 1
#define HAVE_STDINT_H 1
#define HAVE_STDDEF_H 1
#define HAVE_UNISTD_H 1
#define HAVE_WCHAR_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_SSIZE_T 1
#define HAVE_PROTOTYPES 1
#define HAVE_BUILTIN_ATOMIC 1
#define WITH_DOC_STRINGS 1
#if defined(__wasi__)
#define HAVE_PTHREAD_STUBS 1
#else
#define HAVE_PTHREAD_H 1
#endif
"""

#: As zig's clang calls them.
SYSTEMS = [
    "x86_64-macos", "aarch64-macos", "x86_64-freebsd", "aarch64-freebsd", "x86_64-linux-musl",
    "aarch64-linux-musl", "arm-linux-musleabihf", "riscv64-linux-gnu", "powerpc64le-linux-gnu",
    "powerpc64-linux-musl", "wasm32-wasi"]


@pytest.fixture(scope="session")
def include(tmp_path_factory):
    return cross.headers(tmp_path_factory.mktemp("system") / "include", PYCONFIG, cross.running())


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_module_that_carries_all_of_it_compiles(system, include, tmp_path):
    """-Wextra tells of casts between function types, of which WebAssembly bears none when they are
    called."""
    cross.compile_one([*cross.zig(), "-target", system], cross.CARRIER, include, tmp_path / "c.o",
                      "-std=c99", "-O0", "-fPIC")


@pytest.mark.parametrize("system", [system for system in SYSTEMS if "wasi" not in system])
def test_what_tells_the_library_of_an_address_compiles(system, include, tmp_path):
    cross.compile_one([*cross.zig(), "-target", system], cross.PACKAGE / "inspecting" / "_classes.c", include,
                      tmp_path / "m.o", "-std=c99", "-O0", "-fPIC")


def test_musl_of_this_machine_has_all_that_is_needed(tmp_path):
    """The three modules of the wheel and one that carries all of it, against Debian's musl-tools."""
    gcc = cross.compiler("musl-gcc")
    for name, sources in {"_customslots_runtime": cross.RUNTIME, "carrier": [cross.CARRIER],
                          "_typed": [cross.PACKAGE / "typed" / "_typed.c"]}.items():
        directory = tmp_path / name
        include = cross.headers(directory / "include", PYCONFIG, cross.running())
        objects = [cross.compile_one(gcc, source, include, directory / f"{number}.o", "-std=c99", "-O0",
                                     "-fPIC", *(["-DPyExtensibleType_RUNTIME_INSTALLED"]
                                                if name == "_typed" else []))
                   for number, source in enumerate(sources)]
        made = cross.link(gcc, objects, directory / f"{name}.so")
        shown = subprocess.run(["readelf", "-d", made], check=True, capture_output=True, text=True,
                               env={**os.environ, "LC_ALL": "C"}).stdout
        needed = [line.rpartition("[")[2].rstrip("]") for line in shown.splitlines() if "(NEEDED)" in line]
        assert needed in (["libc.so"], []), needed
