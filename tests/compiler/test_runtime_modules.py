# SPDX-License-Identifier: MIT
"""Modules that are compiled with --runtime, at work: alone, together, and in every order."""
import itertools
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

#: A class with fields, a slot and C methods; and one derived from it in another module.
THING_PXD = """
    cimport cython_customslots as cs
    from cython_customslots.provider cimport extensibletype
    cdef class Meta(extensibletype):
        cdef public int level
    @cs.metaclass(Meta, level=LEVEL)
    cdef class Thing:
        cdef int twice(self, int x) except? -1
    """
THING = """
    cimport cython_customslots as cs
    cdef int data = LEVEL
    cdef class Meta(extensibletype):
        pass
    @cs.slot(PyCustomSlots_Intern("test.level"), pointer=&data)
    cdef class Thing:
        cdef int twice(self, int x) except? -1:
            return 2 * x
    def level(cls):
        cdef const PyCustomSlot *slot = PyCustomSlots_FindType(cls, PyCustomSlots_Intern("test.level"), 0)
        return (<Meta>cls).level, (<int *>slot.data.pointer)[0] if slot is not NULL else None
    """.replace("PyCustomSlot", "cs.PyCustomSlot")
DERIVED = """
    cimport cython_customslots as cs
    from MODULE cimport Meta, Thing
    @cs.metaclass(Meta, level=LEVEL + 1)
    cdef class Derived(Thing):
        cdef int twice(self, int x) except? -1:
            return 3 * x
    def call(Thing thing):
        return thing.twice(7)
    """

#: {module: (its --runtime, who implements if it is imported first)}
MODULES = {
    "switch_embedded.thing": ("embedded", "switch_embedded.thing"),
    "switch_installed.thing": ("installed", "_customslots_runtime"),
    "switch_shared.thing": ("switch_shared._runtime", "switch_shared._runtime"),
}
LEVELS = dict(zip(MODULES, (10, 20, 30)))

USE = """
    import importlib, json
    order = json.loads(sys.argv[1])
    levels = json.loads(sys.argv[2])
    loaded = []
    for name in order:
        thing = importlib.import_module(name)
        derived = importlib.import_module(name.replace(".thing", ".derived"))
        class Python(derived.Derived): level = levels[name] + 2
        loaded.append((thing, derived, Python))
        for known, below, cls in loaded:
            level = levels[known.__name__]
            assert known.level(known.Thing) == (level, level)
            assert known.level(below.Derived) == (level + 1, level)
            assert known.level(cls) == (level + 2, level), known.level(cls)
            assert [below.call(c()) for c in (known.Thing, below.Derived, cls)] == [14, 21, 21]
        assert len({type(type(known.Thing)) for known, _, _ in loaded}) == 1
    used = sorted(name for name in sys.modules if name.endswith("_runtime") and name != "cython_runtime")
    import _customslots_runtime
    _, _, _, serving, met = _customslots_runtime.info()
    print(json.dumps([used, serving[0], met[0][0][0]]))
    """


def built(directory, package, files, switch):
    """Build {file in the package: text} into *directory*, module by module, by the command."""
    root = directory / "source"
    support.write_source(root / package / "__init__.py", "")
    for file, text in files.items():
        support.write_source(root / package / file, HEADER + source(text))
    (directory / package).mkdir(parents=True, exist_ok=True)
    shutil.copy(root / package / "__init__.py", directory / package)
    for file in files:
        if file.endswith(".pyx"):
            name = file.removesuffix(".pyx")
            support.build_cython(root / package / file, name=f"{package}.{name}",
                                 cython_args=[f"--runtime={switch}"], include_dirs=[root],
                                 directory=directory / package, carries=True)


@pytest.fixture(scope="module")
def site():
    directory = support.cache_directory("runtime switch")
    for name, (switch, _) in MODULES.items():
        package, level = name.partition(".")[0], str(LEVELS[name])
        files = {"thing.pxd": THING_PXD.replace("LEVEL", level), "thing.pyx": THING.replace("LEVEL", level),
                 "derived.pyx": DERIVED.replace("LEVEL", level).replace("MODULE", name)}
        if switch == f"{package}._runtime":
            files["_runtime.pyx"] = ""
        built(directory, package, files, switch)
    return directory


def use(site, order):
    return json.loads(support.check_child(USE, json.dumps(order), json.dumps(LEVELS), modules=[site / "any"]))


@pytest.mark.parametrize("order", [order for count in (1, 2, 3)
                                   for order in itertools.permutations(MODULES, count)],
                         ids=lambda order: " then ".join(name.partition("_")[2][:-6] for name in order))
def test_modules_of_all_kinds_work_alone_and_together_in_every_order(site, order):
    used, serving, creator = use(site, order)
    first = MODULES[order[0]][1]
    assert serving == creator == first
    # Nobody imports an implementation where there is one.
    assert used == ([first] if "runtime" in first else [])


def test_a_module_has_no_symbol_but_its_init_function(site):
    """Two versions in one process, or in one binary, must not see each other."""
    if shutil.which("nm") is None or sys.platform != "linux":
        pytest.skip("for nm of binutils")
    files = sorted(site.glob("switch_*/*.so"))
    assert len(files) == 7
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


MISSING = """
    import types
    name = sys.argv[1]
    for found in None, types.ModuleType(name):
        sys.modules[name] = found
        try:
            import switch_shared.thing
        except ImportError as error:
            print(error)
            print(type(error.__cause__).__name__, error.__cause__)
        else:
            raise AssertionError("imported")
        assert "_extensibletype" not in sys.modules and "switch_shared.thing" not in sys.modules
    del sys.modules[name]
    import switch_shared.thing as thing
    assert thing.level(thing.Thing) == (30, 30)
    """
ADVICE = (
    "extensible types: found no implementation in this interpreter, expected one from module "
    "'switch_shared._runtime'; that module carries it for its whole package: install it with the "
    "others, compiled with cython-customslots --runtime=switch_shared._runtime, or written in C "
    "and calling PyExtensibleType_Import()")


def test_a_package_whose_module_does_not_implement_says_which_and_what_to_do(site):
    assert support.check_child(source(MISSING), "switch_shared._runtime", modules=[site / "any"]) == (
        f"{ADVICE}\nModuleNotFoundError import of switch_shared._runtime halted; None in sys.modules\n"
        f"{ADVICE}\nKeyError '_extensibletype'")


def test_without_the_installed_runtime_the_error_says_what_to_install(site):
    assert support.check_child("""
        sys.modules["_customslots_runtime"] = None
        try:
            import switch_installed.thing
        except ImportError as error:
            print(error)
            print(type(error.__cause__).__name__)
        del sys.modules["_customslots_runtime"]
        import switch_installed.thing
        """, modules=[site / "any"]) == (
            "extensible types: found no implementation in this interpreter, expected one from "
            "module '_customslots_runtime'; install it: pip install cython-customslots\n"
            "ModuleNotFoundError")


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
