# SPDX-License-Identifier: MIT
"""The vtable slot: the C methods of a cdef class, described so that they can be checked.

Its ID is interned from the class's name, its data points to

    {size, vtable, n, hashes[n], layout, numbers}

where hashes[i] covers the signatures of the first i + 1 methods, base tables first.
Signatures go by width, so that ``long`` and ``int64_t`` agree where they are the same.
Width and signedness are known to the C compiler only: a signature has a NUMBER where
they belong, and an array has their values.

What a signature says must not depend on the version of Cython.  If its grammar ever has
to change, so has SLOT_NAME: descriptions in two grammars must not be compared.
"""

import re

from Cython.Compiler import Naming, PyrexTypes
from Cython.Compiler.UtilityCode import NonManglingModuleScope

from ..reports.annotation import without_annotation
from ..decorators.declarations import declaration_of
from ..interfaces.implementing import is_interface
from ..shared.writing import c_string, render, substitute, utility

#: Stands for a C type in a signature, e.g. "u8"; no signature contains it otherwise.
NUMBER = "%"

SLOT_NAME = "cython.vtable:{name}"

#: Where the slot should stand: behind the positions that are dealt out to interfaces, which are
#: looked for in every call.
POSITION = 3


def methods_of(type_):
    """Return the C methods in the order of the table, those of base types first.

    Every method has its place, final and inline ones, too.  One that is overridden with
    more arguments has two: Cython appends the wider one.
    """
    inherited = methods_of(type_.base_type) if type_.base_type is not None else []
    if type_.scope is None or type_.is_builtin_type:
        return inherited
    for entry in type_.scope.cfunc_entries[:]:
        if entry.type.is_fused:                  # its specialisations take its place
            entry.type.get_all_specialized_function_types()
    return inherited + [e for e in type_.scope.cfunc_entries if not e.is_inherited]


def _describe(type_):
    """Return ([signature lines], [C expressions of their NUMBERs])."""
    lines, numbers = [], []
    for method in methods_of(type_):
        line, widths = signature(method)
        lines.append(line + "\n")
        numbers += widths
    return lines, numbers


def slot_name(type_, module_name):
    """Return what the slot's ID is interned from; *module_name*, if the type has none."""
    return SLOT_NAME.format(name=f"{type_.module_name or module_name}.{type_.name}")


def _object_text(type_):
    """A caller may pass only what the argument's type allows: nobody checks it again."""
    if type_ is PyrexTypes.py_object_type or not getattr(type_, "name", None):
        return "object"
    if is_interface(type_):
        return f"interface {type_.full_name}"    # the same in every copy of its declaration
    if type_.is_builtin_type:
        return {"unicode": "str"}.get(type_.name, type_.name)      # Cython 3.0's word
    module = getattr(type_, "module_name", None)
    return f"{module}.{type_.name}" if module else str(type_.name)


def _number(type_, numbers):
    kind = "INTEGER" if type_.is_int or type_.is_enum else "WIDTH"
    text = type_.empty_declaration_code().replace(" const ", "")      # compilers warn of one in a cast
    numbers.append(f"PyCustomSlots_{kind}({text})")
    return NUMBER


def _type_text(type_, numbers, by_fields=False):
    """Return a type's text; appends a C expression to *numbers* for each NUMBER.

    *by_fields*: a struct is what it holds, whatever it is called.
    """
    if type_.is_void:
        return "void"
    if type_.is_pyobject:
        return _object_text(type_).replace(NUMBER, "")
    if type_.is_ptr or type_.is_array or type_.is_reference:
        target = type_.ref_base_type if type_.is_reference else type_.base_type
        # Of other targets the size may be unknown here, to the C compiler, too.
        known = target.is_int or target.is_float
        return _type_text(target, numbers) + "*" if known else "pointer"
    if type_.is_cfunction:
        return "pointer"
    if type_.is_int or type_.is_enum:
        return _number(type_, numbers)           # C code writes i or u, too
    if type_.is_float:
        return "f" + _number(type_, numbers)
    if type_.is_complex:
        return "c" + _number(type_, numbers)
    if by_fields and type_.is_struct_or_union and type_.scope is not None:
        fields = [_type_text(field.type, numbers, by_fields) for field in type_.scope.var_entries]
        return f"{{{type_.kind} {', '.join(fields)}}}" + _number(type_, numbers)
    return f"{{{type_}}}".replace(NUMBER, "") + _number(type_, numbers)


