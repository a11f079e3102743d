# SPDX-License-Identifier: MIT
"""Methods with a body that were appended to an interface: classes that were compiled before serve, too."""
import cython_customslots
import pytest
import support
import warm_cython
from compiling import source
from layer_modules import from_texts

pytestmark = pytest.mark.cythons

V1 = """
    cimport cython_customslots as customslots

    @customslots.interface(b"grown_bodies.Shape")
    cdef class Shape:
        cdef double area(self) noexcept nogil
        cpdef str name(self)
    """
V2 = V1 + """
        cdef inline double twice(self) noexcept nogil:
            return 2 * self.area()
        cpdef inline str describe(self, str before):
            return f"{before} {self.name()} {self.twice()}"
        cpdef inline int check(self, double most) except -1:
            if self.area() > most:
                raise ValueError(f"found {self.area()}, expected {most} or less")
            return 0
        cdef inline void fill(self, double *into) noexcept:
            into[0] = self.twice()

    @customslots.interface(b"grown_bodies.Solid")
    cdef class Solid(Shape):
        cdef inline double volume(self) noexcept:
            return self.twice() * 10
    """
SOURCES = {
    "older/grown_bodies.pxd": V1, "grown_bodies.pxd": V2,
    "older/old_shapes.pyx": """
from grown_bodies cimport Shape
cdef class Square(Shape):
    cdef public double side
    cdef double area(self) noexcept nogil: return self.side * self.side
    cpdef str name(self): return "square"
cdef class Other(Shape):
    "It has a method of its own that is called like one that was appended."
    cdef double area(self) noexcept nogil: return 1
    cpdef str name(self): return "other"
    cdef int twice(self): return 7
    def check(self, most): return most + 5
cdef class ListShape(Shape):
    cdef double area(self) noexcept nogil: return 100
    cpdef str name(self): return "list"
Shape.register(list, ListShape)
""",
    "grown_bodies.pyx": """
def measure(Shape s not None, most=10000):
    cdef double filled
    s.fill(&filled)
    with nogil:
        twice = s.twice()
    return s.area(), twice, filled, s.describe("a"), s.check(most)
def element(things): return (<Shape?>things[0]).twice(), Shape.of(things[0]) is things[0]
def implements(o): return isinstance(o, Shape), isinstance(o, Solid)
def shape(): return Shape
""",
    "grown_consumer.pyx": """
from grown_bodies cimport Shape
def measure(Shape s not None): return s.twice(), s.describe("the")
""",
}

#: In C and C++: a consumer, and a provider that has no function for what has a body.
IN_C = r"""
#include "grown_bodies.h"
static double area(PyObject *self) { return (double)PyTuple_GET_SIZE(self); }
static PyObject *name(PyObject *self) { (void)self; return PyUnicode_FromString("tuple"); }
static grown_bodies_Solid_Provided tuples = {NULL, {area, name, NULL, NULL, NULL, NULL, NULL}};

static PyObject *
measure(PyObject *module, PyObject *args)
{
    PyObject *obj, *before, *text = NULL;
    double most, filled;
    grown_bodies_Shape_Ref ref = {NULL, NULL};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOd", &obj, &before, &most) || grown_bodies_Shape_Cast(obj, &ref) < 0) return NULL;
    grown_bodies_Shape_fill(ref, &filled);
    text = grown_bodies_Shape_check(ref, most) < 0 ? NULL : grown_bodies_Shape_describe(ref, before);
    if (text != NULL) {
        text = Py_BuildValue("dddN", grown_bodies_Shape_area(ref), grown_bodies_Shape_twice(ref), filled, text);
    }
    grown_bodies_Shape_Release(&ref);
    return text;
}

static PyObject *
volume(PyObject *module, PyObject *obj)
{
    PyObject *result;
#ifdef __cplusplus
    grown_bodies::Solid solid(obj);
    result = solid ? PyFloat_FromDouble(solid.volume()) : NULL;
#else
    grown_bodies_Solid_Ref solid;
    if (grown_bodies_Solid_Cast(obj, &solid) < 0) return NULL;
    result = PyFloat_FromDouble(grown_bodies_Solid_volume(solid));
    grown_bodies_Solid_Release(&solid);
#endif
    (void)module;
    return result;
}

static PyMethodDef methods[] = {
    {"measure", measure, METH_VARARGS, NULL}, {"volume", volume, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, NAME, NULL, -1, methods, NULL, NULL, NULL, NULL};
PyMODINIT_FUNC
INIT(void)
{
    PyObject *module;
    if (grown_bodies_Shape_Init() < 0 || grown_bodies_Solid_Init() < 0
            || grown_bodies_Solid_Register(&PyTuple_Type, &tuples) < 0) return NULL;
    module = PyModule_Create(&def);
#ifdef Py_GIL_DISABLED
    if (module != NULL) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}
"""


@pytest.fixture(scope="module", params=["c", "cpp"])
def in_c(modules, request):
    """The name of a module in C or C++, beside the others."""
    directory, name = support.cache_directory("older bodies", IN_C, *SOURCES.values()), f"grown_in_{request.param}"
    support.output_of(warm_cython.run_module("cython_customslots", "interface", "grown_bodies.pxd",
                                             "-o", "grown_bodies.h", cwd=modules.parent))
    support.write_source(directory / f"{name}.{request.param}", IN_C)
    support.build_c(name, directory / f"{name}.{request.param}", cflags=(f'-DNAME="{name}"', f"-DINIT=PyInit_{name}"),
                    include_dirs=[modules.parent, cython_customslots.get_include()], directory=modules.parent)
    return name


