# SPDX-License-Identifier: MIT
"""The C of extensible cdef classes and of metaclasses.

Cython readies its types in one function, before the module body:

    PTR = &__pyx_type_X;             -> PTR = __Pyx_CustomSlots_NewStatic(&__pyx_type_X, ...);
                                        fields of the early phase
    __Pyx_PyType_Ready(PTR);         -> __Pyx_CustomSlots_Ready(PTR);
                                     -> __Pyx_CustomSlots_Publish(PTR, own slots)

A class with several bases is made in the module body, with all of its values at once.
"""

import contextlib
import re

from Cython.Compiler import Builtin, ModuleNode, Nodes
from Cython.Compiler.Code import UtilityCode

from ..decorators.declarations import LATE
from ..decorators.initialisers import analyse_values
from ..interfaces import tables as interface_tables
from ..interfaces.implementing import interface_slots_of
from ..interfaces.interface_type import is_interface
from ..shared.facts import (ClassFacts, ModuleFacts, ancestors, array_of, declaration_of, has_interfaces,
                            is_extensible, is_extensibletype, is_metaclass, is_ours, metaclass_of, python_metaclass_of)
from ..shared.replacing import replaced
from ..shared.statements import Composite
from ..shared.writing import (c_string, position_of, render, shown_at, struct_of, substitute, typeptr,
                              utility)
from ..switches.comments import carries_runtime, extends_all
from . import arrays, class_hooks, extending, vtables
from .fields import (PLAIN_VALUE, field_lvalue, kind_of_field, offset_of, own_fields, put_field, put_marked_fields,
                     table_name, use_utilities)


# ----------------------------------------------------------------------- the module

def generate_classes_code(original, self, env, options, result):
    extending.tell(env, options)
    provides = (_provides(env) or carries_runtime(env)
                or interface_tables.has_classes(self, env))
    imports = _imports_vtables(env)
    if not provides and not _knows_us(env) and not (extends_all(env) and imports):
        return original(self, env, options, result)
    ModuleFacts.of(env).checks, ModuleFacts.of(env).provides = [], provides
    if provides:
        _prepare(env, self)
    elif imports:
        env.add_include_file("customslots.h")
    # Cython's test of an argument declared `type` is exact, and would refuse every
    # class whose metaclass derives from extensibletype.
    Builtin.type_type.require_exact = 0          # Cython 3.0 writes it into the C
    try:
        with _interpreters_named(env, self.pos):
            return original(self, env, options, result)
    finally:
        del Builtin.type_type.require_exact      # the class attribute is True


@contextlib.contextmanager
def _interpreters_named(env, pos):
    """Within it, Cython's message to a second interpreter names both interpreters."""
    refusal = (
        f"PyErr_Format(PyExc_ImportError, \"module '{env.qualified_name}' belongs to interpreter %lld, but this is "
        "interpreter %lld: its static types are those of the first interpreter of the process that imports it, even "
        "after its end; import it in one interpreter only, or start a process for each\", "
        "(long long)main_interpreter_id, (long long)current_id);")

    class Utilities(UtilityCode):
        @classmethod
        def load(cls, name, *args, **kwargs):
            section = UtilityCode.load(name, *args, **kwargs)
            if name == "ModuleCreationPEP489":
                section.impl = substitute(
                    r'PyErr_SetString\(\s*PyExc_ImportError,\s*"Interpreter change detected [^"]*"\);',
                    lambda _: refusal, section.impl, "the import of a module by a second interpreter", pos)
            return section

    with replaced(ModuleNode, UtilityCode=Utilities):
        yield


def _provides(env):
    """Does a module define extensible classes or metaclasses, or use extensibletype?"""
    if any(is_extensible(e.type) or is_metaclass(e.type) for e in env.c_class_entries):
        return True
    return any(is_metaclass(e.type) for module in env.cimported_modules
               for e in module.c_class_entries)


def _knows_us(env):
    """Does a module cimport our package, or extensible classes?"""
    return any(is_ours(module) or any(is_extensible(e.type) for e in module.c_class_entries)
               for module in env.cimported_modules)


def _imports_vtables(env):
    """Does a module import classes whose C methods can be checked?"""
    return any(vtables.is_checked(ancestor) for module in (env, *env.cimported_modules)
               for e in module.c_class_entries for ancestor in ancestors(e.type)
               if ancestor.module_name != env.qualified_name)


def builtin_type_test_code(original, self, *args, **kwargs):
    if self is Builtin.type_type and not self.require_exact:
        kwargs["exact"] = False                  # Cython passes it by keyword, if at all
    return original(self, *args, **kwargs)


