# SPDX-License-Identifier: MIT
"""May a slice outlive the call that it is an argument of, or is its memoryview object read?

An argument that borrows has no memoryview, so a slice of it may only be used in ways that neither keep it nor
read a field of that object.  They are listed here; all others, and those that are not seen, are an Escape.  Asked
when C is about to be written: the tree is final then, every expression has its type, and each specialisation of
a fused function is a function of its own.
"""

from Cython.Compiler import ExprNodes as E
from Cython.Compiler import Nodes as N
from Cython.Compiler import Options
from Cython.Compiler import UtilNodes as U

from ..shared.writing import utility


class Escape(Exception):
    """Why an argument cannot borrow: what stands behind "because"."""


#: Nodes that have a slice for a while, and the attributes that have it there.  What becomes of their own value
#: is looked at where that is used, see _Body._may_be().
HARMLESS = (
    (E.MemoryViewIndexNode, ("base",)),          # an item, or a smaller slice
    (E.MemoryCopyScalar, ("dst",)),              # x[...] = 0.5, by address, shape and strides
    (E.CoerceToTempNode, ("arg",)),
    (E.ProxyNode, ("arg",)),
    (E.CloneNode, ("arg",)),
    (E.NoneCheckNode, ("arg",)),                 # it is not None
    (U.LetNode, ("temp_expression",)),
    (U.EvalWithTempExprNode, ("temp_expression",)),
    (N.ExprStatNode, ("expr",)),
)
#: Attributes of a slice that are in it; the others, .T and .base among them, need the memoryview.
IN_SLICE = ("shape", "strides", "suboffsets", "_data")
#: {attribute of a memoryview that its slice can tell: does it count the items, and their bytes?}
MEASURES = {"size": (True, False), "nbytes": (True, True), "itemsize": (False, True), "ndim": (False, False)}

#: What users call the most frequent others.
_SAID = {
    "AttributeNode": "an attribute of its memoryview is read",
    "CascadedAssignmentNode": "it is in an assignment with several targets",
    "CoerceToPyTypeNode": "it is made a Python object",
    "CondExprNode": "it is in a conditional expression",
    "DelStatNode": "it is deleted",
    "MemoryCopySlice": "its items are copied from or to another slice",
    "ReturnStatNode": "it is returned",
    "SimpleCallNode": "a method of its memoryview is called",
    "SingleAssignmentNode": "it is stored"}


def _is_view(node):
    type_ = getattr(node, "type", None)
    return type_ is not None and type_.is_memoryviewslice


def _child_nodes(node):
    for attribute in node.child_attrs or ():
        value = getattr(node, attribute, None)
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, N.Node):
                yield attribute, index, child


def nodes_of(root, more=lambda node: ()):
    """Yield (node, its children) of a tree, each node once; *more* says what a node has besides child_attrs."""
    stack, seen = [root], set()
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        children = list(_child_nodes(node))
        yield node, children
        stack.extend(child for _, _, child in children)
        stack.extend(more(node))


class _Measure(E.AttributeNode):
    """x.size and its like: of a slice, where Cython has the attribute of its memoryview."""

    subexprs = []

    def generate_result_code(self, code):
        view, (counts, sizes) = self.obj.arg, MEASURES[self.attribute]
        view.generate_evaluation_code(code)      # of a variable that may be unbound
        code.globalstate.use_utility_code(utility("Measure", "Views.c"))
        unit = (f"(Py_ssize_t) sizeof({view.type.dtype.empty_declaration_code()})" if sizes else
                1 if counts else view.type.ndim)
        code.putln(f"{self.result()} = __Pyx_CustomSlots_Measure(&{view.result()}, {view.type.ndim if counts else 0}, "
                   f"{unit}, {code.intern_identifier(self.attribute)}); "
                   f"{code.error_goto_if_null(self.result(), self.pos)}")
        self.generate_gotref(code)


class Functions:
    """The functions of a module, and what is known of the arguments of its C functions."""

    def __init__(self, root):
        self.wrappers, self._functions, self._known, self._measures = [], {}, {}, []
        for node, _ in nodes_of(root, lambda node: filter(None, [getattr(node, "py_func", None)])):
            if isinstance(node, N.DefNode) and node.py_wrapper is not None:
                self.wrappers.append(node.py_wrapper)
            elif isinstance(node, N.CFuncDefNode) and node.body is not None:
                self._functions[node.entry.func_cname] = node

    def check(self, function, entry):
        """Escape if a slice of *entry*, an argument of *function*, may outlive the call."""
        body = _Body(self, function)
        body.check(entry)
        self._measures += body.measures

    def change(self):
        """Let the functions be written for arguments that are nothing but slices."""
        for node in self._measures:
            node.__class__ = _Measure

    def check_c_function(self, entry, index):
        """The same of an argument of a C function that is called."""
        key = entry.func_cname, index
        if key not in self._known:
            self._known[key] = "it calls itself with it"
            self._known[key] = self._reason(entry, index)
        if self._known[key]:
            raise Escape(f"it is passed to {entry.name}(), where {self._known[key]}")

    def _reason(self, entry, index):
        function = self._functions.get(entry.func_cname)
        if function is None:
            return "this module cannot look into it"
        try:
            self.check(function, function.local_scope.lookup_here(function.type.args[index].name))
        except Escape as reason:
            return str(reason)
        return None


