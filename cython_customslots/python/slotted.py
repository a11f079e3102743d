# SPDX-License-Identifier: MIT
"""Slots that a Python class declares: the metaclass Slotted.

A Python class can speak a C protocol when it gets the C data from elsewhere, in a capsule, or when
the protocol asks for a number or for the offset of a member:

    class Point(metaclass=Slotted):
        __slots__ = ("x", "y")
        __customslots__ = {
            "geometry.vtable": other_module.capsule,    # data.pointer: what it points to
            "geometry.x": "x",                          # data.objoffset: where x lies
            NUMFOCUS_FLAGS: (0b101, 2),                 # data.flags, recommended position 2
        }
"""

import sys
import types

from .. import provider as _provider
from .showing import cut, show

__all__ = ["Slotted"]

_WORD = 1 << (8 * _provider.layout(object)["word_size"])
_POSITIONS = 1024          # no consumer expects a slot behind that; a table is as long as needed

# Capsules that slots point into, by address.  They are kept for the life of the
# interpreter: tables are read, in subclasses and while a class is dying, for longer than
# Python code can tell.  Programs have few capsules and share them among classes.
_kept = {}


class _Declaration(dict):
    """What a class body calls __customslots__.

    type.__new__ calls __set_name__ when the class and its members exist, and before it
    calls __init_subclass__, which is to find the slots already.
    """

    __slots__ = ("done_for",)

    def __set_name__(self, cls, name):
        if name != "__customslots__" or not isinstance(cls, Slotted):
            return
        try:
            _apply(cls, self)
        except (TypeError, ValueError):
            # Older interpreters would raise a RuntimeError instead, which says nothing;
            # there Slotted.__init__ comes to the same error.
            if sys.version_info >= (3, 12):
                raise

    def __reduce__(self):
        # Without done_for: the copy of a class in another process reads the value again.
        for key, value in self.items():
            value = value[0] if isinstance(value, tuple) else value
            if _provider._capsule_pointer(value) is not None:
                raise _error(TypeError, self.done_for, key, f"{_describe(value)}, which only this process "
                             "has", "what a pickle can hold; or keep the class in a module that can be imported, "
                             "so that it is pickled by reference")
            if isinstance(key, int) and not key & 1:
                raise _error(TypeError, self.done_for, key, "an interned ID, which only this process has",
                             "its name, which every process interns")
        return _Declaration, (dict(self),)


class _Namespace(dict):
    """The namespace of a class body that wraps the declaration."""

    __slots__ = ()

    def __setitem__(self, key, value):
        if key == "__customslots__" and isinstance(value, dict):
            value = _Declaration(value)
        super().__setitem__(key, value)

    def update(self, *others, **names):
        # types.new_class() is often given this, and a metaclass need not call our __init__.
        for key, value in dict(*others, **names).items():
            self[key] = value


class Slotted(_provider.extensibletype):
    """Metaclass of classes that declare custom slots in ``__customslots__``.

    ``__customslots__`` is a dict, read when the class is made, from a pickle, too (assigning it
    later has no effect).  Keys: an int, the slot's ID (``PyCustomSlots_ID()`` in C), or a str, a name
    that is interned as by ``PyCustomSlots_Intern()``.  Values:

    =====================  ==================  ==========================================
    value                  member of the data  holds
    =====================  ==================  ==========================================
    a capsule              ``pointer``         its pointer, whatever its name; the capsule
                                               is kept for the life of the interpreter
    an int                 ``flags``           the number, which must fit into a pointer
    a member descriptor    ``objoffset``       its offset: of a name in ``__slots__`` of a
                                               base, or a C member of a base
    a str                  ``objoffset``       the same for a member by name, which may be
                                               one of the class itself
    =====================  ==================  ==========================================

    or a tuple ``(value, position)`` with the position that the protocol recommends.

    Slots are inherited along the MRO, overridden by subclasses, and follow ``__bases__``
    assignment, as those of classes from C.  Base classes may be providers of any kind; for
    ABCs, enumerations and metaclasses with C fields use ``combine(Slotted, ...)``.

    Slots are there before ``__init_subclass__`` runs if the class comes from a class statement or
    types.new_class(), and otherwise (``Slotted(name, bases, namespace)``, or a metaclass with a
    namespace of its own, such as EnumMeta) when the class is finished.  Errors, TypeError and
    ValueError, are raised at the same time, and leave no class behind (but before Python 3.12
    ``__init_subclass__`` has seen the class).
    """

    __slots__ = ()
    __module__ = "cython_customslots"           # where users import it: pickles name it so

    @classmethod
    def __prepare__(metacls, name, bases, /, **kwargs):
        namespace = super().__prepare__(name, bases, **kwargs)
        return _Namespace(namespace) if type(namespace) is dict else namespace

    def __init__(cls, name, bases, namespace, /, **kwargs):
        super().__init__(name, bases, namespace, **kwargs)
        own = type.__getattribute__(cls, "__dict__")
        if "__customslots__" in own:
            declaration = own["__customslots__"]
            if getattr(declaration, "done_for", None) is not cls:
                if isinstance(declaration, dict):
                    declaration = _Declaration(declaration)
                _apply(cls, declaration)
                super().__setattr__("__customslots__", declaration)

    def __setattr__(cls, name, value):
        # cloudpickle makes an empty class and sets what the body of the other one set.
        if name == "__customslots__" and type(value) is _Declaration and not hasattr(value, "done_for"):
            _apply(cls, value)
        super().__setattr__(name, value)


