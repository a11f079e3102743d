# SPDX-License-Identifier: MIT
"""The vtable slot: the C methods of a cdef class, described so that they can be checked.

Its ID is interned from the class's name, its data points to

    {size, vtable, n, hashes[n], layout}

where hashes[i] covers the signatures of the first i + 1 methods, base tables first.
Signatures go by width, so that ``long`` and ``int64_t`` agree where they are the same;
widths are known to the C compiler only, so it fills them in.
"""

SLOT_NAME = "cython.vtable:{module}.{name}"


def methods_of(type_):
    """Return the C methods in the order of the table, those of base types first."""
    inherited = methods_of(type_.base_type) if type_.base_type is not None else []
    if type_.scope is None or type_.is_builtin_type:
        return inherited
    return inherited + [e for e in type_.scope.cfunc_entries if not e.is_inherited]


def _type_text(type_):
    """Return (text, [C type whose width belongs into the text])."""
    if type_.is_void:
        return "void", []
    if type_.is_pyobject:
        return "object", []
    if type_.is_ptr or type_.is_array or type_.is_cfunction:
        return "pointer", []
    name = "f" if type_.is_float else "c" if type_.is_complex else "i" if (
        type_.is_int or type_.is_enum) else "struct " + str(type_) + " "
    return name + "%d", [type_.empty_declaration_code()]


def signature(entry):
    """Return (format, [C types]) of one method: name, result, arguments, exceptions."""
    function = entry.type
    text, widths = _type_text(function.return_type)
    parts = []
    for argument in function.args:
        part, width = _type_text(argument.type)
        parts.append(part)
        widths += width
    flags = []
    if function.is_overridable:
        flags.append("skip_dispatch")
    if function.optional_arg_count:
        flags.append(f"optional {function.optional_arg_count}")
    if function.has_varargs:
        flags.append("...")
    exception = function.exception_value
    if function.return_type.is_pyobject:
        flags.append("except NULL")
    elif exception is not None:
        flags.append(f"except{'?' if function.exception_check else ''} {exception}")
    elif function.exception_check:
        flags.append("except *" if function.exception_check != "+" else "except +")
    else:
        flags.append("noexcept")
    return f"{text} {entry.name}({', '.join(parts)}) {' '.join(flags)}", widths
