# SPDX-License-Identifier: MIT
"""Every build system that the README of examples/building names builds its example."""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import support
from build_tools import SCRIPTS, need, python, run
from examples_support import EXAMPLES

import cython_customslots

pytestmark = pytest.mark.once

BUILDING = EXAMPLES / "building"
PACKAGE = Path(cython_customslots.__file__).parent

#: What each of them prints: 3 * 1² + 3 * 2², and nothing for what has no slot.
PRINTED = "15.0\n"

THING = "# cython: language_level=3, freethreading_compatible=True\ncdef class Thing:\n    pass\n"


@pytest.fixture
def example(tmp_path, request):
    """A copy of examples/building/NAME, NAME being the test's parameter, with the sources that its README copies."""
    copy = tmp_path / request.param
    shutil.copytree(BUILDING / request.param, copy)
    if copied := re.search(r"^    cp (.*) \.$", (copy / "README.md").read_text(encoding="utf-8"), re.MULTILINE):
        for name in copied[1].split():
            for path in BUILDING.glob(name.removeprefix("../")):
                shutil.copy(path, copy)
    return copy


def of(name):
    return pytest.mark.parametrize("example", [name], indirect=True)


# ---------------------------------------------------------------- projects for pip

@pytest.mark.parametrize("example, tools", support.thoroughly([
    ("setuptools_cythonize", ["setuptools"]),
    ("meson_python", ["meson-python", "meson", "ninja"]),
    ("scikit_build_core", ["scikit-build-core", "cmake", "ninja"]),
    ("setuptools_build_ext", ["setuptools"]),
], plain=0, thorough=1), indirect=["example"])
def test_pip_builds_the_example(example, tools):
    need(*tools)
    site = example / "site"
    python("-m", "pip", "install", "--no-build-isolation", "--no-deps", "--no-input",
           "--target", site, ".", cwd=example)
    shutil.copy(example / "example.py", site)
    assert python("example.py", cwd=site) == PRINTED


# ------------------------------------------------------------------- without pip

@pytest.mark.thorough
@of("command_line")
def test_a_compiler_is_enough(example):
    tools = support.toolchain()
    run("sh", "build.sh", cwd=example, PYTHON=sys.executable, CC=" ".join(tools.cc))
    assert python("example.py", cwd=example) == PRINTED


@pytest.mark.nightly
@of("pyximport")
def test_pyximport_builds_the_example_when_it_is_imported(example):
    need("setuptools")
    assert python("example.py", cwd=example).endswith(PRINTED)
    # Another run imports what is there.
    before = {path: path.stat().st_mtime_ns for path in (example / "build").rglob("*.*")}
    assert before
    assert python("example.py", cwd=example) == PRINTED
    assert before == {path: path.stat().st_mtime_ns for path in (example / "build").rglob("*.*")}


@pytest.mark.nightly
@of("meson")
def test_mesons_own_language_builds_the_example(example):
    need("meson", "ninja", "pkgconf")
    run("meson", "setup", "build", "--native-file", "native.ini", "--buildtype=plain",
        f"-Dpkg_config_path={cython_customslots.get_pkgconfig_dir()}", cwd=example)
    run("meson", "compile", "-C", "build", cwd=example)
    assert python("example.py", cwd=example, PYTHONPATH=str(example / "build")) == PRINTED
    depfile, = (example / "build").rglob("*.pyx.c.dep")
    lines = depfile.read_text(encoding="utf-8").replace("\\", "").splitlines()
    assert names_the_layer(lines[1:], example / "build")


def names_the_layer(lines, directory):
    """Does this list of files, as make or ninja read it, have those of the installed package?"""
    listed = {(directory / line.strip()).resolve() for line in lines}
    return {(PACKAGE / name).resolve() for name in ("__init__.py", "__init__.pxd", "utility/CustomSlots.c")} <= listed


# --------------------------------------------------------------------- setuptools

SETUP = """\
from setuptools import setup, Extension
from cython_customslots import build_ext
setup(name="thing", version="1.0", py_modules=[], cmdclass={"build_ext": build_ext},
      ext_modules=[Extension("thing", ["thing.pyx"])])
"""


UNREAD = '[build-system]\nrequires = ["setuptools"]\n\n[tool.distutils.build_ext]\nextend-all = true\nforce = true\n'


