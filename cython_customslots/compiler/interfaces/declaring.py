# SPDX-License-Identifier: MIT
"""What the declaration of an interface may look like: its ID, what it extends, its methods.

A class statement with @interface(ID) becomes an extension type without a type object.
"""

import inspect

from Cython import Utils
from Cython.Compiler import ExprNodes, Nodes, Options, PyrexTypes, Symtab
from Cython.Compiler.Errors import error, get_errors_count

from ..decorators.declarations import arguments_of, called_of, decorator_name, standard_name, take_named
from ..shared.facts import ClassNodeFacts, ModuleFacts
from ..shared.statements import name_declarator
from . import bodies, hidden_classes
from .implementing import difference_of_copies, shown
from .interface_type import InterfaceType, is_interface

#: Directives of classes that have objects, which users may write above an interface.
_OF_CLASSES = ("auto_pickle", "collection_type", "dataclasses.dataclass", "final", "freelist", "internal",
               "no_gc", "no_gc_clear", "total_ordering", "trashcan")


# ------------------------------------------------------------------- what stands above it

def extract_directives(original, self, node, scope_name):
    """Cython takes its own decorators away and forgets where they stood."""
    decorators = list(node.decorators or ())
    result = original(self, node, scope_name)
    kept = node.decorators or ()
    taken = [(decorator, called_of(decorator).as_cython_attribute())
             for decorator in decorators if decorator not in kept]
    if scope_name in ("class", "cclass") and len(decorators) > 1 and taken:
        ClassNodeFacts.of(node).directives = [(decorator.pos, name) for decorator, name in taken if name]
    return result


def as_cclass(original, self):
    """In pure-Python mode the class statement becomes another node."""
    node, known = original(self), ClassNodeFacts.known(self)
    if node is not None and known.directives:
        ClassNodeFacts.of(node).directives = known.directives
    if node is not None and known.docs:
        ClassNodeFacts.of(node).docs = known.docs
    return node


def _reject_directives(node, env):
    """Report, and take away, directives for classes that have objects."""
    found = [(pos, name) for pos, name in ClassNodeFacts.known(node).directives if name in _OF_CLASSES]
    said, others = [(pos, f"cython.{name}") for pos, name in found], []
    for decorator in node.decorators or ():
        name = standard_name(decorator, env)
        if name in ("dataclasses.dataclass", "functools.total_ordering"):
            said.append((decorator.pos, name))
        else:
            others.append(decorator)
    node.decorators = others or None
    for pos, name in said:
        error(pos, f"{name} makes no sense for interface '{node.class_name}', which has no objects of its "
                   f"own; decorate the classes that implement it")
    if found:
        directives, defaults = dict(env.directives), Options.get_directive_defaults()
        for _, name in found:
            directives.pop(name, None)
            if name in defaults:
                directives[name] = defaults[name]
        env.directives = directives              # Cython puts back the former ones
    if node.visibility != "private" or node.api:
        what = node.visibility if node.visibility != "private" else "api"
        error(node.pos, f"interface '{node.class_name}' cannot be {what}: it has no object struct and no type "
                        f"object; write 'cdef class', and 'python -m cython_customslots interface' writes a "
                        f"header for C")
        node.visibility, node.api, node.objstruct_name, node.typeobj_name = "private", False, None, None


# ----------------------------------------------------------------------- the statement

def analyse_interface(original, node, env):
    """A class statement with ``@interface(ID)``."""
    said = ClassNodeFacts.of(node)
    for name, decorator in take_named(node, env):
        error(decorator.pos, f"customslots.{name} is for classes that have objects, and '{node.class_name}' is an "
                             f"interface; decorate the classes that implement it")
    errors = get_errors_count()
    _reject_directives(node, env)
    base = _extended(node, env)
    _check_body(node, env)
    hidden_classes.remember_methods(node)
    original(node, env)
    entry = node.entry
    if entry is None or not entry.type.is_extension_type:
        return
    type_ = entry.type
    InterfaceType.make(type_, _identity(said.interface, env))
    type_.interface_doc = node.doc
    entry.visibility = "extern"                  # no type object is made here
    if type_.scope is None:                      # declared only: Cython says so
        return
    if base is not None:
        type_.base_type = base
        type_.method_docs = dict(base.method_docs)
        type_.bodies, type_.late_bodies = base.bodies, base.late_bodies
    _check_id(node, env, type_)
    type_.method_docs = {**type_.method_docs, **said.method_docs}
    type_.scope.defined, type_.scope.implemented = 1, 0
    type_.cpdefs = frozenset((*(base.cpdefs if base is not None else ()), *said.cpdefs, *(
        method.name for method in type_.scope.cfunc_entries if method.type.is_overridable)))
    for method in type_.scope.cfunc_entries:
        if not method.is_inherited:
            _check_method(method, method.name in type_.cpdefs)
            method.type.is_overridable = 0       # the functions in the table look for no override
        if method.name in type_.cpdefs:          # Python finds it, too
            method.as_variable = Symtab.Entry(method.name, method.name, PyrexTypes.py_object_type)
            method.as_variable.is_variable = 1
    if not type_.scope.cfunc_entries and get_errors_count() == errors:
        error(node.pos, f"interface '{node.class_name}' has no C methods; declare at least one, as in "
                        f"'cdef double area(self)'")
    if said.bodies and get_errors_count() == errors:
        bodies.declare(said.bodies, type_, env)
    if get_errors_count() == errors:
        ModuleFacts.of(env).own_interfaces.append((node, type_))
        if not node.in_pxd:
            hidden_classes.append_class(env, node, type_)
    node.body = Nodes.StatListNode(node.pos, stats=[])


