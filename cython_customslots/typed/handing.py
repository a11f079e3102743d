# SPDX-License-Identifier: MIT
"""Passes C functions to other libraries, in the form that each of them takes.

All results keep the callable that the function belongs to.  Some libraries cannot handle a function
that may raise, needs the GIL or takes a context.  Such a function is refused with an explanation
or, if the caller says unraisable=True, wrapped.
"""
import copyreg
import functools
import importlib
import re
import sys

from ..python.showing import show
from . import _typed, callbacks
from .ctext import canonical, prototype, spell, split
from .foreign import look

__all__ = ["address", "adapt", "as_ctypes", "as_lowlevelcallable", "as_numba", "capsule",
           "explain", "resolve", "signatures"]

_CTX = _typed.CTX_FIRST | _typed.CTX_LAST
_is_callable = callable
IS_PYPY = sys.implementation.name == "pypy"


class Pointer:
    """What direct(f, checks=False) gives on PyPy: each function's has a class of its own, whose
    __call__ is a cffi pointer, so that no Python code is in between."""

    def __repr__(self):
        return f"<direct call of {show(self.__wrapped__)}, without checks>"


def _inside(callable):
    """What a Pointer was made of; anything else itself, whatever it says that its __class__ is."""
    return callable.__wrapped__ if issubclass(type(callable), Pointer) else callable


def _import(name, function):
    """The module of the library that *function* makes something for."""
    library = name.partition(".")[0]
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != library:
            raise                               # something that the library itself needs
        raise ModuleNotFoundError(f"{function}: found no {library} in this environment, expected the "
                                  f"library that takes what is made: pip install {library}",
                                  name=library) from error


# ------------------------------------------------------------------------------- finding --

def resolve(callable, signature=None, *, nogil=None, noexcept=None):
    """Return an object in which C code finds the C function of *callable*.

    *callable* itself if it is typed: a function with a record, a method of one, an object
    with the native-call slot.  Otherwise a TypedFunction, which has the slot and keeps
    *callable*, for these kinds:

    ctypes functions (argtypes and restype set), cffi functions, numba cfuncs and objects with
    WrapperAddressProtocol, SciPy's LowLevelCallable, capsules named with a C prototype as in
    __pyx_capi__ (what needs skip_dispatch gets it).  With *signature*, which is trusted: ctypes
    functions without argtypes, capsules with other names, f2py functions; and pairs (address,
    signature).

    *nogil*: the function may be called without the GIL.  *noexcept*: it never raises.  The default
    is what its kind promises; capsules promise neither.

    TypeError and ValueError say what was found and what to do."""
    callable = _inside(callable)
    if _typed.signatures(callable):
        if signature is not None:
            number = _typed.parse(canonical(signature))
            if _typed.find(callable, number) is None:
                raise TypeError(f"{show(callable)}: {_typed.why_not(callable, number)}")
        if nogil is not None or noexcept is not None:
            raise TypeError(f"{show(callable)}: found a typed function, which says itself "
                            "whether it needs the GIL and raises; expected no nogil= and "
                            "noexcept=")
        return callable
    found = look(callable, signature, nogil, noexcept)
    if found is None:
        raise TypeError(f"{show(callable)}: {_why_nothing(callable)}; expected one that has a C function, such as a "
                        "cpdef function or a numba.cfunc")
    return found.make(callable)


def adapt(callable, signature=None):
    """The TypedFunction for a callable of a kind that resolve() knows or, with a signature, also for those
    that adapt_any() finds a C function in; None for any other, and for objects that cannot be called.  For
    consumers that accept everything: they ask Find first, then this, then call Python, as
    PyTypedCallable_Init() does.  Signatures that only a caller claims are not accepted here, so pairs
    (address, signature) are not."""
    if type(callable) is tuple:
        return None
    if _inside(callable) is not callable:
        return _inside(callable)
    try:
        found = look(callable)
        made = found and found.make(callable)
        if made and (signature is None or _typed.find(made, _typed.parse(canonical(signature))) is not None):
            return made
    except (TypeError, ValueError):
        pass
    return None if signature is None else callbacks.adapt_any(callable, ((canonical(signature), None),))


