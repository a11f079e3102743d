# SPDX-License-Identifier: MIT
"""Every kind of C method, and every kind of build, described alike on both sides."""
import ctypes
import sys

import pytest
import support
from compiling import CYTHON
from vtable_modules import HEAD, Importer, Version, build_all, run

POINTER = ctypes.sizeof(ctypes.c_void_p)
PAIR = 2 * ctypes.alignment(ctypes.c_double) if ctypes.alignment(ctypes.c_double) > 4 else 12

PXD = HEAD + """
cimport cython
from libc.stdint cimport int64_t, uint16_t

ctypedef fused number:
    int
    double

cdef enum Colour:
    RED, GREEN

cdef struct Point:
    int x

@customslots.extensible
cdef class Kinds:
    cdef int plain(self, int x)
    cdef double minus(self) except? -1
    cdef double half(self) except -1.5
    cdef long long hexadecimal(self, const int64_t y) except? 0x10
    cdef bint star(self) except *
    cdef void nothing(self) noexcept nogil
    cdef void takes_gil(self) noexcept with gil
    cdef Colour colour(self, Colour c) noexcept
    cdef Colour sentinel(self) except GREEN
    cdef Point point(self, Point p, Point *q, double *z, const double **v, void *w) noexcept
    cdef Kinds objects(self, Kinds k, str s, list l, object o, bytes b, type t)
    cdef number fused(self, number x) noexcept
    cpdef int64_t both(self, uint16_t x, int y=*) except? -1
    @staticmethod
    cdef int static(int x) noexcept
    cdef inline int inlined(self, int x) noexcept:
        return x + 1
    @cython.final
    cdef int final(self, size_t *x) noexcept
    cdef float complex number(self, double complex z) noexcept
    cdef int view(self, double[:] m) except -1
    cdef (int, double) pair(self, (int, double) t) noexcept
    cdef unsigned char bytes(self, unsigned char c, signed char sc) except 255
    cdef int function(self, int (*f)(int)) noexcept
    cdef signed char *pointer(self) except NULL

@customslots.extensible
cdef class Wider(Kinds):
    cdef int plain(self, int x, int y=*)
    cdef int more(self) noexcept

@customslots.extensible
@cython.final
cdef class Final:
    cdef int method(self) noexcept
"""

PYX = """
cimport cython
cdef class Kinds:
    cdef int plain(self, int x): return x
    cdef double minus(self) except? -1: return 0
    cdef double half(self) except -1.5: return 0
    cdef long long hexadecimal(self, const int64_t y) except? 0x10: return y
    cdef bint star(self) except *: return True
    cdef void nothing(self) noexcept nogil: pass
    cdef void takes_gil(self) noexcept with gil: pass
    cdef Colour colour(self, Colour c) noexcept: return c
    cdef Colour sentinel(self) except GREEN: return RED
    cdef Point point(self, Point p, Point *q, double *z, const double **v, void *w) noexcept:
        return p
    cdef Kinds objects(self, Kinds k, str s, list l, object o, bytes b, type t): return self
    cdef number fused(self, number x) noexcept: return x + x
    cpdef int64_t both(self, uint16_t x, int y=2) except? -1: return x * y
    @staticmethod
    cdef int static(int x) noexcept: return x + 3
    @cython.final
    cdef int final(self, size_t *x) noexcept: return 4
    cdef float complex number(self, double complex z) noexcept: return 1
    cdef int view(self, double[:] m) except -1: return 5
    cdef (int, double) pair(self, (int, double) t) noexcept: return t
    cdef unsigned char bytes(self, unsigned char c, signed char sc) except 255: return c
    cdef int function(self, int (*f)(int)) noexcept: return 6
    cdef signed char *pointer(self) except NULL: return <signed char *>self
cdef class Wider(Kinds):
    cdef int plain(self, int x, int y=100): return x + y
    cdef int more(self) noexcept: return 7
@cython.final
cdef class Final:
    cdef int method(self) noexcept: return 8
"""

