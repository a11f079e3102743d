# SPDX-License-Identifier: MIT
"""Typed memoryviews that borrow the memory of an array, arguments and local variables: the switch `borrow_views`.

Cython converts `double[::1] x` by way of a memoryview object.  The function that Python calls takes address, shape
and strides from the struct of a NumPy array instead, and holds a reference to the array until its body has
returned; every other object, and whatever does not fit, is converted by Cython, with Cython's errors.

Such a slice has a stand-in for the memoryview: it says which array the slice is of, and is an address at which
nothing is.  Cython counts references to memoryviews in two functions, which leave the stand-in alone; where a
memoryview is needed (escaping.py), it is made, and takes the stand-in's place (materialising.py); whatever else would
read the stand-in crashes at once.

A local variable, `cdef double[::1] v = obj`, that is assigned once in a call borrows as well: a variable that nobody
sees holds the array until the function returns, as its memoryview would have done.
"""

import contextlib
import copy
import sys

from Cython.Compiler import Buffer, ExprNodes, MemoryView, Naming, Nodes, PyrexTypes
from Cython.Compiler.StringEncoding import EncodedString

from ...tools.headers import header_text
from ..shared.facts import FunctionFacts, ModuleFacts, decorated
from ..shared.replacing import replaced
from ..shared.statements import statements_of
from ..shared.writing import shown_at, substitute, typeptr, utility
from ..switches.comments import borrows_views
from . import buffers
from .escaping import Escape, Functions
from .items import check_items, items_of
from .lending import exported


@contextlib.contextmanager
def prepared(node, env, options):
    """Within it, the C of a module is written so that its arguments borrow, where they can."""
    functions = Functions(node, lends=True)
    (found, variables, takes, filled), records = _borrowing(functions, env, options), ModuleFacts.known(env).records
    lends = records is not None and records.has_arrays       # typed records take arrays
    has_slices = found or variables or takes
    if not has_slices and not filled and not lends:
        yield
        return
    if lends:
        records.bodies.change()
        env.use_utility_code(utility("LentView", "Views.c"))
    if has_slices:
        functions.change()
        for function, assignment in variables:
            _Made.by(function, assignment)
        facts = ModuleFacts.of(env)
        facts.borrowing, facts.takes, facts.asked = found, takes, functions.asked
        statements_of(node).insert(0, _Lending(node.pos, env))
    if has_slices or filled:
        env.add_include_file(None, f"#ifndef Py_LIMITED_API\n{header_text('typedarray.h')}\n#endif\n", False)
    with _leaves_lent_alone(env, node.pos) if has_slices or lends else contextlib.nullcontext(), buffers.filled(filled):
        yield


def _leaves_lent_alone(env, pos):
    """Within it, C is written that counts references to memoryviews, but not to their stand-ins."""
    counting = _counting(env)
    return replaced(counting, impl=substitute(
        r"!memview \|\| \(PyObject \*\) ?memview == Py_None", r"__PYX_CUSTOMSLOTS_IS_LENT(memview) || \g<0>",
        counting.impl, "memoryviews", pos, 2))


def _counting(env):
    """The utility code with __Pyx_INC_MEMVIEW and __Pyx_XCLEAR_MEMVIEW, which is one for all modules."""
    if hasattr(MemoryView, "refcount_utility"):              # Cython 3.2 and later
        return MemoryView.refcount_utility
    if hasattr(MemoryView, "get_memviewslice_init_code"):    # 3.1
        return MemoryView.get_memviewslice_init_code(env.context.shared_utility_qualified_name)
    return MemoryView.memviewslice_init_code


def _borrowing(functions, env, options):
    """Say what borrows, if -v is given, and return it.

    {wrapper: its arguments}, [(function, assignment of a variable)], {C function for others: bits of its arguments},
    [variable in the old buffer syntax]
    """
    found, variables, takes, filled, said = {}, [], {}, [], {}
    for wrapper in sorted(functions.wrappers, key=lambda wrapper: wrapper.pos[1:]):
        function = FunctionFacts.known(wrapper.target).cpdef or wrapper.target
        for arg in wrapper.args if _is_asked(function, env) else ():
            if arg.type.is_memoryviewslice:
                with _saying(said, function, "argument", arg.pos, arg.entry) as say:
                    check_type(arg.type)
                    say(functions.check(wrapper.target, arg.entry))
                    found.setdefault(wrapper, []).append(arg)
    for function, assignment in functions.made():
        if _is_asked(function, env):
            with _saying(said, function, "variable", assignment.lhs.pos, assignment.lhs.entry) as say:
                check_type(assignment.rhs.type)
                say(functions.check_local(function, assignment))
                variables.append((function, assignment))
    for entry, function in exported(functions, env):
        for index, arg in enumerate(function.type.args[:64] if _is_asked(function, env) else ()):
            if arg.type.is_memoryviewslice:
                variable = function.local_scope.lookup_here(arg.name)
                with _saying(said, function, "C argument", arg.pos, variable) as say:
                    check_type(arg.type)
                    say(functions.check(function, variable, gains=True))
                    takes[entry] = takes.get(entry, 0) | 1 << index
    for function, entry in buffers.variables_of(functions):
        if _is_asked(function, env):
            with _saying(said, function, "argument" if entry.is_arg else "variable", entry.pos, entry) as say:
                buffers.check_buffer(entry.type)
                say()
                filled.append(entry)
    if options.verbose:                          # once also for a fused function
        for (_, about), results in sorted(said.items()):
            some = "" if len(results) == 1 else f"{results[True]} in some specializations, in others it "
            print(f"{about} {some}does not borrow: {results[False]}" if False in results else
                  f"{about} {results[True]}", file=sys.stderr)
    return found, variables, takes, filled


