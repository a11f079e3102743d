# SPDX-License-Identifier: MIT
"""Finds a callable's C function in one of several forms: for PyTypedCallable_Init() and InitAny(), and for all that
export.py makes for other libraries.

A form is (text of the signature, C prototype or None), without user data; the best comes
first.  Besides what libraries.py looks into, it finds callables that have a C function only for a given
form: numba's njit functions, ufuncs, partials, cached functions.
"""
import functools
import re
import sys
import types
from collections import namedtuple

from ..python.showing import show
from . import _typed
from .ctext import canonical, render, split
from .libraries import NUMBA, NUMBA_COMPLEX, Found, Wish, _ctypes_type, _module, _name, _numba_type, look

__all__ = ["adapt_any", "why_not", "why_not_any"]


class Unknown(TypeError):
    """There is no C function in an object of this kind."""


def adapt_any(callable, forms):
    """An object in which C finds one of *forms*; None if there is none.  It keeps *callable*."""
    try:
        return find(callable, forms)
    except (TypeError, ValueError):
        return None


def why_not(callable, signature):
    """Why C finds no function of this signature in *callable* itself, "" if it does; explain() looks further.
    PyTypedMethod_WhyNot() asks this."""
    return why_nothing(callable, canonical(signature))


def why_not_any(callable, forms):
    """Why there is none, and what would help."""
    try:
        find(callable, forms)
    except (TypeError, ValueError) as error:
        return str(error)
    return ""


def find(obj, forms, wish=None):
    """An object in which C finds one of *forms*; TypeError or ValueError: there is none, and why.  *wish*: what the
    user says of *obj*, which counts where *obj* does not say something itself."""
    if any(_finds(obj, text) for text, _ in forms):
        if wish is not None and (wish.nogil, wish.noexcept) != (None, None):
            raise TypeError(f"{show(obj)}: found a typed function, which says itself whether it needs the GIL and "
                            "raises; expected no nogil= and noexcept=")
        return obj
    if wish is None and type(obj) is tuple:
        raise TypeError("found a pair, which no library takes at its word: hand it "
                        "typed.resolve(pair)")
    wish = wish or Wish()
    if kind := _made_for_a_form(obj):
        return kind.find(obj, forms, wish)
    found = look(obj, wish)
    if found is None:
        words = why_nothing(obj, forms[0][0])
        raise TypeError(f"{show(obj)}: {words}") if _typed.signatures(obj) else Unknown(words)
    _check_pointees(obj, found, forms)
    made = found.make(obj)
    for text, _ in forms:
        if _finds(made, text):
            return made
        if with_array := _with_array(obj, made, text):
            return with_array
    raise TypeError(f"{found.kind}{_said(obj)}: found {'; '.join(_typed.signatures(made))}, expected "
                    f"{' or '.join(text for text, _ in forms)}: types must be the same, nothing is converted")


def offered(obj):
    """The signatures that are found in *obj* without the user's word, best first; TypeError or
    ValueError: *obj* is of a known kind, but says none."""
    if own := _typed.signatures(obj):
        return list(own)
    if kind := _made_for_a_form(obj):
        texts = list(dict.fromkeys(kind.texts(obj)))
        fitting = [text for text in texts if adapt_any(obj, ((text, None),)) is not None]
        if not fitting:
            find(obj, [(text, None) for text in texts] or (("void()", None),))
        return fitting
    found = look(obj)
    return [] if found is None else list(_typed.signatures(found.make(obj)))


def kind_of(obj):
    """The kind of an object in which something was found, as words."""
    if _typed.signatures(obj):
        return "a typed function"
    kind = _made_for_a_form(obj)
    return look(obj).kind if kind is None else kind.words


def _said(obj):
    """A capsule's name, as words."""
    text = _capsule_name(tuple.__getitem__(obj, 0) if isinstance(obj, tuple) else obj)
    return f" {show(text)}" if text else ""


def _finds(obj, text):
    return _typed.find(obj, _typed.parse(text)) is not None


#: What math shares with C's library, which gives NaN or infinity where Python raises: {arguments: names}.
_LIBM = {1: "acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 fabs lgamma log1p log2 log10 sin "
            "sinh sqrt tan tanh".split(),
         2: ["atan2", "copysign", "fmod", "pow", "remainder"]}


