# SPDX-License-Identifier: MIT
"""The C of typed records: entries, the thunks that they point to, their registration.

A record is a list of entries {signature, function, flags, error value}, one for each
number of arguments that a call may have.  The function of an entry is a thunk:

    static double __pyx_typed2__pyx_f_3mod_1A_f(PyObject *a0, double a1) {
        type tests of a0, as in Cython's own wrapper
        return __pyx_f_3mod_1A_f((struct __pyx_obj_3mod_A *)a0, a1, 1);
    }

The 1 is ``skip_dispatch``: the caller asked Python for the method, so an override in a
subclass was found already, and a second look-up would call it from ``super()`` again.

Widths are known to the C compiler only: a signature is a constant expression in C.
"""

import re

from Cython.Compiler import ModuleNode, Naming, Nodes, PyrexTypes
from Cython.Compiler.Code import UtilityCode
from Cython.Compiler.Errors import CompileError, error
from Cython.Compiler.StringEncoding import bytes_literal

from ..headers import header_text
from .initialisers import typeptr
from .patching import render, substitute, utility, wrap
from .typed import cpdef_functions, is_wanted

#: What one uint64_t has room for, the result not counted.
SHORT_ARGUMENTS = 11
#: PyTypedMethod_MAX_TYPES, without the result, and PyTypedMethod_MAX_ENTRIES.
MAX_ARGUMENTS = 127
MAX_ENTRIES = 4096

_UTILITY = "TypedMethods.c"


def install_typed_records():
    wrap(ModuleNode.ModuleNode, "generate_c_code")(_generate_c_code)
    wrap(ModuleNode.ModuleNode, "generate_method_table")(_generate_method_table)
    wrap(Nodes.DefNodeWrapper, "generate_function_header")(_generate_function_header)


# --------------------------------------------------------------------------- types

class Inexpressible(Exception):
    """Says which part of a function no signature can express."""


def _plain(type_):
    """A type without const and volatile."""
    while getattr(type_, "is_cv_qualified", False) or getattr(type_, "is_const", False):
        type_ = type_.cv_base_type if hasattr(type_, "cv_base_type") else type_.const_base_type
    return type_


#: {real type: (code, C type)}; a compiler may pass its own complex numbers in other
#: registers than a struct of two, which is what Cython's may be.
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
    type_ = _plain(type_)
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
        return f"__PYX_CUSTOMSLOTS_FLOAT({name})"
    if type_.is_enum or getattr(type_, "is_cpp_enum", False):
        return f"__PYX_CUSTOMSLOTS_ENUM({name})"
    if type_.is_int:
        return f"__PYX_CUSTOMSLOTS_INTEGER({name})"
    raise Inexpressible(f"{what} is '{type_}'")


# ----------------------------------------------------------------------- functions

class Convention:
    """How errors are reported: a flag, the error value, what a thunk returns for it.

    *member* of PyTypedMethodError gets the C expression *value*, a constant; *result* is
    None if a thunk that has raised may return anything.
    """

    def __init__(self, flag, member="i", value="0", result=None):
        self.flag = flag
        self.member = member
        self.value = value
        self.result = result


NOEXCEPT = Convention("0")
ANY = Convention("PyTypedMethod_RAISES_ANY")


def _convention(result, function):
    """From what Cython's analysis made of the exception clause."""
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
    """The Convention with an error value; ANY if C has no constant that says it."""
    number = _number(value)
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


def _number(value):
    """Return an exception value as a number, None if it is no literal."""
    known = getattr(value, "python_value", value)
    if isinstance(known, (int, float)):
        return known
    text = str(known)
    for convert in (lambda: int(text, 0), lambda: float(text)):
        try:
            return convert()
        except ValueError:
            pass
    return 0 if text == "NULL" else None


def _needs_test(type_):
    return type_.is_extension_type or (
        type_.is_pyobject and type_.is_builtin_type and type_ is not PyrexTypes.py_object_type)


