# SPDX-License-Identifier: MIT
"""What becomes of the slices of an argument: may they do without a memoryview object, and where is one needed?

An argument that borrows has no memoryview, so a slice of it may only be used in ways that neither keep it nor
read a field of that object.  These ways are listed here; for all others, and for uses that cannot be seen, an Escape
says why. A slice of an array gets its memoryview there (materialising.py); a slice that a caller in C lends has
nothing to make it of.  This is asked when C is about to be written: the tree is final then, every expression has
its type, and each specialisation of a fused function is a function of its own.
"""

import re

from Cython.Compiler import ExprNodes as E
from Cython.Compiler import Nodes as N
from Cython.Compiler import Naming, Options
from Cython.Compiler import UtilNodes as U

from .materialising import MEASURES, Contiguity, CopiedSlice, MaterialisedName, Measure, Transposed


class Escape(Exception):
    """Why a slice needs a memoryview, or cannot borrow: what stands behind "because".

    *unless*: C expressions; while all of them are true it needs none.  None: there is no such way out.
    """

    def __init__(self, why, unless=None):
        super().__init__(why)
        self.unless = unless


def _unless(reasons):
    """What must be true so that none of several reasons counts."""
    ways = [reason.unless for reason in reasons]
    return None if None in ways else frozenset().union(*ways)


#: Nodes that have a slice for a while, and the attributes that have it there.  A node's own value is looked at
#: where it is used, see _origin().
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
#: Nodes whose value is their argument's.
_PASSING = (E.CoerceToTempNode, E.ProxyNode, E.CloneNode, E.NoneCheckNode)
#: Nodes whose value has a reference of its own; an argument of a call is a use of it.
_OWNING = (E.AttributeNode, E.CoerceFromPyTypeNode, E.CoerceToMemViewSliceNode, E.CondExprNode, E.SimpleCallNode,
           E.PythonCapiCallNode)
#: Places where a node is run more than once in a call, or perhaps not at all.
_LOOPS = (N.LoopNode, N.ParallelStatNode)
_CONDITIONAL = (*_LOOPS, N.IfStatNode, N.SwitchStatNode, N.ExceptClauseNode, E.CondExprNode, E.BoolBinopNode)
#: Attributes of a slice that are in it; the others, .base among them, need the memoryview.
IN_SLICE = ("shape", "strides", "suboffsets", "_data")

#: What users call the most frequent others.
_SAID = {
    "AttributeNode": "an attribute of its memoryview is read",
    "CascadedAssignmentNode": "it is in an assignment with several targets",
    "CoerceToPyTypeNode": "it is made a Python object",
    "CondExprNode": "it is in a conditional expression",
    "GeneratorExpressionNode": "a generator expression goes over it",
    "PrimaryCmpNode": "it is compared with more than None",
    "ReturnStatNode": "it is returned",
    "SimpleCallNode": "a method of its memoryview is called",
    "SingleAssignmentNode": "it is stored"}


def _is_view(node):
    type_ = getattr(node, "type", None)          # a declaration, such as a generator's, has a type and no value
    return type_ is not None and type_.is_memoryviewslice and isinstance(node, E.ExprNode)


def _origin(node):
    """What the value of a node is a slice of: a variable, or what has a reference of its own, or something else."""
    while True:
        if isinstance(node, E.MemoryViewIndexNode):
            node = node.base
        elif isinstance(node, _PASSING):
            node = node.arg
        elif isinstance(node, E.AttributeNode) and node.is_memslice_transpose:
            node = node.obj
        elif isinstance(node, U.ResultRefNode) and node.expression is not None:
            node = node.expression
        else:
            return node


