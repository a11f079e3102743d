# SPDX-License-Identifier: MIT
"""Memory runs out while a module is imported.

An import that fails must leave everything so that the next one works: static types, which
were readied half the way, above all.
"""
import os

import pytest
import support
from layer_modules import HEAP, NEEDS_HEAP_TYPES
from vtable_modules import HEAD, Importer, Paths, Version

# No Python function objects of Cython's, and nothing pickled: when their type cannot be made,
# plain Cython's modules go on, and crash at the first function.
PLAIN_FUNCTIONS = "# cython: binding=False, auto_pickle=False\n"

PROVIDER = HEAD + """
from cython_customslots.provider cimport extensibletype
cdef class Meta(extensibletype):
    cdef public int number
    cdef public object label
@customslots.metaclass(Meta, number=7, label="seven")
cdef class Base:
    cdef int one(self) noexcept
@customslots.metaclass(Meta)
cdef class Sub(Base):
    cdef int two(self) noexcept
@customslots.metaclass(Meta)
cdef class Shown(Sub):
    cdef int three(self) noexcept
""", PLAIN_FUNCTIONS + HEAD + """
cdef class Meta(extensibletype): pass
cdef double table = 2.0
@customslots.slot(customslots.PyCustomSlots_ID(1, 70, 0), pointer=&table)
cdef class Base:
    cdef int one(self) noexcept: return 1
cdef class Sub(Base):
    cdef int one(self) noexcept: return 11
    cdef int two(self) noexcept: return 2
cdef class Shown(Sub):
    cdef int three(self) noexcept: return 3
class Mixin: __slots__ = ()
@customslots.metaclass(Meta, number=8)
cdef class Several(Base, Mixin):
    cdef int one(self) noexcept: return 111
cpdef long inc(long x) noexcept: return x + 1
def state():
    return [(cls.number, cls.label, cls().__class__ is cls, type(cls) is Meta)
            for cls in (Base, Sub, Several, Shown)], call(Base()), call(Sub()), call(Several()), inc(1)
cdef int call(Base base) noexcept: return base.one()
"""

IMPORTER = PLAIN_FUNCTIONS + """
from provider cimport Base, Sub
cdef class Deeper(Sub):
    cdef int two(self) noexcept: return 22
    cdef int three(self) noexcept: return 3
def state():
    cdef Deeper deeper = Deeper()
    return deeper.one(), deeper.two(), deeper.three(), Deeper.number, Deeper.label
"""

STATES = {
    "provider": ([(7, "seven", True, True), (7, "seven", True, True), (8, "seven", True, True),
                  (7, "seven", True, True)], 1, 11, 111, 2),
    "importer": (11, 22, 3, 7, "seven"),
}


@pytest.fixture(scope="module", params=[
    pytest.param((), id="static types"),
    pytest.param(HEAP, id="heap types", marks=NEEDS_HEAP_TYPES)])
def paths(request):
    options = {"cflags": request.param}
    return Paths("failing" + "".join(request.param), {"provider": Version(*PROVIDER, **options)},
                 [Importer("importer", "provider", IMPORTER, **options)])


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork() for a fresh process for each failure")
@pytest.mark.parametrize("name", STATES)
def test_a_module_can_be_imported_after_memory_ran_out_at_any_place(paths, name):
    if not support.TYPE_SURVIVES_NO_MEMORY:
        pytest.skip("type() itself corrupts the heap of this CPython when memory runs out")
    support.check_child(f"""
        import _imp, gc, importlib.util
        from failing import in_processes
        from probe import call_failing
        if {name != "provider"}: import provider
        spec = importlib.util.find_spec({name!r})

        def once():         # without importlib's Python code, which would fail mostly
            global module
            module = _imp.create_dynamic(spec)
            _imp.exec_dynamic(module)

        def work(attempt):
            result = attempt(once)
            # Cython 3 forgets to set an exception in some places.
            assert not attempt.failed or result in (MemoryError, SystemError, ImportError), result
            gc.collect()
            if attempt.failed: once()
            assert module.state() == {STATES[name]!r}, module.state()
            class Python(getattr(module, "Sub", None) or module.Deeper): number = 9
            assert Python.number == 9 and Python.label == "seven"

        in_processes(call_failing, work, least=51)
        """, modules=[support.TESTS / "hostile" / "failing.py", support.probe_path(),
                      paths["provider"], paths["importer"]])
