# SPDX-License-Identifier: MIT
"""What becomes of the slices of an argument: may they do without a memoryview object, and where is one needed?

An argument that borrows has no memoryview, so a slice of it may only be used in ways that neither keep it nor
read a field of that object.  They are listed here; of all others, and those that are not seen, an Escape says why.
A slice of an array gets its memoryview there (materialising.py); one that a caller in C lends has nothing to make it
of.  Asked when C is about to be written: the tree is final then, every expression has its type, and each
specialisation of a fused function is a function of its own.
"""

import re

from Cython.Compiler import ExprNodes as E
from Cython.Compiler import Nodes as N
from Cython.Compiler import Options
from Cython.Compiler import UtilNodes as U

from .materialising import MEASURES, Measure, MaterialisedName


class Escape(Exception):
    """Why a slice needs a memoryview, or cannot borrow: what stands behind "because"."""


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
    (N.DelStatNode, ("args",)),
)
#: Nodes whose value is that of their argument.
_PASSING = (E.CoerceToTempNode, E.ProxyNode, E.CloneNode, E.NoneCheckNode)
#: Where a node is run more than once in a call, and perhaps not at all.
_LOOPS = (N.LoopNode, N.ParallelStatNode)
_CONDITIONAL = (*_LOOPS, N.IfStatNode, N.SwitchStatNode, N.ExceptClauseNode, E.CondExprNode, E.BoolBinopNode)
#: Attributes of a slice that are in it; the others, .T and .base among them, need the memoryview.
IN_SLICE = ("shape", "strides", "suboffsets", "_data")