def _identity(said, env):
    """The ID of an interface: bytes, or C code for a constant."""
    if isinstance(said, bytes):
        return said
    if isinstance(said, ExprNodes.CallNode) and decorator_name(said, env) == "PyCustomSlots_ID":
        _, arguments, keywords = arguments_of(said)
        numbers = [_constant_of(argument, env) for argument in arguments]
        if len(numbers) == 3 and None not in numbers and not keywords:
            return f"PyCustomSlots_ID({', '.join(numbers)})"
    elif _constant_of(said, env) is not None:
        return _constant_of(said, env)
    error(said.pos, "the ID of an interface is a name with a dot, such as b'package.Name', or a constant, as "
                    "PyCustomSlots_ID(0x04, 5, 0)")
    return b""


def _constant_of(node, env):
    """C code for an integer literal or the name of a C constant; None for anything else."""
    if isinstance(node, ExprNodes.IntNode):
        return str(Utils.str_to_number(node.value))
    if not (node.is_name or node.is_attribute):
        return None
    node = node.analyse_types(env)
    entry = getattr(node, "entry", None)
    known = entry is not None and (entry.is_const or entry.visibility == "extern")
    return entry.cname if known and (entry.type.is_int or entry.type.is_enum) else None


def _check_id(node, env, type_):
    """Two interfaces of a module cannot have one ID, and an interface cannot have the ID of one that it extends."""
    name, pos = node.class_name, ClassNodeFacts.known(node).interface_pos
    if not type_.interface_id:                   # a wrong ID has its error
        return
    for own, other in ModuleFacts.known(env).own_interfaces:
        if other is not type_ and other.interface_id == type_.interface_id:
            known = ClassNodeFacts.known(own).interface_pos
            where = f"line {known[1]}" if known[0] is pos[0] else "the .pxd"
            error(pos, f"interface '{name}' has the ID of interface '{other.name}' in {where}; each has an "
                       f"ID of its own, so give it another one")
            return
    for other in type_.chain()[1:]:
        if other.interface_id == type_.interface_id:
            error(pos, f"interface '{name}' has the ID of interface '{other.name}', which it extends; each has "
                       f"an ID of its own, so give it another one")


def check_copies(env):
    """A module may know copies of its interfaces under other names, if the copies say the same."""
    for node, type_ in ModuleFacts.known(env).own_interfaces:
        for module in env.cimported_modules:
            for entry in module.c_class_entries if module is not env else ():
                if is_interface(entry.type) and entry.type.interface_id == type_.interface_id:
                    _check_copy(node, type_, entry.type)


def _check_copy(node, type_, other):
    """The methods that both have must be the same: appended ones are a newer version."""
    found = difference_of_copies(type_, other)
    if found is not None:
        mine, theirs = found
        pos = node.pos if mine.is_inherited else mine.pos
        error(pos, f"interface '{type_.name}' has the ID of '{other.module_name}.{other.name}', which is "
                   f"cimported, but another method '{mine.name}': found '{shown(mine, type_)}', expected "
                   f"'{shown(theirs, other)}'; give it another ID, or change one of the two")


def _extended(node, env):
    """The interface that an interface extends, or None."""
    bases = node.bases.args if node.bases else []
    types = [base.analyse_as_type(env) for base in bases]
    for base, type_ in zip(bases, types):
        if not is_interface(type_):
            found = f"'{type_}'" if type_ is not None else "an expression that is not a type"
            error(base.pos, f"interface '{node.class_name}' can extend an interface only, found {found}")
            node.bases.args = []
            return None
    if len(bases) > 1:
        error(bases[1].pos, f"interface '{node.class_name}' extends one interface, found {len(bases)}; a "
                            f"class implements as many as it names")
        node.bases.args = bases[:1]
    return types[0] if types else None


