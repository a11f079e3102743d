# SPDX-License-Identifier: MIT
"""What was generated is generated again when the layer, its switches or a .pxd has changed."""
import os
import re
import shutil
from pathlib import Path

import compiling
import pytest
import support
import warm_cython

import cython_customslots

pytestmark = pytest.mark.once

PACKAGE = Path(cython_customslots.__file__).parent
CLASS = "cdef class Thing:\n    cdef int x\n"
USER = ("cimport cython_customslots as cs\n"
        "from cython_customslots.provider cimport extensibletype\n"
        "from shapes cimport Shape\n"
        "@cs.extensible\ncdef class Thing:\n    pass\n")
SHAPES = "cdef class Shape:\n    cdef int corners\n"

# What a build script does; "again" tells whether the file was written anew.
PRELUDE = """
    import contextlib, io, os
    os.chdir(sys.argv[1])
    import cython_customslots
    from Cython.Build import cythonize as plain
    from cython_customslots import cythonize

    def generate(cythonize=cythonize, **options):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            cythonize("thing.pyx", compiler_directives={"language_level": 3}, **options)
        return said.getvalue()

    def again(*args, **options):
        return "Cythonizing" in generate(*args, **options)
    """


@pytest.fixture
def project(tmp_path):
    (tmp_path / "thing.pyx").write_text(CLASS)
    return tmp_path


def check(code, project):
    return compiling.check(PRELUDE + code, project)


def test_cythonize_believes_its_own_c_and_not_what_plain_cython_has_generated(project):
    check("""
    assert again(plain) and not again(plain)
    assert again() and not again()
    """, project)


def test_cythonize_generates_again_when_a_pxd_has_changed(project):
    (project / "thing.pyx").write_text(USER)
    (project / "shapes.pxd").write_text(SHAPES)
    check("""
    assert again() and not again()
    later = os.stat("thing.c").st_mtime + 10
    os.utime("shapes.pxd", (later, later))
    """, project)
    check("""
    assert again()                               # Cython reads times once in a process
    """, project)


def test_a_stamp_in_the_users_own_text_is_not_believed(project):
    """Else a comment in a module could stop it from being generated ever again."""
    check("""
    from cython_customslots.compiler import install
    from cython_customslots.compiler.reports.tracking import stamp
    install()
    with open("thing.pyx", "a") as file:
        file.write(f'# "cython-customslots": "{stamp()}"\\n')
    again(plain)
    assert again() and not again()
    """, project)


@pytest.mark.thorough
def test_plain_cythonize_is_as_before_behind_a_call_of_ours(project):
    check("""
    from Cython import Utils
    from Cython.Build import Dependencies
    before = (Dependencies.cythonize, Dependencies.cythonize_one_helper,
              Dependencies.create_extension_list, Utils.file_generated_by_this_cython)
    again()
    with open("thing.pyx", "w") as file:
        file.write("cdef class (:\\n")
    sys.stderr = sys.stdout                      # where Cython reports errors
    try:
        again(force=True)
    except Exception as error:
        assert type(error).__name__ == "CompileError", error
    else:
        raise AssertionError("a syntax error was compiled")
    assert before == (Dependencies.cythonize, Dependencies.cythonize_one_helper,
                      Dependencies.create_extension_list, Utils.file_generated_by_this_cython)
    """, project)


STAMP = """
    sys.path.insert(0, sys.argv[1])
    import cython_customslots
    assert cython_customslots.__file__.startswith(sys.argv[1]), cython_customslots.__file__
    from cython_customslots.compiler.reports.tracking import stamp
    print(stamp())
    """


@pytest.mark.thorough
def test_the_stamp_is_of_the_content_and_not_of_the_place(tmp_path):
    """Isolated builds install the package in another place each time."""
    stamps = []
    for name, changed in [("one", None), ("two", None), ("c", "utility/CustomSlots.c"),
                          ("py", "compiler/classes/emission.py"), ("h", "include/customslots.h")]:
        copy = tmp_path / name / "cython_customslots"
        shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("examples", "__pycache__"))
        if changed:
            with open(copy / changed, "a", encoding="utf-8") as file:
                file.write("\n")
        stamps.append(support.check_child(STAMP, tmp_path / name))
    assert stamps[0] == stamps[1]
    assert len(set(stamps[1:])) == 4, stamps


def dependencies(project, target="thing.c"):
    text = (project / f"{target}.dep").read_text(encoding="utf-8")
    name, _, listed = text.replace("\\\n", " ").partition(":")
    assert name == target
    paths = [(project / word.replace("\\ ", " ")).resolve() for word in re.split(r"(?<!\\)\s+", listed.strip())]
    assert len(paths) == len(set(paths))
    assert all(path.is_file() for path in paths), paths
    return set(paths)


def of_package(*names):
    return {(PACKAGE / name).resolve() for name in names}


LAYER = ("__init__.py", "__init__.pxd", "provider.pxd", "utility/CustomSlots.c",
         "include/customslots.h", "include/extensibletype.h", "compiler/classes/emission.py")


def run_command(*arguments, cwd):
    done = warm_cython.run_module("cython_customslots", "cython", "-3", *arguments, cwd=cwd)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", [CLASS, USER], ids=["plain", "ours"])
def test_the_depfile_lists_pxd_files_and_the_layer(project, text):
    """Of a module that does not name the layer, too: a switch or a new version may change what is generated for it."""
    (project / "thing.pyx").write_text(text)
    (project / "shapes.pxd").write_text(SHAPES)
    run_command("-M", "thing.pyx", cwd=project)
    found = dependencies(project)
    assert found >= of_package(*LAYER) | {project / "thing.pyx"} and (project / "shapes.pxd" in found) == (text == USER)
    if text == CLASS:
        check("    generate(depfile=True, force=True)", project)
        assert dependencies(project) == found    # cythonize writes the same


def test_the_command_with_timestamps_knows_that_the_layer_is_newer(project):
    import Cython
    source, c = project / "thing.pyx", project / "thing.c"
    newest = max((PACKAGE / name).stat().st_mtime for name in LAYER)
    os.utime(source, (newest - 100, newest - 100))
    kept = f"/* Generated by Cython {Cython.__version__} */\n/* kept */\n"
    c.write_text(kept)
    run_command("-t", "thing.pyx", cwd=project)
    assert c.read_text() == kept
    os.utime(c, (newest - 50, newest - 50))      # newer than the source, older than the layer
    run_command("-t", "thing.pyx", cwd=project)
    assert "PyInit_thing" in c.read_text(encoding="utf-8")


def test_the_command_says_both_versions_cythons_first():
    """Meson takes the first number that it sees."""
    import Cython
    done = warm_cython.run_module("cython_customslots", "cython", "-V", cwd=PACKAGE)
    assert (done.returncode, done.stdout.splitlines()) == (0, [
        f"Cython version {Cython.__version__}", f"with cython-customslots {cython_customslots.__version__}"])
