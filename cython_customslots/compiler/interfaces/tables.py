# SPDX-License-Identifier: MIT
"""The C of interfaces: what a module knows of each, and the tables of its classes.

    struct __pyx_vtabstruct_...        Cython's: the functions, those of extended interfaces first
    __pyx_interface_...                ID, position, hash: what a look-up needs
    __pyx_interface_..._lost           a table whose functions raise, for objects that have none
    __pyx_interface_..._of_CLASS       the table of a class of this module, with its description

All of it is written behind the rest of the module, for the interfaces that the module's C names.
"""

from Cython.Compiler import PyrexTypes

from ..shared.facts import ClassNodeFacts, ModuleFacts, ancestors
from ..shared.writing import c_string, typeptr, utility
from . import hidden_classes
from .implementing import function_of, implementation_of, interface_slots_of, shown, tables_of
from .looking import looking_of
from .signatures import described, hashed
from .interface_type import is_interface, methods_of

_FILE = "Interfaces.c"
_INIT = "__Pyx_CustomSlots_InitInterfaces"


def known_to(modules):
    """The entries of all interfaces that are declared in *modules*."""
    return [entry for module in modules for entry in module.c_class_entries
            if is_interface(entry.type) and entry.type.scope is not None]


def table_of(type_, interface):
    return f"{interface.key}_of_{type_.vtabstruct_cname}"


# ------------------------------------------------------------------------- what is where

def generate_declarations(original, self, env, modules, globalstate):
    """The last thing that Cython writes: behind the declarations of all functions come our tables."""
    original(self, env, modules, globalstate)
    if known_to(modules):
        _write_interfaces(env, [entry.type for entry in known_to(modules)], globalstate,
               ModuleFacts.known(env).provides)


def generate_vtable_pointer(original, self, entry, code):
    if not is_interface(entry.type):             # an interface has no table of its own
        original(self, entry, code)


def put_init(self, code):
    """Where the types of a module are readied: the setup of the interfaces that it knows comes first."""
    if known_to(self.referenced_modules):
        code.put_error_if_neg(self.pos, f"{_INIT}()")


def _put_declaration(code, interface, has_table):
    """What a table leads to is known when it is filled: its interface is declared then."""
    base, spec = interface.base_type, f"{interface.key}_spec"
    code.putln("#if !__PYX_CUSTOMSLOTS_PLAIN")
    code.putln(f"{spec}.id = {interface.key}.id;")
    if base is not None:
        code.putln(f"{spec}.extends = {base.key}.id;")
    if not has_table:
        code.putln(f"if (unlikely(PyExtensibleType_DeclareInterface(&{spec}) < 0)) return -1;")
    code.putln("#endif")


def _write_interfaces(env, interfaces, globalstate, provides):
    """Write what the finished C of a module needs of the interfaces that it knows."""
    code, text = globalstate["module_declarations"], globalstate.rootwriter.getvalue()
    used = [type_ for type_ in interfaces if type_.key in text
            or any(type_ is own for _, own in ModuleFacts.known(env).own_interfaces)]
    if provides:                                 # Python knows what an interface extends
        used = [type_ for type_ in interfaces if any(type_ in known.chain() for known in used)]
    if used:
        globalstate.use_utility_code(utility("CustomSlotsInterface", _FILE))
    for interface in used:
        _put_interface(code, interface)
    for entry in env.c_class_entries:
        for interface in tables_of(entry.type) if entry.visibility != "extern" else ():
            _put_table(code, entry.type, interface)
    described = used if provides else []
    for interface in described:
        _put_spec(code, env, interface)
    code.putln(f"static int {_INIT}(void) {{")
    for interface in used:
        _put_setup(code, interface)
    for interface in described:
        _put_declaration(code, interface, hidden_classes.hidden_type(env, interface) is not None)
    code.putln("return 0;")
    code.putln("}")


def _put_spec(code, env, interface):
    """The spec of which the runtime makes a class for Python (PyExtensibleType_DeclareInterface())."""
    key, methods = interface.key, methods_of(interface)
    hidden = hidden_classes.hidden_type(env, interface)
    table = f"&{table_of(hidden, interface)}.methods" if hidden is not None else "NULL"
    code.putln("#if !__PYX_CUSTOMSLOTS_PLAIN")
    texts = [shown(method, interface) for method in methods]
    texts = [f"{text}\n\n{interface.method_docs[method.name]}" if method.name in interface.method_docs
             else text for text, method in zip(texts, methods)]
    code.putln(f"static const char *const {key}_signatures[] = {{{', '.join(map(c_string, texts))}}};")
    doc = c_string(interface.interface_doc) if interface.interface_doc else "NULL"
    code.putln(f"static PyExtensibleType_InterfaceSpec {key}_spec = {{"
               f"sizeof(PyExtensibleType_InterfaceSpec), 0, {c_string(interface.full_name)}, {doc}, "
               f"&{key}_description, {key}_signatures, {table}, 0, "
               f"{c_string(env.qualified_name)}}};")
    code.putln("#endif")


