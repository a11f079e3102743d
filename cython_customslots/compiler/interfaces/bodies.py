# SPDX-License-Identifier: MIT
"""Methods of an interface that have a body: what a class has that brings no method of its own.

    @interface(b"geometry.Shape")           cdef inline double __customslots_Shape_twice(Shape self) noexcept:
    cdef class Shape:                           return 2 * self.area()
        cdef double area(self) noexcept
        cdef inline double twice(self) noexcept:      cdef class Square(Shape):
            return 2 * self.area()          ->            cdef double area(self) noexcept: ...
                                                          cdef double twice(self) noexcept:
    cdef class Square(Shape):                                 return __customslots_Shape_twice(self)
        cdef double area(self) noexcept: ...

In the function `self` is a variable of the interface, so its calls go through the table of the object.

The object's class may have been compiled before the method was appended to the interface: then its table ends before,
and each module that calls the method has one for itself, with the function in it; that of a cpdef method is another
one, which calls what Python finds under the name, if it finds something.
"""

import copy
import inspect

from Cython.Compiler import ExprNodes, Nodes, PyrexTypes
from Cython.Compiler.Errors import error
from Cython.Compiler.StringEncoding import EncodedString
from Cython.Compiler.Visitor import TreeVisitor

from ..shared.facts import ClassFacts, ClassNodeFacts, ModuleFacts
from ..shared.statements import argument_name, each_in, function_declarator, lists_of, name_declarator, statements_of
from .implementing import difference, shown
from .interface_type import methods_of


# ------------------------------------------------------------------------- the functions

class _Function(Nodes.CFuncDefNode):
    """It is declared with the interface, before the classes behind that."""

    entry = None

    def analyse_declarations(self, env):
        if self.entry is None:
            super().analyse_declarations(env)


def function_of_body(node, method):
    """The function that has the body of a method, before Cython analyses the method."""
    declarator = copy.deepcopy(method.declarator)
    function = function_declarator(declarator)
    function.base.name = EncodedString(f"__customslots_{node.class_name}_{function.base.name}")
    return _Function(**{**vars(method), "declarator": declarator, "doc": None, "overridable": False})


def declare(functions, interface, env):
    """Declare the functions of an interface, in the module or .pxd that declares it."""
    for name, function in functions.items():
        late = _late_function(name, function) if name in interface.cpdefs else None
        _Uses(interface, name, _declare(function, interface, env)).visit(function.body)
        interface.bodies = {**interface.bodies, name: function.entry}
        if late is not None:
            _declare(late, interface, env)
            interface.late_bodies = {**interface.late_bodies, name: late.entry}


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
    """Declare one; the name of its first argument."""
    first = function_declarator(function.declarator).args[0]
    first.declarator.name = argument_name(first)
    first.base_type, first.annotation = Nodes.CAnalysedBaseTypeNode(first.pos, type=interface), None
    function.analyse_declarations(env)
    ModuleFacts.of(env).statements.append(function)
    return first.declarator.name


def _late_function(name, function):
    """``override = getattr(type(self), "name", None)``, which is called, or else the function with the body."""
    pos, declarator = function.pos, copy.deepcopy(function.declarator)
    called = function_declarator(declarator)
    names = [argument_name(argument) for argument in called.args]
    own, called.base.name = called.base.name, EncodedString(f"{called.base.name}_late")

    def call(what, *arguments):
        function = what if isinstance(what, ExprNodes.ExprNode) else ExprNodes.NameNode(pos, name=EncodedString(what))
        return ExprNodes.SimpleCallNode(pos, function=function, args=list(arguments))

    def values():
        return [ExprNodes.NameNode(pos, name=value) for value in names]
    override = EncodedString("__customslots_override")
    found = call("getattr", call("type", values()[0]), ExprNodes.UnicodeNode(pos, value=EncodedString(name)),
                 ExprNodes.NoneNode(pos))
    assign = Nodes.SingleAssignmentNode(pos, lhs=ExprNodes.NameNode(pos, name=override), rhs=found)
    test = ExprNodes.PrimaryCmpNode(pos, operator="is", operand1=ExprNodes.NameNode(pos, name=override),
                                    operand2=ExprNodes.NoneNode(pos))
    is_void = getattr(function.base_type, "name", None) == "void" and called is declarator
    make = (lambda value: Nodes.ExprStatNode(pos, expr=value)) if is_void else (
        lambda value: Nodes.ReturnStatNode(pos, value=value))
    stat = Nodes.IfStatNode(pos, if_clauses=[Nodes.IfClauseNode(pos, condition=test, body=make(call(own, *values())))],
                            else_clause=make(call(override, *values())))
    return _Function(**{**vars(function), "declarator": declarator, "doc": None,
                        "body": Nodes.StatListNode(pos, stats=[assign, stat])})


