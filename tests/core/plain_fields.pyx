# cython: language_level=3, freethreading_compatible=True
# SPDX-License-Identifier: MIT
"""Fields of a metaclass in plain Cython: C data, Python objects, the setter."""
from cython_customslots.provider cimport (
    delete_c_field, extensibletype, has_fields, inherit_fields, set_c_field)

cdef class NoteMeta(extensibletype):
    cdef int level
    cdef object note
    cdef double ratio
    cdef list items

inherit_fields(NoteMeta)


cdef class SubMeta(NoteMeta):
    cdef str comment

inherit_fields(SubMeta)


def fields(cls):
    if not has_fields(cls, NoteMeta):
        return None
    meta = <NoteMeta>cls
    return meta.level, meta.note, meta.ratio, meta.items


def write(cls, int level, note, list items):
    """A plain assignment: for this class alone."""
    meta = <NoteMeta>cls
    meta.level = level
    meta.note = note
    meta.items = items


def comment(cls, *value):
    if value:
        (<SubMeta>cls).comment = value[0]
    return (<SubMeta>cls).comment


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
