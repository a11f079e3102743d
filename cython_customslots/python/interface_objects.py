# SPDX-License-Identifier: MIT
"""Interfaces as Python sees them: one class for each, which the runtime makes."""

import ast
import importlib
import inspect
import textwrap

from .showing import show


def interface(name, /):
    """Return the class of the interface *name*, "geometry.Shape".

    It is the same class for all of the interpreter, that of the first declaration with this name from
    which classes can derive::

        Shape = cython_customslots.interface("geometry.Shape")
        isinstance(obj, Shape)      # does its type implement the interface, as it is declared?
        Shape(obj)                  # obj, or a TypeError that says what is missing
        Shape.of(obj)               # obj or None
        class Poly(Shape): ...      # implements it in Python, and C calls it

    If no module has declared it yet, the module before the last dot is imported.  Raises
    LookupError if there is no such interface.

    With bytes or an integer it is the decorator of pure-Python mode, for the compiler layer.  In a
    module that is not compiled, it gives the class of(), and takes the methods without a body away;
    there classes implement the interface by deriving from it.
    """
    if isinstance(name, (bytes, int)):
        return _not_compiled
    if not isinstance(name, str):
        raise TypeError(f"interface: found {show(name)}, an object of type {type(name).__name__!r}; "
                        f"expected the name of an interface, such as 'geometry.Shape'")
    from ..provider import _interface
    found = _interface(name)
    module = name.rpartition(".")[0]
    missing = None
    if found is None and module:
        try:
            importlib.import_module(module)
        except ImportError as error:
            missing = error
        found = _interface(name)
    if found is None:
        tried = (f"and there is no module {module!r} to import" if missing
                 else f"nor does module {module!r}" if module else "and it names no module to import")
        raise LookupError(f"interface: found none with the name {show(name)} among those that modules "
                          f"have declared, {tried}; import a module that declares it, compiled with "
                          f"cython-customslots") from missing
    return found


def _not_compiled(cls):
    for name, method in list(vars(cls).items()):
        if inspect.isfunction(method) and not _has_body(method):
            delattr(cls, name)       # as for any look-up in a compiled one: what another class has under it
    if "of" not in vars(cls):
        def of(obj):
            """Return the object if it is an instance, else None."""
            return obj if isinstance(obj, cls) else None
        cls.of = staticmethod(of)
    return cls


def _has_body(method):
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    except (OSError, SyntaxError):   # there is no source to look at
        return True
    return not all(
        isinstance(statement, ast.Pass)
        or (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in tree.body[0].body)


_ALL = object()


def explain(obj, interface=_ALL, /):
    """Return a text that says whether *obj* implements an interface, and shows both layouts.

    *interface* is the interface's class, or a name for interface().  Without it, the text says all that
    the object and its type carry: slots, C fields, interfaces, typed signatures.
    """
    if interface is _ALL:
        from ..inspecting.classes import explain as what_it_carries
        return what_it_carries(obj)
    if isinstance(interface, str):
        interface = globals()["interface"](interface)
    what = getattr(type(interface), "explain", None)
    if what is None:
        raise TypeError(f"explain: found {show(interface)}, expected an interface or its name")
    return what(interface, obj)
