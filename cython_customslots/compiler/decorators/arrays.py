# SPDX-License-Identifier: MIT
"""What ``@array`` says: expressions over ``self``, or the C function that fills a DLTensor."""

from Cython.Compiler.Errors import error

_WHAT = ("data", "shape", "strides", "dtype", "readonly")


class Array:
    """One ``@array(...)``, nothing of it analysed; *function*, or else *nodes*: {argument: expression}.

    *table*: the Address of its exchange API.
    """

    def __init__(self, pos, function, nodes, table):
        self.pos = pos
        self.function = function
        self.nodes = nodes
        self.table = table


def read_array(pos, positional, keywords, table):
    """Return an Array, or None after an error."""
    unknown = [name for name in keywords if name not in _WHAT]
    missing = [name for name in ("data", "shape") if name not in keywords]
    if unknown:
        error(keywords[unknown[0]].pos, f"customslots.array has no argument '{unknown[0]}'; there are "
                                        f"{', '.join(_WHAT)}")
    elif len(positional) > 1 or positional and keywords or missing and not positional:
        error(pos, f"customslots.array takes data=... and shape=..., or one C function that fills a DLTensor, found "
                   f"{len(positional)} positional arguments and {' and '.join(keywords) or 'no keywords'}")
    else:
        return Array(pos, positional[0] if positional else None, keywords, table)
    return None
