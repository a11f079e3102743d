# cython: freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""Classes with a name in C, and others, for --extend-all."""
cdef class Base:
    cdef public int x
cdef public class Shown(Base) [object ShownObject, type ShownType]: pass
cdef class Beside(Base): pass
cdef class Other: pass
cdef class Sub(Other): pass
cdef api class Api [object ApiObject, type ApiType]: pass
cdef extern from *:
    """
    extern PyTypeObject ShownType;
    static PyObject *shown(void) { return Py_NewRef((PyObject *)&ShownType); }
    """
    object shown()
def symbol(): return shown()
