# SPDX-License-Identifier: MIT
"""Which implementation of extensible types a module uses: the switch `runtime`, whose values commands/cli.py explains.

Compiled with PACKAGE.MODULE, the module of that very name is the one that carries the
copy, whatever else is in it; so is every module that says `runtime=embedded` in a comment.
Other modules carry it only if they have something to implement: a class, a metaclass, or a cimport of what makes them.

The switch becomes a macro or two in front of the text of extensibletype.h, and that header's
implementation in the C file or not.  A -D of the C compiler goes before it.
"""

from ...tools.headers import RUNTIME_HEADER
from ...python.showing import show

EMBEDDED, LINKED, INSTALLED = WORDS = "embedded", "linked", "installed"
OPTION = "--runtime"
EXPECTED = f"{', '.join(WORDS)} or the full name of a module, such as package._runtime"

_MACROS = "LINKED", "INSTALLED", "MODULE", "ELSEWHERE"


def is_valid(value):
    """Is *value* one of the words, or the name of a module in a package?

    A name without a dot is not valid: it would be a misspelt word.
    """
    return isinstance(value, str) and (
        value in WORDS
        or "." in value and all(part.isidentifier() for part in value.split(".")))


def parse(value):
    """Return *value*, EMBEDDED for None.  ValueError for anything else."""
    if value is None:
        return EMBEDDED
    if not is_valid(value):
        raise ValueError(f"runtime: found {show(value)}, expected {EXPECTED}")
    return str(value)


# ------------------------------------------------------------------------ in C

def left_out(who, in_header=False):
    """The headers whose text is not in a module for which *who* implements.

    *in_header*: in the C header that Cython generates beside it, whose includers are parts of
    the module, or have imported it.
    """
    return set() if who == EMBEDDED and not in_header else {RUNTIME_HEADER}


def definitions(who, name, in_header=False):
    """The C code in front of the text of extensibletype.h in module *name*."""
    from ..shared.writing import c_string               # late: it loads Cython's compiler
    text, carries = "", who in (EMBEDDED, LINKED)
    if carries and not in_header:
        text = ("#ifndef PyExtensibleType_MODULE_NAME\n"
                f"#define PyExtensibleType_MODULE_NAME {c_string(name)}\n"
                "#endif\n")
        if who == EMBEDDED:
            return text
    macro = "ELSEWHERE" if carries and in_header else who.upper() if who in WORDS else f"MODULE {c_string(who)}"
    undecided = " && ".join(f"!defined(PyExtensibleType_RUNTIME_{name})" for name in _MACROS)
    return f"{text}#if {undecided}\n#define PyExtensibleType_RUNTIME_{macro}\n#endif\n"
