# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""Fields of a metaclass in plain Cython: C data, the setter; and what is refused."""
from cython_customslots.provider cimport (
    delete_c_field, extensibletype, has_fields, inherit_fields, set_c_field)

cdef class NoteMeta(extensibletype):
    cdef int level
    cdef double ratio

inherit_fields(NoteMeta)


cdef class Forgotten(NoteMeta):             # inherit_fields() is missing
    pass

cdef class Objects(extensibletype):
    cdef int number
    cdef str text

def register():
    inherit_fields(Objects)


def fields(cls):
    if not has_fields(cls, NoteMeta):
        return None
    meta = <NoteMeta>cls
    return meta.level, meta.ratio


def text(Objects cls, *value):
    if value:
        cls.text = value[0]
    return cls.text


def set_ratio(cls, double ratio):
    set_c_field(cls, &(<NoteMeta>cls).ratio, &ratio, sizeof(ratio))


def delete_ratio(cls):
    delete_c_field(cls, &(<NoteMeta>cls).ratio)


def set_elsewhere(cls, double ratio):
    set_c_field(cls, &ratio, &ratio, sizeof(ratio))


def make_class(meta, bases, namespace, dict keywords):
    """A class statement in Cython."""
    class Made(*bases, metaclass=meta, **keywords):
        locals().update(namespace)
    return Made
