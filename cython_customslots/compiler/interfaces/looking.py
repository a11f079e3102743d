# SPDX-License-Identifier: MIT
"""C functions that call what Python finds under the name of a method: for classes of Python, which override it.

    cdef double __customslots_Shape_area_0(Shape self) except? -1:
        found = ...                         # what the type of `self` has as "area", bound to `self`
        return found()

Attributes of instances do not count, so these are no calls of Cython's own cpdef methods, which look at
the object.  All classes of a module, of whatever interface, share the function for a method.
"""

from Cython.Compiler import ExprNodes, Nodes, PyrexTypes
from Cython.Compiler.StringEncoding import EncodedString

from ..shared.facts import ModuleFacts
from ..shared.writing import utility

_OF_TYPE = PyrexTypes.CFuncType(PyrexTypes.py_object_type, [
    PyrexTypes.CFuncTypeArg("object", PyrexTypes.py_object_type, None),
    PyrexTypes.CFuncTypeArg("name", PyrexTypes.py_object_type, None),
    PyrexTypes.CFuncTypeArg("needed", PyrexTypes.c_int_type, None)])


class DeclaredFunction(Nodes.CFuncDefNode):
    """It is declared with the interface or the class, before the statements that follow."""

    entry = None

    def analyse_declarations(self, env):
        if self.entry is None:
            super().analyse_declarations(env)


class Declarator(Nodes.CFuncDeclaratorNode):
    """The declarator of a function whose type is known, and which may have no name in the module."""

    exception_value, exception_check, has_varargs, has_explicit_exc_clause = None, False, False, True
    nogil = with_gil = False
    receiver = None                  # the type of `self`; None: the class that it is in

    def analyse(self, return_type, env, *args, **kwargs):
        want = self.known
        taken = [PyrexTypes.CFuncTypeArg(argument.declarator.name, known.type, self.pos)
                 for argument, known in zip(self.args, want.args)]
        taken[0].type = self.receiver or env.parent_type
        for argument, known in zip(taken, want.args):
            argument.not_none, argument.or_none = known.not_none, known.or_none
        return self.base, PyrexTypes.CFuncType(
            want.return_type, taken, exception_value=want.exception_value, exception_check=want.exception_check,
            nogil=want.nogil, is_overridable=self.overridable)


def declarator_of(pos, name, known, overridable=False, receiver=None):
    """The declarator of a function of the type *known*."""
    arguments = [Nodes.CArgDeclNode(
        pos, base_type=Nodes.CAnalysedBaseTypeNode(pos, type=argument.type),
        declarator=Nodes.CNameDeclaratorNode(
            pos, name=EncodedString("self" if not i else argument.name or f"a{i}"), cname=None),
        default=None, annotation=None, not_none=argument.not_none, or_none=argument.or_none, kw_only=0, pos_only=0)
        for i, argument in enumerate(known.args)]
    return Declarator(pos, base=Nodes.CNameDeclaratorNode(pos, name=EncodedString(name), cname=None),
                      args=arguments, known=known, overridable=overridable, receiver=receiver)


def call(pos, function, arguments):
    return ExprNodes.SimpleCallNode(pos, function=function, args=arguments)


def returning(pos, known, value):
    """The statement that returns a value, or only runs an expression that has none."""
    return (Nodes.ExprStatNode(pos, expr=value) if known.return_type.is_void
            else Nodes.ReturnStatNode(pos, value=value))


def declare_looking(env, pos, interface, method, name, otherwise=None, **said):
    """Declare the function for a method; *otherwise*: the name of the function that is called if Python finds nothing.

    Returns its entry.
    """
    known = method.type
    declarator = declarator_of(pos, name, known, receiver=interface)
    names, found = [argument.declarator.name for argument in declarator.args], EncodedString("__customslots_found")

    def values(first):
        return [ExprNodes.NameNode(pos, name=value) for value in names[first:]]
    of_type = ExprNodes.PythonCapiCallNode(
        pos, "__Pyx_CustomSlots_OfType", _OF_TYPE, utility_code=utility("CustomSlotsOfType", "Interfaces.c"),
        may_return_none=True, args=[
            *values(0)[:1], ExprNodes.UnicodeNode(pos, value=EncodedString(method.name)),
            ExprNodes.IntNode(pos, value=str(int(otherwise is None)))])
    stats = [Nodes.SingleAssignmentNode(pos, lhs=ExprNodes.NameNode(pos, name=found), rhs=of_type)]
    calls = returning(pos, known, call(pos, ExprNodes.NameNode(pos, name=found), values(1)))
    if otherwise is not None:
        is_none = ExprNodes.PrimaryCmpNode(pos, operator="is", operand1=ExprNodes.NameNode(pos, name=found),
                                           operand2=ExprNodes.NoneNode(pos))
        own = returning(pos, known, call(pos, ExprNodes.NameNode(pos, name=EncodedString(otherwise)), values(0)))
        calls = Nodes.IfStatNode(pos, else_clause=calls, if_clauses=[
            Nodes.IfClauseNode(pos, condition=is_none, body=own)])
    function = DeclaredFunction(
        pos, declarator=declarator, body=Nodes.StatListNode(pos, stats=[*stats, calls]), doc=None,
        base_type=Nodes.CAnalysedBaseTypeNode(pos, type=known.return_type), visibility="private", api=False,
        overridable=False, is_const_method=False, is_static_method=False, directive_locals={}, directive_returns=None,
        **{"modifiers": [], **said})
    function.analyse_declarations(env)
    ModuleFacts.of(env).statements.append(function)
    return function.entry


def look_for(env, pos, interface):
    """Declare the functions of the methods of an interface that Python may override, once in a module."""
    looking = ModuleFacts.of(env).looking
    for method in interface.scope.cfunc_entries if env.is_module_scope else ():
        key = interface.key, method.name
        if method.name in interface.cpdefs and key not in looking:
            looking[key] = declare_looking(
                env, pos, interface, method, f"__customslots_{interface.name}_{method.name}_{len(looking)}")


def looking_of(env, interface, method):
    """The entry of the function for a method."""
    return ModuleFacts.known(env).looking[interface.key, method.name]
