# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""A class for each message that the C library describes, made when this is imported."""
cimport cython_customslots as customslots
from cpython.object cimport PyObject, PyTypeObject
from cython_customslots.provider cimport extensibletype
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

cdef extern from "messages.h" nogil:
    ctypedef enum field_kind:
        FIELD_INTEGER
        FIELD_REAL
        FIELD_TEXT
    ctypedef struct field_desc:
        const char *name
        field_kind kind
        size_t offset
    ctypedef struct message_desc:
        const char *name
        const message_desc *parent
        size_t size
        size_t count
        const field_desc *fields
    const message_desc empty_message
    const message_desc *const *all_messages
    const size_t TEXT_SIZE
    size_t message_text_length(const char *text)
    size_t message_print(const message_desc *desc, const void *message, char *buffer, size_t size)

cdef extern from "Python.h" nogil:
    PyObject *PyTuple_GET_ITEM(PyObject *items, Py_ssize_t index)
    PyTypeObject *Py_TYPE(PyObject *obj)


# [type.begin]
cdef class MessageType(extensibletype):
    cdef const message_desc *desc       # what its instances hold, in C
    cdef public int version             # for Python classes to set


@customslots.metaclass(MessageType, desc=&empty_message, version=1)
cdef class Message:
    """Base of all messages.  Its own structure is empty."""
    cdef void *data
    cdef size_t size

    def __cinit__(self, *args, **values):
        self.size = (<MessageType>type(self)).desc.size
        self.data = calloc(1, self.size or 1)
        if self.data is NULL:
            raise MemoryError
# [type.end]

    def __init__(self, **values):
        for name, value in values.items():
            if not isinstance(getattr(type(self), name, None), Field):
                raise TypeError(f"{type(self).__name__} has no field {name!r}")
            setattr(self, name, value)

    def __dealloc__(self):
        free(self.data)

    def __repr__(self):
        cdef const message_desc *desc = (<MessageType>type(self)).desc
        if desc.size > self.size:           # somebody has assigned __class__
            raise TypeError(f"a message of {self.size} bytes is no {desc.name.decode()}")
        cdef size_t length = message_print(desc, self.data, NULL, 0)
        cdef bytearray text = bytearray(length + 1)
        message_print(desc, self.data, text, length + 1)
        return text[:length].decode("utf-8", "replace")


cdef class Field:
    """A field of a message: reads and writes the C structure."""
    cdef const field_desc *desc

    cdef char *place(self, Message message) except NULL:
        cdef size_t size = (sizeof(long) if self.desc.kind == FIELD_INTEGER else
                            sizeof(double) if self.desc.kind == FIELD_REAL else TEXT_SIZE)
        if self.desc.offset + size > message.size:
            raise TypeError(f"{type(message).__name__} has no field {self.desc.name.decode()!r}")
        return <char *>message.data + self.desc.offset

    def __get__(self, instance, owner):
        if instance is None:
            return self
        cdef const char *place = self.place(<Message?>instance)
        if self.desc.kind == FIELD_INTEGER:
            return (<const long *>place)[0]
        if self.desc.kind == FIELD_REAL:
            return (<const double *>place)[0]
        return place[:message_text_length(place)].decode("utf-8", "replace")

    def __set__(self, instance, value):
        cdef char *place = self.place(<Message?>instance)
        if self.desc.kind == FIELD_INTEGER:
            (<long *>place)[0] = value
        elif self.desc.kind == FIELD_REAL:
            (<double *>place)[0] = value
        else:
            self.set_text(place, value.encode("utf-8"))

    cdef set_text(self, char *place, bytes value):
        if <size_t>len(value) >= TEXT_SIZE or b"\0" in value:
            raise ValueError(f"{self.desc.name.decode()}: found {len(value)} bytes, expected at "
                             f"most {TEXT_SIZE - 1} and no zero among them")
        memset(place, 0, TEXT_SIZE)
        memcpy(place, <const char *>value, len(value))

    def __delete__(self, instance):
        raise AttributeError(f"{self.desc.name.decode()}: fields cannot be deleted")


# [make.begin]
cdef make_class(const message_desc *desc, bases):
    cdef Field field
    cdef size_t i
    namespace = {"__module__": __name__, "__slots__": ()}
    for i in range(desc.count):
        field = Field.__new__(Field)
        field.desc = &desc.fields[i]
        namespace[desc.fields[i].name.decode()] = field
    cls = MessageType(desc.name.decode(), bases, namespace)
    (<MessageType>cls).desc = desc
    return cls


# Python lets a class made at run time change its bases to others of its kind, but not from a
# static class as Message is; so the generated classes have this one between.
Struct = MessageType("Struct", (Message,), {"__module__": __name__, "__slots__": ()})


def _make_all():
    cdef size_t i = 0
    while all_messages[i] is not NULL:
        parent = all_messages[i].parent
        base = Struct if parent is NULL else globals()[parent.name.decode()]
        cls = make_class(all_messages[i], (base,))
        globals()[cls.__name__] = cls
        i += 1

_make_all()
# [make.end]


# [size.begin]
def total_size(tuple messages):
    """How many bytes of C structures these hold: no attribute, no dictionary and no GIL."""
    cdef Py_ssize_t i, count = len(messages)
    cdef size_t total = 0
    for message in messages:
        if not isinstance(message, Message):
            raise TypeError(f"total_size: found {type(message).__name__!r}, expected messages")
    with nogil:
        for i in range(count):
            total += size_of(PyTuple_GET_ITEM(<PyObject *>messages, i))
    return total


cdef inline size_t size_of(PyObject *message) noexcept nogil:
    return (<MessageType>Py_TYPE(message)).desc.size
# [size.end]
