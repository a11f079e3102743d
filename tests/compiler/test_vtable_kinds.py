# SPDX-License-Identifier: MIT
"""Every kind of C method, and every kind of build, described alike on both sides."""
import ctypes
import re
import sys

import pytest
import support
from layer_modules import HEAP, NEEDS_HEAP_TYPES
from vtable_modules import HEAD, Importer, Paths, Version, run

pytestmark = pytest.mark.thorough

POINTER = ctypes.sizeof(ctypes.c_void_p)
PAIR = 2 * ctypes.alignment(ctypes.c_double) if ctypes.alignment(ctypes.c_double) > 4 else 12

#: (the declaration of a C method, its body, or none where the .pxd has it, what describes it)
METHODS = [
    ("cdef int plain(self, int x)", "return x", "i4 plain(object, i4) except *"),
    ("cdef double minus(self) except? -1", "return 0", "f8 minus(object) except? -1"),
    ("cdef double half(self) except -1.5", "return 0", "f8 half(object) except -1.5"),
    ("cdef long long hexadecimal(self, const int64_t y) except? 0x10", "return y",
     "i8 hexadecimal(object, i8) except? 16"),
    ("cdef bint star(self) except *", "return True", "i4 star(object) except *"),
    ("cdef void nothing(self) noexcept nogil", "pass", "void nothing(object) nogil noexcept"),
    ("cdef void takes_gil(self) noexcept with gil", "pass", "void takes_gil(object) nogil noexcept"),
    ("cdef Colour colour(self, Colour c) noexcept", "return c", "u4 colour(object, u4) noexcept"),
    ("cdef Colour sentinel(self) except GREEN", "return RED", "u4 sentinel(object) except __pyx_e_8provider_GREEN"),
    ("cdef Point point(self, Point p, Point *q, double *z, const double **v, void *w) noexcept", "return p",
     "{Point}4 point(object, {Point}4, pointer, f8*, pointer, pointer) noexcept"),
    ("cdef Kinds objects(self, Kinds k, str s, list l, object o, bytes b, type t)", "return self",
     "provider.Kinds objects(object, provider.Kinds, str, list, object, bytes, type) except NULL"),
    ("cpdef int64_t both(self, uint16_t x, int y=*) except? -1", "return x * y",
     "i8 both(object, u2, i4) skip_dispatch optional 1 except? -1"),
    ("@staticmethod\n    cdef int static(int x) noexcept", "return x + 3", "i4 static(i4) static noexcept"),
    ("cdef inline int inlined(self, int x) noexcept: return x + 1", None, "i4 inlined(object, i4) noexcept"),
    ("@cython.final\n    cdef int final(self, size_t *x) noexcept", "return 4",
     f"i4 final(object, u{POINTER}*) noexcept"),
    ("cdef float complex number(self, double complex z) noexcept", "return 1", "c8 number(object, c16) noexcept"),
    ("cdef int view(self, double[:] m) except -1", "return 5",
     f"i4 view(object, {{double[:]}}{26 * POINTER}) except -1"),
    ("cdef (int, double) pair(self, (int, double) t) noexcept", "return t",
     f"{{(int, double)}}{PAIR} pair(object, {{(int, double)}}{PAIR}) noexcept"),
    ("cdef unsigned char bytes(self, unsigned char c, signed char sc) except 255", "return c",
     "u1 bytes(object, u1, i1) except 255"),
    ("cdef int function(self, int (*f)(int)) noexcept", "return 6", "i4 function(object, pointer) noexcept"),
    ("cdef signed char *pointer(self) except NULL", "return <signed char *>self", "i1* pointer(object) except 0"),
    ("cdef number fused(self, number x) noexcept", "return x + x",
     "i4 fused(object, i4) noexcept\nf8 fused(object, f8) noexcept"),
]

