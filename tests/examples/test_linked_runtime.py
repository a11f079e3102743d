# SPDX-License-Identifier: MIT
"""--runtime=linked: the implementation is compiled once, by every build system of docs/building.md, and is in
each module that needs it."""
import os
import re
import shutil
import subprocess
import sys
import sysconfig

import cython_customslots
import pages
import pytest
import support
from build_tools import need, python, run
from cython_customslots.tools import building

pytestmark = pytest.mark.skipif(support.PYPY, reason="modules of PyPy carry no implementation")

BUILDING = (support.ROOT / "docs" / "building.md").read_text(encoding="utf-8")
HEADER = "# cython: language_level=3, freethreading_compatible=True\n"
CLASS = HEADER + "cimport cython_customslots as cs\n@cs.extensible\ncdef class {}:\n    cdef int x\n"
FILES = {
    "shapes/__init__.py": "", "shapes/more/__init__.py": "", "shapes/plain.pyx": HEADER + "x = 1\n",
    "shapes/circle.pyx": CLASS.format("Circle"), "shapes/more/square.pyx": CLASS.format("Square"),
}
MODULES = {"circle": "shapes/circle", "square": "shapes/more/square", "plain": "shapes/plain"}


def page(name):
    return pages.block("building.md", f"project: linked, {name}")


@pytest.fixture
def project(tmp_path):
    for path, text in FILES.items():
        support.write_source(tmp_path / "source" / path, text)
    return tmp_path / "source"


def for_each(text):
    """What the page says of circle, said of all modules."""
    return "".join(text.replace("circle", name).replace(f"{name}.pyx", f"{path}.pyx") for name, path in MODULES.items())


def install(project, built):
    """Move *built*, {name: file}, to where the package is; the folder of that."""
    for name, file in built.items():
        shutil.copy(file, project / f"{MODULES[name]}{sysconfig.get_config_var('EXT_SUFFIX')}")
    return project


def by_cythonize(project):
    need("setuptools")
    (project / "setup.py").write_text(page("setup.py"))
    said = python("setup.py", "build_ext", "--inplace", "-j2", cwd=project)
    assert len(re.findall(r" -c \S*customslots_runtime\.c ", said)) == 1, said
    return project


def by_command(project):
    need("setuptools")
    python("-m", "cython_customslots", "cythonize", "-i", "--runtime=linked",
           *(f"{path}.pyx" for path in MODULES.values()), cwd=project)
    return project


MESON = """
project('shapes', 'c', meson_version: '>= 1.1')
py = import('python').find_installation('{}', pure: false)
cython = generator(find_program('cython-customslots'), arguments: ['@EXTRA_ARGS@', '@INPUT@', '-o', '@OUTPUT@'],
  output: '@BASENAME@.c')
"""


def by_meson(project):
    need("meson", "ninja")
    *once, each = page("meson.build").splitlines(keepends=True)
    assert len(once) == 2
    (project / "meson.build").write_text(MESON.format(sys.executable) + "".join(once) + for_each(each))
    run("meson", "setup", "build", "--buildtype=plain", cwd=project)
    run("meson", "compile", "-C", "build", cwd=project)
    return install(project, {path.name.partition(".")[0]: path for path in (project / "build").glob("*.so")})


CMAKE = """
cmake_minimum_required(VERSION 3.20...3.31)
project(shapes LANGUAGES C)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
find_package(CythonCustomslots REQUIRED)
"""


def by_cmake(project):
    need("cmake", "ninja")
    (project / "CMakeLists.txt").write_text(CMAKE + for_each(page("CMakeLists.txt")))
    run("cmake", "-G", "Ninja", "-S", ".", "-B", "build", f"-DPython_EXECUTABLE={sys.executable}",
        f"-DCMAKE_PREFIX_PATH={cython_customslots.get_cmake_dir()}", cwd=project)
    said = run("cmake", "--build", "build", "-v", cwd=project)
    assert len(re.findall(r" -c \S*customslots_runtime\.c", said)) == 1, said
    return install(project, {path.name.partition(".")[0]: path for path in (project / "build").glob("*.so")})


def by_shell(project):
    tools, (once, *each) = support.toolchain(), page("build.sh").splitlines(keepends=True)
    (project / "build.sh").write_text("set -e\n" + once + "".join(
        "".join(each).replace("circle", MODULES[name]) for name in ("circle", "square")))
    run("sh", "build.sh", cwd=project, cc=" ".join(tools.cc), suffix=tools.suffix, flags=" ".join(
        [*tools.cflags, *support.CYTHON_FLAGS, *(f"-I{path}" for path in tools.include_dirs)]))
    (project / "shapes/plain.py").write_text("")
    return project


USE = """
import importlib.util, json, sys
sys.path.insert(0, sys.argv[1])
assert importlib.util.find_spec("cython_customslots") is None
assert importlib.util.find_spec("_customslots_runtime") is None
import shapes.plain
from shapes.more.square import Square
from shapes.circle import Circle
assert type(Circle) is type(Square) is not type
class Both(Circle): pass
"""


def check(site):
    """Both modules work without the package, each has a copy, and shows nothing of it."""
    subprocess.run([sys.executable, "-I", "-S", "-c", USE, site], check=True, timeout=300)
    said = support.check_child("""
        import shapes.more.square, shapes.circle, _customslots_runtime
        print(*[row[0][0] for row in _customslots_runtime.info()[4]])
        """, modules=[site / "any"])
    assert said == "shapes.more.square shapes.circle _customslots_runtime"
    if shutil.which("nm"):
        for path in site.glob("shapes/**/*.so"):
            shown = subprocess.run(["nm", "-D", path], stdout=subprocess.PIPE, text=True, check=True).stdout
            assert "PyInit_" in shown and not re.search("_Pycs_|PyExtensibleType|PyCustomSlots", shown), path


