# SPDX-License-Identifier: MIT
"""The C functions behind typed records: their types, how they fail, and their thunks.

The function of an entry is a thunk:

    static double __pyx_typed2__pyx_f_3mod_1A_f(PyObject *a0, double a1) {
        type tests of a0, as in Cython's own wrapper
        return __pyx_f_3mod_1A_f((struct __pyx_obj_3mod_A *)a0, a1, 1);
    }

The 1 is ``skip_dispatch``: the caller asked Python for the method, so an override in a
subclass was found already, and a second look-up would call it from ``super()`` again.

Only the C compiler knows widths: a signature is a constant expression in C.
"""

import copy
import itertools
import re
from typing import NamedTuple

from Cython.Compiler import Naming, Nodes, PyrexTypes
from Cython.Compiler.Code import UtilityCode

from ..shared.facts import plain
from ..shared.writing import c_string, typeptr
from ..views.borrowing import check_type
from ..views.escaping import Escape

#: PyTypedMethod_MAX_TYPES, without the result.
MAX_ARGUMENTS = 127


# --------------------------------------------------------------------------- types

class Inexpressible(Exception):
    """Says which part of a function no signature can express."""


#: {real type: (code, C type)}; a compiler may pass its own complex numbers in other registers
#: than a struct of two numbers, and Cython's may be such structs.
_COMPLEX = {
    PyrexTypes.c_float_type: ("PyTypedMethod_C8", "PyTypedMethod_c8"),
    PyrexTypes.c_double_type: ("PyTypedMethod_C16", "PyTypedMethod_c16"),
    PyrexTypes.c_longdouble_type: ("PyTypedMethod_LONG_COMPLEX", "PyTypedMethod_c32"),
}


def _type_name(type_):
    """The C of a type, for a cast or a macro."""
    if getattr(type_, "is_cpp_enum", False):
        return type_.cname                       # `enum` before it is for declarations
    return type_.empty_declaration_code()


def type_code(type_, what):
    """Return the C expression of the 5-bit code of a type; Inexpressible if it has none."""
    for attribute, name in (("is_memoryviewslice", "a memoryview"), ("is_buffer", "a buffer"),
                            ("is_ctuple", "a C tuple"), ("is_struct_or_union", "a struct by value"),
                            ("is_cpp_class", "a C++ object"), ("is_reference", "a C++ reference"),
                            ("is_rvalue_reference", "a C++ reference"),
                            ("is_fake_reference", "a C++ reference"),
                            ("is_pythran_expr", "a Pythran expression"),
                            ("is_array", "a C array"), ("is_fused", "of a fused type")):
        if getattr(type_, attribute, False):
            raise Inexpressible(f"{what} is {name}")
    type_ = plain(type_)
    name = _type_name(type_)
    if type_.is_void:
        return "PyTypedMethod_VOID"
    if type_.is_pyobject:
        return "PyTypedMethod_OBJECT"
    if type_.is_ptr or type_.is_cfunction:
        return "PyTypedMethod_POINTER"
    if type_.is_complex:
        if type_.real_type not in _COMPLEX:
            raise Inexpressible(f"{what} is '{type_}'")
        return _COMPLEX[type_.real_type][0]
    if type_.is_float:
        return f"__PYX_CUSTOMSLOTS_TYPED_FLOAT({name})"
    if type_.is_enum or getattr(type_, "is_cpp_enum", False):
        return f"__PYX_CUSTOMSLOTS_TYPED_ENUM({name})"
    if type_.is_int:
        return f"__PYX_CUSTOMSLOTS_TYPED_INTEGER({name})"
    raise Inexpressible(f"{what} is '{type_}'")


class ArrayCode:
    """Two codes: the kind of array that an argument is, and the type of its numbers."""

    #: {(is it const, may it have gaps): the kinds that a caller may have, the same first}
    ACCEPTED = {
        (False, False): ("ARRAY",), (True, False): ("CONST_ARRAY", "ARRAY"),
        (False, True): ("STRIDED", "ARRAY"), (True, True): ("CONST_STRIDED", "CONST_ARRAY", "STRIDED", "ARRAY")}

    def __init__(self, argument, function, bodies):
        """Inexpressible if a slice without a memoryview will not do; *bodies*: escaping.Functions."""
        type_, what = argument.type, f"argument '{argument.name}' is a memoryview"
        if type_.ndim != 1:
            raise Inexpressible(f"{what} of {type_.ndim} dimensions, not of one")
        try:
            check_type(type_)
            bodies.check(function, function.local_scope.lookup_here(argument.name))
        except Escape as reason:
            raise Inexpressible(f"{what} that is lent for the call, and {reason}") from None
        self.item = type_code(type_.dtype, what)
        self.kinds = self.ACCEPTED[bool(type_.dtype.is_const), not type_.is_c_contig]


