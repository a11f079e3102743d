# SPDX-License-Identifier: MIT
"""What the layer knows of a class, a function and a module: one record of each.

A record is the attribute ``customslots`` of what Cython has for the thing: the type of a class,
the node of a class or function, the scope of a module.  `of()` makes it where there is none;
`known()` is for reading and makes none, because types live longer than the compilation of a
module.  Below the records are the questions that all parts ask about a class.
"""

from dataclasses import dataclass, field

_ATTRIBUTE = "customslots"


class _Facts:
    __slots__ = ()

    @classmethod
    def of(cls, thing):
        """The record of *thing*, to be read and written."""
        record = getattr(thing, _ATTRIBUTE, None)
        if record is None:
            record = cls()
            setattr(thing, _ATTRIBUTE, record)
        return record

    @classmethod
    def known(cls, thing):
        """The record of *thing*, or the empty one.  Only to be read."""
        return getattr(thing, _ATTRIBUTE, None) or _EMPTY[cls]


@dataclass(slots=True)
class ClassFacts(_Facts):
    """About an extension type."""

    is_root: bool = False            # it is extensibletype itself
    pos: tuple | None = None         # where it is defined, and not where a .pxd declares it
    declaration: object = None       # what decorators and options say (declarations.Declaration)
    typed: bool | None = None        # what @typed says of its methods,
    borrow_views: bool | None = None # and @borrow_views
    hook: object = None              # the node of its __init_subclass__ (class_hooks.py)
    implements: list = ()            # the interfaces among its bases (interfaces.InterfaceType),
    first: list = ()                 # and those of them that come before its base
    sources: dict = field(default_factory=dict)  # {name: the interface whose body it is given; in its body: None}
    # From initialisers.analyse_class():
    fields: dict = field(default_factory=dict)   # {name: (entry of the field, Value)}
    slots: list = ()                 # its own slots (declarations.Slot)
    docs: dict = field(default_factory=dict)     # {name of a field of this metaclass: its docstring}


@dataclass(slots=True)
class ClassNodeFacts(_Facts):
    """About a class statement; a class may have two, in the .pxd and in the .pyx."""

    declaration: object = None       # what its decorators say
    typed: bool | None = None        # what @typed says,
    borrow_views: bool | None = None # and @borrow_views
    body_values: dict = field(default_factory=dict)  # {name of a field: Value}
    decorators: list = ()            # those that are called when it is ready (class_hooks.py)
    interface: object = None         # the ID that @interface says,
    interface_pos: tuple | None = None       # and where
    implements: list = ()            # (interface among its bases, position)
    decorated: list = field(default_factory=list)    # those that @implements names
    first: list = ()                 # as of the type
    sources: dict = field(default_factory=dict)
    cpdefs: list = ()                # names of an interface's cpdef methods that were defined
    directives: list = ()            # Cython's decorators: (position, name)
    method_docs: dict = field(default_factory=dict)  # docstrings of an interface's methods
    methods: list = ()               # an interface's declarations, before they are analysed
    bodies: dict = field(default_factory=dict)       # {name of a method of it: what has its body}
    docs: dict = field(default_factory=dict)         # {name that it declares: the string behind that}
    is_hidden: bool = False          # it stands for an interface (hidden_classes.py)


@dataclass(slots=True)
class FunctionFacts(_Facts):
    """About the node of a function; typed/choosing.py."""

    held: list = ()                  # decorators that Cython is not to see yet,
    kept: list = ()                  # and those that it may
    called: list = ()                # decorators of a method, which Cython makes calls of
    dropped: list = ()               # decorators that Cython drops
    typed: bool | None = None        # what @typed says,
    typed_pos: tuple | None = None   # and where
    borrow_views: bool | None = None # what @borrow_views says
    cpdef: object = None             # the node of the cpdef function that it is for Python
    refused: list = ()               # Cython's errors about an __init_subclass__