def _why_nothing(callable):
    words = callbacks.why_nothing(callable, "void()")
    if not words:
        return "found no C function that is known here"
    return f"found no C function: {words.replace(f'{show(callable)} is', 'it is', 1)}"


def _remade(original, signatures):
    """A TypedFunction that was pickled."""
    made = callbacks.adapt_any(original, [(text, None) for text in signatures])
    return resolve(original) if made is None else made


def _reduce(function):
    original = function.original
    if type(original) is tuple:                 # and what it keeps beside the callable; or (address, signature)
        original = original[0]
    if isinstance(original, int):
        raise TypeError(f"pickle: found {function!r}, whose C function is known by its address alone, which is another "
                        f"one in each process; expected a function that can be found by its name")
    return _remade, (original, function.signatures)


copyreg.pickle(_typed.TypedFunction, _reduce)


def _typed_of(callable, signature=None):
    """The object that C can look into: the callable itself, or a TypedFunction made for it."""
    callable = _inside(callable)
    if _typed.signatures(callable):
        return callable
    return resolve(callable, signature)


def signatures(callable):
    """The signatures under which C finds a function in *callable*: canonical texts, best first.

    [] for a callable of no known kind; TypeError for one of a known kind whose signature is
    unknown."""
    callable = _inside(callable)
    found = _typed.signatures(callable)
    if found:
        return list(found)
    found = look(callable)
    return [] if found is None else list(_typed.signatures(found.make(callable)))


class _Entry:
    """One C function: what Find gives, with the callable that keeps it."""

    __slots__ = ("owner", "text", "number", "address", "context", "flags", "error")

    def __init__(self, owner, text):
        self.owner, self.text, self.number = owner, text, _typed.parse(text)
        found = _typed.find(owner, self.number)
        if found is None:
            raise TypeError(f"{show(owner)}: {_typed.why_not(owner, self.number)}")
        self.address, self.context, self.flags, self.error = found

    @property
    def is_quiet(self):
        """Can libraries call it that know neither the GIL nor exceptions?"""
        return bool(self.flags & _typed.NOGIL) and not self.flags & _typed.RAISES

    def words(self):
        flags, words = self.flags, []
        words.append("needs no GIL" if flags & _typed.NOGIL else "needs the GIL")
        words.append({0: "raises nothing", _typed.RAISES_VALUE: "returns a value of its own when it "
                      "raises", _typed.RAISES_MAYBE: "may return a certain value when it raises",
                      _typed.RAISES_ANY: "may raise, whatever it returns"}[flags & _typed.RAISES])
        if flags & _CTX:
            words.append("takes a context " + ("before its arguments" if flags & _typed.CTX_FIRST
                                               else "behind its arguments"))
        if flags & _typed.UNVERIFIED:
            words.append("its signature is the caller's word")
        return ", ".join(words)


def _entry(callable, signature, function):
    """The entry that is meant; without a signature the only one, of which the first form of its arrays serves most."""
    owner = _typed_of(callable, signature)
    if signature is None:
        offered = _typed.signatures(owner)
        if len({_ARRAY.sub(r"\2[]", text) for text in offered}) != 1:
            raise TypeError(f"{function}({show(callable)}): found {len(offered)} signatures, "
                            f"{'; '.join(offered)}; say which one is meant, signature={offered[0]!r} for example")
        return _Entry(owner, offered[0])
    return _Entry(owner, canonical(signature))


def address(callable, signature=None):
    """The address of the C function, as an int: valid while *callable* lives, which is up to the
    caller.  Not for bound methods: they are more than an address."""
    entry = _entry(callable, signature, "address")
    _refuse_context(entry, "address", "an address alone")
    return entry.address


def _refuse_context(entry, function, consumer):
    if entry.flags & _CTX:
        raise TypeError(f"{function}({show(entry.owner)}): {entry.text} takes a context (the object "
                        f"that a method is bound to, or what a closure holds), which {consumer} "
                        "cannot carry; hand on a function without one, or use as_lowlevelcallable(), which "
                        "has room for it")


