# SPDX-License-Identifier: MIT
"""The compiler layer: Cython with extensible cdef classes.

``install()`` patches the Cython of this process; ``cython-customslots`` (``commands.cli``) and
``cythonize`` (``commands.build``) do that for the user.  The parts, each above the parts that it imports:

    commands     what users and build scripts call: cli, build, build_ext, compiling, interface_headers
    hooks        where all this hooks into Cython, and the order of steps
    reports      beside the C: annotation (cython -a), tracking (what has to be generated again, and when)
    typed        choosing (which functions get typed records), functions (their C functions: types, errors,
                 thunks), records (the C of the records), callers (of typed callables),
                 callables (@callable: what the calls of objects run)
    views        borrowing (typed memoryview arguments that borrow, and their C), escaping (where a slice needs its
                 memoryview object), materialising (the C that makes it there)
    classes      analysis (what Cython analyses: classes, headers as text), extending (--extend-all: which classes,
                 with which metaclass), emission (the C of an extensible class), fields (those of a
                 metaclass, described in C), vtables (the description of a class's C methods), arrays (@array: what
                 fills a DLTensor), class_hooks (what runs when a class is ready), holding (members that the garbage
                 collector must know of)
    interfaces   interface_type (what an interface is to Cython), signatures (a C method as text), declaring (what a
                 declaration may look like), implementing (what a class must have), looking (C functions that call what
                 Python finds), bodies (methods that classes are given), hidden_classes (what Python derives from),
                 tables (the C of interfaces), uses (variables: tests, calls, the table beside a variable)
    decorators   declarations (what decorators say, and IDs that are names), initialisers (field and slot values, as
                 Cython expressions in two phases), body (values in the body of a class), imports (where a
                 metaclass's name comes from)
    switches     in_force (what install() was called with), comments (at the top of a module), metaclasses and
                 runtime (the values of two options)
    shared       facts (what is known of a class, a function, a module), statements (as Cython nests them), replacing
                 (something of Cython's for a while), writing (C, and changes of Cython's)

The path of ``@slot`` from source to C: hooks, declarations, analysis, initialisers, emission, with facts and
writing below them; of C fields, fields as well; of a class that implements an interface, tables.
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
    # Code that only reads slots, or has them in Python classes, needs no compiler.
    raise ModuleNotFoundError(
        f"cython-customslots: found no Cython in {sys.executable}, and the compiler layer needs "
        f"Cython {_OLDEST} to {_NEWEST}; pip install 'cython-customslots[cython]'",
        name="Cython") from None

_installed = False


def install(extend_all=False, typed=False, metaclass=None, runtime=None, warn=True, borrow_views=False):
    """Patch the Cython of this process; later calls only set the switches, which are cythonize()'s.

    Comments at the top of a module decide for it.  RuntimeError for a Cython that is too old, ValueError for a text
    that is no name of a metaclass or no value of *runtime*; then nothing is changed.  *warn*: warn once of a Cython
    that the tests do not cover.
    """
    global _installed
    from .switches import in_force, metaclasses, runtime as runtimes
    named, implementing = metaclasses.parse_named(metaclass), runtimes.parse(runtime)
    if not _installed:
        check_cython(warn)
    in_force.extend_all, in_force.typed, in_force.borrow_views = extend_all, typed, borrow_views
    in_force.metaclasses, in_force.runtime = named, implementing
    if _installed:
        return
    from . import hooks              # if this fails, nothing is patched, and the next call tries again
    _installed = True
    hooks.patch()


def check_cython(warn=False):
    """RuntimeError if the Cython of this process is too old for the layer.

    For entries where an old Cython would never call the code that calls install().  *warn*: also
    warn of a Cython that is newer than the tests.
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
