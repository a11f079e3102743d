# SPDX-License-Identifier: MIT
"""Methods of an interface that have a body, which a class gets if it brings no method of its own.

    @interface(b"geometry.Shape")           cdef inline double __customslots_Shape_twice(Shape self) noexcept:
    cdef class Shape:                           return 2 * self.area()
        cdef double area(self) noexcept
        cdef inline double twice(self) noexcept:      cdef class Square(Shape):
            return 2 * self.area()          ->            cdef double area(self) noexcept: ...
                                                          cdef double twice(self) noexcept:
    cdef class Square(Shape):                                 return __customslots_Shape_twice(self)
        cdef double area(self) noexcept: ...

In the function `self` is a variable of the interface, so calls of its methods go through the table of the object.

The object's class may have been compiled before the method was appended to the interface: then its table ends before
the method, and each module that calls the method has a table of its own, with the function in it; for a cpdef method
the table has another function, which calls what Python finds under the name, if there is anything.
"""

import copy
import inspect

from Cython.Compiler import ExprNodes, Nodes
from Cython.Compiler.Errors import error
from Cython.Compiler.StringEncoding import EncodedString
from Cython.Compiler.Visitor import TreeVisitor

from ..shared.facts import ClassFacts, ClassNodeFacts, ModuleFacts, ancestors
from ..shared.statements import argument_name, each_in, function_declarator, lists_of, name_declarator, statements_of
from .implementing import difference, shown
from .interface_type import implemented_by, methods_of
from .looking import DeclaredFunction, call, declarator_of, declare_looking, returning


# ------------------------------------------------------------------------- the functions

def function_of_body(node, method):
    """The function that has the body of a method, before Cython analyses the method."""
    declarator = copy.deepcopy(method.declarator)
    function = function_declarator(declarator)
    function.base.name = EncodedString(f"__customslots_{node.class_name}_{function.base.name}")
    return DeclaredFunction(**{**vars(method), "declarator": declarator, "doc": None, "overridable": False})


def declare(functions, interface, env):
    """Declare the functions of an interface, in the module or .pxd that declares it."""
    for name, function in functions.items():
        _Uses(interface, name, _declare(function, interface, env)).visit(function.body)
        interface.bodies = {**interface.bodies, name: function.entry}
        if name in interface.cpdefs:
            late = declare_looking(
                env, function.pos, interface, interface.scope.lookup_here(name), f"{function.entry.name}_late",
                otherwise=function.entry.name, modifiers=function.modifiers, inline_in_pxd=function.inline_in_pxd)
            interface.late_bodies = {**interface.late_bodies, name: late}


def take_definitions(module, env):
    """Take the classes of a module that have bodies for an interface of its own .pxd."""
    interfaces = {node.class_name: type_ for node, type_ in ModuleFacts.known(env).own_interfaces}
    for statements in lists_of(module.body):
        for node in statements[:]:
            interface = interfaces.get(node.class_name) if isinstance(node, Nodes.CClassDefNode) else None
            if interface is not None and not node.in_pxd:
                statements.remove(node)
                _take_definitions(node, interface, interfaces.values(), env)


def _take_definitions(node, interface, interfaces, env):
    known = {method.name: method for method in methods_of(interface)}
    interface.interface_doc = interface.interface_doc or node.doc
    for decorator in node.decorators or ():
        error(decorator.pos, f"interface '{interface.name}' is declared in the .pxd, where its decorators stand; "
                             "remove this one")
    for statement in each_in(node.body):
        if isinstance(statement, (Nodes.PassStatNode, Nodes.StatListNode)):
            continue
        name = name_declarator(statement.declarator).name if isinstance(statement, Nodes.CFuncDefNode) else None
        if name is None or name not in known:
            error(statement.pos, f"interface '{interface.name}' is declared in the .pxd, and has bodies for methods of "
                                 f"that here, and nothing else; declare "
                                 f"{'methods' if name is None else repr(str(name))} there")
            continue
        if name in interface.bodies:
            error(statement.pos, f"'{name}' of interface '{interface.name}' has a body in the .pxd already; remove one "
                                 "of them")
            continue
        is_cpdef = statement.overridable
        declare({name: function_of_body(node, statement)}, interface, env)
        found = difference(interface.bodies[name], known[name])
        if found or is_cpdef != (name in interface.cpdefs):
            error(statement.pos, f"'{name}' of interface '{interface.name}' is declared in another way in the .pxd: "
                                 f"{found or 'one of the two is cpdef'}; expected '{shown(known[name], interface)}'")
            interface.bodies = {other: body for other, body in interface.bodies.items() if other != name}
        docs = {name: inspect.cleandoc(statement.doc)} if statement.doc else {}
        for other in interfaces:                 # that extend it
            if interface in other.chain():
                other.method_docs = {**docs, **other.method_docs}
                other.bodies = {**interface.bodies, **other.bodies}
                other.late_bodies = {**interface.late_bodies, **other.late_bodies}


