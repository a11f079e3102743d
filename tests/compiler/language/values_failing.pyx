# cython: freethreading_compatible=True
# cython: language_level=3
# Values whose evaluation raises an exception when the test says so.
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype
from values_other cimport may_fail

cdef extern from *:
    """
    /* Raises what sys.values_failing_early is, if anything. */
    static int values_early(int number) {
        PyObject *exception = PySys_GetObject("values_failing_early");
        if (exception == NULL) return number;
        PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
        return -1;
    }
    """
    int values_early(int number) except -1

cdef class Meta(extensibletype):
    cdef long early
    cdef long late
    cdef object obj

@cs.metaclass(Meta, early=2, late=3, obj=["first"])
cdef class First: pass

@cs.metaclass(Meta, early=values_early(5), late=may_fail(6), obj=[x for x in (7, 8)])
@cs.slot(0x7F000201, flags=values_early(9))
cdef class Failing(First):
    cpdef int method(self):
        return 1

cdef class Under(Failing): pass

def fields(cls):
    cdef Meta c = cls
    return c.early, c.late, c.obj
