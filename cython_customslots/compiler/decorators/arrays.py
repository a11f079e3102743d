# SPDX-License-Identifier: MIT
"""What ``@array`` says: expressions over ``self``, or the C function that fills a DLTensor."""

from Cython.Compiler.Errors import error

_WHAT = ("data", "shape", "strides", "dtype", "readonly")


class Address:
    """The address of a C variable that we write; in place of a Value."""

    phase = "A"
    cname = None                     # when its class is known

    def generate(self, code, use):
        use(f"(void *)(uintptr_t)&{self.cname}")


class Array:
    """One ``@array(...)``, nothing of it analysed; *function*, or else *nodes*: {argument: expression}."""

    def __init__(self, pos, function, nodes):
        self.pos = pos
        self.function = function
        self.nodes = nodes
        self.table = Address()


def read_array(pos, positional, keywords):
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
        return Array(pos, positional[0] if positional else None, keywords)
    return None
