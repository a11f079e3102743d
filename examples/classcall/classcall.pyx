# SPDX-License-Identifier: MIT
# cython: language_level=3, freethreading_compatible=True
"""A metaclass, in Cython and with C fields, for cdef classes and Python classes alike."""
from cpython.object cimport PyTypeObject


cdef class ClasscallType(extensibletype):

    def __init__(cls, name, bases, namespace, **keywords):
        # A class that says nothing new is not looked up: it has its base's values already.
        # A value that is set here is the class's own, and its subclasses start with it.
        super().__init__(name, bases, namespace, **keywords)
        if "__classcall__" in namespace:
            cls.classcall = cls.__classcall__
        if "__classcontains__" in namespace:
            cls.classcontains = cls.__classcontains__
        if "__classget__" in namespace:
            cls.classget = cls.__classget__
        cls.own_classcall = (
            cls.__classcall_private__ if "__classcall_private__" in namespace else None)

    # [call.begin]
    def __call__(cls, *args, **keywords):
        if cls.own_classcall is not None:
            return cls.own_classcall(cls, *args, **keywords)
        if cls.classcall is not None:
            return cls.classcall(cls, *args, **keywords)
        return (<PyTypeObject *>type).tp_call(cls, args, keywords)
    # [call.end]

    def __contains__(cls, x):
        return isinstance(x, cls) if cls.classcontains is None else cls.classcontains(cls, x)

    def __get__(cls, instance, owner):
        return cls if cls.classget is None else cls.classget(cls, instance, owner)
