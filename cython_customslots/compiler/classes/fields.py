# SPDX-License-Identifier: MIT
"""The fields of a metaclass: their description in C, and how their values are stored.

A field is plain C data, a Python object or a C++ object.  Whatever it is, the table
that is written here tells the run-time part how to make, copy, move, destroy, convert
and show it; Cython's own code for a metaclass's fields (in its tp_new, tp_dealloc,
tp_traverse and getset table) does not run.

Conversions are Cython's, by the property that it makes for a `public` or `readonly` attribute.
The property wants an instance, which is faked around the one field.
"""

import inspect

from Cython.Compiler import ExprNodes, Nodes, Options
from Cython.Compiler.Code import UtilityCode
from Cython.Compiler.Errors import error
from Cython.Compiler.PyrexTypes import c_bint_type
from Cython.Compiler.StringEncoding import EncodedString

from ..shared.facts import (ClassFacts, ClassNodeFacts, ancestors, declaration_of, is_extensibletype, is_metaclass,
                            metaclass_of)
from ..shared.statements import each_in, lists_of, name_declarator
from ..shared.writing import position_of, shown_at, struct_of, utility
from .holding import holder_in

#: What a field holds.
PLAIN_VALUE, OBJECT_VALUE, CPP_VALUE = "plain", "object", "C++"


def kind_of_field(entry, type_=None):
    """What the field of a metaclass holds; *type_*: an element's, if it is an array."""
    type_ = type_ or entry.type
    if type_.is_pyobject:
        return OBJECT_VALUE
    return CPP_VALUE if entry.is_cpp_optional or _is_cpp(type_) else PLAIN_VALUE


def _is_cpp(type_):
    if type_.is_struct_or_union and type_.scope is not None:
        return any(_is_cpp(member.type) for member in type_.scope.var_entries)
    return type_.is_cpp_class


# ------------------------------------------------------------------------ declarations

def check_fields(type_):
    """Report fields, C methods and special methods that a metaclass cannot have."""
    scope = type_.scope
    if scope is None or is_extensibletype(type_):
        return
    for entry in scope.var_entries:
        _check_field(type_, entry)
    for entry in scope.cfunc_entries:
        if not entry.is_inherited:
            error(entry.pos, f"metaclass '{type_.name}' has the C method '{entry.name}': "
                             f"metaclasses have no vtable; write a C function that takes "
                             f"the class")


def keep_docstrings(original, self, module):
    """A string behind the declaration of a field is its docstring.  Cython keeps the string behind a cdef
    declaration; in pure-Python mode the string is a statement, which is dropped when the tree is tidied."""
    for class_ in list(each_in(module.body)) or [module.body]:
        if isinstance(class_, Nodes.PyClassDefNode):
            for stats in lists_of(class_.body):
                for declaration, stat in zip(stats, stats[1:]):
                    name = getattr(declaration, "lhs", None) or getattr(declaration, "expr", None)
                    text = getattr(stat, "expr", None)
                    if getattr(name, "is_name", False) and isinstance(text, ExprNodes.UnicodeNode):
                        ClassNodeFacts.of(class_).docs[name.name] = str(text.value)
    return original(self, module)


def note_docstrings(node):
    docs = dict(ClassNodeFacts.known(node).docs)
    for declaration in each_in(node.body):
        if isinstance(declaration, Nodes.CVarDefNode) and declaration.doc:
            docs.update((name_declarator(declarator).name, str(declaration.doc))
                        for declarator in declaration.declarators)
    if docs:
        ClassFacts.of(node.entry.type).docs.update((name, inspect.cleandoc(text)) for name, text in docs.items())


def _check_field(type_, entry):
    field = f"field '{entry.name}' of metaclass '{type_.name}'"
    if entry.name in ("__dict__", "__weakref__"):
        error(entry.pos, f"{field} is not needed: classes have a {entry.name} of their own; "
                         f"remove it")
    elif entry.type.is_memoryviewslice:
        error(entry.pos, f"{field} is a memoryview, which cannot be inherited by value; "
                         f"declare it 'object' and take the memoryview where it is used")
    elif holder_in(entry.type):
        holder = holder_in(entry.type)
        error(entry.pos, f"{field} has a {holder}, which classes would inherit without a reference of their own; "
                         f"declare it 'object' and initialise a {holder} with it where it is used")
    elif getattr(entry.type, "is_const", False):
        error(entry.pos, f"{field} is const, and no class could set it; remove 'const'")
    elif entry.type.is_array and kind_of_field(entry, _innermost(entry.type)) is CPP_VALUE:
        error(entry.pos, f"{field} is a C array of C++ objects; use std::array or std::vector")


