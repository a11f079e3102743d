# SPDX-License-Identifier: MIT
"""Interfaces: cdef classes without data and without a type object.

    @customslots.interface(b"geometry.Shape")
    cdef class Shape:
        cdef double area(self) noexcept nogil
        cpdef int draw(self, object canvas) except -1

To Cython an interface is an extension type: its variables hold ordinary object references, so
closures, generators and containers know what to do with them.  It has no type object, so no
object is ever an instance of it: whether one implements it is for the slot with its ID to
say, whose data is a table of C functions (_customslots/interface.h).

A class implements what it names among its bases.  Here is what such classes may look like; the C
is in interface_tables, what may be done with variables in interface_uses.
"""

from Cython import Utils
from Cython.Compiler import ExprNodes, Naming, Nodes, PyrexTypes, Symtab
from Cython.Compiler.Errors import error, get_errors_count

from . import interface_classes
from .declarations import Declaration, ancestors, decorator_name
from .facts import ClassFacts, ClassNodeFacts, ModuleFacts

DECORATOR = "interface"


class InterfaceType(PyrexTypes.PyExtensionType):
    """The type of an interface; made of the PyExtensionType that Cython declared."""

    interface_id = None      # bytes that are interned, or the C expression of a static ID
    interface_doc = None
    cpdefs = frozenset()     # names of the methods that Python may override

    @classmethod
    def make(cls, type_, identity):
        type_.__class__ = cls
        type_.interface_id = identity
        type_.early_init = 1

    def subtype_of_resolved_type(self, other_type):
        if is_interface(other_type):
            return other_type in self.chain()
        return other_type is PyrexTypes.py_object_type

    def assignable_from(self, src_type):
        return self in implemented_by(src_type)

    def assignable_from_resolved_type(self, src_type):
        return self.assignable_from(src_type)

    def chain(self):
        """The interface and those that it extends, nearest first."""
        return list(ancestors(self))

    @property
    def key(self):
        """What the names of its C data begin with."""
        return self.vtabstruct_cname.replace("vtabstruct", "interface", 1)

    @property
    def full_name(self):
        """What people call it: its ID, if that is a name, which is the same in every copy."""
        if isinstance(self.interface_id, bytes):
            return self.interface_id.decode("utf-8")
        return f"{self.module_name}.{self.name}"

    def type_test_code(self, *args, **kwargs):
        from .interface_uses import type_test_code
        return type_test_code(self, *args, **kwargs)


def is_interface(type_):
    return isinstance(type_, InterfaceType)


def own_interfaces(type_):
    """The interfaces that a class names among its bases."""
    return ClassFacts.known(type_).implements


def implemented_by(type_):
    """All interfaces that an object of an extension type is known to implement."""
    if is_interface(type_):
        return type_.chain()
    if not getattr(type_, "is_extension_type", False):
        return []
    found = []
    for ancestor in ancestors(type_):
        for interface in own_interfaces(ancestor):
            found += [known for known in interface.chain() if known not in found]
    return found


def subtype_of(original, self, other_type):
    """A class is a subtype of what it implements: to assign it needs no test."""
    if is_interface(other_type):
        return other_type in implemented_by(self)
    return original(self, other_type)


def check_class(original, self, entry):
    """That a class is implemented here is not asked of an interface."""
    if not is_interface(entry.type) or entry.type.scope is None:
        original(self, entry)


# --------------------------------------------------------------------- the declaration

def take_interface(node, env):
    """Remove ``@interface(ID)`` from a CClassDefNode and remember what it says."""
    others = []
    for decorator in node.decorators or ():
        if decorator_name(decorator.decorator, env) != DECORATOR:
            others.append(decorator)
            continue
        said = ClassNodeFacts.of(node)
        if said.interface is not None:
            error(decorator.pos, "customslots.interface is given twice; one of them must go")
        else:
            said.interface = _read_id(decorator)
    node.decorators = others or None


