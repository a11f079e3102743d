# SPDX-License-Identifier: MIT
"""The metadata that PyPy's branch for typed functions reads, beside our records.

It follows the name of a PyMethodDef backwards to them, if METH_TYPED is among the flags:
there a PyMethodDef has the name inside of the metadata.  On CPython nothing changes.
"""

import re

from Cython.Compiler import Naming, PyrexTypes
from Cython.Compiler.Errors import CompileError

from .patching import c_string, substitute
from .typed_functions import NOEXCEPT, number_of, plain

#: What its branch for typed functions can say.
_PYPY_TYPES = {PyrexTypes.c_long_type: "T_C_LONG", PyrexTypes.c_double_type: "T_C_DOUBLE"}


def _pypy_type(type_):
    type_ = plain(type_)
    return "T_PY_OBJECT" if type_.is_pyobject else _PYPY_TYPES.get(type_)


def _pypy_record(record, name):
    """Return (C of the metadata of a function, its name) or None.

    PyPy takes -1, 0.0 and NULL from a function that may raise for an error, and asks no
    further: functions that may also return these get none.
    """
    (function, arity), *others = record.entries
    types = [_pypy_type(type_) for type_ in [function.result, *function.types]]
    if others or function.is_method or None in types or len(function.name) > 99:
        return None
    if function.convention is NOEXCEPT:
        sign = ""
    elif types[0] == "T_PY_OBJECT" or (
            types[0] == "T_C_LONG" and function.convention.flag.endswith("VALUE")
            and number_of(function.node.entry.type.exception_value) == -1):
        sign = "-"
    else:
        return None
    cname = f"{Naming.pyrex_prefix}typed_pypy_{name}"
    return cname, [
        f"{function.header(arity)}; /*proto*/",
        f"static int {cname}_types[] = {{{''.join(f'{t}, ' for t in types[1:])}-1}};",
        f"static const PyPyTypedMethodMetadata {cname} = {{{cname}_types, {sign}{types[0]}, "
        f"(void *){function.thunk(arity)}, {c_string(str(function.node.entry.name))}}};"]


_ROW = re.compile(r'\{"(?:[^"\\]|\\.)*", (.*), ([^,]*), ([^,]*)\}')


def with_pypy_record(text, pattern, record, name, pos, line):
    """Return C with the PyMethodDef that *pattern* finds twice: PyPy's leads to metadata.

    Group 1 of *pattern* is the initialiser; *line* makes a line of it.
    """
    pypy = _pypy_record(record, name)
    if pypy is None:
        return text
    cname, declarations = pypy
    guard = "defined(PYPY_VERSION)"

    def replace(match):
        nonlocal guard
        row = _ROW.fullmatch(match.group(1))
        if row is None:
            raise CompileError(pos, f"customslots: the PyMethodDef {match.group(1)} is unknown")
        meth, flags, doc = row.groups()
        if "METH_O" not in flags.split("|"):     # PyPy reads no other but METH_FASTCALL
            guard += " && CYTHON_METH_FASTCALL"
        typed = f"{{{cname}.ml_name, {meth}, {flags}|METH_TYPED, {doc}}}"
        return f"#if {guard}\n{line(typed)}\n#else\n{match.group(0)}\n#endif"

    text = substitute(pattern, replace, text, "a PyMethodDef", pos)
    return "\n".join([f"#if {guard}", *declarations, "#endif", text])
