# SPDX-License-Identifier: MIT
"""The vtable slot: the C methods of a cdef class, described so that they can be checked.

Its ID is interned from the class's name, its data points to

    {size, vtable, n, hashes[n], layout, numbers}

where hashes[i] covers the signatures (signatures.py) of the first i + 1 methods, base tables first.
"""

import re

from Cython.Compiler.UtilityCode import NonManglingModuleScope

from ..interfaces.signatures import described, hashed
from ..shared.facts import declaration_of
from ..shared.writing import c_string, render, substitute, utility, without_annotation

SLOT_NAME = "cython.vtable:{name}"

#: Where the slot should stand: behind the positions that are dealt out to interfaces, which are
#: looked for in every call.
POSITION = 3


def methods_in_table(type_):
    """Return the C methods in the order of the table, methods of base types first.

    Every method has its place, final and inline ones, too.  A method that is overridden with more
    arguments has two places: Cython appends the wider one.
    """
    inherited = methods_in_table(type_.base_type) if type_.base_type is not None else []
    if type_.scope is None or type_.is_builtin_type:
        return inherited
    for entry in type_.scope.cfunc_entries[:]:
        if entry.type.is_fused:                  # its specialisations take its place
            entry.type.get_all_specialized_function_types()
    return inherited + [e for e in type_.scope.cfunc_entries if not e.is_inherited]


def slot_name(type_, module_name):
    """Return what the slot's ID is interned from; *module_name*, if the type has none."""
    return SLOT_NAME.format(name=f"{type_.module_name or module_name}.{type_.name}")


# ------------------------------------------------------------------------- the provider

def put_slot(code, entry, own, count):
    """Write code that places the vtable slot of a class in *own*, an array of *count* slots."""
    type_ = entry.type
    code.globalstate.use_utility_code(utility("CustomSlotsVtable", "Vtables.c"))
    lines, numbers = described(methods_in_table(type_))
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
    code.putln(f"static const PyCustomSlots_Signature {name}[] = {{{', '.join(hashed(lines)) or '{0, 0}'}}};")


def _put_numbers(code, name, numbers):
    # A constant in C, but no constant expression if Cython was told that a pointer is an integer
    # type; hence not static.
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
        # Its table is the first part of theirs: with one method more in it, their methods lie elsewhere.
        self.derived = any(entry.visibility != "extern" and entry.type.base_type is type_
                           for entry in env.c_class_entries)
        # Now, because it goes to the error label of the function that is being written.
        self.check = render(code, lambda writer: _put_check(
            writer, type_, pointer, env, pos, self.derived))
        self.fetch = fetch
        self.place = without_annotation(code.insertion_point())

    def is_needed(self, text):
        """Does the C of the module, *text*, call a method of the class, or take its address?"""
        return (self.derived or f"(struct {self.type.vtabstruct_cname} *)" in text
                or f"{self.type.vtabptr_cname}->" in text)


def write_checks(checks, code):
    """Write the *checks* that are needed, when the rest of the module is written."""
    text = _INLINE.sub(_if_called, code.globalstate.rootwriter.getvalue()) if checks else ""
    for check in checks:
        if check.is_needed(text):
            code.globalstate.use_utility_code(utility("CustomSlotsCheckVtable", "Vtables.c"))
            check.place.write(check.check + check.fetch)
        else:                                    # a class that has no C methods any more will do
            check.place.write(substitute(r"__PYX_ERR\([^()]*\)", "PyErr_Clear();", check.fetch,
                                         "the import of a class", check.type.pos))


#: An inline function: Cython writes the inline functions of a .pxd into every module that cimports it.
_INLINE = re.compile(r"(?ms)^static CYTHON_INLINE [^;{}(]*?(\w+)\([^;{]*\) \{\n.*?^\}\n")


def _if_called(match):
    function = match.group()
    unused = "__pyx_vtab" in function and match.string.count(match.group(1)) == 1
    return "" if unused else function


def _put_check(code, type_, pointer, env, pos, derived):
    lines, numbers = described(methods_in_table(type_))
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
