# SPDX-License-Identifier: MIT
"""What Cython analyses: decorators, --extend-all, headers as text, names."""

from Cython.Compiler import Builtin
from Cython.Compiler.Errors import CompileError, error
from Cython.Compiler.StringEncoding import EncodedString

from ...tools import headers
from ..decorators.declarations import PROVIDER, RENDEZVOUS, YES_OR_NO, reject_decorators, take_decorators
from ..decorators.imports import analyse_python_metaclass
from ..decorators.initialisers import seen_fields, values_of
from ..shared.facts import (ClassFacts, ClassNodeFacts, ModuleFacts, ancestors, array_of, declaration_of,
                            is_metaclass, metaclass_of)
from ..shared.statements import statements_of
from ..shared.writing import render
from ..switches import runtime
from ..switches.comments import runtime_of
from .arrays import append_functions
from .class_hooks import keep_decorators
from .emission import DecoratorValues
from .extending import automatic_declaration, check_named_classes, leave_exported
from .fields import check_fields, check_special_methods, own_fields


# ------------------------------------------------------------------- declarations

def handle_cclass_decorators(original, self, env):
    # A class whose base is not analysed yet comes here twice, the second time without
    # the decorators that were taken the first time.
    taken = take_decorators(self, env)
    if taken is not None:
        ClassNodeFacts.of(self).declaration = taken
    keep_decorators(self, env)
    result = original(self, env)
    self.decorators = None                       # it has complained about the others
    return result


def check_place(self, env):
    if not (env.is_module_scope or env.is_cpp_class_scope):      # Cython itself crashes
        raise CompileError(self.pos, f"cdef class '{self.class_name}' is not at the top level "
                                     f"of the module; move it there")


def analyse_declaration(self, env):
    """Read what a class asks for, when Cython knows its type."""
    entry = self.entry
    if entry is None or entry.type is None or not entry.type.is_extension_type:
        return
    base = getattr(self, "base_type", None)
    if self.body is not None and base is not None and not base.scope:
        ModuleFacts.of(env.global_scope()).pending.append((self, None, env))
        return                                   # deferred until the base is analysed
    type_ = entry.type
    if env.qualified_name == PROVIDER and self.class_name == "extensibletype":
        # Found at run time in the rendezvous, with no import of the package.
        ClassFacts.of(type_).is_root = True
        type_.module_name = EncodedString(RENDEZVOUS[0])
        type_.name = EncodedString(RENDEZVOUS[1])
        return
    if not self.in_pxd and self.body is not None:
        ClassFacts.of(type_).pos = self.pos
    said = ClassNodeFacts.known(self)
    for name in YES_OR_NO:
        if getattr(said, name) is not None:
            setattr(ClassFacts.of(type_), name, getattr(said, name))
    _store_declaration(self, type_, env)
    if said.declaration is not None:
        ModuleFacts.of(env.global_scope()).pending.append((self, type_, env))
    if is_metaclass(type_) and self.scope is not None and (
            "dataclasses.dataclass" in self.scope.directives):
        raise CompileError(self.pos, f"metaclass '{self.class_name}' cannot be a dataclass: its "
                                     f"instances are classes, made by class statements")
    if is_metaclass(type_) and (self.in_pxd or not entry.defined_in_pxd):
        check_fields(type_)                      # else the .pxd was checked already
    if is_metaclass(type_) and not self.in_pxd:
        check_special_methods(type_)


def _store_declaration(node, type_, env):
    """Store what the decorators say, here and in the .pxd, at the type."""
    declaration, earlier = ClassNodeFacts.known(node).declaration, declaration_of(type_)
    if declaration is None and earlier is None and not ClassNodeFacts.known(node).is_hidden:
        declaration = automatic_declaration(node, type_, env)
    if declaration is None:
        return
    if earlier is not None and earlier is not declaration:
        declaration.merge(earlier)
    elif declaration.metaclass_node is not None and not node.in_pxd and node.entry.defined_in_pxd:
        error(declaration.metaclass_node.pos,
              f"'{node.class_name}' is defined in the .pxd; put customslots.metaclass, with all "
              f"values, there, so that modules that cimport the class know its metaclass")
    if declaration.python_metaclass_node is not None and declaration.python_metaclass is None:
        declaration.python_metaclass = analyse_python_metaclass(
            declaration.python_metaclass_node, env)
    ClassFacts.of(type_).declaration = declaration


def analyse_pending(self, env):
    """Run behind all statements of a module: a metaclass may stand below the classes that have it."""
    module = ModuleFacts.of(env)
    pending, module.pending = module.pending, []
    for node, _, _ in pending:
        if not hasattr(node, "scope"):           # Cython itself crashes
            raise CompileError(node.pos, f"cdef class '{node.class_name}' derives from itself")
    pending = [known for known in pending if known[1] is not None]
    if not self.is_pxd:
        leave_exported(env)
    for _, type_, scope in pending:
        declaration = declaration_of(type_)
        if declaration.metaclass_node is not None and declaration.metaclass is None:
            declaration.metaclass = _analyse_metaclass(declaration.metaclass_node, scope)
    for node, type_, _ in pending:
        _check_declaration(node, type_, declaration_of(type_))
    arrays = [type_ for _, type_, _ in pending if array_of(type_) is not None]
    if arrays:
        append_functions(self, arrays, env)
    if pending:
        _delay_classes(env)
    if not self.is_pxd:
        _check_bodies(env)
        _check_definitions(env)
        check_named_classes(self, env)
        _insert_values(self, env)


