"""Unique representation, factories and nested classes on top of cdef classes."""
import functools

from classcall import ClasscallType
from elements import Element, Number

print("type(Element) =", type(Element))
print(Element("ZZ"))


# ---- unique representation: the same arguments, the same object; written in Python ----

class Unique(metaclass=ClasscallType):
    """Sage's UniqueRepresentation, in its simplest form."""
    @staticmethod
    def __classcall__(cls, *args):
        key = (cls, *args)
        if key not in Unique.made:
            Unique.made[key] = type.__call__(cls, *args)
        return Unique.made[key]

    made = {}


class Generator(Unique, Element):       # a Python class and a cdef class: one metaclass
    pass


class NamedGenerator(Generator):
    pass


print(Generator("QQ"))
print("Generator is unique:", Generator("QQ") is Generator("QQ"))
print("so is its subclass: ", NamedGenerator("QQ") is NamedGenerator("QQ"))
print("an Element is not:  ", Element("QQ") is Element("QQ"))


# ---- a factory: for the class itself, not for its subclasses ----

class Integer(Number):
    @staticmethod
    def __classcall_private__(cls, value):
        return (Small if -5 <= value <= 256 else Large)("ZZ", value)


class Small(Integer):
    pass


class Large(Integer):
    pass


for value in 7, 1000:
    made = Integer(value)
    print(made, "is made as", type(made).__name__)
print("7 in Number, Integer, Element:", 7 in Number, 7 in Integer, 7 in Element)


# ---- a nested class that is bound like a method ----

class Ring:
    def __repr__(self):
        return "the ring"

    class Element(Element):
        @staticmethod
        def __classget__(cls, instance, owner):
            return cls if instance is None else functools.partial(cls, instance)


print(Ring().Element())


# ---- and a change afterwards, which subclasses follow ----

class Logged(Element):
    pass


class LoggedToo(Logged):
    pass


def log(cls, *args):
    print("making", cls.__name__, "from", *args)
    return type.__call__(cls, *args)


Logged.classcall = log
LoggedToo("RR")
