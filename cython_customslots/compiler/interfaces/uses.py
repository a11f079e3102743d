# SPDX-License-Identifier: MIT
"""What may be done with variables of an interface: tests, calls, and the table beside a variable.

A local variable or argument whose methods are called has a C variable beside it, its
*companion*, which holds the table of the object: found when the variable gets its value, so that a
call is a call of a function pointer.  Attributes, elements, variables of closures and generators
have no companion: each call looks the table up.  Where there is no table, the lost table serves,
whose functions raise; so a call is an expression of C, with the GIL or without.
"""

from Cython.Compiler import ExprNodes, Nodes, PyrexTypes, Symtab
from Cython.Compiler.Errors import error

from ..shared.facts import ModuleFacts
from ..shared.writing import utility
from .implementing import interface_slots_of
from .tables import table_of
from .interface_type import is_interface


def _arguments_of_test(type_):
    return f"&{type_.key}, {len(type_.scope.cfunc_entries)}"


def table_code(type_, object_code, attached):
    """C that finds the table of an object; an expression of the struct's pointer.

    *attached*: is it certain that the thread has the GIL there?
    """
    return (f"((struct {type_.vtabstruct_cname} *)__Pyx_CustomSlots_TableOf("
            f"(PyObject *){object_code}, {_arguments_of_test(type_)}, {bool(attached):d}))")


def test_code(type_, object_code, allow_none, argument="NULL", table="NULL"):
    return (f"likely(__Pyx_CustomSlots_TestInterface((PyObject *){object_code}, {_arguments_of_test(type_)}, "
            f"{bool(allow_none):d}, {argument}, {table}))")


def type_test_code(original, type_, *args):
    """The test of a value that ``import *`` gives a variable of a module; from Cython 3.1 on the scope comes first."""
    return test_code(type_, args[-1], allow_none=True)


# --------------------------------------------------------------------- companions

def _name_node(node):
    while isinstance(node, (ExprNodes.CloneNode, ExprNodes.NoneCheckNode)):
        node = node.arg
    return node if isinstance(node, ExprNodes.NameNode) else None


def companion_of(node):
    """The name of the C variable beside what *node* names, or None."""
    name = _name_node(node)
    return getattr(name.entry, "customslots_table", None) if name is not None else None


def _may_have_companion(entry):
    scope = entry.scope
    if not (entry.is_local or entry.is_arg) or entry.in_closure or entry.from_closure:
        return False
    if getattr(entry, "customslots_is_optional", False):
        return False
    return isinstance(scope, Symtab.LocalScope) and not scope.is_closure_scope


def _give_companion(entry):
    type_ = entry.type
    name = f"__pyx_table_{entry.cname}"
    struct = PyrexTypes.c_void_ptr_type
    # Arguments are there when the function begins; other variables get their values later.
    value = (table_code(type_, entry.cname, not entry.scope.nogil) if entry.is_arg
             else f"{type_.key}.lost")
    beside = Symtab.Entry(name, f"CYTHON_UNUSED {name} = (void *){value}", struct, pos=entry.pos)
    beside.scope, beside.used, beside.is_local = entry.scope, True, 1
    entry.scope.var_entries.append(beside)
    entry.customslots_table = name


def declare_arguments(original, self, env):
    """The values of optional arguments of a C function are not known when it begins."""
    original(self, env)
    count = self.type.optional_arg_count
    for argument in self.type.args[-count:] if count else ():
        entry = env.lookup_here(argument.name)
        if entry is not None:
            entry.customslots_is_optional = True


def analyse_attribute(original, self, env, *args, **kwargs):
    node = original(self, env, *args, **kwargs)
    if not isinstance(node, ExprNodes.AttributeNode) or not is_interface(node.obj.type):
        return node
    if node.entry is not None and node.entry.is_cmethod:
        name = _name_node(node.obj)
        if (name is not None and _may_have_companion(name.entry)
                and not hasattr(name.entry, "customslots_table")):
            _give_companion(name.entry)
    return node