def put_classes(self, env, code):
    """When the types of a module are ready: the classes that Python sees of its interfaces.

    Interfaces that the module uses are declared, so that their names are known; interfaces that it declares
    itself become its attributes; where an interface's name is a value, Cython finds it as such.
    """
    values, own = _values(self, env), [type_ for _, type_ in ModuleFacts.known(env).own_interfaces]
    for interface in [*own, *(type_ for type_ in values if type_ not in own)]:
        code.globalstate.use_utility_code(utility("CustomSlotsInit"))      # whose macros are asked first
        code.globalstate.use_utility_code(utility("CustomSlotsInterfaceClass", _FILE))
        if interface in own and interface.bodies:
            code.globalstate.use_utility_code(utility("CustomSlotsExportBodies", _FILE))
            code.put_error_if_neg(self.pos, f"__Pyx_CustomSlots_ExportBodies(&{interface.key}_description, "
                                            f"{c_string(name_of_bodies(interface))})")
        hidden = hidden_classes.hidden_type(env, interface)
        if hidden is not None:
            put_tables(code, hidden)
        pointer = typeptr(code, interface)
        name = c_string(interface.name) if interface in own else "NULL"
        code.putln("#if !__PYX_CUSTOMSLOTS_PLAIN")
        if hidden is not None:
            code.put_error_if_neg(self.pos, f"PyExtensibleType_DeclareInterface(&{interface.key}_spec)")
        code.putln(f"{pointer} = __Pyx_CustomSlots_InterfaceClass(&{interface.key}_spec, {name}); "
                   f"{code.error_goto_if_null(pointer, self.pos)}")
        if interface in values:
            code.putln("#else")
            code.putln(f'#error "interface {interface.full_name} is used as a Python object here, which '
                       f'only CPython without Py_LIMITED_API has of it"')
        code.putln("#endif")


def put_bodies(node, code):
    """Behind the statement of a hidden class, which has its methods now: Python finds the methods with a body."""
    for interface, _ in ClassNodeFacts.known(node).implements if ClassNodeFacts.known(node).is_hidden else ():
        inherited = interface.base_type.bodies if interface.base_type is not None else {}
        names = [name for name, body in interface.bodies.items()
                 if name in interface.cpdefs and inherited.get(name) is not body]
        if names:
            code.globalstate.use_utility_code(utility("CustomSlotsInterfaceBody", _FILE))
            code.putln("#if !__PYX_CUSTOMSLOTS_PLAIN")
            for name in names:
                code.put_error_if_neg(node.pos, f"__Pyx_CustomSlots_GiveBody({typeptr(code, interface)}, "
                                                f"{typeptr(code, node.entry.type)}, {c_string(name)})")
            code.putln("#endif")


def _values(self, env):
    """The interfaces whose name is a Python value in the module, or in what it includes."""
    return list(dict.fromkeys(type_ for module in (env, *self.referenced_modules)
                              for type_ in ModuleFacts.known(module).interface_values))


def has_classes(self, env):
    return bool(ModuleFacts.known(env).own_interfaces or _values(self, env))


# ---------------------------------------------------------------------- one interface

def _put_interface(code, interface):
    """The parts that the whole module shares: the description's parts, the lost table."""
    key, methods = interface.key, methods_of(interface)
    lines, numbers = described(methods, by_fields=True)
    code.putln("")
    code.putln(f"/* interface {interface.full_name.replace('*/', '')} */")
    code.putln(f"static uint64_t {key}_hashes[{len(lines)}];")
    code.putln(f"static unsigned int {key}_numbers[{len(numbers) or 1}];")
    code.putln(f"static const char *const {key}_names[] = "
               f"{{{', '.join(c_string(method.name) for method in methods)}}};")
    code.putln(f"static const char {key}_layout[] = {c_string(''.join(lines))};")
    for method in methods:
        _put_lost(code, interface, method)
    bodies = _put_bodies(code, interface) if interface.bodies else "NULL"
    _put_description(code, interface, key, f"{key}_lost", bodies=bodies)
    code.putln(f"static __Pyx_CustomSlots_KnownInterface {key} = {{0, 0, &{key}.id, 0, 0, &{key}_description, "
               f"&{key}_lost.methods, NULL}};")