def capsule(callable, signature=None, name=None):
    """A capsule of the C function, which keeps *callable* alive.

    Its name is *name*, by default the C prototype as this machine's C spells it.  The
    context of functions that take one behind their arguments is the capsule's context, and
    the prototype ends in `void *`, as SciPy has it.  A consumer must not change the name."""
    entry = _entry(callable, signature, "capsule")
    if entry.flags & _typed.CTX_FIRST:
        _refuse_context(entry, "capsule", "a capsule, whose context comes last,")
    if name is None:
        text = entry.text
        if entry.flags & _typed.CTX_LAST:
            text = _with_pointer(text)
        name = spell(text)
    elif not isinstance(name, str) or "\0" in name:
        raise TypeError(f"capsule: found the name {show(name)}, expected a str without NUL")
    return _typed.capsule(entry.owner, entry.number, name, False)


def _quiet(callable):
    """The text for the function that libraries expect which look neither for exceptions nor for the GIL."""
    asked = callable.func if type(callable) is functools.partial else callable
    words = "Expected a function that is noexcept and nogil"
    if type(asked) is not _typed.TypedFunction and _typed.signatures(asked):
        return words                            # it says itself what it needs
    return f"{words}: if this one is, say so, typed.resolve(f, nogil=True, noexcept=True)"


def _with_pointer(text):
    return text[:-1] + ("pointer)" if text.endswith("()") else ", pointer)")


# -------------------------------------------------------------------------------- ctypes --

_CTYPES = {"void": None, "bool": "c_bool", "i1": "c_int8", "i2": "c_int16", "i4": "c_int32",
           "i8": "c_int64", "u1": "c_uint8", "u2": "c_uint16", "u4": "c_uint32", "u8": "c_uint64",
           "f4": "c_float", "f8": "c_double", "f16": "c_longdouble", "pointer": "c_void_p",
           "object": "py_object", "c8": "c_float_complex", "c16": "c_double_complex",
           "c32": "c_longdouble_complex"}


def _ctypes_prototype(text, *, python, before=(), behind=()):
    import ctypes
    kinds = []
    for name in split(text):
        if name not in _CTYPES:
            raise TypeError(f"{text}: found an array, {name}, which is a struct of its caller; expected numbers and "
                            "pointers. SciPy's quad and filters take such functions by as_lowlevelcallable(), and "
                            "numba by as_numba()")
        kind = _CTYPES[name]
        if kind is not None and not hasattr(ctypes, kind):
            raise TypeError(f"{text}: ctypes of this Python has no type for {name}, expected one "
                            "of 3.14 or later with complex numbers")
        kinds.append(kind if kind is None else getattr(ctypes, kind))
    make = ctypes.PYFUNCTYPE if python else ctypes.CFUNCTYPE
    return make(kinds[0], *before, *kinds[1:], *behind)


def _as_ctypes(entry, before=(), behind=()):
    if IS_PYPY and (not entry.is_quiet or "object" in entry.text):
        raise TypeError(f"{show(entry.owner)}: {entry.text} {entry.words()}; PyPy's ctypes calls without "
                        "the GIL and looks for no exception, and has no objects. Expected a function of "
                        "numbers that is noexcept and nogil; direct() calls others")
    # PYFUNCTYPE: the GIL is kept, and an exception is raised.
    kind = _ctypes_prototype(entry.text, python=not entry.is_quiet, before=before, behind=behind)
    function = kind(entry.address)
    function._customslots_keep = entry.owner
    return function


def as_ctypes(callable, signature=None):
    """A ctypes function for the C function; it keeps *callable* alive.

    ctypes releases the GIL for the call if the function needs no GIL and never raises; otherwise
    it keeps the GIL and raises the function's exceptions."""
    entry = _entry(callable, signature, "as_ctypes")
    _refuse_context(entry, "as_ctypes", "a ctypes function pointer")
    return _as_ctypes(entry)


def _boxed(entry):
    """A Python function that calls this very entry."""
    if not entry.flags & _CTX:
        return _as_ctypes(entry)
    import ctypes
    kinds, context = (ctypes.c_void_p,), entry.context
    if entry.flags & _typed.CTX_FIRST:
        return functools.partial(_as_ctypes(entry, before=kinds), context)
    function = _as_ctypes(entry, behind=kinds)
    return lambda *arguments: function(*arguments, context)