class Function:
    """One C function of the user's: what is needed to write its entries."""

    def __init__(self, node):
        self.node = node
        self.pos = node.pos
        self.name = str(node.entry.qualified_name)
        self.cname = node.entry.func_cname
        type_ = node.type
        self.result = _plain(type_.return_type)
        if getattr(node, "c_compile_guard", None):
            raise Inexpressible("it is compiled under a condition")
        if type_.has_varargs:
            raise Inexpressible("it takes any number of C arguments")
        if len(type_.args) > MAX_ARGUMENTS:
            raise Inexpressible(f"it has more than {MAX_ARGUMENTS} arguments")
        self.result_code = type_code(type_.return_type, "its result")
        self.types = [argument.type for argument in type_.args]
        self.codes = [type_code(argument.type, f"argument '{argument.name}'")
                      for argument in type_.args]
        for argument in type_.args:
            if _needs_test(argument.type) and not argument.type.typeobj_is_available():
                raise Inexpressible(f"argument '{argument.name}' has a type without type object")
        self.is_method = node.entry.scope.is_c_class_scope
        self.tested = [i for i, type_ in enumerate(self.types) if _needs_test(type_)]
        self.convention = _convention(self.result, node.entry.type)
        if self.tested and self.convention is NOEXCEPT:
            # Nothing is raised, except by the thunk, for an argument.
            self.convention = _sentinel(self.result, "NULL" if self.result.is_ptr else "-1",
                                        "PyTypedMethod_RAISES_MAYBE")
        # A thunk that looks at the types of objects needs the GIL.
        self.nogil = bool((type_.nogil or type_.with_gil) and not self.tested)

    @property
    def arities(self):
        """The numbers of arguments that a call may have, the largest first."""
        count = len(self.types)
        return range(count, count - self.node.type.optional_arg_count - 1, -1)

    def shape(self, arity):
        """What distinguishes an entry for a caller, as far as it is known here."""
        return (self.result_code, *self.codes[:arity])

    def thunk(self, arity):
        return f"{Naming.pyrex_prefix}typed{arity}{self.cname}"

    def flags(self):
        flags = [] if self.convention.flag == "0" else [self.convention.flag]
        if self.nogil:
            flags.append("PyTypedMethod_NOGIL")
        if self.is_method:
            flags.append("PyTypedMethod_SELF")
        return " | ".join(flags) or "0"

    # ------------------------------------------------------------------- its thunks

    def header(self, arity):
        arguments = [_declaration(type_, f"a{i}") for i, type_ in enumerate(self.types[:arity])]
        name = f"{self.thunk(arity)}({', '.join(arguments) or 'void'})"
        return f"static {_declaration(self.result, name)}"

    def put_thunk(self, code, arity):
        type_ = self.node.type
        required = len(self.types) - type_.optional_arg_count
        code.putln(f"{self.header(arity)} {{")
        if not self.result.is_void:
            code.putln(f"{self.result.declaration_code('result')};")
            if self.result.is_complex:
                code.putln(f"{_declaration(self.result, 'complex_result')};")
        if arity > required:
            code.putln(f"{type_.op_arg_struct.base_type.declaration_code('options')};")
        for index, argument in enumerate(self.types[:arity]):
            if argument.is_complex:
                code.putln(f"{_plain(argument).declaration_code(f'c{index}')};")
        for index in self.tested:
            if index < arity:
                self._put_test(code, index)
        for index, argument in enumerate(self.types[:arity]):
            if argument.is_complex:
                code.putln(f"memcpy((void *)&c{index}, (const void *)&a{index}, sizeof(c{index}));")
        arguments = [self._argument(index) for index in range(required)]
        if self.node.overridable:
            arguments.append("1")
        if type_.optional_arg_count:
            arguments.append("&options" if arity > required else "NULL")
        if arity > required:
            code.putln(f"options.{Naming.pyrex_prefix}n = {arity - required};")
            for index in range(required, arity):
                member = type_.opt_arg_cname(type_.args[index].name)
                code.putln(f"options.{member} = {self._argument(index)};")
        call = f"{self.cname}({', '.join(arguments)})"
        code.putln(f"{call};" if self.result.is_void else f"result = {call};")
        if self.result.is_complex:
            code.putln("memcpy((void *)&complex_result, (const void *)&result, sizeof(result));")
            code.putln("return complex_result;")
        elif self.result.is_pyobject:
            code.putln("return (PyObject *)result;")
        elif not self.result.is_void:
            code.putln("return result;")
        code.putln("}")

    def _argument(self, index):
        type_ = self.types[index]
        if type_.is_complex:
            return f"c{index}"
        if type_.is_pyobject and type_ is not PyrexTypes.py_object_type:
            return f"({type_.empty_declaration_code()})a{index}"
        return f"a{index}"

    def _put_test(self, code, index):
        type_, argument = self.types[index], self.node.py_func.args[index]
        code.globalstate.use_utility_code(
            UtilityCode.load_cached("ArgTypeTest", "FunctionArguments.c"))
        code.globalstate.use_utility_code(Nodes.traceback_utility_code)
        exact = int(bool(type_.is_builtin_type and type_.require_exact))
        if exact and getattr(argument, "type_from_annotation", False):
            exact = 2                            # Cython's message says more then
        accept_none = 0 if index == 0 and self.is_method else int(bool(argument.accept_none))
        code.putln(f"if (unlikely(!__Pyx_ArgTypeTest(a{index}, {typeptr(code, type_)}, "
                   f"{accept_none}, {argument.name_cstring}, {exact}))) {{")
        file_index = code.lookup_filename(argument.pos[0])
        code.putln(f"__Pyx_AddTraceback({_c_string(self.name)}, 0, {argument.pos[1]}, "
                   f"{Naming.filetable_cname}[{file_index}]);")
        if self.result.is_void:
            code.putln("return;")
        elif self.convention.result is not None:
            code.putln(f"return {self.convention.result};")
        else:
            name = "complex_result" if self.result.is_complex else "result"
            code.putln(f"memset((void *)&{name}, 0, sizeof({name}));")
            code.putln(f"return {name};")
        code.putln("}")


