# SPDX-License-Identifier: MIT
"""Hooks into Cython's analysis: decorators, --extend-all, headers as text, names."""

from Cython.Compiler import Builtin, ModuleNode, Nodes, PyrexTypes, Symtab
from Cython.Compiler.Errors import error
from Cython.Compiler.Main import CompilationOptions
from Cython.Compiler.StringEncoding import EncodedString

from .. import headers
from .declarations import (PROVIDER, RENDEZVOUS, Declaration, ancestors, declaration_of,
                           is_extensible, is_extensibletype, is_metaclass, metaclass_of,
                           reject_decorators, take_decorators)
from .initialisers import analyse_class
from .patching import wrap


def install_analysis():
    wrap(Nodes.CClassDefNode, "_handle_cclass_decorators")(_handle_cclass_decorators)
    wrap(Nodes.CClassDefNode, "analyse_declarations")(_analyse_cclass_declarations)
    wrap(Nodes.CClassDefNode, "analyse_expressions")(_analyse_cclass_expressions)
    wrap(Nodes.PyClassDefNode, "analyse_declarations")(_analyse_pyclass_declarations)
    wrap(Nodes.DefNode, "analyse_declarations")(_analyse_def_declarations)
    wrap(Nodes.CFuncDefNode, "analyse_declarations")(_analyse_cfunc_declarations)
    wrap(Symtab.ModuleScope, "add_include_file")(_add_include_file)
    wrap(CompilationOptions, "get_fingerprint")(_get_fingerprint)


# ------------------------------------------------------------------- declarations

def _handle_cclass_decorators(original, self, env):
    self.customslots = take_decorators(self, env)
    return original(self, env)


def _analyse_cclass_declarations(original, self, env):
    original(self, env)
    entry = self.entry
    if entry is None or entry.type is None:
        return
    type_ = entry.type
    if env.qualified_name == PROVIDER and self.class_name == "extensibletype":
        # Found at run time in the rendezvous, with no import of the package.
        type_.customslots_root = True
        type_.module_name = EncodedString(RENDEZVOUS[0])
        type_.name = EncodedString(RENDEZVOUS[1])
        return
    declaration, earlier = getattr(self, "customslots", None), declaration_of(type_)
    if declaration is None and earlier is None and _extends_all(self, env):
        declaration = Declaration(self.pos)
        declaration.automatic = True
    if declaration is not None:
        if earlier is not None and earlier is not declaration:
            declaration.merge(earlier)
        if declaration.metaclass_node is not None and declaration.metaclass is None:
            declaration.metaclass = _analyse_metaclass(declaration.metaclass_node, env)
        type_.customslots = declaration
    _check(self, env)
    if not self.in_pxd and is_extensible(type_) and type_.scope is not None:
        _protect_layout(self, type_)


def _analyse_metaclass(node, env):
    type_ = node.analyse_as_type(env)
    if type_ is not None and type_.is_extension_type and is_metaclass(type_):
        return type_
    error(node.pos, f"customslots.metaclass takes an extension type that derives from "
                    f"extensibletype, found '{type_ or 'no type'}'")
    return None


def _extends_all(node, env):
    from . import extend_all
    if not extend_all or node.in_pxd or node.visibility == "extern" or node.api:
        return False
    type_ = node.entry.type
    return (node.visibility != "public" and not is_extensible(type_) and node.body is not None
            and not any(t is Builtin.type_type for t in ancestors(type_)))


def _check(node, env):
    type_, declaration = node.entry.type, declaration_of(node.entry.type)
    if declaration is not None and not declaration.automatic:
        if any(t is Builtin.type_type for t in ancestors(type_)):
            error(node.pos, "a metaclass cannot be extensible itself; derive it from extensibletype")
        if node.visibility == "extern":
            error(node.pos, f"'{node.class_name}' is declared extern: only the module that "
                            f"defines a class can make it extensible")
    if is_extensible(type_) and (node.visibility == "public" or node.api):
        error(node.pos, f"'{node.class_name}' is {'public' if node.visibility == 'public' else 'api'} "
                        f"and extensible: its type object would be an exported C symbol, but that "
                        f"of an extensible class is allocated when the module is imported")
    base = type_.base_type
    if declaration and declaration.metaclass is not None and base is not None:
        inherited = metaclass_of(base)
        if inherited is not None and not (
                declaration.metaclass in ancestors(inherited) or inherited in ancestors(declaration.metaclass)):
            error(declaration.metaclass_node.pos,
                  f"metaclass conflict: '{declaration.metaclass.name}' is wanted, but base "
                  f"'{base.name}' has '{inherited.name}', and neither derives from the other")
    if is_metaclass(type_) and not is_extensibletype(type_) and type_.scope is not None:
        for entry in type_.scope.var_entries:
            if entry.type.is_pyobject:
                error(entry.pos, f"field '{entry.name}' of metaclass '{type_.name}' is a Python "
                                 f"object: fields are inherited by value and must be C-typed")
        cinit = type_.scope.lookup_here("__cinit__")
        if cinit is not None:
            error(cinit.pos, f"metaclass '{type_.name}' has a __cinit__, which would not be called "
                             f"for classes that C code makes; set fields in the decorator")


def _protect_layout(node, type_):
    """Keep a class without our memory from standing under a provider with C fields.

    ``P.__bases__ = (Greet,)`` passes CPython's check if the instances have the same
    layout, and every field read would go out of bounds.  A member makes them differ.
    """
    declaration, base = declaration_of(type_), type_.base_type
    if not declaration or declaration.metaclass is None or (base is not None and is_extensible(base)):
        return
    scope = type_.scope
    grows = any(e.is_variable for e in scope.var_entries) or scope.cfunc_entries
    if not grows and scope.lookup_here("__pyx_customslots_layout") is None:
        scope.declare_var(EncodedString("__pyx_customslots_layout"), PyrexTypes.c_void_ptr_type,
                          node.pos, cname="__pyx_customslots_layout", visibility="private",
                          is_cdef=True)


def _analyse_cclass_expressions(original, self, env):
    self = original(self, env) or self
    if declaration_of(self.entry.type) is not None and not self.in_pxd:
        analyse_class(self, env)
    return self


def _analyse_pyclass_declarations(original, self, env):
    reject_decorators(self.decorators, env, f"class '{self.name}'; write 'cdef class'")
    return original(self, env)


def _analyse_def_declarations(original, self, env):
    reject_decorators(self.decorators, env, f"function '{self.name}'")
    return original(self, env)


def _analyse_cfunc_declarations(original, self, env):
    reject_decorators(self.decorators, env, "a C function")
    return original(self, env)


# ------------------------------------------------------------------ the module's text

def _add_include_file(original, self, filename, verbatim_include=None, late=False):
    """An include of our headers becomes their text: no include path is needed."""
    if filename in headers.PUBLIC_HEADERS:
        text = headers.header_text(filename)
        if verbatim_include:
            text += "\n" + verbatim_include
        return original(self, None, text, False)
    return original(self, filename, verbatim_include, late)


def _get_fingerprint(original, self):
    """Cython's build cache must not mix up what plain Cython and we generate."""
    from .. import __version__
    from . import extend_all
    return f"{original(self)} cython-customslots {__version__} {extend_all}"