def _accepted(codes):
    """The codes of all signatures that fit, of a few arrays: a function that takes any stride takes arrays
    without gaps, too."""
    choices = [[(kind, code.item) for kind in code.kinds] if isinstance(code, ArrayCode) else [code]
               for code in codes]
    if sum(isinstance(code, ArrayCode) for code in codes) > 4:
        choices = [choice[:1] for choice in choices]
    return itertools.product(*choices)


# ----------------------------------------------------------------------- functions

class Convention(NamedTuple):
    """How errors are reported: a flag, the error value, what a thunk returns for it.

    *member* of PyTypedMethodError gets the C expression *value*, a constant; *result* is
    None if a thunk that has raised may return anything.
    """

    flag: str
    member: str = "i"
    value: str = "0"
    result: str | None = None


NOEXCEPT = Convention("0")
ANY = Convention("PyTypedMethod_RAISES_ANY")


def _convention(result, function):
    """The Convention, from what Cython's analysis made of the exception clause."""
    if result.is_pyobject:
        return Convention("PyTypedMethod_RAISES_VALUE", "p", "NULL", "NULL")
    value, check = function.exception_value, function.exception_check
    if check == "+":
        return ANY
    if value is None:
        return ANY if check else NOEXCEPT
    return _sentinel(result, value, "PyTypedMethod_RAISES_MAYBE" if check
                     else "PyTypedMethod_RAISES_VALUE")


def _sentinel(result, value, flag):
    """The Convention with an error value; ANY if C has no constant for it."""
    number = number_of(value)
    if number is None or number != number:       # NaN equals nothing
        return ANY
    typed = f"({_type_name(result)})({value})"
    if result.is_ptr:
        return Convention(flag, "p", "NULL", "NULL") if number == 0 else ANY
    if result.is_float:
        return Convention(flag, "f", typed, typed)
    if result.is_int or result.is_enum or getattr(result, "is_cpp_enum", False):
        # The bits are the same for `u`: the value has the type already.
        return Convention(flag, "i", typed, typed)
    return ANY


def number_of(value):
    """Return an exception value as a number, None if it is no literal."""
    known = getattr(value, "python_value", value)
    if isinstance(known, (int, float)):
        return known
    text = str(known).strip("() \n")             # C code on Cython 3.0: (-1L)
    if re.fullmatch(r"-?(0[xX][0-9a-fA-F]+|\d+)[uUlL]+", text):
        text = text.rstrip("uUlL")
    for convert in (lambda: int(text, 0), lambda: float(text)):
        try:
            return convert()
        except ValueError:
            pass
    return 0 if text == "NULL" else None


def _is_other_in_python(type_):
    """Does Python have something else than a number for a type of numbers?"""
    type_ = plain(type_)
    while getattr(type_, "is_typedef", False):
        type_ = plain(type_.typedef_base_type)
    return (type_.is_enum or getattr(type_, "is_cpp_enum", False)
            or type_ is PyrexTypes.c_bint_type
            or isinstance(type_, (PyrexTypes.CPyUCS4IntType, PyrexTypes.CPyUnicodeIntType)))


def _needs_test(type_):
    return type_.is_extension_type or (
        type_.is_pyobject and type_.is_builtin_type and type_ is not PyrexTypes.py_object_type)


