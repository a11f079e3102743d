# SPDX-License-Identifier: MIT
"""C functions in other libraries' callables: where each keeps address and signature.

Nothing is imported for this: an object of a library that is not in sys.modules does not
exist.  An object's signature is the one that it declares itself, by names of C types. If it
says too little, the caller's signature counts, and the entry is marked UNVERIFIED.
"""
import functools
import re
import sys
import types
from collections import namedtuple

from ..python.showing import cut, show
from . import _typed
from .ctext import INTEGERS, NotBuiltin, canonical, prototype, render, split

__all__ = ["Found", "Wish", "look"]

_NOGIL, _ANY = _typed.NOGIL, _typed.RAISES_ANY

#: Kinds that Python calls constantly, and that are not among those below.
_PLAIN = (types.FunctionType, types.MethodType, type, types.BuiltinFunctionType)

#: Text that ends in this belongs to a `cpdef` function.
_SKIP_DISPATCH = "__pyx_skip_dispatch"


class Found(namedtuple("Found", "kind name rows context", defaults=(0,))):
    """A C function: what it is called, how it is called, and what it is, as text."""

    def make(self, original):
        """The TypedFunction for it, which keeps *original* and all else that is needed."""
        return _typed.make(self.name, original,
                           tuple((_typed.parse(text), address, flags, 0, skip)
                                 for text, address, flags, skip in self.rows), self.context)


class Wish:
    """What the caller says about a function: its signature, which counts where the function does not say it itself, and
    how it may be called."""

    def __init__(self, signature=None, nogil=None, noexcept=None):
        self.signature = None if signature is None else canonical(signature)
        self.nogil, self.noexcept = nogil, noexcept

    def flags(self, default):
        if self.nogil is not None:
            default = default | _NOGIL if self.nogil else default & ~_NOGIL
        if self.noexcept is not None:
            default = default & ~_typed.RAISES if self.noexcept else default | _ANY
        return default

    def need(self, what, why, example="f8(f8)"):
        """The caller's signature; *why*: the reason that the object does not say it itself."""
        if self.signature is None:
            raise TypeError(f"{what}: {why}; pass its signature, as in "
                            f"resolve(f, {example!r}), which is taken at its word")
        return self.signature


def _module(name, attribute):
    """The class of that name, if the module is there and is what it should be."""
    try:
        found = getattr(sys.modules.get(name), attribute, None)
    except Exception:                           # something else took the module's name
        return None
    return found if isinstance(found, type) else None


def _name(function, otherwise):
    """What it is called, in messages; its __name__ may be anything."""
    name = getattr(function, "__name__", None)
    return name if isinstance(name, str) and name else otherwise


def look(obj, wish=None):
    """The Found of an object of one of the kinds known here; None for any other.  TypeError
    or ValueError: it is of such a kind, but cannot be called, and why."""
    wish = wish or Wish()
    kind_of = type(obj)                         # obj.__class__ may run any code
    if issubclass(kind_of, _PLAIN):
        if kind_of is types.BuiltinFunctionType:
            library = _module("_cffi_backend", "Lib")
            if library is not None and type(obj.__self__) is library:
                return _cffi_of(obj.__self__, obj, wish)
        return None
    if kind_of.__name__ == "__FFIFunctionWrapper" and kind_of.__module__ == "_cffi_backend":
        # PyPy: functions of an out-of-line library have a type of their own.
        library = getattr(sys.modules.get(obj.__module__), "lib", None)
        if type(library) is _module("_cffi_backend", "Lib"):
            return _cffi_of(library, obj, wish)
        return None
    for modules, attribute, finder in _FINDERS:
        kind = _module(modules, attribute)
        if kind is not None and issubclass(kind_of, kind):
            return finder(obj, obj, wish)
    if _typed.capsule_parts(obj) is not None:
        return _capsule(obj, wish)
    if kind_of.__name__ == "fortran":           # each module of f2py's has such a type
        pointer = getattr(obj, "_cpointer", None)
        if _typed.capsule_parts(pointer) is not None:
            return _f2py(obj, pointer, wish)
    if kind_of is tuple and len(obj) == 2 and type(obj[0]) is int and type(obj[1]) is str:
        return _pair(obj, wish)
    return None


# -------------------------------------------------------------------------------- ctypes --

#: What ctypes calls our types.
CTYPES = {"void": None, "bool": "c_bool", **{word: f"c_{name}" for word, name in INTEGERS.items()},
          "f4": "c_float", "f8": "c_double", _typed.C_TYPES["long double"]: "c_longdouble", "pointer": "c_void_p",
          "object": "py_object", "c8": "c_float_complex", "c16": "c_double_complex",
          _typed.C_TYPES["long double _Complex"]: "c_longdouble_complex"}
