# SPDX-License-Identifier: MIT
"""What a cdef class asked for: reading the decorators.

    @customslots.extensible
    @customslots.metaclass(GreetType, sentence=b"Hello")
    @customslots.slot(ID, pointer=&vtable, position=0)
    cdef class Greet: ...

Decorators are recognised by what their name is bound to, so any alias of the cimported
module works, and ``from cython_customslots cimport metaclass`` too.
"""

from dataclasses import dataclass, field

from Cython.Compiler import Builtin, ExprNodes, Nodes
from Cython.Compiler.Errors import CompileError, error

from ..shared.facts import ClassNodeFacts, FunctionFacts, ModuleFacts
from ..shared.statements import Composite
from ..shared.writing import c_string

PACKAGE = "cython_customslots"
PROVIDER = "cython_customslots.provider"

#: Where the metaclass is found at run time, with no import of the package.
RENDEZVOUS = ("_extensibletype", "extensibletype_v4")

_DECORATORS = ("array", "borrow_views", "callable", "extensible", "implements", "interface", "metaclass", "slot",
               "typed")
#: The decorators that say True or False.
YES_OR_NO = ("borrow_views", "typed")
_SLOT_VALUES = ("pointer", "objoffset", "flags")
_ARRAY_VALUES = ("data", "shape", "strides", "dtype", "readonly", "stable")


#: The phases of initialisers.py: which is later, is greater.
EARLY, LATE = "A", "B"


class Value(Composite, Nodes.Node):
    """An expression of a decorator; *phase* is None until :mod:`.initialisers` has seen it.

    *cast* is the C type that its result is cast to.  *of_body*: the value stands in the body of the class.
    """

    child_attrs = ["node"]
    cast = phase = None
    of_body = False

    def generate(self, code, use):
        """Evaluate into *code* and call ``use(C expression)`` with the result."""
        self.node.generate_evaluation_code(code)
        result = self.node.result_as(self.node.type)
        use(f"({self.cast})({result})" if self.cast else result)
        self.node.generate_disposal_code(code)
        self.node.free_temps(code)


@dataclass
class Text:
    """C code that needs no evaluation; in place of a Value."""

    text: str | None = None          # None: its class is not known yet
    phase = EARLY

    def generate(self, code, use):
        use(self.text)


@dataclass
class Slot:
    """One ``@slot(...)``; *id*, *value* and *position*, if any, are Values; *position* is a number when it is analysed.

    *capsule*: (attribute, name of the capsule in it), bytes, of a slot that is also a class attribute.
    """

    pos: tuple
    id: object
    kind: str
    value: object
    position: object
    capsule: list | None = None


class Array:
    """One ``@array(...)``, nothing of it analysed: *nodes*, {argument: expression over ``self``}, or the C *function*
    that fills a DLTensor; *stable*: do the items stay where they are?
    """

    def __init__(self, pos, function, nodes, stable):
        self.pos = pos
        self.function = function
        self.nodes = nodes
        self.stable = stable
        self.address, self.buffer = Text(), Text()       # of its exchange API, of its PyBufferProcs


@dataclass
class Declaration:
    """What the decorators of one cdef class say, in the .pxd and the .pyx together."""

    pos: tuple
    metaclass_node: object = None
    metaclass: object = None         # the analysed type of metaclass_node
    python_metaclass_node: object = None
    python_metaclass: object = None  # the PythonMetaclass that imports.py found
    fields: dict = field(default_factory=dict)   # name -> Value
    slots: list = field(default_factory=list)
    array: Array | None = None       # what @array says
    is_marked: bool = False          # by @extensible
    for_interfaces: bool = False     # for no other reason than the interfaces among its bases
    automatic: bool = False          # --extend-all: stay plain where it cannot work
    is_named: bool = False           # an option names a metaclass for just this class

    def merge(self, other):
        """Add what *other*, the declaration in the .pxd, says."""
        if self.metaclass_node is not None and other.metaclass_node is not None:
            remedy = ("in the .pxd; leave it, with all values, in the .pxd"
                      if self.pos[0] is not other.pos[0]
                      else f"in line {other.metaclass_node.pos[1]}; remove one of them")
            error(self.metaclass_node.pos, f"customslots.metaclass is given here and {remedy}")
        self.metaclass_node = self.metaclass_node or other.metaclass_node
        self.metaclass = self.metaclass or other.metaclass
        self.python_metaclass = self.python_metaclass or other.python_metaclass
        self.fields = {**other.fields, **self.fields}
        self.slots = other.slots + self.slots
        self.array = self.array or other.array
        self.for_interfaces = self.for_interfaces and other.for_interfaces


