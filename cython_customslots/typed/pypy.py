# SPDX-License-Identifier: MIT
"""Python functions that PyPy's JIT compiles to the call of a C function.

PyPy boxes nothing for a cffi function pointer: the JIT calls it with what is in its registers.
direct(f) makes a Python function around such a pointer to the C function of f. Arguments that are
not exactly what the C function takes go to f itself: another type, a number that does not fit, a
missing argument, a keyword that f does not know. So all checks and errors of arguments are f's
own.

cffi calls without the GIL. An entry that needs it, or that raises, is called through a function of
_typed's, which takes the GIL and keeps the exception until Python can raise it.
"""
import inspect
import keyword
import sys
import types
from contextlib import suppress

from . import _typed
from .ctext import INTEGERS, canonical, split
from .export import IS_PYPY, Pointer, _Entry, _is_callable
from .libraries import _name

__all__ = ["direct", "direct_module"]

#: What cffi calls our types; it does not get others.
_CFFI = {"void": "void", "bool": "_Bool", **{word: f"{name}_t" for word, name in INTEGERS.items()}, "f4": "float",
         "f8": "double"}
#: The arguments that go to C. Cython's functions take ints for floats and bools for ints, too;
#: whether other functions do is not known, so they are called.
_EXACT = {"bool": "type({0}) is bool", "f4": "type({0}) is float", "f8": "type({0}) is float"}
_INT = "type({0}) is int"
_BY_CYTHON = {"bool": "type({0}) is bool", "f4": "type({0}) is float or type({0}) is int",
              "f8": "type({0}) is float or type({0}) is int"}
_INT_BY_CYTHON = "type({0}) is int or type({0}) is bool"

#: More arguments would make a long function of it, for calls that cost more elsewhere.
_MAX_ARGUMENTS = 11

#: Words of the code below, which no parameter may take.
_WORDS = {"type", "int", "bool", "float", "OverflowError", "TypeError"}

_absent = object()


# ------------------------------------------------------------------------- one entry --

class _Call:
    """How Python code calls an entry: names that its code uses, and what they stand for."""

    def __init__(self, entry, number):
        self.names = split(entry.text)
        self.number = number
        self.keeper = self.data = self.raised = None
        if entry.flags & (_typed.RAISES | _typed.CTX_FIRST | _typed.CTX_LAST) or not entry.flags & _typed.NOGIL:
            made = _typed.direct(entry.owner, entry.number)
            if made is None:
                raise LookupError("no code that takes the GIL for it is built in")
            self.keeper, address, self.data, self.raised = made
        else:
            self.keeper, address = entry.owner, entry.address
        self.pointer = self._pointer(address)

    def _pointer(self, address):
        import _cffi_backend
        ffi = _cffi_backend.FFI()
        types_ = [_CFFI[name] for name in self.names]
        if self.data is not None:
            types_.append("void *")
            self.data = ffi.cast("void *", self.data)
            self.raised = ffi.cast("int *", self.raised)
        return ffi.cast(f"{types_[0]} (*)({', '.join(types_[1:]) or 'void'})", address)

    def namespace(self):
        """The objects that its lines of code need, by name."""
        found = {f"_call{self.number}": self.pointer, f"_keeper{self.number}": self.keeper}
        if self.data is not None:
            found.update({f"_data{self.number}": self.data, f"_raised{self.number}": self.raised,
                          "_take": _typed.raised})
        return found

    def lines(self, arguments, otherwise, by_cython):
        """Python code that returns the result, or goes on if the arguments are f's business."""
        kinds, of_int = (_BY_CYTHON, _INT_BY_CYTHON) if by_cython else (_EXACT, _INT)
        tests = [f"({kinds.get(name, of_int).format(argument)})"
                 for name, argument in zip(self.names[1:], arguments)]
        number = self.number
        given = [*arguments, *([f"_data{number}"] if self.data is not None else [])]
        yield f"if {' and '.join(tests) or 'True'}:"
        yield "    try:"
        yield f"        _result = _call{number}({', '.join(given)})"
        yield "    except (OverflowError, TypeError):"      # cffi's, before the call: it does not fit
        yield f"        return {otherwise}"
        if self.raised is not None:
            yield f"    if _raised{number}[0]:"
            yield f"        _error = _take(_keeper{number})"
            yield "        if _error is not None:"
            yield "            raise _error"
        yield "    return _result"


def _calls(callable, signature):
    """The calls of the entries behind *callable*, by number of arguments; {} if one of them will not do."""
    texts = _typed.signatures(callable) if signature is None else [canonical(signature)]
    found = {}
    for text in texts:
        entry = _Entry(callable, text)
        names = split(text)
        if (len(names) - 1 in found or len(names) - 1 > _MAX_ARGUMENTS or not _CFFI.keys() >= set(names)
                or "void" in names[1:] or entry.flags & (_typed.CONVERTS | _typed.UNVERIFIED)):
            if signature is None:
                return {}                       # overloads of one length: f knows which is meant
            continue
        try:
            found[len(names) - 1] = _Call(entry, len(names) - 1)
        except LookupError:
            continue
    return found


# ---------------------------------------------------------------------- the function --

def _parameters(callable, count):
    """(names of the first *count* parameters, how many of them are positional only)"""
    anonymous = [f"_{i}" for i in range(count)], count
    try:
        known = list(inspect.signature(callable).parameters.values())
    except (TypeError, ValueError):
        code = getattr(callable, "__code__", None)      # Cython's, with a signature that is not Python's
        try:
            return [*code.co_varnames[:code.co_argcount][:count]], 0
        except (AttributeError, TypeError):
            return anonymous
    names = [parameter.name for parameter in known[:count]]
    kinds = [parameter.kind for parameter in known[:count]]
    positional = kinds.count(inspect.Parameter.POSITIONAL_ONLY)
    plain = kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if len(names) < count or positional + plain < count:
        return anonymous
    return names, positional