class Function:
    """One C function of the user's: what is needed to write its entries.

    *of_object*: a method that is found by way of its object, which needs no test; it is called through the
    vtable, because a cdef subclass may override it.  *is_direct*: it is its own thunk.
    """

    is_direct = False

    def __init__(self, node, module, of_object=False):
        self.node = node
        self.of_object = of_object
        self.pos = node.pos
        self.name = str(node.entry.qualified_name)
        self.cname = node.entry.func_cname
        type_ = node.type
        self.result = plain(type_.return_type)
        if getattr(node, "c_compile_guard", None):
            raise Inexpressible("it is compiled under a condition")
        if type_.has_varargs:
            raise Inexpressible("it takes any number of C arguments")
        if len(type_.args) > MAX_ARGUMENTS:
            raise Inexpressible(f"it has more than {MAX_ARGUMENTS} arguments")
        self.result_code = type_code(type_.return_type, "its result")
        self.types = [argument.type for argument in type_.args]
        self.codes = [ArrayCode(argument, node, module.bodies) if argument.type.is_memoryviewslice
                      else type_code(argument.type, f"argument '{argument.name}'") for argument in type_.args]
        self.has_arrays = any(isinstance(code, ArrayCode) for code in self.codes)
        if self.has_arrays and of_object and not node.entry.is_final_cmethod:
            raise Inexpressible("a subclass may override it, and keep the memoryview; make the class final")
        for argument in type_.args:
            if _needs_test(argument.type) and not argument.type.typeobj_is_available():
                raise Inexpressible(f"argument '{argument.name}' has a type without type object")
        self.is_method = node.entry.scope.is_c_class_scope
        self.tested = [i for i, type_ in enumerate(self.types) if _needs_test(type_) and not (of_object and i == 0)]
        self.convention = _convention(self.result, node.entry.type)
        if self.tested and self.convention is NOEXCEPT:
            # Nothing is raised, except by the thunk, for an argument.
            self.convention = _sentinel(self.result, "NULL" if self.result.is_ptr else "-1",
                                        "PyTypedMethod_RAISES_MAYBE")
        self.converts = any(_is_other_in_python(type_) for type_ in [self.result, *self.types])
        # A thunk that looks at the types of objects takes the GIL only where it is not obvious.
        self.nogil = bool(type_.nogil or type_.with_gil)

    @property
    def arities(self):
        """The numbers of arguments that a call may have, the largest first."""
        count = len(self.types)
        return range(count, count - self.node.type.optional_arg_count - 1, -1)

    def shapes(self, arity):
        """What distinguishes entries for a caller, as far as it is known here; one item for each entry."""
        return [(self.result_code, *codes) for codes in _accepted(self.codes[:arity])]

    def thunk(self, arity):
        if self.is_direct:
            return self.cname
        return f"{Naming.pyrex_prefix}{'called' if self.of_object else 'typed'}{arity}{self.cname}"

    def directly(self):
        """The same without a thunk, for objects whose class overrides nothing in C; None where a thunk is needed."""
        if self.tested or self.has_arrays or self.node.overridable or self.node.type.optional_arg_count or any(
                type_.is_complex for type_ in [self.result, *self.types]):
            return None
        direct = copy.copy(self)
        direct.is_direct = True
        return direct

    def flags(self):
        flags = [] if self.convention.flag == "0" else [self.convention.flag]
        if self.nogil:
            flags.append("__PYX_CUSTOMSLOTS_TYPED_NOGIL" if self.tested else "PyTypedMethod_NOGIL")
        if self.is_method:
            flags.append("PyTypedMethod_SELF")
        if self.converts:
            flags.append("PyTypedMethod_CONVERTS")
        return " | ".join(flags) or "0"

    # ------------------------------------------------------------------- its thunks

    def header(self, arity):
        arguments = [_declaration_for_callers(type_, f"a{i}") for i, type_ in enumerate(self.types[:arity])]
        name = f"{self.thunk(arity)}({', '.join(arguments) or 'void'})"
        return f"static {_declaration_for_callers(self.result, name)}"

    def put_thunk(self, code, arity):
        if self.is_direct:
            return
        type_ = self.node.type
        required = len(self.types) - type_.optional_arg_count
        code.putln(f"{self.header(arity)} {{")
        if not self.result.is_void:
            code.putln(f"{self.result.declaration_code('result')};")
            if self.result.is_complex:
                code.putln(f"{_declaration_for_callers(self.result, 'complex_result')};")
        if arity > required:
            code.putln(f"{type_.op_arg_struct.base_type.declaration_code('options')};")
        for index, argument in enumerate(self.types[:arity]):
            if argument.is_complex:
                code.putln(f"{plain(argument).declaration_code(f'c{index}')};")
            elif argument.is_memoryviewslice:
                code.putln(f"__Pyx_memviewslice v{index} = __Pyx_CustomSlots_LentView(a{index});")
        for index in self.tested:
            if index < arity:
                self._put_test(code, index)
        for index, argument in enumerate(self.types[:arity]):
            if argument.is_complex:
                code.putln(f"memcpy((void *)&c{index}, (const void *)&a{index}, sizeof(c{index}));")
        arguments = [self._argument(index) for index in range(required)]
        if self.node.overridable:
            arguments.append("0" if self.of_object else "1")
        if type_.optional_arg_count:
            arguments.append("&options" if arity > required else "NULL")
        if arity > required:
            code.putln(f"options.{Naming.pyrex_prefix}n = {arity - required};")
            for index in range(required, arity):
                member = type_.opt_arg_cname(type_.args[index].name)
                code.putln(f"options.{member} = {self._argument(index)};")
        call = f"{self._called()}({', '.join(arguments)})"
        code.putln(f"{call};" if self.result.is_void else f"result = {call};")
        if self.result.is_complex:
            code.putln("memcpy((void *)&complex_result, (const void *)&result, sizeof(result));")
            code.putln("return complex_result;")
        elif self.result.is_pyobject:
            code.putln("return (PyObject *)result;")
        elif not self.result.is_void:
            code.putln("return result;")
        code.putln("}")

    def _called(self):
        entry = self.node.entry
        if not self.of_object:
            return self.cname
        if entry.final_func_cname:
            return entry.final_func_cname
        type_ = entry.scope.parent_type
        # In the table of a base the function takes that base, and the base's optional arguments.
        own = PyrexTypes.CPtrType(self.node.type).empty_declaration_code()
        return (f"(({own})(void (*)(void))((struct {type_.vtabstruct_cname} *)({self._argument(0)})"
                f"->{type_.vtabslot_cname})->{entry.cname})")

    def _argument(self, index):
        type_ = self.types[index]
        if type_.is_complex or type_.is_memoryviewslice:
            return f"{'c' if type_.is_complex else 'v'}{index}"
        if type_.is_pyobject and type_ is not PyrexTypes.py_object_type:
            return f"({type_.empty_declaration_code()})a{index}"
        return f"a{index}"

    def _put_test(self, code, index):
        type_, argument = self.types[index], (self.node.py_func or self.node).args[index]
        code.globalstate.use_utility_code(
            UtilityCode.load_cached("ArgTypeTest", "FunctionArguments.c"))
        code.globalstate.use_utility_code(Nodes.traceback_utility_code)
        exact = int(bool(type_.is_builtin_type and type_.require_exact))
        if exact and getattr(argument, "type_from_annotation", False):
            exact = 2                            # Cython's message says more then
        accept_none = 0 if index == 0 and self.is_method else int(bool(getattr(argument, "accept_none", True)))
        expected = typeptr(code, type_)
        test = f"__Pyx_ArgTypeTest(a{index}, {expected}, {accept_none}, {argument.name_cstring}, {exact})"
        file_index = code.lookup_filename(argument.pos[0])
        traceback = (f"__Pyx_AddTraceback({c_string(self.name)}, 0, {argument.pos[1]}, "
                     f"{Naming.filetable_cname}[{file_index}]);")
        if self.nogil:
            # An object of exactly this type, which all are where the class is final, can be told without the GIL.
            other = f"Py_TYPE(a{index}) != {expected}" + (
                f" && a{index} != Py_None" if accept_none else "")
            code.putln(f"if (unlikely({other})) {{")
            code.putln("_Pycs_Gil gil;")
            code.putln("int good;")
            code.putln("_Pycs_TakeGil(&gil);")
            code.putln(f"good = {test};")
            code.putln(f"if (unlikely(!good)) {traceback}")
            code.putln(f"_Pycs_ReleaseGil(&gil, a{index});")
            code.putln("if (unlikely(!good)) {")
            self._put_failure(code)
            code.putln("}")
        else:
            code.putln(f"if (unlikely(!{test})) {{")
            code.putln(traceback)
            self._put_failure(code)
        code.putln("}")

    def _put_failure(self, code):
        """Return the value that says that an exception is set."""
        if self.result.is_void:
            code.putln("return;")
        elif self.convention.result is not None:
            code.putln(f"return {self.convention.result};")
        else:
            name = "complex_result" if self.result.is_complex else "result"
            code.putln(f"memset((void *)&{name}, 0, sizeof({name}));")
            code.putln(f"return {name};")


def _declaration_for_callers(type_, name):
    """Declare something for callers, which know codes, not Cython's types."""
    type_ = plain(type_)
    if type_.is_pyobject:
        return f"PyObject *{name}"
    if type_.is_complex:
        return f"{_COMPLEX[type_.real_type][1]} {name}"
    if type_.is_memoryviewslice:
        return f"const PyTypedMethodArray *{name}"
    return type_.declaration_code(name)