def _made_automatically(type_):
    """Does a class use the layer only because of --extend-all?"""
    return all(d.automatic for d in map(declaration_of, ancestors(type_)) if d)


def _needs_no_room(type_):
    """Does a class use nothing of the layer but interfaces?

    Then it needs no room in its type object, which PyPy lacks: its tables are registered.
    """
    return all(d.automatic or d.for_interfaces for d in map(declaration_of, ancestors(type_)) if d)


def _prepare(env, node):
    """Add headers and utility code to a module."""
    if not _provides(env) and not interface_tables.has_classes(node, env):
        # It has only the implementation, for others.
        env.add_include_file(None, "#define _Pycs_REGISTERED\n")
        env.add_include_file("extensibletype.h")
        env.use_utility_code(utility("CustomSlotsCarry"))
        return
    types = [e.type for e in env.c_class_entries]
    has_metaclass = any(is_metaclass(e.type) for module in (env, *env.cimported_modules)
                        for e in module.c_class_entries)
    if not has_metaclass and all(map(_made_automatically, types)):
        env.add_include_file(None, "#define _Pycs_OPTIONAL\n")
    elif not has_metaclass and all(map(_needs_no_room, types)):
        env.add_include_file(None, "#define _Pycs_REGISTERED\n")
    env.add_include_file("extensibletype.h")
    if arrays.arrays_of(env):
        env.add_include_file("typedarray_provide.h")
    env.use_utility_code(utility("CustomSlotsInit"))


def generate_type_init_code(original, self, env, *args, **kwargs):
    """Metaclasses are readied first: the order of declaration does not matter."""
    code = args[-1] if args else kwargs["code"]
    interface_tables.put_init(self, code)
    with replaced(env, c_class_entries=sorted(env.c_class_entries, key=lambda e: not is_metaclass(e.type))):
        original(self, env, *args, **kwargs)
    interface_tables.put_classes(self, env, code)


def generate_base_type_import_code(original, self, env, entry, code, *args):
    original(self, env, entry, code, *args)
    declaration = declaration_of(entry.type)
    if declaration is not None and declaration.metaclass is not None:
        if declaration.metaclass.module_name != env.qualified_name:
            self.generate_type_import_code(env, declaration.metaclass, entry.pos, code, *args)


def generate_type_import_code(original, self, env, type, pos, code, *args):
    if type in env.types_imported or is_interface(type):
        return
    checks = ModuleFacts.known(env).checks
    if checks is not None and vtables.is_checked(type):
        text = render(code, lambda writer: original(self, env, type, pos, writer, *args))
        fetch = []
        text = substitute(r"(?m)^.*\b__Pyx_GetVtable\(.*\n", lambda match: fetch.append(match.group()) or "",
                          text, "the import of a class", pos)
        code.write(text)
        checks.append(vtables.Check(code, type, typeptr(code, type), fetch[0], env, pos))
    else:
        original(self, env, type, pos, code, *args)
    if is_metaclass(type) and not is_extensibletype(type):
        # Cython's own size check tolerates differences up to tp_itemsize, which metaclasses have.
        code.globalstate.use_utility_code(utility("CustomSlotsCheckMetaclass"))
        user = env.qualified_name.as_c_string_literal()
        code.put_error_if_neg(pos, f"__Pyx_CustomSlots_CheckMetaclass({typeptr(code, type)}, "
                                   f"sizeof({struct_of(type)}), {user})")


def generate_module_cleanup_func(original, self, env, code):
    """By now all functions of the module are written, also the function that imports types."""
    original(self, env, code)
    vtables.write_checks(ModuleFacts.known(env).checks or (), code)


# ------------------------------------------------------------------------- the types

def generate_type_ready_code(original, entry, code, *args, **kwargs):
    type_ = entry.type
    if is_metaclass(type_) and not is_extensibletype(type_):
        return _metaclass_ready(original, entry, code, *args, **kwargs)
    if is_extensible(type_):
        return _extensible_ready(original, entry, code, *args, **kwargs)
    reason = extending.reason_left_plain(entry)
    if reason is not None:
        code.putln(f"/* cython-customslots: class '{entry.name}' stays as Cython makes it: {reason} */")
    return original(entry, code, *args, **kwargs)


_READY = (r"(?m)^([ \t]*#if !CYTHON_USE_TYPE_SPECS\n"
          r"(?:.*\n)??.*__Pyx_PyType_Ready\(.*\n"
          r"[ \t]*#endif\n)")