def _innermost(type_):
    while type_.is_array:
        type_ = type_.base_type
    return type_


def check_special_methods(type_):
    """Report the two special methods of a metaclass that would not be called."""
    if type_.scope is None:
        return
    for name, instead in (("__cinit__", "set fields in the decorator"),
                          ("__dealloc__", "its fields are released without it")):
        method = type_.scope.lookup_here(name)
        if method is not None:
            error(method.pos, f"metaclass '{type_.name}' has a {name}, which would not be "
                              f"called for every class that has it; {instead}")


def analyse_cast(original, self, env):
    """``<T>type(x)`` is not checked when it runs: the class of x, as far as it is known, must have T as its
    metaclass."""
    called = self.operand
    asked = isinstance(called, ExprNodes.SimpleCallNode) and getattr(called.function, "name", "") == "type" and (
        env.lookup("type") is env.builtin_scope().lookup("type") and called.args)
    result = original(self, env)
    if not asked or len(asked) != 1 or self.typecheck or (
            not self.type.is_extension_type or not is_metaclass(self.type)):
        return result
    class_ = asked[0].type
    metaclass = metaclass_of(class_) if class_.is_extension_type else self.type
    if self.type not in ancestors(metaclass):
        found = "has no metaclass that is declared" if metaclass is None else f"has the metaclass '{metaclass.name}'"
        error(self.pos, f"'{class_.name}' {found}, so that its type may end before the fields of '{self.type.name}': "
                        f"write 'cdef {self.type.name} cls = type(...)' or <{self.type.name}?>, which are checked, "
                        f"or give '{class_.name}' that metaclass")
    return result


# ----------------------------------------------------------------------- the C of them

def table_name(type_):
    return type_.scope.mangle_internal("customslots_fields")


def own_fields(type_):
    """The fields that a metaclass adds to its base's fields."""
    return type_.scope.var_entries


def offset_of(struct, cname):
    return f"__PYX_CUSTOMSLOTS_OFFSETOF({struct}, {cname})"


def value_class(struct, cname):
    """C++ class with the hooks for a field."""
    return f"__Pyx_CustomSlots_Value<decltype((({struct} *)0)->{cname})>"


def use_utilities(code, cplus):
    code.globalstate.use_utility_code(utility("CustomSlotsField"))
    if cplus:
        code.globalstate.use_utility_code(
            UtilityCode.load_cached("CppExceptionConversion", "CppSupport.cpp"))
        code.globalstate.use_utility_code(utility("CustomSlotsCppField"))


def generate_getset_table(original, self, env, code):
    """Write the table of a metaclass's fields, behind the functions that it names."""
    original(self, env, code)
    type_ = env.parent_type
    if not is_metaclass(type_) or is_extensibletype(type_) or not own_fields(type_):
        return
    _write_signature(type_)
    kinds = {entry: kind_of_field(entry) for entry in own_fields(type_)}
    use_utilities(code, CPP_VALUE in kinds.values())
    rows = [_row(code, env, entry, kind) for entry, kind in kinds.items()]
    with shown_at(code, position_of(type_), "metaclass", "its fields"):
        code.putln("")
        code.putln(f"static const PyExtensibleType_Field {table_name(type_)}[] = {{")
        for row in rows:
            code.putln(row + ",")
        code.putln("};")


def _write_signature(type_):
    """Begin the metaclass's docstring with what inspect.signature() and help() read as its signature: public
    fields are keywords of a class, beside those that an __init__ of its own takes."""
    scope = type_.scope
    scopes = [metaclass.scope for metaclass in ancestors(type_)
              if not is_extensibletype(metaclass) and metaclass.scope is not None]
    fields = [entry.name for base in reversed(scopes) for entry in base.var_entries
              if entry.visibility == "public"]
    if not fields or not Options.docstrings:
        return
    positional = ["name", "bases", "namespace"]
    while set(positional) & set(fields):
        positional = [f"_{name}" for name in positional]
    keywords = ", ".join(f"{name}=..." for name in fields)
    if any(base.lookup_here("__init__") for base in scopes):
        keywords += ", **kwargs"
    scope.doc = EncodedString(f"{type_.name}({', '.join(positional)}, /, *, {keywords})\n--\n\n{scope.doc or ''}")