class _Uses(TreeVisitor):
    """Reports what else a body takes of its object than the methods of the interface."""

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

class _Declarator(Nodes.CFuncDeclaratorNode):
    """That of a method whose type is known, which may have no name in the module of the class."""

    exception_value, exception_check, has_varargs, has_explicit_exc_clause = None, False, False, True
    nogil = with_gil = False

    def analyse(self, return_type, env, *args, **kwargs):
        want = self.method.type
        taken = [PyrexTypes.CFuncTypeArg(argument.declarator.name, known.type, self.pos)
                 for argument, known in zip(self.args, want.args)]
        taken[0].type = env.parent_type
        for argument, known in zip(taken, want.args):
            argument.not_none, argument.or_none = known.not_none, known.or_none
        return self.base, PyrexTypes.CFuncType(
            want.return_type, taken, exception_value=want.exception_value, exception_check=want.exception_check,
            nogil=want.nogil, is_overridable=self.overridable)


def give_methods(node, env):
    """Give a class the methods that its interfaces have bodies for, and that it has not."""
    entry = env.lookup_here(node.class_name) if env.is_module_scope else None
    known = entry.type if entry is not None and entry.is_type and entry.type.is_extension_type else None
    interfaces = list(dict.fromkeys([interface for interface, _ in ClassNodeFacts.known(node).implements]
                                    + list(ClassFacts.known(known).implements if known is not None else ())))
    interfaces = [interface for interface in interfaces if interface.bodies and not any(
        other is not interface and interface in other.chain() for other in interfaces)]
    if not interfaces or node.body is None:
        return
    base = known.base_type if known is not None else None
    if base is None and node.bases and node.bases.args:
        base = node.bases.args[0].analyse_as_type(env)
    taken, given = set(_names_in(node.body)), {}
    for interface in interfaces:
        for method in methods_of(interface):
            name = method.name
            function = interface.bodies.get(name)
            undeclared = not node.in_pxd and known is not None and entry.defined_in_pxd and not _has(known, name)
            if function is None or name in taken or undeclared or _has(base, name):
                continue
            other = given.setdefault(name, interface)
            if other is interface:
                statements_of(node).append(_calling_method(node, interface, method, function))
            elif other.bodies[name] is not function:
                error(node.pos, f"'{node.class_name}' names interfaces '{other.name}' and '{interface.name}', which "
                                f"both have a body for '{name}'; write the method in the class")


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
    """A method of a class that calls the function; in a .pxd its declaration."""
    pos, count = node.pos, len(method.type.args)
    names = [EncodedString("self" if not i else argument.name or f"a{i}")
             for i, argument in enumerate(method.type.args)]
    arguments = [Nodes.CArgDeclNode(
        pos, base_type=Nodes.CAnalysedBaseTypeNode(pos, type=method.type.args[i].type),
        declarator=Nodes.CNameDeclaratorNode(pos, name=names[i], cname=None), default=None, annotation=None,
        not_none=method.type.args[i].not_none, or_none=method.type.args[i].or_none, kw_only=0, pos_only=0)
        for i in range(count)]
    said = {
        "visibility": "private", "api": False, "modifiers": [], "overridable": method.name in interface.cpdefs,
        "base_type": Nodes.CAnalysedBaseTypeNode(pos, type=method.type.return_type)}
    declarator = _Declarator(pos, base=Nodes.CNameDeclaratorNode(pos, name=method.name, cname=None),
                             args=arguments, method=method, overridable=said["overridable"])
    if node.in_pxd:
        return Nodes.CVarDefNode(pos, declarators=[declarator], in_pxd=True, doc=None, directive_locals={}, **said)
    called = ExprNodes.NameNode(pos, name=EncodedString(function.name))
    called.entry = function
    call = ExprNodes.SimpleCallNode(pos, function=called,
                                    args=[ExprNodes.NameNode(pos, name=name) for name in names])
    body = (Nodes.ExprStatNode(pos, expr=call) if method.type.return_type.is_void else
            Nodes.ReturnStatNode(pos, value=call))
    return Nodes.CFuncDefNode(
        pos, declarator=declarator, body=Nodes.StatListNode(pos, stats=[body]),
        doc=EncodedString(interface.method_docs[method.name]) if method.name in interface.method_docs else None,
        is_const_method=False, is_static_method=False, directive_locals={}, directive_returns=None, **said)
