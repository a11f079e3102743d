# SPDX-License-Identifier: MIT
"""Which functions get typed records: ``@typed``, the module's comment, ``--typed``.

A module that cimports one of our .pxd files gets records for all of its ``cpdef``
functions and methods; ``--typed`` and ``--extend-all`` do that for any module.  The nearest of
these to a function decides:

    @customslots.typed(False)          on the function, then on its class
    # customslots: typed=False         among the comments at the top of the module
    # customslots: extend_all=False    out of --extend-all, but not out of --typed

The C that follows from it is written by :mod:`.records`.
"""

from Cython.Compiler.Errors import error

from ..decorators.declarations import YES_OR_NO, decorator_name, report_misplaced, take_switch
from ..shared.facts import FunctionFacts, ModuleFacts, decorated, is_ours
from ..switches.comments import types_all


# ---------------------------------------------------------------------- decorators

def visit_cfuncdef(original, self, node):
    """Hold decorators back until names are known: Cython refuses all but its own here."""
    if self.scope_type == "cclass" and self.scope_node.visibility == "extern":
        return original(self, node)              # a property of a C struct
    held, rest = [], []
    for decorator in node.decorators or ():
        is_own = decorator.decorator.is_name and decorator.decorator.name == "staticmethod"
        (rest if is_own else held).append(decorator)
    node.decorators = rest or None
    node = original(self, node)
    if held:
        # Cython complains once, at the first; it has already complained if there is more than one of its own.
        facts = FunctionFacts.of(node)
        facts.held, facts.kept = held, rest
    return node


def visit_def(original, self, node):
    """In a cdef class Cython makes calls of the decorators of methods, and the layer's decorators cannot be called."""
    if node.decorators and self.scope_type == "cclass":
        FunctionFacts.of(node).called = node.decorators
    return original(self, node)


def reject_on_method(self, env):
    """Report decorators of the layer that Cython has made calls of."""
    for decorator in FunctionFacts.known(self).called if not self.decorators else ():
        name = decorator_name(decorator.decorator, env)
        if name is not None:
            report_misplaced(decorator, name, f"method '{self.name}'")


def as_cfunction(original, self, *args, **kwargs):
    """A ``def`` becomes a C function (``@cython.ccall``, or a .pxd says so)."""
    function = original(self, *args, **kwargs)
    if self.decorators:
        # Cython drops the decorators that are left, without a word.
        FunctionFacts.of(function).dropped = self.decorators
    return function


def analyse_cfuncdef(original, self, env):
    facts, foreign = FunctionFacts.of(self), []
    for decorator in facts.held:
        if not _take_ours(self, decorator, env):
            foreign.append(decorator)
    if foreign and len(facts.kept) < 2:
        first = min((decorator.pos for decorator in foreign + facts.kept),
                    key=lambda pos: pos[1:])
        error(first, "Cdef functions cannot take arbitrary decorators.")
    for decorator in facts.dropped:
        _take_ours(self, decorator, env)
    facts.held = facts.dropped = ()
    original(self, env)


def _take_ours(node, decorator, env):
    """Take or report a decorator of the layer on a C function; is it one?"""
    name = decorator_name(decorator.decorator, env)
    if name is not None and name not in YES_OR_NO:
        report_misplaced(decorator, name, f"function '{node.declared_name()}'")
    elif name is not None and not node.overridable:
        error(decorator.pos, f"customslots.{name} is for cpdef functions, but stands on cdef "
                             f"function '{node.declared_name()}', which Python does not see; "
                             f"write 'cpdef', or remove the decorator")
    elif name is not None:
        take_switch(FunctionFacts.of(node), name, decorator)
        if name == "typed":
            FunctionFacts.of(node).typed_pos = decorator.pos
    return name is not None


# ------------------------------------------------------------------ what is wanted

def declare_cpdef_wrapper(original, self, env):
    original(self, env)
    if self.py_func is not None:
        ModuleFacts.of(env.global_scope()).cpdefs.append(self)
        FunctionFacts.of(self.py_func).cpdef = self


def is_wanted(node, module):
    """Shall a cpdef function of the module scope have a record?"""
    own = decorated(node, "typed")
    if own is None:
        own = types_all(module)
    return own if own is not None else any(map(is_ours, module.cimported_modules))