@pytest.fixture(scope="module")
def modules():
    head = "# cython: freethreading_compatible=True\n"
    return from_texts("older bodies", {name: head + source(text) for name, text in SOURCES.items()}, carries=True)


def check(modules, code):
    support.check_child("import grown_bodies as new, old_shapes as old\nsquare = old.Square()\nsquare.side = 3\n"
                        + source(code), modules=[modules])


def test_an_older_class_has_the_bodies_of_appended_methods(modules):
    check(modules, """
        import grown_consumer
        assert new.measure(square) == (9, 18, 18, "a square 18.0", 0)
        assert new.element([square]) == (18, True) and new.implements(square) == (True, False)
        assert grown_consumer.measure(square) == (18, "the square 18.0")
        assert new.measure([]) == (100, 200, 200, "a list 200.0", 0)
        assert new.implements(3) == (False, False)
        """)


def test_explain_says_which_functions_are_bodies(modules):
    check(modules, """
        import cython_customslots
        lines = cython_customslots.explain(square, new.shape()).splitlines()
        assert lines[0] == ("'old_shapes.Square' implements grown_bodies.Shape, with bodies of the interface for what "
                            "it was compiled without"), lines[0]
        assert [line[2] for line in lines[2:8]] == ["=", "=", "+", "+", "+", "+"], lines
        """)


def test_overrides_of_appended_methods_call_the_body_and_fail_as_methods_do(modules):
    check(modules, """
        Shape = new.shape()
        class Own(old.Square):
            def describe(self, before): return "own " + Shape.describe(self, before)
        try:
            class First(Shape, old.Square): pass        # the nearest class counts, and Python has no area()
        except TypeError as error: assert "area; put a class that implements them in front of it" in str(error), error
        else: raise AssertionError("Shape in front of Square is refused")
        class Last(old.Square, Shape):
            def describe(self, before): return "own " + super().describe(before)
        for cls in Own, Last:
            made = cls()
            made.side = 2
            assert new.measure(made)[3] == "own a square 8.0", cls
        class Wrong(old.Square):
            def describe(self, before): return 5
        class Without(old.Square):
            describe = None
        class Calls(old.Square):
            def describe(self, before): return new.measure(self)[3]
        assert new.measure(Without())[3] == "a square 0.0"
        for cls, expected in (Wrong, TypeError), (Calls, RecursionError):
            try: new.measure(cls())
            except expected: pass
            else: raise AssertionError(cls)
        for wrong in 5, None:
            try: Shape.describe(wrong, "a")
            except TypeError: pass
            else: raise AssertionError(wrong)
        """)


def test_exceptions_come_out_of_a_body_that_serves_an_older_class(modules):
    check(modules, """
        for most, cls in (2, old.Square), (2, type("Own", (old.Square,), {})):
            made = cls()
            made.side = 2
            try: new.measure(made, most)
            except ValueError as error: assert str(error) == "found 4.0, expected 2.0 or less", error
            else: raise AssertionError
        try: new.measure(None)
        except TypeError as error: assert "None" in str(error)
        """)


def test_a_method_of_an_older_class_that_is_only_called_alike_is_not_taken_for_the_appended_one(modules):
    check(modules, """
        assert new.measure(old.Other()) == (1, 2, 2, "a other 2.0", 10005)
        """)


def test_c_calls_the_bodies_of_an_older_class_and_python_overrides_them(modules, in_c):
    check(modules, f"""
        import {in_c} as in_c
        assert in_c.measure(square, "c", 100) == (9, 18, 18, "c square 18.0")
        assert in_c.measure([], "c", 100) == (100, 200, 200, "c list 200.0")
        class Own(old.Square):
            def describe(self, before): return before + " own"
        assert in_c.measure(Own(), "c", 1) == (0, 0, 0, "c own")
        try: in_c.measure(square, "c", 2)
        except ValueError as error: assert str(error) == "found 9.0, expected 2.0 or less", error
        try: in_c.volume(square)
        except TypeError as error: assert "'grown_bodies.Solid', found 'Square', which does not" in str(error), error
        """)


def test_a_class_of_c_leaves_to_the_bodies_what_it_has_no_function_for(modules, in_c):
    check(modules, f"""
        import {in_c} as in_c
        assert in_c.measure((1, 2), "c", 100) == (2, 4, 4, "c tuple 4.0") and in_c.volume((1, 2)) == 40
        assert new.measure((1,)) == (1, 2, 2, "a tuple 2.0", 0) and new.implements(()) == (True, True)
        """)


def test_without_the_module_of_the_interface_c_refuses_what_would_need_a_body(modules, in_c):
    support.check_child(f"""
        import sys
        sys.modules["grown_bodies"] = None
        import {in_c} as in_c, old_shapes as old
        for made in old.Square(), (1, 2):
            for call in lambda: in_c.measure(made, "c", 1), lambda: in_c.volume(made):
                try: call()
                except TypeError as error: assert "expected an object that implements interface" in str(error), error
                else: raise AssertionError
        """, modules=[modules])
