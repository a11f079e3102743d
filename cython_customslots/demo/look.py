# SPDX-License-Identifier: MIT
"""Looks at the classes of one example, in a process of its own.

    python -m cython_customslots.demo.look SCENE      (in the example's folder)

Prints one line of JSON with what was found, then, for the greetings, one more with what
a Python subclass says when it is asked to greet.  That one may not come: some of the
examples crash there, which is what they are about.
"""
from __future__ import annotations

import ctypes
import importlib
import json
import os
import sys

from .. import provider
from ..inspecting.classes import Look
from .scenes import SCENES, Field


def _python_subclass(name: str) -> type:
    """The classes that scenes name without a module: subclasses written in Python."""
    module, base = {"FriendlyHello": ("greetings", "Hello"),
                    "Line": ("polynomial", "Polynomial")}[name]
    return type(name, (getattr(importlib.import_module(module), base),),
                {"__module__": "__main__"})


def _find(path: str) -> type:
    module, _, name = path.rpartition(":")
    return getattr(importlib.import_module(module), name) if module \
        else _python_subclass(name)


def _read_field(cls: type, field: Field) -> dict:
    """The field's bytes, read as C reads them."""
    holder = type(cls) if field.of_metaclass else cls
    owner = next(meta for meta in type(holder).__mro__ if meta.__name__ == field.owner)
    offset = owner.__base__.__basicsize__
    address = ctypes.c_void_p.from_address(id(holder) + offset).value
    text = None if address is None else ctypes.string_at(address).decode()
    return {"name": field.name, "owner": field.owner, "offset": offset, "value": text,
            "holder": holder.__name__}


def _describe(path: str, field: Field | None) -> dict:
    cls = _find(path)
    look = Look()
    return {
        "path": path,
        "name": cls.__name__,
        "layout": provider.layout(cls),
        "table": [[position, ident, data, look.id_name(ident)]
                  for position, ident, data in provider.table(cls)],
        "field": field and _read_field(cls, field),
    }


def main(name: str) -> None:
    sys.path.insert(0, os.getcwd())
    [scene] = [scene for scene in SCENES if scene.name == name]
    print(json.dumps([_describe(path, scene.field) for path in scene.classes]), flush=True)
    if not scene.friendly:
        return
    try:  # a crash is possible and no accident, so spare the user a core file
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except ImportError:
        pass
    try:
        said = _python_subclass("FriendlyHello")("you").greet()
    except Exception as error:
        said = f"raises {type(error).__name__}"
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