def _pointer_assignment(type_):
    return r"(?m)^[ \t]*(\S+) = &%s;$" % re.escape(type_.typeobj_cname)


def _static_pointer(text, type_, pos):
    """Return the C expression in which the address of the static type object is stored."""
    found = []
    substitute(_pointer_assignment(type_), lambda match: found.append(match.group(1)) or "",
               text, "the pointer to a type object", pos)
    return found[0]


def _metaclass_ready(original, entry, code, *args, **kwargs):
    type_ = entry.type
    text = render(code, lambda writer: original(entry, writer, *args, **kwargs))
    pointer = _static_pointer(text, type_, entry.pos)
    code.globalstate.use_utility_code(utility("CustomSlotsMetaclass"))
    count = len(own_fields(type_))
    table = table_name(type_) if count else "NULL"
    ready = render(code, lambda writer: writer.put_error_if_neg(
        entry.pos, f"__Pyx_CustomSlots_ReadyMetaclass({pointer}, {table}, {count})"))
    # Cython's own tp_new is taken away before PyType_Ready() makes a __new__ of it; at the last
    # moment, because Cython 3.0 assigns the base's tp_new to a type that has none; but not in a
    # second import, if a first one that failed has readied the metaclass.
    no_new = (f"#if !CYTHON_USE_TYPE_SPECS\nif (!({pointer}->tp_flags & Py_TPFLAGS_READY)) "
              f"{pointer}->tp_new = 0;\n#endif\n")
    text = substitute(_READY, lambda match: no_new + match.group(1) + ready, text, "a metaclass",
                      entry.pos)
    with shown_at(code, position_of(type_), "metaclass", count and "its fields"):
        code.write(text)


def _extensible_ready(original, entry, code, bases_tuple_cname=None, *args, **kwargs):
    type_, pos = entry.type, entry.pos
    declaration = declaration_of(type_)
    metaclass = declaration.metaclass if declaration else None
    automatic = _made_automatically(type_)
    python = python_metaclass_of(type_)
    for section in ("CustomSlotsNewStatic", "CustomSlotsReady", "CustomSlotsPublish", *(
            ("CustomSlotsWinner", "CustomSlotsFromSpec") if python is None
            else ("CustomSlotsCombinedWinner",))):
        code.globalstate.use_utility_code(utility(section))

    text = render(code, lambda writer: original(entry, writer, bases_tuple_cname, *args, **kwargs))
    pointer = _static_pointer(text, type_, pos)
    wanted = typeptr(code, metaclass) if metaclass is not None else "NULL"
    size = f"sizeof({struct_of(metaclass)})" if metaclass is not None else "0"
    base = typeptr(code, type_.base_type) if type_.base_type is not None else "NULL"
    bases = f"{base}, {bases_tuple_cname or 'NULL'}"
    may_stay_plain = automatic and not (declaration is not None and declaration.is_named)
    arguments = f"&{type_.typeobj_cname}, {wanted}, {size}, {bases}, {may_stay_plain:d}"
    if python is not None:
        winner = (f"__Pyx_CustomSlots_CombinedWinner({arguments}, "
                  f"{c_string(python.module)}, "
                  f"{c_string(python.attribute)})")
    else:
        winner = f"__Pyx_CustomSlots_Winner({arguments})"
    new = f"__Pyx_CustomSlots_NewStatic(&{type_.typeobj_cname}, {winner}, {bases})"
    text = substitute(
        _pointer_assignment(type_),
        lambda match: f"{pointer} = {new}; {code.error_goto_if_null(pointer, pos)}",
        text, "the pointer to a type object", pos)
    if python is None:                           # else CPython makes no such type from a spec
        text = substitute(
            r"__Pyx_PyType_FromModuleAndSpec\(([^,]+), &%s_spec, ([^;]*)\);"
            % re.escape(type_.typeobj_cname),
            lambda match: "__Pyx_CustomSlots_FromSpec(%s, &%s_spec, %s, %s, %s);" % (
                match.group(1), type_.typeobj_cname, match.group(2), wanted, size),
            text, "a type spec", pos)

    late = not type_.early_init                  # then it is made in the module body
    before = render(code, lambda writer: _put_fields(writer, type_, pointer, late))
    after = render(code, lambda writer: _put_own(writer, entry, pointer, late))
    if _needs_no_room(type_):
        instead = render(
            code, lambda writer: interface_tables.put_registrations(writer, entry, pointer))
        otherwise = f"#else\n{instead}" if instead else ""
        after = f"#if !__PYX_CUSTOMSLOTS_PLAIN\n{after}{otherwise}#endif\n"
    if has_interfaces(type_):
        after = render(code, lambda writer: interface_tables.put_tables(writer, type_)) + after
    text = substitute(
        _READY, lambda match: before + match.group(1).replace(
            "__Pyx_PyType_Ready(", "__Pyx_CustomSlots_Ready(") + after, text, "PyType_Ready", pos)
    with shown_at(code, position_of(type_), *_kinds(type_)):
        code.write(text)


