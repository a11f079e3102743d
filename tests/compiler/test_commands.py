# SPDX-License-Identifier: MIT
"""The command, cythonize, and how the layer notices a Cython that it does not know."""
import sys
import textwrap

import pytest
import support
import warm_cython
from compiling import check, command, python, source

pytestmark = pytest.mark.once

CLASS = "cdef class Thing:\n    cdef int x\n"


CYTHONIZE = """
    import multiprocessing, sys
    from cython_customslots import cythonize

    if __name__ == "__main__":
        multiprocessing.set_start_method(sys.argv[1])
        modules = cythonize(["one.pyx", "two.pyx"], nthreads=2, quiet=True, extend_all=True,
                            compiler_directives={"language_level": 3})
        print([module.name for module in modules])
    """


@pytest.mark.parametrize("method", support.thoroughly(["fork", "spawn"], plain=0, thorough=1))
def test_cythonize_works_with_worker_processes(tmp_path, method):
    if method == "fork" and sys.platform == "win32":
        pytest.skip("there is no fork on Windows")
    for name in ("one", "two"):
        (tmp_path / f"{name}.pyx").write_text(CLASS)
    (tmp_path / "script.py").write_text(source(CYTHONIZE))
    code, said = python(tmp_path, "script.py", method)
    assert code == 0 and said.splitlines()[-1] == "['one', 'two']", said
    for name in ("one", "two"):
        assert "__Pyx_CustomSlots_NewStatic(&" in (tmp_path / f"{name}.c").read_text()


def test_code_that_the_layer_does_not_know_stops_the_compilation(tmp_path):
    """A Cython that generates something else must never be patched half."""
    (tmp_path / "thing.pyx").write_text(CLASS)
    output = check("""
        import os
        os.chdir(sys.argv[1])
        sys.stderr = sys.stdout                  # where Cython reports errors
        from Cython.Compiler import Nodes
        original = Nodes.CClassDefNode.generate_type_ready_code
        def other(entry, code, *args, **kwargs):
            scratch = code.create_new(code, None, False)
            original(entry, scratch, *args, **kwargs)
            code.write(scratch.getvalue().replace("= &__pyx_type", "= 0 + &__pyx_type"))
        Nodes.CClassDefNode.generate_type_ready_code = staticmethod(other)
        from cython_customslots.compiler import install
        install(extend_all=True)
        from Cython.Compiler.Main import CompilationOptions, compile_single, default_options
        options = CompilationOptions(default_options, language_level=3)
        print("errors:", compile_single("thing.pyx", options, "thing").num_errors)
        """, tmp_path)
    import Cython
    assert f"Cython {Cython.__version__} generates code for the pointer to a type object" in output
    assert "found 0 places to change, expected 1. Use a Cython version that it supports, or upgrade it." in output
    assert "errors: 1" in output


def test_the_layer_can_be_installed_twice(tmp_path):
    check("""
        from cython_customslots.compiler import install
        from Cython.Compiler import Nodes
        install()
        once = Nodes.CClassDefNode.generate_type_ready_code
        install()
        assert Nodes.CClassDefNode.generate_type_ready_code is once
        """)


UNKNOWN_CYTHON = """
    import warnings, Cython
    Cython.__version__ = sys.argv[1]
    from cython_customslots import compiler
    from cython_customslots.compiler.commands import cli
    from cython_customslots.compiler.commands.build import _Worker
    from cython_customslots.compiler.switches import in_force
    """


@pytest.mark.parametrize("version", ["3.4.0a1", "3.17", "4.0.2"])
def test_a_later_cython_is_one_warning(version):
    output = check(UNKNOWN_CYTHON + """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compiler.install()
        compiler.install(extend_all=True)
        _Worker()
    print(*[str(warning.message) for warning in caught], sep="\\n")
    print(caught[0].filename)
    """, version)
    assert output == (
        f"cython-customslots is tested with Cython 3.0 to 3.3, found {version}; it stops with an "
        f"error where generated code differs\n<string>")


def test_a_worker_process_does_not_warn_again():
    check(UNKNOWN_CYTHON + """
    from cython_customslots.compiler.commands import build
    build._plain_helper = lambda arguments: arguments
    assert _Worker(extend_all=True)(5) == 5 and in_force.extend_all    # warnings are errors here
    """, "3.4.0")


@pytest.mark.parametrize("version", ["0.29.37", "0.9"])
def test_an_older_cython_is_refused_and_nothing_is_changed(version):
    message = (f"cython-customslots: found Cython {version}, expected 3.0 to 3.3; install one of "
               f"them (pip install 'Cython >= 3.0')")
    output = check(UNKNOWN_CYTHON + """
    from Cython.Compiler import Nodes
    original = Nodes.CClassDefNode.generate_type_ready_code
    for attempt in range(2):
        try:
            compiler.install(extend_all=True)
        except RuntimeError as error:
            print(error)
    assert Nodes.CClassDefNode.generate_type_ready_code is original and not in_force.extend_all
    sys.stderr = sys.stdout
    print("status:", cli.main())
    """, version)
    assert output.splitlines() == [message, message, message, "status: 2"]


# Cython 0.29's build_ext, which pyximport uses, too, runs the compiler without cythonize().
BUILDS_BY_ITSELF = UNKNOWN_CYTHON + """
    from setuptools import Distribution, Extension
    from distutils.command.build_ext import build_ext
    import Cython.Distutils.build_ext, pyximport.pyxbuild
    class Old(build_ext):
        def build_extensions(self): print("compiled plainly")
    sys.modules["Cython.Distutils.build_ext"].build_ext = pyximport.pyxbuild.build_ext = Old
    """