def _read_id(decorator):
    """The ID that is named in a decorator; b"" after an error."""
    node = decorator.decorator
    arguments, keywords = node.explicit_args_kwds() if isinstance(node, ExprNodes.CallNode) else (
        (), None)
    if len(arguments) != 1 or (keywords is not None and keywords.key_value_pairs):
        error(decorator.pos, 'customslots.interface takes the ID of the interface, and nothing else; '
                             'write interface(b"package.Name")')
        return b""
    argument = arguments[0]
    value = getattr(argument, "value", None)
    if argument.is_string_literal and not isinstance(argument, ExprNodes.JoinedStrNode):
        text = bytes(value) if isinstance(value, bytes) else str(value).encode("utf-8")
        if _is_dotted_name(text):
            return text
        error(argument.pos, f"the ID of an interface is a name, as b'package.Name', found {text!r}")
        return b""
    return argument


def _is_dotted_name(text):
    """Is it a name in UTF-8 with a dot, behind which is what Python calls the class?"""
    try:
        parts = text.decode("utf-8").split(".")
    except UnicodeDecodeError:
        return False
    return len(parts) > 1 and all(part.strip() for part in parts) and b"\0" not in text


def analyse_class(original, self, env):
    """A class statement: an interface, or a class that may implement some."""
    said = ClassNodeFacts.known(self)
    if said.interface is None and self.decorators:
        take_interface(self, env)
        said = ClassNodeFacts.known(self)
    if said.interface is not None:
        return _analyse_interface(original, self, env)
    _take_bases(self, env)
    original(self, env)
    _analyse_implementation(self, env)
    if said.is_hidden:
        interface_classes.finish_class(self)


def _analyse_interface(original, node, env):
    said = ClassNodeFacts.of(node)
    if not env.is_module_scope:
        return original(node, env)               # which reports it
    for decorator in node.decorators or ():
        name = decorator_name(decorator.decorator, env)
        if name is not None:
            error(decorator.pos, f"customslots.{name} is for classes that have objects, and "
                                 f"'{node.class_name}' is an interface; decorate the classes that "
                                 f"implement it")
    node.decorators = [decorator for decorator in node.decorators or ()
                       if decorator_name(decorator.decorator, env) is None] or None
    errors = get_errors_count()
    base = _extended(node, env)
    _check_body(node, env)
    interface_classes.remember_methods(node)
    original(node, env)
    entry = node.entry
    if entry is None or not entry.type.is_extension_type:
        return
    type_ = entry.type
    InterfaceType.make(type_, _identity(said.interface, env))
    type_.interface_doc = node.doc
    entry.visibility = "extern"                  # no type object is made here
    if type_.scope is None:                      # declared only: Cython says so
        return
    if base is not None:
        type_.base_type = base
    type_.scope.defined, type_.scope.implemented = 1, 0
    type_.cpdefs = frozenset((*(base.cpdefs if base is not None else ()), *said.cpdefs, *(
        method.name for method in type_.scope.cfunc_entries if method.type.is_overridable)))
    for method in type_.scope.cfunc_entries:
        if not method.is_inherited:
            _check_method(method, method.name in type_.cpdefs)
            method.type.is_overridable = 0       # the table has what no override is looked for
        if method.name in type_.cpdefs:          # Python finds it, too
            method.as_variable = Symtab.Entry(method.name, method.name, PyrexTypes.py_object_type)
            method.as_variable.is_variable = 1
    if not type_.scope.cfunc_entries and get_errors_count() == errors:
        error(node.pos, f"interface '{node.class_name}' has no C methods; declare at least one, as in "
                        f"'cdef double area(self)'")
    if get_errors_count() == errors:
        ModuleFacts.of(env).own_interfaces.append((node, type_))
        if not node.in_pxd:
            interface_classes.append_class(env, node, type_)
    if not node.in_pxd:
        node.body = Nodes.StatListNode(node.pos, stats=[])


