# SPDX-License-Identifier: MIT
"""Which functions get typed records, and what the compiler says about wrong wishes."""
import re

import pytest
import support
from compiling import CYTHON, compile_all, compile_each
from layer_modules import HEAP, MODULES, NEEDS_HEAP_TYPES, build, in_interpreters, written
from typed_calls import MAYBE, flags, typed

FUNCTIONS = """
cpdef double f(double x): return x
cdef class A:
    cpdef int g(self): return 1
    cpdef int h(self): return 2
cdef double internal(double x): return x
def python(double x): return x
"""

OURS = "cimport cython_customslots as cs\n"


def names(c):
    """The functions that have a record."""
    return re.findall(r'^static const PyTypedMethodRecord .*"mod\.([\w.]+)", \w+\};$', c, re.MULTILINE)


def compiled(text, **options):
    files = {"mod.pyx": text} if isinstance(text, str) else text
    result = compile_all({"case": files}, **options)["case"]
    assert result.errors == [], result.messages
    return result.c


ALL = ["f", "A.g", "A.h"]


@pytest.mark.parametrize("line", [
    "cimport cython_customslots", "from cython_customslots cimport PyCustomSlots_Find",
    "cimport cython_customslots.typedmethod", "cimport cython_customslots.provider",
    "from cython_customslots.typedmethod cimport PyTypedMethod_Find"])
def test_a_cimport_of_ours_asks_for_records(line):
    assert names(compiled(f"{line}\n{FUNCTIONS}")) == ALL


def test_a_cimport_in_the_pxd_and_options_ask_for_records():
    assert names(compiled({"mod.pxd": OURS, "mod.pyx": FUNCTIONS})) == ALL
    assert names(compiled(FUNCTIONS, typed=True)) == ALL
    assert names(compiled(FUNCTIONS, extend_all=True)) == ALL


CASES = {
    "a comment switches a module off": ("# customslots: typed=False\n" + OURS + FUNCTIONS, []),
    "comments may have spaces and neighbours": (
        "#!/usr/bin/env cython\n# cython: language_level=3\n\n#customslots :  typed = True \n" + FUNCTIONS, ALL),
    "a decorator switches a class off": (
        OURS + FUNCTIONS.replace("cdef class", "@cs.typed(False)\ncdef class"), ["f"]),
    "the nearest decides": (
        "# customslots: typed=False\n" + OURS + FUNCTIONS.replace(
            "cdef class", "@cs.typed\ncdef class").replace(
            "    cpdef int g", "    @cs.typed(False)\n    cpdef int g").replace(
            "cpdef double", "@cs.typed()\ncpdef double"), ["f", "A.h"]),
    "the name of the decorator is resolved": (
        "from cython_customslots cimport typed as other\n" + FUNCTIONS.replace(
            "cpdef double", "@other(False)\ncpdef double"), ["A.g", "A.h"]),
    "a class that is switched off is not extensible for it": (
        OURS + "@cs.typed(False)\ncdef class B:\n    cpdef int g(self): return 1\n", []),
    "a subclass is not switched off with its base": (
        OURS + "@cs.typed(False)\ncdef class B:\n    cpdef int g(self): return 1\n"
        "cdef class C(B):\n    cpdef int g(self): return 2\n", ["C.g"]),
    "other decorators are still there": (
        OURS + "cimport cython\n@cython.boundscheck(False)\n@cs.typed(True)\n"
        "@cython.wraparound(False)\ncpdef double f(double x): return x\n", ["f"]),
    "what cannot be expressed has none, without a word": (
        OURS + "ctypedef struct S:\n    int x\n"
        "cpdef int a(S s): return s.x\ncpdef S b(int x): return S(x)\n"
        "cpdef int c(int[:, :] v): return v[0, 0]\ncpdef (int, int) d(int x): return (x, x)\n"
        "cpdef int e(): return 1\n", ["e"]),
    "fused functions": (
        OURS + "ctypedef fused T:\n    int\n    double\n"
        "@cs.typed(False)\ncpdef T f(T x): return x\ncpdef T g(T x): return x\n", ["g"] * 3),
}


@pytest.fixture(scope="module")
def generated():
    return compile_each({what: (text, {}) for what, (text, _) in CASES.items()})


@pytest.mark.parametrize("what", CASES)
def test_what_stands_nearest_decides_which_functions_have_records(generated, what):
    result = generated[what]
    assert result.errors == [], result.messages
    assert names(result.c) == CASES[what][1]
    assert "__Pyx_CustomSlots_NewStatic(&" not in result.c


def test_a_class_in_the_pxd_can_be_switched_off():
    c = compiled({
        "mod.pxd": "cimport cython_customslots as cs\n@cs.typed(False)\ncdef class A:\n    cpdef int g(self)\n",
        "mod.pyx": "cdef class A:\n    cpdef int g(self): return 1\ncpdef int f(): return 1\n"})
    assert names(c) == ["f"]


def test_functions_that_a_pxd_makes_cpdef_have_records():
    c = compiled({
        "mod.pxd": "cpdef double f(double x)\ncdef class A:\n    cpdef int g(self)\n",
        "mod.py": "def f(x): return x\nclass A:\n    def g(self): return 1\n"}, typed=True)
    assert names(c) == ["f", "A.g"]


