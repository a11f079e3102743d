# cython: freethreading_compatible=True
# Hooks and decorators of cdef classes.
cimport cython
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

log = []

class Attribute:
    def __set_name__(self, owner, name):
        log.append(("named", owner.__name__, name))

def register(cls):
    log.append(("registered", cls.__name__, cls.label))
    return cls

def labelled(label):
    def decorate(cls):
        log.append((label, cls.__name__))
        return cls
    return decorate

cdef class HookMeta(extensibletype): pass

@customslots.extensible
cdef class Hooked:
    label = "hooked"
    attribute = Attribute()

    def __init_subclass__(cls, tag=None, **kwargs):
        log.append(("Hooked", cls.__name__, cls.label, tag))
        super().__init_subclass__(**kwargs)

    def __class_getitem__(cls, item):
        return cls.__name__, item

@register
@customslots.metaclass(HookMeta, level=2)
@labelled("below ours")
cdef class Deep(Hooked):
    label = "deep"

    @classmethod
    def __init_subclass__(cls, **kwargs):
        log.append(("Deep", cls.__name__))
        super().__init_subclass__(**kwargs)

@labelled("declared")
cdef class Declared: pass

@customslots.slot(b"hooks.both", flags=1)
cdef class Both: pass

@labelled("implementing")
cdef class Implementing:
    cdef int count(self) noexcept:
        return 5

class Mixin:
    __slots__ = ()

    def __init_subclass__(cls, **kwargs):
        log.append(("Mixin", cls.__name__))
        super().__init_subclass__(**kwargs)

@labelled([word for word in ("first",)][0])
@(lambda cls: register(cls))
cdef class Several(Deep, Mixin):
    label = "several"

@cython.final
@register
cdef class Final(Deep):
    label = "final"