#: Others, by their letters.
_LETTERS = {"c": _typed.C_TYPES["char"], "u": _typed.C_TYPES["wchar_t"], "v": "i2", "z": "pointer", "Z": "pointer",
            "X": "pointer"}


@functools.lru_cache(maxsize=None)
def _ctypes_numbers():
    """Our types by ctypes' classes, of which there is one for each size of integers."""
    import ctypes
    return {None: "void", **{getattr(ctypes, name): word for word, name in CTYPES.items()
                             if name is not None and hasattr(ctypes, name)}}


def _ctypes_type(what, kind, place):
    import ctypes
    try:
        return _ctypes_numbers()[kind]
    except (KeyError, TypeError):
        wrong = None
    if not isinstance(kind, type):
        wrong = f"{show(kind)}, which is no ctypes type"
    elif hasattr(kind, "_check_retval_") and place == "restype":
        wrong = f"{kind.__name__}, whose check a C call would leave out"
    elif issubclass(kind, (ctypes.Structure, ctypes.Union)):
        wrong = f"{kind.__name__}, a struct by value"
    elif issubclass(kind, (ctypes._Pointer, ctypes.Array, ctypes._CFuncPtr)):
        return "pointer"
    elif not issubclass(kind, ctypes._SimpleCData):
        wrong = f"{kind.__name__}, which is none of the simple types of ctypes"
    elif getattr(kind, f"__ctype_{sys.byteorder[0]}e__", kind) is not kind:
        wrong = f"{kind.__name__}, whose bytes are swapped"
    else:
        for base, code in _ctypes_numbers().items():
            if base is not None and issubclass(kind, base):
                return code
        letter = kind._type_
        if letter in _LETTERS:
            return _LETTERS[letter]
        wrong = f"{kind.__name__}, which is not known here"
    raise TypeError(f"{what}: found {place} {wrong}, expected numbers, pointers and py_object")


def _ctypes(function, original, wish):
    import ctypes
    name = _name(function, type(function).__name__)
    what = f"ctypes function {show(name)}"
    flags = type(function)._flags_
    if function.errcheck is not None:
        raise TypeError(f"{what}: found an errcheck, which a C call would leave out; expected "
                        "none")
    if sys.platform == "win32" and ctypes.sizeof(ctypes.c_void_p) == 4 and not flags & 1:
        raise TypeError(f"{what}: found the calling convention stdcall, expected cdecl")
    if type(function).__call__ is not ctypes._CFuncPtr.__call__:
        raise TypeError(f"{what}: found a __call__ of its own, which a C call would leave out; expected ctypes'")
    address = ctypes.cast(function, ctypes.c_void_p).value
    if not address:
        raise TypeError(f"{what}: found a NULL pointer, expected a function")
    python_api = bool(flags & 4)
    extra = 0
    if function.argtypes is None:
        text = wish.need(what, "found no argtypes, so its arguments are unknown (set f.argtypes "
                               "and f.restype)")
        extra = _typed.UNVERIFIED
    else:
        names = [_ctypes_type(what, function.restype, "restype")]
        names += [_ctypes_type(what, kind, f"argtypes[{i}]")
                  for i, kind in enumerate(function.argtypes)]
        text = canonical(render(names))
    # PyDLL and PYFUNCTYPE: ctypes keeps the GIL and asks for an exception.  A function that gets
    # objects needs the GIL, whatever ctypes does.
    default = _ANY if python_api else 0 if "object" in text else _NOGIL
    return Found("a ctypes function", name, [(text, address, wish.flags(default) | extra, False)])


# ---------------------------------------------------------------------------------- cffi --

def _cffi_of(library, function, wish):
    """The Found of a function of an out-of-line library, by a pointer to the function."""
    return _cffi(sys.modules["_cffi_backend"].FFI().addressof(library, function.__name__), function, wish)


def _cffi_type(what, ctype, place):
    backend = sys.modules["_cffi_backend"]
    kind = ctype.kind
    if kind == "void":
        return "void"
    if kind in ("pointer", "array", "function"):
        return "pointer"
    name = ctype.cname
    if kind in ("primitive", "enum"):
        size = backend.sizeof(ctype)
        if "omplex" in name:                    # also _cffi_float_complex_t
            return f"c{size}"
        if name in _typed.C_TYPES:
            return _typed.C_TYPES[name]
        if name == "bool":
            return "bool"
        is_signed = name not in ("char16_t", "char32_t") and int(backend.cast(ctype, -1)) < 0
        return f"{'i' if is_signed else 'u'}{size}"
    raise TypeError(f"{what}: found {place} {show(ctype.cname)}, a {kind} by value, expected numbers "
                    "and pointers")


