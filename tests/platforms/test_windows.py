# SPDX-License-Identifier: MIT
"""Headers and implementation for Windows: compiled by MinGW's gcc, linked to CPython's names, and
read by clang as MSVC reads them.

Nothing of it is run here: there is no Windows.  The branches of MSVC are run where they can be, on
this machine, by test_msvc_branch.py.
"""
import subprocess
import sysconfig
from pathlib import Path

import cross
import pytest
import snapshot

pytestmark = [pytest.mark.platforms, pytest.mark.once]

#: {processor: MinGW's prefix, 32-bit and 64-bit}
MINGW = {"x64": "x86_64-w64-mingw32", "x86": "i686-w64-mingw32"}


@pytest.fixture(scope="session")
def windows(tmp_path_factory):
    """Makes the headers of this CPython, or of another one, those of one on Windows."""
    pyconfig = cross.windows_pyconfig()

    def make(of=None):
        return cross.headers(tmp_path_factory.mktemp("windows") / "include", pyconfig, of or cross.running())
    return make


@pytest.fixture(scope="session", params=MINGW)
def mingw(request):
    return cross.compiler(f"{MINGW[request.param]}-gcc")


@pytest.fixture(scope="session")
def include(windows):
    return windows()


def test_every_c_file_of_the_tests_compiles_without_a_warning(mingw, include, tmp_path):
    """Layouts, too, which are pinned by assertions.  (Those of the implementation are linked below.)"""
    places = tmp_path / "places.c"
    places.write_text(snapshot.program(snapshot.recorded()))
    assert len(cross.TEST_FILES) > 15
    for number, source in enumerate([places, *cross.TEST_FILES]):
        cross.compile_one(mingw, source, include, tmp_path / f"{number}.o", "-std=c99", "-O0",
                          "-Wno-unused-function", f"-I{snapshot.HERE}")


def test_a_format_that_windows_lacks_is_noticed(mingw, include, tmp_path):
    source = tmp_path / "format.c"
    source.write_text('#include "customslots.h"\nint f(char *b, size_t n);\n'
                      'int f(char *b, size_t n) { return PyOS_snprintf(b, 9, "%zu", n); }\n')
    with pytest.raises(AssertionError, match="unknown conversion type character"):
        cross.compile_one(mingw, source, include, tmp_path / "format.o", "-std=c99")


@pytest.mark.parametrize("number", range(1 + len(cross.other_headers())))
def test_a_module_that_carries_all_of_it_compiles_with_each_cpythons_headers(number, mingw, windows, tmp_path):
    """windows.h in front of them, whose macros are words of the language elsewhere."""
    include = windows([None, *cross.other_headers()][number])
    cross.compile_one(mingw, cross.CARRIER, include, tmp_path / "c.o", "-std=c99",
                      "-O0" if number else "-O1", "-Wpedantic")
    if number == 0:
        cross.compile_one([mingw[0].removesuffix("gcc") + "g++"], cross.CPP_CARRIER, include,
                          tmp_path / "cpp.o", "-std=c++11", "-O0")


def exported():
    """{name: is it data?} of what this CPython exports, which a DLL exports, too."""
    library = Path(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("INSTSONAME") or "")
    if not library.is_file():
        library = Path(sysconfig.get_config_var("BINDIR"), f"python{sysconfig.get_config_var('LDVERSION')}")
    listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return {name.partition("@")[0]: kind not in "TW" for _, kind, name in map(str.split, listed.splitlines())
            if name.startswith(("Py", "_Py"))}


@pytest.fixture(scope="session", params=MINGW)
def tools(request, tmp_path_factory):
    """(gcc, import library of a DLL with what CPython exports)."""
    gcc = cross.compiler(f"{MINGW[request.param]}-gcc")
    dlltool = cross.compiler(f"{MINGW[request.param]}-dlltool")
    names = exported()
    assert names["PyType_Type"] and not names["PyType_Ready"], "neither data nor functions are told"
    directory = tmp_path_factory.mktemp("python")
    definition = directory / "python.def"
    definition.write_text("LIBRARY python3.dll\nEXPORTS\n" + "".join(
        f"    {name}{' DATA' if data else ''}\n" for name, data in sorted(names.items())))
    subprocess.run([*dlltool, "-d", definition, "-l", directory / "libpython.a"], check=True)
    return gcc, directory


MODULES = {
    "_customslots_runtime": [*cross.RUNTIME],
    "provider": [cross.PACKAGE / "provider.c", cross.PACKAGE / "runtime" / "info.c"],
    "_typed": [cross.PACKAGE / "typed" / "_typed.c"],
    "_classes": [cross.PACKAGE / "inspecting" / "_classes.c"],
    "carrier": [cross.CARRIER],
}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_links_to_a_dll_of_what_cpython_exports(name, tools, include, tmp_path):
    """Formats are checked, of which MinGW's gcc knows what Windows lacks.  Linked without help for
    data, which MSVC's linker has not: no address of a DLL's data stands in constant data.  It
    exports its own init function only."""
    gcc, directory = tools
    flags = ["-std=c99", "-O0"]
    if name in ("provider", "_typed"):
        flags.append("-DPyExtensibleType_RUNTIME_INSTALLED")
    objects = [cross.compile_one(gcc, source, include, tmp_path / f"{number}.o", *flags)
               for number, source in enumerate(MODULES[name])]
    made = cross.link(gcc, objects, tmp_path / f"{name}.pyd", "-Wl,--disable-auto-import",
                      "-Wl,--no-undefined", f"-L{directory}", "-lpython")
    shown = subprocess.run([gcc[0].removesuffix("gcc") + "objdump", "-p", made], check=True,
                           capture_output=True, text=True).stdout
    table = shown.partition("[Ordinal/Name Pointer] Table")[2].split("\n\n")[0]
    assert [line.split()[-1] for line in table.splitlines()[1:] if line.strip()] == [f"PyInit_{name}"]


# ---------------------------------------------------------------------------- as MSVC reads it --

@pytest.mark.parametrize("processor", MINGW)
def test_what_is_for_msvc_compiles(processor, include, tmp_path):
    clang = [*cross.compiler("clang"), f"--target={MINGW[processor]}"]
    cross.compiler(f"{MINGW[processor]}-gcc")           # whose headers clang takes
    cross.compile_one(clang, cross.CARRIER, include, tmp_path / "c.o", *cross.AS_MSVC, "-std=c11", "-O0")


def test_what_is_for_msvc_on_arm64_compiles(include, tmp_path):
    clang = [*cross.zig(), "-target", "aarch64-windows-gnu"]
    cross.compile_one(clang, cross.CARRIER, include, tmp_path / "c.o", *cross.AS_MSVC, "-std=c11", "-O0")


def test_windows_on_arm64_compiles(include, tmp_path):
    clang = [*cross.zig(), "-target", "aarch64-windows-gnu"]
    cross.compile_one(clang, cross.CARRIER, include, tmp_path / "c.o", "-std=c99", "-O0")
