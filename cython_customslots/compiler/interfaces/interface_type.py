# SPDX-License-Identifier: MIT
"""What an interface is to Cython: an extension type without a type object.

Its variables hold ordinary object references, so closures, generators and containers know what to do
with them.  No object is ever an instance of it: the slot with its ID says whether an object implements
it, and the slot's data is a table of C functions (_customslots/interface.h).
"""

from Cython.Compiler import PyrexTypes

from ..shared.facts import ClassFacts, ancestors


class InterfaceType(PyrexTypes.PyExtensionType):
    """The type of an interface; made of the PyExtensionType that Cython declared."""

    interface_id = None      # bytes that are interned, or the C expression of a static ID
    interface_doc = None
    method_docs = {}         # {name of a method: its docstring}
    cpdefs = frozenset()     # names of the methods that Python may override
    bodies = {}              # {name of a method with a body: the entry of the function (bodies.py)}
    late_bodies = {}         # {name of a cpdef one: the entry of the function that looks for an override first}

    is_met = False           # of the class: the module that is being compiled knows an interface

    @classmethod
    def make(cls, type_, identity):
        type_.__class__ = cls
        InterfaceType.is_met = True
        type_.interface_id = identity
        type_.early_init = 1

    def subtype_of_resolved_type(self, other_type):
        if is_interface(other_type):
            return other_type in self.chain()
        return other_type is PyrexTypes.py_object_type

    def assignable_from(self, src_type):
        return self in implemented_by(src_type)

    def chain(self):
        """The interface and those that it extends, nearest first."""
        return list(ancestors(self))

    @property
    def key(self):
        """The beginning of the names of its C data."""
        return self.vtabstruct_cname.replace("vtabstruct", "interface", 1)

    @property
    def full_name(self):
        """Its name for people: its ID, if that is a name, which is the same in every copy."""
        if isinstance(self.interface_id, bytes):
            return self.interface_id.decode("utf-8")
        return f"{self.module_name}.{self.name}"


def is_interface(type_):
    return isinstance(type_, InterfaceType)


def implemented_by(type_):
    """All interfaces that an object of an extension type is known to implement."""
    if is_interface(type_):
        return type_.chain()
    if not getattr(type_, "is_extension_type", False):
        return []
    found = []
    for ancestor in ancestors(type_):
        for interface in ClassFacts.known(ancestor).implements:
            found += [known for known in interface.chain() if known not in found]
    return found


def methods_of(interface):
    """The entries of an interface's methods, in the order of the table.

    As the scope of the interface knows them: the C name of an inherited one is a path.
    """
    return list(interface.scope.cfunc_entries)


def subtype_of(original, self, other_type):
    """A class is a subtype of what it implements: an assignment needs no test."""
    if is_interface(other_type):
        return other_type in implemented_by(self)
    return original(self, other_type)


def check_class(original, self, entry):
    """An interface need not be implemented here, as a class must be."""
    if not is_interface(entry.type) or entry.type.scope is None:
        original(self, entry)
