# SPDX-License-Identifier: MIT
"""The C of an extensible cdef class: its type object, fields, table and vtable slot."""

import os
import re

from Cython.Compiler import Builtin, ModuleNode, Nodes, PyrexTypes
from Cython.Compiler.Code import UtilityCode
from Cython.Compiler.Errors import error

from . import initialisers, vtables
from .declarations import (ancestors, declaration_of, is_extensible, is_extensibletype,
                           is_metaclass, metaclass_of)
from .initialisers import LateFields, field_lvalue, struct_of, typeptr
from .patching import render, substitute, wrap


def utility(name):
    from cython_customslots import get_utility_dir
    return UtilityCode.load_cached(name, os.path.join(get_utility_dir(), "CustomSlots.c"))


def needs_layer(env):
    """Does a module define extensible classes or metaclasses, or use extensibletype?"""
    if any(is_extensible(e.type) or is_metaclass(e.type) for e in env.c_class_entries):
        return True
    return any(is_metaclass(e.type) for module in env.cimported_modules
               for e in module.c_class_entries)


def install_emission():
    wrap(ModuleNode.ModuleNode, "generate_c_code")(_generate_c_code)
    wrap(ModuleNode.ModuleNode, "generate_type_init_code")(_generate_type_init_code)
    wrap(ModuleNode.ModuleNode, "generate_base_type_import_code")(_generate_base_type_import_code)
    wrap(Nodes.CClassDefNode, "generate_type_ready_code")(_generate_type_ready_code)
    wrap(PyrexTypes.BuiltinObjectType, "type_test_code")(_type_test_code)


def _generate_c_code(original, self, env, options, result):
    if not needs_layer(env):
        return original(self, env, options, result)
    _prepare(self, env)
    # Cython's test of an argument declared `type` is exact, and would refuse every
    # class whose metaclass is ours.
    Builtin.type_type.require_exact = False
    try:
        return original(self, env, options, result)
    finally:
        del Builtin.type_type.require_exact


def _type_test_code(original, self, scope_or_globalstate, arg, allow_none=True, exact=True):
    if self is Builtin.type_type and not self.require_exact:
        exact = False
    return original(self, scope_or_globalstate, arg, allow_none, exact)


def _prepare(self, env):
    """Add headers, utility code and the statement for late fields to a module."""
    env.add_include_file("extensibletype.h")
    env.use_utility_code(utility("CustomSlotsInit"))
    extended = [e for e in env.c_class_entries
                if e.type.module_name == env.qualified_name and is_extensible(e.type)]
    for entry in extended:
        if not hasattr(entry.type, "customslots_fields"):     # it has no decorator itself
            entry.type.customslots_fields = {}
    if any(value.phase == "B" for entry in extended
           for _, value in entry.type.customslots_fields.values()):
        if not isinstance(self.body, Nodes.StatListNode):
            self.body = Nodes.StatListNode(self.body.pos, stats=[self.body])
        self.body.stats.insert(0, LateFields(self.pos, extended))


def _generate_type_init_code(original, self, env, *args, **kwargs):
    """Metaclasses are readied first: the order of declaration does not matter."""
    entries = env.c_class_entries
    if not any(is_metaclass(e.type) for e in entries):
        return original(self, env, *args, **kwargs)
    env.c_class_entries = sorted(entries, key=lambda e: not is_metaclass(e.type))
    try:
        return original(self, env, *args, **kwargs)
    finally:
        env.c_class_entries = entries


def _generate_base_type_import_code(original, self, env, entry, code, *args):
    original(self, env, entry, code, *args)
    declaration = declaration_of(entry.type)
    if declaration and declaration.metaclass is not None:
        if declaration.metaclass.module_name != env.qualified_name:
            self.generate_type_import_code(env, declaration.metaclass, entry.pos, code, *args)