LAYOUT = f"""\
i4 plain(object, i4) except *
f8 minus(object) except? -1
f8 half(object) except -1.5
i8 hexadecimal(object, i8) except? 16
i4 star(object) except *
void nothing(object) nogil noexcept
void takes_gil(object) nogil noexcept
u4 colour(object, u4) noexcept
u4 sentinel(object) except __pyx_e_8provider_GREEN
{{Point}}4 point(object, {{Point}}4, pointer, f8*, pointer, pointer) noexcept
provider.Kinds objects(object, provider.Kinds, str, list, object, bytes, type) except NULL
i8 both(object, u2, i4) skip_dispatch optional 1 except? -1
i4 static(i4) static noexcept
i4 inlined(object, i4) noexcept
i4 final(object, u{POINTER}*) noexcept
c8 number(object, c16) noexcept
i4 view(object, {{double[:]}}{26 * POINTER}) except -1
{{(int, double)}}{PAIR} pair(object, {{(int, double)}}{PAIR}) noexcept
u1 bytes(object, u1, i1) except 255
i4 function(object, pointer) noexcept
i1* pointer(object) except 0
i4 fused(object, i4) noexcept
f8 fused(object, f8) noexcept
"""

CALLS = """
    from provider cimport Kinds, Wider, Final
    def calls(Kinds k, Wider w, Final f):
        cdef size_t size = 0
        cdef Kinds narrow = w
        return (k.plain(1), narrow.plain(1), w.plain(1), w.plain(1, 10), w.more(), k.both(3),
                k.both(3, 4), k.fused(5), k.fused(2.5), Kinds.static(1), k.inlined(1),
                k.final(&size), k.pair((1, 2.5)), f.method(), k.bytes(200, 1))
    """
CALL = "import importer, provider as p\nprint(importer.calls(p.Kinds(), p.Wider(), p.Final()))"
RESULT = "(1, 101, 101, 11, 7, 6, 12, 10, 5.0, 4, 2, 4, (1, 2.5), 8, 200)"


@pytest.fixture(scope="module")
def kinds():
    versions = {"same": Version(PXD, PYX),
                "wider_changed": Version(PXD.replace("int x, int y=*)", "int x, int y=*, int z=*)"),
                                         PYX.replace("int y=100)", "int y=100, int z=0)")),
                "fused_changed": Version(PXD.replace("    double\n", "    float\n", 1), PYX)}
    return build_all("kinds", versions, [Importer("importer", "same", CALLS)])


def test_every_kind_of_method_is_described_alike_in_the_importer(kinds):
    assert run(kinds, "same", ["importer"], CALL) == RESULT


def test_a_method_that_was_overridden_with_more_arguments_has_two_places(kinds):
    assert run(kinds, "wider_changed", ["importer"], CALL).splitlines()[-5:-2] == [
        "  - i4 plain(object, i4, i4) optional 1 except *",
        "  + i4 plain(object, i4, i4, i4) optional 2 except *",
        "    i4 more(object) noexcept"]


def test_each_specialisation_of_a_fused_method_has_its_place(kinds):
    text = run(kinds, "fused_changed", ["importer"], CALL)
    assert [line for line in text.splitlines() if line[2] in "-+"] == [
        "  - f8 fused(object, f8) noexcept", "  + f4 fused(object, f4) noexcept"]


def test_the_description_does_not_depend_on_the_version_of_cython(kinds, reader):
    """Or modules from two versions could not be used together."""
    output = support.check_child("""
        import layer_reader, provider
        print(layer_reader.vtable(provider.Kinds, "provider.Kinds")[3], end="")
        print(layer_reader.vtable(provider.Wider, "provider.Wider")[3], end="")
        """, modules=[kinds["same"], reader.__file__])
    assert output + "\n" == LAYOUT * 2 + (
        "i4 plain(object, i4, i4) optional 1 except *\ni4 more(object) noexcept\n")


# ---------------------------------------------------------------------- kinds of builds

CPLUS_PXD = HEAD + """
from libcpp.vector cimport vector

@customslots.extensible
cdef class Shape:
    cdef vector[int] numbers(self, const vector[int] &more) noexcept
    cdef double area(self) except? -1
"""

CPLUS_PYX = """
cdef class Shape:
    cdef vector[int] numbers(self, const vector[int] &more) noexcept: return more
    cdef double area(self) except? -1: return 2.5
"""