def _make(callable, calls):
    most = max(calls)
    names, positional = _parameters(callable, most)
    if len(names) < most or any(name.startswith("_") or name in _WORDS or keyword.iskeyword(name)
                                or not name.isidentifier() for name in names):
        names, positional = [f"_{i}" for i in range(most)], most      # *callable* gets what is named

    def otherwise(values, rest, keywords):
        """What the function itself answers to these arguments."""
        given = list(values)
        while given and given[-1] is _absent:
            given.pop()
        if _absent in given:                    # named ones behind one that is missing
            first = given.index(_absent)
            keywords = {**{name: value for name, value in zip(names[first:], given[first:])
                           if value is not _absent}, **keywords}
            del given[first:]
        return callable(*given, *rest, **keywords)

    own = f"_otherwise(({''.join(f'{name}, ' for name in names)}), _rest, _keywords)"
    parameters = [f"{name}=_absent" for name in names]
    if positional:
        parameters.insert(positional, "/")
    lines = [f"def _direct({', '.join([*parameters, '*_rest', '**_keywords'])}):",
             "    if not _rest and not _keywords:"]
    # Of a module: PyPy's JIT takes a module's names for constants, and looks up names of other dictionaries.
    name = _name(callable, type(callable).__name__)
    namespace = vars(types.ModuleType(f"{__name__} of {name}"))
    namespace.update(_absent=_absent, _otherwise=otherwise)
    by_cython = type(callable).__name__ == "cython_function_or_method"
    for count in sorted(calls, reverse=True):
        tests = [f"{names[count - 1]} is not _absent"] if count else []
        tests += [f"{name} is _absent" for name in names[count:count + 1]]
        lines.append(f"        if {' and '.join(tests) or 'True'}:")
        lines += [f"            {line}" for line in calls[count].lines(names[:count], own, by_cython)]
        namespace.update(calls[count].namespace())
    lines.append(f"    return {own}")
    code = "\n".join(lines)
    exec(compile(code, f"<direct call of {name}>", "exec"), namespace)
    made = _dress(namespace["_direct"], callable)
    made._typedmethod_direct_v1 = made, callable       # for C: find.h
    return made


def _dress(function, callable):
    """Gives a function the visible attributes of *callable*."""
    function.__wrapped__ = callable
    for attribute in "__name__", "__qualname__", "__doc__", "__module__", "__text_signature__":
        with suppress(AttributeError, TypeError):
            setattr(function, attribute, getattr(callable, attribute))
    with suppress(TypeError, ValueError):
        function.__signature__ = inspect.signature(callable)
    return function


def _without_checks(callable, calls):
    """The cffi pointer itself, with the looks of *callable*."""
    call, = calls.values()
    made = type(_name(callable, type(callable).__name__), (Pointer,), {"__call__": call.pointer})()
    made._keeper = call.keeper
    return _dress(made, callable)


def direct(callable, signature=None, *, checks=True):
    """Return *callable* in the form that Python code calls fastest; to its callers it is the same
    function.

    On PyPy a Python function that the JIT compiles to the call of the C function behind *callable*,
    17 to 40 ns instead of 450 to 840. It has the docstring and the name, takes the same keywords, and
    raises the same errors: all arguments but plain numbers that fit go to *callable* itself. On
    CPython, and for functions that take or return anything but numbers, it is *callable* itself.

    *signature* chooses an overload of a function that has several with the same number of
    arguments (Cython's fused functions); the others are then called as before. *checks*: False,
    for a function that is noexcept and nogil and has one signature, leaves out the Python code
    around the call, 5 to 8 ns; then wrong arguments raise cffi's errors, and there are no
    keywords. Also for bound methods, whose receiver the result keeps. TypeError: *callable* does
    not have this signature, or cannot be called."""
    if signature is not None and _typed.find(callable, _typed.parse(canonical(signature))) is None:
        raise TypeError(f"direct: {_typed.why_not(callable, _typed.parse(canonical(signature)))}")
    if not _is_callable(callable):
        raise TypeError(f"direct: found an object of type {type(callable).__name__!r}, expected a callable")
    if not IS_PYPY or issubclass(type(callable), (types.FunctionType, Pointer, type)):
        return callable
    calls = _calls(callable, signature)
    if not calls:
        return callable
    if not checks and len(calls) == 1 and all(call.data is None for call in calls.values()):
        return _without_checks(callable, calls)
    return _make(callable, calls)


def direct_module(module):
    """Replace each function f that *module* defines by direct(f); return how many were replaced.

    *module* is a module or its name: called with `__name__` in the last line of a module, it
    changes nothing for users. The module's own calls of cpdef functions are C calls anyway.
    Functions of other modules stay.  ValueError: there is no imported module of that name."""
    if isinstance(module, str):
        if module not in sys.modules:
            raise ValueError(f"direct_module: found no imported module {module!r}; expected a module, or "
                             "the name of one that is imported, as in direct_module(__name__)")
        module = sys.modules[module]
    if not IS_PYPY:
        return 0
    count = 0
    for name, value in list(vars(module).items()):
        # First: what looks into no object's attributes.
        if not _typed.signatures(value) or getattr(value, "__module__", None) != module.__name__:
            continue
        made = direct(value)
        if made is not value:
            setattr(module, name, made)
            count += 1
    return count