def _generate_type_ready_code(original, entry, code, *args, **kwargs):
    type_ = entry.type
    if entry.visibility == "extern" or not type_.scope:
        return original(entry, code, *args, **kwargs)
    if is_metaclass(type_) and not is_extensibletype(type_):
        return _metaclass_ready(original, entry, code, *args, **kwargs)
    if is_extensible(type_):
        return _extensible_ready(original, entry, code, *args, **kwargs)
    return original(entry, code, *args, **kwargs)


_READY = (r"(?m)^([ \t]*#if !CYTHON_USE_TYPE_SPECS\n"
          r"(?:.*\n)??.*__Pyx_PyType_Ready\(.*\n"
          r"[ \t]*#endif\n)")


def _static_pointer(text, type_, pos):
    """Return the C expression that the type pointer is assigned to."""
    found = re.findall(r"(?m)^[ \t]*(\S+) = &%s;$" % re.escape(type_.typeobj_cname), text)
    substitute(r"(?m)^[ \t]*\S+ = &%s;$" % re.escape(type_.typeobj_cname), "", text,
               "the pointer to a type object", pos)
    return found[0]


def _metaclass_ready(original, entry, code, *args, **kwargs):
    type_ = entry.type
    text = render(code, lambda writer: original(entry, writer, *args, **kwargs))
    pointer = _static_pointer(text, type_, entry.pos)
    inherit = "if (unlikely(PyExtensibleType_InheritFields(%s) < 0)) %s\n" % (
        pointer, code.error_goto(entry.pos))
    # A metaclass with a tp_new would lock out classes that PyType_FromSpec() makes.
    text = substitute(r"(?m)^([ \t]*\S+ = &%s;\n)" % re.escape(type_.typeobj_cname),
                      lambda m: m.group(1) + f"{pointer}->tp_new = 0;\n", text,
                      "a metaclass", entry.pos)
    text = substitute(_READY, lambda m: m.group(1) + inherit, text, "a metaclass", entry.pos)
    code.write(text)


def _extensible_ready(original, entry, code, bases_tuple_cname=None, *args, **kwargs):
    type_, pos = entry.type, entry.pos
    declaration = declaration_of(type_)
    metaclass = declaration.metaclass if declaration else None
    automatic = all(d.automatic for d in map(declaration_of, ancestors(type_)) if d)
    for section in ("CustomSlotsNewStatic", "CustomSlotsFromSpec", "CustomSlotsPublish"):
        code.globalstate.use_utility_code(utility(section))

    text = render(code, lambda writer: original(entry, writer, bases_tuple_cname, *args, **kwargs))
    pointer = _static_pointer(text, type_, pos)
    wanted = typeptr(code, metaclass) if metaclass is not None else "NULL"
    size = f"sizeof({struct_of(metaclass)})" if metaclass is not None else "0"
    base = typeptr(code, type_.base_type) if type_.base_type is not None else "NULL"
    text = substitute(
        r"(?m)^[ \t]*\S+ = &%s;$" % re.escape(type_.typeobj_cname),
        lambda m: "%s = __Pyx_CustomSlots_NewStatic(&%s, %s, %s, %s, %s, %d); %s" % (
            pointer, type_.typeobj_cname, wanted, size, base, bases_tuple_cname or "NULL",
            automatic, code.error_goto_if_null(pointer, pos)),
        text, "the pointer to a type object", pos)
    text = substitute(
        r"__Pyx_PyType_FromModuleAndSpec\(([^,]+), &%s_spec, ([^;]*)\);" % re.escape(type_.typeobj_cname),
        lambda m: "__Pyx_CustomSlots_FromSpec(%s, &%s_spec, %s, %s, %s);" % (
            m.group(1), type_.typeobj_cname, m.group(2), wanted, size),
        text, "a type spec", pos)

    fields = render(code, lambda writer: _fields(writer, type_, pointer))
    publish = render(code, lambda writer: _publish(writer, entry, pointer))
    text = substitute(_READY, lambda m: fields + m.group(1) + publish, text, "PyType_Ready", pos)
    code.write(text)


