# SPDX-License-Identifier: MIT
"""Metaclasses for classes that are extensible and something else, too."""

from .python.showing import show


def combine(*sources):
    """Return the metaclass for a class whose bases or metaclasses are *sources*.

    It is the cure for "metaclass conflict: the metaclass of a derived class must be a
    (non-strict) subclass of the metaclasses of all its bases", which CPython says of ``class Shape(Provider, ABC)``,
    because neither of extensibletype and ABCMeta derives from the other:

        class Shape(Provider, ABC, metaclass=combine(Provider, ABC)): ...

    A source is a class, whose metaclass counts, or a metaclass.  Metaclasses that another one
    derives from are left out; if only one remains, it is returned.  Otherwise the result is a
    metaclass that derives from all that remain.  It is made once for each combination: it is the
    same in whatever order they are given, and whether at once or one after the other, and it
    derives from the combinations of fewer of them.  In its MRO they are ordered by their full names,
    with those that have C storage (extensibletype) last.  Where another order matters, because two of
    them define __new__ or __call__ and do not call super(), write the metaclass yourself and
    give it to this function, which keeps it as it is:

        class Both(EnumMeta, ABCMeta): ...
        metaclass=combine(Provider, Both)

    Raises TypeError for a source that is not a class, if more than one of the metaclasses lays out
    type objects in C, and if CPython finds no MRO; each time with the names of those that cannot
    be combined.  Safe to call from several threads; metaclasses that it makes are kept for the
    life of the interpreter.
    """
    from .provider import _combine
    return _combine(tuple(_metaclass_of(source) for source in sources))


def _metaclass_of(source):
    if not isinstance(source, type):
        raise TypeError(f"combine: found {show(source)}, an object of type "
                        f"{type(source).__name__!r}; expected classes and metaclasses")
    return source if issubclass(source, type) else type(source)


def __getattr__(name):
    """The combination that a pickle names: "abc:ABCMeta and _extensibletype:extensibletype_v4"."""
    parts = name.replace(":", ".").split(" and ")
    if len(parts) < 2 or any(part.startswith("__main__.") for part in parts):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    import pkgutil
    return combine(*map(pkgutil.resolve_name, parts))