def _put_description(code, interface, described, table, dispatch="NULL", bodies="NULL"):
    """The description of a table, and the table."""
    key = interface.key
    code.putln(f"static const PyCustomSlots_Interface {described}_description = {{sizeof(PyCustomSlots_Interface), "
               f"{len(methods_of(interface))}, {key}_hashes, {key}_layout, {key}_numbers, {key}_names, "
               f"{c_string(interface.full_name)}, {dispatch}, NULL, {bodies}}};")
    code.putln(f"static struct {{ const PyCustomSlots_Interface *description; struct {interface.vtabstruct_cname} "
               f"methods; }} {table};")


def name_of_bodies(interface):
    """The attribute by which C headers find the bodies, in the module that declares the interface."""
    return f"__customslots_{interface.name}_bodies"


def _put_bodies(code, interface):
    """The functions that serve where the table of an older class ends, or where a table of C has no function."""
    bodies = [interface.late_bodies.get(method.name, interface.bodies.get(method.name))
              for method in methods_of(interface)]
    for body in filter(None, bodies):            # these may be defined further below
        code.putln(f"static {_function_head(body.type, body.func_cname)};")
    rows = [f"(PyCustomSlots_Function){body.func_cname}" if body else "NULL" for body in bodies]
    code.putln(f"static const PyCustomSlots_Function {interface.key}_bodies[] = {{{', '.join(rows)}}};")
    return f"{interface.key}_bodies"


def _lost_name(interface, method):
    return f"{interface.key}_lost_{method.cname.replace('.', '_')}"


def _function_head(function, name):
    """The head of a C function of this type whose arguments are called a0, a1 ..."""
    arguments = ", ".join(argument.type.declaration_code(f"a{i}")
                          for i, argument in enumerate(function.args))
    return function.return_type.declaration_code(f"{name}({arguments})")


def _put_lost(code, interface, method):
    """A function that raises, in the way that callers of the method look for."""
    function, result = method.type, method.type.return_type
    raises = result.is_pyobject or function.exception_value is not None or function.exception_check
    code.putln(f"static {_function_head(function, _lost_name(interface, method))} {{")
    if not result.is_void and function.exception_value is None and not result.is_pyobject:
        code.putln(f"{result.declaration_code('result')};")
    for i in range(1, len(function.args)):
        code.putln(f"(void)a{i};")
    code.putln(f"__Pyx_CustomSlots_RaiseLost((PyObject *)a0, {c_string(interface.full_name)}, "
               f"{c_string(method.name)}, {bool(raises):d}, {not function.nogil:d});")
    if result.is_pyobject:
        code.putln("return NULL;")
    elif function.exception_value is not None:
        code.putln(f"return {result.cast_code(str(function.exception_value))};")
    elif not result.is_void:
        code.putln("memset((void *)&result, 0, sizeof(result));")
        code.putln("return result;")
    code.putln("}")


def _put_setup(code, interface):
    """In the function that a module's initialisation calls: ID, position, hashes, lost functions."""
    key, identity = interface.key, interface.interface_id
    lines, numbers = described(methods_of(interface), by_fields=True)
    text = c_string(identity.decode("utf-8")) if isinstance(identity, bytes) else "NULL"
    number = "0" if isinstance(identity, bytes) else f"(uintptr_t)({identity})"
    code.putln("{")
    code.putln(f"static const PyCustomSlots_Signature lines[] = {{{', '.join(hashed(lines))}}};")
    # Constants, but no constant expressions where Cython was told that a pointer is an integer.
    code.putln(f"const unsigned int numbers[] = {{{', '.join(numbers) or '0'}}};")
    for method in methods_of(interface):
        code.putln(f"{key}_lost.methods.{method.cname} = {_lost_name(interface, method)};")
    code.putln(f"memcpy({key}_numbers, numbers, sizeof(numbers));")
    code.putln(f"if (unlikely(__Pyx_CustomSlots_InitInterface(&{key}, {text}, {number}, lines, "
               f"{key}_hashes) < 0)) return -1;")
    code.putln("}")


# ------------------------------------------------------------------------ one class

def _put_table(code, type_, interface):
    """The table of a class, empty, its description, and the functions for cpdef methods."""
    name, env = table_of(type_, interface), type_.scope.outer_scope
    hidden, dispatch = hidden_classes.hidden_type(env, interface), []
    for method in methods_of(interface):
        mine = implementation_of(type_, method)
        if mine is not None and mine.type.is_overridable:
            _put_adapter(code, type_, interface, method, mine, 1)
            if method.name in interface.cpdefs:
                code.putln("#if __PYX_CUSTOMSLOTS_PLAIN")
                _put_adapter(code, type_, interface, method, mine, 0)
                code.putln("#endif")
                looking = looking_of(env, interface, method)             # it is defined further below
                code.putln(f"static {_function_head(looking.type, looking.func_cname)};")
                dispatch.append(f"(PyCustomSlots_Function){looking.func_cname}")
                continue
        if method.name in interface.bodies and type_ is hidden:      # Python need not implement it
            dispatch.append(f"(PyCustomSlots_Function){interface.bodies[method.name].func_cname}")
            continue
        dispatch.append("NULL")
    overridable = any(entry != "NULL" for entry in dispatch)
    if overridable:
        code.putln(f"static const PyCustomSlots_Function {name}_dispatch[] = {{{', '.join(dispatch)}}};")
    _put_description(code, interface, name, name, f"{name}_dispatch" if overridable else "NULL")