def _fields(code, type_, pointer):
    for entry, value in getattr(type_, "customslots_fields", {}).values():
        if value.phase == "A":
            value.generate(code, lambda result, entry=entry: code.putln(
                f"{field_lvalue(code, type_, entry, pointer)} = {result};"))


def _publish(code, entry, pointer):
    """The own slots, each at its position, and the call that publishes them."""
    type_, pos = entry.type, entry.pos
    rows = []                                    # (position or None, function(name))
    for identity, kind, value, position in getattr(type_, "customslots_slots", ()):
        rows.append((position, identity, kind, value))
    table = {}
    vtable = bool(type_.vtable_cname)
    for row in rows:
        if row[0] is not None:
            if row[0] in table:
                error(pos, f"two slots of '{type_.name}' have position {row[0]}")
                return
            table[row[0]] = row
    free = (i for i in range(10**6) if i not in table)
    for row in rows:
        if row[0] is None:
            table[next(free)] = row
    if vtable:
        table[next(free)] = None
    if not table:
        code.put_error_if_neg(pos, f"__Pyx_CustomSlots_Publish({pointer}, NULL, 0)")
        return
    count = max(table) + 1
    code.putln("{")
    code.putln(f"PyCustomSlot __pyx_own[{count}];")
    code.putln("int __pyx_i;")
    code.putln(f"for (__pyx_i = 0; __pyx_i < {count}; __pyx_i++) {{ __pyx_own[__pyx_i].id = "
               "PyCustomSlots_SKIP; __pyx_own[__pyx_i].data.pointer = NULL; }")
    for position, row in sorted(table.items(), key=lambda item: item[0]):
        target = f"__pyx_own[{position}]"
        if row is None:
            _vtable_slot(code, entry, target)
            continue
        _, identity, kind, value = row
        identity.generate(code, lambda result: code.putln(f"{target}.id = (uintptr_t)({result});"))
        if hasattr(value, "generate"):
            cast = {"pointer": "(void *)", "flags": "(uintptr_t)", "objoffset": "(Py_ssize_t)"}[kind]
            value.generate(code, lambda result: code.putln(
                f"{target}.data.{kind} = {cast}({result});"))
        else:                                    # objoffset of an attribute
            code.putln(f"{target}.data.objoffset = (Py_ssize_t)offsetof("
                       f"{struct_of(type_)}, {value.cname});")
    code.put_error_if_neg(pos, f"__Pyx_CustomSlots_Publish({pointer}, __pyx_own, {count})")
    code.putln("}")


def _vtable_slot(code, entry, target):
    type_ = entry.type
    code.globalstate.use_utility_code(utility("CustomSlotsVtable"))
    lines, widths = [], []
    for method in vtables.methods_of(type_):
        line, types = vtables.signature(method)
        lines.append(line.replace("%d", "%"))
        widths += types
    formats = "".join(line + "\\n" for line in lines).replace('"', '\\"')
    name = vtables.SLOT_NAME.format(module=type_.module_name or code.globalstate.module_node.full_module_name,
                                    name=type_.name)
    size = len(formats) + 4 * len(widths) + 8
    code.putln("{")
    code.putln("static __Pyx_CustomSlots_VtableData __pyx_data;")
    code.putln(f"static uint64_t __pyx_hashes[{len(lines) or 1}];")
    code.putln(f"static char __pyx_layout[{size}];")
    code.putln("static const unsigned char __pyx_widths[] = {%s};" % (
        ", ".join(f"(unsigned char)sizeof({t})" for t in widths) or "0"))
    code.putln(f'{target}.id = __Pyx_CustomSlots_DescribeVtable(&__pyx_data, (void *){type_.vtabptr_cname}, '
               f'"{name}", "{formats}", __pyx_widths, __pyx_hashes, __pyx_layout, sizeof(__pyx_layout)); '
               + code.error_goto_if(f"!{target}.id", entry.pos))
    code.putln(f"{target}.data.pointer = &__pyx_data;")
    code.putln("}")
