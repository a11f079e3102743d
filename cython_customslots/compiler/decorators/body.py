# SPDX-License-Identifier: MIT
"""``weight = 8`` in the body of a cdef class whose metaclass has a field of that name: a value, as in a decorator.

The statement goes before Cython analyses the body: with an annotation it would declare an attribute of the instances.
"""

from Cython.Compiler import Nodes
from Cython.Compiler.Errors import error

from ..shared.facts import ClassFacts, ClassNodeFacts, ancestors, declaration_of
from ..shared.statements import lists_of
from .declarations import Declaration, Value, metaclass_node_of, standard_name
from .initialisers import seen_fields, tree


def take_values(node, env):
    """Take the values out of the body of a class, if its metaclass is known already."""
    lists = list(lists_of(node.body))
    if not env.is_module_scope or not any(_assigned(stat) for stats in lists for stat in stats):
        return
    metaclass = _metaclass(node, env)
    fields = seen_fields(metaclass) if metaclass is not None else ()
    dataclass = any(standard_name(decorator, env) == "dataclasses.dataclass" for decorator in node.decorators or ())
    values = ClassNodeFacts.of(node).body_values
    for stats in lists:
        for stat in stats[:]:
            name = _assigned(stat)
            if name not in fields or dataclass and stat.lhs.annotation is not None:
                continue
            if name in values:
                error(stat.pos, f"field '{name}' is given twice in the body of '{node.class_name}'; remove one of them")
            values[name] = Value(stat.pos, node=stat.rhs, of_body=True)
            stats.remove(stat)
    for stat in [*(stat for stats in lists[:1] for stat in stats), *(value.node for value in values.values())]:
        for inner in tree(stat):
            if inner.is_name and inner.name in values:
                error(inner.pos, f"'{inner.name}' in the body of '{node.class_name}' is a field of its metaclass, "
                                 f"which the body cannot read; write its value")


def _assigned(stat):
    """The name that a statement gives a value, or None."""
    simple = isinstance(stat, Nodes.SingleAssignmentNode) and stat.lhs.is_name
    return stat.lhs.name if simple else None


def _metaclass(node, env):
    """The metaclass of a class that is not analysed yet; None if the class has none, or one that stands below."""
    said = metaclass_node_of(node, env)
    if said is not None:
        return said.analyse_as_type(env)
    entry = env.lookup_here(node.class_name)
    bases = [base.analyse_as_type(env) for base in node.bases.args[:1]]
    for type_ in [entry.type if entry is not None and entry.is_type else None, *bases]:
        for ancestor in ancestors(type_ if getattr(type_, "is_extension_type", False) else None):
            declaration = declaration_of(ancestor)
            if declaration is not None and declaration.metaclass_node is not None:
                return declaration.metaclass or declaration.metaclass_node.analyse_as_type(env)
    return None


def store_values(node):
    """Run behind the analysis of the body: its values join those of the decorators."""
    values = ClassNodeFacts.known(node).body_values
    entry = getattr(node, "entry", None)
    if not values or entry is None or entry.type.scope is None:
        return
    type_ = entry.type
    facts = ClassFacts.of(type_)
    if facts.declaration is None:
        facts.declaration = Declaration(node.pos)
    for name, value in values.items():
        if entry.defined_in_pxd:
            error(value.pos, f"'{node.class_name}' is defined in the .pxd; put '{name}', a field of its metaclass, "
                             f"into customslots.metaclass there")
        elif name in facts.declaration.fields:
            error(value.pos, f"field '{name}' is given here and in customslots.metaclass; remove one of them")
        facts.declaration.fields[name] = value
