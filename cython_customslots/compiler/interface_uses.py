# SPDX-License-Identifier: MIT
"""What may be done with variables of an interface: tests, calls, and the table beside a variable.

A local variable or argument whose methods are called has a C variable beside it, its
*companion*, which holds the table of the object: found when the variable gets its value, so that a
call is a call of a function pointer.  Attributes, elements, variables of closures and generators
have none: each call looks the table up.  Where there is no table, the lost one is called,
whose functions raise; so a call is an expression of C, with the GIL or without.
"""

from Cython.Compiler import Builtin, ExprNodes, PyrexTypes, Symtab
from Cython.Compiler.Errors import error

from .facts import ModuleFacts
from .interfaces import is_interface
from .patching import c_string, utility

_FILE = "Interfaces.c"


def _arguments(type_):
    return f"&{type_.key}, {len(type_.scope.cfunc_entries)}"


def table_code(type_, object_code):
    """C that finds the table of an object; an expression of the struct's pointer."""
    return (f"((struct {type_.vtabstruct_cname} *)__Pyx_CustomSlots_TableOf("
            f"(PyObject *){object_code}, {_arguments(type_)}))")


def test_code(type_, object_code, allow_none, argument="NULL", table="NULL"):
    return (f"likely(__Pyx_CustomSlots_TestInterface((PyObject *){object_code}, {_arguments(type_)}, "
            f"{bool(allow_none):d}, {argument}, {table}))")


def type_test_code(type_, *args, **kwargs):
    """As PyExtensionType's; from Cython 3.1 on the scope comes first, 3.0 says `notnone`."""
    if not isinstance(args[0], str):
        args = args[1:]
    if "notnone" in kwargs:
        allow_none = not kwargs["notnone"]
    elif "allow_none" in kwargs:
        allow_none = kwargs["allow_none"]
    else:
        allow_none = args[1] if len(args) > 1 else True
        if _says_notnone():
            allow_none = not (args[1] if len(args) > 1 else False)
    return test_code(type_, args[0], allow_none)


def _says_notnone():
    import inspect
    return "notnone" in inspect.signature(PyrexTypes.PyExtensionType.type_test_code).parameters


# --------------------------------------------------------------------- companions

def _named(node):
    while isinstance(node, (ExprNodes.CloneNode, ExprNodes.NoneCheckNode)):
        node = node.arg
    return node if isinstance(node, ExprNodes.NameNode) else None


def companion_of(node):
    """The name of the C variable beside what *node* names, or None."""
    name = _named(node)
    return getattr(name.entry, "customslots_table", None) if name is not None else None


def _may_have_companion(entry):
    scope = entry.scope
    if not (entry.is_local or entry.is_arg) or entry.in_closure or entry.from_closure:
        return False
    if getattr(scope, "is_closure_scope", False) or getattr(scope, "is_generator_scope", False):
        return False
    return isinstance(scope, Symtab.LocalScope) and scope.is_local_scope


def _give_companion(entry):
    type_ = entry.type
    name = f"__pyx_table_{entry.cname}"
    struct = PyrexTypes.c_void_ptr_type
    # Arguments are there when the function begins; what else there is gets its value later.
    value = (table_code(type_, entry.cname) if entry.is_arg
             else f"{type_.key}.lost")
    beside = Symtab.Entry(name, f"{name} = (void *){value}", struct, pos=entry.pos)
    beside.scope, beside.used, beside.is_local = entry.scope, True, 1
    entry.scope.var_entries.append(beside)
    entry.customslots_table = name


def _is_optional_argument(entry, scope):
    function = getattr(scope, "parent_entry", None)
    return False


def analyse_attribute(original, self, env, *args, **kwargs):
    node = original(self, env, *args, **kwargs)
    if not isinstance(node, ExprNodes.AttributeNode) or not is_interface(node.obj.type):
        return node
    if node.entry is not None and node.entry.is_cmethod:
        name = _named(node.obj)
        if (name is not None and _may_have_companion(name.entry)
                and not hasattr(name.entry, "customslots_table")):
            _give_companion(name.entry)
    return node


def calculate_access_code(original, self):
    obj = self.obj
    if self.entry is None or not self.entry.is_cmethod or not is_interface(obj.type):
        return original(self)
    companion, struct = companion_of(obj), obj.type.vtabstruct_cname
    if companion is not None:
        return f"((struct {struct} *){companion})->{self.member}"
    return f"{table_code(obj.type, obj.result_as(obj.type))}->{self.member}"


def generate_name_assignment(original, self, rhs, code, *args, **kwargs):
    companion = companion_of(self)
    tested = companion is not None and getattr(rhs, "customslots_table", None) == companion
    result = original(self, rhs, code, *args, **kwargs)
    if companion is not None and not tested:
        code.putln(f"{companion} = (void *){table_code(self.entry.type, self.result())};")
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
