# SPDX-License-Identifier: MIT
"""The text of a stub: classes with their C fields, functions and constants of a module."""
from __future__ import annotations

import enum
import re
import textwrap
import types
from abc import ABCMeta
from typing import Any, NamedTuple

from .signature_text import Signature, is_name, signature_of, text_of
from .type_text import ANY, Names

#: Of a class's dict: what every class has, and what is Cython's own business.
_LEFT_OUT = {
    "__annotations__", "__dict__", "__doc__", "__module__", "__new__", "__qualname__", "__reduce__",
    "__reduce_cython__", "__reduce_ex__", "__setstate__", "__setstate_cython__", "__getstate__", "__pyx_vtable__",
    "__weakref__", "__customslots_fields__", "__abstractmethods__", "__static_attributes__", "__firstlineno__",
    "__slots__", "_abc_impl", "__class_getitem__", "__init_subclass__", "__orig_bases__", "__parameters__",
    "__match_args__"}
_METHODS = (types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.BuiltinFunctionType)
_READABLE, _WRITABLE = 1, 2


class Field(NamedTuple):
    """A C field that Python sees."""

    metaclass: type
    name: str
    writable: bool
    type: str
    doc: str                    # of its own, behind the line that says the type


def stub_of(module: types.ModuleType) -> str:
    names = Names(module)
    body = []
    for name, value in _members(module):
        body.append(_member(module, name, value, names))
    return names.finish("\n".join(filter(None, body)).replace("\n\n\n", "\n\n").strip("\n") + "\n")


def _members(module: types.ModuleType) -> list[tuple[str, Any]]:
    """Metaclasses first, then bases before what derives from them."""
    members = [(name, value) for name, value in vars(module).items()
               if is_name(name) and not name.startswith("__") and not name.startswith("_pyx")]
    exported = vars(module).get("__all__")
    if isinstance(exported, (list, tuple)):
        members.append(("__all__", exported))
    return sorted(members, key=_place)


def _place(member: tuple[str, Any]) -> tuple[int, int]:
    value = member[1]
    if not isinstance(value, type):
        return 2, 0
    return (0 if issubclass(value, type) else 1), len(value.__mro__)


def _member(module: types.ModuleType, name: str, value: Any, names: Names) -> str:
    if name == "__all__":
        return f"__all__ = {list(value)!r}"
    if isinstance(value, type):
        if value.__module__ != module.__name__ or value.__qualname__ != name:
            return _elsewhere(module, name, value, names)
        return _class(value, names)
    if isinstance(value, types.ModuleType):
        return ""
    if callable(value) and (isinstance(value, (types.FunctionType, types.BuiltinFunctionType))
                            or type(value).__name__ in ("cython_function_or_method", "fused_cython_function")):
        if getattr(value, "__module__", None) not in (module.__name__, None):
            return ""
        return text_of(name, signature_of(value, name, names, bound=False), names, None)
    return f"{name}: {names.of_value(value)}"


def _elsewhere(module: types.ModuleType, name: str, cls: type, names: Names) -> str:
    """A class of another module: if it is exported, by its name there."""
    if name not in getattr(module, "__all__", ()) and cls.__module__ != module.__name__:
        return ""
    text = names.of_class(cls)
    return f"{name} = {text}" if text not in (name, ANY) else ""


# ------------------------------------------------------------------------------- classes