def _statements(body):
    if isinstance(body, Nodes.StatListNode):
        for statement in body.stats:
            yield from _statements(statement)
    elif isinstance(body, Nodes.CompilerDirectivesNode):
        for statement in _statements(body.body):
            if "staticmethod" in body.directives:
                error(statement.pos, "a method of an interface cannot be static: its callers have an "
                                     "object")
            yield statement
    elif body is not None:
        yield body


def _check_body(node, env):
    """Report statements that are no C method, and turn methods with empty bodies into declarations."""
    kept, name = [], node.class_name
    for statement in _statements(node.body):
        if isinstance(statement, Nodes.CVarDefNode):
            data = [d for d in statement.declarators if not _is_function(d)]
            if data:
                error(data[0].pos, f"interface '{name}' cannot have data, found '{name_declarator(data[0]).name}'; "
                                   f"declare C methods that get and set it")
            else:
                kept.append(statement)
        elif isinstance(statement, Nodes.CFuncDefNode):
            _take_body(node, statement)
            kept.append(statement)
        elif isinstance(statement, Nodes.DefNode):
            special = statement.name.startswith("__") and statement.name.endswith("__")
            what, where = ("a special method", ", under another name") if special else ("a def method", "")
            error(statement.pos, f"interface '{name}' cannot have {what}, found '{statement.name}'; "
                                 f"declare it with cdef or cpdef{where}")
        elif isinstance(statement, Nodes.PropertyNode):
            error(statement.pos, f"interface '{name}' cannot have a property, found "
                                 f"'{statement.name}'; declare C methods that get and set it")
        elif not _does_nothing(statement):
            error(statement.pos, f"interface '{name}' can have C methods only")
    if node.body is not None:
        node.body = Nodes.StatListNode(node.pos, stats=kept)


def _does_nothing(statement):
    """`pass`, or an expression that does nothing: a string, or `...`."""
    return isinstance(statement, Nodes.PassStatNode) or isinstance(statement, Nodes.ExprStatNode) and (
        statement.expr.is_literal or isinstance(statement.expr, ExprNodes.EllipsisNode))


def _is_function(declarator):
    while declarator is not None:
        if isinstance(declarator, Nodes.CFuncDeclaratorNode):
            return not isinstance(declarator.base, Nodes.CPtrDeclaratorNode) or not _pointed(declarator)
        declarator = getattr(declarator, "base", None)
    return False


def _pointed(declarator):
    """Is it a pointer to a function, ``int (*f)()``, and not a function?"""
    base = declarator.base
    while isinstance(base, (Nodes.CPtrDeclaratorNode, Nodes.CArrayDeclaratorNode)):
        base = base.base
    return isinstance(base, Nodes.CNameDeclaratorNode)


def _take_body(node, statement):
    """Make a declaration of a method; pure-Python mode declares by a method with nothing in it."""
    said, name = ClassNodeFacts.of(node), name_declarator(statement.declarator).name
    if not all(map(_does_nothing, _statements(statement.body))):
        said.bodies[name] = bodies.function_of_body(node, statement)
    statement.body, statement.modifiers, statement.inline_in_pxd = None, [], False
    if statement.doc:
        said.method_docs = {**said.method_docs, name: inspect.cleandoc(statement.doc)}
    if statement.overridable:                    # else it would be defined for Python, too
        said.cpdefs = [*said.cpdefs, name]
        statement.overridable = False


def _check_method(method, cpdef):
    """Report a method that no table of an interface can have."""
    type_, name = method.type, method.name
    if type_.optional_arg_count:
        error(method.pos, f"method '{name}' of an interface cannot have optional arguments: how they "
                          f"are passed is private to Cython; declare two methods")
    if type_.has_varargs:
        error(method.pos, f"method '{name}' of an interface cannot have '...'")
    if type_.exception_check == "+":
        error(method.pos, f"method '{name}' of an interface cannot be 'except +': C++ exceptions do not "
                          f"cross libraries; catch them in the method and raise")
    if cpdef and type_.nogil:
        error(method.pos, f"method '{name}' of an interface cannot be cpdef and nogil: Cython needs the "
                          f"GIL to look for an override; declare it with cdef")
    for argument in [*type_.args, None]:
        found = argument.type if argument is not None else type_.return_type
        reason = _excluded(found)
        if reason:
            where = f"argument '{argument.name}'" if argument is not None else "the result"
            error(method.pos, f"{where} of method '{name}' of an interface cannot be {reason}")


def _excluded(type_):
    if type_.is_fused:
        return f"of a fused type, '{type_}': declare a method for each type"
    if type_.is_reference or getattr(type_, "is_rvalue_reference", False):
        return f"a C++ reference, '{type_}': pass a pointer"
    if type_.is_cpp_class:
        return f"a C++ object, '{type_}': pass a pointer"
    return ""
