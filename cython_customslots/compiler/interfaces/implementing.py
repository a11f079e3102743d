# SPDX-License-Identifier: MIT
"""What a class must have that names an interface among its bases.

    @customslots.interface(b"geometry.Shape")
    cdef class Shape:
        cdef double area(self) noexcept nogil
        cpdef int draw(self, object canvas) except -1

    cdef class Circle(Shape):           C methods of these names, with these types
        cdef double area(self) noexcept nogil: ...
        cpdef int draw(self, object canvas) except -1: ...

    @customslots.implements(Shape)      the same, and nothing in a .pxd
    cdef class Circle:
"""

import re

from Cython.Compiler import Naming, PyrexTypes
from Cython.Compiler.Errors import error

from ..decorators.declarations import Declaration, arguments_of, take_named
from ..shared.facts import ClassFacts, ClassNodeFacts, plain
from .signatures import constant, consts_of, named_alike, signature
from .looking import look_for
from .interface_type import implemented_by, is_interface, methods_of


def take_bases(node, env):
    """Take the interfaces, of which Cython knows nothing, out of the bases of a class, and out of decorators."""
    for _, decorator in take_named(node, env, ["implements"]):
        _take_implements(node, env, decorator.decorator, decorator.pos)
    if not node.bases or not node.bases.args or not env.is_module_scope:
        return
    kept = []
    for base in node.bases.args:
        type_ = base.analyse_as_type(env)
        if is_interface(type_):
            _take_interface(node, type_, base.pos)
        else:
            ClassNodeFacts.of(node).first = [interface for interface, _ in ClassNodeFacts.known(node).implements
                                             if interface not in ClassNodeFacts.known(node).decorated]
            kept.append(base)
    if len(kept) < len(node.bases.args):
        node.bases.args = kept
        entry = getattr(node, "entry", None)
        if entry is not None and entry.type.is_extension_type and len(kept) < 2:
            entry.type.multiple_bases = False


def _take_interface(node, interface, pos):
    said = ClassNodeFacts.of(node)
    if interface in [known for known, _ in said.implements]:
        error(pos, f"'{node.class_name}' names interface '{interface.name}' twice")
        return
    said.implements = [*said.implements, (interface, pos)]
    if said.declaration is None and not said.is_hidden:         # it has slots, so it is extensible
        said.declaration = Declaration(node.pos, for_interfaces=True)


def _take_implements(node, env, call, pos):
    """``@implements(...)``: interfaces of a class that its .pxd does not tell of."""
    _, named, keywords = arguments_of(call)
    if not named or keywords:
        error(pos, "customslots.implements takes interfaces; write implements(Shape)")
    elif node.in_pxd:
        error(pos, f"customslots.implements is for the .pyx; here name the interface among the bases of "
                   f"'{node.class_name}'")
    for argument in named:
        type_ = argument.analyse_as_type(env)
        if is_interface(type_):
            _take_interface(node, type_, argument.pos)
            ClassNodeFacts.of(node).decorated.append(type_)
        else:
            found = f"'{type_}'" if type_ is not None else "an expression that is not a type"
            error(argument.pos, f"customslots.implements takes interfaces, found {found}")


def analyse_implementation(node, env):
    """Check what a class implements, when Cython knows its methods."""
    said = ClassNodeFacts.known(node)
    entry = getattr(node, "entry", None)
    if entry is None or entry.type is None or not entry.type.is_extension_type:
        return
    type_ = entry.type
    facts = ClassFacts.of(type_)
    facts.first, facts.sources = [*facts.first, *said.first], {**facts.sources, **said.sources}
    if said.implements:
        if not node.in_pxd and entry.defined_in_pxd:
            for interface, pos in said.implements:
                if interface not in facts.implements and interface not in said.decorated:
                    error(pos, f"'{node.class_name}' is defined in the .pxd, which does not list interface "
                               f"'{interface.name}' among its bases; add it there, so that modules that "
                               f"cimport the class know, or write implements({interface.name}) above the class")
        facts.implements = [*facts.implements, *(
            interface for interface, _ in said.implements if interface not in facts.implements)]
    if type_.scope is None or not _check_copies(node, type_) or node.in_pxd or node.body is None:
        return
    positions = dict(said.implements)
    for interface in tables_of(type_):
        _check_implementation(node, type_, interface, positions.get(interface, node.pos))
        look_for(env, node.pos, interface)


