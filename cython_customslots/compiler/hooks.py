# SPDX-License-Identifier: MIT
"""Where all of the layer hooks into Cython: one table, and the steps where several parts have to do with
one method.

Methods are wrapped, in modules that are pure Python in every wheel of Cython (its compiled modules, Code
among them, cannot be patched).  A hook's first argument is the method that it replaces.
"""

import functools

from Cython import Utils
from Cython.Build import Dependencies
from Cython.Compiler import (Annotate, ExprNodes, ModuleNode, Nodes, Optimize,
                             ParseTreeTransforms, PyrexTypes, Symtab)
from Cython.Compiler.Main import CompilationOptions, Context

from .classes import analysis, arrays, class_hooks, emission, fields, holding
from .decorators import body, declarations, imports
from .interfaces import bodies, declaring, hidden_classes, implementing, interface_type, tables, uses
from .interfaces.interface_type import InterfaceType
from .reports import annotation, tracking
from .shared.facts import ClassNodeFacts, ModuleFacts
from .shared.statements import statements_of
from .shared.writing import render, substitute
from .switches import comments
from .typed import callables, callers, choosing, records
from .views import borrowing, lending

_Module, _Class, _Def = ModuleNode.ModuleNode, Nodes.CClassDefNode, Nodes.DefNode
_Decorators = ParseTreeTransforms.DecoratorTransform
_Directives = ParseTreeTransforms.InterpretCompilerDirectives


# ------------------------------------------------------------------------ steps in order

def analyse_module(original, self, env):
    """The declarations of a module, or of a .pxd."""
    ModuleFacts.of(env).statements = statements_of(self)
    if not self.is_pxd:
        bodies.take_definitions(self, env)
        for node, type_ in ModuleFacts.of(env).own_interfaces:       # of the module's own .pxd
            hidden_classes.append_class(env, node, type_)
        ModuleFacts.of(env).switches = comments.read_comments(self.pos[0])
    original(self, env)
    if not self.is_pxd:
        hidden_classes.put_first(self)
        declaring.check_copies(env)
        class_hooks.insert_calls(self.body)
    analysis.analyse_pending(self, env)


def analyse_class(original, self, env):
    """A class statement: an interface, or a class, which may implement some."""
    if self.decorators and ClassNodeFacts.known(self).interface is None:
        declarations.take_interface(self, env)
    if ClassNodeFacts.known(self).interface is not None:
        analysis.check_place(self, env)
        return declaring.analyse_interface(original, self, env)
    implementing.take_bases(self, env)
    bodies.give_methods(self, env)
    analysis.check_place(self, env)
    body.take_values(self, env)
    callables.take_callable(self, env)
    original(self, env)
    analysis.analyse_declaration(self, env)
    body.store_values(self)
    fields.note_docstrings(self)
    holding.note_members(self)
    class_hooks.check_hook(self)
    implementing.analyse_implementation(self, env)
    hidden_classes.finish_class(self)


def analyse_assignment(original, self, env):
    if not callers.is_declaration(self, env):
        original(self, env)
        imports.note_assignment(self, env)


def analyse_def(original, self, env):
    choosing.reject_on_method(self, env)
    declarations.reject_decorators(self, env, f"function '{self.name}'")
    if self.name == class_hooks.HOOK and env.is_c_class_scope:
        return class_hooks.analyse_hook(original, self, env)
    return original(self, env)


def generate_c_code(original, self, env, options, result):
    records.prepare(self, env)
    with borrowing.prepared(self, env, options):
        return emission.generate_classes_code(original, self, env, options, result)


def generate_objstruct_definition(original, self, type, code):
    # Text, and not entries in the class's scope: those would, for one thing, stop Cython from making the class
    # picklable.
    members = fields.hidden_member_of(type) + arrays.numbers_of(type)
    if not members:
        return original(self, type, code)
    text = render(code, lambda writer: original(self, type, writer))
    code.write(substitute(r"(?m)^([ \t]*\};)$", lambda match: members + match.group(1), text,
                          "the struct of a cdef class", type.pos))


def generate_last_table(original, self, env, code):
    records.generate_method_table(original, self, env, code)
    if env.is_module_scope:
        arrays.put_providers(env, code)


def begin_compilation(original, self, *args, **kwargs):
    if type(self) is Context:                    # Cython's own utility code, compiled in between, has its own subclass
        InterfaceType.is_met = False
    original(self, *args, **kwargs)


# ---------------------------------------------------------------------------- the tables

#: What interfaces are to Cython, their tables, and what may be done with them: for modules that know an interface.
OF_INTERFACES = (
    (PyrexTypes.PyExtensionType, "subtype_of_resolved_type", interface_type.subtype_of),
    (InterfaceType, "type_test_code", uses.type_test_code),
    (Symtab.ModuleScope, "check_c_class", interface_type.check_class),
    (_Module, "generate_declarations_for_modules", tables.generate_declarations),
    (_Module, "generate_exttype_vtabptr_declaration", tables.generate_vtable_pointer),
    (ExprNodes.AttributeNode, "analyse_types", uses.analyse_attribute),
    (ExprNodes.AttributeNode, "calculate_access_code", uses.calculate_access_code),
    (ExprNodes.NameNode, "generate_assignment_code", uses.generate_name_assignment),
    (ExprNodes.PyTypeTestNode, "generate_result_code", uses.generate_type_test),
    (Nodes.AssignmentNode, "generate_execution_code", uses.generate_assignment),
    (Nodes._ForInStatNode, "generate_execution_code", uses.generate_loop),
    (Nodes.CFuncDefNode, "declare_arguments", uses.declare_arguments),
    (Nodes.FuncDefNode, "generate_arg_type_test", uses.generate_argument_test),
    (Optimize.OptimizeBuiltinCalls, "_handle_simple_function_isinstance",
     uses.optimise_isinstance),
    (ExprNodes.SimpleCallNode, "infer_type", uses.infer_call_type),
    (ExprNodes.SimpleCallNode, "analyse_types", uses.analyse_call),
    (ExprNodes.SimpleCallNode, "analyse_c_function_call", uses.analyse_method_call),
    (ExprNodes.GeneralCallNode, "analyse_types", uses.analyse_general_call),
    (ExprNodes.NameNode, "analyse_rvalue_entry", uses.analyse_value),
    (ExprNodes.AttributeNode, "analyse_as_type_attribute", uses.analyse_type_attribute),
    (ExprNodes.SizeofTypeNode, "check_type", uses.check_size_of),
    (Nodes.FusedTypeNode, "analyse", uses.analyse_fused),
    (Nodes.MemoryViewSliceTypeNode, "analyse", uses.analyse_memoryview),
)