#: In one module with all of them: those that importers know, and beside them those that a child puts
#: under their names.
PXD = HEAD + """
cimport cython
from libc.stdint cimport int64_t, uint16_t

ctypedef fused number:
    int
    double

ctypedef fused other:
    int
    float

cdef enum Colour:
    RED, GREEN

cdef struct Point:
    int x

@customslots.extensible
cdef class Kinds:
""" + "".join(f"    {declaration}\n" for declaration, _, _ in METHODS) + """
@customslots.extensible
cdef class Wider(Kinds):
    cdef int plain(self, int x, int y=*)
    cdef int more(self) noexcept

@customslots.extensible
cdef class WiderOther(Kinds):
    cdef int plain(self, int x, int y=*, int z=*)
    cdef int more(self) noexcept

@customslots.extensible
cdef class Fused:
    cdef number fused(self, number x) noexcept

@customslots.extensible
cdef class FusedOther:
    cdef other fused(self, other x) noexcept

@customslots.extensible
@cython.final
cdef class Final:
    cdef int method(self) noexcept
"""

PYX = "cimport cython\ncdef class Kinds:\n" + "".join(
    f"    {declaration}: {body}\n".replace("y=*", "y=2") for declaration, body, _ in METHODS if body) + """
cdef class Wider(Kinds):
    cdef int plain(self, int x, int y=100): return x + y
    cdef int more(self) noexcept: return 7
cdef class WiderOther(Kinds):
    cdef int plain(self, int x, int y=100, int z=0): return x + y
    cdef int more(self) noexcept: return 7
cdef class Fused:
    cdef number fused(self, number x) noexcept: return x + x
cdef class FusedOther:
    cdef other fused(self, other x) noexcept: return x + x
@cython.final
cdef class Final:
    cdef int method(self) noexcept: return 8
"""

LAYOUT = "".join(f"{layout}\n" for _, _, layout in METHODS)

CALLS = """
    from provider cimport Kinds, Wider, Fused, Final
    def calls(Kinds k, Wider w, Fused g, Final f):
        cdef size_t size = 0
        cdef Kinds narrow = w
        return (k.plain(1), narrow.plain(1), w.plain(1), w.plain(1, 10), w.more(), k.both(3),
                k.both(3, 4), k.fused(5), k.fused(2.5), Kinds.static(1), k.inlined(1),
                k.final(&size), k.pair((1, 2.5)), f.method(), k.bytes(200, 1),
                g.fused(5), g.fused(2.5))
    """
CALL = "import importer, provider as p\nprint(importer.calls(p.Kinds(), p.Wider(), p.Fused(), p.Final()))"
RESULT = "(1, 101, 101, 11, 7, 6, 12, 10, 5.0, 4, 2, 4, (1, 2.5), 8, 200, 10, 5.0)"


def other(name, new):
    """What puts another class in the place of the one that importers know."""
    return f"import provider\nprovider.{name} = provider.{new}\n"


@pytest.fixture(scope="module")
def kinds():
    return Paths("kinds", {"both": Version(PXD + SIMPLE_PXD, PYX + SIMPLE_PYX)},
                 [Importer("importer", "both", CALLS), Importer("extern", "both", EXTERN)])


def test_every_kind_of_method_is_described_alike_in_the_importer(kinds):
    assert run(kinds, "both", ["importer"], CALL) == RESULT


def test_a_method_that_was_overridden_with_more_arguments_has_two_places(kinds):
    assert run(kinds, "both", ["importer"], other("Wider", "WiderOther") + CALL).splitlines()[-5:-2] == [
        "  - i4 plain(object, i4, i4) optional 1 except *",
        "  + i4 plain(object, i4, i4, i4) optional 2 except *",
        "    i4 more(object) noexcept"]


def test_each_specialisation_of_a_fused_method_has_its_place(kinds):
    text = run(kinds, "both", ["importer"], other("Fused", "FusedOther") + CALL)
    assert [line for line in text.splitlines() if line[2] in "-+"] == [
        "  - f8 fused(object, f8) noexcept", "  + f4 fused(object, f4) noexcept"]


