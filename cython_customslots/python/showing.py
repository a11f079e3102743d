# SPDX-License-Identifier: MIT
"""An object of a user in a message of this package.

What was found may be anything: an integer whose decimal digits CPython refuses to write, a
list of a million items, an object whose ``__repr__`` raises.  None of these may replace the
message by an error or delay of its own.
"""

import reprlib


class _Repr(reprlib.Repr):
    """Cuts off inside of containers, and texts and numbers at *limit* characters."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = limit

    def repr_int(self, x: int, level: int) -> str:
        if x.bit_length() <= 3 * self.maxlong:
            return repr(x)
        return f"{x:#x}"                # decimal has a limit, and takes long


def cut(text: str, limit: int = 80) -> str:
    """*text*, or its beginning and three dots."""
    return text if len(text) <= limit else text[:limit] + "..."


def show(obj: object, limit: int = 80) -> str:
    """What repr() says of *obj*, cut off; its type and address, where repr() raises."""
    try:
        text = _Repr(limit).repr(obj)
    except MemoryError:
        raise
    except Exception:
        text = object.__repr__(obj)
    return cut(text, limit)