def _python_caller(function):
    """What a TypedFunction calls for Python."""
    original = function.original
    if type(original) is tuple and _is_callable(original[0]):
        original = original[0]                  # with what keeps the C function's data
    if _is_callable(original) and type(original).__name__ != "fortran":
        return original
    return _boxed_weakly(function)


def _boxed_weakly(function):
    # The function holds its caller: this one must not hold the function.
    entry = _Entry(function, function.signatures[0])
    entry.owner = function.original
    return _boxed(entry)


def _callback(callable, text):
    """A C function pointer that calls Python, for libraries that know neither the GIL nor
    exceptions: ctypes takes the one and reports the others to sys.unraisablehook."""
    if "object" in text or any(name.startswith("c") for name in split(text)):
        raise TypeError(f"{text}: a wrapper for unraisable errors passes numbers and pointers, found others")
    return _ctypes_prototype(text, python=False)(callable)


# --------------------------------------------------------------------------------- SciPy --

_INTP = _typed.C_TYPES["Py_ssize_t"]

#: What SciPy calls our types: quad; generic_filter, generic_filter1d, geometric_transform.
_SCIPY = {
    "f8(f8)": "double (double)",
    "f8(f8, pointer)": "double (double, void *)",
    "f8(i4, pointer)": "double (int, double *)",
    "f8(i4, pointer, pointer)": "double (int, double *, void *)",
    f"i4(pointer, {_INTP}, pointer, pointer)": "int (double *, npy_intp, double *, void *)",
    f"i4(pointer, {_INTP}, pointer, {_INTP}, pointer)":
        "int (double *, npy_intp, double *, npy_intp, void *)",
    "i4(pointer, pointer, i4, i4, pointer)": "int (npy_intp *, double *, int, int, void *)",
}


_ARRAY = callbacks.ARRAY

#: Those that may be functions of arrays, without user data: the signature of such a function.
_OF_ARRAYS = {
    "f8(i4, pointer)": "f8(f8[::1])",
    f"i4(pointer, {_INTP}, pointer)": "f8(f8[::1])",
    f"i4(pointer, {_INTP}, pointer, {_INTP})": "void(f8[::1], f8[::1])",
    "i4(pointer, pointer, i4, i4)": f"void({_INTP}[::1], f8[::1])",
}


def _spelled(text):
    """A C prototype with the spaces that SciPy writes: it compares texts."""
    text = " ".join(re.findall(r"\w+|[*(),]", text))
    return (text.replace("( ", "(").replace(" )", ")").replace(" ,", ",").replace("* *", "**"))


def _texts_of_arrays():
    return ("functions of arrays serve those that say how long they are: "
            + "; ".join(f"{taken} '{_SCIPY[_with_pointer(form)]}'" for form, taken in _OF_ARRAYS.items()))


def _scipy_text(text, function):
    if "[" in text:
        raise TypeError(f"{function}: found {text}, expected the C text that the consumer compares as the signature; "
                        f"{_texts_of_arrays()}")
    if text not in _SCIPY:
        raise TypeError(f"{function}: found {text}, which SciPy may call by several names: it "
                        "compares C texts, not types; pass the text that the consumer expects, for "
                        f"example {spell(text)!r}")
    return _SCIPY[text]


