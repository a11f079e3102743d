# SPDX-License-Identifier: MIT
"""The C of typed records, and their registration.

A record is a list of entries {signature, function, flags, error value}, one for each
number of arguments that a call may have.  Cython writes a PyMethodDef for each function,
by itself (binding=True) or in the table of a module or class; wherever it did, a pair
{PyMethodDef, record} is registered when the module is executed, before its body.
"""

import functools
import re
from collections import Counter

from Cython.Compiler import Naming, Nodes
from Cython.Compiler.Errors import error

from ...tools.headers import header_text
from ..shared.facts import FunctionFacts, ModuleFacts
from ..shared.statements import statements_of
from ..shared.writing import c_string, render, shown_at, utility
from ..views.escaping import Functions
from .choosing import is_wanted
from .functions import Function, Inexpressible

#: The number of types that one uint64_t has room for, without the result.
SHORT_ARGUMENTS = 11
#: PyTypedMethod_MAX_ENTRIES.
MAX_ENTRIES = 4096

#: The C function that registers everything.
REGISTER = "__Pyx_CustomSlots_RegisterTyped"

_LONG = "__Pyx_CustomSlots_TypedLong"


# -------------------------------------------------------------------------- records

class Record:
    """The entries of one PyMethodDef: (function, arity, codes) triples."""

    def __init__(self, cname, name, entries):
        self.cname = cname
        self.name = name
        self.entries = entries

    def put(self, code):
        rows = []
        for function, arity, codes in self.entries:
            convention = function.convention
            signature = "0" if _is_long(codes) else f"PyTypedMethod_SIG({', '.join(_fields(codes))})"
            rows.append(f"PyTypedMethod_ENTRY_AS({function.thunk(arity)}, {function.flags()}, "
                        f"{convention.member}, {convention.value}, {signature})")
        entries = f"{self.cname}_entries"
        const = "" if any(_is_long(codes) for _, _, codes in self.entries) else "const "
        code.putln(f"static {const}PyTypedMethodEntry {entries}[] = {{")
        for row in rows:
            code.putln(f"{row},")
        code.putln("};")
        code.putln(f"static const PyTypedMethodRecord {self.cname} = {{PyTypedMethod_MAGIC, "
                   f"PyTypedMethod_ABI_VERSION, sizeof(PyTypedMethodEntry), {len(rows)}, 0, "
                   f"{c_string(self.name)}, {entries}}};")

    def put_long_signatures(self, code):
        """Are there more arguments than a number has room for, so that the signature is an interned text?"""
        for index, (_, _, codes) in enumerate(self.entries):
            if _is_long(codes):
                code.globalstate.use_utility_code(_utility("TypedMethodsLong"))
                codes = [c if isinstance(c, str) else f"_Pycs_ARRAY_OF({', '.join(_fields([c]))})"
                         for c in codes]
                code.putln("{")
                code.putln(f"static const unsigned char codes[] = {{{', '.join(codes)}}};")
                code.putln(f"if (unlikely({_LONG}(&{self.cname}_entries[{index}].signature, "
                           f"codes, {len(codes)}) < 0)) return -1;")
                code.putln("}")


def _fields(codes):
    """The fields of a number for these codes: an array has two."""
    return [field for code in codes
            for field in ([code] if isinstance(code, str) else [f"PyTypedMethod_{code[0]}", code[1]])]


def _is_long(codes):
    return len(_fields(codes)) > SHORT_ARGUMENTS + 1


class Module:
    """The records of a module, and the PyMethodDefs that Cython wrote for them."""

    def __init__(self, scope, node):
        self._node = node
        self.functions = {}                      # CFuncDefNode -> Function
        self.has_arrays = False
        for node in ModuleFacts.known(scope).cpdefs:
            # A fused function loses its wrapper to its specialisations.
            if node.py_func and is_wanted(node, scope):
                self._add(node)
        self.records = []
        self.pairs = []                          # (C expression of a PyMethodDef *, Record)
        self.calls = {}                          # type -> (Record, Record or None), of classes with a @callable method
        for node, pos in ModuleFacts.known(scope).callables:
            self._add_callable(node, pos)

    def _add(self, node):
        try:
            self.functions[node] = Function(node, self)
            self.has_arrays |= self.functions[node].has_arrays
        except Inexpressible as reason:
            facts = FunctionFacts.known(node)
            if facts.typed:
                error(facts.typed_pos,
                      f"'{node.entry.name}' cannot have a typed record: {reason}")

    def _add_callable(self, node, pos):
        try:
            if node.type.is_static_method:
                raise Inexpressible("it is static")
            function = Function(node, self, of_object=True)
            if len(function.types) > SHORT_ARGUMENTS:
                raise Inexpressible(f"it has more than {SHORT_ARGUMENTS - 1} arguments")
        except Inexpressible as reason:
            error(pos, f"'{node.entry.name}' cannot be what calls of '{node.entry.scope.parent_type.name}' objects "
                       f"run: {reason}")
            return
        self.has_arrays |= function.has_arrays
        direct = function.directly()
        self.calls[node.entry.scope.parent_type] = self._record(function.name, _entries([function])), direct and (
            self._record(function.name, _entries([direct])))

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

    @functools.cached_property
    def bodies(self):
        return Functions(self._node)

    def _record(self, name, entries):
        record = Record(f"{Naming.pyrex_prefix}typed_record_{len(self.records)}", name, entries)
        self.records.append(record)
        return record

    def target_of(self, entry):
        """Return the wrapper whose entry this is, if the wrapper has a function with a record."""
        return next((n.py_func for n in self.functions if n.py_func.entry is entry), None)