def why_nothing(obj, text):
    """Why nothing leads from *obj* to a C function.  Functions of binding libraries look like functions of any
    module; they have no C types at run time."""
    kind = type(obj)
    library = None
    if kind.__module__ == "nanobind":
        library = "nanobind"
    elif kind is types.BuiltinFunctionType and (
            type(obj.__self__).__name__.startswith("pybind11_")
            or _capsule_name(obj.__self__).startswith("pybind11")):
        library = "pybind11"
    if library is not None:
        return (f"{show(obj)}: {library} does not say at run time which C types a function "
                "takes; say so by its address, typed.resolve((address, 'f8(f8)')), or register a "
                "record for it in C (PyTypedMethod_RegisterMethods)")
    if kind is types.BuiltinFunctionType and obj.__module__ in sys.stdlib_module_names:
        words = f"{show(obj)} is a builtin of Python's module {obj.__module__}, which takes and returns Python objects"
        for count, names in _LIBM.items():
            if obj.__module__ == "math" and obj.__name__ in names:
                words += ("; C's own, which raises nothing, is typed.resolve(ctypes.CDLL(ctypes.util.find_library('m'))"
                          f".{obj.__name__}, 'f8({', '.join(['f8'] * count)})', nogil=True, noexcept=True)")
        return words
    return _typed.why_not(obj, _typed.parse(text))


def _capsule_name(obj):
    parts = _typed.capsule_parts(obj)
    return parts[0] or "" if parts else ""


def _inner(function, forms, wish, what):
    """Finds *forms* in the *function* that *what* is around."""
    try:
        return find(function, forms, wish)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what} around {show(function)}: {error}") from None


def _cached(obj, forms, wish):
    return _inner(obj.__wrapped__, forms, wish, "functools.lru_cache")


# ----------------------------------------------------------------------- what pointers point to

def pointees(prototype):
    """What each argument of a C prototype points to, canonically; None if it is no pointer."""
    inside = re.search(r"\(([^()]*)\)\s*$", prototype)
    if inside is None or re.search(r"[(,]", prototype[:inside.start()].replace("(*)", "")):
        return []                               # pointers to functions: nothing is said
    found = []
    for argument in inside.group(1).split(","):
        words = argument.replace("*", " * ").split()
        words = [word for word in words if word not in ("const", "volatile", "restrict")]
        while words and words[-1] != "*" and "*" in words:
            del words[-1]                       # the name of the parameter
        if not words or words[-1] != "*":
            found.append(None)
            continue
        found.append(_base(" ".join(words[:-1])))
    return found


@functools.lru_cache(maxsize=None)
def _base(text):
    """`long int` and `long` are one type; other names stand for themselves."""
    try:
        return split(canonical(f"{text} (void)"))[0]
    except (TypeError, ValueError):
        return text


def _said_pointees(obj):
    """The same, as an object says it; [] if it does not."""
    parts = _typed.capsule_parts(obj)
    if parts is None and isinstance(obj, tuple):
        parts = _typed.capsule_parts(tuple.__getitem__(obj, 0))
    if parts is not None:
        return pointees(parts[0] or "")
    if _module("_ctypes", "CFuncPtr") and isinstance(obj, sys.modules["_ctypes"].CFuncPtr):
        return [_ctypes_pointee(kind) for kind in obj.argtypes or ()]
    cdata = _module("_cffi_backend", "_CDataBase")
    if cdata and isinstance(obj, cdata):
        return pointees(sys.modules["_cffi_backend"].typeof(obj).cname)
    signature = getattr(obj, "_sig", None)
    if signature is not None:                   # numba
        return [_numba_pointee(kind) for kind in signature.args]
    return []


def _ctypes_pointee(kind):
    try:
        return _ctypes_type("", kind._type_, "") if hasattr(kind, "contents") else None
    except TypeError:
        return kind._type_.__name__


def _numba_pointee(kind):
    try:
        return _numba_type("", kind.dtype) if type(kind).__name__ == "CPointer" else None
    except TypeError:
        return str(kind.dtype)