def signature(entry, by_fields=False):
    """Return (text, [C expressions of its NUMBERs]) of one C method.

    Result, name, arguments, and what a caller has to know besides: is there a
    skip_dispatch argument, optional ones, may it be called without the GIL, and how are
    exceptions reported?
    """
    function = entry.type
    numbers = []
    result = _type_text(function.return_type, numbers, by_fields)
    own = 0 if function.is_static_method else 1
    arguments = ["object"] * own                 # self: the class that the table is of
    arguments += [_type_text(argument.type, numbers, by_fields)
                  for argument in function.args[own:]]
    notes = []
    if function.is_static_method:
        notes.append("static")
    if function.is_overridable:
        notes.append("skip_dispatch")
    if function.optional_arg_count:
        notes.append(f"optional {function.optional_arg_count}")
    if function.has_varargs:
        notes.append("...")
    if function.nogil:
        notes.append("nogil")
    notes.append(named_alike(_exceptions(function)) if by_fields else _exceptions(function))
    # A specialisation is __pyx_fuse_0name or name[int]: its types tell it from others.
    name = re.sub(r"^__pyx_fuse(_\d+)+|\[.*\]$", "", entry.name)
    return f"{result} {name}({', '.join(arguments)}) {' '.join(notes)}", numbers


def _exceptions(function):
    value, check = function.exception_value, function.exception_check
    if function.return_type.is_pyobject:
        return "except NULL"
    if check == "+":
        return "except +"
    if value is not None:
        return f"except{'?' if check else ''} {_constant(value)}"
    return "except *" if check else "noexcept"


def named_alike(text):
    """Without the modules that the C names of enumerators have in them: a copy of a .pxd has others."""
    found = re.match(rf"(.*){Naming.enum_prefix}(?=\d)", text)
    if not found:
        return text
    rest = text[found.end():]
    while part := re.match(r"(\d+)", rest):
        rest = rest[part.end() + int(part[1]) + 1:]
    return found[1] + rest


def _constant(value):
    """An exception value as text, the same from all versions of Cython."""
    known = getattr(value, "python_value", None)     # else a C expression, or its text
    if not isinstance(known, (int, float)):
        text = str(value).strip("() \n").replace(NUMBER, "")
        digits = "0" if text == "NULL" else re.sub("[uUlL]+$", "", text)
        try:
            known = int(digits, 0)
        except ValueError:
            try:
                known = float(digits)
            except ValueError:
                return text
    whole = not isinstance(known, float) or (known.is_integer() and abs(known) < 2 ** 53)
    return str(int(known)) if whole else repr(known)


# ------------------------------------------------------------------------- the provider

