# SPDX-License-Identifier: MIT
"""Passes C functions to other libraries, in the form that each library takes.

All results keep the callable that the function belongs to.  Some libraries cannot handle a function
that may raise, needs the GIL or takes a context.  Such a function is refused with an explanation
or, if the caller says unraisable=True, wrapped.
"""
import copyreg
import functools
import importlib
import inspect
import re
import sys

from ..python.showing import show
from . import _typed, search
from .ctext import canonical, spell, split
from .libraries import CTYPES, NUMBA, NUMBA_COMPLEX, Wish

__all__ = ["address", "adapt", "as_ctypes", "as_lowlevelcallable", "as_numba", "capsule",
           "explain", "resolve", "signatures"]

_CTX = _typed.CTX_FIRST | _typed.CTX_LAST
_is_callable = callable
IS_PYPY = sys.implementation.name == "pypy"


class Pointer:
    """What direct(f, checks=False) returns on PyPy: an object whose class, made for this one function, has a cffi
    pointer as its __call__, so that no Python code runs in between."""

    def __repr__(self):
        return f"<direct call of {show(self.__wrapped__)}, without checks>"


def _inside(callable):
    """The function that a Pointer calls; any other object is returned as it is, even if its __class__ says Pointer."""
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
    __pyx_capi__ (functions that need skip_dispatch get it).  With *signature*, which they have or are compiled for:
    numba's njit functions, ufuncs, functools.partial() and functools.lru_cache() of all these; without *signature* if
    they have only one.  With *signature*, which is trusted: ctypes functions without argtypes, capsules with other
    names, f2py functions; and pairs (address, signature).

    *nogil*: the function may be called without the GIL.  *noexcept*: it never raises.  The default
    is what its kind promises; capsules promise neither.

    TypeError and ValueError say what was found and what to do."""
    callable, wish = _inside(callable), Wish(signature, nogil, noexcept)
    if signature is not None:
        return _find(callable, _form(signature), wish)
    texts = search.offered(callable)
    made = _find(callable, _first(texts), wish)
    if not set(texts) <= set(_typed.signatures(made)):
        raise _several("resolve", callable, texts)
    return made


def _find(callable, form, wish):
    try:
        return search.find(callable, (form,), wish)
    except search.Unknown:
        raise TypeError(f"{show(callable)}: {_why_nothing(callable)}; expected one that has a C function, such as a "
                        "cpdef function or a numba.cfunc") from None


def _form(signature):
    """A signature as a form: a C prototype stays beside it, because it says what pointers point to."""
    text = canonical(signature)
    return text, signature if _is_c(signature) else None


def _is_c(signature):
    return "->" not in signature and canonical(signature).replace(" ", "") not in signature.replace(" ", "")


def _first(texts):
    return (texts[0] if texts else "void()"), None


def _several(function, callable, texts):
    return TypeError(f"{function}({show(callable)}): found {len(texts)} signatures, {'; '.join(texts)}; say which one "
                     f"is meant, signature={texts[0]!r} for example")


def adapt(callable, signature=None):
    """The TypedFunction for a callable of a kind that resolve() knows, with a signature also for a callable
    that has a C function for it; None for any other, and for objects that cannot be called.  For
    consumers that accept everything: they ask Find first, then this, then call Python, as
    PyTypedCallable_Init() does.  Signatures that only a caller claims are not accepted here, so pairs
    (address, signature) are not."""
    callable = _inside(callable)
    if signature is not None:
        return search.adapt_any(callable, ((canonical(signature), None),))
    if type(callable) is tuple or _typed.signatures(callable):
        return None
    try:
        return resolve(callable)
    except (TypeError, ValueError):
        return None


def _why_nothing(callable):
    words = search.why_nothing(callable, "void()")
    if not words:
        return "found no C function that is known here"
    return f"found no C function: {words.replace(f'{show(callable)} is', 'it is', 1)}"


def _remade(original, signatures):
    """A TypedFunction that was pickled."""
    return search.find(original, [(text, None) for text in signatures])


def _reduce(function):
    original = function.original
    if type(original) is tuple:                 # the callable and what it keeps beside; or (address, signature)
        original = original[0]
    if isinstance(original, int):
        raise TypeError(f"pickle: found {function!r}, whose C function is known by its address alone, which is another "
                        f"one in each process; expected a function that can be found by its name")
    return _remade, (original, function.signatures)


copyreg.pickle(_typed.TypedFunction, _reduce)


def signatures(callable):
    """The signatures under which C finds a function in *callable*: canonical texts, best first.

    [] for a callable of no known kind; TypeError for one of a known kind whose signature is
    unknown."""
    return search.offered(_inside(callable))


class _Entry:
    """One C function: what Find gives, with the callable that keeps it."""

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
        flags = self.flags
        words = ["needs no GIL" if flags & _typed.NOGIL else "needs the GIL",
                 {0: "raises nothing", _typed.RAISES_VALUE: "returns a value of its own when it raises",
                  _typed.RAISES_MAYBE: "may return a certain value when it raises",
                  _typed.RAISES_ANY: "may raise, whatever it returns"}[flags & _typed.RAISES]]
        if flags & _CTX:
            words.append("takes a context " + ("before its arguments" if flags & _typed.CTX_FIRST
                                               else "behind its arguments"))
        if flags & _typed.UNVERIFIED:
            words.append("its signature is the caller's word")
        return ", ".join(words)


def _entry(callable, signature, function):
    """The entry that is meant; without a signature the only one, in the first form of its arrays, which serves
    most."""
    callable = _inside(callable)
    if signature is not None:
        form = _form(signature)
    else:
        texts = signatures(callable)
        if len({_ARRAY.sub(r"\2[]", text) for text in texts}) > 1:
            raise _several(function, callable, texts)
        form = _first(texts)
    return _Entry(_find(callable, form, Wish(signature)), form[0])


def address(callable, signature=None):
    """The address of the C function, as an int: valid while *callable* lives, which is up to the
    caller.  Not for bound methods: they are more than an address."""
    entry = _entry(callable, signature, "address")
    _refuse_context(entry, "address", "an address alone")
    return entry.address


def _refuse_context(entry, function, consumer):
    if entry.flags & _CTX:
        raise TypeError(f"{function}({show(entry.owner)}): {entry.text} takes a context (the object "
                        f"that a method is bound to, what a closure or a partial holds), which {consumer} "
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
    """What libraries expect that look neither for exceptions nor for the GIL, as text."""
    asked = callable.func if type(callable) is functools.partial else callable
    words = "Expected a function that is noexcept and nogil"
    if type(asked) is not _typed.TypedFunction and _typed.signatures(asked):
        return words                            # it says itself what it needs
    return f"{words}: if this one is, say so, typed.resolve(f, nogil=True, noexcept=True)"


def _with_pointer(text):
    return text[:-1] + ("pointer)" if text.endswith("()") else ", pointer)")


# -------------------------------------------------------------------------------- ctypes --

def _ctypes_prototype(text, *, python, before=(), behind=()):
    import ctypes
    kinds = []
    for name in split(text):
        if name not in CTYPES:
            raise TypeError(f"{text}: found an array, {name}, which is a struct of its caller; expected numbers and "
                            "pointers. SciPy's quad and filters take such functions by as_lowlevelcallable(), and "
                            "numba by as_numba()")
        kind = CTYPES[name]
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
    entry = _Entry(function, function.signatures[0])
    entry.owner = function.original             # the function holds its caller, which must not hold the function
    return _boxed(entry)


def _callback(callable, text, entry=None):
    """A C function pointer that calls Python, for libraries that know neither the GIL nor
    exceptions: it takes the GIL, and exceptions go to sys.unraisablehook; after one C gets the error value of
    *entry* or, if that has none, NaN, 0 or NULL."""
    if "object" in text or "[" in text or any(name.startswith("c") for name in split(text)):
        raise TypeError(f"{text}: a wrapper for unraisable errors passes numbers and pointers, found others")
    has_value = entry is not None and entry.flags & _typed.RAISES in (_typed.RAISES_VALUE, _typed.RAISES_MAYBE)
    guarded = _typed.guarded(callable, _typed.parse(text), entry.error if has_value else None)
    return _ctypes_prototype(text, python=False)(guarded)


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


_ARRAY = search.ARRAY

#: Those of which functions of arrays can be made, without user data: the signature of such a function.
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
    canonical one, or none, the text comes from a table of what SciPy's own functions expect; any other
    text must be given.  A context (bound methods, closures) becomes the user data, and `void *` is the
    last argument then.  A functools.partial with numbers bound by position becomes a C function as in
    PyTypedCallable_InitAny().

    SciPy takes no GIL and looks for no exceptions, so the function must be noexcept and nogil;
    with *unraisable* any other function is wrapped, even a Python one, and its errors go to
    sys.unraisablehook; SciPy gets the function's error value, or NaN or 0.

    Functions of arrays serve SciPy functions that call with addresses and lengths: f8(const f8[::1]) serves
    quad's `double (int, double *)`, and generic_filter's `int (double *, npy_intp, double *)`, where it gives
    the value; void(const f8[::1], f8[::1]) serves generic_filter1d's `int (double *, npy_intp, double *,
    npy_intp)`; and void(const i8[::1], f8[::1]), from indices to coordinates, geometric_transform's `int
    (npy_intp *, double *, int, int)`."""
    function = f"as_lowlevelcallable({show(callable)})"
    LowLevelCallable = _import("scipy", function).LowLevelCallable
    if signature is None:
        wanted, given = _entry(callable, None, "as_lowlevelcallable").text, None
    else:
        wanted, given = canonical(signature), _spelled(signature) if _is_c(signature) else None
    text, form = given or _SCIPY.get(wanted), _without_data(wanted)
    entry = _scipy_entry(callable, wanted, text, unraisable)
    if entry is None:                           # Python is called
        _expect_no_lost_data(user_data, text or _scipy_text(wanted, function), function)
        if form is None:
            _expect_no_pointers(text, function)
            _expect_arguments(callable, wanted, function)
            return LowLevelCallable(_callback(callable, wanted), user_data, text)
        entry = _of_python(callable, _OF_ARRAYS[form].replace("(", "(const "), function)
    if not entry.is_quiet and not unraisable:
        raise TypeError(f"{function}: {entry.text} {entry.words()}; SciPy calls without the GIL and "
                        f"does not look for exceptions. {_quiet(callable)}; or unraisable=True: then "
                        "errors go to sys.unraisablehook, and SciPy sees the function's error value, or NaN")
    is_plain = entry.text == wanted and not entry.flags & _CTX
    if is_plain and entry.is_quiet:
        if text is None and _with_pointer(wanted) not in _SCIPY:
            text = _scipy_text(wanted, function)
        if text is not None:
            _expect_no_lost_data(user_data, text, function)
            return LowLevelCallable(_typed.capsule(entry.owner, entry.number, text, False), user_data)
    if user_data is not None:
        raise TypeError(f"{function}: found user_data, which this function's wrapper needs itself; "
                        "expected a C function that takes it as its last argument")
    if "[" in entry.text:
        of_scipy = _SCIPY[_with_pointer(form)]
        if text is not None and _pointees(text) != _pointees(of_scipy):
            raise TypeError(f"{function}: found '{text}', expected pointers to the same as in '{of_scipy}'")
        return LowLevelCallable(_typed.capsule(entry.owner, entry.number, of_scipy, True, _typed.parse(form)))
    # The context is SciPy's user data.
    with_data = given
    if entry.text != wanted:
        with_data = given or _scipy_text(wanted, function)
    elif given is None:
        with_data = _scipy_text(_with_pointer(wanted), function)
    elif not given.endswith("void *)"):
        with_data = given[:-1] + ("void *)" if given.endswith("()") else ", void *)")
    direct = entry.is_quiet and entry.flags & _typed.CTX_LAST
    try:
        return LowLevelCallable(_typed.capsule(entry.owner, entry.number, with_data, not direct))
    except LookupError:                         # no code for it is built in
        boxed = _boxed(entry)
        called = boxed if entry.text == wanted else lambda *arguments: boxed(*arguments[:-1])
        return LowLevelCallable(_callback(called, wanted, entry), None, given or _scipy_text(wanted, function))