class _Body:
    """The uses of slices in the body of a function."""

    def __init__(self, functions, function):
        self.functions, self.function = functions, function
        self.uses, self.seen, self.measured, self.measures = [], set(), {}, []
        override = getattr(function, "override", None)       # what looks for one is not run, see _check_call()
        skipped = {id(node) for node, _ in nodes_of(override)} if override is not None else ()
        for node, children in nodes_of(function.body):
            self.seen.add(id(node))
            if id(node) not in skipped:
                self.uses.extend((node, *child) for child in children if _is_view(child[2]))
            if (isinstance(node, E.AttributeNode) and node.is_py_attr and node.attribute in MEASURES
                    and isinstance(node.obj, E.CoerceToPyTypeNode) and isinstance(node.obj.arg, E.NameNode)):
                self.measured[id(node.obj)] = node

    def check(self, entry):
        if self.function.is_generator:
            raise Escape("the function is a generator")
        held, before = {entry}, 0
        while len(held) != before:               # variables that a slice is assigned to are like the argument
            before = len(held)
            for node, attribute, index, child in self.uses:
                if self._may_be(child, held):
                    self._check_use(node, attribute, index, held)
            for variable in held:
                self._check_variable(variable)

    def _check_variable(self, variable):
        if variable.in_closure or variable.from_closure:
            raise Escape(f"an inner function has '{variable.name}'")
        for reference in variable.cf_references:
            node = reference.node
            if id(node) not in self.seen and node.entry is variable:
                raise Escape(f"'{variable.name}' is used in a way that is not understood, in line {node.pos[1]}")

    def _may_be(self, node, held):
        """May the value of a node be a slice of one of the variables *held*?"""
        if isinstance(node, E.NameNode):
            return node.entry in held
        if isinstance(node, E.MemoryViewIndexNode):
            return self._may_be(node.base, held)
        if isinstance(node, (E.CoerceToTempNode, E.ProxyNode, E.CloneNode, E.NoneCheckNode)):
            return self._may_be(node.arg, held)
        if isinstance(node, U.ResultRefNode):
            return node.expression is None or self._may_be(node.expression, held)
        # These have a reference of their own; an argument of a call is a use of it.
        return not isinstance(node, (E.AttributeNode, E.CoerceFromPyTypeNode, E.CoerceToMemViewSliceNode,
                                     E.SimpleCallNode, E.PythonCapiCallNode))

    def _check_use(self, node, attribute, index, held):
        if any(isinstance(node, kind) and attribute in attributes for kind, attributes in HARMLESS):
            return
        if isinstance(node, E.AttributeNode) and not node.is_memslice_transpose and node.attribute in IN_SLICE:
            return
        if isinstance(node, E.PythonCapiCallNode) and getattr(node.function, "cname", None) == "__Pyx_MemoryView_Len":
            return
        if isinstance(node, E.PrimaryCmpNode) and node.is_memslice_nonecheck and not node.cascade:
            return
        if id(node) in self.measured:
            self.measures.append(self.measured[id(node)])
            return
        if isinstance(node, N.SingleAssignmentNode) and self._is_local(node, attribute, held):
            return
        if isinstance(node, E.SimpleCallNode) and not isinstance(node, E.PythonCapiCallNode) and attribute == "args":
            return self._check_call(node, index)
        if isinstance(node, N.SingleAssignmentNode) and isinstance(node.lhs, E.MemoryCopyNode):
            node = node.lhs                      # x[:] = y reads the memoryviews of both
        said = _SAID.get(type(node).__name__, f"of {type(node).__name__}.{attribute}")
        raise Escape(f"{said}, in line {node.pos[1]}")

    def _is_local(self, node, attribute, held):
        """Is something else assigned to the variable, or it to a variable that is *held* from now on?"""
        target = node.lhs
        if attribute == "lhs":
            return isinstance(target, (E.NameNode, E.MemoryCopyNode))
        if not isinstance(target, E.NameNode) or not _is_view(target):
            return False
        entry = target.entry
        if entry.scope is not self.function.local_scope or not (entry.is_local or entry.is_arg):
            return False
        held.add(entry)
        return True

    def _check_call(self, node, index):
        """A call of a C function of this module that no class can override."""
        type_, entry, line = node.function_type(), getattr(node.function, "entry", None), node.pos[1]
        if entry is None or not type_.is_cfunction or index >= len(type_.args):
            raise Escape(f"it is passed to a function that is not known, in line {line}")
        is_bound = node.wrapper_call or entry.is_unbound_cmethod
        in_module = entry.scope.is_module_scope and not Options.lookup_module_cpdef
        if ((type_.is_overridable and not in_module or entry.is_cmethod) and not is_bound
                and not entry.is_final_cmethod):
            raise Escape(f"it is passed to {entry.name}(), which a subclass may override, in line {line}")
        self.functions.check_c_function(entry, index)
