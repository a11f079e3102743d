# cython: freethreading_compatible=True
# A class whose metaclass has nothing to do with ours, compiled by plain Cython: what derives
# from it cannot be extended.
cdef extern from *:
    """
    #define LAYER_SET_TYPE(obj, type) Py_SET_TYPE(obj, (PyTypeObject *)(type))
    """
    void LAYER_SET_TYPE(object, object)

cdef class ForeignMeta(type):
    cdef long more

cdef class Foreign: pass

LAYER_SET_TYPE(Foreign, ForeignMeta)