def _expect_no_lost_data(user_data, text, function):
    """Refuses user data for which the C text has no place: SciPy would drop it without a word."""
    if user_data is not None and not text.endswith("void *)"):
        raise TypeError(f"{function}: found user_data, for which '{text}' has no argument; expected "
                        "a function whose last argument is a 'void *'")


def _scipy_entry(callable, wanted, text, unraisable):
    """The entry for the signature that is wanted, or for it without its last pointer, which is then the context, or
    for arrays; None if Python is to be called."""
    forms = [(wanted, text)]
    if wanted.endswith("pointer)"):
        forms.append((re.sub(r"(, )?pointer\)$", ")", wanted), None))
    if (form := _without_data(wanted)) is not None:
        forms.append((_OF_ARRAYS[form], None))
    callable = _inside(callable)
    try:
        owner = search.find(callable, forms, Wish(wanted))
    except (TypeError, ValueError) as error:
        if unraisable and _is_callable(callable):
            return None
        if isinstance(error, search.Unknown):
            _find(callable, forms[0], None)
        if any("[" in each for each in _typed.signatures(callable)):
            raise TypeError(f"{error}; {_texts_of_arrays()}") from None
        raise
    return next(_Entry(owner, each) for each, _ in forms if _typed.find(owner, _typed.parse(each)) is not None)


