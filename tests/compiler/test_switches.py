# SPDX-License-Identifier: MIT
"""Whoever compiles takes every switch, says what is wrong with it, and generates again when it has changed."""
import pytest
from compiling import check, command, python

pytestmark = pytest.mark.once

SOURCE = """# cython: language_level=3
cimport cython_customslots.provider
cdef class Thing:
    cdef int x
cpdef double f(double x): return x
cpdef double total(double[:] x): return x[0]
"""
#: The same without a word of ours.
PLAIN = SOURCE.replace("cimport cython_customslots.provider\n", "")

EXTENDED = "__Pyx_CustomSlots_NewStatic(&__pyx_type_3mod_Thing"
TYPED = "static const PyTypedMethodRecord "
INSTALLED = "#define PyExtensibleType_RUNTIME_INSTALLED\n"
SHARED = '#define PyExtensibleType_RUNTIME_MODULE "a.b"\n'
ABC = '"abc", "ABCMeta")'
BORROWS = "__Pyx_CustomSlots_Borrow"
MARKS = {EXTENDED, TYPED, INSTALLED, SHARED, ABC, BORROWS}

#: (source, of the command, of cythonize(), what is then in the C, of MARKS)
TAKEN = [
    (PLAIN, [], {}, set()),
    (PLAIN, ["--extend-all"], {"extend_all": True}, {EXTENDED, TYPED}),
    (PLAIN, ["--typed"], {"typed": True}, {TYPED}),
    (PLAIN, ["--borrow-views"], {"borrow_views": True}, {BORROWS}),
    (PLAIN, ["--metaclass=abc.ABCMeta"], {"metaclass": "abc.ABCMeta"}, {EXTENDED, TYPED, ABC}),
    (PLAIN, ["--metaclass", "mod.Thing=abc.ABCMeta"], {"metaclass": {"mod.Thing": "abc.ABCMeta"}}, {EXTENDED, ABC}),
    (PLAIN, ["--metaclass=other=x.Y", "--metaclass=mod.Thing=abc.ABCMeta", "--extend-all"],
     {"metaclass": {"mod": "abc.ABCMeta"}, "extend_all": True}, {EXTENDED, TYPED, ABC}),
    (SOURCE, ["--runtime=installed"], {"runtime": "installed"}, {TYPED, INSTALLED}),
    (SOURCE, ["--runtime", "a.b", "--runtime=a.b"], {"runtime": "a.b"}, {TYPED, SHARED}),
]


def marks(c):
    return {mark for mark in MARKS if mark in c}