def decorator_name(node, env):
    """Return the name in our package that a decorator refers to, or None."""
    if isinstance(node, ExprNodes.CallNode):
        node = node.function
    if node.is_attribute and node.obj.is_name:
        entry = env.lookup(node.obj.name)
        module = getattr(entry, "as_module", None)
        if module is not None and module.qualified_name == PACKAGE:
            return node.attribute
    elif node.is_name:
        entry = env.lookup(node.name)
        scope = getattr(entry, "scope", None)
        if scope is not None and scope.is_module_scope and scope.qualified_name == PACKAGE:
            return entry.name
    return None


def called_of(decorator):
    """The expression of a decorator without its arguments."""
    node = decorator.decorator
    return node.function if isinstance(node, ExprNodes.CallNode) else node


def standard_name(decorator, env):
    """The full name of a decorator of the standard library that Cython knows."""
    return Builtin.exprnode_to_known_standard_library_name(called_of(decorator), env)


def report_misplaced(decorator, name, what):
    """Report a decorator of the layer on *what*, where it means nothing."""
    wanted = {"typed": "cdef classes and cpdef functions",
              "borrow_views": "cdef classes, cpdef functions, and def functions that are in no cdef class",
              "callable": "the C methods of cdef classes that are written with 'cdef'"}.get(name, "cdef classes")
    error(decorator.pos, f"customslots.{name} is for {wanted}, but stands on {what}")


def reject_decorators(node, env, what):
    """Report decorators of the layer on *node*, which is not a cdef class, and remove them, except a
    decorator that a Python function may have.
    """
    for name, decorator in take_named(node, env, _DECORATORS):
        if name == "borrow_views" and isinstance(node, Nodes.DefNode):
            take_switch(FunctionFacts.of(node), name, decorator)
        else:
            report_misplaced(decorator, name, what)


def take_decorators(node, env):
    """Remove our decorators from a CClassDefNode; return its Declaration or None.

    What decorators in YES_OR_NO say is stored in the node: they make no class extensible.
    """
    declaration, others = None, []
    for decorator in node.decorators or ():
        name = decorator_name(decorator.decorator, env)
        if name is None:
            if not _is_imported(decorator, env):
                others.append(decorator)
            continue
        if name in YES_OR_NO:
            _take_switch_of_class(node, name, decorator)
            continue
        declaration = declaration or Declaration(node.pos)
        _read(declaration, name, decorator)
    node.decorators = others or None
    return declaration


def metaclass_node_of(node, env):
    """What ``@metaclass(...)`` of a CClassDefNode names, taken or not; or None."""
    for decorator in node.decorators or ():
        call = decorator.decorator
        if isinstance(call, ExprNodes.CallNode) and decorator_name(call, env) == "metaclass":
            return next(iter(call.explicit_args_kwds()[0]), None)
    return getattr(ClassNodeFacts.known(node).declaration, "metaclass_node", None)


def _is_imported(decorator, env):
    """Report a decorator of this package that Python knows, but not Cython."""
    node = called_of(decorator)
    while node.is_attribute:
        node = node.obj
    bindings = ModuleFacts.known(env).bindings.get(node.name, ()) if node.is_name else ()
    if not any(origin and str(origin[0].module_name.value).split(".")[0] == PACKAGE
               for origin in bindings):
        return False
    error(decorator.pos, f"'{node.name}' is imported, and the compiler knows only what is "
                         f"cimported: write 'cimport cython_customslots', or 'import "
                         f"cython.cimports.cython_customslots' in pure-Python mode")
    return True


def _take_switch_of_class(node, name, decorator):
    if node.visibility == "extern":
        does = {"typed": "gives its methods typed records", "borrow_views": "compiles its methods"}[name]
        error(decorator.pos, f"'{node.class_name}' is declared extern: only the module that "
                             f"defines a class {does}")
    else:
        take_switch(ClassNodeFacts.of(node), name, decorator)


def take_switch(facts, name, decorator):
    """Store what ``@typed(...)`` or another decorator in YES_OR_NO says: True, also without parentheses, or False."""
    try:
        _, positional, pairs = arguments_of(decorator.decorator)
    except CompileError:
        positional, pairs = [None, None], []     # too many, whatever they are
    if getattr(facts, name) is not None:
        error(decorator.pos, f"customslots.{name} is given twice; remove one of them")
    elif pairs or len(positional) > 1:
        error(decorator.pos, f"customslots.{name} takes nothing but True or False")
    elif not positional:
        setattr(facts, name, True)
    elif isinstance(positional[0], ExprNodes.BoolNode):
        setattr(facts, name, bool(positional[0].value))
    else:
        error(positional[0].pos, f"customslots.{name} takes True or False, found "
                                 f"{_spelling(positional[0])}")