def as_lowlevelcallable(callable, signature=None, *, user_data=None, unraisable=False):
    """A scipy.LowLevelCallable; it keeps *callable* alive.

    SciPy compares C texts.  *signature* may be such a text, `double (int, double *)`; for a
    canonical one, or none, the text comes from a table of what SciPy's own functions expect, and
    one that is not in the table must be given.  A context (bound methods, closures) becomes the user
    data, and so `void *` is the last argument then.  A functools.partial with numbers bound by position
    becomes a C function as in PyTypedCallable_InitAny().

    SciPy takes no GIL and looks for no exceptions, so the function must be noexcept and nogil;
    with *unraisable* any other function is wrapped, even a Python one, and its errors go to
    sys.unraisablehook.

    Functions of arrays serve those that call with addresses and lengths: f8(const f8[::1]) quad's `double (int,
    double *)`, and generic_filter's `int (double *, npy_intp, double *)`, where it gives the value; void(const
    f8[::1], f8[::1]) generic_filter1d's `int (double *, npy_intp, double *, npy_intp)`; and void(const i8[::1],
    f8[::1]), from indices to coordinates, geometric_transform's `int (npy_intp *, double *, int, int)`."""
    function = f"as_lowlevelcallable({show(callable)})"
    LowLevelCallable = _import("scipy", function).LowLevelCallable
    text = None
    if signature is not None:
        wanted = canonical(signature)
        if wanted not in signature and "->" not in signature:
            text = _spelled(prototype(signature) and signature)
    given = callable
    if type(callable) is functools.partial:
        callable = _bound(callable, None if signature is None else wanted, unraisable)
    if signature is None:
        wanted = _entry(callable, None, "as_lowlevelcallable").text
    owner, inner = _lowlevel_owner(callable, wanted, unraisable)
    if owner is None:                           # no C function at all
        text = text or _scipy_text(wanted, function)
        _expect_no_lost_data(user_data, text, function)
        return LowLevelCallable(_callback(callable, wanted), user_data, text)
    entry = _Entry(owner, inner)
    if not entry.is_quiet and not unraisable:
        raise TypeError(f"{function}: {entry.text} {entry.words()}; SciPy calls without the GIL and "
                        f"does not look for exceptions. {_quiet(given)}; or unraisable=True: then "
                        "errors go to sys.unraisablehook, and SciPy sees the function's error value")
    if inner == wanted and not entry.flags & _CTX and entry.is_quiet:
        given = text or _SCIPY.get(wanted)
        if given is None and _with_pointer(wanted) not in _SCIPY:
            given = _scipy_text(wanted, function)
        if given is not None:
            _expect_no_lost_data(user_data, given, function)
            made = _typed.capsule(owner, entry.number, given, False)
            return LowLevelCallable(made, user_data)
    if user_data is not None:
        raise TypeError(f"{function}: found user_data, which this function's wrapper needs itself; "
                        "expected a C function that takes it as its last argument")
    form = _without_data(wanted)
    if "[" in inner:
        of_scipy = _SCIPY[_with_pointer(form)]
        if text is not None and _pointees(text) != _pointees(of_scipy):
            raise TypeError(f"{function}: found '{text}', expected pointers to the same as in '{of_scipy}'")
        return LowLevelCallable(_typed.capsule(owner, entry.number, of_scipy, True, _typed.parse(form)))
    # The context is SciPy's user data.
    with_data = wanted if inner != wanted else _with_pointer(wanted)
    if text is not None and inner == wanted and not text.endswith("void *)"):
        text = text[:-1] + (", void *)" if not text.endswith("()") else "void *)")
    text = text or _scipy_text(with_data, function)
    direct = entry.is_quiet and entry.flags & _typed.CTX_LAST
    try:
        made = _typed.capsule(owner, entry.number, text, not direct)
    except LookupError:
        if inner == wanted and not entry.flags & _CTX:
            return LowLevelCallable(_callback(_boxed(entry), wanted), None,
                                    _scipy_text(wanted, function))
        raise TypeError(f"{function}: no wrapper for {entry.text} is built in; there are some "
                        "for what SciPy's own functions call") from None
    return LowLevelCallable(made)


def _bound(partial, wanted, unraisable):
    """The C function of a partial; with *unraisable* the partial itself if it has none that is quiet."""
    count = len(partial.args)
    texts = [wanted] if wanted is not None else [
        f"{result}({', '.join(arguments[count:])})"
        for result, *arguments in map(split, signatures(partial.func)) if len(arguments) >= count]
    try:
        made = callbacks.find(partial, [(text, None) for text in texts] or [("void()", None)])
    except (TypeError, ValueError):
        if unraisable:
            return partial
        raise
    entry = next(_Entry(made, text) for text in texts if _typed.find(made, _typed.parse(text)) is not None)
    return made if entry.is_quiet or not unraisable else partial


