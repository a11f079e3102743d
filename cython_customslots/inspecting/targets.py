# SPDX-License-Identifier: MIT
"""What inspect is pointed at: modules, classes, expressions, files, all that is imported."""
from __future__ import annotations

import ast
import builtins
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from ..python.showing import show
from .classes import Look, _shown, copied, is_class
from .records import Inspection, Typed, TypeReport

#: (done, of how many): called now and then in a long scan.
Progress = Callable[[int, int], None]


class TargetError(Exception):
    """The target cannot be had; the message says why, and what is expected."""


# ------------------------------------------------------------------------- what is named --

@contextmanager
def _told(what: str) -> Iterator[None]:
    """Whatever is raised here becomes a TargetError, except Ctrl-C."""
    try:
        yield
    except (KeyboardInterrupt, TargetError):
        raise
    except BaseException as error:              # SystemExit, too: modules that are programs
        raise TargetError(f"{what} {type(error).__name__}: {_message(error)}") from error


def _message(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "(no message)"


def import_named(name: str) -> types.ModuleType:
    """The module; whatever importing it raises becomes a TargetError."""
    with _told(f"module {name!r} cannot be imported: it raises"):
        return importlib.import_module(name)


def _attribute(obj: Any, name: str, of: str) -> Any:
    with _told(f"{of!r} has no attribute {name!r} that can be had:"):
        return getattr(obj, name)


def _find_module(name: str) -> bool:
    """Is there a module of this name?  Parents are imported."""
    if name in sys.modules:
        return True
    parent = name.rpartition(".")[0]
    if parent and not _find_module(parent):
        return False
    if parent:
        import_named(parent)
    try:
        return importlib.util.find_spec(name) is not None
    except KeyboardInterrupt:
        raise
    except BaseException:               # a parent that is no package, and may raise anything of its own
        return False


def _dotted(text: str) -> Any:
    """module.Class.attribute: the longest prefix that is a module, and attributes of it."""
    names = text.split(".")
    for count in range(len(names), 0, -1):
        prefix = ".".join(names[:count])
        if not _find_module(prefix):
            continue
        found: Any = import_named(prefix)
        for name in names[count:]:
            found, prefix = _attribute(found, name, prefix), f"{prefix}.{name}"
        return found
    if hasattr(builtins, names[0]):
        found = builtins
        for name in names:
            found = _attribute(found, name, text)
        return found
    raise TargetError(f"found no module {names[0]!r}, expected a module, module:Class, an expression "
                      f"or a file; is it on sys.path?")


class _Names(dict[str, Any]):
    """What an expression's names stand for: builtins, and modules, which are imported."""

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            raise KeyError(name)                # Python looks it up itself then
        return _dotted(name)


def _evaluate(text: str, tree: ast.Expression) -> Any:
    # `a.b.c(2)`: a.b may be a submodule that is not imported yet.
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            chain = ast.unparse(node)
            if all(part.isidentifier() for part in chain.split(".")) and _find_module(chain):
                import_named(chain)
    with _told(f"expression {text!r} raises"):
        return eval(compile(tree, "TARGET", "eval"), {}, _Names())


def _load_file(path: str) -> types.ModuleType:
    """A module from its file, under the name that the file has."""
    path = os.path.abspath(path)
    name = os.path.basename(path).partition(".")[0]
    suffixes = (*importlib.machinery.EXTENSION_SUFFIXES, *importlib.machinery.SOURCE_SUFFIXES)
    if not path.endswith(suffixes):
        raise TargetError(f"found the file {path}, expected one of a module of this interpreter "
                          f"({', '.join(suffixes)})")
    there = sys.modules.get(name)
    if there is not None and os.path.realpath(getattr(there, "__file__", None) or "") == (
            os.path.realpath(path)):
        return there
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise TargetError(f"found the file {path}, which no loader takes")
    if there is not None:
        raise TargetError(f"found the file {path}, and another module {name!r} is imported already: "
                          f"{show(there)}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _told(f"file {path} cannot be imported: it raises"):
            spec.loader.exec_module(module)
    except TargetError:
        sys.modules.pop(name, None)
        raise
    return module


def resolve(target: str) -> tuple[str, Any]:
    """("module" | "class" | "object" | "file", what the target names); TargetError if nothing."""
    if os.path.isfile(target):
        with _told(f"file {target} cannot be imported:"):
            return "file", _load_file(target)
    module, colon, rest = target.partition(":")
    if colon and all(part.isidentifier() for part in module.split(".")) and rest and all(
            part.isidentifier() for part in rest.split(".")):
        found, of = import_named(module), module
        for name in rest.split("."):
            found, of = _attribute(found, name, of), f"{of}:{name}"
    elif all(part.isidentifier() for part in target.split(".")):
        found = _dotted(target)
    else:
        try:
            tree = ast.parse(target, mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            where = " (and there is no such file)" if os.sep in target else ""
            raise TargetError(f"found {target!r}, expected a module, module:Class, an expression or a "
                              f"file{where}: {_message(error)}") from error
        found = _evaluate(target, tree)
    if issubclass(type(found), types.ModuleType):
        return "module", found
    return ("class" if is_class(found) else "object"), found


# -------------------------------------------------------------------------------- scanning --

_dict_of_module: Any = types.ModuleType.__dict__["__dict__"]      # type: ignore[index]


def _names_of(module: types.ModuleType) -> dict[str, Any]:
    """The names in a module, without those that its __getattr__ would make."""
    return copied(_dict_of_module.__get__(module))


def all_classes() -> list[type]:
    """Every class of the process, `object` first."""
    found: dict[int, type] = {id(object): object}
    pending = [object]
    while pending:
        below: list[type[object]] = []
        with suppress(Exception):
            below = [sub for sub in type.__subclasses__(pending.pop()) if id(sub) not in found]
        found.update((id(sub), sub) for sub in below)
        pending += below
    return list(found.values())


def _report(look: Look, classes: Iterable[type], progress: Progress | None,
            alone: bool = False) -> tuple[list[TypeReport], int]:
    """Reports of the classes that carry something (or of all), and how many others."""
    classes = list(classes)
    found, others = [], 0
    for place, cls in enumerate(classes):
        if progress is not None:
            progress(place, len(classes))
        report = look.report(cls)
        if report.tells or alone:
            found.append(report)
        else:
            others += 1
    return found, others


def _given_slots(look: Look, module: Mapping[str, Any]) -> list[type]:
    """The classes of other modules for which this C module registered slots, as far as the slots' data tells."""
    file = module.get("__file__")
    if type(file) is not str or not file.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES)):
        return []
    return [cls for cls in all_classes() if look.has_slots_of(cls, file)]


def inspect_object(obj: Any, target: str = "", what: str = "",
                   progress: Progress | None = None) -> Inspection:
    """Inspect a module, a class or any other object."""
    look = Look()
    signatures: tuple[str, ...] = ()
    functions: list[Typed] = []
    text = why = None
    notes: list[str] = list(look.notes)
    if issubclass(type(obj), types.ModuleType):
        what = what or "module"
        names = _names_of(obj)
        classes = {id(value): value for value in names.values() if is_class(value)}
        classes.update((id(cls), cls) for cls in _given_slots(look, names))
        functions, notes = look.typed(names.items())
        types_, others = _report(look, classes.values(), progress)
        if what == "file" and type(names.get("__file__")) is str:
            text = f"module {names.get('__name__', '?')}"
    elif is_class(obj):
        what = what or "class"
        types_, others = _report(look, [obj], progress, True)
    else:
        what, text = what or "object", _shown(obj)
        signatures, why = look.signatures(obj)
        if why:
            notes.append(why)
        types_, others = _report(look, [type(obj)], progress, True)
    return Inspection(target, what, text, signatures, tuple(types_), tuple(functions), others,
                      tuple(notes))


def inspect_all(progress: Progress | None = None) -> Inspection:
    """Inspect all classes of the interpreter, and the functions of all modules that are imported."""
    look = Look()
    types_, others = _report(look, all_classes(), progress)
    functions, notes = [], list(look.notes)
    seen: set[int] = set()
    modules = [module for _, module in sorted(
        ((name, module) for name, module in list(sys.modules.items())
         if type(name) is str and issubclass(type(module), types.ModuleType)),
        key=lambda pair: pair[0])]
    for module in modules:
        names = _names_of(module)
        place = names.get("__name__")
        own = [(f"{place if type(place) is str else '?'}.{name}", value)
               for name, value in names.items() if id(value) not in seen and not is_class(value)]
        seen.update(id(value) for _, value in own)
        found, wrong = look.typed(own)
        functions += found
        notes += wrong
    types_.sort(key=lambda report: report.name)
    return Inspection("", "all that is imported", None, (), tuple(types_), tuple(functions), others,
                      tuple(notes))