def _of_interfaces(hook):
    return lambda original, *args, **kwargs: (
        hook(original, *args, **kwargs) if InterfaceType.is_met else original(*args, **kwargs))


#: (owner, name of its method, ``hook(original, *arguments)``)
HOOKS = (
    # What a module says: comments at its top, imports, decorators.
    (ParseTreeTransforms.NormalizeTree, "visit_ModuleNode", fields.keep_docstrings),
    (_Module, "analyse_declarations", analyse_module),
    (Nodes.FromImportStatNode, "analyse_declarations", imports.from_import),
    (Nodes.SingleAssignmentNode, "analyse_declarations", analyse_assignment),
    (_Class, "_handle_cclass_decorators", analysis.handle_cclass_decorators),
    (_Class, "analyse_declarations", analyse_class),
    (_Directives, "_extract_directives", declaring.extract_directives),
    (Nodes.PyClassDefNode, "as_cclass", declaring.as_cclass),
    (Nodes.PyClassDefNode, "analyse_declarations", analysis.analyse_pyclass_declarations),
    (_Def, "analyse_declarations", analyse_def),
    (Nodes.CVarDefNode, "analyse_declarations", analysis.analyse_cvar_declarations),
    (_Decorators, "visit_CFuncDefNode", choosing.visit_cfuncdef),
    (_Decorators, "visit_DefNode", choosing.visit_def),
    (_Def, "as_cfunction", choosing.as_cfunction),
    (Nodes.CFuncDefNode, "analyse_declarations", choosing.analyse_cfuncdef),
    (Nodes.CFuncDefNode, "declare_cpdef_wrapper", choosing.declare_cpdef_wrapper),

    # The C of a module: headers as text, classes, typed records.
    (Symtab.ModuleScope, "add_include_file", analysis.add_include_file),
    (_Module, "generate_includes", analysis.generate_includes),
    (_Module, "generate_c_code", generate_c_code),
    (_Module, "generate_objstruct_definition", generate_objstruct_definition),
    (ExprNodes.TypecastNode, "analyse_types", fields.analyse_cast),
    (_Module, "generate_traverse_function", holding.generate_traverse),
    (_Module, "generate_clear_function", holding.generate_clear),
    (_Module, "generate_getset_table", fields.generate_getset_table),
    (_Module, "generate_method_table", generate_last_table),
    (ExprNodes.SimpleCallNode, "generate_result_code", callers.generate_call),
    (Nodes.DefNodeWrapper, "generate_function_header", records.generate_function_header),
    (Nodes.DefNodeWrapper, "generate_function_definitions", borrowing.generate_wrapper),
    (_Module, "generate_type_init_code", emission.generate_type_init_code),
    (_Module, "generate_base_type_import_code", emission.generate_base_type_import_code),
    (_Module, "generate_type_import_code", emission.generate_type_import_code),
    (_Module, "generate_c_function_export_code", lending.generate_export),
    (_Module, "generate_c_function_import_code_for_module", lending.generate_import),
    (_Module, "generate_module_cleanup_func", emission.generate_module_cleanup_func),
    (_Class, "generate_type_ready_code", emission.generate_type_ready_code),
    (_Class, "generate_execution_code", emission.generate_class_execution_code),
    (PyrexTypes.BuiltinObjectType, "type_test_code", emission.builtin_type_test_code),

    # Reports: annotated HTML, and files that build systems read.
    (Annotate.AnnotationCCodeWriter, "_save_annotation_body", annotation.save_annotation_body),
    (Annotate.AnnotationCCodeWriter, "_css", annotation.css),
    (CompilationOptions, "get_fingerprint", tracking.get_fingerprint),
    (Context, "c_file_out_of_date", tracking.c_file_out_of_date),
    (Utils, "write_depfile", tracking.write_depfile),

    (Context, "__init__", begin_compilation),
    *((owner, name, _of_interfaces(hook)) for owner, name, hook in OF_INTERFACES),
)


def wrap(owner, name, hook):
    """Let ``hook(original, *args)`` take the place of a method."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def wrapper(*args, **kwargs):
        return hook(original, *args, **kwargs)

    is_static = isinstance(owner.__dict__.get(name), staticmethod)
    setattr(owner, name, staticmethod(wrapper) if is_static else wrapper)


def patch():
    """Patch the Cython of this process.  To be called once."""
    for owner, name, hook in HOOKS:
        wrap(owner, name, hook)
    Dependencies.write_depfile = Utils.write_depfile     # it has imported the name
    # Cython's transforms see the expressions in our decorators, as they see all others.
    _Class.child_attrs = ["decorators", *_Class.child_attrs]
    ParseTreeTransforms.AnalyseDeclarationsTransform.visit_DecoratorValues = analysis.visit_values
