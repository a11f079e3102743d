# cython: freethreading_compatible=True, preliminary_late_includes_cy28=True
# Classes whose type objects have names in C: for exported_use.c, which is linked into the
# module, for C code of the module itself, and for exported_consumer.c, another module.
from abc import ABCMeta, abstractmethod

cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

cdef extern from *:
    """
    #ifdef __cplusplus
    extern "C" {
    #endif
    PyObject *exported_use_types(void);
    PyObject *exported_use_subclass(void);
    int exported_use_which(PyObject *obj);
    #ifdef __cplusplus
    }
    #endif
    static int exported_is_shape(PyObject *obj) {
        return PyObject_TypeCheck(obj, &ExportedShapeType) && ExportedShapeType.tp_basicsize > 0;
    }
    """
    object exported_use_types()
    object exported_use_subclass()
    int exported_use_which(object obj)
    int exported_is_shape(object obj)

cdef class Meta(extensibletype):
    cdef public long level
    cdef public object label

@customslots.extensible
cdef public class Base [object ExportedBase, type ExportedBaseType]:
    cdef public int number
    def __init__(self, number=1): self.number = number
    cdef int doubled(self): return 2 * self.number

@customslots.metaclass(Meta, level=3, label="text")
@customslots.slot(customslots.PyCustomSlots_ID(1, 80, 0), flags=80)
cdef public class Shape(Base) [object ExportedShape, type ExportedShapeType]:
    cdef int doubled(self): return 20 * self.number

cdef class Private(Shape):
    pass

@customslots.slot(customslots.PyCustomSlots_ID(1, 81, 0), flags=81)
cdef api class Hidden [object ExportedHidden, type ExportedHiddenType]:
    cdef public int number

@customslots.metaclass(Meta, level=4)
cdef public api class Both(Shape) [object ExportedBoth, type ExportedBothType]:
    cdef double more

@customslots.extensible(metaclass=ABCMeta)
cdef public class Abstract [object ExportedAbstract, type ExportedAbstractType]:
    @abstractmethod
    def must(self): raise NotImplementedError

class Mixin:
    __slots__ = ()

@customslots.metaclass(Meta, level=5)
cdef public class Several(Shape, Mixin) [object ExportedSeveral, type ExportedSeveralType]:
    pass

cdef public int exported_doubled(Base base):
    return base.doubled()

def types(): return exported_use_types()
def subclass(): return exported_use_subclass()
def which(obj): return exported_use_which(obj)
def is_shape(obj): return exported_is_shape(obj)
def doubled(Base base): return base.doubled()
def level(cls): return (<Meta>cls).level