def _may_be(node, held):
    """May the value of a node be a slice of one of the variables *held*, without a memoryview?"""
    origin = _origin(node)
    return origin.entry in held if isinstance(origin, E.NameNode) else not isinstance(origin, _OWNING)


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

    *lends*: slices are of arrays, so a slice that needs its memoryview gets it.
    """

    def __init__(self, root, lends=False):
        self.lends, self.wrappers, self.c_functions, self._bodies = lends, [], {}, {}
        self.asked = {}                          # {C function of another module: variable with the arguments it takes}
        self._known, self._sure, self._wrong, self._found = {}, {}, {}, []
        for node, _ in nodes_of(root, lambda node: filter(None, [getattr(node, "py_func", None)])):
            if isinstance(node, N.DefNode) and node.py_wrapper is not None:
                self.wrappers.append(node.py_wrapper)
            elif isinstance(node, N.CFuncDefNode) and node.body is not None:
                self.c_functions[node.entry.func_cname] = node

    def all(self):
        """All functions, each once."""
        return dict.fromkeys([*(wrapper.target for wrapper in self.wrappers), *self.c_functions.values()])

    def made(self):
        """Yield (function, assignment) of all local variables that are made of an object."""
        for function in self.all():
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

        *gains*: Escape also if they always need a memoryview.
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
            self._known = {**self._sure, **self._wrong}      # other answers may have relied on it
        self._sure = dict(self._known)
        if reason:
            raise reason
        self._found.append(slices)
        return slices

    def check_c_function(self, entry, index, line):
        """The same for an argument of a C function that is called; None if we are already there."""
        key, function = (entry.func_cname, index), self.c_functions.get(entry.func_cname)
        if function is None:
            self._ask(entry, index, line)
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

    def _ask(self, entry, index, line):
        """Escape, unless a C function of another module takes an argument that borrows (lending.py)."""
        is_imported = entry.scope.is_module_scope and entry.defined_in_pxd and entry.visibility != "extern"
        if not is_imported or not self.lends:
            raise Escape(f"it is passed to {name_of(entry)}(), which this module cannot look into, in line {line}")
        takes = self.asked.setdefault(entry, f"{Naming.pyrex_prefix}takes_{entry.cname}")
        raise Escape(f"it is passed to {name_of(entry)}() of '{entry.scope.qualified_name}', unless that borrows, too, "
                     f"in line {line}", frozenset([f"({takes} >> {index} & 1)"]))

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
        self.instead, self._parents = {}, {}     # what is written for uses: {node: (node that changes, its class)}
        override = getattr(function, "override", None)       # the code that looks for one is not run, see _check_call()
        skipped = {id(node) for node, _ in nodes_of(override)} if override is not None else ()
        for node, children in nodes_of(function.body):
            self.seen.add(id(node))
            self._parents.update((id(child), node) for _, _, child in children)
            if id(node) not in skipped:
                self.uses.extend((node, *child) for child in children if _is_view(child[2]))
            if (isinstance(node, E.AttributeNode) and node.is_py_attr and node.attribute in MEASURES
                    and isinstance(node.obj, E.CoerceToPyTypeNode) and isinstance(node.obj.arg, E.NameNode)):
                self.instead[id(node.obj)] = node, Measure
            elif isinstance(node, E.AttributeNode) and node.is_memslice_transpose:
                self.instead[id(node)] = node, Transposed
            elif isinstance(node, N.SingleAssignmentNode) and isinstance(node.lhs, E.MemoryCopySlice):
                self.instead[id(node)] = self.instead[id(node.lhs)] = node.lhs, CopiedSlice      # x[:] = y
            elif (isinstance(node, E.SimpleCallNode) and isinstance(node.function, E.AttributeNode)
                  and node.function.obj is not None and _is_view(node.function.obj)
                  and node.function.attribute in ("is_c_contig", "is_f_contig")):
                self.instead[id(node)] = self.instead[id(node.function)] = node, Contiguity
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
        self.names, self.needs = {}, {}          # {variable that gets its memoryview there: reasons}; {line: reason}
        self._objects, self._instead = {}, []    # {variable that has a memoryview from the beginning: reasons}

    def change(self):
        for node, kind in self._instead:
            node.__class__ = kind
        for node, reasons in self.names.items():
            ways = [_unless(reasons), getattr(node, "unless", frozenset())]  # it may be of two arguments
            node.__class__, node.unless = MaterialisedName, None if None in ways else ways[0] | ways[1]
        if self.names and self.entry.is_arg and not self.entry.cf_is_reassigned:
            self.entry.cf_assignments += None, None          # a variable that is assigned to has a reference of its own

    @property
    def until(self):
        """Why it needs a memoryview at first; None if it needs none."""
        return self.needs[min(self.needs)] if self.needs else None

    @property
    def always(self):
        """Is a memoryview needed, as far as one can see, whenever the function is called?"""
        return any(_unless(reasons) is None and not self.body.is_in(node, *_CONDITIONAL)
                   for node, reasons in self.names.items())

    @property
    def unless(self):
        return _unless([reason for reasons in self.names.values() for reason in reasons])

    def check(self):
        if self.body.function.is_generator:
            raise Escape("the function is a generator")
        state = None
        while state != (state := self._pass()):
            pass

    def _pass(self):
        """Look at all uses; the findings about variables only grow from one pass to the next."""
        held, before = {self.entry}, 0
        while len(held) != before:               # variables that a slice is assigned to are like the argument
            before = len(held)
            self.names, self.needs, self._instead = {}, {}, []
            for node, attribute, index, child in self.body.uses:
                if _may_be(child, held):
                    try:
                        self._check_use(node, attribute, index, held)
                    except Escape as reason:
                        self._need(node, child, reason)
            for variable in held:
                self._check_variable(variable)
        return {entry: _unless(reasons) for entry, reasons in self._objects.items()}

    def _need(self, node, child, reason):
        """A memoryview is needed: give it to the variable whose slice this is."""
        name = _origin(child)
        if not self.functions.lends or type(name) not in (E.NameNode, MaterialisedName):
            raise reason
        if self.body.is_in(child, N.ParallelStatNode):
            raise Escape(f"in a parallel block {reason}")
        self.names.setdefault(name, []).append(reason)
        self.needs.setdefault(node.pos[1], reason)
        # Another variable has the memoryview from where the slice is assigned on, so that a loop makes no
        # more than one.
        if name.entry is not self.entry:
            self._objects.setdefault(name.entry, []).append(reason)

    def _check_variable(self, variable):
        if variable.in_closure or variable.from_closure:
            raise Escape(f"an inner function has '{variable.name}'")
        for reference in variable.cf_references:
            node = reference.node
            if id(node) not in self.body.seen and node.entry is variable:
                raise Escape(f"'{variable.name}' is used in a way that is not understood, in line {node.pos[1]}")

    def _check_use(self, node, attribute, index, held):
        if any(isinstance(node, kind) and attribute in attributes for kind, attributes in HARMLESS):
            return
        if isinstance(node, E.AttributeNode) and not node.is_memslice_transpose and node.attribute in IN_SLICE:
            return
        if isinstance(node, E.PythonCapiCallNode) and getattr(node.function, "cname", None) == "__Pyx_MemoryView_Len":
            return
        if isinstance(node, E.PrimaryCmpNode) and node.is_memslice_nonecheck and not node.cascade:
            return
        if id(node) in self.body.instead:
            self._instead.append(self.body.instead[id(node)])
            return
        if isinstance(node, N.SingleAssignmentNode) and self._is_local(node, attribute, held):
            return
        if isinstance(node, E.SimpleCallNode) and not isinstance(node, E.PythonCapiCallNode) and attribute == "args":
            return self._check_call(node, index)
        said = _SAID.get(type(node).__name__, "it is used in a way that is not understood")
        raise Escape(f"{said}, in line {node.pos[1]}")

    def _is_local(self, node, attribute, held):
        """Does the assignment keep the view inside the function: the variable is its target, or its target is a local
        variable, which is *held* from now on?"""
        target = node.lhs
        if attribute == "lhs":
            return isinstance(target, E.NameNode)
        if not isinstance(target, E.NameNode) or not _is_view(target):
            return False
        if self.body.is_in(node, E.AssignmentExpressionNode):
            return False                         # the variable may have been evaluated already
        entry = target.entry
        if entry.scope is not self.body.function.local_scope or not (entry.is_local or entry.is_arg):
            return False
        if entry in self._objects:
            reasons = self._objects[entry]
            raise Escape(reasons[0], _unless(reasons))
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
            raise Escape(reason, slices.unless)  # so that there is one memoryview, and not one for each call
        self.needs.setdefault(line, reason)