#: What users call the most frequent others.
_SAID = {
    "AttributeNode": "an attribute of its memoryview is read",
    "CascadedAssignmentNode": "it is in an assignment with several targets",
    "CoerceToPyTypeNode": "it is made a Python object",
    "CondExprNode": "it is in a conditional expression",
    "MemoryCopySlice": "its items are copied from or to another slice",
    "PrimaryCmpNode": "it is compared with more than None",
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


class Functions:
    """The functions of a module, and what is known of the arguments of its C functions.

    *lends*: slices are those of arrays, so where one needs its memoryview, it gets it.
    """

    def __init__(self, root, lends=False):
        self.lends, self.wrappers, self.c_functions, self._bodies = lends, [], {}, {}
        self._known, self._sure, self._wrong, self._found = {}, {}, {}, []
        for node, _ in nodes_of(root, lambda node: filter(None, [getattr(node, "py_func", None)])):
            if isinstance(node, N.DefNode) and node.py_wrapper is not None:
                self.wrappers.append(node.py_wrapper)
            elif isinstance(node, N.CFuncDefNode) and node.body is not None:
                self.c_functions[node.entry.func_cname] = node

    def made(self):
        """Yield (function, assignment) of all local variables that are made of an object."""
        for function in {wrapper.target: 0 for wrapper in self.wrappers} | dict.fromkeys(self.c_functions.values()):
            for node in self._body(function).made:
                if node.lhs.entry.is_local and node.lhs.entry.scope is function.local_scope:
                    yield function, node

    def check_local(self, function, node):
        """Escape if the object that is assigned there may go away before the function returns, or no slice gains."""
        entry = node.lhs.entry
        if len(entry.cf_assignments) > 1:
            raise Escape("it is assigned to, or deleted, elsewhere")
        if self._body(function).is_in(node, *_LOOPS):
            raise Escape("it is assigned in a loop")
        if function.local_scope.nogil:
            raise Escape("the function may be called without the GIL")
        return self.check(function, entry, gains=True)

    def check(self, function, entry, gains=False):
        """Return the _Slices of *entry*, a variable of *function*; Escape if they need what they cannot have.

        *gains*: or if they need a memoryview always.
        """
        while True:
            wrong, reason = len(self._wrong), None
            try:
                slices = self._slices(function, entry)
                if gains and slices.always:
                    raise Escape(slices.until)
            except Escape as found:
                reason = found
            if len(self._wrong) == wrong:
                break
            self._known = {**self._sure, **self._wrong}      # what else was found may have relied on it
        self._sure = dict(self._known)
        if reason:
            raise reason
        self._found.append(slices)
        return slices

    def check_c_function(self, entry, index, line):
        """The same of an argument of a C function that is called; None if that is where we are already."""
        key, function = (entry.func_cname, index), self.c_functions.get(entry.func_cname)
        if function is None:
            raise Escape(f"it is passed to {name_of(entry)}(), which this module cannot look into, in line {line}")
        if key not in self._known:
            self._known[key] = None
            try:
                argument = function.local_scope.lookup_here(function.type.args[index].name)
                self._known[key] = self._slices(function, argument)
            except Escape as reason:
                self._known[key] = self._wrong[key] = reason
        if isinstance(self._known[key], Escape):
            raise Escape(f"it is passed to {name_of(entry)}(), where {self._known[key]}")
        return self._known[key]

    def _slices(self, function, entry):
        slices = _Slices(self, self._body(function), entry)
        slices.check()
        return slices

    def _body(self, function):
        if function not in self._bodies:
            self._bodies[function] = _Body(function)
        return self._bodies[function]

    def change(self):
        """Let functions be written for arguments that are nothing but slices."""
        for slices in (*self._found, *self._sure.values()):
            if isinstance(slices, _Slices):
                slices.change()


def name_of(entry):
    """What the user calls a function, of which this may be a specialisation."""
    return re.sub(r"__pyx_fuse(_\d+)+|\[.*", "", str(entry.name))


class _Body:
    """The uses of slices in the body of a function."""

    def __init__(self, function):
        self.function, self.uses, self.made, self.seen = function, [], [], set()
        self.measured, self._parents = {}, {}
        override = getattr(function, "override", None)       # what looks for one is not run, see _check_call()
        skipped = {id(node) for node, _ in nodes_of(override)} if override is not None else ()
        for node, children in nodes_of(function.body):
            self.seen.add(id(node))
            self._parents.update((id(child), node) for _, _, child in children)
            if id(node) not in skipped:
                self.uses.extend((node, *child) for child in children if _is_view(child[2]))
            if (isinstance(node, E.AttributeNode) and node.is_py_attr and node.attribute in MEASURES
                    and isinstance(node.obj, E.CoerceToPyTypeNode) and isinstance(node.obj.arg, E.NameNode)):
                self.measured[id(node.obj)] = node
            if (isinstance(node, N.SingleAssignmentNode) and isinstance(node.lhs, E.NameNode)
                    and type(node.rhs) is E.CoerceToMemViewSliceNode):
                self.made.append(node)

    def is_in(self, node, *kinds):
        """Is a node in one of these kinds?"""
        while node is not None and not isinstance(node, kinds):
            node = self._parents.get(id(node))
        return node is not None


class _Slices:
    """What the slices of one argument, or of a local variable, need."""

    def __init__(self, functions, body, entry):
        self.functions, self.body, self.entry = functions, body, entry
        self.names, self.needs = [], {}          # nodes where the argument gets its memoryview, and why: {line: ...}
        self._objects, self._measures = {}, []   # variables that have memoryviews always, and why

    def change(self):
        for node in self._measures:
            node.__class__ = Measure
        for node in self.names:
            node.__class__ = MaterialisedName
        if self.names and self.entry.is_arg and not self.entry.cf_is_reassigned:
            self.entry.cf_assignments += None, None          # what is assigned to has a reference of its own

    @property
    def until(self):
        """Why it needs a memoryview at first; None if it needs none."""
        return self.needs[min(self.needs)] if self.needs else None

    @property
    def always(self):
        """Is a memoryview needed, as far as one can see, whenever the function is called?"""
        return not all(self.body.is_in(node, *_CONDITIONAL) for node in self.names)

    def check(self):
        if self.body.function.is_generator:
            raise Escape("the function is a generator")
        state = None
        while state != (state := self._pass()):
            pass

    def _pass(self):
        """Look at all uses; what is found of variables only grows from one pass to the next."""
        held, before = {self.entry}, 0
        while len(held) != before:               # variables that a slice is assigned to are like the argument
            before = len(held)
            self.names, self.needs, self._measures = [], {}, []
            for node, attribute, index, child in self.body.uses:
                if self._may_be(child, held):
                    try:
                        self._check_use(node, attribute, index, held)
                    except Escape as reason:
                        self._need(node, child, held, reason)
            for variable in held:
                self._check_variable(variable)
        return len(self._objects)

    def _need(self, node, child, held, reason):
        """A memoryview is needed: let the variables have it that a slice is of."""
        names = self._names(child, held) if self.functions.lends else None
        if names is None:
            raise reason
        if self.body.is_in(child, N.ParallelStatNode):
            raise Escape(f"in a parallel block {reason}")
        self.names += names
        self.needs.setdefault(node.pos[1], reason)
        # Another variable has it from where the slice is assigned, so that a loop makes no more than one.
        for name in names:
            if name.entry is not self.entry:
                self._objects.setdefault(name.entry, reason)

    def _names(self, node, held):
        """The nodes of variables that a slice may be of; None if there are others."""
        if type(node) in (E.NameNode, MaterialisedName):
            return [node] if node.entry in held else []
        if isinstance(node, E.MemoryViewIndexNode):
            return self._names(node.base, held)
        if isinstance(node, _PASSING):
            return self._names(node.arg, held)
        if isinstance(node, U.ResultRefNode) and node.expression is not None:
            return self._names(node.expression, held)
        return None

    def _check_variable(self, variable):
        if variable.in_closure or variable.from_closure:
            raise Escape(f"an inner function has '{variable.name}'")
        for reference in variable.cf_references:
            node = reference.node
            if id(node) not in self.body.seen and node.entry is variable:
                raise Escape(f"'{variable.name}' is used in a way that is not understood, in line {node.pos[1]}")

    def _may_be(self, node, held):
        """May the value of a node be a slice of one of the variables *held*, without a memoryview?"""
        if isinstance(node, E.NameNode):
            return node.entry in held
        if isinstance(node, E.MemoryViewIndexNode):
            return self._may_be(node.base, held)
        if isinstance(node, _PASSING):
            return self._may_be(node.arg, held)
        if isinstance(node, U.ResultRefNode):
            return node.expression is None or self._may_be(node.expression, held)
        # These have a reference of their own; an argument of a call is a use of it.
        return not isinstance(node, (E.AttributeNode, E.CoerceFromPyTypeNode, E.CoerceToMemViewSliceNode,
                                     E.CondExprNode, E.SimpleCallNode, E.PythonCapiCallNode))

    def _check_use(self, node, attribute, index, held):
        if any(isinstance(node, kind) and attribute in attributes for kind, attributes in HARMLESS):
            return
        if isinstance(node, E.AttributeNode) and not node.is_memslice_transpose and node.attribute in IN_SLICE:
            return
        if isinstance(node, E.PythonCapiCallNode) and getattr(node.function, "cname", None) == "__Pyx_MemoryView_Len":
            return
        if isinstance(node, E.PrimaryCmpNode) and node.is_memslice_nonecheck and not node.cascade:
            return
        if id(node) in self.body.measured:
            self._measures.append(self.body.measured[id(node)])
            return
        if isinstance(node, N.SingleAssignmentNode) and self._is_local(node, attribute, held):
            return
        if isinstance(node, E.SimpleCallNode) and not isinstance(node, E.PythonCapiCallNode) and attribute == "args":
            return self._check_call(node, index)
        if isinstance(node, N.SingleAssignmentNode) and isinstance(node.lhs, E.MemoryCopyNode):
            node = node.lhs                      # x[:] = y reads the memoryviews of both
        said = _SAID.get(type(node).__name__, "it is used in a way that is not understood")
        raise Escape(f"{said}, in line {node.pos[1]}")

    def _is_local(self, node, attribute, held):
        """Is something else assigned to the variable, or it to a variable that is *held* from now on?"""
        target = node.lhs
        if attribute == "lhs":
            return isinstance(target, (E.NameNode, E.MemoryCopyNode))
        if not isinstance(target, E.NameNode) or not _is_view(target):
            return False
        if self.body.is_in(node, E.AssignmentExpressionNode):
            return False                         # the variable may have been evaluated already
        entry = target.entry
        if entry.scope is not self.body.function.local_scope or not (entry.is_local or entry.is_arg):
            return False
        if entry in self._objects:
            raise self._objects[entry]
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
            raise Escape(f"it is passed to {name_of(entry)}(), which a subclass may override, in line {line}")
        slices = self.functions.check_c_function(entry, index, line)
        if slices is None or not slices.until:
            return
        is_own = self.functions.c_functions[entry.func_cname].py_func is self.body.function      # of a cpdef function
        reason = slices.until if is_own else f"it is passed to {name_of(entry)}(), where {slices.until}"
        if slices.always or self.body.is_in(node, *_LOOPS):
            raise Escape(reason)                 # so that there is one memoryview, and not one for each call
        self.needs.setdefault(line, reason)