OLD_ENTRIES = {
    "build_ext": """
        from cython_customslots import build_ext
        command = build_ext(Distribution({"ext_modules": [Extension("thing", ["thing.pyx"])]}))
        command.ensure_finalized()
        command.build_extensions()
        """,
    "pyximport": """
        from cython_customslots import pyximport
        pyximport.install(extend_all=True)
        """,
}


@pytest.mark.thorough
@pytest.mark.parametrize("entry", OLD_ENTRIES)
def test_no_entry_compiles_plainly_with_an_older_cython(entry):
    pytest.importorskip("setuptools")
    lines = ["try:", *textwrap.indent(source(OLD_ENTRIES[entry]), "    ").splitlines(),
             "except RuntimeError as error:", "    print(error)"]
    output = check(
        "import warnings; warnings.simplefilter('ignore')    # setuptools' own\n"
        + source(BUILDS_BY_ITSELF) + "\n".join(lines), "0.29.37")
    assert output == ("cython-customslots: found Cython 0.29.37, expected 3.0 to 3.3; install one "
                      "of them (pip install 'Cython >= 3.0')")


@pytest.mark.parametrize("version", ["3.0.0", "3.3.1"])
def test_a_supported_cython_is_no_warning(version):
    check(UNKNOWN_CYTHON + "\n    compiler.install()\n", version)


def cythonize(*arguments, cwd):
    return warm_cython.run_module("cython_customslots", "cythonize", *arguments, cwd=cwd)


def test_one_command_makes_a_module_with_slots_beside_its_source(tmp_path):
    (tmp_path / "thing.pyx").write_text(
        'cimport cython_customslots as cs\n@cs.slot(b"test.command", flags=3)\n' + CLASS)
    (tmp_path / "pyproject.toml").write_text("[tool.distutils.build_ext]\ntyped = true\n")     # of another build
    code, said = python(tmp_path, "-m", "cython_customslots", "cythonize", "-i", "-3", "thing.pyx")
    assert code == 0, said
    look = "import cython_customslots, thing; print([s.name for s in cython_customslots.slots(thing.Thing)])"
    assert python(tmp_path, "-c", look) == (0, "['test.command']\n")


def test_that_command_takes_our_switches_and_says_what_is_wrong_once(tmp_path):
    (tmp_path / "thing.pyx").write_text(CLASS)
    done = cythonize("-3", "--extend-all", "thing.pyx", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "__Pyx_CustomSlots_NewStatic(&__pyx_type_5thing_Thing" in (tmp_path / "thing.c").read_text()
    (tmp_path / "none.pyx").write_text("# customslots: extend_all=False\n" + CLASS)
    assert "class 'Thing' stays as Cython makes it" in cythonize("-v", "--extend-all", "none.pyx", cwd=tmp_path).stderr
    done = cythonize("-i", "--extendall", "thing.pyx", cwd=tmp_path)
    assert done.returncode == 2 and "did you mean --extend-all?" in done.stderr
    (tmp_path / "bad.pyx").write_text("cimport cython_customslots as cs\n@cs.nosuch\ncdef class Thing: pass\n")
    done = cythonize("-i", "-3", "bad.pyx", cwd=tmp_path)
    assert done.returncode == 1
    assert "bad.pyx:2:0: customslots has no decorator 'nosuch'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("wrong, words", [
    ("folder", "doesn't match any files"), ("folder.pyx", "doesn't match any files"), ("above", "Is a directory"),
    ("nowhere.pyx", "No such file or directory: 'nowhere.pyx'"), ("", "No such file or directory: ''"),
    ("two words.pyx", "'two words' is not a valid module name")])
def test_that_command_ends_in_a_sentence(tmp_path, wrong, words):
    for folder in "folder", "folder.pyx", "above/inner.pyx":
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "two words.pyx").write_text(CLASS)
    done = cythonize("-3", wrong, cwd=tmp_path)
    assert done.returncode == 1 and words in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr, done


def test_a_wrong_directive_is_a_sentence(tmp_path):
    (tmp_path / "thing.pyx").write_text(CLASS)
    for build in command, cythonize:
        done = build("-X", "nosuch=1", "thing.pyx", cwd=tmp_path)
        assert done.returncode and done.stderr == 'cython-customslots: error: Unknown option: "nosuch"\n', done


def script(*arguments, cwd):
    """As pip's script cython-customslots calls it."""
    return warm_cython.run("import sys; from cython_customslots.__main__ import script; sys.exit(script())",
                           *arguments, cwd=cwd)


def test_the_command_takes_the_name_of_every_other_command_first(tmp_path):
    (tmp_path / "größe.pyx").write_text(CLASS, encoding="utf-8")
    done = script("cythonize", "-3", "--extend-all", "größe.pyx", cwd=tmp_path)
    assert done.returncode == 0 and (tmp_path / "größe.c").exists(), done
    for name in "cython", "demo", "inspect", "interface", "new", "runtime", "stub", "vendor":
        done = script(name, "--help", cwd=tmp_path)
        assert done.returncode == 0 and not done.stderr and done.stdout.startswith(("usage: ", "Like ")), done
    (tmp_path / "demo.pyx").write_text(CLASS)
    assert script("-3", "demo.pyx", cwd=tmp_path).returncode == 0
    assert "No such file or directory: 'demos'" in script("demos", cwd=tmp_path).stderr
