# SPDX-License-Identifier: MIT
"""The compiler layer: Cython with extensible cdef classes.

``install()`` patches the Cython of this process; ``cython-customslots`` (``cli``) and
``cythonize`` (``build``) do that for the user.

    declarations   what the decorators ask for
    initialisers   field and slot values, as Cython expressions in two phases
    fields         the fields of a metaclass, described in C
    imports        what the names of a module are imported from
    emission       the C of an extensible class
    exported       classes whose type object has a name in C
    vtables        the description of a class's C methods
    interfaces     what an interface is, and what a class must have that implements it
    interface_declarations  what the declaration of one may look like
    interface_tables   the C of interfaces: what a module knows of them, the tables of classes
    interface_uses     variables of interfaces: tests, calls, the table beside a variable
    interface_classes  what Python sees of them, and derives from
    interface_headers  the same interfaces for C, C++ and plain Cython
    switches       the comments at the top of a module
    extending      --extend-all: which classes, with which metaclass
    metaclasses    how metaclasses are named in options and comments
    runtime        who implements extensible types for a module
    typed          which functions get typed records
    typed_functions  their C functions: types, errors, thunks
    typed_records  the C of the records
    annotation     what cython -a shows of it
    analysis       what is analysed: decorators, --extend-all, headers, names
    facts          what is known of a class, a function, a module
    hooks          where all this hooks into Cython
    patching       how methods are wrapped and text is changed
    tracking       what has to be generated again, and when
"""

import re
import sys
import warnings

#: Minor versions of Cython that the tests cover, oldest first.
SUPPORTED = ((3, 0), (3, 1), (3, 2), (3, 3))
_OLDEST, _NEWEST = ("%d.%d" % SUPPORTED[i] for i in (0, -1))

try:
    import Cython
except ModuleNotFoundError as error:
    if error.name != "Cython":
        raise
    # Whoever only reads slots, or has them in Python classes, needs no compiler.
    raise ModuleNotFoundError(
        f"cython-customslots: found no Cython in {sys.executable}, and the compiler layer needs "
        f"Cython {_OLDEST} to {_NEWEST}; pip install 'cython-customslots[cython]'",
        name="Cython") from None

_installed = False


def install(extend_all=False, typed=False, metaclass=None, runtime=None, warn=True):
    """Patch the Cython of this process; later calls only set the switches.

    *extend_all* makes every cdef class extensible, and means *typed*, too: records for
    the cpdef functions of every module.  *metaclass* names what classes that it extends have
    besides ours: "abc.ABCMeta", or {"module" or "module.Class": "abc.ABCMeta"}, which extends
    just those.  *runtime* says who implements extensible types: "embedded" (or None),
    "installed", or the full name of a module of the same package.  Comments at the top of a
    module decide for it.  RuntimeError for a Cython that is too old, ValueError for what is no
    name of a metaclass or no value of *runtime*, and nothing is changed; *warn*: once, of one
    that the tests do not cover.
    """
    global _installed
    from .switches import in_force, metaclasses, runtime as runtimes
    named, implementing = metaclasses.parse_named(metaclass), runtimes.parse(runtime)
    if not _installed:
        check_cython(warn)
    in_force.extend_all, in_force.typed = extend_all, typed
    in_force.metaclasses, in_force.runtime = named, implementing
    if _installed:
        return
    from . import hooks              # if that fails, nothing is patched, and the next call tries again
    _installed = True
    hooks.patch()


def check_cython(warn=False):
    """RuntimeError if the Cython of this process is too old for the layer.

    For entries whose Cython, if it is old, would never call what install() is called in.
    *warn*: also warn of one that is newer than the tests.
    """
    minor = tuple(map(int, re.match(r"(\d+)\.(\d+)", Cython.__version__).groups()))
    if minor < SUPPORTED[0]:
        raise RuntimeError(
            f"cython-customslots: found Cython {Cython.__version__}, expected {_OLDEST} to "
            f"{_NEWEST}; install one of them (pip install 'Cython >= {_OLDEST}')")
    if warn and minor not in SUPPORTED:
        warnings.warn(
            f"cython-customslots is tested with Cython {_OLDEST} to {_NEWEST}, found "
            f"{Cython.__version__}; it stops with an error where generated code differs", stacklevel=3)
