# SPDX-License-Identifier: MIT
# cython: language_level=3
"""cdef classes that differ only in what their type objects carry, and one that has a hook."""
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype


cdef class Plain:
    cdef long number

    def c_method(self):
        pass


@customslots.slot(customslots.PyCustomSlots_ID(1, 0xBE05, 0), flags=1)
cdef class SlotProvider:
    cdef long number

    def c_method(self):
        pass


cdef class FieldType(extensibletype):
    cdef const char *sentence
    cdef long number


@customslots.metaclass(FieldType, sentence=b"Hello", number=7)
cdef class FieldProvider:
    cdef long number

    def c_method(self):
        pass


cdef class Hooked(SlotProvider):
    def __init_subclass__(cls, **keywords):
        super().__init_subclass__(**keywords)


cdef extern from *:
    """
    /* What no metaclass in C with memory for slots and fields can be quicker than: functions that call type's. */
    static PyObject *idle_alloc(PyTypeObject *meta, Py_ssize_t n) { return PyType_GenericAlloc(meta, n); }
    static int idle_init(PyObject *cls, PyObject *args, PyObject *kwargs) {
        return PyType_Type.tp_init(cls, args, kwargs);
    }
    static int idle_traverse(PyObject *cls, visitproc visit, void *arg) {
        return PyType_Type.tp_traverse(cls, visit, arg);
    }
    static int idle_clear(PyObject *cls) { return PyType_Type.tp_clear(cls); }
    static void idle_dealloc(PyObject *cls) { PyType_Type.tp_dealloc(cls); }

    static PyObject *idle_metaclass(void) {
        static PyType_Slot slots[] = {
            {Py_tp_alloc, (void *)idle_alloc}, {Py_tp_init, (void *)idle_init}, {Py_tp_clear, (void *)idle_clear},
            {Py_tp_traverse, (void *)idle_traverse}, {Py_tp_dealloc, (void *)idle_dealloc}, {0, NULL}};
        static PyType_Spec spec = {"classes.Idle", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
        spec.basicsize = (int)PyType_Type.tp_basicsize + 5 * (int)sizeof(void *);
        return PyType_FromSpecWithBases(&spec, (PyObject *)&PyType_Type);
    }
    """
    object idle_metaclass()


Idle = idle_metaclass()