def _declaration(type_, name):
    """Declare something that a caller sees, who knows codes and not Cython's types."""
    type_ = _plain(type_)
    if type_.is_pyobject:
        return f"PyObject *{name}"
    if type_.is_complex:
        return f"{_COMPLEX[type_.real_type][1]} {name}"
    return type_.declaration_code(name)


def _c_string(text):
    return bytes_literal(text.encode("utf-8"), "utf-8").as_c_string_literal()


# -------------------------------------------------------------------------- records

class Record:
    """The entries of one PyMethodDef: (function, arity) pairs."""

    def __init__(self, cname, name, entries):
        self.cname = cname
        self.name = name
        self.entries = entries

    def put(self, code):
        rows = []
        for function, arity in self.entries:
            convention, codes = function.convention, function.shape(arity)
            signature = (f"PyTypedMethod_SIG({', '.join(codes)})"
                         if arity <= SHORT_ARGUMENTS else "0")
            rows.append(f"PyTypedMethod_ENTRY_AS({function.thunk(arity)}, {function.flags()}, "
                        f"{convention.member}, {convention.value}, {signature})")
        entries = f"{self.cname}_entries"
        const = "" if any(arity > SHORT_ARGUMENTS for _, arity in self.entries) else "const "
        code.putln(f"static {const}PyTypedMethodEntry {entries}[] = {{")
        for row in rows:
            code.putln(f"{row},")
        code.putln("};")
        code.putln(f"static const PyTypedMethodRecord {self.cname} = {{PyTypedMethod_MAGIC, "
                   f"PyTypedMethod_ABI_VERSION, sizeof(PyTypedMethodEntry), {len(rows)}, 0, "
                   f"{_c_string(self.name)}, {entries}}};")

    def put_long_signatures(self, code):
        """More arguments than a number has room for: the signature is an interned text."""
        for index, (function, arity) in enumerate(self.entries):
            if arity > SHORT_ARGUMENTS:
                code.globalstate.use_utility_code(_utility("TypedMethodsLong"))
                codes = function.shape(arity)
                code.putln("{")
                code.putln(f"static const unsigned char codes[] = {{{', '.join(codes)}}};")
                code.putln(f"if (unlikely({_LONG}(&{self.cname}_entries[{index}].signature, "
                           f"codes, {len(codes)}) < 0)) return -1;")
                code.putln("}")


class Module:
    """The records of a module, and the PyMethodDefs that Cython wrote for them."""

    def __init__(self, scope):
        self.functions = {}                      # CFuncDefNode -> Function
        for node in cpdef_functions(scope):
            if is_wanted(node, scope):
                self._add(node)
        self.records = []
        self.pairs = []                          # (C expression of a PyMethodDef *, Record)

    def _add(self, node):
        try:
            self.functions[node] = Function(node)
        except Inexpressible as reason:
            if getattr(node, "customslots_typed", None):
                error(node.customslots_typed_pos,
                      f"'{node.entry.name}' cannot have a typed record: {reason}")

    def record_of(self, target):
        """Return the Record for the wrapper of a function, or of a fused dispatcher, or None."""
        fused = getattr(target.entry, "fused_cfunction", None)
        if getattr(target, "specialized_cpdefs", None) and fused is not None:
            functions = [self.functions[n] for n in fused.nodes if n in self.functions]
        else:
            functions = [f for n, f in self.functions.items() if n.py_func is target]
        if not functions:
            return None
        entries = _unambiguous(functions)
        return self._record(functions[0].name, entries) if entries else None

    def _record(self, name, entries):
        record = Record(f"{Naming.pyrex_prefix}typed_record_{len(self.records)}", name, entries)
        self.records.append(record)
        return record

    def target_of(self, entry):
        """Return the wrapper whose entry this is, if it has a function with a record."""
        return next((n.py_func for n in self.functions if n.py_func.entry is entry), None)