def fnv1a(text):
    """Return the 64-bit FNV-1a hash of a text's UTF-8, as C code."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8"):
        value = (value ^ byte) * 0x100000001B3 % 2 ** 64
    return f"(uint64_t)0x{value >> 32:08X}u << 32 | 0x{value % 2 ** 32:08X}u"


def put_slot(code, entry, own, count):
    """Write code that places the vtable slot of a class in *own*, an array of *count* slots."""
    type_ = entry.type
    code.globalstate.use_utility_code(utility("CustomSlotsVtable", "Vtables.c"))
    lines, numbers = _describe(type_)
    name = slot_name(type_, entry.scope.qualified_name)
    data = "__pyx_customslots_vtable"
    code.putln("{")
    _put_lines(code, f"{data}_lines", lines)
    _put_numbers(code, f"{data}_values", numbers)
    code.putln(f"static unsigned int {data}_numbers[{len(numbers) or 1}];")
    code.putln(f"static uint64_t {data}_hashes[{len(lines) or 1}];")
    code.putln(f"static __Pyx_CustomSlots_VtableData {data};")
    code.putln(f"memcpy({data}_numbers, {data}_values, sizeof({data}_numbers));")
    code.putln(f"{data}.vtable = (void *){type_.vtabptr_cname};")
    code.putln(f"{data}.n = {len(lines)};")
    code.putln(f"{data}.layout = {c_string(''.join(lines))};")
    code.putln(f"{data}.numbers = {data}_numbers;")
    code.putln("{")
    code.putln("const uintptr_t id = __Pyx_CustomSlots_DescribeVtable(&%s, %s, %s_lines, %s_hashes); %s" % (
        data, c_string(name), data, data, code.error_goto_if("id == 0", entry.pos)))
    code.putln(f"PyCustomSlots_PlaceSlot({own}, {count}, {POSITION}, id, &{data});")
    code.putln("}")
    code.putln("}")


def _put_lines(code, name, lines):
    values = [f"{{{fnv1a(line)}, {line.count(NUMBER)}}}" for line in lines]
    code.putln(f"static const PyCustomSlots_Signature {name}[] = "
               f"{{{', '.join(values) or '{0, 0}'}}};")


def _put_numbers(code, name, numbers):
    # In C a constant, but no constant expression if Cython was told that a pointer is
    # an integer type; hence not static.
    code.putln(f"const unsigned int {name}[] = {{{', '.join(numbers) or '0'}}};")


# ------------------------------------------------------------------------- the importer

def is_checked(type_):
    """Is a class that is imported from another module checked, if it has a slot?"""
    return bool(type_.vtabptr_cname and type_.scope is not None and type_.module_name
                and not type_.is_builtin_type
                and not isinstance(type_.scope.global_scope(), NonManglingModuleScope))


class Check:
    """Where the table of an imported class is fetched, and checked if the module needs it.

    *fetch* is the text with which Cython fetches it; *pointer* the class.
    """

    def __init__(self, code, type_, pointer, fetch, env, pos):
        self.type = type_
        # Its table is the first part of theirs: one method more, and theirs lie elsewhere.
        self.derived = any(entry.visibility != "extern" and entry.type.base_type is type_
                           for entry in env.c_class_entries)
        # Now, because it goes to the error label of the function that is being written.
        self.check = render(code, lambda writer: _put_check(
            writer, type_, pointer, env, pos, self.derived))
        self.fetch = fetch
        self.place = without_annotation(code.insertion_point())

    def is_needed(self, text):
        """Does the C of the module, *text*, call one of its methods, or take the address?"""
        return (self.derived or f"(struct {self.type.vtabstruct_cname} *)" in text
                or f"{self.type.vtabptr_cname}->" in text)


def write_checks(checks, code):
    """Write those of *checks* that are needed, when all that the module does is written."""
    text = _INLINE.sub(_if_called, code.globalstate.rootwriter.getvalue()) if checks else ""
    for check in checks:
        if check.is_needed(text):
            code.globalstate.use_utility_code(utility("CustomSlotsCheckVtable", "Vtables.c"))
            check.place.write(check.check + check.fetch)
        else:                                    # a class that has none any more will do
            check.place.write(substitute(r"__PYX_ERR\([^()]*\)", "PyErr_Clear();", check.fetch,
                                         "the import of a class", check.type.pos))


#: An inline function: Cython writes those of a .pxd into every module that cimports it.
_INLINE = re.compile(r"(?ms)^static CYTHON_INLINE [^;{}(]*?(\w+)\([^;{]*\) \{\n.*?^\}\n")


def _if_called(match):
    function = match.group()
    unused = "__pyx_vtab" in function and match.string.count(match.group(1)) == 1
    return "" if unused else function


def _put_check(code, type_, pointer, env, pos, derived):
    lines, numbers = _describe(type_)
    known, declaration = "__pyx_customslots_known", declaration_of(type_)
    has_slot = declaration is not None and not (declaration.automatic or declaration.for_interfaces)
    code.putln("{")
    _put_lines(code, f"{known}_lines", lines)
    _put_numbers(code, f"{known}_numbers", numbers)
    code.put_error_if_neg(
        pos, "__Pyx_CustomSlots_CheckVtable(%s, %s, %s, %s, %s_lines, %d, %s_numbers, %d, %d)" % (
            pointer, c_string(slot_name(type_, "")), c_string(env.qualified_name),
            c_string("".join(lines)), known, len(lines), known, derived, has_slot))
    code.putln("}")
