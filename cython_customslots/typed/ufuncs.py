# SPDX-License-Identifier: MIT
"""NumPy ufuncs over typed functions, with loops of our own.

NumPy releases the GIL for large arrays, and its stock loops know neither that a function may need
it nor that it may raise.
"""
import importlib

from ..python.showing import show
from . import _typed
from .ctext import canonical, split
from .export import _boxed, _entry, _import
from .export import signatures as _offered

__all__ = ["as_ufunc"]

#: As NumPy tries loops: the first one whose types hold the arguments is taken.
_ORDER = ["bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "f16",
          "c8", "c16", "c32"]


def _wanted(callable, signatures):
    """The entries that are to become loops."""
    function = f"as_ufunc({show(callable)})"
    if signatures is None:
        offered = _offered(callable)
        texts = [text for text in offered if _is_numeric(text)]
        if offered and not texts:
            raise TypeError(f"{function}: found {'; '.join(offered)}, expected a signature of numbers "
                            "with at least one argument and a result")
    else:
        texts = [canonical(text) for text in ([signatures] if isinstance(signatures, str) else signatures)]
        for text in texts:
            if not _is_numeric(text):
                raise TypeError(f"{function}: found {text}, expected numbers only")
    entries = [_entry(callable, text, "as_ufunc") for text in dict.fromkeys(texts)] or [
        _entry(callable, None, "as_ufunc")]
    return sorted(entries, key=lambda entry: [_ORDER.index(name) for name in split(entry.text)[1:]])


def _is_numeric(text):
    names = split(text)
    return len(names) > 1 and all(name in _ORDER for name in names)


def as_ufunc(callable, signatures=None, *, nin=None, name=None, doc=None, identity=None):
    """A numpy.ufunc whose loops call the C functions of *callable*, one for each
    numeric overload: broadcasting, out=, where=, reduce, casting.

    *signatures*: the overloads that become loops (a text or several); default: all numeric ones.
    *nin*: take the overloads with this number of arguments, because a ufunc has only one; for
    functions with optional arguments.  *identity*: what reduce() starts with, None, 0, 1 or -1.

    The first error stops the loop and is raised.  The GIL is taken for entries that need it;
    others run without it where NumPy releases it.  Rare signatures, for which no loop is built
    in, are called through Python, one element at a time; long double and complex numbers
    cannot be called so, and such an overload is left out, or refused if *signatures* names it.
    """
    function = f"as_ufunc({show(callable)})"
    numpy = _import("numpy", function)
    entries = _wanted(callable, signatures)
    texts = [entry.text for entry in entries]
    if nin is not None:
        entries = [entry for entry in entries if len(split(entry.text)) == nin + 1]
        if not entries:
            raise TypeError(f"{function}: found {'; '.join(texts)}, expected one with {nin} "
                            "arguments")
    arities = sorted({len(split(entry.text)) - 1 for entry in entries})
    if len(arities) > 1:
        raise TypeError(f"{function}: found {'; '.join(texts)}, with "
                        f"{' and '.join(map(str, arities))} arguments; a ufunc has one number of "
                        "arguments: say which with nin= or signatures=")
    rows, left_out = {}, []
    for entry in entries:
        arguments = tuple(split(entry.text)[1:])
        rating = _typed.loop_rating(entry.number)
        if rating == 0:
            left_out.append(entry.text)
        elif arguments in rows:
            raise TypeError(f"{function}: found two results for {', '.join(arguments)}, expected "
                            "one; say which with signatures=")
        else:
            rows[arguments] = entry.number, _boxed(entry) if rating == 1 else None, entry.owner
    if left_out and (signatures is not None or not rows):
        raise TypeError(f"{function}: no loop for {'; '.join(left_out)} is built in, and ctypes "
                        "cannot pass long double and complex numbers in all versions of Python")
    if identity not in (None, 0, 1, -1):
        raise ValueError(f"{function}: found the identity {show(identity)}, expected None, 0, 1 or -1")
    name = (name or getattr(callable, "__name__", None) or getattr(entries[0].owner, "__name__", None)
            or type(callable).__name__)
    if doc is None:
        doc = getattr(callable, "__doc__", None) or ""
    for what in (name, doc):
        if not isinstance(what, str) or "\0" in what:
            raise TypeError(f"{function}: found {show(what)} as name or doc, expected a str without NUL")
    core = importlib.import_module(f"numpy.{'_core' if hasattr(numpy, '_core') else 'core'}._multiarray_umath")
    made, _ = _typed.ufunc(core._UFUNC_API, numpy.ufunc, tuple(rows.values()), arities[0],
                           {None: -1, 0: 0, 1: 1, -1: 2}[identity], name, doc)
    return made
