# SPDX-License-Identifier: MIT
"""Modules that are compiled with --runtime, at work together.

Those of several ages, and what is said where nobody implements, are in tests/ages.
"""
import json
import shutil
import subprocess
import sys

import pytest
import support
from compiling import source
from cython_customslots.tools import building

pytestmark = pytest.mark.thorough

HEADER = "# cython: language_level=3, freethreading_compatible=True\n"
THING = """
    cimport cython_customslots as cs
    @cs.slot(b"switched.level", flags=LEVEL)
    cdef class Thing: pass
    """

#: {module: (its --runtime, who implements if it is imported first)}
MODULES = {
    "switch_embedded.thing": ("embedded", "switch_embedded.thing"),
    "switch_installed.thing": ("installed", "_customslots_runtime"),
    "switch_shared.thing": ("switch_shared._runtime", "switch_shared._runtime"),
}
LEVELS = dict(zip(MODULES, (10, 20, 30)))


@pytest.fixture(scope="module")
def site():
    directory = support.cache_directory("runtime switch")
    for name, (switch, _) in MODULES.items():
        package = name.partition(".")[0]
        root, texts = directory / "source", {"thing": THING.replace("LEVEL", str(LEVELS[name]))}
        if switch == f"{package}._runtime":
            texts["_runtime"] = ""
        support.write_source(root / package / "__init__.py", "")
        (directory / package).mkdir(parents=True, exist_ok=True)
        shutil.copy(root / package / "__init__.py", directory / package)
        for module, text in texts.items():
            path = support.write_source(root / package / f"{module}.pyx", HEADER + source(text))
            support.build_cython(path, name=f"{package}.{module}", cython_args=[f"--runtime={switch}"],
                                 include_dirs=[root], directory=directory / package, carries=True)
    return directory


@pytest.mark.parametrize("first", MODULES, ids=lambda name: name[7:-6])
def test_modules_of_all_kinds_work_together_and_the_first_one_decides_who_implements(site, first):
    used, serving, creator, levels = json.loads(support.check_child("""
        import cython_customslots, importlib, json
        order, levels = json.loads(sys.argv[1]), []
        for name in order:
            cls = importlib.import_module(name).Thing
            class Python(cls): pass
            assert type(type(cls)) is type(type(Python))
            levels.append(cython_customslots.table(Python)[0][2])
            if name == order[0]:                # nobody imports an implementation where there is one
                used = [name for name in sys.modules if name.endswith("_runtime") and name != "cython_runtime"]
        import _customslots_runtime
        _, _, _, serving, met = _customslots_runtime.info()
        print(json.dumps([used, serving[0], met[0][0][0], levels]))
        """, json.dumps([first, *sorted(MODULES.keys() - {first})]), modules=[site / "any"]))
    assert serving == creator == MODULES[first][1] and sorted(levels) == sorted(LEVELS.values())
    assert used == ([serving] if "runtime" in serving else [])


def test_a_module_has_no_symbol_but_its_init_function(site):
    """Two versions in one process, or in one binary, must not see each other."""
    if shutil.which("nm") is None or sys.platform != "linux":
        pytest.skip("for nm of binutils")
    files = sorted(site.glob("switch_*/*.so"))
    assert len(files) == 4
    for path in files:
        done = subprocess.run(["nm", "-D", "--defined-only", path], stdout=subprocess.PIPE, text=True, check=True)
        names = {line.split()[-1] for line in done.stdout.splitlines()} - {"_init", "_fini"}
        names = {name for name in names if not name.startswith("__pyx_module_is_main_")}
        assert names == {f"PyInit_{path.name.partition('.')[0]}"}, path
        done = subprocess.run(["nm", path], stdout=subprocess.PIPE, text=True, check=True)
        rows = [line.split()[-2:] for line in done.stdout.splitlines()]
        assert [name for kind, name in rows if "slots" in name.lower() and kind.isupper()] == []
        carries = any(name == "_Pycs_implementation" for _, name in rows)
        assert carries == (path.parent.name == "switch_embedded" or path.name.startswith("_runtime")), path


def test_what_is_said_with_d_goes_before_the_switch(tmp_path):
    """A module of two C files: this one finds, the other one carries."""
    file = support.write_source(tmp_path / "two.pyx", HEADER + "cimport cython_customslots as cs\n"
                                "@cs.extensible\ncdef class Thing: pass\n")
    path = support.build_cython(file, cython_args=["--runtime=switch_shared._runtime"],
                                cflags=["-DPyExtensibleType_RUNTIME_INSTALLED"], directory=tmp_path)
    assert support.check_child("import two, _customslots_runtime as r; print(r.info()[3][0])",
                               modules=[path]) == "_customslots_runtime"
    with pytest.raises(building.BuildError):
        support.build_cython(file, cython_args=["--runtime=two"], directory=tmp_path / "wrong")