def test_pure_python_mode_has_records_too():
    module = support.load(build("pure_called.py"))
    caller = support.load(build("typed_caller.pyx"))
    assert typed(caller, module.triple, "f8(f8)")(2) == 6
    assert flags(caller, module.triple, "f8(f8)") == MAYBE
    counter = module.Counter()
    assert caller.signatures(module.Counter.add) == ("i4(object, i4)", "i4(object)")
    assert flags(caller, counter.add, "i4(i4)") & 3 == MAYBE
    assert typed(caller, counter.add, "i4(i4)")(5) == 5 and counter.add() == 6
    for function in (module.silent, module.Silent.get):
        assert caller.signatures(function) == ()
    assert caller.signatures(module.Silent.heard) == ("i4(object)",)


EVERYTHING = """
    import typed_builtin as module, typed_caller as caller
    from typed_calls import typed, flags
    assert typed(caller, module.optional, "f8(f8, i4)")(1, 3) == 531
    assert caller.signatures(module.negated_bool) == ("bool(bool)",)
    assert caller.signatures(module.same_colour)[0] in ("i4(i4)", "u4(u4)")
    assert caller.call_c16(module.turned_c16, 1 + 2j) == -2 + 1j
    assert caller.call_c8(module.turned_c8, 1 + 2j) == -2 + 1j
    fused = module.Fused()
    assert typed(caller, fused.plus, "f8(f8)")(0.5) == 0.5
    assert typed(caller, module.doubled["int"], "i4(i4)")(4) == 8
    assert flags(caller, module.except_float, "f4(f4)") == 2
    try:
        typed(caller, module.Shape.area, "f8(object)")(5)
    except TypeError as failure:
        print(failure)
    """


@pytest.mark.thorough
@pytest.mark.parametrize("options", [
    {"cplus": True}, {"cflags": ("-DCYTHON_USE_TYPE_SPECS=1",)}, {"cflags": ("-DCYTHON_USE_MODULE_STATE=1",)}], ids=str)
def test_it_is_cplusplus_and_types_may_be_in_the_module_state(options):
    if CYTHON < (3, 1) and "STATE" in str(options):
        pytest.skip("what Cython 3.0 generates for it does not compile, without us either")
    path = support.build_cython(MODULES / "typed_builtin.pyx", include_dirs=[MODULES], **options)
    assert support.check_child(EVERYTHING, modules=[
        path, build("typed_caller.pyx"), support.TESTS / "compiler" / "typed_calls.py"]) == (
            "Argument 'self' has incorrect type (expected typed_builtin.Shape, got int)")


@pytest.mark.thorough
@pytest.mark.skipif(support.FREE_THREADED, reason="free-threaded CPython has no Limited API before 3.15")
@pytest.mark.skipif(CYTHON < (3, 1), reason="Cython 3.0 generates no C for the Limited API")
@pytest.mark.parametrize("binding", [True, False])
def test_the_limited_api_has_no_records_and_compiles(tmp_path, binding):
    text = f"# cython: binding={binding}\n{OURS}{FUNCTIONS}"
    limited = written(tmp_path, "limited", text, cflags=("-DPy_LIMITED_API=0x030A0000",))
    output = support.check_child("""
        import limited, typed_caller
        print(limited.f(2), limited.A().g(), typed_caller.signatures(limited.f))
        """, modules=[limited, build("typed_caller.pyx")])
    assert output == "2.0 1 ()"


INTERPRETERS = """
# cython: subinterpreters_compatible=own_gil, freethreading_compatible=True
from cython_customslots.typedmethod cimport PyTypedMethod_Signatures
ctypedef fused number:
    int
    double
cpdef double single(double x): return x
cpdef number both(number x): return x
cpdef double long_one(double a, int b=0, int c=0, int d=0, int e=0, int f=0, int g=0, int h=0,
                      int i=0, int j=0, int k=0, int l=0): return a
cdef class A:
    cpdef int method(self): return 1
def look():
    texts = [PyTypedMethod_Signatures(f) for f in (single, A().method, both, getattr(A, "method"))]
    return texts, len(PyTypedMethod_Signatures(long_one))
"""


@NEEDS_HEAP_TYPES
def test_other_interpreters_find_the_same_records(tmp_path):
    several = written(tmp_path, "several", INTERPRETERS, cflags=HEAP)
    assert in_interpreters("""
        import several
        with open(target, "a") as file:
            print(several.look(), file=file)
        """, [several], tmp_path / "rows", 3) == [
            str(([("f8(f8)",), ("i4()",), ("i4(i4)", "f8(f8)"), ("i4(object)",)], 12))] * 4


SCOPED = """
cimport cython_customslots
cdef extern from *:
    "enum class Small : unsigned char { a = 1, b = 2 };"
    cpdef enum class Small(unsigned char):
        a
        b
cpdef Small same(Small x): return x
"""


@pytest.mark.thorough
def test_scoped_enums_of_cplusplus_are_integers(tmp_path):
    assert support.check_child("import scoped, typed_caller as c; print(*c.signatures(scoped.same))", modules=[
        written(tmp_path, "scoped", SCOPED, cplus=True), build("typed_caller.pyx")]) == "u1(u1)"