def _adapter(type_, interface, method, direct):
    return f"{table_of(type_, interface)}_{'direct' if direct else 'dispatch'}_{method.cname.replace('.', '_')}"


def _put_adapter(code, type_, interface, method, mine, direct):
    """A cpdef method of Cython has one argument more: does the caller know that there is no override?"""
    function = method.type
    own = type_ if function_of(type_, mine) else mine.type.args[0].type
    arguments = [f"({own.empty_declaration_code()})a0"]
    for i, (given, taken) in enumerate(zip(function.args[1:], mine.type.args[1:]), 1):
        cast = given.type.is_pyobject and given.type is not taken.type
        arguments.append(f"({taken.type.empty_declaration_code()})a{i}" if cast else f"a{i}")
    arguments.append(str(direct))
    callee = function_of(type_, mine) or f"{type_.vtabptr_cname}->{mine.cname}"
    call = f"{callee}({', '.join(arguments)})"
    result = function.return_type
    code.putln(f"static {_function_head(function, _adapter(type_, interface, method, direct))} {{")
    if result.is_void:
        code.putln(f"{call};")
    elif result.is_pyobject:
        code.putln(f"return ({result.empty_declaration_code()}){call};")
    else:
        code.putln(f"return {call};")
    code.putln("}")


def put_slots(code, entry, pointer, own, count):
    """Write code that places the slots of a class in the array *own*."""
    type_ = entry.type
    for interface, table in interface_slots_of(type_):
        functions = f"&{table_of(type_, table)}.methods"
        others = _other_overrides(type_, interface, table)
        if others is not None:
            code.globalstate.use_utility_code(utility("CustomSlotsLikeBase", _FILE))
            code.putln("{")
            code.putln(f"static const char *const others[] = {{{', '.join([*map(c_string, others), 'NULL'])}}};")
            code.putln("static const void *made;")
            code.putln(f"const void *functions = __Pyx_CustomSlots_LikeBase({pointer}, &{interface.key}, "
                       f"{functions}, others, &made); {code.error_goto_if_null('functions', entry.pos)}")
            functions = "functions"
        code.putln(f"PyCustomSlots_PlaceSlot({own}, {count}, {interface.key}.position, {interface.key}.id, "
                   f"{functions});")
        if others is not None:
            code.putln("}")


def _other_overrides(type_, interface, table):
    """The methods outside of the table that a class overrides in the base whose table it finds.

    None: no base has one.
    """
    names = set()
    for base in ancestors(type_):
        if base is not type_ and interface.interface_id in [
                known.interface_id for known, _ in interface_slots_of(base)]:
            return sorted(names - {method.name for method in methods_of(table)})
        names |= {method.name for method in base.scope.cfunc_entries if function_of(base, method)}
    return None


def put_registrations(code, entry, pointer):
    """Write, for a class without room for slots, what put_slots() writes for others."""
    type_ = entry.type
    for interface, table in interface_slots_of(type_):
        code.globalstate.use_utility_code(utility("CustomSlotsRegisterInterface", _FILE))
        code.put_error_if_neg(entry.pos, (
            f"__Pyx_CustomSlots_RegisterInterface((PyObject *){pointer}, &{interface.key}, "
            f"&{table_of(type_, table)}.methods)"))


def put_tables(code, type_):
    """Write code that fills the tables of a class."""
    for interface in tables_of(type_):
        name = table_of(type_, interface)
        code.putln(f"{name}.description = &{name}_description;")
        for method in methods_of(interface):
            target, mine = f"{name}.methods.{method.cname}", implementation_of(type_, method)
            if not mine.type.is_overridable:
                code.putln(f"{target} = ({_pointer_type(method.type)}){type_.vtabptr_cname}->{mine.cname};")
                continue
            looks = method.name in interface.cpdefs
            if looks:                            # where the runtime makes no tables for classes that override
                code.putln("#if __PYX_CUSTOMSLOTS_PLAIN")
                code.putln(f"{target} = {_adapter(type_, interface, method, 0)};")
                code.putln("#else")
            code.putln(f"{target} = {_adapter(type_, interface, method, 1)};")
            if looks:
                code.putln("#endif")


def _pointer_type(function):
    return PyrexTypes.CPtrType(function).empty_declaration_code()