@pytest.mark.parametrize("number", range(len(TAKEN)))
def test_the_command_takes_it(tmp_path, number):
    source, arguments, _, expected = TAKEN[number]
    (tmp_path / "mod.pyx").write_text(source)
    done = command("-3", *arguments, "mod.pyx", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert marks((tmp_path / "mod.c").read_text(encoding="utf-8")) == expected


A_METACLASS = "expected the full name of a metaclass, such as abc.ABCMeta"
A_RUNTIME = "expected embedded, linked, installed or the full name of a module, such as package._runtime"


@pytest.mark.parametrize("arguments, message", [
    (["--extend-al"], "unknown option --extend-al; did you mean --extend-all?"),
    (["--metaclas=abc.ABCMeta"], "unknown option --metaclas; did you mean --metaclass?"),
    (["--metaclass=ABCMeta"], f"metaclass: found 'ABCMeta', {A_METACLASS}"),
    (["--metaclass"], f"--metaclass: found nothing behind it, {A_METACLASS}"),
    (["--run-time", "installed"], "unknown option --run-time; did you mean --runtime?"),
    (["--runtime=Embedded"], f"runtime: found 'Embedded', {A_RUNTIME}"),
    (["--runtime"], f"--runtime: found nothing behind it, {A_RUNTIME}"),
    (["--runtime=installed", "--runtime=embedded"], "runtime: is given twice, 'installed' and 'embedded'"),
])
def test_the_command_says_what_is_wrong_and_generates_nothing(tmp_path, arguments, message):
    (tmp_path / "mod.pyx").write_text(SOURCE)
    done = command("mod.pyx", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"cython-customslots: error: {message}")
    assert not (tmp_path / "mod.c").exists()


@pytest.mark.parametrize("source", [PLAIN, SOURCE], ids=["plain", "ours"])
def test_cythonize_takes_it_and_generates_again_when_it_has_changed(tmp_path, source):
    (tmp_path / "mod.pyx").write_text(source)
    rows = [(options, expected) for text, _, options, expected in TAKEN if text == source]
    check("""
        import contextlib, io, os
        os.chdir(sys.argv[1])
        from cython_customslots import cythonize
        def again(**options):
            with contextlib.redirect_stdout(io.StringIO()) as said:
                cythonize("mod.pyx", **options)
            return "Cythonizing" in said.getvalue()
        MARKS, rows = eval(sys.argv[2])
        for options, expected in [*rows, rows[0]]:
            assert again(**options) and not again(**options), options
            with open("mod.c", encoding="utf-8") as file:
                c = file.read()
            assert {mark for mark in MARKS if mark in c} == expected, options
        for wrong, words in [({"metaclass": {"nowhere.A": "abc.ABCMeta"}},
                              "metaclass: 'nowhere.A' is neither one of the modules that are compiled nor a class "
                              "in one of them; there are mod"),
                             ({"runtime": "Installed"}, "runtime: found 'Installed'"),
                             ({"extendall": True}, "extendall")]:
            try:
                again(**wrong)
            except ValueError as error:
                assert words in str(error), error
            else:
                raise AssertionError(wrong)
        """, tmp_path, repr((MARKS, rows)))


def test_cythons_build_cache_knows_them_all():
    check("""
        from Cython.Compiler.Main import CompilationOptions, default_options
        def fingerprint():
            return CompilationOptions(default_options).get_fingerprint()
        found = [fingerprint()]
        from cython_customslots.compiler import install
        rows = eval(sys.argv[1])
        for options in rows:
            install(**options)
            found.append(fingerprint())
        assert len(set(found)) == len(found)
        install(runtime="embedded")
        assert fingerprint() == found[1]
        """, repr([options for text, _, options, _ in TAKEN if text == PLAIN or options]))


THING = "# cython: language_level=3, freethreading_compatible=True\ncdef class A: pass\n"
SHOW = "import thing, _customslots_runtime; print(type(thing.A).__name__, _customslots_runtime.info()[3][0])"
COMBINED = "ABCMetaAndextensibletype"
SETUP = """\
from setuptools import setup, Extension
from cython_customslots import build_ext
setup(name="thing", version="1.0", py_modules=[], cmdclass={"build_ext": build_ext},
      ext_modules=[Extension("thing", ["thing.pyx"])])
"""


@pytest.mark.nightly
def test_build_ext_takes_them_from_the_command_line_and_from_setup_cfg(tmp_path):
    pytest.importorskip("setuptools")
    (tmp_path / "setup.py").write_text(SETUP)
    (tmp_path / "thing.pyx").write_text(THING)
    build = "setup.py", "-v", "build_ext", "--inplace"
    code, said = python(tmp_path, *build, "--metaclass=thing.A=abc.ABCMeta", "--runtime=installed")
    assert code == 0 and python(tmp_path, "-c", SHOW) == (0, f"{COMBINED} _customslots_runtime\n"), said
    assert "class 'A' has the metaclass abc.ABCMeta, too" in said
    (tmp_path / "setup.cfg").write_text("[build_ext]\nmetaclass = abc.ABCMeta\n")
    code, said = python(tmp_path, *build)
    assert code == 0 and python(tmp_path, "-c", SHOW) == (0, f"{COMBINED} thing\n"), said
    for option, message in (("--metaclass=ABCMeta", "metaclass: found 'ABCMeta', expected the full name"),
                            ("--metaclass=no.Thing=abc.ABCMeta", "metaclass: 'no.Thing' is neither one of the mod"),
                            ("--runtime=Installed", f"runtime: found 'Installed', {A_RUNTIME}")):
        code, said = python(tmp_path, *build, option)
        assert code == 1 and f"error: {message}" in said


@pytest.mark.nightly
def test_pyximport_takes_them(tmp_path):
    pytest.importorskip("setuptools")
    (tmp_path / "thing.pyx").write_text(THING)
    code, said = python(tmp_path, "-c", """
import sys
from cython_customslots import pyximport
for wrong in {"metaclass": "ABCMeta"}, {"runtime": "Installed"}:
    try:
        pyximport.install(**wrong)
    except ValueError as error:
        print(error)
assert not [one for one in sys.meta_path if "pyximport" in type(one).__module__]
pyximport.install(build_dir="build", metaclass={"thing.A": "abc.ABCMeta", "later": "abc.ABCMeta"}, runtime="installed")
""" + SHOW)
    first, second, *_, last = said.splitlines()
    assert code == 0 and last == f"{COMBINED} _customslots_runtime", said
    assert (first, second) == (f"metaclass: found 'ABCMeta', {A_METACLASS}", f"runtime: found 'Installed', {A_RUNTIME}")
    (tmp_path / "pyproject.toml").write_text(       # of some project, whose build this is not
        '[build-system]\nrequires = ["setuptools"]\n\n[tool.distutils.build_ext]\nextend-all = false\nforce = true\n')
    code, said = python(tmp_path, "-c", f"""
from cython_customslots import pyximport
importers = pyximport.install(build_dir="other", extend_all=True)
{SHOW}
pyximport.uninstall(*importers)
import sys
from pyximport import pyxbuild
print(pyxbuild.build_ext.__module__, importers[1] in sys.meta_path)""")
    assert code == 0 and said.splitlines()[-2:] == ["extensibletype_v4 thing", "Cython.Distutils.build_ext False"], said


@pytest.mark.nightly
def test_the_notebook_takes_them(tmp_path):
    pytest.importorskip("IPython")
    pytest.importorskip("setuptools")
    code, said = python(tmp_path, "-c", f"""
import os
os.environ["IPYTHONDIR"] = os.environ["XDG_CACHE_HOME"] = os.getcwd()
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell()
shell.run_line_magic("load_ext", "cython_customslots")
modules = []
for line in ("--metaclass=abc.ABCMeta --runtime installed", "--metaclass abc.ABCMeta --extend-all", "", "--extend-all",
             "", "--metaclass=ABCMeta", "--runtime=Installed", "--extendall"):
    try:
        shell.run_cell_magic("cython", line, {THING!r})
        print(type(shell.user_ns["A"]).__name__)
        modules.append(shell.user_ns["A"].__module__)
    except Exception as error:
        print(type(error).__name__, error)
import _customslots_runtime
print(_customslots_runtime.info()[3][0], len(set(modules)), modules[2] == modules[4])
""")
    assert code == 0, said
    assert said.splitlines() == [
        COMBINED, COMBINED, "type", "extensibletype_v4", "type",
        f"UsageError %%cython: metaclass: found 'ABCMeta', {A_METACLASS}",
        f"UsageError %%cython: runtime: found 'Installed', {A_RUNTIME}",
        "UsageError %%cython: unknown option --extendall; did you mean --extend-all?",
        "_customslots_runtime 4 True"], said