def _declare(function, interface, env):
    """Declare one function; return the name of its first argument."""
    first = function_declarator(function.declarator).args[0]
    first.declarator.name = argument_name(first)
    first.base_type, first.annotation = Nodes.CAnalysedBaseTypeNode(first.pos, type=interface), None
    function.analyse_declarations(env)
    ModuleFacts.of(env).statements.append(function)
    return first.declarator.name


class _Uses(TreeVisitor):
    """Reports all that a body uses of its object except the methods of the interface."""

    def __init__(self, interface, method, name):
        super().__init__()
        self.interface, self.method, self.name = interface, method, name
        self.methods = [known.name for known in methods_of(interface)]

    def visit_Node(self, node):
        self.visitchildren(node)

    def visit_AttributeNode(self, node):
        if node.obj.is_name and node.obj.name == self.name and node.attribute not in self.methods:
            error(node.pos, f"the body of '{self.method}' takes '{node.attribute}' of its object, of which interface "
                            f"'{self.interface.name}' knows the methods only; declare a method that gets it, or "
                            f"write '(<object>{self.name}).{node.attribute}' for an attribute that Python sees")
        self.visitchildren(node)


# ------------------------------------------------------------------------- the methods

def give_methods(node, env):
    """Give a class the methods that it lacks and that its interfaces have bodies for."""
    said, entry = ClassNodeFacts.of(node), env.lookup_here(node.class_name) if env.is_module_scope else None
    known = entry.type if entry is not None and entry.is_type and entry.type.is_extension_type else None
    interfaces = list(dict.fromkeys([interface for interface, _ in said.implements]
                                    + list(ClassFacts.known(known).implements if known is not None else ())))
    interfaces = [interface for interface in interfaces if interface.bodies and not any(
        other is not interface and interface in other.chain() for other in interfaces)]
    taken, given = set(_names_in(node.body)), {}
    said.sources = dict.fromkeys(taken)
    if not interfaces or node.body is None:
        return
    base = known.base_type if known is not None else None
    if base is None and node.bases and node.bases.args:
        base = node.bases.args[0].analyse_as_type(env)
    for interface in interfaces:
        for method in methods_of(interface):
            name = method.name
            function = interface.bodies.get(name)
            undeclared = not node.in_pxd and known is not None and entry.defined_in_pxd and not _has(known, name)
            if function is None or name in taken or undeclared or not _is_nearer(
                    interface, name, base, interface in (*said.first, *ClassFacts.known(known).first)):
                continue
            other = given.setdefault(name, interface)
            if other is interface:
                statements_of(node).append(_calling_method(node, interface, method, function))
            elif other.bodies[name] is not function:
                error(node.pos, f"'{node.class_name}' names interfaces '{other.name}' and '{interface.name}', which "
                                f"both have a body for '{name}'; write the method in the class")
    said.sources.update((name, _declaring(interface, name)) for name, interface in given.items())


def _is_nearer(interface, name, base, is_first):
    """Does the MRO, as Python would order it, lead to the body before it leads to a method of the base?"""
    if not _has(base, name):
        return True
    mine = _declaring(interface, name)
    known = map(ClassFacts.known, ancestors(base))
    theirs = next((facts.sources[name] for facts in known if name in facts.sources), None)
    if theirs is not None and theirs in mine.chain():
        return theirs is not mine                # below the interface whose body the base has
    return is_first and base.scope.lookup_here(name).is_cmethod and mine not in implemented_by(base)


def _declaring(interface, name):
    """The interface that has the body, among those that this one extends."""
    return [known for known in interface.chain() if known.bodies.get(name) is interface.bodies[name]][-1]


def _has(base, name):
    return getattr(base, "is_extension_type", False) and base.scope is not None and (
        base.scope.lookup_here(name) is not None)


def _names_in(body):
    """The names of the statements in the body of a class."""
    for statement in each_in(body):
        for declarator in getattr(statement, "declarators", [getattr(statement, "declarator", None)]):
            if declarator is not None:
                yield name_declarator(declarator).name
        yield getattr(statement, "name", None)


def _calling_method(node, interface, method, function):
    """A method of a class that calls the function; in a .pxd, the method's declaration."""
    pos, known = node.pos, method.type
    said = {
        "visibility": "private", "api": False, "modifiers": [], "overridable": method.name in interface.cpdefs,
        "base_type": Nodes.CAnalysedBaseTypeNode(pos, type=known.return_type)}
    declarator = declarator_of(pos, method.name, known, said["overridable"])
    if node.in_pxd:
        return Nodes.CVarDefNode(pos, declarators=[declarator], in_pxd=True, doc=None, directive_locals={}, **said)
    called = ExprNodes.NameNode(pos, name=EncodedString(function.name))
    called.entry = function
    arguments = [ExprNodes.NameNode(pos, name=argument.declarator.name) for argument in declarator.args]
    body = returning(pos, known, call(pos, called, arguments))
    return Nodes.CFuncDefNode(
        pos, declarator=declarator, body=Nodes.StatListNode(pos, stats=[body]),
        doc=EncodedString(interface.method_docs[method.name]) if method.name in interface.method_docs else None,
        is_const_method=False, is_static_method=False, directive_locals={}, directive_returns=None, **said)