def _identity(said, env):
    """The ID of an interface: bytes, or C code for a constant."""
    if isinstance(said, bytes):
        return said
    if isinstance(said, ExprNodes.CallNode) and decorator_name(said, env) == "PyCustomSlots_ID":
        arguments, keywords = said.explicit_args_kwds()
        numbers = [_constant_of(argument, env) for argument in arguments]
        if len(numbers) == 3 and None not in numbers and keywords is None:
            return f"PyCustomSlots_ID({', '.join(numbers)})"
    elif _constant_of(said, env) is not None:
        return _constant_of(said, env)
    error(said.pos, "the ID of an interface is a name, as b'package.Name', or a constant, as "
                    "PyCustomSlots_ID(0x04, 5, 0)")
    return b""


def _constant_of(node, env):
    """C code for an integer literal or the name of a C constant; None for anything else."""
    if isinstance(node, ExprNodes.IntNode):
        return str(Utils.str_to_number(node.value))
    if not (node.is_name or node.is_attribute):
        return None
    node = node.analyse_types(env)
    entry = getattr(node, "entry", None)
    known = entry is not None and (entry.is_const or entry.visibility == "extern")
    return entry.cname if known and (entry.type.is_int or entry.type.is_enum) else None


def _extended(node, env):
    """The interface that an interface extends, or None."""
    bases = node.bases.args if node.bases else []
    types = [base.analyse_as_type(env) for base in bases]
    for base, type_ in zip(bases, types):
        if not is_interface(type_):
            found = f"'{type_}'" if type_ is not None else "an expression that is no type"
            error(base.pos, f"interface '{node.class_name}' can extend an interface only, found {found}")
            node.bases.args = []
            return None
    if len(bases) > 1:
        error(bases[1].pos, f"interface '{node.class_name}' extends one interface, found {len(bases)}; a "
                            f"class implements as many as it names")
        node.bases.args = bases[:1]
    return types[0] if types else None


def _statements(body):
    if isinstance(body, Nodes.StatListNode):
        for statement in body.stats:
            yield from _statements(statement)
    elif isinstance(body, Nodes.CompilerDirectivesNode):
        for statement in _statements(body.body):
            if "staticmethod" in body.directives:
                error(statement.pos, "a method of an interface cannot be static: who calls it has an "
                                     "object")
            yield statement
    elif body is not None:
        yield body


def _check_body(node, env):
    """Report what is no C method, and make declarations of methods with empty bodies."""
    kept = []
    for statement in _statements(node.body):
        name = node.class_name
        if isinstance(statement, Nodes.CVarDefNode):
            data = [d for d in statement.declarators if not _is_function(d)]
            if data:
                error(data[0].pos, f"interface '{name}' cannot have data, found '{_name(data[0])}'; "
                                   f"declare C methods that get and set it")
                continue
            kept.append(statement)
        elif isinstance(statement, Nodes.CFuncDefNode):
            if not _is_declaration(node, statement):
                continue
        elif isinstance(statement, Nodes.DefNode):
            special = statement.name.startswith("__") and statement.name.endswith("__")
            what = "a special method" if special else "a def method"
            where = ", under another name" if special else ""
            error(statement.pos, f"interface '{name}' cannot have {what}, found '{statement.name}'; "
                                 f"declare it with cdef or cpdef{where}")
            continue
        elif isinstance(statement, Nodes.PropertyNode):
            error(statement.pos, f"interface '{name}' cannot have a property, found "
                                 f"'{statement.name}'; declare C methods that get and set it")
            continue
        elif isinstance(statement, (Nodes.PassStatNode,)) or _is_text(statement):
            continue
        else:
            error(statement.pos, f"interface '{name}' can have C methods only")
            continue
        if statement not in kept:
            kept.append(statement)
    if node.body is not None:
        node.body = Nodes.StatListNode(node.pos, stats=kept)


