# SPDX-License-Identifier: MIT
"""`const` of what a pointer, a view or an array leads to: a provider may promise it, and no caller loses it."""
import itertools

import cython_customslots
import pytest
import support
import warm_cython
from compiling import compile_all, source

pytestmark = pytest.mark.cythons

FORMS = {"plain": "", "const": "const "}
HEAD = """# cython: freethreading_compatible=True
from sums cimport Pair, Sum
from points cimport Points
"""
DECLARATION = """
    cimport cython_customslots as customslots

    cdef struct Pair:
        double x

    @customslots.interface(b"consts.Sum")
    cdef class Sum:
        cdef double first(self, {0}double *x, double **rows) noexcept
        cdef double views(self, {0}double[:] x, {0}Pair *pair) noexcept
        cdef int last(self) noexcept
    """
PROVIDER = """
    cdef class Impl(Sum, Points):
        cdef double point(self, {0}double *x) noexcept: return x[0] + 1
        cdef double first(self, {0}double *x, double **rows) noexcept: return x[0]
        cdef double views(self, {0}double[:] x, {0}Pair *pair) noexcept: return x[0] + pair.x
        cdef int last(self) noexcept: return 7
    """
POINTS = """
    cimport cython_customslots as customslots

    @customslots.interface(b"consts.Points")
    cdef class Points:
        cdef double point(self, {0}double *x) noexcept
    """
IN_C = r"""
#include "points_{0}.h"
static PyObject *
use(PyObject *module, PyObject *obj)
{{
    const double x = 5;
    double result;
    consts_Points_Ref ref;
    (void)module;
    if (consts_Points_Cast(obj, &ref) < 0) return NULL;
    result = consts_Points_point(ref, (double *)&x);
    consts_Points_Release(&ref);
    return PyFloat_FromDouble(result);
}}
static PyMethodDef methods[] = {{{{"use", use, METH_O, NULL}}, {{NULL, NULL, 0, NULL}}}};
static struct PyModuleDef def = {{PyModuleDef_HEAD_INIT, "in_c_{0}", NULL, -1, methods, NULL, NULL, NULL, NULL}};
PyMODINIT_FUNC
PyInit_in_c_{0}(void)
{{
    PyObject *module = consts_Points_Init() < 0 ? NULL : PyModule_Create(&def);
#ifdef Py_GIL_DISABLED
    if (module != NULL) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    return module;
}}
"""
CONSUMER = """
    def use(Sum s not None):
        cdef double[2] x = [5, 6]
        cdef double[:] view = x
        cdef Pair pair = Pair(3)
        return s.first(x, NULL), s.views(view, &pair), s.last()
    def implements(o): return isinstance(o, Sum)
    def of_python(o): return Sum.of(o) is o
    """


@pytest.fixture(scope="module")
def modules():
    """A provider and a consumer for each form, which see the declaration in that."""
    sources = support.cache_directory("const of interfaces", DECLARATION, POINTS, PROVIDER, CONSUMER, IN_C)
    for form, word in FORMS.items():
        texts = {"sums.pxd": source(DECLARATION).format(word), "points.pxd": source(POINTS).format(word),
                 f"in_c_{form}.c": IN_C.format(form),
                 f"provider_{form}.pyx": source(PROVIDER).format(word), f"consumer_{form}.pyx": source(CONSUMER)}
        for name, text in texts.items():
            head = HEAD * name.endswith("pyx")
            support.write_source(sources / form / name, head + text)
        for name in f"provider_{form}", f"consumer_{form}":
            path = sources / form / f"{name}.pyx"
            built = support.build_cython(path, include_dirs=[path.parent], directory=sources)
        support.output_of(warm_cython.run_module("cython_customslots", "interface", "points.pxd", "-o",
                                                 f"points_{form}.h", cwd=sources / form))
        support.build_c(f"in_c_{form}", sources / form / f"in_c_{form}.c", directory=sources,
                        include_dirs=[sources / form, cython_customslots.get_include()])
    return built


@pytest.mark.parametrize(("provider", "consumer"), [*itertools.product(FORMS, FORMS)])
def test_a_provider_may_promise_more_than_a_caller_asks_for_and_not_less(modules, provider, consumer):
    support.check_child(f"""
        import cython_customslots
        from provider_{provider} import Impl
        from consumer_{consumer} import implements, of_python, use
        if {(provider, consumer) != ("plain", "const")}:
            assert use(Impl()) == (5, 8, 7) and implements(Impl()) and of_python(Impl())
        else:
            assert not implements(Impl()) and not of_python(Impl())
            try: use(Impl())
            except TypeError as error:
                for words in "with 'f8 first(object, f8*, pointer) noexcept'", "for 'f8 first(object, const f8*, ":
                    assert words in str(error), error
            else: assert False
        """, modules=[modules])


@pytest.mark.parametrize(("provider", "consumer"), [*itertools.product(FORMS, FORMS)])
def test_so_it_is_for_a_consumer_in_c(modules, provider, consumer):
    support.check_child(f"""
        from provider_{provider} import Impl
        from in_c_{consumer} import use
        try: found = use(Impl())
        except TypeError as error: found = str(error).partition("; ")[0]
        assert found == {REFUSED if (provider, consumer) == ("plain", "const") else 6!r}, found
        """, modules=[modules])


#: What the C of a caller says.
REFUSED = ("expected an object that implements interface 'consts.Points', found 'Impl', which implements it with "
           "'f8 point(object, f8*) noexcept', where this module was compiled for "
           "'f8 point(object, const f8*) noexcept'")
TYPES = [("double *", "const double *"), ("double[::1]", "const double[::1]"), ("Pair *", "const Pair *"),
         ("void *", "const void *"), ("double **", "double *const *")]
CASES = {f"case{i}": (where, *types) for i, (where, types) in enumerate(
    (where, types) for pair in TYPES for types in (pair, pair[::-1]) for where in ("argument", "result"))}


@pytest.fixture(scope="module")
def compiled():
    def module(where, asked, given):
        head = "cimport cython_customslots as cs\ncdef struct Pair:\n    int x\n"
        line = "cdef {} f(self) except *" if where == "result" else "cdef int f(self, {} x) except *"
        return (f'{head}@cs.interface(b"t.I")\ncdef class I:\n    {line.format(asked)}\n'
                f"cdef class A(I):\n    {line.format(given)}: raise ValueError\n")
    return compile_all({name: {"mod.pyx": module(*case)} for name, case in CASES.items()})


@pytest.mark.parametrize("name", CASES, ids=["-".join(case) for case in CASES.values()])
def test_a_class_may_promise_const_in_arguments_and_leave_it_out_of_results(compiled, name):
    where, asked, given = CASES[name]
    found = [error[3] for error in compiled[name].errors]
    if ("const" in given) == (where == "argument"):
        assert not found
    else:
        assert len(found) == 1 and "cannot implement that of interface 'I'" in found[0], found


def test_const_behind_a_pointer_to_a_pointer_is_the_same():
    head = ('cimport cython_customslots as cs\n@cs.interface(b"t.I")\n'
            "cdef class I:\n    cdef int f(self, {} x) noexcept\n")
    other = "cdef class A(I):\n    cdef int f(self, {} x) noexcept: return 1\n"
    types = ("double **", "const double **")
    found = compile_all({f"case{i}": {"mod.pyx": head.format(asked) + other.format(given)}
                         for i, (asked, given) in enumerate((types, types[::-1]))})
    assert all("argument 'x' differs" in found[name].errors[0][3] for name in found)
