# SPDX-License-Identifier: MIT
"""Callers of typed callables: which of the two is called, and callers that a line of source declares.

A caller that may lack the GIL asks in each call whether it is there.  Cython knows, so where code
has the GIL, the caller `..._with_gil` is called instead.

    call = PyTypedMethod_CALLER("double(double, const double[::1])")

at module level declares ``double call(PyTypedCallable *, double, const PyTypedMethodArray *) except? -1 nogil``,
in both forms.  The line is a declaration: nothing of it is left at run time.
"""

import re

from Cython.Compiler import Nodes, PyrexTypes
from Cython.Compiler.Errors import error
from Cython.Compiler.TreeFragment import parse_from_strings

from ..decorators.declarations import PACKAGE
from ..shared.facts import ModuleFacts
from ..shared.replacing import replaced
from ..shared.statements import statements_of

_PXD = f"{PACKAGE}.typedmethod"
_MACRO = "PyTypedMethod_CALLER"
_WITH_GIL = "_with_gil"
_READY_MADE = "PyTypedCallable_call_"

#: The number of types that fit into a signature's number; callers know no other signatures.
_MAX_ARGUMENTS = 11

#: An argument of a signature, and the types of which there are no arrays.
_ARGUMENT = r"(?:\w+\s*|(?:const\s+)?\w+\[(?::|::1)\]\s*)"
_NO_ITEMS = ("void", "bool", "pointer", "object")

#: {word of tokens.h: Cython's type}
_TYPES = {
    "void": "void", "bool": "bint", "i1": "signed char", "i2": "short", "i4": "int",
    "i8": "long long", "u1": "unsigned char", "u2": "unsigned short", "u4": "unsigned int",
    "u8": "unsigned long long", "f4": "float", "f8": "double", "f16": "long double",
    "pointer": "void *", "object": "object",
    **{name: name for name in ("char", "short", "int", "long", "float", "double", "size_t",
                               "Py_ssize_t")},
}


# ------------------------------------------------------------------- which one is called

def generate_call(original, self, code):
    entry = getattr(self.function, "entry", None)
    if not code.funcstate.gil_owned or not _has_twin(entry, code):
        return original(self, code)
    with replaced(entry, cname=entry.cname + _WITH_GIL):
        original(self, code)


def _has_twin(entry, code):
    scope = getattr(entry, "scope", None)        # Cython 3.0: not all of its own functions have one
    if scope is None or not entry.type.is_cfunction:
        return False
    if scope.qualified_name == _PXD:
        return (entry.name.startswith(_READY_MADE) and not entry.name.endswith(_WITH_GIL)
                and not entry.type.return_type.is_pyobject)
    return entry.name in ModuleFacts.known(scope).callers


# ------------------------------------------------------------------- one's own signature

def is_declaration(self, env):
    """Does an assignment call our macro?  Then it becomes the declaration of a caller, and no statement."""
    call = self.rhs
    scope = _macro_scope(getattr(call, "function", None), env)
    if scope is None:
        return False
    arguments = getattr(call, "args", None)
    if not env.is_module_scope or not self.lhs.is_name:
        error(self.pos, f"{_MACRO} declares a C function: write 'name = {_MACRO}(\"f8(f8)\")' at "
                        f"module level")
    elif arguments is None or len(arguments) != 1 or not arguments[0].is_string_literal:
        error(call.pos, f"{_MACRO} takes one literal, a signature such as 'double(double, long)'")
    else:
        words = _words(arguments[0])
        if words is not None:
            _declare_caller(self, env, scope, words)
    self.__class__, self.lhs, self.rhs = Nodes.PassStatNode, None, None
    return True


def _macro_scope(function, env):
    """The scope of our .pxd, if its macro is called."""
    if function is None:
        return None
    if function.is_name:
        entry = env.lookup(function.name)
    elif function.is_attribute and function.attribute == _MACRO:
        module = function.obj.analyse_as_module(env)
        entry = module.lookup_here(_MACRO) if module is not None else None
    else:
        return None
    scope = entry.scope if entry is not None and entry.name == _MACRO else None
    return scope if scope is not None and scope.qualified_name == _PXD else None


def _words(node):
    """The words of a signature, the result's first; None after an error."""
    text = str(node.value)
    found = re.fullmatch(rf"\s*(\w+)\s*\(\s*((?:{_ARGUMENT}(?:,\s*{_ARGUMENT})*)?)\)\s*", text)
    words = [found[1], *(argument.strip() for argument in found[2].split(",") if argument)] if found else []
    wrong = [word for word in words if _item(word) not in _TYPES] + (["void"] if "void" in words[1:] else [])
    wrong += [word for word in words if _is_array(word) and _item(word) in _NO_ITEMS]
    fields = len(words) + sum(map(_is_array, words))
    if not words:
        error(node.pos, f"{_MACRO}: found '{text}', expected a signature such as 'double(double, long)'")
    elif wrong:
        error(node.pos, f"{_MACRO}: found '{wrong[0]}' in '{text}', expected types among "
                        f"{' '.join(_TYPES)} (complex numbers: in a 'cdef extern from *' block)")
    elif fields > _MAX_ARGUMENTS + 1:
        error(node.pos, f"{_MACRO}: found {fields - 1} arguments, expected at most "
                        f"{_MAX_ARGUMENTS} (an array counts as two)")
    else:
        return words
    return None


def _is_array(word):
    return word.endswith("]")


def _item(word):
    return re.sub(r"^const\s+(?=.*\])|\[.*", "", word)


def _token(word):
    """The word of tokens.h."""
    if not _is_array(word):
        return word
    kind = "strided" if word.endswith("[:]") else "array"
    return f"{'const_' if word.startswith('const') else ''}{kind}({_item(word)})"


def _declare_caller(node, env, pxd, words):
    name = node.lhs.name
    if env.lookup_here(name) is not None:
        error(node.pos, f"{_MACRO}: found '{name}', which is declared already; expected a new name")
        return
    cname = f"__pyx_caller_{name}"
    result = "int" if words[0] == "void" else _TYPES[words[0]]
    raises = {"void": " except -1", "object": "", "pointer": " except? NULL",
              "bool": " except? 1"}.get(words[0], " except? -1")
    nogil = "" if "object" in words else " nogil"
    arguments = "".join(f", {'void *' if _is_array(word) else _TYPES[word]} a{i}"
                        for i, word in enumerate(words[1:]))
    macros = "".join(f"PyTypedMethod_CALLER{kind}({cname}{suffix}, {', '.join(map(_token, words))})\n"
                     for kind, suffix in (("", ""), ("_WITH_GIL", _WITH_GIL)))
    # Cython declares the name itself, as all names of an extern block.
    block = parse_from_strings(name, (
        f'cdef extern from *:\n    """\n    {macros}    """\n'
        f'    {result} {name} "{cname}" (void *held{arguments}){raises}{nogil}\n'),
        level="module_pxd")
    extern = block
    while not isinstance(extern, Nodes.CDefExternNode):         # the nodes around it differ
        extern = extern.stats[0] if isinstance(extern, Nodes.StatListNode) else extern.body
    statements_of(extern)                                       # a transform does that otherwise
    extern.analyse_declarations(env)
    entry = env.lookup_here(name)
    for argument, word in zip(entry.type.args, ["", *words[1:]]):
        if not word or _is_array(word):
            struct = "PyTypedMethodArray" if word else "PyTypedCallable"
            argument.type = PyrexTypes.c_ptr_type(pxd.lookup_here(struct).type)
    entry.pos = node.pos
    ModuleFacts.of(env).callers.add(name)