def _is_text(statement):
    """An expression that does nothing: a string, or `...`."""
    return isinstance(statement, Nodes.ExprStatNode) and (
        statement.expr.is_literal or isinstance(statement.expr, ExprNodes.EllipsisNode))


def _is_function(declarator):
    while declarator is not None:
        if isinstance(declarator, Nodes.CFuncDeclaratorNode):
            return not isinstance(declarator.base, Nodes.CPtrDeclaratorNode) or not _pointed(declarator)
        declarator = getattr(declarator, "base", None)
    return False


def _pointed(declarator):
    """Is it a pointer to a function, ``int (*f)()``, and not a function?"""
    base = declarator.base
    while isinstance(base, (Nodes.CPtrDeclaratorNode, Nodes.CArrayDeclaratorNode)):
        base = base.base
    return isinstance(base, Nodes.CNameDeclaratorNode)


def _name(declarator):
    while not isinstance(declarator, Nodes.CNameDeclaratorNode):
        declarator = declarator.base
    return declarator.name


def _is_declaration(node, statement):
    """A method with a body is an error, unless there is nothing in it: pure-Python mode."""
    name = node.class_name
    body = list(_statements(statement.body))
    if not all(isinstance(s, Nodes.PassStatNode) or _is_text(s) for s in body):
        error(statement.pos, f"interface '{name}' declares methods and has no code for them, found a body "
                             f"of '{_name(statement.declarator)}'; write a 'cdef inline' function "
                             f"beside the interface that takes one, or a base class that implements it")
        return False
    statement.body = None
    if statement.overridable:                    # else it would be defined for Python, too
        said = ClassNodeFacts.of(node)
        said.cpdefs = [*said.cpdefs, _name(statement.declarator)]
        statement.overridable = False
    return True


def _check_method(method, cpdef):
    """Report what no table of an interface can have."""
    type_, name = method.type, method.name
    if type_.optional_arg_count:
        error(method.pos, f"method '{name}' of an interface cannot have optional arguments: how they "
                          f"are passed is Cython's own affair; declare two methods")
    if type_.has_varargs:
        error(method.pos, f"method '{name}' of an interface cannot have '...'")
    if type_.exception_check == "+":
        error(method.pos, f"method '{name}' of an interface cannot be 'except +': C++ exceptions do not "
                          f"cross libraries; catch them in the method and raise")
    if cpdef and type_.nogil:
        error(method.pos, f"method '{name}' of an interface cannot be cpdef and nogil: Cython needs the "
                          f"GIL to look for an override; declare it with cdef")
    for argument in [*type_.args, None]:
        found = argument.type if argument is not None else type_.return_type
        reason = _excluded(found)
        if reason:
            where = f"argument '{argument.name}'" if argument is not None else "the result"
            error(method.pos, f"{where} of method '{name}' of an interface cannot be {reason}")


def _excluded(type_):
    if type_.is_fused:
        return f"of a fused type, '{type_}': declare a method for each type"
    if type_.is_memoryviewslice:
        return (f"a memoryview, '{type_}': its layout is Cython's own affair; pass a pointer and a "
                f"length, or an object")
    if type_.is_reference or getattr(type_, "is_rvalue_reference", False):
        return f"a C++ reference, '{type_}': pass a pointer"
    if type_.is_cpp_class:
        return f"a C++ object, '{type_}': pass a pointer"
    return ""


# ------------------------------------------------------------------- the implementation