def _row(code, scope, entry, kind):
    struct = struct_of(scope.parent_type)
    from_object = to_object = "0"
    flags = ["0"]
    if entry.visibility in ("public", "readonly"):
        flags = ["PyExtensibleType_READABLE"]
        if kind is not OBJECT_VALUE:
            to_object = _put_to_object(code, scope, entry, kind)
    if entry.visibility == "public":
        flags.append("PyExtensibleType_WRITABLE")
        if entry.type.is_string:
            flags.append("PyExtensibleType_KEEP")
        from_object = _put_from_object(code, scope, entry, kind)
    hooks = ["0"] * 4
    if kind is CPP_VALUE:
        hooks = [f"{value_class(struct, entry.cname)}::{hook}"
                 for hook in ("create", "copy", "move", "destroy")]
    return "  {%s}" % ", ".join([
        entry.name.as_c_string_literal(),
        offset_of(struct, entry.cname),
        f"(Py_ssize_t)sizeof((({struct} *)0)->{entry.cname})",
        "PyExtensibleType_OBJECT" if kind is OBJECT_VALUE else "PyExtensibleType_OPAQUE",
        " | ".join(flags), _doc(entry, scope), *hooks, from_object, to_object])


def _doc(entry, scope):
    """The text that help() shows for the metaclass, that stubs are made from, and by which gdb tells types."""
    own = ClassFacts.known(scope.parent_type).docs.get(entry.name) if Options.docstrings else None
    text = "\n\n".join(filter(None, [doc_of_field(entry, scope), own]))
    return EncodedString(text).as_utf8_string().as_c_string_literal()


def _put_from_object(code, scope, entry, kind):
    struct, field = struct_of(scope.parent_type), entry.cname
    name = scope.mangle_internal(f"customslots_from_object_{entry.name}")
    code.putln("")
    code.putln(f"static int {name}(void *to, PyObject *value) {{")
    code.putln(f"__PYX_CUSTOMSLOTS_INSTANCE({struct}, self)")
    if kind is CPP_VALUE:
        value = value_class(struct, field)
        code.putln(f"if ({value}::create(&self->{field}) < 0) return -1;")
        code.putln(f"if ({entry.setter_cname}((PyObject *)self, value, NULL) < 0) {{")
        code.putln(f"{value}::destroy(&self->{field});")
        code.putln("return -1;")
        code.putln("}")
        code.putln(f"{value}::move(to, &self->{field});")
    else:
        if kind is OBJECT_VALUE:                 # the setter releases the former object
            code.putln(f"memcpy(&self->{field}, to, sizeof(self->{field}));")
        code.putln(f"if ({entry.setter_cname}((PyObject *)self, value, NULL) < 0) return -1;")
        code.putln(f"memcpy(to, &self->{field}, sizeof(self->{field}));")
    code.putln("return 0;")
    code.putln("}")
    return name


def _put_to_object(code, scope, entry, kind):
    struct, field = struct_of(scope.parent_type), entry.cname
    name = scope.mangle_internal(f"customslots_to_object_{entry.name}")
    code.putln("")
    code.putln(f"static PyObject *{name}(const void *field) {{")
    code.putln(f"__PYX_CUSTOMSLOTS_INSTANCE({struct}, self)")
    if kind is CPP_VALUE:
        value = value_class(struct, field)
        code.putln("PyObject *result;")
        code.putln(f"if ({value}::copy(&self->{field}, field) < 0) return NULL;")
        code.putln(f"result = {entry.getter_cname}((PyObject *)self, NULL);")
        code.putln(f"{value}::destroy(&self->{field});")
        code.putln("return result;")
    else:
        code.putln(f"memcpy(&self->{field}, field, sizeof(self->{field}));")
        code.putln(f"return {entry.getter_cname}((PyObject *)self, NULL);")
    code.putln("}")
    return name


# -------------------------------------------------------------------------- their values

def field_lvalue(entry, metaclass, pointer):
    """C lvalue of a C field of *metaclass* in the type object behind *pointer*."""
    return f"(({struct_of(metaclass)} *){pointer})->{entry.cname}"


def hidden_member_of(type_):
    """A member more in the instances of a class with C fields, where they have none of their own; "" if none is
    needed.

    A class without the metaclass's C fields must never stand under one that has them:
    ``P.__bases__ = (Greet,)`` passes CPython's check if instances of both have the same layout
    (``__dict__`` and ``__weakref__`` do not count), and then every field read through an instance of
    P is out of bounds (runtime/statics.c).
    """
    declaration, base = declaration_of(type_), type_.base_type
    if declaration is None or declaration.metaclass is None or type_.scope is None:
        return ""
    inherited = metaclass_of(base) if base is not None else None
    known = list(ancestors(inherited)) if inherited is not None else []
    new_layers = [t for t in ancestors(declaration.metaclass)
                  if t not in known and is_metaclass(t) and not is_extensibletype(t)]
    if not any(layer.scope is not None and layer.scope.var_entries for layer in new_layers):
        return ""
    if type_.vtabslot_cname and not (base is not None and base.vtabslot_cname):
        return ""
    has_own = any(entry.name not in ("__dict__", "__weakref__") for entry in type_.scope.var_entries)
    return "" if has_own else "  void *__pyx_customslots_member;\n"


