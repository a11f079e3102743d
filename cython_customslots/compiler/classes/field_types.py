# SPDX-License-Identifier: MIT
"""What Python sees of a C type: for the docstrings of fields, which help() and stubs show."""

from Cython.Compiler.PyrexTypes import c_bint_type

#: What Cython's conversions make of the containers of libcpp, whose arguments follow.
_CONTAINERS = {"vector": "list", "list": "list", "set": "set", "unordered_set": "set", "map": "dict",
               "unordered_map": "dict", "pair": "tuple"}
_BUILTINS = {"unicode": "str", "basestring": "str"}


def doc_of_field(entry, scope):
    """The docstring of a field that Python sees: "priority: int (C: long)"."""
    seen = python_type(entry.type, scope)
    if entry.type.is_pyobject:
        return f"{entry.name}: {seen}"
    return f"{entry.name}: {seen} (C: {entry.type.declaration_code('', for_display=1)})"


def python_type(type_, scope):
    """The name of the class of Python objects that a value of this C type becomes; "object" if
    that may be any."""
    if type_.is_typedef:
        type_ = type_.resolve()
    if type_.is_pyobject:
        return _of_object(type_)
    if type_.is_cpp_class:
        return _of_cpp(type_, scope)
    if type_.is_string:
        return _string(scope)
    if type_.is_enum or type_.is_cpp_enum:
        return "int"
    if type_.is_complex:
        return "complex"
    if type_.is_float:
        return "float"
    if type_.is_int:
        return "bool" if type_ is c_bint_type else "int"
    if type_.is_array:
        return f"list[{python_type(type_.base_type, scope)}]"
    if type_.is_ctuple:
        return f"tuple[{', '.join(python_type(c, scope) for c in type_.components)}]"
    if type_.is_struct:
        return "dict[str, object]"
    return "object"


def _of_object(type_):
    if type_.is_builtin_type:
        return _BUILTINS.get(type_.name, type_.name)
    if type_.is_extension_type:
        return f"{type_.module_name}.{type_.name}"
    return "object"


def _of_cpp(type_, scope):
    name = type_.name.rpartition("::")[2]
    if name == "string":
        return _string(scope)
    if name == "complex":
        return "complex"
    if name in _CONTAINERS:
        wanted = 2 if _CONTAINERS[name] in ("dict", "tuple") else 1
        arguments = [python_type(t, scope) for t in (type_.templates or ())[:wanted]]
        return f"{_CONTAINERS[name]}[{', '.join(arguments)}]"
    return "object"


def _string(scope):
    return "str" if scope.directives.get("c_string_type") in ("str", "unicode") else "bytes"