def _expect_no_lost_data(user_data, text, function):
    """SciPy drops without a word what the C text has no place for."""
    if user_data is not None and not text.endswith("void *)"):
        raise TypeError(f"{function}: found user_data, for which '{text}' has no argument; expected "
                        "a function whose last argument is a 'void *'")


def _lowlevel_owner(callable, wanted, unraisable):
    """The object that has the C function, and its signature there: the one that is wanted, or that
    without its last pointer, which is then the context."""
    texts = [wanted]
    if wanted.endswith("pointer)"):
        texts.append(re.sub(r"(, )?pointer\)$", ")", wanted))
    if (form := _without_data(wanted)) is not None:
        texts.append(_OF_ARRAYS[form])
    try:
        owner = _typed_of(callable)
    except TypeError:
        if unraisable and _look_quietly(callable) is None and _is_callable(callable):
            return None, None
        owner = _typed_of(callable, wanted)     # what it declares, or what the caller states
    for text in texts:
        if _typed.find(owner, _typed.parse(text)) is not None:
            return owner, text
    if unraisable and _is_callable(callable):
        return None, None
    more = f"; {_texts_of_arrays()}" if any("[" in text for text in _typed.signatures(owner)) else ""
    raise TypeError(f"{show(callable)}: {_typed.why_not(owner, _typed.parse(wanted))}{more}")


def _without_data(text):
    """A signature that a function of arrays may serve, without user data; None: none."""
    return next((form for form in _OF_ARRAYS if text in (form, _with_pointer(form))), None)


def _pointees(text):
    """What the pointers of a C text are to, without user data."""
    return [word for word in callbacks.pointees(text) if word not in (None, "void")]


def _look_quietly(obj):
    try:
        return look(obj)
    except (TypeError, ValueError):
        return None


# --------------------------------------------------------------------------------- numba --

_NUMBA = {"void": "void", "bool": "boolean", "i1": "int8", "i2": "int16", "i4": "int32",
          "i8": "int64", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
          "f4": "float32", "f8": "float64", "c8": "complex64", "c16": "complex128",
          "pointer": "voidptr"}


@functools.lru_cache(maxsize=None)
def _numba_class():
    import numba.experimental.function_type  # noqa: F401 (teaches numba the protocol)
    from numba.core import types

    class NumbaFunction(types.WrapperAddressProtocol):
        """A C function for numba's jitted functions, which must keep errors to itself."""

        def __init__(self, owner, address, signature, text, unraisable):
            self.owner, self._address, self._signature, self._unraisable = owner, address, signature, unraisable
            self.__name__ = getattr(owner, "__name__", "function")
            self._text = text

        def __wrapper_address__(self):
            return self._address

        def signature(self):
            return self._signature

        def __call__(self, *arguments):
            return self.owner(*arguments)

        def __reduce__(self):
            return functools.partial(as_numba, unraisable=self._unraisable), (self.owner, self._text)

        def __repr__(self):
            return f"<NumbaFunction {self._text} of {show(self.owner)}>"

    return NumbaFunction


def _compiled(entry, made):
    """A C function with the signature *made* that numba compiles: in its code the context is a number, arrays of
    numba's become those of C, and what may raise has the GIL and loses its errors."""
    import ctypes

    import numba

    from . import intrinsics
    numbers = _ARRAY.sub("pointer", entry.text)
    kinds, context = ((ctypes.c_size_t,), [str(entry.context)]) if entry.flags & _CTX else ((), [])
    is_first = entry.flags & _typed.CTX_FIRST
    pointer = _ctypes_prototype(numbers, python=False, before=kinds if is_first else (),
                                behind=() if is_first else kinds)(entry.address)
    names = [f"a{i}" for i in range(len(made.args))]
    given = [f"lent({name})" if "[" in word else name for name, word in zip(names, split(entry.text)[1:])]
    space = {"pointer": pointer, "lent": intrinsics.lent, "enter": intrinsics.enter, "leave": intrinsics.leave}
    call = f"pointer({', '.join(context + given if is_first else given + context)})"
    body = f"return {call}" if entry.is_quiet else f"state = enter(); result = {call}; leave(state); return result"
    exec(f"def function({', '.join(names)}): {body}", space)
    return numba.cfunc(made)(space["function"])