def analyse_method_call(original, self, env):
    """C does not say whether the table is found before an argument is evaluated or behind it: an object
    that the argument may replace, ``self.shape.scale(self.replace())``, is held during the call."""
    if (self.self is not None and is_interface(self.self.type) and not env.nogil
            and not self.self.nonlocally_immutable() and any(map(_calls, self.args))):
        self.self = self.self.coerce_to_temp(env)
        self.function.obj = ExprNodes.CloneNode(self.self)
    return original(self, env)


def _calls(node):
    """Does an expression call something where it stands, rather than in a statement before?"""
    if node.is_temp:
        return False
    return isinstance(node, ExprNodes.CallNode) or any(map(_calls, node.subexpr_nodes()))


def calculate_access_code(original, self):
    obj = self.obj
    if self.entry is None or not self.entry.is_cmethod or not is_interface(obj.type):
        return original(self)
    companion, struct = companion_of(obj), obj.type.vtabstruct_cname
    if companion is not None:
        return f"((struct {struct} *){companion})->{self.member}"
    return f"{table_code(obj.type, obj.result_as(obj.type), not self.entry.type.nogil)}->{self.member}"


def generate_name_assignment(original, self, rhs, code, *args, **kwargs):
    companion = companion_of(self)
    tested = companion is not None and getattr(rhs, "customslots_table", None) == companion
    result = original(self, rhs, code, *args, **kwargs)
    if companion is not None and not tested:
        code.putln(f"{companion} = (void *){table_code(self.entry.type, self.result(), True)};")
    return result


def generate_type_test(original, self, code):
    if not is_interface(self.type):
        return original(self, code)
    companion = getattr(self, "customslots_table", None)
    allow_none = not self.notnone and self.arg.may_be_none()
    table = f"(const void **)&{companion}" if companion is not None else "NULL"
    test = test_code(self.type, self.arg.py_result(), allow_none, table=table)
    code.putln(f"if (unlikely(!{test})) {code.error_goto(self.pos)}")


def generate_assignment(original, self, code):
    """An assignment to one variable.  In `a, b = x, y` all values are tested before the first one is assigned."""
    if isinstance(self, Nodes.SingleAssignmentNode):
        _tell(self.lhs, self.rhs)
    return original(self, code)


def generate_loop(original, self, code):
    _tell(self.target, self.item)
    return original(self, code)


def _tell(target, value):
    """Let the test of a value fill the companion of the variable that gets it."""
    companion = companion_of(target)
    if companion is not None and isinstance(value, ExprNodes.PyTypeTestNode):
        value.customslots_table = companion


def generate_argument_test(original, self, arg, code):
    if not is_interface(arg.type):
        return original(self, arg, code)
    test = test_code(arg.type, arg.entry.cname, arg.accept_none, argument=arg.name_cstring)
    code.putln(f"if (unlikely(!{test})) {code.error_goto(arg.pos)}")


# ------------------------------------------------------- isinstance(), casts that are calls

class _OfObject(ExprNodes.ExprNode):
    """A question or an action about *operand*, an object, and *interface*."""

    subexprs = ["operand"]
    gil_message = "Looking for an interface"
    nogil_check = ExprNodes.Node.gil_error


class ImplementsNode(_OfObject):
    """``isinstance(obj, Shape)``: a look-up of the slot."""

    type = PyrexTypes.c_bint_type

    def calculate_result_code(self):
        return (f"__Pyx_CustomSlots_Implements((PyObject *){self.operand.py_result()}, "
                f"{_arguments_of_test(self.interface)})")

    def generate_result_code(self, code):
        pass