def tables_of(type_):
    """The interfaces that a class publishes a table for, without those that another one of them extends.

    They are the interfaces that it names, and those of its bases of which it overrides a method.  Of
    several copies with one ID the longest counts, also where a base implements it: a class is
    never less than its base.
    """
    wanted = list(ClassFacts.known(type_).implements)
    own = {entry.name for entry in type_.scope.cfunc_entries if function_of(type_, entry)}
    for interface in implemented_by(type_.base_type) if type_.base_type is not None else ():
        if own & {method.name for method in interface.scope.cfunc_entries}:
            wanted.append(interface)
    known = implemented_by(type_)
    wanted = [longest for interface in wanted for extended in interface.chain()
              for longest in [_longest(extended, known)] if longest is not extended or extended is interface]
    return [interface for i, interface in enumerate(wanted)
            if not any(other is not interface and interface in other.chain()
                       for other in wanted) and interface not in wanted[:i]]


def _longest(interface, known):
    """The copy of an interface, by its ID, that has the most methods."""
    return max((copy for copy in [interface, *known] if copy.interface_id == interface.interface_id),
               key=lambda copy: len(methods_of(copy)))


def function_of(type_, entry):
    """The name of the C function with which a class itself implements a method, or None.

    The entry of a method that a class overrides is its base's entry, with another function.
    """
    own = type_.scope.mangle(Naming.func_prefix, entry.name)
    return entry.func_cname if entry.func_cname and (
        not entry.is_inherited or entry.func_cname == own) else None


def interface_slots_of(type_):
    """[(interface whose ID a slot has, interface whose table it leads to)] of a class."""
    found = {}
    for table in tables_of(type_):
        for interface in table.chain():
            known = found.get(interface.interface_id)
            if known is None or len(methods_of(known[0])) < len(methods_of(interface)):
                found[interface.interface_id] = interface, table
    return list(found.values())


def implementation_of(type_, method):
    """The entry of the C method of a class that implements a method, or None."""
    entry = type_.scope.lookup_here(method.name)
    return entry if entry is not None and entry.is_cmethod and not entry.type.is_fused else None


def _check_copies(node, type_):
    """Copies of one interface, which a class and its bases name, say the same of the methods that both have."""
    known = implemented_by(type_.base_type) if type_.base_type is not None else []
    for interface, pos in ClassNodeFacts.known(node).implements:
        for copy in interface.chain():
            for other in known:
                found = difference_of_copies(copy, other) if copy.interface_id == other.interface_id else None
                if found is not None:
                    error(pos, f"'{type_.name}' cannot implement interface '{copy.module_name}.{copy.name}' and "
                               f"'{other.module_name}.{other.name}', which have one ID, but are no copies: found "
                               f"'{shown(found[0], copy)}', expected '{shown(found[1], other)}'; name one of them, "
                               f"or give them two IDs")
                    return False
            known.append(copy)
    return True


def difference_of_copies(mine, other):
    """The first two methods that differ, of those that both declarations have; or None."""
    for pair in zip(methods_of(mine), methods_of(other)):
        (line, widths), (other_line, other_widths) = (signature(method, by_fields=True) for method in pair)
        if line != other_line or any(a != b and _BUILTIN.fullmatch(a) and _BUILTIN.fullmatch(b)
                                     for a, b in zip(widths, other_widths)):
            return pair
    return None


#: Widths of C's own types; only the C compiler can say whether others are the same.
_BUILTIN = re.compile(r"\w+\(((un)?signed )?(char|short|int|long|PY_LONG_LONG|float|double|long double)\)")


def _check_implementation(node, type_, interface, pos):
    for method in methods_of(interface):
        expected = shown(method, interface)
        found = type_.scope.lookup_here(method.name)
        mine = implementation_of(type_, method)
        if mine is None:
            what = "has no C method" if found is None else "has a"
            if found is not None:
                what = ("has a Python method" if found in type_.scope.pyfunc_entries
                        else "has fused methods" if found.is_cmethod else "has an attribute")
            error(pos if found is None else found.pos,
                  f"'{type_.name}' names interface '{interface.name}', but {what} '{method.name}'; "
                  f"expected '{expected}'")
            continue
        differs = difference(mine, method)
        if not differs and method.name in interface.cpdefs and not mine.type.is_overridable:
            differs = "Python code cannot call it"
        if differs:
            where = mine.pos if mine.pos and mine.pos[0] is node.pos[0] else pos
            error(where, f"method '{method.name}' of '{type_.name}' cannot implement that of interface "
                         f"'{interface.name}': {differs}; found '{shown(mine)}', expected "
                         f"'{expected}'")