def put_field(code, pointer, metaclass, field, value, pos):
    """Store a value by the setter, so that subclasses follow."""
    struct, kind = struct_of(metaclass), kind_of_field(field)
    where = f"{pointer}, {offset_of(struct, field.cname)}"
    use_utilities(code, kind is CPP_VALUE)

    def store(result):
        if kind is CPP_VALUE:
            field_type = f"decltype((({struct} *)0)->{field.cname})"
            code.put_error_if_neg(
                pos, f"__Pyx_CustomSlots_SetValue<{field_type} >({where}, {result})")
            return
        code.putln("{")
        if kind is OBJECT_VALUE:
            code.putln(f"PyObject *__pyx_customslots_value = (PyObject *)({result});")
        else:
            declaration = field.type.declaration_code("__pyx_customslots_value")
            code.putln(f"{declaration} = {result};")
        code.put_error_if_neg(
            pos, f"PyExtensibleType_SetField({where}, &__pyx_customslots_value, "
                 f"(Py_ssize_t)sizeof(__pyx_customslots_value))")
        code.putln("}")

    value.generate(code, store)


def put_marked_fields(code, pointer, metaclass, fields, pos):
    """Say that the type set these fields, which were written before it was ready."""
    struct = struct_of(metaclass)
    use_utilities(code, False)
    code.putln("{")
    code.putln("static const Py_ssize_t __pyx_customslots_marked_fields[] = {%s};" % ", ".join(
        offset_of(struct, field.cname) for field in fields))
    code.put_error_if_neg(pos, f"_Pycs_MarkFields({pointer}, "
                               f"__pyx_customslots_marked_fields, {len(fields)})")
    code.putln("}")


# ----------------------------------- what Python sees of their types, for help() and stubs

#: What Cython's conversions make of the containers of libcpp, whose arguments follow.
_CONTAINERS = {"vector": "list", "list": "list", "set": "set", "unordered_set": "set", "map": "dict",
               "unordered_map": "dict", "pair": "tuple"}
#: What values of other C types become, by the attribute of a type that Cython asks for.
_PLAIN = {"is_enum": "int", "is_cpp_enum": "int", "is_complex": "complex", "is_float": "float", "is_int": "int",
          "is_struct": "dict[str, object]"}
_BUILTINS = {"unicode": "str", "basestring": "str"}


def doc_of_field(entry, scope):
    """The docstring of a field that Python sees: "priority: int (C: long)"."""
    seen = python_type(entry.type, scope)
    if entry.type.is_pyobject:
        return f"{entry.name}: {seen}"
    return f"{entry.name}: {seen} (C: {entry.type.declaration_code('', for_display=1)})"


def python_type(type_, scope):
    """The name of the Python class that a value of this C type becomes an object of; "object" if it may be any."""
    if type_.is_typedef:
        type_ = type_.resolve()
    if type_.is_pyobject:
        return _of_object(type_)
    if type_.is_cpp_class:
        return _of_cpp(type_, scope)
    if type_.is_string:
        return _string(scope)
    if type_.is_array:
        return f"list[{python_type(type_.base_type, scope)}]"
    if type_.is_ctuple:
        return f"tuple[{', '.join(python_type(c, scope) for c in type_.components)}]"
    if type_ is c_bint_type:
        return "bool"
    return next((seen for attribute, seen in _PLAIN.items() if getattr(type_, attribute)), "object")


def _of_object(type_):
    if type_.is_builtin_type:
        return _BUILTINS.get(type_.name, type_.name)
    if type_.is_extension_type:
        return f"{type_.module_name}.{type_.name}"
    return "object"


def _of_cpp(type_, scope):
    name = type_.name.rpartition("::")[2]
    if name == "string":
        return _string(scope)
    if name == "complex":
        return "complex"
    if name in _CONTAINERS:
        wanted = 2 if _CONTAINERS[name] in ("dict", "tuple") else 1
        arguments = [python_type(t, scope) for t in (type_.templates or ())[:wanted]]
        return f"{_CONTAINERS[name]}[{', '.join(arguments)}]"
    return "object"


def _string(scope):
    return "str" if scope.directives.get("c_string_type") in ("str", "unicode") else "bytes"
