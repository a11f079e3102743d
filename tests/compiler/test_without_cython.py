# SPDX-License-Identifier: MIT
"""Cython is an extra: what needs none works, what needs it says what to install."""
import sys
from importlib.metadata import requires

import pytest
import support

#: As if it were not installed; "import Cython" is a ModuleNotFoundError with that name.
WITHOUT = """
import sys
sys.modules["Cython"] = None
"""

MESSAGE = (f"cython-customslots: found no Cython in {sys.executable}, and the compiler layer needs "
           "Cython 3.0 to 3.3; pip install 'cython-customslots[cython]'")

ENTRIES = {
    "cythonize": "from cython_customslots import cythonize",
    "build_ext": "from cython_customslots import build_ext",
    "the layer": "import cython_customslots.compiler",
    "pyximport": "from cython_customslots import pyximport; pyximport.install()",
    "notebook": "import cython_customslots; cython_customslots.load_ipython_extension(None)",
}

#: How people start the command: pip's script calls the function.
COMMANDS = {
    "cython-customslots": ("from importlib.metadata import entry_points\n"
                           "sys.argv = ['cython-customslots', {argument!r}]\n"
                           "start, = entry_points(group='console_scripts', name='cython-customslots')\n"
                           "sys.exit(start.load()())\n"),
    "python -m": ("import runpy\n"
                  "sys.argv = ['', 'cython', {argument!r}]\n"
                  "runpy.run_module('cython_customslots', run_name='__main__', alter_sys=True)\n"),
    "interface": ("import runpy\n"
                  "sys.argv = ['', 'interface', {argument!r}]\n"
                  "runpy.run_module('cython_customslots', run_name='__main__', alter_sys=True)\n"),
}


def test_the_package_requires_nothing_but_what_its_extras_name():
    required = requires("cython-customslots")
    assert all("extra ==" in line for line in required)
    assert [line.partition(";")[0].replace(" ", "").lower() for line in required
            if line.endswith(("extra == 'cython'", 'extra == "cython"'))] in (
        ["cython>=3.0,<3.4"], ["cython<3.4,>=3.0"])


def test_classes_slots_and_typed_calls_need_no_cython():
    assert support.check_child(WITHOUT + """
import math
import cython_customslots as cs
from cython_customslots import *

class Shape(metaclass=cs.Slotted):
    __customslots__ = {0x55: 7}

print(cs.table(Shape), isinstance(Shape, ExtensibleType), cs.combine(type(Shape), type) is type(Shape),
      cs.layout(Shape)["resolved"], cs.typed.signatures(math.sin))
""") == "[(0, 85, 7)] True True True []"


def test_what_is_exported_is_what_can_be_had():
    assert support.check_child(WITHOUT + """
import cython_customslots as cs, pydoc
print({"cythonize", "build_ext"} & ({*cs.__all__} | {*dir(cs)}), len(pydoc.render_doc(cs)) > 1000)
""") == "set() True"
    assert support.check_child(
        "import cython_customslots as cs; print('cythonize' in cs.__all__, 'cythonize' in dir(cs))"
    ) == "True True"


@pytest.mark.parametrize("entry", ENTRIES)
def test_what_compiles_says_what_to_install(entry):
    assert support.check_child(WITHOUT + f"""
try:
    {ENTRIES[entry]}
except ModuleNotFoundError as error:
    print(error.name, error)
""") == f"Cython {MESSAGE}"


@pytest.mark.parametrize("argument", ["shape.pyx", "--version"])
@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_says_so_in_a_line_and_fails(command, argument):
    done = support.run_child(WITHOUT + COMMANDS[command].format(argument=argument))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", MESSAGE + "\n")


def test_a_cython_that_is_broken_is_not_taken_for_a_missing_one(tmp_path):
    (tmp_path / "Cython.py").write_text("import no_such_module\n")
    assert support.check_child(f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
try:
    import cython_customslots.compiler
except ModuleNotFoundError as error:
    print(error)
""") == "No module named 'no_such_module'"
