# SPDX-License-Identifier: MIT
"""Classes without a decorator: which classes --extend-all extends, which it leaves, and why.

The options and the comment of a module say so, and may name a metaclass for the users of
the classes: ABCMeta, for example, so that they can derive from an abstract base class, too.
Naming a metaclass for a class or a module extends that class or module.
"""

import sys

from Cython.Compiler import Builtin
from Cython.Compiler.Errors import error
from Cython.Compiler.UtilityCode import NonManglingModuleScope

from ..decorators.declarations import Declaration
from ..decorators.imports import PythonMetaclass
from ..shared.facts import ClassFacts, ancestors, declaration_of, is_extensible, python_metaclass_of
from ..shared.writing import position_of
from ..switches import in_force, metaclasses
from ..switches.comments import OF_CLASS, extends_all, of_classes, said


def _chosen(module, name):
    """Is class *name* of a module scope extended, what is its metaclass called, was the class named?

    Comments go before options; what is said of a class before what is said of a module, and that
    before what is said of all.
    """
    options = in_force.metaclasses
    own = said(module, name + OF_CLASS)
    if own is not None:
        return True, own, True
    if said(module, "extend_all") is False:
        return False, None, False
    if said(module, "metaclass") is not None:
        return True, said(module, "metaclass"), False
    of_class = options.get(f"{module.qualified_name}.{name}")
    if of_class is not None:
        return True, of_class, True
    return (extends_all(module), options.get(module.qualified_name, options.get(metaclasses.ALL)),
            False)


def automatic_declaration(node, type_, env):
    """Return the Declaration of a class that has no decorator, or None."""
    module = env.global_scope()
    if node.in_pxd or node.body is None or node.visibility == "extern" or _reason(type_, module):
        return None                              # (leave_exported() knows what stands below)
    extended, name, is_named = _chosen(module, node.class_name)
    metaclass = _located(name, node, module) if extended else None
    if not extended or is_extensible(type_) and metaclass is None:
        return None
    if metaclass is not None and metaclass == python_metaclass_of(type_):
        return None
    return Declaration(node.pos, python_metaclass=metaclass, automatic=True, is_named=is_named)


def _located(name, node, module):
    """The PythonMetaclass of a name; None if there is none, or after an error."""
    if name in (None, "type"):
        return None
    found, attribute = metaclasses.located(name)
    if found == module.qualified_name:
        error(node.pos, f"metaclass '{name}' of class '{node.class_name}' is in the same module, "
                        f"whose body has not run when the class is made; put it into another one")
        return None
    return PythonMetaclass(found, attribute)


def _reason(type_, module):
    """Why a class cannot be extended, or None."""
    if isinstance(module, NonManglingModuleScope):
        return "Cython's own"                    # memoryviews for example
    if any(t is Builtin.type_type for t in ancestors(type_)):
        return "it is a metaclass, and those cannot be extensible themselves"
    family = _first_here(type_, module)
    for entry in exported_classes(module):
        if _first_here(entry.type, module) == family:
            who = "it has" if entry.type is type_ else f"class '{entry.name}', which is related to it, has"
            return f"{who} the name '{entry.type.typeobj_cname}' in C, and C code takes that for a PyTypeObject"
    return None


def _first_here(type_, module):
    """The last of a class's bases that the module defines, or the class itself."""
    return [t for t in ancestors(type_) if t.module_name == module.qualified_name][-1:]


def exported_classes(module):
    """The entries of a module's own classes whose type objects have a name in C: `cdef public class`, and api."""
    return [entry for entry in module.c_class_entries
            if (entry.visibility == "public" or entry.visibility == "private" and entry.api)
            and entry.type.module_name == module.qualified_name]


def leave_exported(module):
    """Take back declarations of relatives of such classes, which were made before those classes were known, and
    refuse what a decorator asks for.  A type object that C code takes for a PyTypeObject has no room, and where an
    import is repeated after a failure it stays what it was, so its bases must, too."""
    for entry in module.c_class_entries:
        declaration = declaration_of(entry.type)
        if declaration is not None and declaration.automatic and _reason(entry.type, module):
            ClassFacts.of(entry.type).declaration = None
    for entry in exported_classes(module):
        base = next((t for t in ancestors(entry.type) if declaration_of(t) is not None), None)
        if base is not None:
            own = base is entry.type
            error(declaration_of(base).pos if own else position_of(entry.type),
                  f"class '{entry.name}' cannot be extensible{'' if own else f', as its base {base.name!r} is'}: it "
                  f"has the name '{entry.type.typeobj_cname}' in C, and C code takes that for a PyTypeObject, which is "
                  f"shorter; take 'public' and 'api' away, or decorate a class that derives from it")


def check_named_classes(node, module):
    """Report what is named for classes that a module does not have, or that have decorators."""
    options = in_force.metaclasses
    classes = {entry.name: entry.type for entry in module.c_class_entries
               if entry.visibility != "extern" and entry.type.module_name == module.qualified_name}
    prefix = module.qualified_name + "."
    named = {name: (pos, "the comment") for name, pos in of_classes(module).items()}
    if not module.is_package:                    # else it may be a module in it
        named.update((key[len(prefix):], (node.pos, "the option metaclass")) for key in options
                     if key.startswith(prefix) and key[len(prefix):] not in named)
    for name, (pos, who) in named.items():
        declaration = declaration_of(classes[name]) if name in classes else None
        if name not in classes:
            error(pos, f"{who} names a metaclass for '{name}', and there is no such cdef class in "
                       f"'{module.qualified_name}'; there are {', '.join(sorted(classes)) or 'none'}")
        elif _reason(classes[name], module):
            error(pos, f"{who} names a metaclass for '{name}', but {_reason(classes[name], module)}")
        elif declaration is not None and not declaration.automatic:
            error(pos, f"{who} names a metaclass for '{name}', which has a decorator; write "
                       f"customslots.extensible(metaclass=...) there")


# ------------------------------------------------------------------- what users are told of it

def reason_left_plain(entry):
    """Why a class stays as Cython makes it though its module is extended, or None.

    None for Cython's own classes, of which no source says anything.
    """
    type_, module = entry.type, entry.scope.global_scope()
    if is_extensible(type_) or isinstance(module, NonManglingModuleScope) or not extends_all(module):
        return None
    return _reason(type_, module)


def tell(module, options):
    """With `-v`: a line for each class that stays plain, or gets a metaclass that was named."""
    if not options.verbose:
        return
    for entry in module.c_class_entries:
        type_ = entry.type
        if entry.visibility == "extern" or type_.module_name != module.qualified_name:
            continue
        declaration, reason = declaration_of(type_), reason_left_plain(entry)
        if in_force.extend_all and said(module, "extend_all") is False and not is_extensible(type_):
            reason = "its module says extend_all=False"
        if reason is not None:
            _say(entry, f"stays as Cython makes it: {reason}")
        elif declaration is not None and declaration.automatic and declaration.python_metaclass:
            metaclass = declaration.python_metaclass
            _say(entry, f"has the metaclass {metaclass.module}.{metaclass.attribute}, too")


def _say(entry, what):
    source, line, column = position_of(entry.type)
    print(f"{source.get_error_description()}:{line}:{column}: customslots: class '{entry.name}' "
          f"{what}", file=sys.stderr)