@pytest.mark.nightly
def test_switches_in_a_pyproject_that_setuptools_does_not_read_end_the_build(tmp_path):
    need("setuptools")
    (tmp_path / "setup.py").write_text(SETUP)
    (tmp_path / "thing.pyx").write_text(THING)
    (tmp_path / "pyproject.toml").write_text(UNREAD)

    def build(*switches):
        return subprocess.run([sys.executable, "setup.py", "-q", "build_ext", *switches], cwd=tmp_path,
                              capture_output=True, text=True)

    failed = build()
    assert failed.returncode != 0
    assert ("error: found extend-all in [tool.distutils.build_ext] of pyproject.toml, which setuptools did not read, "
            "expected [project] in that file, too;") in failed.stderr
    assert not list(tmp_path.glob("build/**/thing.*"))
    done = build("--extend-all")                 # what is said there, too, is known
    assert done.returncode == 0, done.stderr
    (tmp_path / "pyproject.toml").write_text(UNREAD + '\n[project]\nname = "thing"\nversion = "1.0"\n')
    done = build()
    assert done.returncode == 0, done.stderr


def test_build_ext_without_setuptools_says_what_to_install(tmp_path):
    said = support.check_child("""
        sys.modules["setuptools"] = None
        try:
            from cython_customslots import build_ext
        except ImportError as error:
            print(error)
        """, cwd=tmp_path)
    assert "build_ext is a command of setuptools" in said and "build requirements" in said


# ----------------------------------------------------------------------- notebooks

RUN = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
with open(sys.argv[1], encoding="utf-8") as file:
    cells = json.load(file)["cells"]
for cell in cells:
    if cell["cell_type"] == "code":
        shell.run_cell("".join(cell["source"])).raise_error()
"""


@pytest.mark.nightly
@of("notebook")
def test_the_notebook_runs(example):
    need("ipython", "setuptools")
    assert python("-c", RUN, "areas.ipynb", cwd=example, IPYTHONDIR=str(example)) == PRINTED


@pytest.mark.parametrize("missing, package", [("IPython", "ipython"), ("distutils", "setuptools")])
def test_loading_the_magic_where_something_is_missing_says_what(tmp_path, missing, package):
    said = support.check_child(f"""
        import cython_customslots
        sys.modules[{missing!r}] = None
        if {missing!r} == "IPython":             # else Cython needs them before that
            import types
            for name in "distutils", "distutils.log", "distutils.core", "distutils.command", \\
                        "distutils.command.build_ext":
                sys.modules[name] = types.ModuleType(name)
            sys.modules["distutils"].log = sys.modules["distutils.log"]
            sys.modules["distutils.core"].Distribution = object
            sys.modules["distutils.core"].Extension = object
            sys.modules["distutils.command.build_ext"].build_ext = object
        try:
            cython_customslots.load_ipython_extension(None)
        except ImportError as error:
            print(error)
        """, cwd=tmp_path)
    assert "%load_ext cython_customslots" in said and f"pip install {package}" in said


# --------------------------------------------------------------------------- CMake

def configure(tmp_path, text, *arguments, expect=0, generator="Ninja"):
    """Configure a project of no language, which is quick; CMake's words in one line."""
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.20...3.31)\nproject(thing LANGUAGES NONE)\n" + text)
    said = run("cmake", "-G", generator, "-S", ".", "-B", "build",
               f"-DCMAKE_PREFIX_PATH={cython_customslots.get_cmake_dir()}", *arguments,
               cwd=tmp_path, expect=expect)
    return " ".join(said.split())


def found(python=None):
    return (f'set(Python_EXECUTABLE "{Path(python or sys.executable).as_posix()}")\n'
            "find_package(CythonCustomslots REQUIRED)\n")


@pytest.mark.nightly
@pytest.mark.parametrize("generator", ["Ninja", "Unix Makefiles"])
def test_cmake_generates_again_when_a_pxd_has_changed(tmp_path, generator):
    need("cmake", "ninja")
    if generator != "Ninja" and shutil.which("make") is None:
        pytest.skip("there is no make on this machine")
    top = tmp_path / "with space"
    top.mkdir()
    (top / "thing.pyx").write_text("from shapes cimport Shape\ncdef Shape x = Shape()\n")
    (top / "shapes.pxd").write_text("cdef class Shape:\n    cdef int corners\n")
    configure(top, found() + "cython_customslots_transpile(thing.pyx LANGUAGE CXX OUTPUT sub/it.cc "
              "OUTPUT_VARIABLE cc CYTHON_ARGS -3 -X boundscheck=False)\n"
              "add_custom_target(all_of_it ALL DEPENDS ${cc})\n", generator=generator)

    def generated():
        return "cython-customslots thing" in run("cmake", "--build", "build", cwd=top)
    assert generated() and not generated()
    assert "extern \"C\"" in (top / "build" / "sub" / "it.cc").read_text(encoding="utf-8")
    later = (top / "build" / "sub" / "it.cc").stat().st_mtime + 5
    os.utime(top / "shapes.pxd", (later, later))
    assert generated()
    if generator == "Ninja":
        listed = run("ninja", "-C", "build", "-t", "deps", cwd=top).splitlines()
        assert names_the_layer(listed, top / "build")