def _name(cls):
    return type.__getattribute__(cls, "__qualname__")


def _error(kind, cls, key, found, expected):
    where = f"{_name(cls)}.__customslots__"
    if key is not None:
        where += f"[{_show(key)}]"
    return kind(f"{where}: found {found}, expected {expected}")


def _show(value):
    # Slot IDs and addresses are hexadecimal everywhere.
    return cut(f"{value:#x}", 60) if type(value) is int else show(value, 60)


def _describe(value):
    return f"{_show(value)} of type {type(value).__name__!r}"


def _apply(cls, declaration):
    """Gives *cls* the slots it declares; raises before anything is changed."""
    if not isinstance(declaration, dict):
        raise _error(TypeError, cls, None, _describe(declaration),
                     "a dict {ID or name: capsule, int, member or (one of these, position)}")
    rows, capsules = {}, []
    placed, others = {}, []
    for key, value in declaration.items():
        number = _slot_id(cls, key)
        if number in rows:
            raise _error(ValueError, cls, key, f"slot ID {number:#x} a second time (first as "
                         f"{_show(rows[number])})", "each ID once")
        rows[number] = key
        position = None
        if isinstance(value, tuple):
            if len(value) != 2:
                raise _error(TypeError, cls, key, _describe(value),
                             "a value, or a tuple (value, position)")
            value, position = value
            if not isinstance(position, int) or isinstance(position, bool):
                raise _error(TypeError, cls, key, f"the position {_describe(position)}",
                             "an int")
            position = _number(cls, key, position, "the position", 0, _POSITIONS - 1)
            if position in placed:
                raise _error(ValueError, cls, key, f"the position {position}, which "
                             f"{_show(rows[placed[position][0]])} has", "a free one")
        row = number, _data(cls, key, value, capsules)
        if position is None:
            others.append(row)
        else:
            placed[position] = row
    free = (i for i in range(len(placed) + len(others)) if i not in placed)
    placed.update(zip(free, others))
    length = max(placed, default=-1) + 1
    _kept.update((id(capsule), capsule) for capsule in capsules)
    _provider._set_slots(cls, [placed.get(i, (1, 0)) for i in range(length)])    # 1: SKIP
    if isinstance(declaration, _Declaration):
        declaration.done_for = cls


def _number(cls, key, number, what, lowest, highest):
    number = int.__index__(number)             # of an int subclass, what it really is
    if not lowest <= number <= highest:
        raise _error(ValueError, cls, key, f"{what} {_show(number)}",
                     f"one from {lowest:#x} to {highest:#x}")
    return number


def _slot_id(cls, key):
    if isinstance(key, str):
        if not key:
            raise _error(ValueError, cls, key, "an empty name", "a slot's name")
        try:
            return _provider.intern(key)
        except ValueError as error:            # a NUL, a lone surrogate
            raise _error(ValueError, cls, key, f"a name that C cannot hold ({error})",
                         "a plain one") from None
    if not isinstance(key, int) or isinstance(key, bool):
        raise _error(TypeError, cls, key, f"the key {_describe(key)}",
                     "an int (a slot ID) or a str (its name)")
    return _number(cls, key, key, "the slot ID", 2, _WORD - 1)


def _data(cls, key, value, capsules):
    """The word of a slot; appends what must be kept alive to *capsules*."""
    if isinstance(value, int):
        return _number(cls, key, value, "the number", 0, _WORD - 1)
    if isinstance(value, str):
        return _offset(cls, key, _member(cls, key, value))
    pointer = _provider._capsule_pointer(value)
    if pointer is not None:
        capsules.append(value)
        return pointer
    if isinstance(value, types.MemberDescriptorType):
        return _offset(cls, key, value)
    raise _error(TypeError, cls, key, _describe(value),
                 "a capsule (a pointer), an int (flags), a member descriptor or the name of "
                 "a member (its offset), or a tuple of one of these and a position")


def _member(cls, key, name):
    mangled = name
    if name.startswith("__") and not name.endswith("__"):
        mangled = f"_{type.__getattribute__(cls, '__name__').lstrip('_')}{name}"
    for base in type.__getattribute__(cls, "__mro__"):
        namespace = type.__getattribute__(base, "__dict__")
        for spelling in (mangled, name):
            if spelling in namespace:
                found = namespace[spelling]
                if isinstance(found, types.MemberDescriptorType):
                    return found
                raise _error(TypeError, cls, key, f"the name {name!r}, which is "
                             f"{_describe(found)} in {_name(base)}",
                             "the name of a member: in __slots__, or a C member of a base")
    raise _error(ValueError, cls, key, f"the name {name!r}, which no class in the MRO has",
                 "the name of a member: in __slots__ (which cloudpickle leaves out when it pickles a class "
                 "by value), or a C member of a base")


def _offset(cls, key, member):
    offset, owner = _provider._member_offset(member)
    if owner not in type.__getattribute__(cls, "__mro__"):
        raise _error(TypeError, cls, key, f"a member of {_name(owner)}, which is no base of it",
                     "a member of the class or of a base: instances have no other")
    return offset
