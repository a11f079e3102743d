# SPDX-License-Identifier: MIT
"""``@callable`` on a C method of a cdef class: the C function behind its objects' ``__call__``.

    cdef class Curve:                          cdef class Curve:
        @customslots.callable            ->        cdef double at(self, double x) noexcept nogil: ...
        cdef double at(self, ...): ...             def __call__(self, double x): return self.at(x)

The class gets a slot that leads to a record for all of its instances, whose function calls the method through the
vtable.  Finders see from tp_call that a subclass overrides ``__call__``.
"""

import copy

from Cython.Compiler import ExprNodes, Nodes
from Cython.Compiler.Errors import error
from Cython.Compiler.StringEncoding import EncodedString

from ..decorators.declarations import Declaration, decorator_name
from ..shared.facts import ClassNodeFacts, FunctionFacts, ModuleFacts
from ..shared.statements import argument_name, each_in, function_declarator, lists_of, name_declarator


def take_callable(node, env):
    """Run before a class is analysed: take the decorator, and write the ``__call__`` if the class has none."""
    if node.in_pxd or node.body is None or not env.is_module_scope:
        return
    functions = list(each_in(node.body))
    marked = [(function, decorator) for function in functions if isinstance(function, Nodes.CFuncDefNode)
              for decorator in (*FunctionFacts.known(function).held, *FunctionFacts.known(function).dropped)
              if decorator_name(decorator.decorator, env) == "callable"]
    for function, decorator in marked:
        facts = FunctionFacts.of(function)
        facts.held = [other for other in facts.held if other is not decorator]
        facts.dropped = [other for other in facts.dropped if other is not decorator]    # pure-Python mode
        if isinstance(decorator.decorator, ExprNodes.CallNode):
            error(decorator.pos, "customslots.callable takes no arguments; write it without parentheses")
    if len(marked) > 1:
        error(marked[1][1].pos, f"customslots.callable stands on two methods of '{node.class_name}', whose objects can "
                                f"be called in one way; remove one of them")
    if not marked:
        return
    function, decorator = marked[0]
    ModuleFacts.of(env).callables.append((function, decorator.pos))
    said = ClassNodeFacts.of(node)
    if said.declaration is None:                 # it has a slot, so it is extensible
        said.declaration = Declaration(node.pos)
    if not any(isinstance(other, Nodes.DefNode) and other.name == "__call__" for other in functions):
        next(lists_of(node.body)).append(_call(function))


def _call(function):
    """``def __call__(self, ...): return self.method(...)``"""
    pos, declarator = function.pos, function_declarator(function.declarator)
    args = copy.deepcopy(declarator.args)
    names = [_as_in_def(argument) for argument in args]
    call = ExprNodes.SimpleCallNode(
        pos, function=ExprNodes.AttributeNode(pos, obj=ExprNodes.NameNode(pos, name=names[0]),
                                              attribute=declarator.base.name),
        args=[ExprNodes.NameNode(pos, name=name) for name in names[1:]])
    is_void = getattr(function.base_type, "name", None) == "void" and function.declarator is declarator
    stat = Nodes.ExprStatNode(pos, expr=call) if is_void else Nodes.ReturnStatNode(pos, value=call)
    return Nodes.DefNode(
        pos, name=EncodedString("__call__"), args=args, star_arg=None, starstar_arg=None, doc=None,
        body=Nodes.StatListNode(pos, stats=[stat]), decorators=None, is_async_def=False, return_type_annotation=None)


def _as_in_def(argument):
    """The name of an argument of a C method; a name that stands alone, as `self`, is changed to what a ``def`` has."""
    declarator = name_declarator(argument.declarator)
    if not declarator.name:
        declarator.name = argument_name(argument)
        argument.base_type = Nodes.CSimpleBaseTypeNode(
            argument.pos, name=None, module_path=[], is_basic_c_type=False, signed=1, complex=False, longness=0,
            is_self_arg=False, templates=None)
    return declarator.name