CPLUS_CALL = """
    from provider cimport Shape
    from libcpp.vector cimport vector
    cdef class Derived(Shape):
        cdef double area(self) except? -1: return 5
    def calls(Shape s):
        cdef vector[int] numbers = [1, 2]
        return s.numbers(numbers), s.area()
    """


def swapped(text):
    """The last two C methods change places."""
    lines = text.rstrip("\n").split("\n")
    return "\n".join([*lines[:-2], lines[-1], lines[-2]]) + "\n"


def test_cplusplus_is_checked_as_c_is():
    versions = {"same": Version(CPLUS_PXD, CPLUS_PYX, cplus=True),
                "swapped": Version(swapped(CPLUS_PXD), swapped(CPLUS_PYX), cplus=True)}
    paths = build_all("cplus", versions, [Importer("importer", "same", CPLUS_CALL, cplus=True)])
    call = "import importer as i, provider as p\nprint(i.calls(p.Shape()), i.calls(i.Derived()))"
    assert run(paths, "same", ["importer"], call) == "([1, 2], 2.5) ([1, 2], 5.0)"
    assert run(paths, "swapped", ["importer"], call).splitlines()[2:5] == [
        "  - {vector[int]}%d numbers(object, pointer) noexcept" % (3 * POINTER),
        "    f8 area(object) except? -1",
        "  + {vector[int]}%d numbers(object, pointer) noexcept" % (3 * POINTER)]


SIMPLE_PXD = HEAD + """
@customslots.extensible
cdef class Shape:
    cdef int sides(self) noexcept
    cdef double area(self) except? -1
"""

SIMPLE_PYX = """
cdef class Shape:
    cdef int sides(self) noexcept: return 3
    cdef double area(self) except? -1: return 2.5
"""

SIMPLE_CALL = """
    from provider cimport Shape
    cdef class Derived(Shape):
        cdef int sides(self) noexcept: return 4
    def calls(Shape s):
        return s.sides(), s.area()
    """

SIMPLE_RUN = "import importer as i, provider as p\nprint(i.calls(p.Shape()), i.calls(i.Derived()))"

SIMPLE_CHANGE = ["  - i4 sides(object) noexcept", "    f8 area(object) except? -1",
                 "  + i4 sides(object) noexcept"]


def check_simple(group, importer=SIMPLE_CALL, code=SIMPLE_RUN, result="(3, 2.5) (4, 2.5)",
                 **options):
    versions = {"same": Version(SIMPLE_PXD, SIMPLE_PYX, **options),
                "swapped": Version(swapped(SIMPLE_PXD), swapped(SIMPLE_PYX), **options)}
    paths = build_all(group, versions, [
        Importer("importer", "same", importer, **options)])
    assert run(paths, "same", ["importer"], code) == result
    assert run(paths, "swapped", ["importer"], code).splitlines()[2:5] == SIMPLE_CHANGE


@pytest.mark.skipif(sys.version_info < (3, 12), reason="heap types are refused before 3.12")
@pytest.mark.parametrize("macros", [["CYTHON_USE_TYPE_SPECS"],
                                    ["CYTHON_USE_TYPE_SPECS", "CYTHON_USE_MODULE_STATE"]])
def test_heap_types_and_module_state_are_checked_as_static_types_are(macros):
    if CYTHON < (3, 1) and "CYTHON_USE_MODULE_STATE" in macros:
        pytest.skip("what Cython 3.0 generates for it does not compile, without us either")
    check_simple("-".join(macros).lower(), cflags=tuple(f"-D{macro}=1" for macro in macros))


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


def test_a_class_that_is_declared_extern_has_no_c_methods_to_check():
    """Cython takes none in such a declaration, so whatever they are is right."""
    versions = {"same": Version(SIMPLE_PXD, SIMPLE_PYX),
                "swapped": Version(swapped(SIMPLE_PXD), swapped(SIMPLE_PYX))}
    paths = build_all("extern", versions, [Importer("importer", "same", EXTERN)])
    code = "import importer, provider\nprint(importer.call(provider.Shape()))"
    for provider in versions:
        assert run(paths, provider, ["importer"], code) == "True"