def _unambiguous(functions):
    """The entries of several functions, without those that only Python types tell apart.

    A fused function of list and dict has two entries `object(object)`: a caller must not
    get the one for lists and call it with a dict.
    """
    entries = [(function, arity) for function in functions for arity in function.arities]
    shapes = [function.shape(arity) for function, arity in entries]
    found = [entry for entry, shape in zip(entries, shapes) if shapes.count(shape) == 1]
    return found[:MAX_ENTRIES]


# ------------------------------------------------------------------------- the hooks

def _generate_c_code(original, self, env, options, result):
    module = Module(env)
    if not module.functions:
        return original(self, env, options, result)
    env.customslots_records = module
    # The Limited API has no records; a module that does without them compiles there.
    env.add_include_file(None, f"#ifndef Py_LIMITED_API\n{header_text('typedmethod.h')}"
                               f"\n#endif\n", False)
    env.use_utility_code(_utility("TypedMethodsTypes"))
    if not isinstance(self.body, Nodes.StatListNode):
        self.body = Nodes.StatListNode(self.body.pos, stats=[self.body])
    self.body.stats.insert(0, RegisterRecords(self.pos, module))
    return original(self, env, options, result)


def _utility(name):
    return utility(name, _UTILITY)


def _generate_function_header(original, self, code, with_pymethdef, proto_only=0):
    target = self.target
    module = getattr(target.entry.scope.global_scope(), "customslots_records", None)
    if module is None or proto_only:
        return original(self, code, with_pymethdef, proto_only)
    record = module.record_of(target) if with_pymethdef or target.fused_py_func else None
    if record is None:
        return original(self, code, with_pymethdef, proto_only)
    name = target.entry.pymethdef_cname
    module.pairs.append((f"&{name}", record))
    text = render(code, lambda writer: original(self, writer, with_pymethdef, proto_only))
    code.write(with_pypy_record(
        text, rf"(?m)^static PyMethodDef {name} = (\{{.*\}});$", record, name, self.pos,
        lambda row: f"static PyMethodDef {name} = {row};"))


def _generate_method_table(original, self, env, code):
    module = getattr(env.global_scope(), "customslots_records", None)
    if module is None or (env.is_c_class_scope and not env.pyfunc_entries):
        return original(self, env, code)
    text = render(code, lambda writer: original(self, env, writer))
    for entry in env.pyfunc_entries:
        target = module.target_of(entry)
        if target is None:
            continue
        row = rf"(?m)^[ \t]*(\{{.*\W{entry.func_cname}, .*\}}),$"
        record = module.record_of(target) if re.search(row, text) else None
        if record is not None:
            code.globalstate.use_utility_code(_utility("TypedMethodsDef"))
            module.pairs.append((f"__Pyx_CustomSlots_TypedDef({env.method_table_cname}, "
                                 f"{_c_string(entry.name)})", record))
            text = with_pypy_record(text, row, record, entry.func_cname, self.pos,
                                    lambda row: f"{row},")
    code.write(text)
    if env.is_module_scope:
        code.enter_cfunc_scope(env)              # what names types wants one
        _put_records(module, code)
        code.exit_cfunc_scope()


def _put_records(module, code):
    """The last thing before the module's init function: all that the thunks call is there."""
    code.putln("")
    code.putln("/* Typed records */")
    code.putln("#ifdef Py_LIMITED_API")
    code.putln(f"#define {REGISTER}() 0")
    code.putln("#else")
    for function in {f: None for record in module.records for f, _ in record.entries}:
        for arity in function.arities:
            if any((function, arity) in record.entries for record in module.records):
                function.put_thunk(code, arity)
    for record in module.records:
        record.put(code)
    _put_register(module, code)
    code.putln("#endif")


_LONG = "__Pyx_CustomSlots_TypedLong"