def _check_bases(node, arguments):
    """Look at the bases of a class that has several, before Cython tries whether they go together."""
    evaluate = arguments.generate_evaluation_code

    def evaluate_and_check(code):
        evaluate(code)
        code.globalstate.use_utility_code(utility("CustomSlotsCheckBases"))
        code.put_error_if_neg(node.pos, f"__Pyx_CustomSlots_CheckBases({arguments.result()})")

    arguments.generate_evaluation_code = evaluate_and_check


def _kinds(type_):
    """What the class has that Cython would not have given it."""
    facts = ClassFacts.known(type_)
    return ("extensible class", facts.fields and "C fields", facts.slots and "slots",
            type_.vtable_cname and "vtable slot")


def _may_be_announced(type_):
    """Does a base of an extensible class have an ``__init_subclass__``, or may it, since another module defines the
    base? No .pxd tells."""
    return is_extensible(type_) and any(
        ClassFacts.known(base).hook is not None or base.is_extension_type
        and base.module_name != type_.module_name and base.entry.visibility != "extern"
        for base in ancestors(type_.base_type))


def generate_class_execution_code(original, self, code):
    type_ = self.entry.type
    if self.type_init_args and is_extensible(type_):
        _check_bases(self, self.type_init_args)
    announced = self.body is not None and self.entry.visibility != "extern" and _may_be_announced(type_)
    if announced and self.type_init_args:
        class_hooks.put_quietly(code, lambda writer: original(self, writer), self.pos)
    else:
        original(self, code)
    interface_tables.put_bodies(self, code)
    if self.body is not None and python_metaclass_of(type_) is not None and self.entry.visibility != "extern":
        # Methods with decorators, such as abstractmethod, are there only now.
        code.put_error_if_neg(self.pos, f"__Pyx_CustomSlots_UpdateABC({typeptr(code, type_)})")
    if announced:
        code.globalstate.use_utility_code(utility("CustomSlotsAnnounce"))
        code.put_error_if_neg(self.pos, f"__Pyx_CustomSlots_Announce({typeptr(code, type_)})")


# ------------------------------------------------------------------------ their values

def _is_written(field, value, late):
    """Is a value written before the type is ready?  Else the setter stores it later."""
    return kind_of_field(field) is PLAIN_VALUE and (late or value.phase != LATE)


def _put_fields(code, type_, pointer, late):
    for field, value in ClassFacts.known(type_).fields.values():
        if _is_written(field, value, late):
            target = field_lvalue(field, metaclass_of(type_), pointer)
            value.generate(code, lambda result: code.putln(f"{target} = {result};"))


def _put_own(code, entry, pointer, late):
    """Behind PyType_Ready(): the own slots, and what fields are left."""
    type_, array = entry.type, array_of(entry.type)
    _put_slots(code, entry, pointer, late)
    written = [field for field, value in ClassFacts.known(type_).fields.values() if _is_written(field, value, late)]
    if written:
        put_marked_fields(code, pointer, metaclass_of(type_), written, entry.pos)
    if late:
        _put_late_fields(code, entry, pointer, late)
    if array is not None:
        code.put_error_if_neg(array.pos, f"PyTypedArray_ProvideStable({pointer}, &{array.table}, &{array.table}_buffer)"
                              if array.stable else f"PyTypedArray_Provide({pointer}, &{array.table})")


def _put_late_fields(code, entry, pointer, late):
    """The fields that were not written before the type was ready."""
    type_ = entry.type
    for field, value in ClassFacts.known(type_).fields.values():
        if not _is_written(field, value, late):
            put_field(code, pointer, metaclass_of(type_), field, value, entry.pos)


def _placed(type_):
    """Return {position: Slot} of a class's own slots whose position is known now."""
    placed = {slot.position: slot for slot in ClassFacts.known(type_).slots if slot.position is not None}
    position = 0
    for slot in ClassFacts.known(type_).slots:
        if slot.position is None:
            while position in placed:
                position += 1
            placed[position] = slot
    return placed


