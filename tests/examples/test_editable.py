# SPDX-License-Identifier: MIT
"""`pip install -e .`: imports, cimports and include directories, and what is edited is seen."""
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pages
import pytest
import support
from build_tools import environment, need, run

pytestmark = [pytest.mark.once, pytest.mark.nightly]

PROVIDER = """# cython: language_level=3, freethreading_compatible=True
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype
cdef class LevelType(extensibletype):
    cdef public int level
@customslots.metaclass(LevelType, level=4)
@customslots.slot(customslots.PyCustomSlots_Intern(b"editable.level"), flags=3)
cdef class Thing:
    pass
"""
CONSUMER = """# cython: language_level=3, freethreading_compatible=True
cimport cython_customslots as customslots
def find(obj):
    slot = customslots.PyCustomSlots_Find(obj, customslots.PyCustomSlots_Intern(b"editable.level"), 0)
    return None if slot is NULL else slot.data.flags
"""
SETUP = """
from setuptools import setup
import cython_customslots
from {module} import cythonize
setup(name="thing", py_modules=[], ext_modules=cythonize({sources}))
"""


@pytest.fixture(scope="module")
def editable(tmp_path_factory):
    """(checkout, interpreter) of an editable install that sees the tools of this environment."""
    need("meson-python", "meson", "ninja", "setuptools")
    top = tmp_path_factory.mktemp("editable")
    checkout = pages.copy_of_the_tree(top / "checkout")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", top / "venv"], check=True)
    python = top / "venv" / "bin" / "python"
    site, = (top / "venv").glob("lib/*/site-packages")
    # The package is there, too, installed from a wheel: the editable one is to be found before it.
    (site / "tools.pth").write_text(sysconfig.get_path("purelib") + "\n")
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-build-isolation", "--no-deps",
        "--ignore-installed", "-Csetup-args=-Doptimization=0", "-e", checkout, cwd=top)
    return checkout, python


def test_it_imports_what_the_checkout_has(editable, tmp_path):
    checkout, python = editable
    said = run(python, "-c", "import cython_customslots as c, cython_customslots.tools.headers as h\n"
                             "print(c.__spec__.origin, h.__file__, c.table(int), sep='\\n')", cwd=tmp_path)
    assert said.splitlines() == [str(checkout / "cython_customslots" / "__init__.py"),
                                 str(checkout / "cython_customslots" / "tools" / "headers.py"), "[]"]


def test_every_directory_that_it_names_is_whole(editable, tmp_path):
    checkout, python = editable
    include, cmake, pkgconfig, utility = run(python, "-c", """
import cython_customslots as c
print(c.get_include(), c.get_cmake_dir(), c.get_pkgconfig_dir(), c.get_utility_dir(), sep="\\n")
""", cwd=tmp_path).splitlines()
    assert sorted(path.name for path in Path(include).glob("*.h")) == [
        "customslots.h", "customslots_runtime.h", "extensibletype.h", "typedarray.h", "typedarray_provide.h",
        "typedmethod.h"]
    assert len(os.listdir(cmake)) == 2 and len(os.listdir(pkgconfig)) == 1
    assert {path.name for path in Path(utility).iterdir()} == {
        path.name for path in (support.ROOT / "utility").iterdir()}
    # From inside of the checkout, too, where Python has that first on its path.
    assert run(python, "-m", "cython_customslots", "--include", cwd=checkout).strip() == include


def test_modules_are_built_by_our_cythonize_and_by_cythons(editable, tmp_path):
    _, python = editable
    (tmp_path / "thing.pyx").write_text(PROVIDER)
    (tmp_path / "plain.pyx").write_text(CONSUMER)
    for module, sources in ("cython_customslots", ["thing.pyx"]), ("Cython.Build", ["plain.pyx"]):
        (tmp_path / "setup.py").write_text(SETUP.format(module=module, sources=sources))
        run(python, "setup.py", "-q", "build_ext", "--inplace", cwd=tmp_path)
    assert run(python, "-c", "import thing, plain; print(thing.Thing.level, plain.find(thing.Thing()))",
               cwd=tmp_path) == "4 3\n"
    assert "#include \"customslots.h\"" not in (tmp_path / "plain.c").read_text()


def test_what_is_edited_in_the_checkout_is_there_at_the_next_import(editable, tmp_path):
    checkout, python = editable
    header = checkout / "cython_customslots" / "include" / "customslots.h"
    extra = checkout / "cython_customslots" / "include" / "_customslots" / "added.h"
    text = header.read_text()
    look = ("import cython_customslots as c, pathlib\n"
            "include = pathlib.Path(c.get_include())\n"
            "print('EDITED 1' in (include / 'customslots.h').read_text(),\n"
            "      'EDITED 1' in (include.parent / '__init__.pxd').read_text(),\n"
            "      (include / '_customslots' / 'added.h').exists())")
    try:
        header.write_text(text.replace("#endif /* Py_CUSTOMSLOTS_H */", "#define EDITED 1\n#endif"))
        extra.write_text("/* new */\n")
        assert run(python, "-c", look, cwd=tmp_path) == "True True True\n"
    finally:
        header.write_text(text)
        extra.unlink()
    assert run(python, "-c", look, cwd=tmp_path) == "False False False\n"


def test_several_may_import_it_for_the_first_time_at_once(editable, tmp_path):
    checkout, python = editable
    staged, = checkout.glob("build/*/editable")
    shutil.rmtree(staged)
    code = "import cython_customslots as c; print(len(open(c.get_include() + '/customslots_runtime.h').read()))"
    children = [subprocess.Popen([str(python), "-c", code], cwd=tmp_path, env=environment(),
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
                for _ in range(4)]
    outputs = {child.communicate()[0] for child in children}
    assert len(outputs) == 1 and int(outputs.pop()) > 100000
    assert not list(staged.rglob(".new-*"))