def _check_pointees(obj, found, forms):
    """A pointer to int is not one to double, although both are pointers in a signature.  `void *`
    fits all, as in C."""
    offered = [text for text, *_ in found.rows]
    prototypes = [prototype for text, prototype in forms if prototype is not None and text in offered]
    said = _said_pointees(obj) if prototypes else []
    for prototype in prototypes:
        for i, (ours, theirs) in enumerate(zip(pointees(prototype), said, strict=False)):
            if None not in (ours, theirs) and "void" not in (ours, theirs) and ours != theirs:
                raise TypeError(f"{found.kind}: found argument {i + 1} that points to {theirs}, "
                                f"expected {ours} as in '{prototype}'")


# ------------------------------------------------------------------------------------ partial

def _constant(value, word):
    """Can the constant be passed as a C value of that type, as Python would convert it?"""
    if word == "f8" or word == "f4":
        return isinstance(value, float) or (
            isinstance(value, int) and not isinstance(value, bool) and abs(value) <= int(sys.float_info.max))
    bits = 8 * int(word[1:]) if word in ("i4", "i8") else 0
    return bits and type(value) is int and -1 << bits - 1 <= value < 1 << bits - 1


def _left(obj, inner):
    """What a partial leaves of the signature of its function, and the types of its constants."""
    result, *arguments = split(inner)
    count = len(obj.args)
    return f"{result}({', '.join(arguments[count:])})", arguments[:count]


def _of_partial(obj):
    """The signatures that a partial may have."""
    return [] if obj.keywords else [_left(obj, inner)[0] for inner in offered(obj.func)
                                    if len(split(inner)) > len(obj.args)]


def _partial(obj, forms, wish):
    what = f"functools.partial of {show(obj.func)}"
    values = obj.args
    if obj.keywords:
        raise TypeError(f"{what}: found constants by name, {', '.join(map(show, obj.keywords))}; "
                        "expected them by position, before all other arguments")
    if not values:
        return _inner(obj.func, forms, wish, "functools.partial")
    try:
        texts = offered(obj.func)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{what}: {error}") from None
    if not texts:
        raise TypeError(f"{what}: {why_nothing(obj.func, forms[0][0])}")
    refused = []
    for text, _ in forms:
        for inner in texts:
            left, bound = _left(obj, inner)
            if left != text or len(bound) < len(values):
                continue
            if not all(map(_constant, values, bound)):
                refused.append(f"the constants {show(values)} are no {', '.join(bound)} (only numbers can be bound; "
                               "pass a bound method for an object)")
                continue
            owner = find(obj.func, ((inner, None),), Wish(None, wish.nogil, wish.noexcept))
            made = _bind(obj, _name(obj.func, "partial"), owner, inner, values, text)
            if made is not None:
                return made
            refused.append(f"for {inner} with {len(values)} bound no code is built in")
    raise TypeError(f"{what}: found {'; '.join(texts)}, with {len(values)} of its arguments bound"
                    + "".join(f"; {words}" for words in refused))


def _bind(obj, name, owner, inner, values, text):
    """The C function of *owner* with constants, or with an array for an address and a length."""
    made = _typed.bind(owner, _typed.parse(inner), values)
    return made and keeping(obj, name, text, made)


def keeping(obj, name, text, made):
    """The TypedFunction for what _typed made: a capsule with its data, address, flags and error value."""
    keep, address, flags, error = made
    return _typed.make(name, (obj, keep), ((_typed.parse(text), address, flags, error, False),),
                       _typed.capsule_parts(keep)[1])


# -------------------------------------------------------------------------------------- arrays

#: How a function takes an array as two arguments: numba's, and C's.
_TWO = f"pointer, {_typed.C_TYPES['Py_ssize_t']}", "i4, pointer"


def _items(text):
    """What the items of a signature's only array are, if it is the only argument and without gaps."""
    found = re.fullmatch(r"\w+\((?:const )?(\w+)\[::1\]\)", text)
    return found[1] if found else None


