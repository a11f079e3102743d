# SPDX-License-Identifier: MIT
"""The statements of a module or of the body of a class, and declarators, as Cython nests them."""

from Cython.Compiler import Nodes


def statements_of(node):
    """The list of the statements of a module or of another node, to be added to."""
    if not isinstance(node.body, Nodes.StatListNode):
        node.body = Nodes.StatListNode(node.body.pos, stats=[node.body])
    return node.body.stats


def lists_of(body):
    """Yield the lists of statements; statements with directives of their own are in a node of their own."""
    if isinstance(body, Nodes.CompilerDirectivesNode):
        body = body.body
    if isinstance(body, Nodes.StatListNode):
        yield body.stats
        for stat in body.stats[:]:
            yield from lists_of(stat)


def each_in(body):
    """Yield the statements of these lists."""
    return (stat for stats in lists_of(body) for stat in stats)


def children(node):
    """Yield the nodes that a node is made of."""
    for name in node.child_attrs or ():
        child = getattr(node, name, None)
        yield from (child if isinstance(child, list) else [child] if child is not None else [])


class Composite(Nodes.Node):
    """A node of ours; only its parts have functions and are shown in annotated HTML."""

    def generate_function_definitions(self, env, code):
        for child in children(self):
            child.generate_function_definitions(env, code)

    def annotate(self, code):
        for child in children(self):
            child.annotate(code)


def function_declarator(declarator):
    while not isinstance(declarator, Nodes.CFuncDeclaratorNode):
        declarator = declarator.base
    return declarator


def name_declarator(declarator):
    """The declarator that has the name; Cython's declared_name() does not find it in arrays and references."""
    while not isinstance(declarator, Nodes.CNameDeclaratorNode):
        declarator = declarator.base
    return declarator


def argument_name(argument):
    """The name of an argument of a C function; a name that stands alone is parsed as a type."""
    return name_declarator(argument.declarator).name or argument.base_type.name
