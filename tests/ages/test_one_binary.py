# SPDX-License-Identifier: MIT
"""What a module shows to the linker; two ages in one binary."""
import re
import shutil
import subprocess
import sys
import textwrap

import ages
import pytest
import support
from cython_customslots.tools import building

pytestmark = [pytest.mark.thorough, pytest.mark.skipif(sys.platform == "win32", reason="binaries of Unix")]

#: What belongs to the library, not to the test module.
OURS = re.compile(r"_Pycs_|PyExtensibleType|PyCustomSlots|PyTypedMethod|Pyx_CustomSlots|customslots", re.I)


def symbols(path):
    """(defined, undefined) names that the dynamic linker sees."""
    nm = shutil.which("nm")
    if nm is None:
        pytest.skip("nm is not on this machine")
    defined, undefined = set(), set()
    for line in subprocess.run([nm, "-D", str(path)], stdout=subprocess.PIPE, check=True,
                               encoding="ascii").stdout.splitlines():
        *_, kind, name = line.split()
        (undefined if kind in "Uw" else defined).add(name.partition("@")[0])
    return defined, undefined


def test_a_client_and_the_runtime_itself_show_nothing_either():
    import _customslots_runtime
    from cython_customslots import provider
    client = ages.build("this", "client", runtime="_customslots_runtime")
    for path in client, _customslots_runtime.__file__, provider.__file__:
        defined, undefined = symbols(path)
        shown = {name for name in defined | undefined if OURS.search(name)}
        assert shown <= {"PyInit__customslots_runtime"}, shown


#: A module beside another one in a binary; both have functions and data of one name, which
#: are static as everything is in the headers.
UNIT = """
#define PROBE_NAME {name}
#define PyExtensibleType_MODULE_NAME "{name}"
#include "{headers}/extensibletype.h"
#include "{source}"
"""


@pytest.fixture(scope="module")
def binary():
    """One shared object with the modules `pair` (old) and `pair_new` (new)."""
    directory = support.CACHE / "ages" / "pair"
    sources = []
    for age, name in ("old", "pair"), ("new", "pair_new"):
        sources.append(support.write_source(directory / f"{name}.c", UNIT.format(
            name=name, headers=ages.include_directory(age), source=ages.HERE / "age.c")))
    # Python's import takes the function PyInit_NAME of a file; the file may have any name.
    module = building.Module("pair", sources, include_dirs=[
        ages.include_directory("old"), support.TESTS / "core"], cflags=(
            *support.C_FLAGS, "-std=c99", "-w"))
    return support.build(module, support.cache_directory("pair", module.cflags), carries=True)


LOAD = """
import importlib.machinery, importlib.util, sys
def load(name, path):
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    return module
"""


@pytest.mark.parametrize("order", ["pair-pair_new", "pair_new-pair"])
@pytest.mark.parametrize("everywhere", [False, True], ids=["RTLD_LOCAL", "RTLD_GLOBAL"])
def test_two_ages_in_one_binary_meet_at_the_rendezvous_only(binary, order, everywhere):
    names = order.split("-")
    ages.check(LOAD + textwrap.dedent(f"""
        import exercise, os
        if {everywhere}:
            sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
        run = exercise.Run()
        for name in {names!r}:
            run.join(load(name, {str(binary)!r}))
        first, second = run.modules
        assert first.serving() == second.serving() == "pair_new 9.2.0"
        took = [verdict for _, _, verdict in first.met(first.import_metaclass())]
        assert took == [{ages.CREATED}, {ages.TOOK if names[0] == "pair" else ages.OLDER}], took
        run.end()
        """))