def _is_asked(function, env):
    asked = decorated(function, "borrow_views")
    return borrows_views(env) if asked is None else asked


@contextlib.contextmanager
def _saying(said, function, what, pos, entry):
    """Note in {(position, what is meant): {does it borrow: words}} what is said within it, or why the block was
    left."""
    source, line, column = pos
    name = function.name if isinstance(function, Nodes.DefNode) else function.declared_name()
    words = said.setdefault(((line, column), (
        f"{source.get_error_description()}:{line}:{column}: customslots: {what} '{entry.name}' of "
        f"'{function.entry.scope.qualified_name}.{name.partition('[')[0]}'")), {})

    def say(slices=None):
        words[True] = f"borrows until {slices.until}" if slices and slices.until else words.get(True, "borrows")
    try:
        yield say
    except Escape as reason:
        words[False] = reason


def check_type(type_):
    """Escape for a slice that is never one of NumPy's arrays of numbers."""
    if any(access != "direct" for access, _ in type_.axes) or not (
            type_.is_c_contig or type_.is_f_contig or all(packing == "strided" for _, packing in type_.axes)):
        raise Escape("its items may be reached by pointers")
    check_items(type_.dtype)


# ------------------------------------------------------------------------------ the C

class _Borrowed(PyrexTypes.MemoryViewSliceType):
    """The type of a slice that borrows, while it is filled, and of an argument in the function that Python calls."""

    @classmethod
    def of(cls, type_):
        borrowed = copy.copy(type_.resolve())                # of a typedef
        borrowed.__class__ = cls
        return borrowed

    def from_py_call_code(self, source_code, result_code, error_pos, code, *args, **kwargs):
        cythons = super().from_py_call_code(source_code, result_code, error_pos, code, *args, **kwargs)
        code.globalstate.use_utility_code(utility("BorrowViews", "Views.c"))
        order = "C_CONTIGUOUS" if self.is_c_contig else "F_CONTIGUOUS" if self.is_f_contig else "ANY_ORDER"
        information = Buffer.get_type_information_cname(code, self.dtype)
        return (f"if (!__Pyx_CustomSlots_BorrowView({source_code}, &{result_code}, &{information}, "
                f"{self.ndim}, {items_of(self.dtype)}, _Pycs_NUMPY_{order}, "
                f"{int(not self.dtype.is_const)})) {{\n{cythons}\n}}")

    # Cython 3.3 asks for text, earlier ones for lines.
    def get_xdecref_code(self, cname, nanny, have_gil):
        return f"{self._ends_borrowing(cname)} {super().get_xdecref_code(cname, nanny, have_gil)}"

    def generate_xdecref(self, code, cname, nanny, have_gil):
        code.putln(self._ends_borrowing(cname))
        super().generate_xdecref(code, cname, nanny, have_gil)

    def _ends_borrowing(self, cname):
        memview = f"{cname}.memview"
        return f"if (__PYX_CUSTOMSLOTS_IS_LENT({memview})) Py_DECREF(__PYX_CUSTOMSLOTS_LENDER({memview})); else"


class _Made(ExprNodes.CoerceToMemViewSliceNode):
    """A slice of an object, for a local variable that borrows."""

    @classmethod
    def by(cls, function, assignment):
        name = EncodedString(f"{Naming.pyrex_prefix}lender_{assignment.lhs.name}")
        holder = function.local_scope.declare_var(name, PyrexTypes.py_object_type, assignment.pos, cname=name)
        holder.used = holder.xdecref_cleanup = True
        holder.init_to_none = False
        assignment.rhs.__class__, assignment.rhs.holder = cls, name

    def generate_result_code(self, code):
        lender = self.arg.py_result()
        filled = _Borrowed.of(self.type).from_py_call_code(lender, self.result(), self.pos, code)
        code.putln(f"{filled} else {{ {self.holder} = {lender}; __Pyx_GOTREF({self.holder}); }}")


#: The classes of Cython's whose objects lend, by their names in C, in the order of Views.c.
_LENDING = ("__pyx_memoryview_type", "__pyx_array_type")


class _Lending(Nodes.PassStatNode):
    """The first statement of a module in which something borrows: its memoryview objects lend, too."""

    def __init__(self, pos, env):
        super().__init__(pos)
        self.types = [entry.type for entry in env.c_class_entries if entry.type.typeptr_cname in _LENDING]

    def generate_execution_code(self, code):
        code.globalstate.use_utility_code(utility("StableViews", "Views.c"))
        code.putln("#ifndef Py_LIMITED_API")
        for type_ in self.types:
            code.putln(f"__Pyx_CustomSlots_LetLend({typeptr(code, type_)}, {_LENDING.index(type_.typeptr_cname)});")
        code.putln("#endif")


def generate_wrapper(original, self, env, code):
    """The function that Python calls."""
    borrowing = ModuleFacts.known(env.global_scope()).borrowing.get(self, ())
    types = [arg.type for arg in borrowing]
    for arg in borrowing:
        arg.type = arg.entry.type = _Borrowed.of(arg.type)
        with shown_at(code, arg.pos, f"{arg.name} borrows"):
            pass
    try:
        return original(self, env, code)
    finally:
        for arg, type_ in zip(borrowing, types):
            arg.type = arg.entry.type = type_