def _spelling(node):
    """How an expression that was not analysed is written, if it is short."""
    if node.is_name:
        return f"'{node.name}'"
    if node.is_none:
        return "None"
    value = getattr(node, "value", None)
    if isinstance(value, bytes):
        return repr(value)
    if isinstance(value, str):
        return repr(str(value)) if node.is_string_literal else f"'{value}'"
    return "an expression"


def arguments_of(node):
    """Return (called, positional nodes, [(name, node)]) of a decorator expression.

    CompileError if there is a ``*`` or ``**``.
    """
    if not isinstance(node, ExprNodes.CallNode):
        return False, [], []
    positional, keywords = node.explicit_args_kwds()
    pairs = keywords.key_value_pairs if keywords is not None else ()
    return True, list(positional), [(str(pair.key.value), pair.value) for pair in pairs]


def _read(declaration, name, decorator):
    pos, node = decorator.pos, decorator.decorator
    if name == "callable":
        error(pos, "customslots.callable is for a C method of a class, but stands on the class; write it above the "
                   "method")
        return
    if name not in _DECORATORS:
        error(pos, f"customslots has no decorator '{name}'; "
                   f"there are {', '.join(_DECORATORS)}")
        return
    try:
        called, positional, pairs = arguments_of(node)
    except CompileError:
        error(pos, f"customslots.{name} takes its arguments one by one, not from * or **")
        return
    keywords = {}
    for key, value in pairs:
        if keywords.setdefault(key, value) is not value:
            error(value.pos, f"customslots.{name} is given '{key}' twice")
            return
    if name == "extensible":
        if called and (positional or list(keywords) != ["metaclass"]):
            error(pos, "customslots.extensible takes nothing but metaclass=..., for a metaclass "
                       "that is a Python class; without that, write it without parentheses")
        elif declaration.is_marked:
            error(pos, "customslots.extensible is given twice; remove one of them")
        elif called:
            declaration.python_metaclass_node = keywords["metaclass"]
        declaration.is_marked = True
    elif name == "metaclass":
        _read_metaclass(declaration, pos, positional, keywords)
    elif name == "array":
        _read_array(declaration, pos, positional, keywords)
    else:
        _read_slot(declaration, pos, positional, keywords)


def _read_metaclass(declaration, pos, positional, keywords):
    if len(positional) != 1:
        error(pos, f"customslots.metaclass takes one metaclass and then fields by keyword, "
                   f"found {len(positional)} positional arguments")
    elif declaration.metaclass_node is not None:
        error(pos, "customslots.metaclass is given twice; a class has one metaclass")
    else:
        declaration.metaclass_node = positional[0]
        declaration.fields = {name: Value(node.pos, node=node)
                              for name, node in keywords.items()}


def _read_slot(declaration, pos, positional, keywords):
    position, capsule = keywords.pop("position", None), keywords.pop("capsule", None)
    names = None
    if capsule is not None:
        names = [literal(node) for node in capsule.args] if capsule.is_sequence_constructor else []
        named = [literal(node) for node in positional]
        if len(names) != 2 or not all(names + named) or "pointer" not in keywords:
            error(capsule.pos, "customslots.slot takes capsule=('attribute', 'name of the capsule') beside an ID that "
                               "is a name and a pointer")
            return
    unknown = sorted(set(keywords) - set(_SLOT_VALUES))
    if len(positional) != 1:
        error(pos, f"customslots.slot takes one ID and then its value by keyword, "
                   f"found {len(positional)} positional arguments")
    elif unknown:
        error(keywords[unknown[0]].pos,
              f"customslots.slot has no argument '{unknown[0]}'; there are "
              f"{', '.join(_SLOT_VALUES)}, position and capsule")
    elif len(keywords) != 1:
        error(pos, f"customslots.slot takes exactly one of {', '.join(_SLOT_VALUES)}, "
                   f"found {len(keywords)}")
    else:
        (kind, value), = keywords.items()
        identity, value, position = (node and Value(node.pos, node=node)
                                     for node in (positional[0], value, position))
        declaration.slots.append(Slot(pos, identity, kind, value, position, names))