def _with_array(obj, made, text):
    """A function of an address and a length as a function of an array; None if it is no such function."""
    result, items = text.partition("(")[0], _items(text)
    if items is None or items not in _said_pointees(obj):       # else nothing says what is at the address
        return None
    inner = next((f"{result}({two})" for two in _TWO if _finds(made, f"{result}({two})")), None)
    return inner and _bind(obj, _name(obj, "function"), made, inner, (), text)


# -------------------------------------------------------------------------------------- ufuncs

def _loop_text(letters):
    """'dd->d' as a signature; None if it has other types."""
    arguments, results = letters.split("->")
    return canonical(letters) if len(results) == 1 and set("fdFD?bBhHiIlLqQ").issuperset(arguments + results) else None


def _of_ufunc(obj):
    return [text for text in map(_loop_text, obj.types) if text is not None]


def _ufunc(obj, forms, wish):
    what = f"ufunc {show(obj.__name__)}"
    if obj.signature is not None:
        raise TypeError(f"{what}: found a generalised ufunc, whose loops take arrays")
    texts = [_loop_text(letters) for letters in obj.types]
    for text, _ in forms:
        if text not in texts:
            continue
        # numba's ufunc has NumPy's own inside.
        made = _typed.ufunc_loop(getattr(obj, "ufunc", obj), texts.index(text), _typed.parse(text))
        if made is None:
            raise TypeError(f"{what}: for a loop {text} no code is built in; take typed.resolve() of "
                            "the C function")
        keep, address = made
        # NumPy lets the GIL go for such loops, and looks for an exception when they are done.
        flags = wish.flags(_typed.NOGIL | _typed.RAISES_ANY)
        return Found("a ufunc", obj.__name__, [(text, address, flags | _typed.CTX_LAST, False)],
                     _typed.capsule_parts(keep)[1]).make((obj, keep))
    raise TypeError(f"{what}: found loops {', '.join(obj.types)}, expected one for "
                    + " or ".join(text for text, _ in forms))


# --------------------------------------------------------------------------------------- numba

#: An array as a signature has it: whether it is const, its items, its strides.
ARRAY = re.compile(r"(const )?(\w+)\[(::1|:)\]")


def _of_dispatcher(obj):
    """The signatures that it was declared with; without any, numba compiles it for the types that
    it is called with."""
    name = _name(obj, "?")
    if obj._can_compile:
        raise TypeError(f"numba function {show(name)}: found no signature of its own, since numba compiles such a "
                        "function for the one that it is called with; say which one is meant, 'f8(f8)' for example, "
                        "or declare it, as a partial needs: numba.njit('f8(f8, f8)')")
    return [render([_word(kind) for kind in (signature.return_type, *signature.args)])
            for signature in obj.nopython_signatures]


def _word(kind):
    """Our word for a type of numba's; "?" for one that we do not have."""
    try:
        if type(kind).__name__ == "Array" and kind.ndim == 1:
            return f"{'' if kind.mutable else 'const '}{_word(kind.dtype)}[{'::1' if kind.layout == 'C' else ':'}]"
        return _numba_type("", kind)
    except TypeError:
        return "?"


def _dispatcher(obj, forms, wish):
    what = f"numba function {show(_name(obj, '?'))}"
    known = vars(obj).setdefault("_customslots_compiled", {})
    refused = []
    for form in forms:
        if form not in known:
            try:
                known[form] = _compile(obj, *form)
            except Exception as error:          # numba has many, and most are long: the first line that says what it is
                lines = [line for line in map(str.strip, str(error).splitlines()) if line[:9] not in ("", "Failed in")]
                call = [line[3:] for line in lines if line.startswith(">>> ")]
                said = "".join([*(lines or [type(error).__name__])[:1], *call[:1]])
                known[form] = f"it cannot be compiled for {form[0]}: {said}"
        if not isinstance(known[form], str):
            compiled, raises, error = known[form]
            return _typed.make(_name(obj, "njit"), (obj, compiled), (
                (_typed.parse(form[0]), compiled.address, wish.flags(_typed.NOGIL | raises), error, False),), 0)
        refused.append(known[form])
    raise TypeError(f"{what}: {'; '.join(refused)}; it is called through Python, which boxes all "
                    "arguments")