@pytest.mark.parametrize("build", support.thoroughly(
    [by_shell, by_cythonize, by_cmake, by_meson, by_command], plain=1, thorough=3))
def test_a_package_is_built_with_one_object_for_all_of_its_modules(build, project):
    check(build(project))


@pytest.mark.thorough
def test_after_an_edit_only_what_was_edited_is_compiled(project):
    by_cythonize(project)
    objects = {path: path.stat().st_mtime_ns for path in project.glob("build/**/*.o")}
    assert [path.name for path in objects if path.name.startswith("customslots_runtime-")]
    (project / "shapes/circle.pyx").write_text(CLASS.format("Circle") + "y = 2\n")
    said = python("setup.py", "build_ext", "--inplace", cwd=project)
    assert "customslots_runtime.c" not in said
    changed = {path.name for path, time in objects.items() if path.stat().st_mtime_ns != time}
    assert changed == {"circle.o"}
    check(project)


@pytest.mark.thorough
def test_embedded_several_files_and_flags_each_build_as_they_say(project):
    need("setuptools")
    (project / "helper.c").write_text("int helper;\n")
    (project / "setup.py").write_text("""
from setuptools import Extension, setup
from cython_customslots import build_ext
setup(name="shapes", version="1.0", packages=["shapes", "shapes.more"], cmdclass={"build_ext": build_ext}, ext_modules=[
    Extension("shapes.circle", ["shapes/circle.pyx", "helper.c"]),
    Extension("shapes.more.square", ["shapes/more/square.pyx"], extra_compile_args=["-std=gnu11", "-DNOTHING"]),
    Extension("shapes.plain", ["shapes/plain.pyx"])])
""")
    said = python("setup.py", "build_ext", "--inplace", cwd=project)
    assert len(re.findall(r" -c \S*customslots_runtime\.c .*-DNOTHING$", said, re.M)) == 1
    assert len(re.findall(r" -DPyExtensibleType_RUNTIME_LINKED ", said)) == 1
    check(project)
    said = python("setup.py", "build_ext", "--inplace", "--force", "--runtime=embedded", cwd=project)
    assert "customslots_runtime" not in said
    check(project)


# ------------------------------------------------------------------ one module and its object

def linked(directory, name, *objects, text=CLASS, **options):
    source = support.write_source(directory / f"{name}.pyx", text.format("Thing"))
    module = support.cython_module(source, cython_args=["--runtime=linked"], **options)
    module = building.Module(**{**vars(module), "ldflags": tuple(map(str, objects))})
    return support.build(module, directory, carries=True)


def runtime_object(directory, *cflags):
    return building.compile_runtime(directory, toolchain=support.toolchain(), cflags=(*support.C_FLAGS, *cflags))


def test_without_the_object_the_linker_names_what_the_page_explains(tmp_path):
    with pytest.raises(building.BuildError) as raised:
        linked(tmp_path, "lonely")
    name, = re.findall(r"``undefined reference to `(_Pycs_C\w+)'``", BUILDING)
    assert name in str(raised.value)


@pytest.mark.thorough
@pytest.mark.parametrize("flags", [0, getattr(os, "RTLD_GLOBAL", 0)], ids=["for itself", "for all to see"])
@pytest.mark.parametrize("order", ["older-newer", "newer-older"])
def test_two_ages_in_one_process_meet_and_do_not_mix(tmp_path, order, flags):
    for name, number in ("older", "0x001000"), ("newer", "0x7FF000"):
        linked(tmp_path, name, runtime_object(tmp_path, f"-D_Pycs_NUMBER={number}u"))
    said = support.check_child(f"""
        sys.setdlopenflags(sys.getdlopenflags() | {flags})
        import {order.replace("-", ", ")}, _customslots_runtime
        class Both(older.Thing): pass
        assert type(older.Thing) is type(newer.Thing) is type(Both)
        info = _customslots_runtime.info()
        print(info[3][0], *[row[0][0] for row in info[4]][:2])
        """, modules=[tmp_path / "any"])
    assert said == f"newer {order.replace('-', ' ')}"


@pytest.mark.thorough
def test_cplusplus_and_a_comment_in_one_module(tmp_path):
    made = runtime_object(tmp_path)
    linked(tmp_path, "plus", made, cplus=True)
    linked(tmp_path, "own", text="# customslots: runtime=embedded\n" + CLASS)
    assert support.check_child("""
        import plus, own, _customslots_runtime
        print(*[row[0][0] for row in _customslots_runtime.info()[4]])
        """, modules=[tmp_path / "any"]) == "plus own _customslots_runtime"


# ------------------------------------------------------------------ without a build script

@pytest.mark.nightly
def test_pyximport_and_a_notebook_link_it(tmp_path):
    need("setuptools", "ipython")
    (tmp_path / "alone.pyx").write_text(CLASS.format("Thing"))
    show = "import _customslots_runtime as r; print(r.info()[3][0])"
    said = python("-c", "from cython_customslots import pyximport\n"
                  f"pyximport.install(build_dir='build', runtime='linked')\nimport alone\n{show}", cwd=tmp_path)
    assert said.splitlines()[-1] == "alone"
    said = python("-c", f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
shell.run_line_magic("load_ext", "cython_customslots")
for name in "One", "Two":
    shell.run_cell_magic("cython", "--runtime=linked", {CLASS!r}.format(name))
{show}
""", cwd=tmp_path, IPYTHONDIR=str(tmp_path), XDG_CACHE_HOME=str(tmp_path))
    assert said.splitlines()[-1].startswith("_cython_magic_")
    assert len([*tmp_path.glob("**/customslots_runtime-*.o")]) == 2          # that of pyximport, and one for both cells
