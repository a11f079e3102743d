# SPDX-License-Identifier: MIT
"""Where a module's names come from: the metaclass in ``extensible(metaclass=ABCMeta)``.

A class is made before the module body runs, so its metaclass is imported once more, by
the generated C.  This module finds out where from, by the import statements above the class: each
scope of a module notes what its names are bound to, and to which interned names, for an error of initialisers.py.
"""

from typing import NamedTuple

from Cython.Compiler import ExprNodes
from Cython.Compiler.Errors import error

from ..shared.facts import ModuleFacts
from .declarations import interned, is_dotted_name


def _bind(env, name, origin):
    if env.is_module_scope:
        ModuleFacts.of(env).bindings.setdefault(name, []).append(origin)


def from_import(original, self, env):
    original(self, env)
    for name, target in self.items:
        if name != "*":
            _bind(env, target.name, (self.module, name))


def note_assignment(self, env):
    if self.lhs.is_name:
        _bind(env, self.lhs.name,
              (self.rhs, None) if isinstance(self.rhs, ExprNodes.ImportNode) else None)
        name = interned(self.rhs)
        if name is not None and is_dotted_name(name):
            ModuleFacts.of(env).interned[self.lhs.name] = name


class PythonMetaclass(NamedTuple):
    """``attribute``, which may have dots, of the module ``module``."""

    module: str
    attribute: str


def analyse_python_metaclass(node, env):
    """Return the PythonMetaclass that an expression names; None after an error."""
    type_ = node.analyse_as_type(env)
    if type_ is not None and type_.is_extension_type:
        error(node.pos, f"'{type_.name}' is a cdef class; write customslots.metaclass"
                        f"({type_.name})")
        return None
    path, root = [], node
    while root.is_attribute:
        path.insert(0, str(root.attribute))
        root = root.obj
    bindings = ModuleFacts.known(env).bindings.get(root.name, []) if root.is_name else []
    origin = bindings[0] if len(bindings) == 1 else None
    module = _absolute(origin[0], env) if origin is not None else None
    if module is not None:
        if origin[1] is not None:                # from module import name
            return PythonMetaclass(module, ".".join([origin[1], *path]))
        if not _is_import_as(origin[0], root.name):      # import a.b: the name is a
            full = ".".join([root.name, *path])
            if not full.startswith(module + "."):
                module = root.name
            path = full[len(module) + 1:].split(".")
        if path and all(path):
            return PythonMetaclass(module, ".".join(path))
    error(node.pos, "the class is made before the module body runs, so its metaclass must be "
                    "found from an import statement above it, the only binding of its name: "
                    "'from abc import ABCMeta' and 'ABCMeta', or 'import abc' and 'abc.ABCMeta'")
    return None


def _is_import_as(module, name):
    """Is an ImportNode bound to *name* by ``import a.b as name``?"""
    known = getattr(module, "is_import_as_name", None)
    if known is not None:
        return known
    # Cython before 3.2.  Where the name has no dot, `import a` and `import a as a` are the same.
    return not module.get_top_level_module and str(module.module_name.value) != name


def _absolute(module, env):
    """The absolute name of the module that an ImportNode imports, None if it has none."""
    name, level = str(module.module_name.value), module.level or 0
    if level <= 0:
        return name or None
    package = env.qualified_name.split(".")
    if not getattr(env, "is_package", False):
        package = package[:-1]
    package = package[:len(package) - (level - 1)]
    return ".".join([*package, *([name] if name else [])]) if package else None