def _expect_arguments(callable, text, function):
    """Refuses a Python function that takes other arguments: it would raise in each call, when nobody looks."""
    try:
        parameters = inspect.signature(callable)
    except Exception:                           # nothing is known of it, or it runs code that raises
        return
    try:
        parameters.bind(*split(text)[1:])
    except TypeError as error:
        raise TypeError(f"{function}: found a Python function that does not take its arguments ({error}), expected "
                        f"one of {text}: it gets a memoryview for each array") from None


def _of_python(callable, text, function):
    """The entry of a Python function of arrays."""
    _expect_arguments(callable, text, function)
    made = _typed.boxed(callable, _typed.parse(text))
    if made is None:
        raise TypeError(f"{function}: found {text}, for which no code that calls Python is built in, expected one of "
                        f"{', '.join(dict.fromkeys(_OF_ARRAYS.values()))} (the first array const), or a C function")
    return _Entry(search.keeping(callable, search._name(callable, "function"), text, made), text)


def _expect_no_pointers(text, function):
    """Refuses pointers: Python would get addresses as numbers, which say nothing of what is there."""
    if _pointees(text):
        raise TypeError(f"{function}: found '{text}', and Python cannot be given a pointer to numbers; expected a C "
                        f"function, or a text of which the lengths are known: {_texts_of_arrays()}")