@pytest.mark.thorough
def test_cmake_with_a_python_that_lacks_the_package_says_so(tmp_path):
    need("cmake", "ninja")
    python("-m", "venv", "--without-pip", "bare", cwd=tmp_path)
    bare = tmp_path / "bare" / SCRIPTS.name / Path(sys.executable).name
    said = configure(tmp_path, found(bare), expect=1)
    assert "has no working cython-customslots; install it there" in said
    assert "No module named cython_customslots" in said


@pytest.mark.thorough
def test_cmake_with_files_of_another_version_says_so(tmp_path):
    need("cmake", "ninja")
    other = tmp_path / "other" / "cmake"
    shutil.copytree(cython_customslots.get_cmake_dir(), other)
    version = other / "CythonCustomslotsConfigVersion.cmake"
    version.write_text(version.read_text().replace(cython_customslots.__version__, "0.0.9"))
    said = configure(tmp_path, found(), f"-DCythonCustomslots_DIR={other}", expect=1)
    assert f"found cython-customslots {cython_customslots.__version__} in" in said
    assert "expected 0.0.9, of which" in said and "--cmakedir" in said


TRANSPILE = found() + "cython_customslots_transpile({})\n"


@pytest.mark.parametrize("text, words", [
    ("find_package(CythonCustomslots REQUIRED)\n",
     "found no Python_EXECUTABLE, expected find_package(Python COMPONENTS Interpreter"),
    (found().replace("Customslots", "Customslots 99.0"), f"version: {cython_customslots.__version__}"),
    (TRANSPILE.format("nosuch.pyx"), "there is no file"),
    (TRANSPILE.format("thing.pyx LANGUAGE Fortran"), "found LANGUAGE Fortran, expected C or CXX"),
    (TRANSPILE.format("thing.pyx EXTEND_ALL"), "found 'EXTEND_ALL', expected LANGUAGE C|CXX"),
    (TRANSPILE.format("thing.pyx OUTPUT"), "found 'OUTPUT', expected LANGUAGE C|CXX"),
], ids=["no Python", "too old", "no file", "language", "switch", "without a value"])
@pytest.mark.thorough
def test_cmake_says_what_is_wrong(tmp_path, text, words):
    need("cmake", "ninja")
    (tmp_path / "thing.pyx").write_text("")
    assert words in configure(tmp_path, text, expect=1)


# ---------------------------------------------------------------------- where things are

def test_entry_points_tell_pkgconf_and_scikit_build_core_where_the_files_are():
    from importlib.metadata import distribution
    from importlib.util import find_spec
    points = {point.group: point.value for point in distribution("cython-customslots").entry_points}
    for group, directory in [("pkg_config", cython_customslots.get_pkgconfig_dir()),
                             ("cmake.prefix", cython_customslots.get_cmake_dir())]:
        locations = list(find_spec(points[group]).submodule_search_locations)
        assert len(locations) == 1 and Path(locations[0]).samefile(directory)


def test_the_config_command_answers_what_it_is_asked(tmp_path):
    said = run("cython-customslots-config", "--version", "--include", "--cmakedir",
               "--pkgconfigdir", cwd=tmp_path).splitlines()
    assert said == [cython_customslots.__version__, cython_customslots.get_include(),
                    cython_customslots.get_cmake_dir(), cython_customslots.get_pkgconfig_dir()]
    for arguments, words in [((), "an option is missing"), (("--libs",), "unknown option '--libs'")]:
        said = run("cython-customslots-config", *arguments, cwd=tmp_path, expect=2)
        assert words in said and "--cflags" in said
    module = python("-m", "cython_customslots", "--cflags", cwd=tmp_path)
    assert module == run("cython-customslots-config", "--cflags", cwd=tmp_path)
    assert module == f"-I{cython_customslots.get_include()}\n"
