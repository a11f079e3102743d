# SPDX-License-Identifier: MIT
"""The package on PyPy, where it is installed; on CPython this says nothing."""
import textwrap

import cython_customslots
import pytest
import support
from cython_customslots import typed

pytestmark = [pytest.mark.on_pypy, pytest.mark.skipif(not support.PYPY, reason="this is about PyPy")]

WORDS = "extensible types need CPython, found pypy, whose type objects have no room for slots and fields"


@pytest.mark.parametrize("name", ["ExtensibleType", "Slotted", "table", "layout"])
def test_what_cannot_be_is_one_import_error(name):
    with pytest.raises(ImportError, match=WORDS):
        getattr(cython_customslots, name)


def test_functions_that_need_extensible_types_say_so_when_they_are_called():
    for function, arguments in [(cython_customslots.runtime_info, ()),
                                (cython_customslots.explain, (int, "tests.Shape")),
                                (cython_customslots.interface, ("tests.Shape",))]:
        with pytest.raises(ImportError, match=WORDS):
            function(*arguments)
    with pytest.raises(ImportError, match=WORDS):
        from cython_customslots import provider  # noqa: F401


def test_what_is_exported_is_what_can_be_had():
    assert support.check_child("""
        from cython_customslots import *
        import cython_customslots as cs
        print(slots(int), "Slotted" in cs.__all__, "Slotted" in dir(cs), [getattr(cs, name) for name in dir(cs)] != [])
        """) == "int: no slots False False True"


def test_a_checkout_is_the_installed_package():
    done = support.run_child("import cython_customslots as c; print(c.__file__, c.typed.__name__)", cwd=support.ROOT)
    assert done.returncode == 0 and str(support.ROOT / "cython_customslots") not in done.stdout, done.stderr


def test_nothing_is_imported_that_is_not_needed():
    assert support.check_child("""
        import sys
        from cython_customslots import typed
        print([name for name in ("ctypes", "cffi", "numpy", "_cffi_backend", "Cython") if name in sys.modules])
        """) == "[]"


def test_typed_says_what_there_is():
    import ctypes
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x + 1)
    found = typed.resolve(function)
    assert found.signatures == ("f8(f8)",) and found(1.0) == 2.0 and found.original is function
    assert typed.explain(found).endswith("f8(f8): needs no GIL, raises nothing")
    assert typed.address(found) == ctypes.cast(function, ctypes.c_void_p).value
    assert 'capsule object "double (double)"' in repr(typed.capsule(found))
    assert typed.signatures(typed.capsule(found)) == ["f8(f8)"] and typed.as_ctypes(found)(2.0) == 3.0
    assert "is a builtin of Python's module builtins" in typed.explain(len)
    with pytest.raises(TypeError, match="found no C function"):
        typed.resolve(len)


def test_the_example_in_c_is_found_by_its_consumer():
    examples = support.ROOT / "examples" / "mytypedmod"
    mytypedmod, counting = (support.load(support.build_c(name, examples / f"{name}.c"))
                            for name in ("mytypedmod", "counting"))
    assert counting.count(mytypedmod.inc, 0, 1000) == (1000, "C")
    assert counting.count(typed.direct(mytypedmod.inc), 0, 1000) == (1000, "C")
    assert counting.count(lambda x: 2 * x, 1, 3) == (8, "Python")
    assert typed.direct(mytypedmod.dec)(0) == -1
    with pytest.raises(OverflowError, match="there is nothing below this number"):
        typed.direct(mytypedmod.dec)(-2**63)


def test_the_layer_runs_on_pypy_and_its_modules_opt_in(tmp_path):
    source = support.write_source(tmp_path / "opted.pyx", textwrap.dedent("""
        # cython: language_level=3
        cimport cython_customslots

        cpdef long inc(long x) except? -1 nogil:
            if x == 5:
                with gil: raise ValueError("five")
            return x + 1

        from cython_customslots import typed
        typed.direct_module(__name__)
        """))
    module = support.load(support.build_cython(source))
    assert type(module.inc) is type(lambda: 0) and module.inc(x=4) == 5 and module.inc.__module__ == "opted"
    with pytest.raises(ValueError, match="five"):
        module.inc(5)