def _take_bases(node, env):
    """Take the interfaces out of the bases of a class, which Cython knows nothing of."""
    if not node.bases or not node.bases.args or not env.is_module_scope:
        return
    said, kept = ClassNodeFacts.known(node), []
    for base in node.bases.args:
        type_ = base.analyse_as_type(env)
        if not is_interface(type_):
            kept.append(base)
            continue
        said = ClassNodeFacts.of(node)
        if type_ in [known for known, _ in said.implements]:
            error(base.pos, f"'{node.class_name}' names interface '{type_.name}' twice")
        else:
            said.implements = [*said.implements, (type_, base.pos)]
    if len(kept) < len(node.bases.args):
        if said.declaration is None and not said.is_hidden:     # it has slots, so it is extensible
            said.declaration = Declaration(node.pos)
            said.declaration.is_marked = said.declaration.for_interfaces = True
        node.bases.args = kept
        entry = getattr(node, "entry", None)
        if entry is not None and entry.type.is_extension_type and len(kept) < 2:
            entry.type.multiple_bases = False


def _analyse_implementation(node, env):
    said = ClassNodeFacts.known(node)
    entry = getattr(node, "entry", None)
    if entry is None or entry.type is None or not entry.type.is_extension_type:
        return
    type_ = entry.type
    if said.implements:
        facts = ClassFacts.of(type_)
        if not node.in_pxd and entry.defined_in_pxd:
            for interface, pos in said.implements:
                if interface not in facts.implements:
                    error(pos, f"'{node.class_name}' is defined in the .pxd, which does not list interface "
                               f"'{interface.name}' among its bases; add it there, so that modules that "
                               f"cimport the class know")
        facts.implements = [*facts.implements, *(
            interface for interface, _ in said.implements if interface not in facts.implements)]
    if node.in_pxd or node.body is None or type_.scope is None:
        return
    positions = dict(said.implements)
    for interface in tables_of(type_):
        _check_implementation(node, type_, interface, positions.get(interface, node.pos))


def tables_of(type_):
    """The interfaces that a class publishes a table for, with none that another one extends.

    Those that it names, and those of its bases of which it overrides a method.
    """
    wanted = list(own_interfaces(type_))
    own = {entry.name for entry in type_.scope.cfunc_entries if function_of(type_, entry)}
    for interface in implemented_by(type_.base_type) if type_.base_type is not None else ():
        if own & {method.name for method in interface.scope.cfunc_entries}:
            wanted.append(interface)
    return [interface for i, interface in enumerate(wanted)
            if not any(other is not interface and interface in other.chain()
                       for other in wanted) and interface not in wanted[:i]]


def function_of(type_, entry):
    """The name of the C function with which a class itself implements a method, or None.

    The entry of a method that a class overrides is that of its base, with another function.
    """
    own = type_.scope.mangle(Naming.func_prefix, entry.name)
    return entry.func_cname if entry.func_cname and (
        not entry.is_inherited or entry.func_cname == own) else None


def slots_of(type_):
    """[(interface whose ID a slot has, interface whose table it leads to)] of a class."""
    found = {}
    for table in tables_of(type_):
        for interface in table.chain():
            found.setdefault(interface, table)
    return list(found.items())


def methods_of(interface):
    """The entries of an interface's methods, in the order of the table.

    As the scope of the interface knows them: the C name of an inherited one is a path.
    """
    return list(interface.scope.cfunc_entries)


def implementation_of(type_, method):
    """The entry of the C method of a class that implements a method, or None."""
    entry = type_.scope.lookup_here(method.name)
    return entry if entry is not None and entry.is_cmethod and not entry.type.is_fused else None


def _check_implementation(node, type_, interface, pos):
    for method in methods_of(interface):
        expected = shown(method, interface)
        found = type_.scope.lookup_here(method.name)
        mine = implementation_of(type_, method)
        if mine is None:
            what = "has no C method" if found is None else "has a"
            if found is not None:
                what = ("has a Python method" if found in type_.scope.pyfunc_entries
                        else "has fused methods" if found.is_cmethod else "has an attribute")
            error(pos if found is None else found.pos,
                  f"'{type_.name}' names interface '{interface.name}', but {what} '{method.name}'; "
                  f"expected '{expected}'")
            continue
        difference = _difference(mine, method)
        if not difference and method.name in interface.cpdefs and not mine.type.is_overridable:
            difference = "Python code cannot call it"
        if difference:
            where = mine.pos if mine.pos and mine.pos[0] is node.pos[0] else pos
            error(where, f"method '{method.name}' of '{type_.name}' cannot implement that of interface "
                         f"'{interface.name}': {difference}; found '{shown(mine)}', expected "
                         f"'{expected}'")