def _put_register(module, code):
    """The function that registers everything; its address is called once, by the body."""
    code.putln(f"static int {REGISTER}(void) {{")
    if module.pairs:
        code.putln(f"PyTypedMethod_Pair pairs[{len(module.pairs)}];")
        for record in module.records:
            record.put_long_signatures(code)
        for index, (method_def, record) in enumerate(module.pairs):
            code.putln(f"pairs[{index}].def = {method_def};")
            code.putln(f"pairs[{index}].record = &{record.cname};")
        code.putln(f"if (unlikely(PyTypedMethod_RegisterMany(pairs, {len(module.pairs)}) < 0)) "
                   f"return -1;")
        state = (f"{Naming.modulestateglobal_cname}->"
                 if hasattr(code, "name_in_module_state") else "")
        # Macros that Cython defines where it makes these types.
        code.putln("#ifdef __Pyx_CyFunction_USED")
        code.putln("if (unlikely(PyTypedMethod_RegisterReach("
                   f"{state}__pyx_CyFunctionType, __PYX_CUSTOMSLOTS_DEF_OFFSET, -1) < 0)) "
                   "return -1;")
        code.putln("#endif")
        code.putln("#ifdef __Pyx_FusedFunction_USED")
        code.putln("if (unlikely(PyTypedMethod_RegisterReach("
                   f"{state}__pyx_FusedFunctionType, offsetof(__pyx_FusedFunctionObject, func) "
                   "+ __PYX_CUSTOMSLOTS_DEF_OFFSET, "
                   "(Py_ssize_t)offsetof(__pyx_FusedFunctionObject, self)) < 0)) return -1;")
        code.putln("#endif")
    code.putln("return 0;")
    code.putln("}")


REGISTER = "__Pyx_CustomSlots_RegisterTyped"


class RegisterRecords(Nodes.StatNode):
    """First statement of the module body."""

    child_attrs = []

    def __init__(self, pos, module):
        super().__init__(pos)
        self.module = module

    def analyse_expressions(self, env):
        return self

    def generate_function_definitions(self, env, code):
        pass

    def annotate(self, code):
        pass

    def generate_execution_code(self, code):
        code.put_error_if_neg(self.pos, f"{REGISTER}()")


# ------------------------------------------------------------------------------ PyPy

#: What its branch for typed functions can say.
_PYPY_TYPES = {PyrexTypes.c_long_type: "T_C_LONG", PyrexTypes.c_double_type: "T_C_DOUBLE"}


def _pypy_type(type_):
    type_ = _plain(type_)
    return "T_PY_OBJECT" if type_.is_pyobject else _PYPY_TYPES.get(type_)


def _pypy_record(record, name):
    """Return (C of the metadata of a function, its name) or None.

    PyPy takes -1, 0.0 and NULL from a function that may raise for an error, and asks no
    further: functions that may also return these get none.
    """
    (function, arity), *others = record.entries
    types = [_pypy_type(type_) for type_ in [function.result, *function.types]]
    if others or function.is_method or None in types or len(function.name) > 99:
        return None
    if function.convention is NOEXCEPT:
        sign = ""
    elif types[0] == "T_PY_OBJECT" or (
            types[0] == "T_C_LONG" and function.convention.flag.endswith("VALUE")
            and _number(function.node.entry.type.exception_value) == -1):
        sign = "-"
    else:
        return None
    cname = f"{Naming.pyrex_prefix}typed_pypy_{name}"
    return cname, [
        f"{function.header(arity)}; /*proto*/",
        f"static int {cname}_types[] = {{{''.join(f'{t}, ' for t in types[1:])}-1}};",
        f"static const PyPyTypedMethodMetadata {cname} = {{{cname}_types, {sign}{types[0]}, "
        f"(void *){function.thunk(arity)}, {_c_string(str(function.node.entry.name))}}};"]


_ROW = re.compile(r'\{"(?:[^"\\]|\\.)*", (.*), ([^,]*), ([^,]*)\}')


def with_pypy_record(text, pattern, record, name, pos, line):
    """Return C with the PyMethodDef that *pattern* finds twice: PyPy's leads to metadata.

    Group 1 of *pattern* is the initialiser; *line* makes a line of it.
    """
    pypy = _pypy_record(record, name)
    if pypy is None:
        return text
    cname, declarations = pypy
    guard = "defined(PYPY_VERSION)"

    def replace(match):
        nonlocal guard
        row = _ROW.fullmatch(match.group(1))
        if row is None:
            raise CompileError(pos, f"customslots: the PyMethodDef {match.group(1)} is unknown")
        meth, flags, doc = row.groups()
        if "METH_O" not in flags.split("|"):     # PyPy reads no other but METH_FASTCALL
            guard += " && CYTHON_METH_FASTCALL"
        typed = f"{{{cname}.ml_name, {meth}, {flags}|METH_TYPED, {doc}}}"
        return f"#if {guard}\n{line(typed)}\n#else\n{match.group(0)}\n#endif"

    text = substitute(pattern, replace, text, "a PyMethodDef", pos)
    return "\n".join([f"#if {guard}", *declarations, "#endif", text])