def _numba_type(types, name, text, function):
    """Numba's of one of ours: an array is one of numba's own, in jitted code f(x)."""
    found = _ARRAY.fullmatch(name)
    word = found[2] if found else name
    if word not in _NUMBA:
        raise TypeError(f"{function}: found {text}; numba's functions take no {name}")
    made = getattr(types, _NUMBA[word])
    return types.Array(made, 1, "C" if found[3] == "::1" else "A", readonly=bool(found[1])) if found else made


def as_numba(callable, signature=None, *, unraisable=False):
    """An object with numba's WrapperAddressProtocol: an argument for jitted functions, or a
    global of theirs (which must then stay there).

    The function must be noexcept and nogil; around one that takes a context, or arrays, numba compiles
    another.  With *unraisable* any callable of numbers is wrapped, and any compiled one of arrays: it is called with
    the GIL, and its errors go to sys.unraisablehook.  numba's name of a `pointer` is voidptr; in jitted code that of
    an array is `a.ctypes`."""
    function = f"as_numba({show(callable)})"
    types = _import("numba.core.types", function)
    if signature is not None and unraisable and not _offers(callable, canonical(signature)):
        text, entry = canonical(signature), None
    else:
        entry = _entry(callable, signature, "as_numba")
        text = entry.text
    of_numba = [_numba_type(types, name, text, function) for name in split(text)]
    made = of_numba[0](*of_numba[1:])
    if entry is not None and (entry.is_quiet or unraisable and "[" in text):
        pointer = _compiled(entry, made) if entry.flags & _CTX or "[" in text else entry
        wrapper = _numba_class()(entry.owner, pointer.address, made, text, not entry.is_quiet)
        wrapper._compiled = pointer             # which lives as long
        return wrapper
    if not unraisable:
        raise TypeError(f"{function}: {text} {entry.words()}; numba calls without looking for "
                        f"exceptions, and maybe without the GIL. {_quiet(callable)}; or unraisable=True: then it is "
                        "called with the GIL, and errors go to sys.unraisablehook")
    target = callable if entry is None else _boxed(entry)
    pointer = _callback(target, text)
    import ctypes
    wrapper = _numba_class()(callable, ctypes.cast(pointer, ctypes.c_void_p).value, made, text, True)
    wrapper._compiled = pointer
    return wrapper


def _offers(callable, text):
    try:
        owner = _typed_of(callable)
    except TypeError:
        if not _is_callable(callable):
            raise
        return False
    return _typed.find(owner, _typed.parse(text)) is not None


# ------------------------------------------------------------------------------- as text --

def explain(callable, signature=None):
    """Say with which signatures *callable* can be called unboxed, or why it cannot."""
    text = None if signature is None else canonical(signature)
    kind = "a typed function"
    owner = callable = _inside(callable)
    if not _typed.signatures(callable):
        try:
            found, why = look(callable), ""
        except (TypeError, ValueError) as error:
            found, why = None, str(error)
        if found is not None:
            kind, owner = found.kind, found.make(callable)
        elif text is None or type(callable) is tuple:
            return why or f"{show(callable)}: {_why_nothing(callable)}"
        else:
            kind, owner = "compiled or unwrapped for it", adapt(callable, text)
            if owner is None:
                return callbacks.why_not_any(callable, ((text, None),))
    offered = _typed.signatures(owner)
    if text is not None:
        if _typed.find(owner, _typed.parse(text)) is None:
            return f"{show(callable)}: {_typed.why_not(owner, _typed.parse(text))}"
        offered = (text,)
    lines = [f"{show(callable)}, {kind}, can be called unboxed as"]
    entries = [_Entry(owner, each) for each in offered]
    lines += [f"  {entry.text}: {entry.words()}" for entry in entries]
    if not all(entry.flags & _typed.NOGIL for entry in entries):
        lines.append("What needs the GIL takes it in each call of C code that has released it; in Cython, declare the "
                     "function nogil")
    if type(callable) is tuple:
        lines.append("No consumer takes such a pair by itself: hand it resolve(pair)")
    return "\n".join(lines)