def shown(entry, interface=None):
    """A signature as a person would write it."""
    type_ = entry.type
    arguments = ["self"] + [_shown_argument(a) for a in type_.args[1:]]
    text = f"{_shown_type(type_.return_type)} {entry.name}({', '.join(arguments)}{named_alike(exceptions(type_))}"
    overridable = (type_.is_overridable if interface is None or not is_interface(interface)
                   else entry.name in interface.cpdefs)
    return f"{'cpdef' if overridable else 'cdef'} {text}"


def _shown_argument(argument):
    return f"{_shown_type(argument.type)} {argument.name}".strip()


def _shown_type(type_):
    if type_.is_builtin_type and type_.name == "unicode":        # Cython 3.0's word
        return "str"
    return type_.declaration_code("", pyrex=1).replace("  ", " ").replace(" *", "*").strip()


def exceptions(type_):
    """`)` and what follows it in a signature."""
    text = ")"
    value, check = type_.exception_value, type_.exception_check
    if not type_.return_type.is_pyobject:
        if value is not None:
            shown_value = constant(value)
            if type_.return_type.is_ptr and shown_value == "0":
                shown_value = "NULL"
            text += f" except{'?' if check else ''} {shown_value}"
        else:
            text += " except *" if check else " noexcept"
    return text + (" nogil" if type_.nogil else "")


def difference(mine, method):
    """What keeps a method of a class from implementing one of an interface, or ""."""
    have, want = mine.type, method.type
    if have.is_static_method:
        return "it is static"
    if have.optional_arg_count or have.has_varargs:
        return "it has optional arguments"
    if len(have.args) != len(want.args):
        count, wanted = len(have.args) - 1, len(want.args) - 1
        return f"it takes {count or 'no'} argument{'s' * (count > 1)} beside self, and not {wanted or 'none'}"
    if not _same(have.return_type, want.return_type):
        return "the results differ"
    for a, b in zip(have.args[1:], want.args[1:]):
        if not _same(b.type, a.type):
            return f"argument '{a.name or b.name}' differs"
    if want.nogil and not have.nogil:
        return "it needs the GIL"
    return _exception_difference(have, want)


def _same(given, taken):
    """May a value of one type, which is given, stand where the other one is taken?

    C types must be the same, but items that are given may be read-only; an object may be of a subclass.
    """
    if given.is_pyobject and taken.is_pyobject:
        return bool(given.same_as(taken) or taken is PyrexTypes.py_object_type
                    or (given is not PyrexTypes.py_object_type and given.subtype_of(taken)))
    (mine, *deeper), (theirs, *deeper_of_theirs) = ([*consts_of(type_), False] for type_ in (given, taken))
    return _same_without_const(given, taken) and mine <= theirs and deeper == deeper_of_theirs


def _same_without_const(one, other):
    one, other = plain(one), plain(other)        # a `const` of the value itself does not matter to callers
    if one.is_ptr and other.is_ptr:
        return _same_without_const(one.base_type, other.base_type)
    if one.is_memoryviewslice and other.is_memoryviewslice:
        return one.axes == other.axes and _same_without_const(one.dtype, other.dtype)
    return bool(one.same_as(other))


def _exception_difference(have, want):
    """Would a caller of *want* miss an exception of *have*, or see one where there is none?"""
    if want.return_type.is_pyobject:
        return ""
    mine = None if have.exception_value is None else constant(have.exception_value)
    wanted = None if want.exception_value is None else constant(want.exception_value)
    if have.exception_check == "+":
        return "it throws C++ exceptions"
    if have.exception_check == want.exception_check and mine == wanted:
        return ""
    if want.exception_check and wanted is None:  # except *: the caller always asks
        return ""
    if not have.exception_check and mine is None and want.exception_check:
        return ""                                # noexcept: the caller asks in vain
    if mine is not None and mine == wanted and want.exception_check:
        return ""                                # except -1 for except? -1
    return "it reports exceptions in another way"
