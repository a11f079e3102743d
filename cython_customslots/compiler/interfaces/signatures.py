# SPDX-License-Identifier: MIT
"""A C method as text: for the descriptions of vtables and of interfaces.

Signatures go by width, so that ``long`` and ``int64_t`` agree where they are the same.
Only the C compiler knows width and signedness: a signature has a NUMBER where
they belong, and an array has their values.

What a signature says must not depend on the version of Cython.  If its grammar ever has to
change, vtables.SLOT_NAME has to change, too: descriptions in two grammars must not be compared.
"""

import re

from Cython.Compiler import Naming, PyrexTypes

from ..shared.facts import plain
from .interface_type import is_interface

#: Stands for a C type in a signature, e.g. "u8"; no signature contains it otherwise.
NUMBER = "%"

#: What a memoryview must have in the same places.
_LAYOUT = "(unsigned int)(sizeof(__Pyx_memviewslice) << 16 | offsetof(struct __pyx_memoryview_obj, acquisition_count))"


def signature(entry, by_fields=False):
    """Return (text, [C expressions of its NUMBERs]) of one C method.

    Result, name, arguments, and what a caller has to know besides: is there a skip_dispatch argument,
    are there optional ones, may it be called without the GIL, and how are exceptions reported?
    """
    function = entry.type
    numbers = []
    result = _type_text(function.return_type, numbers, by_fields)
    own = 0 if function.is_static_method else 1
    arguments = ["object"] * own                 # self: the class that the table is of
    arguments += [_type_text(argument.type, numbers, by_fields)
                  for argument in function.args[own:]]
    notes = []
    if function.is_static_method:
        notes.append("static")
    if function.is_overridable:
        notes.append("skip_dispatch")
    if function.optional_arg_count:
        notes.append(f"optional {function.optional_arg_count}")
    if function.has_varargs:
        notes.append("...")
    if function.nogil:
        notes.append("nogil")
    notes.append(named_alike(_exceptions(function)) if by_fields else _exceptions(function))
    # A specialisation is __pyx_fuse_0name or name[int]: its types tell it from others.
    name = re.sub(r"^__pyx_fuse(_\d+)+|\[.*\]$", "", entry.name)
    return f"{result} {name}({', '.join(arguments)}) {' '.join(notes)}", numbers


def described(methods, by_fields=False):
    """Return ([lines], [C expressions of their NUMBERs]) of C methods."""
    lines, numbers = [], []
    for method in methods:
        line, widths = signature(method, by_fields)
        lines.append(line + "\n")
        numbers += widths
    return lines, numbers


def hashed(lines):
    """The C initialisers of these lines, each a PyCustomSlots_Signature."""
    return [f"{{{fnv1a(line)}, {line.count(NUMBER)}}}" for line in lines]


def _type_text(type_, numbers, by_fields=False):
    """Return a type's text; appends a C expression to *numbers* for each NUMBER.

    *by_fields*: a struct is what it holds, whatever it is called, and a memoryview has a layout that is
    Cython's own: two versions of Cython share it as long as what both touch is in the same places.
    """
    if type_.is_void:
        return "void"
    if type_.is_pyobject:
        return _object_text(type_).replace(NUMBER, "")
    if type_.is_ptr or type_.is_array or type_.is_reference:
        target = type_.ref_base_type if type_.is_reference else type_.base_type
        # The size of other targets may be unknown here, also to the C compiler.
        known = target.is_int or target.is_float
        text = _type_text(target, numbers) + "*" if known else "pointer"
        return _with_consts(text, type_) if by_fields and not type_.is_reference else text
    if type_.is_cfunction:
        return "pointer"
    if type_.is_int or type_.is_enum:
        return _number(type_, numbers)           # C code writes i or u, too
    if type_.is_float:
        return "f" + _number(type_, numbers)
    if type_.is_complex:
        return "c" + _number(type_, numbers)
    if by_fields and type_.is_memoryviewslice:
        text = f"{{{_type_text(type_.dtype, numbers, by_fields)}[{', '.join(map(' '.join, type_.axes))}]}}"
        numbers.append(_LAYOUT)
        return _with_consts(text + NUMBER, type_)
    if by_fields and type_.is_struct_or_union and type_.scope is not None:
        fields = [_type_text(field.type, numbers, by_fields) for field in type_.scope.var_entries]
        return f"{{{type_.kind} {', '.join(fields)}}}" + _number(type_, numbers)
    return f"{{{type_}}}".replace(NUMBER, "") + _number(type_, numbers)


