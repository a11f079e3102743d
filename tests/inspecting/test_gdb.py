# SPDX-License-Identifier: MIT
"""The gdb script shows in a core file what inspect shows in the living process, debug symbols or not."""
import os
import re
import shutil
import subprocess
import sys

import pytest
import support
from support import only_on_cpython

GDB = shutil.which("gdb")
pytestmark = [only_on_cpython("types of PyPy carry nothing"),
              pytest.mark.skipif(GDB is None, reason="gdb is not installed"),
              pytest.mark.skipif(support.SANITIZE, reason="a core file of a sanitizer's shadow memory "
                                                          "has terabytes")]

VICTIM = """
    import os, sys
    sys.path[:0] = [{probe!r}, {package!r}]
    import probe
    E = probe.import_metaclass()
    class Base(metaclass=probe.rich_metaclasses()[0], level=3, label="x"): pass
    class Sub(Base, level=5): pass
    probe.set_slots(Base, [(probe.intern(b"tests.gdb.named"), 77)])
    class Foreign: pass
    probe.register_slot(Foreign, probe.intern(b"tests.gdb.registered"), 9)
    class Forged(metaclass=E): pass
    probe.set_slots(Forged, [(0x01000101, 1)])
    import ctypes
    sub = Sub()
    words = ctypes.c_size_t * 5
    found = words.from_address(id(Forged) + type.__basicsize__)
    found[0], found[1] = 1 << 40, 64
    class Damaged(Base): pass
    found = words.from_address(id(Damaged) + type.__basicsize__)
    found[3] = found[4] = 8
    with open({out!r}, "w") as file:
        print(id(Foreign), id(len), id(sub), file=file)
    os.abort()
"""


def run_gdb(*arguments, timeout=300):
    done = subprocess.run(
        [GDB, "-q", "-batch", "-nx", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off",
         *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
        errors="backslashreplace", timeout=timeout, env=dict(os.environ, LC_ALL="C"))
    return done.stdout


def core_of(program, folder, environment=None):
    """A core file of a program that aborts, and the addresses that it left."""
    import cython_customslots
    import textwrap
    from pathlib import Path
    out, core, code = folder / "out", folder / "core", folder / "victim.py"
    code.write_text(textwrap.dedent(VICTIM).format(
        probe=str(Path(support.probe_path()).parent), out=str(out),
        package=str(Path(cython_customslots.__file__).parent.parent)), encoding="utf-8")
    sets = [item for name, value in (environment or {}).items() for item in ("-ex", f"set environment {name} {value}")]
    said = run_gdb(*sets, "-ex", "run", "-ex", f"generate-core-file {core}", "--args", str(program), str(code))
    if "ptrace" in said and not core.exists():
        pytest.skip("this machine lets no debugger run a program")
    assert core.exists() and out.exists(), said
    return core, out.read_text(encoding="utf-8").split()


def script():
    return support.output_of(subprocess.run([sys.executable, "-m", "cython_customslots", "--gdb"], cwd=support.CACHE,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"))


def customslots(program, core, *commands):
    arguments = [str(program), str(core), "-ex", f"source {script()}"]
    for command in commands:
        arguments += ["-ex", f"customslots {command}"]
    return run_gdb(*arguments)


@pytest.fixture(scope="module")
def core(tmp_path_factory, probe):
    folder = tmp_path_factory.mktemp("core")
    program = os.path.realpath(sys.executable)
    return (program, *core_of(program, folder))


def test_it_lists_types_and_shows_slots_with_names_fields_with_values_and_objects(core):
    program, file, (foreign, builtin, instance) = core
    said = customslots(program, file, "types", "show Sub", f"show {foreign}", f"show {builtin}", f"show {instance}")
    for name in "Base", "Sub", "Forged", "_extensibletype.extensibletype_v4":
        assert any(line.split()[1:2] == [name] for line in said.splitlines()), said
    assert "= 'tests.gdb.named'" in said and "from Base" in said, said
    level = next(line for line in said.splitlines() if line.split()[:1] == ["level"])
    assert level.split()[-2:] == ["5", "own"]
    assert "an object of type 'str'" in said and "implemented by" in said
    assert "'tests.gdb.registered'" in said and "registered, for Foreign" in said, said
    assert "builtin_function_or_method" in said and "an object at" in said and "of type Sub" in said


@pytest.mark.thorough
def test_damaged_tables_and_wrong_expressions_are_words(core):
    program, file, _ = core
    said = customslots(program, file, "show Forged", "show Damaged", "show 16", "show 0x7fffffffffff", "show nonsense",
                       "show", "runtime", "show 1 +")
    assert "damaged: its table at 0x40 cannot be read" in said and re.search(r"^ +level .* unknown$", said, re.M), said
    assert said.count("found no Python object at") == 2 and "found 'nonsense', expected" in said
    assert "serving: " in said and "Traceback" not in said and "Python Exception" not in said


@pytest.mark.thorough
def test_an_interpreter_without_symbols_is_enough(tmp_path, probe):
    """As distributions install it: what an extension module needs is all that is left."""
    if shutil.which("strip") is None:
        pytest.skip("strip is not installed")
    program = tmp_path / "python-stripped"
    shutil.copy(os.path.realpath(sys.executable), program)
    subprocess.run(["strip", str(program)], check=True, stderr=subprocess.DEVNULL)
    done = subprocess.run([str(program), "-c", "0"], env=dict(os.environ, PYTHONHOME=sys.base_prefix),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode or done.stderr:
        pytest.skip("strip damages this program (patchelf was at it before)")
    file, _ = core_of(program, tmp_path, {"PYTHONHOME": sys.base_prefix})
    said = customslots(program, file, "types", "show Sub", "runtime")
    assert "= 'tests.gdb.named'" in said and "serving: " in said, said


def test_what_is_no_python_says_so(tmp_path):
    said = run_gdb("-ex", f"source {script()}", "-ex", "customslots types", "-ex", "customslots")
    assert "found no symbol PyType_Type" in said and "customslots show EXPRESSION" in said, said