def _delay_classes(env):
    """A metaclass that is made in the module body makes its classes come after it."""
    for entry in env.c_class_entries:            # bases before what derives from them
        needed = [entry.type.base_type, getattr(declaration_of(entry.type), "metaclass", None)]
        if not all(t is None or t.is_external or t.is_builtin_type or t.early_init
                   for t in needed):
            entry.type.early_init = 0


def _insert_values(self, env):
    types = [e.type for e in env.c_class_entries
             if e.visibility != "extern" and e.type.module_name == env.qualified_name
             and e.type.scope is not None and declaration_of(e.type) is not None]
    values = [value for type_ in types for value in values_of(type_)]
    if values or any(declaration_of(type_).slots for type_ in types):
        statements_of(self).insert(0, DecoratorValues(self.pos, types, values))


def _analyse_metaclass(node, env):
    type_ = node.analyse_as_type(env)
    if type_ is not None and type_.is_extension_type and is_metaclass(type_):
        return type_
    found = f"'{type_}'" if type_ is not None else "an expression that is not a type"
    error(node.pos, f"customslots.metaclass takes an extension type that derives from "
                    f"extensibletype, found {found}")
    return None


def _check_declaration(node, type_, declaration):
    if any(t is Builtin.type_type for t in ancestors(type_)):
        error(node.pos, f"'{node.class_name}' is a metaclass, which cannot be extensible "
                        f"itself; decorate the classes that have it")
    if node.visibility == "extern":
        error(node.pos, f"'{node.class_name}' is declared extern: only the module that "
                        f"defines a class can make it extensible")
    metaclass = declaration.metaclass
    inherited = metaclass_of(type_.base_type) if type_.base_type is not None else None
    if metaclass is not None and inherited is not None and not (
            metaclass in ancestors(inherited) or inherited in ancestors(metaclass)):
        error(declaration.metaclass_node.pos,
              f"metaclass conflict: '{metaclass.name}' is wanted, but base "
              f"'{type_.base_type.name}' has '{inherited.name}', and neither derives from "
              f"the other")


def _check_bodies(env):
    """Report what a class has under the name of a public field of its metaclass: Python would find the field
    instead."""
    for entry in env.c_class_entries:
        type_, metaclass = entry.type, metaclass_of(entry.type)
        if entry.visibility == "extern" or type_.scope is None or metaclass is None:
            continue
        for name in seen_fields(metaclass):
            found = type_.scope.lookup_here(name)
            if found is not None and found.is_pyglobal:
                error(found.pos, f"'{name}' in the body of '{type_.name}' is a field of metaclass '{metaclass.name}', "
                                 f"which only '{name} = ...' below metaclass and base sets; write that, set it in "
                                 f"customslots.metaclass, or choose another name")


def _check_definitions(env):
    """Report public fields of a metaclass that only a .pxd defines: the C by which Python reads and writes
    them is written where the .pyx defines the class."""
    for entry in env.c_class_entries:
        type_ = entry.type
        if entry.visibility == "extern" or not is_metaclass(type_) or type_.scope is None or (
                type_.module_name != env.qualified_name or ClassFacts.known(type_).pos is not None):
            continue
        for field in own_fields(type_):
            if field.visibility != "private":
                error(field.pos, f"field '{field.name}' of metaclass '{type_.name}', which Python sees, needs a "
                                 f"definition of the class: write 'cdef class {type_.name}: pass' in the .pyx")


def visit_values(self, node):
    """The statement comes first, but what it names may be declared below."""
    self.seen_vars_stack.append(set())
    self.visitchildren(node)
    self.seen_vars_stack.pop()
    return node


def analyse_cvar_declarations(original, self, env, *args, **kwargs):
    reject_decorators(self, env, "a C declaration; write it where the function "
                                 "or class is defined")
    return original(self, env, *args, **kwargs)


def analyse_pyclass_declarations(original, self, env):
    reject_decorators(self, env, f"class '{self.name}'; write 'cdef class'")
    return original(self, env)


# ------------------------------------------------------------------ the module's text

def add_include_file(original, self, filename, verbatim_include=None, late=False):
    """An include of our headers becomes their text: no include path is needed."""
    if filename == headers.RUNTIME_HEADER:       # a switch says whether extensibletype.h has its text
        filename = "extensibletype.h"
    if filename in headers.PUBLIC_HEADERS:
        text = headers.header_text(filename)
        if verbatim_include:
            text += "\n" + verbatim_include
        return original(self, None, text, False)
    return original(self, filename, verbatim_include, late)


def generate_includes(original, self, env, modules, code, early=True, late=True):
    """The text of a header stands once, whatever brought it.

    Called twice for a module, for early and for late includes, and once for both if there is a
    C header beside it.
    """
    if not any(headers.has_header(str(piece)) for include in env.c_includes.values()
               for piece in include.pieces.values()):
        return original(self, env, modules, code, early, late)
    known, in_header, who = ModuleFacts.of(env), early and late, runtime_of(env)
    if early:
        known.headers = runtime.left_out(who, in_header)
    text = render(code, lambda writer: original(self, env, modules, writer, early, late))
    text = headers.once(text, known.headers)
    code.write(headers.put_before(
        "extensibletype.h", runtime.definitions(who, env.qualified_name, in_header), text))
