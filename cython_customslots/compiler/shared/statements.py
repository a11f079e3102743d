# SPDX-License-Identifier: MIT
"""The statements of a module or of the body of a class, as Cython nests them."""

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