def _without_data(text):
    """A signature that a function of arrays may serve, without user data; None: none."""
    return next((form for form in _OF_ARRAYS if text in (form, _with_pointer(form))), None)


def _pointees(text):
    """What the pointers of a C text point to, without user data."""
    return [word for word in search.pointees(text) if word not in (None, "void")]


# --------------------------------------------------------------------------------- numba --

@functools.lru_cache(maxsize=None)
def _numba_class():
    import numba.experimental.function_type  # noqa: F401 (teaches numba the protocol)
    from numba.core import types

    class NumbaFunction(types.WrapperAddressProtocol):
        """A C function for numba's jitted functions, which must keep errors to itself."""

        def __init__(self, owner, address, signature, text, unraisable, *kept):
            self.owner, self._address, self._signature, self._unraisable = owner, address, signature, unraisable
            self.__name__ = getattr(owner, "__name__", "function")
            self._text, self._kept = text, kept

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
    """A C function with the signature *made* that numba compiles: in its code the context is a number, numba's
    arrays become C's, and a function that may raise gets the GIL and loses its errors."""
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
    space = {"pointer": pointer, "lent": intrinsics.lent, "enter": intrinsics.enter, "leave": intrinsics.leave,
             "failed": float("nan") if entry.text[0] in "fc" else False if entry.text.startswith("bool") else 0}
    call = f"pointer({', '.join(context + given if is_first else given + context)})"
    if entry.is_quiet:
        body = f"return {call}"
    elif entry.flags & _typed.RAISES == _typed.RAISES_ANY and not entry.text.startswith(("void", "pointer")):
        body = f"state = enter(); result = {call}; return failed if leave(state) else result"
    else:
        body = f"state = enter(); result = {call}; leave(state); return result"
    exec(f"def function({', '.join(names)}): {body}", space)
    return numba.cfunc(made)(space["function"])


