# SPDX-License-Identifier: MIT
"""Between C's words for a function's types and the canonical text: `double (int, double *)`
is `f8(i4, pointer)` here, and `long (long)` is `i8(i8)` on one machine and `i4(i4)` on
another, which is why only canonical texts are compared.
"""
import functools
import re

from ..python.showing import show
from . import _typed

__all__ = ["NotBuiltin", "Prototype", "canonical", "prototype", "render", "spell"]

#: C's names of arithmetic types: what this machine makes of them.
_TYPES = {**_typed.C_TYPES, **{name: name for name in _typed.TYPE_NAMES - {"object"}}}
#: The same by their words, which C allows in any order: `long unsigned int` is `unsigned long`.
_BY_WORDS = {tuple(sorted(name.split())): word for name, word in _TYPES.items()}

#: What most libraries call integers, more or less: {"i1": "int8", ...}.
INTEGERS = {f"{sign}{size}": f"{'u' * (sign == 'u')}int{8 * size}" for sign in "iu" for size in (1, 2, 4, 8)}

#: Words that say nothing about how a value is passed.
_NOISE = {"const", "volatile", "restrict", "__restrict", "extern", "static", "inline",
          "register", "auto"}

#: The words of such names.
_PARTS = {"signed", "unsigned", "char", "short", "int", "long", "float", "double",
          "_Complex", "complex", "__int64", "_Bool", "bool", "void"}

_TOKEN = re.compile(r"[A-Za-z_]\w*|\.\.\.|\d+|\S")


#: Cython's names of complex types, which are passed like C's own by most compilers, but not by all.
_COMPLEX = {f"__pyx_t_{name.replace(' ', '_')}_complex": _TYPES[f"{name} _Complex"]
            for name in ("float", "double", "long double")}


_ADDRESSES = ("object", "pointer")


class NotBuiltin(ValueError):
    """A type in a C prototype whose name does not tell its width or kind.  `word`: the only type of ours that it
    may be; "" if it may be any; if none, what it is instead."""

    word = ""


class Prototype:
    """A C function's types as canonical names, or the NotBuiltin of an unknown one, and its parameters' names."""

    def __init__(self, result, arguments, names, strange):
        self.result, self.arguments, self.names = result, arguments, names
        #: None, or the NotBuiltin of the first type that a pointer leads to and that C lacks.
        self.strange = strange

    @property
    def types(self):
        return [self.result, *self.arguments]

    @property
    def signature(self):
        for kind in self.types:
            if isinstance(kind, NotBuiltin):
                raise kind
        return render(self.types)

    def contradicts(self, signature):
        """How these types differ from a canonical text, as words; "" if they do not."""
        words = split(signature)
        if len(words) != len(self.types):
            return f"found {len(self.types) - 1} arguments, expected {len(words) - 1} as in {signature}"
        for place, (kind, word) in enumerate(zip(self.types, words)):
            known = kind.word if isinstance(kind, NotBuiltin) else kind
            if known not in ("", word) and not (known in _ADDRESSES and (word in _ADDRESSES or "[" in word)):
                what = f"argument {place} is" if place else "the result is"
                return f"found that {what} {known}, expected {word} as in {signature}"
        return ""


def render(types):
    """['f8', 'f8', 'i4'] as 'f8(f8, i4)'."""
    return f"{types[0]}({', '.join(types[1:])})"


def split(text):
    """'f8(f8, i4)', which must be canonical, as ['f8', 'f8', 'i4']."""
    result, _, arguments = text.rstrip(")").partition("(")
    return [result, *(arguments.split(", ") if arguments else ())]


class _Reader:
    def __init__(self, text):
        self.text, self.position = text, 0
        self.strange = self.first = None        # first NotBuiltin behind a pointer; first that is a value
        self.tokens = [(token[0], token.start()) for token in _TOKEN.finditer(text)] + [("", len(text))]

    def peek(self, ahead=0):
        return self.tokens[min(self.position + ahead, len(self.tokens) - 1)][0]

    def next(self):
        token = self.peek()
        self.position += 1
        return token

    def fail(self, expected):
        found, at = self.tokens[min(self.position, len(self.tokens) - 1)]
        return ValueError(f"C prototype {show(self.text)}: found "
                          f"{show(found) if found else 'the end'} at column {at}, expected {expected}")

    def unknown(self, word, text=None, expected=None):
        """The NotBuiltin of a type that can be only that word."""
        made = NotBuiltin(f"C prototype {show(self.text)}: {text}" if text else str(self.fail(expected)))
        made.word = word
        return made

    def expect(self, token):
        if self.peek() != token:
            raise self.fail(repr(token))
        self.next()


def _is_word(token):
    return bool(token) and (token[0].isalpha() or token[0] == "_")


def _base_type(reader):
    """The type before any '*': a canonical name, 'PyObject', or an error to be raised if
    no '*' follows."""
    start = reader.position
    parts, other, tag = [], None, None
    while _is_word(reader.peek()):
        word = reader.peek()
        if word in _NOISE:
            reader.next()
        elif word in ("struct", "union", "enum"):
            tag = reader.next()
            if not _is_word(reader.peek()):
                raise reader.fail(f"the name of a {tag}")
            other = reader.next()
        elif other is None and word in _PARTS:
            parts.append(reader.next())
        elif other is None and not parts:
            other = reader.next()
        else:
            break                                # the name of the parameter
    if tag is not None:
        return reader.unknown("" if tag == "enum" else f"a {tag}",
                              f"found {show(f'{tag} {other}')}, which is no builtin C type")
    if other is not None:
        if other in _TYPES or other in ("PyObject", "object"):
            return "PyObject" if other in ("PyObject", "object") else _TYPES[other]
        return reader.unknown(_COMPLEX.get(other, ""), f"found {show(other)}, whose width its name "
                              "does not tell, expected builtin C types")
    if not parts:
        reader.position = start
        raise reader.fail("a C type")
    return _combine(parts, reader)