def shown(entry, interface=None):
    """A signature as a person would write it."""
    from .vtables import named_alike
    type_ = entry.type
    arguments = ["self"] + [_argument_text(a) for a in type_.args[1:]]
    text = f"{_type_text(type_.return_type)} {entry.name}({', '.join(arguments)}{named_alike(exceptions(type_))}"
    overridable = (type_.is_overridable if interface is None or not is_interface(interface)
                   else entry.name in interface.cpdefs)
    return f"{'cpdef' if overridable else 'cdef'} {text}"


def _argument_text(argument):
    return f"{_type_text(argument.type)} {argument.name}".strip()


def _type_text(type_):
    if type_.is_builtin_type and type_.name == "unicode":        # Cython 3.0's word
        return "str"
    return type_.declaration_code("", pyrex=1).replace("  ", " ").replace(" *", "*").strip()


def exceptions(type_):
    """`)` and what follows it in a signature."""
    text = ")"
    value, check = type_.exception_value, type_.exception_check
    if not type_.return_type.is_pyobject:
        if value is not None:
            from .vtables import _constant
            constant = _constant(value)
            shown_value = "NULL" if type_.return_type.is_ptr and constant == "0" else constant
            text += f" except{'?' if check else ''} {shown_value}"
        else:
            text += " except *" if check else " noexcept"
    return text + (" nogil" if type_.nogil else "")


def _difference(mine, method):
    """What keeps a method of a class from implementing one of an interface, or ""."""
    have, want = mine.type, method.type
    if have.is_static_method:
        return "it is static"
    if have.optional_arg_count or have.has_varargs:
        return "it has optional arguments"
    if len(have.args) != len(want.args):
        return f"it takes {len(have.args) - 1} arguments, not {len(want.args) - 1}"
    if not _same(have.return_type, want.return_type):
        return "the results differ"
    for a, b in zip(have.args[1:], want.args[1:]):
        if not _same(b.type, a.type):
            return f"argument '{a.name or b.name}' differs"
    if want.nogil and not have.nogil:
        return "it needs the GIL"
    return _exception_difference(have, want)


def _same(given, taken):
    """May a value of one type, which is given, stand where the other one is taken?

    C types must be the same; an object may be of a subclass.
    """
    if given.is_pyobject and taken.is_pyobject:
        return bool(given.same_as(taken) or taken is PyrexTypes.py_object_type
                    or (given is not PyrexTypes.py_object_type and given.subtype_of(taken)))
    given, taken = _plain(given), _plain(taken)
    return bool(given.same_as(taken))


def _plain(type_):
    """Without a `const` of the value itself, which does not matter to who calls."""
    if getattr(type_, "is_cv_qualified", False) or getattr(type_, "is_const", False):
        return getattr(type_, "cv_base_type", None) or type_.const_base_type
    return type_


def _exception_difference(have, want):
    """Would a caller of *want* miss an exception of *have*, or see one that is none?"""
    from .vtables import _constant
    if want.return_type.is_pyobject:
        return ""
    mine = None if have.exception_value is None else _constant(have.exception_value)
    wanted = None if want.exception_value is None else _constant(want.exception_value)
    if have.exception_check == "+":
        return "it throws C++ exceptions"
    if have.exception_check == want.exception_check and mine == wanted:
        return ""
    if want.exception_check and wanted is None:  # except *: the caller always asks
        return ""
    if not have.exception_check and mine is None and want.exception_check:
        return ""                                # noexcept: the caller asks in vain
    if mine is not None and mine == wanted and want.exception_check:
        return ""                                # except -1 for except? -1
    return "it reports exceptions in another way"
