# SPDX-License-Identifier: MIT
"""What runs when an extensible cdef class is ready: ``__init_subclass__`` of its bases, and its decorators.

Python's own classes call ``__init_subclass__`` while they are made. A cdef class is made before the module body runs,
and has its attributes only behind its own body, so it is announced there. Then the decorators of other packages are
called, which may register the class, but not replace it.
"""

import builtins

from Cython.Compiler import ExprNodes, Nodes
from Cython.Compiler.Errors import error, local_errors, report_error
from Cython.Compiler.StringEncoding import EncodedString

from ..decorators.declarations import standard_name
from ..shared.facts import ClassFacts, ClassNodeFacts, FunctionFacts, is_extensible
from ..shared.statements import Composite, lists_of
from ..shared.writing import render, substitute, typeptr, utility
from ..switches.comments import extends_all

HOOK = "__init_subclass__"


# ------------------------------------------------------------------- what Cython analyses

def analyse_hook(original, self, env):
    """A method ``__init_subclass__`` of a cdef class, which Cython refuses: a class method, as in a Python class."""
    decorated = any(d.decorator.is_name and d.decorator.name == "classmethod" for d in self.decorators or ())
    if not self.is_classmethod and not decorated:
        name = ExprNodes.NameNode(self.pos, name=EncodedString("classmethod"))
        self.decorators = [Nodes.DecoratorNode(self.pos, decorator=name), *(self.decorators or ())]
    with local_errors(ignore=True) as found:
        result = original(self, env)
    refused = [err for err in found if f"'{HOOK}' is not supported" in str(err)]
    for err in found:
        if err not in refused:
            report_error(err)
    FunctionFacts.of(self).refused = refused
    ClassFacts.of(env.parent_type).hook = self
    return result


def check_hook(node):
    """Behind the analysis of a class: only an extensible class may have the hook."""
    type_ = getattr(getattr(node, "entry", None), "type", None)
    hook = ClassFacts.known(type_).hook
    if hook is not None and not is_extensible(type_):
        for err in FunctionFacts.known(hook).refused:
            report_error(err)


def keep_decorators(node, env):
    """Take the decorators of an extensible class that neither the layer nor Cython knows."""
    if not node.decorators or node.in_pxd or not (ClassNodeFacts.known(node).declaration or _extends(node, env)):
        return
    others = [d for d in node.decorators
              if standard_name(d, env) not in ("functools.total_ordering", "dataclasses.dataclass")]
    for decorator in others:
        called = decorator.decorator
        entry = env.lookup(called.name) if called.is_name else None
        if called.is_name and hasattr(builtins, called.name) and (entry is None or entry.scope.is_builtin_scope):
            error(decorator.pos, f"decorator '{called.name}' does not return the class, and nothing can take the place "
                                 f"of cdef class '{node.class_name}'; call it in a line of its own")
    ClassNodeFacts.of(node).decorators = others
    node.decorators = [d for d in node.decorators if d not in others] or None


def _extends(node, env):
    if extends_all(env.global_scope()):
        return True
    entry = env.lookup_here(node.class_name)     # a .pxd may have declared it
    if entry is not None and entry.is_type and entry.type.is_extension_type and is_extensible(entry.type):
        return True
    base = node.bases.args[0].analyse_as_type(env) if node.bases.args else None
    return base is not None and base.is_extension_type and is_extensible(base)


def insert_calls(body):
    """Behind the analysis of a module: each class that has such decorators is followed by their calls."""
    for stats in lists_of(body):
        for stat in [stat for stat in stats if isinstance(stat, Nodes.CClassDefNode)]:
            behind = stats.index(stat) + 1
            stats[behind:behind] = [DecoratorCall(d.pos, decorator=d.decorator, type=stat.entry.type)
                                    for d in reversed(ClassNodeFacts.known(stat).decorators)]


class DecoratorCall(Composite, Nodes.StatNode):
    """``decorator(class)``, which must return the class itself."""

    child_attrs = ["decorator"]

    def analyse_expressions(self, env):
        self.decorator = self.decorator.analyse_types(env).coerce_to_pyobject(env)
        return self

    def generate_execution_code(self, code):
        code.mark_pos(self.pos)
        code.globalstate.use_utility_code(utility("CustomSlotsDecorate"))
        self.decorator.generate_evaluation_code(code)
        code.put_error_if_neg(self.pos, f"__Pyx_CustomSlots_Decorate({typeptr(code, self.type)}, "
                                        f"{self.decorator.py_result()})")
        self.decorator.generate_disposal_code(code)
        self.decorator.free_temps(code)


# ----------------------------------------------------------------------------- the C of it

def put_quietly(code, generate, pos):
    """Where Cython makes a class to see which of several bases is the best one, the hook does not hear of it."""
    code.globalstate.use_utility_code(utility("CustomSlotsTrial"))
    text = substitute(r"__Pyx_PyType_GetSlot\(&PyType_Type, tp_new, newfunc\)\(&PyType_Type, (.*?), NULL\)",
                      r"__Pyx_CustomSlots_Trial(\1)", render(code, generate), "a class of several bases", pos)
    code.write(text)
