# SPDX-License-Identifier: MIT
"""The C of typed records, and their registration.

A record is a list of entries {signature, function, flags, error value}, one for each
number of arguments that a call may have.  Cython writes a PyMethodDef for each function,
by itself (binding=True) or in the table of a module or class; wherever it did, a pair
{PyMethodDef, record} is registered when the module is executed, before its body.
"""

import re

from Cython.Compiler import Naming, Nodes
from Cython.Compiler.Errors import error

from ...headers import header_text
from ..shared.facts import FunctionFacts, ModuleFacts
from ..shared.statements import statements_of
from ..shared.writing import c_string, render, shown_at, utility
from .choosing import cpdef_functions, is_wanted
from .functions import Function, Inexpressible

#: What one uint64_t has room for, the result not counted.
SHORT_ARGUMENTS = 11
#: PyTypedMethod_MAX_ENTRIES.
MAX_ENTRIES = 4096

#: The C function that registers everything.
REGISTER = "__Pyx_CustomSlots_RegisterTyped"

_LONG = "__Pyx_CustomSlots_TypedLong"


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
                   f"{c_string(self.name)}, {entries}}};")

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
        self.calls = {}                          # type -> (Record, Record or None), of classes with a @callable method
        for node, pos in ModuleFacts.known(scope).callables:
            self._add_callable(node, pos)

    def _add(self, node):
        try:
            self.functions[node] = Function(node)
        except Inexpressible as reason:
            facts = FunctionFacts.known(node)
            if facts.typed:
                error(facts.typed_pos,
                      f"'{node.entry.name}' cannot have a typed record: {reason}")

    def _add_callable(self, node, pos):
        try:
            if node.type.is_static_method:
                raise Inexpressible("it is static")
            function = Function(node, of_object=True)
            if len(function.types) > SHORT_ARGUMENTS:
                raise Inexpressible(f"it has more than {SHORT_ARGUMENTS - 1} arguments")
        except Inexpressible as reason:
            error(pos, f"'{node.entry.name}' cannot be what calls of '{node.entry.scope.parent_type.name}' objects "
                       f"run: {reason}")
            return
        entries = [(function, arity) for arity in function.arities]
        direct = function.directly()
        self.calls[node.entry.scope.parent_type] = self._record(function.name, entries), direct and self._record(
            function.name, [(direct, len(direct.types))])

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

def prepare(self, env):
    """Look at the functions of a module, and give it what their records need."""
    module = Module(env)
    if not module.functions and not module.calls:
        return
    ModuleFacts.of(env).records = module
    # The Limited API has no records; a module that does without them compiles there.  What
    # else may need customslots.h gets it, too: a module has the text of a header once.
    env.add_include_file("customslots.h")
    env.add_include_file(None, f"#ifndef Py_LIMITED_API\n{header_text('typedmethod.h')}"
                               f"\n#endif\n", False)
    env.use_utility_code(_utility("TypedMethodsTypes"))
    statements_of(self).insert(0, RegisterRecords(self.pos, module))


def _utility(name):
    return utility(name, "TypedMethods.c")


def generate_function_header(original, self, code, with_pymethdef, proto_only=0):
    target = self.target
    module = ModuleFacts.known(target.entry.scope.global_scope()).records
    if module is None or proto_only:
        return original(self, code, with_pymethdef, proto_only)
    record = module.record_of(target) if with_pymethdef or target.fused_py_func else None
    if record is None:
        return original(self, code, with_pymethdef, proto_only)
    name = target.entry.pymethdef_cname
    module.pairs.append((f"&{name}", record))
    original(self, code, with_pymethdef, proto_only)


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
    # A specialisation's entries are in its own record and in that of the dispatcher.
    for function, arity in dict.fromkeys(
            entry for record in module.records for entry in record.entries):
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
        code.putln("#if _Pycs_SHARES && defined(__Pyx_CyFunction_USED)")
        code.putln("if (unlikely(PyTypedMethod_RegisterReach("
                   f"{state}__pyx_CyFunctionType, __PYX_CUSTOMSLOTS_TYPED_DEF_OFFSET, -1) < 0)) "
                   "return -1;")
        code.putln("#endif")
        code.putln("#if _Pycs_SHARES && defined(__Pyx_FusedFunction_USED)")
        code.putln("if (unlikely(PyTypedMethod_RegisterReach("
                   f"{state}__pyx_FusedFunctionType, offsetof(__pyx_FusedFunctionObject, func) "
                   "+ __PYX_CUSTOMSLOTS_TYPED_DEF_OFFSET, "
                   "(Py_ssize_t)offsetof(__pyx_FusedFunctionObject, self)) < 0)) return -1;")
        code.putln("#endif")
    code.putln("return 0;")
    code.putln("}")


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
        code.mark_pos(self.pos, trace=False)     # debuggers and profilers see no line of it
        code.put_error_if_neg(self.pos, f"{REGISTER}()")