def _put_slots(code, entry, pointer, late):
    """The own slots, each at its position, and the call that publishes them.

    The positions of interfaces are known when the module is imported; the vtable slot leaves
    them the first places, where they are found at once.  Without *late*, pointers that are not
    known yet are NULL until LateValues runs.
    """
    type_, pos = entry.type, entry.pos
    placed = _placed(type_)
    records = ModuleFacts.known(entry.scope.global_scope()).records
    called = records.calls.get(type_) if records is not None else None       # of the methods with @callable
    of_interfaces = len(interface_slots_of(type_)) if has_interfaces(type_) else 0
    later = of_interfaces + bool(type_.vtable_cname) + bool(called)
    if not placed and not later:
        code.put_error_if_neg(pos, f"__Pyx_CustomSlots_Publish({pointer}, NULL, 0)")
        return
    count = max(placed, default=-1) + 1
    if later:
        count = max(count + later, vtables.POSITION + 1)
    own = "__pyx_customslots_own"
    code.putln("{")
    code.putln(f"PyCustomSlot {own}[{count}] = {{{', '.join(['{PyCustomSlots_SKIP, {0}}'] * count)}}};")
    for position, slot in sorted(placed.items()):
        target = f"{own}[{position}]"
        slot.id.generate(code, lambda result: code.putln(f"{target}.id = {result};"))
        # An ID from PyCustomSlots_Intern() is 0 with an exception if memory ran out.
        code.putln(code.error_goto_if(f"{target}.id == 0 && PyErr_Occurred()", pos))
        if late or slot.value.phase != LATE:
            slot.value.generate(
                code, lambda result: code.putln(f"{target}.data.{slot.kind} = {result};"))
    if of_interfaces:
        interface_tables.put_slots(code, entry, pointer, own, count)
    if type_.vtable_cname:
        vtables.put_slot(code, entry, own, count)
    if called:
        _put_class_call(code, type_, own, count, *called)
    code.put_error_if_neg(pos, f"__Pyx_CustomSlots_Publish({pointer}, {own}, {count})")
    code.putln("}")
    for slot in ClassFacts.known(type_).slots:
        if slot.capsule and (late or slot.value.phase != LATE):
            names = ", ".join(c_string(name.decode("utf-8")) for name in (slot.id.name, *slot.capsule))
            code.putln(f"{{ static PyCustomSlots_Bridge bridge = PyCustomSlots_BRIDGE({names});")
            code.put_error_if_neg(pos, f"PyCustomSlots_PublishCapsule({pointer}, &bridge)")
            code.putln("}")


def _put_class_call(code, type_, own, count, record, direct):
    """The slot of a class with a @callable method: its records, and how to tell that no subclass overrides it."""
    call = "__pyx_customslots_call"
    code.putln("{")
    code.putln(f"static PyTypedMethodClassCall {call};")
    code.putln(f"{call}.size = sizeof({call});")
    code.putln(f"{call}.record = &{record.cname};")
    if direct is not None and type_.vtable_cname:
        use_utilities(code, False)
        code.putln(f"{call}.offset = (int32_t){offset_of(struct_of(type_), type_.vtabslot_cname)};")
        code.putln(f"{call}.direct = &{direct.cname};")
        code.putln(f"{call}.methods = (const void *)&{type_.vtable_cname};")
    code.putln(f"PyCustomSlots_PlaceSlot({own}, {count}, 0, PyTypedMethod_CLASS_CALL, &{call});")
    code.putln("}")


class DecoratorValues(Composite, Nodes.StatNode):
    """First statement of the module body: everything that the decorators of its classes say.

    Cython's transforms find the expressions here.  Expressions of the early phase are generated
    with their class, expressions of the late phase here, class by class: the setter
    stores them, so that subclasses that were readied before follow.
    """

    child_attrs = ["values"]

    def __init__(self, pos, types, values):
        super().__init__(pos)
        self.types = types                       # bases before what derives from them
        self.values = values

    def analyse_expressions(self, env):
        for type_ in self.types:
            analyse_values(type_, env, self.values)
        self.values = [value for value in self.values if value.phase is not None]
        return self

    def generate_execution_code(self, code):
        for type_ in self.types:
            if type_.early_init:                 # else it is made in the module body
                pos = position_of(type_)
                code.mark_pos(pos, trace=False)  # debuggers and profilers see no line of it
                with shown_at(code, pos, *_kinds(type_)):
                    self._put_late_values(code, type_)

    def _put_late_values(self, code, type_):
        pointer = typeptr(code, type_)
        if any(slot.value.phase == LATE for slot in ClassFacts.known(type_).slots):
            _put_slots(code, type_.entry, pointer, late=True)
        _put_late_fields(code, type_.entry, pointer, late=False)