def test_the_description_does_not_depend_on_the_version_of_cython(kinds, reader):
    """Or modules from two versions could not be used together."""
    output = support.check_child("""
        import layer_reader, provider
        print(layer_reader.vtable(provider.Kinds, "provider.Kinds")[3], end="")
        print(layer_reader.vtable(provider.Wider, "provider.Wider")[3], end="")
        """, modules=[kinds["both"], reader.__file__])
    assert output + "\n" == LAYOUT * 2 + ("i4 plain(object, i4, i4) optional 1 except *\ni4 more(object) noexcept\n")


def with_swapped(text):
    """A class and one like it, whose two C methods have changed places."""
    lines = text.rstrip("\n").split("\n")
    return text + "\n".join([*lines[:-2], lines[-1], lines[-2]]).replace("Shape", "Swapped") + "\n"


SIMPLE_PXD = with_swapped("""
@customslots.extensible
cdef class Shape:
    cdef int sides(self) noexcept
    cdef double area(self) except? -1
""")

SIMPLE_PYX = with_swapped("""
cdef class Shape:
    cdef int sides(self) noexcept: return 3
    cdef double area(self) except? -1: return 2.5
""")

SIMPLE_CALL = """
    from provider cimport Shape
    cdef class Derived(Shape):
        cdef int sides(self) noexcept: return 4
    def calls(Shape s):
        return s.sides(), s.area()
    """

SIMPLE_RUN = "import importer as i, provider as p\nprint(i.calls(p.Shape()), i.calls(i.Derived()))"

SIMPLE_CHANGE = ["  - i4 sides(object) noexcept", "    f8 area(object) except? -1", "  + i4 sides(object) noexcept"]


OF_HEAP_TYPES = pytest.mark.skipif(sys.version_info < (3, 12), reason="heap types are refused before 3.12")


def in_front(declaration, text):
    """The same classes with one method more."""
    return re.sub(r"(class (Shape|Swapped):\n)", rf"\1    {declaration}\n", text)


@pytest.mark.parametrize("options", [
    {"cplus": True}, pytest.param({"cflags": ("-DCYTHON_USE_TYPE_SPECS=1",)}, marks=OF_HEAP_TYPES),
    pytest.param({"cflags": HEAP}, marks=NEEDS_HEAP_TYPES)], ids=str)
def test_cplusplus_heap_types_and_module_state_are_checked_as_static_types_of_c_are(options):
    pxd, pyx, shown = SIMPLE_PXD, SIMPLE_PYX, SIMPLE_CHANGE
    if "cplus" in options:
        of_cplus = "cdef vector[int] numbers(self, const vector[int] &more) noexcept"
        pxd = "from libcpp.vector cimport vector\n" + in_front(of_cplus, pxd)
        pyx = in_front(f"{of_cplus}: return more", pyx)
        shown = ["    {vector[int]}%d numbers(object, pointer) noexcept" % (3 * POINTER), *shown]
    paths = Paths("".join(map(str, options.values())), {"both": Version(HEAD + pxd, pyx, **options)},
                  [Importer("importer", "both", SIMPLE_CALL, **options)])
    assert run(paths, "both", ["importer"], SIMPLE_RUN) == "(3, 2.5) (4, 2.5)"
    changed = run(paths, "both", ["importer"], other("Shape", "Swapped") + SIMPLE_RUN).splitlines()
    assert changed[2:2 + len(shown)] == shown


EXTERN = """
    cimport cython_customslots
    cdef extern from *:
        '''
        typedef struct { PyObject_HEAD void *table; } shape;
        '''
        ctypedef class provider.Shape [object shape]:
            cdef void *table
    def call(Shape s):
        return s.table is not NULL
    """


def test_a_class_that_is_declared_extern_has_no_c_methods_to_check(kinds):
    """Cython takes none in such a declaration, so whatever they are is right."""
    code = "import extern, provider\nprint(extern.call(provider.Shape()))"
    for before in "", other("Shape", "Swapped"):
        assert run(kinds, "both", ["extern"], before + code) == "True"