def _class(cls: type, names: Names) -> str:
    if issubclass(cls, enum.Enum):
        return _enum(cls, names)
    is_metaclass = issubclass(cls, type)
    bases = [_base(base, names) for base in cls.__bases__ if base is not object]
    lines: list[str] = []
    if isinstance(cls, ABCMeta):
        bases.append(f"metaclass={names.of_abc('ABCMeta')}")
    elif not is_metaclass and fields_of(type(cls)):
        # mypy looks at class keywords only if the metaclass is type or ABCMeta.
        lines.append(f"# Its metaclass is {type(cls).__qualname__}; were that said, mypy would check no class keyword.")
    fields = fields_of(cls if is_metaclass else type(cls))
    if is_metaclass:
        lines += _fields_of_metaclass(cls, fields, names)
    else:
        lines += _fields_of_class(cls, fields, names)
    left_out = _LEFT_OUT | {field.name for field in fields}
    own = vars(cls)
    for name, value in own.items():
        if name not in left_out and is_name(name):
            lines += _attribute(cls, name, value, names)
    if not is_metaclass and "__new__" in own and "__init__" not in own:
        lines.append(text_of("__init__", None, names, "self"))      # by __cinit__, whose arguments are not known
    return _class_text(cls, bases, lines)


def _class_text(cls: type, bases: list[str], lines: list[str]) -> str:
    heading = f"class {cls.__qualname__.rpartition('.')[2]}{'(' + ', '.join(bases) + ')' if bases else ''}:"
    return f"\n{heading}" + (" ...\n" if not lines else "\n" + textwrap.indent("\n".join(lines), "    ") + "\n")


def _enum(cls: type[enum.Enum], names: Names) -> str:
    """A `cpdef enum`, too: Cython puts a base of its own between it and IntFlag, which no one can name."""
    base = next(base for base in cls.__mro__ if base.__module__ == "enum")
    lines = []
    for name, member in cls.__members__.items():
        if not is_name(name):
            continue
        plain = type(member.value) in (int, str, bytes, bool)
        lines.append(f"{name} = {member.value!r}" if plain else f"{name} = ...")
    inherited = {name for base in cls.__mro__[1:] for name in vars(base)}
    for name, value in vars(cls).items():
        if is_name(name) and not name.startswith("_") and name not in cls.__members__ and name not in inherited:
            lines += _attribute(cls, name, value, names)
    return _class_text(cls, [names.of_class(base)], lines)


def _base(base: type, names: Names) -> str:
    if repr(base).startswith("<class '_extensibletype."):       # its __module__ may be a path through a class
        return names.of_extensibletype()
    text = names.of_class(base)
    return "type" if text == f"type[{ANY}]" else text


def fields_of(metaclass: type) -> list[Field]:
    """The C fields that Python sees of classes of this metaclass, those of bases first."""
    try:
        from ..provider import _fields  # type: ignore[attr-defined]
    except ImportError:                                 # no CPython: there are none
        return []
    rows, found = [], set()
    for owner, name, flags, code, doc in _fields(metaclass):
        if not flags & (_READABLE | _WRITABLE) or name in found:
            continue
        found.add(name)
        rows.append((owner, name, bool(flags & _WRITABLE), code, doc))
    order = list(metaclass.__mro__)
    rows.sort(key=lambda row: -order.index(row[0]))
    return [Field(owner, name, writable, _encoded(code, doc, name), (doc or "").partition("\n\n")[2])
            for owner, name, writable, code, doc in rows]


def _encoded(code: int, doc: str | None, name: str) -> str:
    """What is known of a field's type, for _type(): from the docstring "priority: int (C: long)"."""
    found = re.match(rf"{re.escape(name)}: ([^(\n]+?)(?: \(C: .*\))?(?:\n|$)", doc or "")
    return found[1] if found else f"#{code}"


def _type(field: Field, names: Names, cls: type | None = None) -> str:
    if not field.type.startswith("#"):
        text = names.of_text(field.type)
        # Every object of Cython may be None; where a provider gives no value, it is.
        is_none = cls is not None and text != ANY and getattr(cls, field.name, 0) is None
        return f"{text} | None" if is_none else text
    text = names.of_code(int(field.type[1:]))
    if text == ANY and cls is not None:               # a conversion in C: what it makes of the value
        value = getattr(cls, field.name, None)
        if isinstance(value, (int, float, complex, str, bytes, list, dict, set, tuple)):
            return names.of_value(value)
    return text