def _compile(function, text, prototype):
    """A cfunc that calls *function*, and raises in C what *function* raises; and its flags and error value."""
    from numba.core import types as numba_types

    from . import intrinsics
    said = pointees(prototype) if prototype else []
    result, *arguments = split(text)
    if result not in ("f8", "f4", "i4", "i8", "void"):
        raise TypeError(f"no error value is known for results that are {result}")
    space, kinds, given = {"function": function}, [], []
    for i, word in enumerate(arguments):
        array = ARRAY.fullmatch(word)
        kind, made = numba_types.voidptr, f"a{i}"
        if array and array[2] in NUMBA:
            items = getattr(numba_types, NUMBA[array[2]])
            space[f"array{i}"] = intrinsics.borrowed(numba_types.Array(
                items, 1, "C" if array[3] == "::1" else "A", readonly=bool(array[1])))
            made = f"array{i}(a{i})"
        elif word == "pointer":
            pointee = said[i] if i < len(said) else None
            if pointee in NUMBA and pointee != "void":
                kind = numba_types.CPointer(getattr(numba_types, NUMBA[pointee]))
        elif word in NUMBA and (word[0] != "c" or word in NUMBA_COMPLEX):
            kind = getattr(numba_types, NUMBA[word])
        else:
            raise TypeError(f"numba's functions take no {word} as C passes it")
        kinds.append(kind)
        given.append(made)
    names = ", ".join(f"a{i}" for i in range(len(arguments)))
    exec(f"def wrapper({names}): return function({', '.join(given)})", space)
    wrapper = space["wrapper"]
    wrapper.__qualname__ = f"customslots_{id(wrapper)}"
    signature = getattr(numba_types, NUMBA[result])(*kinds)
    compiled = intrinsics.raising_cfunc(signature, wrapper)
    if "gil_ensure" not in compiled._library.get_llvm_str():        # LLVM has seen that nothing raises
        return compiled, 0, 0
    if result == "void":                        # nothing tells an error, but the exception
        return compiled, _typed.RAISES_ANY, 0
    return compiled, _typed.RAISES_MAYBE, _typed.error_bits(result, -1)


def _kernel(obj):
    """The njit function that numba.vectorize would make a loop of, without that loop: with one more loop the ufunc
    would give other results to its users."""
    numba = sys.modules["numba"]
    options = {name: value for name, value in obj.targetoptions.items() if name != "nopython"}
    return vars(obj).setdefault("_customslots_kernel", numba.njit(**options)(obj._dispatcher.py_func))


def _of_vectorized(obj):
    return _of_ufunc(obj) if obj._frozen else _of_dispatcher(_kernel(obj))


def _vectorized(obj, forms, wish):
    try:
        return _ufunc(obj, forms, wish)
    except TypeError:
        if obj._frozen:                         # declared with its loops
            raise
    return _dispatcher(_kernel(obj), forms, wish)


# ------------------------------------------------------------------------------------ all of them

#: Callables that have a C function for a form: what they are called, a function for the signatures that such a
#: callable says itself, and a function that finds one of some forms.
_Kind = namedtuple("_Kind", "words texts find")

_EXACTLY = {
    functools.partial: _Kind("a functools.partial", _of_partial, _partial),
    type(functools.lru_cache(lambda: None)): _Kind("a cached function", lambda obj: offered(obj.__wrapped__), _cached),
}
_EXACTLY.pop(types.FunctionType, None)          # PyPy's cached functions are functions like any others
_OF_LIBRARIES = [
    ("numba.core.dispatcher", "Dispatcher", _Kind("a numba function", _of_dispatcher, _dispatcher)),
    ("numba.np.ufunc.dufunc", "DUFunc", _Kind("a numba ufunc", _of_vectorized, _vectorized)),
    ("numpy", "ufunc", _Kind("a ufunc", _of_ufunc, _ufunc)),
]


def _made_for_a_form(obj):
    """The _Kind of an object; None if it has none."""
    kind = type(obj)                            # obj.__class__ may run any code
    for modules, attribute, row in _OF_LIBRARIES:
        known = _module(modules, attribute)
        if known is not None and issubclass(kind, known):
            return row
    return _EXACTLY.get(kind)