def _unambiguous(functions):
    """The entries of several functions, without those that only Python types tell apart.

    A fused function of list and dict has two entries `object(object)`: a caller must not
    get the one for lists and call it with a dict.
    """
    entries = _entries(functions)
    count = Counter(codes for _, _, codes in entries)
    return [entry for entry in entries if count[entry[2]] == 1][:MAX_ENTRIES]


def _entries(functions):
    return [(function, arity, codes) for function in functions for arity in function.arities
            for codes in function.shapes(arity)]


# ------------------------------------------------------------------------- the hooks

def prepare(self, env):
    """Look at the functions of a module, and give it what their records need."""
    module = Module(env, self)
    if not module.functions and not module.calls:
        return
    ModuleFacts.of(env).records = module
    # The Limited API has no records; a module that does without them compiles there.  Other parts
    # that may need customslots.h get it from here, too: a module has the text of a header once.
    env.add_include_file("customslots.h")
    env.add_include_file(None, f"#ifndef Py_LIMITED_API\n{header_text('typedmethod.h')}"
                               f"\n#endif\n", False)
    env.use_utility_code(_utility("TypedMethodsTypes"))
    statements_of(self).insert(0, RegisterRecords(self.pos))


def _utility(name):
    return utility(name, "TypedMethods.c")


def generate_function_header(original, self, code, with_pymethdef, proto_only=0):
    target = self.target
    module = ModuleFacts.known(target.entry.scope.global_scope()).records
    if module is not None and not proto_only and (with_pymethdef or target.fused_py_func):
        record = module.record_of(target)
        if record is not None:
            module.pairs.append((f"&{target.entry.pymethdef_cname}", record))
    return original(self, code, with_pymethdef, proto_only)


def generate_method_table(original, self, env, code):
    module = ModuleFacts.known(env.global_scope()).records
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
                                 f"{c_string(entry.name)})", record))
    code.write(text)
    if env.is_module_scope:
        code.enter_cfunc_scope(env)              # code that names types wants a scope
        _put_records(module, code)
        code.exit_cfunc_scope()


def _put_records(module, code):
    """The last thing before the module's init function: all that the thunks call is there."""
    code.putln("")
    code.putln("/* Typed records */")
    code.putln("#ifdef Py_LIMITED_API")
    code.putln(f"#define {REGISTER}() 0")
    code.putln("#else")
    # A specialisation's entries are in its own record and in the dispatcher's.
    for function, arity in dict.fromkeys(
            entry[:2] for record in module.records for entry in record.entries):
        with shown_at(code, function.node.pos, "typed record"):
            function.put_thunk(code, arity)
    for record in module.records:
        with shown_at(code, record.entries[0][0].node.pos, "typed record"):
            record.put(code)
    _put_register(module, code)
    code.putln("#endif")


def _put_register(module, code):
    """The function that registers everything, which the module body calls."""
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
        code.putln("if (unlikely(PyTypedMethod_RegisterLayout("
                   f"{state}__pyx_CyFunctionType, __PYX_CUSTOMSLOTS_TYPED_DEF_OFFSET, -1) < 0)) "
                   "return -1;")
        code.putln("#endif")
        code.putln("#ifdef __Pyx_FusedFunction_USED")
        code.putln("if (unlikely(PyTypedMethod_RegisterLayout("
                   f"{state}__pyx_FusedFunctionType, offsetof(__pyx_FusedFunctionObject, func) "
                   "+ __PYX_CUSTOMSLOTS_TYPED_DEF_OFFSET, "
                   "(Py_ssize_t)offsetof(__pyx_FusedFunctionObject, self)) < 0)) return -1;")
        code.putln("#endif")
    code.putln("return 0;")
    code.putln("}")


class RegisterRecords(Nodes.StatNode):
    """First statement of the module body."""

    child_attrs = []

    def generate_execution_code(self, code):
        code.mark_pos(self.pos, trace=False)     # debuggers and profilers see no line of it
        code.put_error_if_neg(self.pos, f"{REGISTER}()")