def _fields_of_metaclass(cls: type, fields: list[Field], names: Names) -> list[str]:
    lines = []
    for field in fields:
        if field.metaclass is not cls:
            continue
        if field.writable:
            lines.append(f"{field.name}: {_type(field, names)}")
        else:
            lines += ["@property", f"def {field.name}(cls) -> {_type(field, names)}: ..."]
    return lines


def _docstring(text: str) -> list[str]:
    """Editors show a string behind an attribute."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{quoted}"""'.splitlines() if text else []


def _fields_of_class(cls: type, fields: list[Field], names: Names) -> list[str]:
    """Attributes where the class is the first one that has them; keywords wherever there are more of them
    than in the bases, or the class says itself what it takes."""
    inherited = {field for base in cls.__mro__[1:] for field in fields_of(type(base))}
    lines = []
    for field in fields:
        if field in inherited:
            continue
        form = names.of_typing("ClassVar" if field.writable else "Final")
        lines.append(f"{field.name}: {form}[{_type(field, names, cls)}]")
        lines += _docstring(field.doc)
    keywords = [f"{field.name}: {_type(field, names, cls)} = ..." for field in fields if field.writable]
    if keywords and (set(fields) - inherited or "__init_subclass__" in vars(cls)):
        signature: Signature | None = Signature([], "None")
        if cls.__init_subclass__.__qualname__ != "object.__init_subclass__" \
                and not isinstance(cls.__init_subclass__, types.BuiltinMethodType):
            signature = signature_of(cls.__init_subclass__, "__init_subclass__", names, bound=False)
        lines.append(text_of("__init_subclass__", signature, names, "cls", keywords))
    return lines


def _attribute(cls: type, name: str, value: Any, names: Names) -> list[str]:
    decorators = []
    if getattr(value, "__isabstractmethod__", False) is True:
        decorators.append(f"@{names.of_abc('abstractmethod')}")
    if isinstance(value, property):
        return _property(name, value, decorators, names)
    if isinstance(value, staticmethod):
        return ["@staticmethod", *decorators,
                text_of(name, signature_of(value.__func__, name, names, bound=False), names, None)]
    if isinstance(value, (classmethod, types.ClassMethodDescriptorType)):
        return ["@classmethod", *decorators,
                text_of(name, signature_of(getattr(cls, name), name, names, bound=False), names, "cls")]
    if isinstance(value, (types.GetSetDescriptorType, types.MemberDescriptorType)):
        return [f"{name}: {_documented(value, name, names)}"]
    if name == "__hash__" and value is None:
        return [f"__hash__: {names.of_typing('ClassVar')}[None]  # type: ignore[assignment]"]
    if isinstance(value, _METHODS) or type(value).__name__ in ("cython_function_or_method", "fused_cython_function"):
        if name == "__init__" and isinstance(value, types.WrapperDescriptorType):
            return [text_of(name, None, names, "self")]
        return [*decorators, text_of(name, signature_of(value, name, names, bound=True), names, "self")]
    if isinstance(value, type) and value.__qualname__ == f"{cls.__qualname__}.{name}":
        return _class(value, names).strip("\n").split("\n")
    if name.startswith("__") and name.endswith("__"):
        return []
    return [f"{name}: {names.of_typing('ClassVar')}[{names.of_value(value)}]"]


def _property(name: str, value: property, decorators: list[str], names: Names) -> list[str]:
    signature = signature_of(value.fget, name, names, bound=True) if value.fget is not None else None
    result = signature.result if signature is not None and signature.result else names.any()
    lines = ["@property", *decorators, f"def {name}(self) -> {result}: ..."]
    if value.fset is not None:
        lines += [f"@{name}.setter", f"def {name}(self, value: {result}) -> None: ..."]
    return lines


def _documented(value: Any, name: str, names: Names) -> str:
    """Of an attribute in C: embedsignature writes "name: type", but not whether Python may set it."""
    found = re.match(rf"{re.escape(name)}: (.+)", value.__doc__ or "")
    return names.of_text(found[1]) if found else names.any()