@dataclass(slots=True)
class ModuleFacts(_Facts):
    """About a module's scope."""

    switches: dict = field(default_factory=dict)     # its comments: {setting: (value, position)}
    bindings: dict = field(default_factory=dict)     # what its names are bound to (imports.py)
    interned: dict = field(default_factory=dict)     # variables that hold a name's ID: {variable: name}
    pending: list = field(default_factory=list)      # classes to be looked at: (node, type or None, scope)
    cpdefs: list = field(default_factory=list)       # nodes of its cpdef functions
    callables: list = field(default_factory=list)    # methods with @callable: (node, position of that)
    interface_values: list = field(default_factory=list)     # interfaces whose name is a Python value
    own_interfaces: list = field(default_factory=list)   # (node, type) of those that it declares
    callers: set = field(default_factory=set)        # names of those that lines declare (typed/callers.py)
    statements: list = ()            # of its body, while they are analysed
    looking: dict = field(default_factory=dict)      # what looks for overrides of methods (interfaces/looking.py)
    # While C is written:
    provides: bool = False           # it has extensibletype.h
    headers: set = field(default_factory=set)        # texts of headers that it has (headers.once)
    checks: list | None = None       # of C methods that it imports (vtables.Check)
    records: object = None           # its typed records (typed/records.Module)
    borrowing: dict = field(default_factory=dict)    # {wrapper: its arguments that borrow} (views/borrowing.py)
    takes: dict = field(default_factory=dict)        # {its C function: bits of arguments that may borrow} (lending.py),
    asked: dict = field(default_factory=dict)        # {C function of another module: variable with those bits}


_EMPTY = {facts: facts() for facts in (ClassFacts, ClassNodeFacts, FunctionFacts, ModuleFacts)}


def is_ours(module):
    """Is a module scope of our package?"""
    return module.qualified_name.split(".")[0] == "cython_customslots"


def plain(type_):
    """A type without const and volatile."""
    while getattr(type_, "is_cv_qualified", False) or getattr(type_, "is_const", False):
        type_ = type_.cv_base_type if hasattr(type_, "cv_base_type") else type_.const_base_type
    return type_


def decorated(node, name):
    """What a decorator in YES_OR_NO says of a function, or of its class; None if there is none."""
    scope = node.entry.scope
    own = getattr(FunctionFacts.known(node), name)
    if own is None and scope is not None and scope.is_c_class_scope:
        own = getattr(ClassFacts.known(scope.parent_type), name)
    return own


# ------------------------------------------------------------------- what is asked of a class

def declaration_of(type_):
    """Return the Declaration of an extension type, or None."""
    return ClassFacts.known(type_).declaration


def array_of(type_):
    """What ``@array`` says of a class itself, or None."""
    return getattr(declaration_of(type_), "array", None)


def ancestors(type_):
    """Yield an extension type and its base types, nearest first."""
    while type_ is not None:
        yield type_
        type_ = type_.base_type


def is_extensible(type_):
    """Does the type, or a base type, carry a declaration?"""
    return any(declaration_of(t) for t in ancestors(type_))


def has_interfaces(type_):
    """Is an interface among the bases of the type, or of a base type?"""
    return any(ClassFacts.known(t).implements for t in ancestors(type_))


def is_extensibletype(type_):
    return ClassFacts.known(type_).is_root


def display_name(type_):
    """What the user calls a type; extensibletype itself is found under another name."""
    return "extensibletype" if is_extensibletype(type_) else type_.name


def is_metaclass(type_):
    """Does the extension type derive from extensibletype?"""
    return any(is_extensibletype(t) for t in ancestors(type_))


def metaclass_of(type_):
    """Return the nearest metaclass that was named for the type or a base, or None."""
    return _nearest(type_, "metaclass")


def python_metaclass_of(type_):
    """Return the nearest PythonMetaclass that was named for the type or a base, or None."""
    return _nearest(type_, "python_metaclass")


def _nearest(type_, name):
    said = (getattr(declaration_of(ancestor), name, None) for ancestor in ancestors(type_))
    return next((metaclass for metaclass in said if metaclass is not None), None)