def _cffi(function, original, wish):
    backend = sys.modules["_cffi_backend"]
    ctype = backend.typeof(function)
    what = f"cffi object {show(ctype.cname)}"
    if ctype.kind != "function":
        if ctype.kind in ("pointer", "primitive") and wish.signature is not None \
                and ctype.cname == "void *":
            address = int(backend.cast(backend.new_primitive_type("uintptr_t"), function))
            if address:
                return Found("a cffi pointer", "void *",
                             [(wish.signature, address, wish.flags(_NOGIL) | _typed.UNVERIFIED, False)])
        raise TypeError(f"{what}: found a {ctype.kind}, expected a pointer to a function"
                        + ("; with resolve(f, signature) it is taken for one"
                           if ctype.cname == "void *" else ""))
    if ctype.cname.endswith("...)"):            # .ellipsis is True for complex numbers, too
        raise TypeError(f"{what}: found variable arguments, which C passes differently; "
                        "expected a fixed number")
    address = int(backend.cast(backend.new_primitive_type("uintptr_t"), function))
    if not address:
        raise TypeError(f"{what}: found a NULL pointer, expected a function")
    names = [_cffi_type(what, ctype.result, "the result")]
    names += [_cffi_type(what, kind, f"argument {i + 1},") for i, kind in enumerate(ctype.args)]
    text = canonical(render(names))
    name = _name(original, ctype.cname)
    return Found("a cffi function", name, [(text, address, wish.flags(_NOGIL), False)])


# --------------------------------------------------------------------------------- numba --

#: What numba calls our types.
NUMBA = {"void": "void", "bool": "boolean", **INTEGERS, "f4": "float32", "f8": "float64", "c8": "complex64",
         "c16": "complex128"}


def _numba_type(what, kind):
    types_ = sys.modules["numba.core.types"]
    if isinstance(kind, types_.NoneType):
        return "void"
    if isinstance(kind, types_.Boolean):
        return "bool"
    if isinstance(kind, types_.Integer):
        return f"{'i' if kind.signed else 'u'}{kind.bitwidth // 8}"
    if isinstance(kind, types_.Float):
        return f"f{kind.bitwidth // 8}"
    if isinstance(kind, types_.Complex):
        return f"c{kind.bitwidth // 8}"
    if isinstance(kind, (types_.RawPointer, types_.CPointer)):
        return "pointer"
    raise TypeError(f"{what}: found type {cut(str(kind))}, expected numbers and pointers")


#: Complex types that numba's functions take and return as C's do.  numba passes two numbers, as LLVM does; C packs
#: two floats into one register of x86-64, and Windows passes addresses.
NUMBA_COMPLEX = {"c16"} if sys.maxsize > 1 << 32 and sys.platform != "win32" else set()


def _numba_value(what, kind):
    """As _numba_type(), for an argument or a result, not for what is at an address."""
    word = _numba_type(what, kind)
    if word[0] == "c" and word not in NUMBA_COMPLEX:
        raise TypeError(f"{what}: found {kind}, which numba passes otherwise than C does here; expected a pointer to "
                        "it, or two numbers")
    return word


def _numba_text(what, signature):
    return canonical(render([_numba_value(what, kind) for kind in (signature.return_type, *signature.args)]))


def _numba(function, original, wish):
    name = _name(function, "cfunc")
    text = _numba_text(f"numba cfunc {show(name)}", function._sig)
    # A cfunc prints what it raises, taking the GIL for that by itself.
    return Found("a numba cfunc", name, [(text, function.address, wish.flags(_NOGIL), False)])


def _numba_wrapper(function, original, wish):
    name = type(function).__name__
    text = _numba_text(f"object of type {name!r} for numba", function.signature())
    return Found("an object with numba's WrapperAddressProtocol", name,
                 [(text, function.__wrapper_address__(), wish.flags(_NOGIL), False)])


# ------------------------------------------------------------- capsules, SciPy's callables --