def _with_consts(text, type_):
    """With `const` in front where items are only read, where a provider may promise more than its callers know of:
    _Pycs_LineServes() in _customslots/interface.h.  The types behind a pointer to a pointer must be the same.
    """
    first, *deeper = consts_of(type_)
    behind = "".join(" to const" if const else " to" for const in deeper) if any(deeper) else ""
    return f"{'const ' * first}{text}{behind}"


def consts_of(type_):
    """Is the target of a pointer, array or memoryview const, and the target of that, and so on; [] for
    anything else."""
    found = []
    while type_.is_ptr or type_.is_array or type_.is_memoryviewslice:
        type_ = type_.dtype if type_.is_memoryviewslice else type_.base_type
        found.append(bool(getattr(type_, "is_const", False)))
        type_ = plain(type_)
    return found


def _object_text(type_):
    """A caller may pass only what the argument's type allows: the function does not check it again."""
    if type_ is PyrexTypes.py_object_type or not getattr(type_, "name", None):
        return "object"
    if is_interface(type_):
        return f"interface {type_.full_name}"    # the same in every copy of its declaration
    if type_.is_builtin_type:
        return {"unicode": "str"}.get(type_.name, type_.name)      # Cython 3.0's word
    module = getattr(type_, "module_name", None)
    return f"{module}.{type_.name}" if module else str(type_.name)


def _number(type_, numbers):
    kind = "INTEGER" if type_.is_int or type_.is_enum else "WIDTH"
    text = type_.empty_declaration_code().replace(" const ", "")      # compilers warn of one in a cast
    numbers.append(f"PyCustomSlots_{kind}({text})")
    return NUMBER


def _exceptions(function):
    value, check = function.exception_value, function.exception_check
    if function.return_type.is_pyobject:
        return "except NULL"
    if check == "+":
        return "except +"
    if value is not None:
        return f"except{'?' if check else ''} {constant(value)}"
    return "except *" if check else "noexcept"


def named_alike(text):
    """The text without the module names in the C names of enumerators: a copy of a .pxd has others."""
    found = re.match(rf"(.*){Naming.enum_prefix}(?=\d)", text)
    if not found:
        return text
    rest = text[found.end():]
    while part := re.match(r"(\d+)", rest):
        rest = rest[part.end() + int(part[1]) + 1:]
    return found[1] + rest


def constant(value):
    """An exception value as text, the same from all versions of Cython."""
    known = getattr(value, "python_value", None)     # else a C expression, or its text
    if not isinstance(known, (int, float)):
        text = str(value).strip("() \n").replace(NUMBER, "")
        digits = "0" if text == "NULL" else re.sub("[uUlL]+$", "", text)
        try:
            known = int(digits, 0)
        except ValueError:
            try:
                known = float(digits)
            except ValueError:
                return text
    whole = not isinstance(known, float) or (known.is_integer() and abs(known) < 2 ** 53)
    return str(int(known)) if whole else repr(known)


def fnv1a(text):
    """Return the 64-bit FNV-1a hash of a text's UTF-8, as C code."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8"):
        value = (value ^ byte) * 0x100000001B3 % 2 ** 64
    return f"(uint64_t)0x{value >> 32:08X}u << 32 | 0x{value % 2 ** 32:08X}u"
