# SPDX-License-Identifier: MIT
"""docs/pypy_branch.h, an appendix: the metadata stand where PyPy's branch for typed functions reads them."""
import textwrap

import support

MODULE = textwrap.dedent("""
    #include <Python.h>
    #include "typedmethod.h"
    #include "pypy_branch.h"
    #include "module.h"

    static PyObject *wrapper(PyObject *module, PyObject *arg) { Py_INCREF(arg); return arg; }
    static long inc_impl(long x) { return x + 1; }
    static double add_impl(double left, double right) { return left + right; }
    static PyObject *same_impl(PyObject *x, long y) { (void)y; Py_INCREF(x); return x; }
    static float narrow_impl(float x) { return x; }
    static long nothing_impl(void) { return 1; }

    PYPY_FUNCTION(inc, inc_impl, 0, 0, long(long));
    PYPY_FUNCTION(raising, inc_impl, PyTypedMethod_RAISES_VALUE, -1, long(long));
    PYPY_FUNCTION(add, add_impl, 0, 0, double(double, double));
    PYPY_FUNCTION(same, same_impl, PyTypedMethod_RAISES_VALUE, NULL, object(object, long));
    PYPY_FUNCTION(narrow, narrow_impl, 0, 0, float(float));
    PYPY_FUNCTION(nothing, nothing_impl, 0, 0, long());

    static PyMethodDef methods[] = {
        PYPY_ROW(inc, wrapper, METH_O, NULL), PYPY_ROW(raising, wrapper, METH_O, NULL),
        PYPY_ROW(add, wrapper, METH_O, NULL), PYPY_ROW(same, wrapper, METH_O, NULL),
        PYPY_ROW(narrow, wrapper, METH_O, NULL), PYPY_ROW(nothing, wrapper, METH_O, NULL),
        {NULL, NULL, 0, NULL}
    };

    /* (flags, types of arguments, type of the result, is there a function, name) as the branch reads */
    static PyObject *
    as_read(PyObject *module, PyObject *ignored)
    {
        PyObject *result = PyList_New(0);
        PyMethodDef *def;
        for (def = methods; def->ml_name != NULL; def++) {
            PyPyTypedMethodMetadata *found = (PyPyTypedMethodMetadata *)(uintptr_t)(
                def->ml_name - offsetof(PyPyTypedMethodMetadata, ml_name));
            PyObject *types = PyList_New(0), *row;
            int *type;
            for (type = found->arg_types; *type != -1; type++) {
                PyList_Append(types, PyLong_FromLong(*type));
            }
            row = Py_BuildValue("iNiis", (def->ml_flags & METH_TYPED) != 0, types, found->ret_type,
                                found->underlying_func != NULL, def->ml_name);
            PyList_Append(result, row);
        }
        return result;
    }

    static int
    execute(PyObject *module)
    {
        const PyTypedMethodRecord *const records[] = {
            &inc_typed, &raising_typed, &add_typed, &same_typed, &narrow_typed, &nothing_typed};
        return PyTypedMethod_RegisterMethods(methods, records, 6);
    }

    static PyMethodDef readers[] = {TAKES_NONE(as_read), {NULL, NULL, 0, NULL}};
    MODULE(pypy_branch, readers, EXECUTE(execute))
    """)


def test_metadata_stand_where_the_branch_reads_them(tmp_path):
    """1 is long, 2 double, 3 an object; a negative result may raise; what it has no word for is not typed."""
    source = support.write_source(tmp_path / "pypy_branch.c", MODULE)
    module = support.load(support.build_c(
        "pypy_branch", source, cflags=("-std=c99", *support.STRICT_FLAGS),
        include_dirs=[support.ROOT / "docs", support.TESTS], directory=tmp_path))
    assert module.as_read() == [
        (1, [1], 1, 1, "inc"), (1, [1], -1, 1, "raising"), (1, [2, 2], 2, 1, "add"),
        (1, [3, 1], -3, 1, "same"), (0, [0], 0, 1, "narrow"), (1, [], 1, 1, "nothing")]