class OfNode(_OfObject):
    """``Shape.of(obj)``: the object, or None if it does not implement the interface, its *type*."""

    is_temp = 1

    def may_be_none(self):
        return True

    def generate_result_code(self, code):
        operand = f"(PyObject *){self.operand.py_result()}"
        code.putln(f"{self.result()} = __Pyx_CustomSlots_Implements({operand}, {_arguments_of_test(self.type)}) "
                   f"? {operand} : Py_None;")
        code.put_incref(self.result(), PyrexTypes.py_object_type)
        self.generate_gotref(code)


def _named_interface(node, env):
    """The interface that a name, or an attribute of a module, stands for; or None."""
    type_ = node.analyse_as_type(env) if node.is_name or node.is_attribute else None
    return type_ if is_interface(type_) else None


def _called_interface(function, args, env):
    """(kind, interface) of a call that is about an interface; or (None, None)."""
    if function.is_name and function.name == "isinstance" and len(args) == 2:
        entry, type_ = env.lookup("isinstance"), _named_interface(args[1], env)
        if type_ is not None and (entry is None or getattr(entry, "is_builtin", False)
                                  or entry.scope.is_builtin_scope):
            return "isinstance", type_
    if (type_ := _named_interface(function, env)) is not None:
        return "cast", type_
    if function.is_attribute and function.attribute in ("of", "register"):
        type_ = _named_interface(function.obj, env)
        if type_ is not None and type_.scope.lookup_here(function.attribute) is None:
            return function.attribute, type_
    return None, None


def optimise_isinstance(original, self, node, function, pos_args):
    """Cython's own test is for types; a class that stands for an interface needs Python's."""
    types = [pos_args[1]] if len(pos_args) == 2 else []
    for type_ in types:                          # (A, B) and A | B: their members are appended
        types += getattr(type_, "args", None) or filter(None, (
            getattr(type_, name, None) for name in ("operand1", "operand2")))
        if is_interface(getattr(getattr(type_, "type_entry", None), "type", None)):
            return node
    return original(self, node, function, pos_args)


def infer_call_type(original, self, env):
    kind, interface = _called_interface(self.function, self.args or (), env)
    if kind is None:
        return original(self, env)
    return {"isinstance": PyrexTypes.c_bint_type,
            "register": PyrexTypes.py_object_type}.get(kind, interface)


class RegisterNode(_OfObject):
    """``Shape.register(list, ListShape)``: the methods of a class, *implementation*, serve objects of another type."""

    type = PyrexTypes.py_object_type
    is_temp = 1
    gil_message = "Registering an implementation"

    def generate_result_code(self, code):
        code.globalstate.use_utility_code(utility("CustomSlotsRegisterInterface", "Interfaces.c"))
        table = dict(interface_slots_of(self.implementation))[self.interface]
        for interface in self.interface.chain():
            code.put_error_if_neg(self.pos, (
                f"__Pyx_CustomSlots_RegisterInterface({self.operand.py_result()}, &{interface.key}, "
                f"&{table_of(self.implementation, table)}.methods)"))
        code.putln(f"{self.result()} = Py_None;")
        code.put_incref(self.result(), self.type)
        self.generate_gotref(code)


def _analyse_register(call, interface, env):
    name = interface.name
    if len(call.args) != 2:
        error(call.pos, f"{name}.register() takes a type and the class whose methods implement the interface "
                        f"for it; number of arguments found: {len(call.args)}")
        return None
    operand, given = call.args[0].analyse_types(env).coerce_to_pyobject(env), call.args[1]
    type_ = given.analyse_as_type(env) if given.is_name else None
    if not getattr(type_, "is_extension_type", False) or is_interface(type_) or (
            type_.scope is None or type_.module_name != env.global_scope().qualified_name):
        error(given.pos, f"{name}.register() takes a cdef class of this module as the implementation")
        return None
    if interface not in dict(interface_slots_of(type_)):
        error(given.pos, f"'{type_.name}' does not name interface '{name}' among its bases, whose methods "
                         f"are to be registered")
        return None
    if type_.base_type is not None or type_.scope.var_entries:
        error(given.pos, f"'{type_.name}' has data or a base, which objects of another type do not have; "
                         f"register a class of C methods only")
        return None
    return RegisterNode(call.pos, operand=operand, interface=interface, implementation=type_)