def _from_text(what, text, wish, pointer, context, default):
    """Rows for a C function whose types a capsule's name tells."""
    extra, skip, wrong = 0, False, ""
    if text is not None and "__pyx_optional_args" in text:
        raise TypeError(f"{what}: found optional arguments, passed in a struct, expected none; "
                        "find the function by the Python object instead")
    try:
        if text is None or "(" not in text:
            raise NotBuiltin("it has no name, as f2py's `_cpointer` has none, where all arguments "
                             "are pointers" if text is None
                             else f"its name {show(text)} is no C prototype")
        found = prototype(text)
        if found.names and found.names[-1] == _SKIP_DISPATCH:
            del found.arguments[-1], found.names[-1]
            skip = True
        wrong = found.contradicts(wish.signature) if wish.signature is not None else ""
        entry_text = canonical(found.signature)
        if found.strange is not None:
            raise found.strange
        if "object" in found.arguments:
            raise NotBuiltin(f"C prototype {show(text)}: found 'PyObject *' arguments, which may have "
                             "to be of a certain type: nothing would check that")
    except ValueError as error:
        if wrong:
            raise TypeError(f"{what}: {wrong}") from None
        entry_text, extra = wish.need(what, str(error)), _typed.UNVERIFIED
    flags = wish.flags(default) | extra
    if skip and not _typed.has_skip_thunk(_typed.parse(entry_text)):
        raise TypeError(f"{what}: found a cpdef function, which takes skip_dispatch as its last "
                        f"argument; for {entry_text} no code that passes it is built in")
    rows = []
    takes_data = text is not None and re.search(r"[(,]\s*void\s*\*\s*\w*\s*\)\s*$", text) \
        and entry_text.endswith(", pointer)")
    if takes_data:
        rows.append((entry_text[:-len(", pointer)")] + ")", pointer, flags | _typed.CTX_LAST, False))
    elif context and text is not None and re.search(r"\(\s*void\s*\*\s*,", text) \
            and "(pointer, " in entry_text:
        takes_data = True
        rows.append((entry_text.replace("(pointer, ", "(", 1), pointer,
                     flags | _typed.CTX_FIRST, False))
    if not (takes_data and context):
        rows.append((entry_text, pointer, flags, skip))
    return rows


def _capsule(capsule, wish):
    text, pointer, context = _typed.capsule_parts(capsule)
    what = f"capsule {show(text)}" if text is not None else "capsule without a name"
    # The text does not say how errors are reported: the most careful way is right for all.
    rows = _from_text(what, text, wish, pointer, context, _ANY)
    return Found("a capsule", "capsule", rows, context)


def _low_level(callable_, original, wish):
    capsule, function, user_data = (tuple.__getitem__(callable_, i) for i in range(3))
    text, pointer, context = _typed.capsule_parts(capsule)
    default = _NOGIL | _ANY
    if _typed.capsule_parts(function) is None:
        try:
            # Its signature may have been given as text; the function inside says how it raises.
            inner = look(function, None)
            default = inner.rows[0][2] & (_NOGIL | _ANY) if inner is not None else default
        except (TypeError, ValueError):
            default = _NOGIL
    what = f"LowLevelCallable {show(text)}"
    rows = _from_text(what, text, wish, pointer, context, default)
    if user_data is not None and not any(row[2] & (_typed.CTX_FIRST | _typed.CTX_LAST) for row in rows):
        raise TypeError(f"{what}: found user_data, for which the function has no argument; expected "
                        "one whose last or first argument is a 'void *'")
    return Found("a SciPy LowLevelCallable", "LowLevelCallable", rows, context)


# ------------------------------------------------------------------------ f2py, addresses --

def _f2py(function, pointer, wish):
    name = _name(function, "?").split(" ")[-1]                  # "function ddot"
    what = f"f2py function {show(name)}"
    text = wish.need(what, "Fortran's types are not known at run time; its arguments are "
                     "pointers, and what f2py made of a function may be a subroutine with a "
                     "pointer to the result in front of them", "void(pointer, pointer)")
    _expect_pointers(what, text)
    _, pointer, _ = _typed.capsule_parts(pointer)
    # As f2py calls it: with the GIL, since Fortran code may keep things in static memory.
    return Found("an f2py function", name, [(text, pointer, wish.flags(0) | _typed.UNVERIFIED, False)])


def _expect_pointers(what, text):
    """Fortran passes by reference; only the lengths of texts come by value, behind all else."""
    arguments = split(text)[1:]
    lengths = 0
    while arguments and re.fullmatch("[iu][48]", arguments[-1]):
        arguments.pop()
        lengths += 1
    if lengths > len(arguments) or any(argument != "pointer" for argument in arguments):
        raise TypeError(f"{what}: found {text}, expected pointers, and behind them at most the "
                        "lengths of texts: Fortran takes nothing else by value. For a C function "
                        f"that f2py wrapped, take resolve(f._cpointer, {text!r})")


def _pair(pair, wish):
    address, text = pair[0], canonical(pair[1])
    what = f"pair of address {cut(hex(address))} and signature"
    if not 0 < address < 1 << 8 * _typed.POINTER_SIZE:
        raise ValueError(f"{what}: expected the address of a C function")
    flags = wish.flags(_NOGIL if "object" not in text else _ANY) | _typed.UNVERIFIED
    return Found("an address", f"{address:#x}", [(text, address, flags, False)])


_FINDERS = [
    ("_ctypes", "CFuncPtr", _ctypes),
    ("numba.core.ccallback", "CFunc", _numba),
    ("numba.core.types", "WrapperAddressProtocol", _numba_wrapper),
    ("scipy._lib._ccallback", "LowLevelCallable", _low_level),
    ("_cffi_backend", "_CDataBase", _cffi),
]
