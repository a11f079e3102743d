# SPDX-License-Identifier: MIT
"""Metaclasses for classes that are extensible and something else, too.

CPython gives a class the most derived metaclass of its bases, and refuses if there is
none.  ``class Shape(Provider, ABC)`` is refused, because neither of extensibletype and
ABCMeta derives from the other; nobody is asked first.  The cure is a metaclass that
derives from both:

    class Shape(Provider, ABC, metaclass=combine(Provider, ABC)): ...
"""

import itertools
import sys
import threading

from .showing import show

_lock = threading.Lock()
_made = {}                 # (metaclass, ...) -> the metaclass that combines them


def _combined():
    """The same for all who combine in this interpreter, compiled providers among them.

    It lies beside extensibletype: without that, none of the metaclasses is ours.
    """
    rendezvous = sys.modules.get("_extensibletype")
    return _made if rendezvous is None else vars(rendezvous).setdefault("_combined", {})


def combine(*sources):
    """Return the metaclass for a class whose bases or metaclasses are *sources*.

    A source is a class, whose metaclass counts, or a metaclass.  Metaclasses that
    another one derives from are left out; if one is left, it is returned.  Otherwise a
    metaclass is made that derives from those that are left, once for each combination,
    with those that have C storage (ours) last, so that Python's own come first in its
    MRO.

    Raises TypeError for a source that is no class, and if the metaclasses cannot stand
    side by side because more than one of them lays out type objects in C.  Safe to call
    from several threads; what it makes is kept for the life of the process.
    """
    metaclasses = _most_derived([_metaclass_of(source) for source in sources])
    if len(metaclasses) == 1:
        return metaclasses[0]
    with_storage = [m for m in metaclasses if _has_storage(m)]
    for one, other in itertools.combinations(with_storage, 2):
        # One that adds no C data to what the other derives from, too, is in nobody's way.
        if not (issubclass(_layout_of(one), _layout_of(other))
                or issubclass(_layout_of(other), _layout_of(one))):
            raise TypeError(
                f"combine: {_name(one)} ({one.__basicsize__} bytes) and "
                f"{_name(other)} ({other.__basicsize__} bytes) both lay out "
                f"type objects in C, expected at most one that does; let one of them derive "
                f"from the other")
    with_storage.sort(key=lambda m: m.__basicsize__)
    key = tuple(m for m in metaclasses if m not in with_storage) + tuple(with_storage)
    with _lock:
        made = _combined()
        if key not in made:
            name = "And".join(m.__name__.removesuffix("_v2") for m in key)
            made.setdefault(key, type(key[-1])(name, key, {
                "__module__": __name__, "__slots__": (),
                "__doc__": f"{' and '.join(map(_name, key))} in one metaclass."}))
        return made[key]


def _name(metaclass):
    return f"{metaclass.__module__}.{metaclass.__qualname__}"


def _metaclass_of(source):
    if not isinstance(source, type):
        raise TypeError(f"combine: found {show(source)}, an object of type "
                        f"{type(source).__name__!r}; expected classes and metaclasses")
    return source if issubclass(source, type) else type(source)


def _most_derived(metaclasses):
    """Leave out duplicates and what another one derives from; at least `type` stays."""
    unique = list(dict.fromkeys(metaclasses)) or [type]
    return [m for m in unique
            if not any(other is not m and issubclass(other, m) for other in unique)]


def _layout_of(metaclass):
    """The metaclass that laid out its type objects last: itself, or the base it adds no
    C data to."""
    while (metaclass is not type and metaclass.__basicsize__ == metaclass.__base__.__basicsize__
           and metaclass.__module__ != "_ctypes"):
        metaclass = metaclass.__base__
    return metaclass


def _has_storage(metaclass):
    """Does it, or a metaclass it derives from, make type objects longer than `type`'s?

    ctypes' metaclasses store data without saying so in their size before CPython 3.13,
    and must not get past this.
    """
    return (metaclass.__basicsize__ != type.__basicsize__
            or any(m.__module__ == "_ctypes" for m in metaclass.__mro__))