def analyse_call(original, self, env):
    kind, interface = _called_interface(self.function, self.args or (), env)
    if kind is None:
        return original(self, env)
    if kind == "register":
        return _analyse_register(self, interface, env) or _nothing(self.pos, interface)
    what = _called(kind, interface)
    if kind != "isinstance" and len(self.args) != 1:
        error(self.pos, f"{what}() takes one object, found {len(self.args)} arguments; an interface "
                        f"has no objects of its own")
        return _nothing(self.pos, interface)
    operand = self.args[0].analyse_types(env).coerce_to_pyobject(env)
    if kind == "isinstance":
        return ImplementsNode(self.pos, operand=operand, interface=interface)
    if kind == "of":
        return OfNode(self.pos, operand=operand.coerce_to_simple(env), type=interface)
    return ExprNodes.PyTypeTestNode(operand.coerce_to_simple(env), interface, env, notnone=True)


def _called(kind, interface):
    return interface.name if kind == "cast" else f"{interface.name}.{kind}"


def analyse_general_call(original, self, env):
    """A call with keywords, or with a `*`."""
    kind, interface = _called_interface(self.function, (), env)
    if kind is None:
        return original(self, env)
    if kind == "register":
        error(self.pos, f"{interface.name}.register() takes a type and the class whose methods implement the "
                        f"interface for it, and neither names nor '*'; write {interface.name}.register(list, "
                        f"ListShape)")
    else:
        error(self.pos, f"{_called(kind, interface)}() takes one object, found other arguments; an interface "
                        f"has no objects of its own")
    return _nothing(self.pos, interface)


def _nothing(pos, interface):
    node = ExprNodes.NoneNode(pos)
    return ExprNodes.TypecastNode(pos, operand=node, type=interface)


# --------------------------------------------------------------------- what is an error

def analyse_type_attribute(original, self, env):
    type_ = _named_interface(self.obj, env)
    entry = type_.scope.lookup_here(self.attribute) if type_ is not None else None
    if entry is not None and entry.is_cmethod:
        error(self.pos, f"'{type_.name}.{self.attribute}' has no code of its own: "
                        f"'{type_.name}' is an interface; call the method of an object")
    elif type_ is not None and self.attribute == "__new__":
        error(self.pos, f"'{type_.name}' is an interface, which has no objects of its own; "
                        f"make one of a class that implements it")
    return original(self, env)


def analyse_fused(original, self, env):
    type_ = original(self, env)
    for member in getattr(type_, "types", ()):
        if is_interface(member):
            error(self.pos, f"a fused type cannot have interface '{member.name}' among its types: whether "
                            f"an object implements it is known at run time only; use isinstance()")
    return type_


def analyse_memoryview(original, self, env, *args, **kwargs):
    base = self.base_type_node.analyse(env)
    if is_interface(base):
        error(self.pos, f"a memoryview cannot have elements of interface '{base.name}'; use a list, or a "
                        f"memoryview of objects")
        return PyrexTypes.error_type
    return original(self, env, *args, **kwargs)


def check_size_of(original, self):
    if is_interface(self.arg_type):
        error(self.pos, f"'{self.arg_type.name}' is an interface, which has no objects of its own, so it "
                        f"has no size")
    return original(self)


def analyse_value(original, self, env):
    """The name of an interface as a Python value: the class that the runtime makes."""
    node = original(self, env)
    entry = getattr(node, "type_entry", None)
    if entry is not None and is_interface(entry.type):
        values = ModuleFacts.of(env.global_scope()).interface_values
        if entry.type not in values:
            values.append(entry.type)
    return node
