# SPDX-License-Identifier: MIT
"""The vtable slot: the C methods of a cdef class, described so that they can be checked.

Its ID is interned from the class's name, its data points to

    {size, vtable, n, hashes[n], layout}

where hashes[i] covers the signatures of the first i + 1 methods, base tables first.
Signatures go by width, so that ``long`` and ``int64_t`` agree where they are the same.
Width and signedness are known to the C compiler only: a signature has a NUMBER where
they belong, and C code fills them in.
"""

#: Stands for a C type in a signature, e.g. "u8"; no signature contains it otherwise.
NUMBER = "%"

SLOT_NAME = "cython.vtable:{module}.{name}"


def methods_of(type_):
    """Return the C methods in the order of the table, those of base types first."""
    inherited = methods_of(type_.base_type) if type_.base_type is not None else []
    if type_.scope is None or type_.is_builtin_type:
        return inherited
    return inherited + [e for e in type_.scope.cfunc_entries if not e.is_inherited]


def _type_text(type_, numbers):
    """Return a type's text; appends a C expression to *numbers* for each NUMBER."""
    if type_.is_void:
        return "void"
    if type_.is_pyobject:
        return "object"
    if type_.is_ptr or type_.is_array or type_.is_cfunction or type_.is_reference:
        return "pointer"
    declaration = type_.empty_declaration_code()
    numbers.append(f"__PYX_CUSTOMSLOTS_{'INTEGER' if type_.is_int or type_.is_enum else 'WIDTH'}"
                   f"({declaration})")
    if type_.is_int or type_.is_enum:
        return NUMBER                            # C code writes i or u, too
    if type_.is_float:
        return "f" + NUMBER
    if type_.is_complex:
        return "c" + NUMBER
    return f"{{{type_}}}".replace(NUMBER, "") + NUMBER


def signature(entry):
    """Return (text, [C expressions of its NUMBERs]) of one C method.

    Result, name, arguments, and what a caller has to know besides: is there a
    skip_dispatch argument, optional ones, and how are exceptions reported?
    """
    function = entry.type
    numbers = []
    result = _type_text(function.return_type, numbers)
    arguments = [_type_text(argument.type, numbers) for argument in function.args]
    notes = []
    if function.is_overridable:
        notes.append("skip_dispatch")
    if function.optional_arg_count:
        notes.append(f"optional {function.optional_arg_count}")
    if function.has_varargs:
        notes.append("...")
    notes.append(_exceptions(function))
    return f"{result} {entry.name}({', '.join(arguments)}) {' '.join(notes)}", numbers


def _exceptions(function):
    value, check = function.exception_value, function.exception_check
    if function.return_type.is_pyobject:
        return "except NULL"
    if check == "+":
        return "except +"
    if value is not None:
        known = getattr(value, "python_value", None)     # else a C expression
        text = repr(known) if isinstance(known, (int, float)) else str(value)
        return f"except{'?' if check else ''} {text}".replace(NUMBER, "")
    return "except *" if check else "noexcept"
