# SPDX-License-Identifier: MIT
"""What Python sees of an interface: a class that the runtime makes, and that Python derives from.

The module that declares an interface also has the functions that C calls for a class of Python
that implements it, where the class overrides nothing: the functions of a hidden cdef class, whose methods
have a body or raise NotImplementedError.

    @interface(b"geometry.Shape")        cdef class __customslots_Shape(Shape):
    cdef class Shape:              ->        cpdef int draw(self, canvas) except -1:
        cpdef int draw(...)                      raise NotImplementedError(...)
"""

import copy

from Cython.Compiler import ExprNodes, Nodes
from Cython.Compiler.StringEncoding import EncodedString

from ..shared.facts import ClassFacts, ClassNodeFacts, ModuleFacts
from ..shared.statements import argument_name, function_declarator, statements_of
from .looking import call

_PREFIX = "__customslots_"


def hidden_name(type_):
    return EncodedString(f"{_PREFIX}{type_.name}")


def remember_methods(node):
    """Keep copies of an interface's declarations, as they are before Cython analyses them."""
    ClassNodeFacts.of(node).methods = copy.deepcopy(_declarations(node.body))


def _declarations(body):
    if isinstance(body, Nodes.StatListNode):
        return [found for statement in body.stats for found in _declarations(statement)]
    if isinstance(body, Nodes.CFuncDefNode):
        return [(body.base_type, body.declarator, False, body.directive_locals, body.directive_returns)]
    if isinstance(body, Nodes.CVarDefNode):
        return [(body.base_type, declarator, body.overridable, {}, None)
                for declarator in body.declarators]
    return []


def hidden_class(node, type_):
    """The statement of the class that stands for an interface in classes of Python; or None.

    There is none for an interface that extends one of another module, because that module's types
    have no names here.
    """
    base = type_.base_type
    if base is not None and base.module_name != type_.module_name:
        return None
    pos, said = node.pos, ClassNodeFacts.known(node)
    bases = [ExprNodes.NameNode(pos, name=hidden_name(base))] if base is not None else []
    bases.append(ExprNodes.NameNode(pos, name=EncodedString(type_.name)))
    once = {function_declarator(method[1]).base.name: method for method in reversed(said.methods)}
    methods = [_method(pos, type_, *method) for name, method in reversed(once.items()) if name not in type_.bodies]
    statement = Nodes.CClassDefNode(
        pos, visibility="private", typedef_flag=False, module_name="", api=False,
        class_name=hidden_name(type_), as_name=None, bases=ExprNodes.TupleNode(pos, args=bases),
        objstruct_name=None, typeobj_name=None, check_size=None, in_pxd=False, decorators=None,
        doc=None, body=Nodes.StatListNode(pos, stats=methods))
    ClassNodeFacts.of(statement).is_hidden = True
    return statement


def _method(pos, type_, base_type, declarator, overridable, known, returns):
    function = function_declarator(declarator)
    name = function.base.name
    if function.args and function.args[0].declarator.name:       # `Shape self`: here it is the hidden class
        function.args[0].base_type = Nodes.CSimpleBaseTypeNode(
            pos, name=None, module_path=[], is_basic_c_type=False, signed=1, complex=False, longness=0,
            is_self_arg=True, templates=None)
    receiver = argument_name(function.args[0])
    message = EncodedString(f"'%s' has no method '{name}', which interface '{type_.full_name}' asks for")
    type_name, error_name = (ExprNodes.NameNode(pos, name=EncodedString(name)) for name in (
        "type", "NotImplementedError"))
    class_ = call(pos, type_name, [ExprNodes.NameNode(pos, name=receiver)])
    class_name = ExprNodes.AttributeNode(pos, obj=class_, attribute=EncodedString("__name__"))
    message = ExprNodes.binop_node(pos, "%", ExprNodes.UnicodeNode(pos, value=message), class_name)
    body = Nodes.RaiseStatNode(
        pos, exc_type=call(pos, error_name, [message]), exc_value=None, exc_tb=None, cause=None)
    body = Nodes.StatListNode(pos, stats=[body])
    if function.nogil:
        body = Nodes.StatListNode(pos, stats=[Nodes.GILStatNode(pos, state="gil", body=body)])
    return Nodes.CFuncDefNode(
        pos, visibility="private", base_type=base_type, declarator=declarator, body=body, doc=None,
        modifiers=[], api=False, overridable=overridable or name in type_.cpdefs,
        is_const_method=False, is_static_method=False, directive_locals=known,
        directive_returns=returns)


# ------------------------------------------------------------------------- the statements

class _Hidden(Nodes.CompilerDirectivesNode):
    """The statement of a hidden class."""


def append_class(env, node, type_):
    """The statements of the module are analysed in turn: an appended statement will be, too."""
    statement = hidden_class(node, type_)
    if statement is not None:
        # With binding=False its methods would refuse the objects that they are for, which are not instances of
        # the class.
        ModuleFacts.of(env).statements.append(_Hidden(
            statement.pos, directives={**env.directives, "binding": True},
            body=Nodes.StatListNode(statement.pos, stats=[statement])))


def put_first(module):
    """Behind the analysis of a module: bodies are there before a class statement of Python asks for them."""
    statements = statements_of(module)
    statements.sort(key=lambda node: not isinstance(node, _Hidden))


def finish_class(node):
    """A hidden class is not in the module's dict, and its objects are not pickled."""
    if not ClassNodeFacts.known(node).is_hidden:
        return
    node.scope.directives = {**node.scope.directives, "internal": True, "auto_pickle": False}
    ClassFacts.of(node.entry.type).typed = False


def hidden_type(env, interface):
    """The hidden class of an interface in this module, or None."""
    entry = env.lookup_here(hidden_name(interface))
    return entry.type if entry is not None and entry.is_type else None