def _read_array(declaration, pos, positional, keywords):
    unknown = [name for name in keywords if name not in _ARRAY_VALUES]
    stable = keywords.pop("stable", None)
    missing = [name for name in ("data", "shape") if name not in keywords]
    if declaration.array is not None:
        error(pos, "customslots.array is given twice; a class has one array")
    elif unknown:
        error(keywords[unknown[0]].pos, f"customslots.array has no argument '{unknown[0]}'; there are "
                                        f"{', '.join(_ARRAY_VALUES)}")
    elif len(positional) > 1 or positional and keywords or missing and not positional:
        error(pos, f"customslots.array takes data=... and shape=..., or one C function that fills a DLTensor, found "
                   f"{len(positional)} positional arguments and {' and '.join(keywords) or 'no keywords'}")
    elif stable is not None and not isinstance(stable, ExprNodes.BoolNode):
        error(stable.pos, "customslots.array takes stable=True, for items that stay where they are as long as their "
                          "object lives, or stable=False")
    else:
        declaration.array = array = Array(pos, positional[0] if positional else None, keywords,
                                          stable is not None and stable.value)
        declaration.slots.append(Slot(pos, NamedID(pos, b"dlpack.exchange_api"), "pointer", array.address, None))
        if array.stable:
            declaration.slots.append(Slot(pos, StaticID(pos), "pointer", array.buffer, None))


def take_named(node, env, wanted=None):
    """Remove the layer's decorators of these names, or all of them, from a node; return [(name, decorator)]."""
    named = [(decorator_name(each.decorator, env), each) for each in node.decorators or ()]
    found = [(name, each) for name, each in named if name is not None and (wanted is None or name in wanted)]
    node.decorators = [pair[1] for pair in named if pair not in found] or None
    return found


def take_interface(node, env):
    """Remove ``@interface(ID)`` from a CClassDefNode and remember what it says."""
    for _, decorator in take_named(node, env, ["interface"]):
        said = ClassNodeFacts.of(node)
        if said.interface is not None:
            error(decorator.pos, "customslots.interface is given twice; remove one of them")
        else:
            said.interface, said.interface_pos = _read_id(decorator), decorator.pos


def _read_id(decorator):
    """The ID that is named in a decorator; b"" after an error."""
    _, arguments, keywords = arguments_of(decorator.decorator)
    if len(arguments) != 1 or keywords:
        error(decorator.pos, 'customslots.interface takes the ID of the interface, and nothing else; '
                             'write interface(b"package.Name")')
        return b""
    argument = arguments[0]
    name = name_in(argument, "an interface")
    return argument if name is None else name


# ------------------------------------------------------------------------ IDs that are names

#: The C that makes the number behind a name, when the module is imported.
INTERN = "PyCustomSlots_Intern"


class NamedID(Text):
    """The ID of a slot that is a name, UTF-8."""

    def __init__(self, pos, name):
        super().__init__(f"{INTERN}({c_string(name.decode('utf-8'))})")
        self.pos = pos
        self.name = name


class StaticID(Text):
    """The ID of the slot that a class with stable=True has."""

    name = 2 << 24 | 2 << 8 | 1 << 1 | 1         # PyCustomSlots_ID(2, 2, 1): a number, where a NamedID has bytes

    def __init__(self, pos):
        super().__init__("PyTypedArray_STABLE_BUFFER")
        self.pos = pos


def name_in(node, what):
    """The name in a string literal, as UTF-8; b"" after an error, None for anything else."""
    name = literal(node)
    if name is None or is_dotted_name(name):
        return name
    error(node.pos, f"the ID of {what} is a name with a dot, such as b'package.Name', found {name!r}")
    return b""


def literal(node):
    """The bytes, or the text as UTF-8, of a string literal; None for anything else."""
    value = getattr(node, "value", None)
    if not node.is_string_literal or isinstance(node, ExprNodes.JoinedStrNode):
        return None
    return bytes(value) if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def is_dotted_name(text):
    """Is it a name in UTF-8 with a dot, behind which stands Python's name of the class?"""
    try:
        parts = text.decode("utf-8").split(".")
    except UnicodeDecodeError:
        return False
    return len(parts) > 1 and all(part.strip() for part in parts) and b"\0" not in text


def interned(node):
    """The name, if an expression is PyCustomSlots_Intern() of a literal; else None."""
    while isinstance(node, (ExprNodes.CoercionNode, ExprNodes.TypecastNode)):
        node = node.operand if isinstance(node, ExprNodes.TypecastNode) else node.arg
    if not isinstance(node, ExprNodes.SimpleCallNode):
        return None
    function = node.function
    if INTERN not in (getattr(function, "name", None), getattr(function, "attribute", None)):
        return None
    return literal(node.args[0]) if node.args and len(node.args) == 1 else None
