# SPDX-License-Identifier: MIT
"""The instances of a class with C fields: one member more, where it has none of its own.

A class without the metaclass's C fields must never stand under one that has them:
``P.__bases__ = (Greet,)`` passes CPython's check if instances of both have the same layout
(``__dict__`` and ``__weakref__`` do not count), and then every field read through an instance of
P is out of bounds (runtime/statics.c).
"""

from ..shared.facts import ancestors, declaration_of, is_extensibletype, is_metaclass, metaclass_of
from ..shared.writing import render, substitute


def has_hidden_member(type_):
    """Do the instances get the member?"""
    declaration, base = declaration_of(type_), type_.base_type
    if declaration is None or declaration.metaclass is None or type_.scope is None:
        return False
    inherited = metaclass_of(base) if base is not None else None
    known = list(ancestors(inherited)) if inherited is not None else []
    new_layers = [t for t in ancestors(declaration.metaclass)
                  if t not in known and is_metaclass(t) and not is_extensibletype(t)]
    if not any(layer.scope is not None and layer.scope.var_entries for layer in new_layers):
        return False
    if type_.vtabslot_cname and not (base is not None and base.vtabslot_cname):
        return False
    return all(entry.name in ("__dict__", "__weakref__") for entry in type_.scope.var_entries)


def generate_objstruct_definition(original, self, type, code):
    # Text, and not an entry in the class's scope: that would, for one thing, stop
    # Cython from making the class picklable.
    if not has_hidden_member(type):
        return original(self, type, code)
    text = render(code, lambda writer: original(self, type, writer))
    code.write(substitute(r"(?m)^([ \t]*\};)$",
                          lambda match: f"  void *__pyx_customslots_member;\n{match.group(1)}",
                          text, "the struct of a cdef class", type.pos))