def _numba_type(types, name, text, function):
    """Numba's type for one of ours: an array is one of numba's own, in jitted code f(x)."""
    found = _ARRAY.fullmatch(name)
    word = found[2] if found else name
    if word not in NUMBA and word != "pointer" or word[0] == "c" and not found and word not in NUMBA_COMPLEX:
        raise TypeError(f"{function}: found {text}; numba's functions take no {name} as C passes it")
    made = getattr(types, NUMBA.get(word, "voidptr"))
    return types.Array(made, 1, "C" if found[3] == "::1" else "A", readonly=bool(found[1])) if found else made


def as_numba(callable, signature=None, *, unraisable=False):
    """An object with numba's WrapperAddressProtocol: an argument for jitted functions, or a
    global of theirs (which must then stay there).

    The function must be noexcept and nogil; around a function that takes a context, or arrays, numba compiles
    another.  With *unraisable* these are wrapped: any callable of numbers, any compiled function of arrays, and
    Python functions of the arrays that SciPy has.  The wrapped one is called with the GIL, its errors go to
    sys.unraisablehook, and jitted code gets the function's error value, or NaN or 0.  A `pointer` is numba's
    voidptr; in jitted code `a.ctypes` is the pointer of an array."""
    function = f"as_numba({show(callable)})"
    types = _import("numba.core.types", function)
    try:
        entry = _entry(callable, signature, "as_numba")
    except (TypeError, ValueError):
        if signature is None or not unraisable or not _is_callable(callable):
            raise
        text, is_python = canonical(signature), True
        entry = _of_python(callable, text, function) if "[" in text else None
        _expect_arguments(callable, text, function)
    else:
        text, is_python = entry.text, False
    of_numba = [_numba_type(types, name, text, function) for name in split(text)]
    made = of_numba[0](*of_numba[1:])
    if entry is not None and (entry.is_quiet or unraisable):
        pointer = entry if entry.is_quiet and not entry.flags & _CTX and "[" not in text else _compiled(entry, made)
        return _numba_class()(callable if is_python else entry.owner, pointer.address, made, text, not entry.is_quiet,
                              pointer, entry)
    if not unraisable:
        raise TypeError(f"{function}: {text} {entry.words()}; numba calls without looking for "
                        f"exceptions, and maybe without the GIL. {_quiet(callable)}; or unraisable=True: then it is "
                        "called with the GIL, and errors go to sys.unraisablehook")
    pointer = _callback(callable, text)
    import ctypes
    return _numba_class()(callable, ctypes.cast(pointer, ctypes.c_void_p).value, made, text, True, pointer)


# ------------------------------------------------------------------------------- as text --

def explain(callable, signature=None):
    """Say with which signatures *callable* can be called unboxed, or why it cannot."""
    callable, form = _inside(callable), None if signature is None else _form(signature)
    try:
        forms = [form] if form else [(each, None) for each in search.offered(callable)]
        if not forms:
            return f"{show(callable)}: {_why_nothing(callable)}"
        entries = [_Entry(search.find(callable, (form,), Wish()), form[0]) for form in forms]
    except (TypeError, ValueError) as error:
        return str(error) if str(error).startswith(show(callable)) else f"{show(callable)}: {error}"
    lines = [f"{show(callable)}, {search.kind_of(callable)}, can be called unboxed as"]
    lines += [f"  {entry.text}: {entry.words()}" for entry in entries]
    if not all(entry.flags & _typed.NOGIL for entry in entries):
        lines.append("What needs the GIL takes it in each call of C code that has released it; in Cython, declare the "
                     "function nogil")
    if type(callable) is tuple:
        lines.append("No consumer takes such a pair by itself: hand it resolve(pair)")
    return "\n".join(lines)
