# SPDX-License-Identifier: MIT
"""Instances with a ``PyTypedCallable``, ``PyTypedCallback`` or ``PyTypedArray``: C structs that hold a Python object.

Cython counts such a member as plain C data. An object can lead back to its owner, as a bound method does, so the
garbage collector has to know of it: the owner is an object for the collector, and its tp_traverse and tp_clear pass the
member on.
"""

from ..shared.writing import render, struct_of, substitute

_HOLDERS = ("PyTypedCallable", "PyTypedCallback", "PyTypedArray")


def holder_in(type_):
    """The name in C of what holds an object in a value of this type; None: nothing does."""
    type_ = type_.resolve() if type_.is_typedef else type_
    if type_.is_array:
        return holder_in(type_.base_type)
    if not type_.is_struct:
        return None
    if type_.cname in _HOLDERS:
        return type_.cname
    members = type_.scope.var_entries if type_.scope is not None else ()
    return next(filter(None, (holder_in(member.type) for member in members)), None)


def _each(value, type_, action, depth=0):
    """C that does *action* with each holder in *value*."""
    type_ = type_.resolve() if type_.is_typedef else type_
    if not holder_in(type_):
        return ""
    if type_.is_array:
        i = f"i{depth}"
        inner = _each(f"{value}[{i}]", type_.base_type, action, depth + 1)
        return f"{{ size_t {i}; for ({i} = 0; {i} < sizeof({value}) / sizeof({value}[0]); {i}++) {{ {inner} }} }} "
    if type_.cname in _HOLDERS:
        return f"{type_.cname}_{action}(&{value}); "
    return "".join(_each(f"{value}.{member.cname}", member.type, action) for member in type_.scope.var_entries)


def _each_of(scope, action):
    return "".join(_each(f"(({struct_of(scope.parent_type)} *)o)->{member.cname}", member.type, action)
                   for member in scope.var_entries)


def note_members(node):
    """A class statement: its instances are objects for the garbage collector if a member holds an object."""
    scope = getattr(node, "scope", None)         # a declaration that comes first, or is wrong, has none
    if scope is not None and any(holder_in(member.type) for member in scope.var_entries):
        scope.has_cyclic_pyobject_attrs = True


def _generate(original, self, scope, code, entry, statements, what):
    if not statements:
        return original(self, scope, code, entry)
    text = render(code, lambda writer: original(self, scope, writer, entry))
    if text:                                    # else the class has no such function, because of no_gc for example
        code.write(substitute(
            r"(?m)^([ \t]*)return 0;$", lambda match: f"{match.group(1)}{statements}\n{match.group()}", text, what,
            scope.parent_type.pos))


def generate_traverse(original, self, scope, code, entry):
    statements = _each_of(scope, "Traverse")
    _generate(original, self, scope, code, entry,
              statements and f"{{ visitproc visit = v; void *arg = a; {statements}}}", "tp_traverse")


def generate_clear(original, self, scope, code, entry):
    _generate(original, self, scope, code, entry, _each_of(scope, "Clear"), "tp_clear")