def _combine(parts, reader):
    words = ["_Complex" if part == "complex" else "_Bool" if part == "bool" else part
             for part in parts]
    integer = {"short", "long", "unsigned", "signed", "char"} & set(words)
    if "int" in words and integer:
        words.remove("int")
    if "signed" in words and "char" not in words:
        words.remove("signed")
        words = words or ["int"]
    if words == ["unsigned"]:
        words = ["unsigned", "int"]
    if (found := _BY_WORDS.get(tuple(sorted(words)))) is None:
        raise ValueError(f"C prototype {show(reader.text)}: found {show(' '.join(parts))}, "
                         "which is no C type")
    return found


def _finish(reader, base, stars):
    if stars == 0 and base == "PyObject":
        base = reader.unknown("a struct", "found PyObject by value, expected 'PyObject *'")
    if isinstance(base, NotBuiltin):
        reader.strange, reader.first = ((reader.strange, reader.first or base) if stars == 0
                                        else (reader.strange or base, reader.first))
    if stars == 0:
        return base
    return "object" if base == "PyObject" and stars == 1 else "pointer"


def _stars(reader):
    count = 0
    while reader.peek() == "*" or reader.peek() in _NOISE:
        count += reader.next() == "*"
    return count


def _skip_parentheses(reader):
    depth = 0
    while True:
        if reader.peek() == "":
            raise reader.fail("')'")
        token = reader.next()
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return


def _parameter(reader):
    base = _base_type(reader)
    stars = _stars(reader)
    name = ""
    if reader.peek() == "&":
        base, stars = reader.unknown("pointer", expected="a type without '&': references are C++"), 0
        reader.next()
    if reader.peek() == "(" and reader.peek(1) == "*":       # a pointer to a function
        _skip_parentheses(reader)
        if reader.peek() != "(":
            raise reader.fail("'('")
        _skip_parentheses(reader)
        return "pointer", name
    if _is_word(reader.peek()):
        name = reader.next()
    while reader.peek() == "[":
        reader.next()
        if reader.peek().isdigit():
            reader.next()
        reader.expect("]")
        stars = stars + 1 if base != "PyObject" else 2
    return _finish(reader, base, stars), name


def prototype(text):
    """Reads a C prototype, with or without names.  ValueError says what was found where."""
    reader = _Reader(text)
    try:
        return _prototype(reader)
    except ValueError:
        if reader.first is not None:            # what was read behind it makes no sense
            raise reader.first from None
        raise


def _prototype(reader):
    result = _finish(reader, _base_type(reader), _stars(reader))
    if _is_word(reader.peek()):
        reader.next()                                        # double sin(double)
    elif reader.peek() == "(" and reader.peek(1) == "*":     # double (*)(double)
        _skip_parentheses(reader)
    reader.expect("(")
    arguments, names = [], []
    while reader.peek() != ")" or arguments:
        if reader.peek() == "...":
            arguments.append(reader.unknown(
                "variable", expected="types of all arguments: C passes variable ones differently"))
            reader.next()
            break
        before = reader.position
        argument, name = _parameter(reader)
        if argument == "void":
            if arguments or reader.peek() != ")":
                reader.position = before
                raise reader.fail("an argument's type other than void")
            break
        arguments.append(argument)
        names.append(name)
        if reader.peek() == ")":
            break
        reader.expect(",")
    reader.expect(")")
    if reader.peek() != "":
        raise reader.fail("the end")
    return Prototype(result, arguments, names, reader.strange)


def canonical(text):
    """The canonical text of a signature: `dd->d`, `f8 ( f8,f8 )` and `double (double,
    double)` are all 'f8(f8, f8)'.  ValueError says where it cannot be read."""
    if not isinstance(text, str):
        raise TypeError(f"signature: found an object of type {type(text).__name__!r}, expected "
                        "a str such as 'f8(f8, i4)', 'di->d' or 'double (double, int)'")
    if "\0" in text:
        raise ValueError(f"signature {show(text)}: found a NUL character, expected none")
    return _canonical(text)


@functools.lru_cache(1024)                      # consumers ask for the same few signatures again and again
def _canonical(text):
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    if "->" in text or "[:" in text or (words <= _typed.TYPE_NAMES and "*" not in text
                        and not re.search(r"\(\s*void\s*\)", text)):
        return _typed.format(_typed.parse(text))
    return _typed.format(_typed.parse(prototype(text).signature))


# ------------------------------------------------------------------ C's words for it --

_SPELLED = {"void": "void", "bool": "_Bool", "i1": "signed char", "u1": "unsigned char",
            "i2": "short", "u2": "unsigned short", "i4": "int", "u4": "unsigned int",
            "f4": "float", "f8": "double", "f16": "long double", "c8": "float _Complex",
            "c16": "double _Complex", "c32": "long double _Complex", "pointer": "void *",
            "object": "PyObject *"}
for _width, _names in (("i8", ("long", "long long")),
                       ("u8", ("unsigned long", "unsigned long long"))):
    _SPELLED[_width] = next(name for name in _names if _TYPES[name] == _width)


def spell(signature):
    """A C prototype with these types, as this machine's compilers would read it."""
    result, *arguments = (_SPELLED.get(name, "const PyTypedMethodArray *") for name in split(signature))
    return f"{result} ({', '.join(arguments)})"
