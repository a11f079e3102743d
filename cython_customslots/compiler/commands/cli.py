# SPDX-License-Identifier: MIT
"""``cython-customslots``: the ``cython`` command with the compiler layer.
``python -m cython_customslots cythonize`` is that for ``cythonize``, which also calls the C compiler.

Takes what ``cython``, or ``cythonize``, takes, and

    --typed         give every cpdef function a typed record, without a cimport of this package
    --extend-all    make every cdef class extensible, without a decorator; means --typed.
                    With -v, a line for each class that stays as Cython makes it.
    --borrow-views  typed memoryview arguments borrow the memory of a NumPy array until a
                    memoryview object is needed.  With -v, a line for each argument.
    --metaclass=[NAME=]METACLASS
                    classes without a decorator have this metaclass, too, abc.ABCMeta for
                    example, so that users can derive from them and from an abstract base
                    class; means --extend-all.  With NAME, the full name of a module or
                    of a class, just those.  May be repeated.
    --runtime=embedded|linked|installed|PACKAGE.MODULE
                    which implementation of extensible types the module uses, if none serves
                    before it is imported: a copy in the module itself (embedded, the default), which the
                    build compiles once for all modules and links to each (linked);
                    _customslots_runtime, which cython-customslots installs; or a module of
                    the same package.  The module of that name, compiled with the same
                    option, carries the copy for all of them.

A comment at the top of a module says these things for it alone:

    # customslots: extend_all=True, typed=False
    # customslots: metaclass=abc.ABCMeta
    # customslots: extend_all=False, Shape.metaclass=abc.ABCMeta
    # customslots: runtime=installed
    # customslots: borrow_views=True
"""

import difflib
import functools
import sys
import tempfile

from ..switches import metaclasses, runtime

VERBOSE = {"-v", "--verbose"}
#: Our own options that are on or off; the rest is Cython's.
SWITCHES = {"--extend-all": "extend_all", "--typed": "typed", "--borrow-views": "borrow_views"}
#: Those that have a value, and what that is expected to be.
VALUED = {metaclasses.METACLASS_OPTION: metaclasses.EXPECTED_METACLASS, runtime.OPTION: f"expected {runtime.EXPECTED}"}


def split_switches(arguments):
    """Return ({switch: value}, the arguments that are Cython's).

    ValueError for a wrong metaclass, and for a wrong value of --runtime, or two values.
    """
    values, others, rest = {option: [] for option in VALUED}, [], iter(arguments)
    for argument in rest:
        option, equals, value = argument.partition("=")
        if option not in VALUED:
            others.append(argument)
            continue
        value = value if equals else next(rest, None)
        if value is None:
            raise ValueError(f"{option}: found nothing behind it, {VALUED[option]}")
        values[option].append(value)
    switches = {name: option in others for option, name in SWITCHES.items()}
    switches["metaclass"] = metaclasses.parse_named(values[metaclasses.METACLASS_OPTION])
    who, *more = dict.fromkeys(values[runtime.OPTION] or [None])
    if more:
        raise ValueError(f"runtime: is given twice, {who!r} and {more[0]!r}")
    switches["runtime"] = runtime.parse(who)
    return switches, [argument for argument in others if argument not in SWITCHES]


def misspelt(arguments):
    """Return a message if an argument looks like one of our options, but is not one."""
    for argument in arguments:
        if argument.startswith("-"):
            option = argument.partition("=")[0]
            near = difflib.get_close_matches(option, [*SWITCHES, *VALUED], n=1, cutoff=0.8)
            if near and option != near[0]:
                return f"unknown option {option}; did you mean {near[0]}?"
    return None


def _understood(command="cython"):
    """Take our options out of sys.argv and return {switch: value}; None: said what is wrong."""
    try:
        switches, arguments = split_switches(sys.argv[1:])
        message = misspelt(arguments)
    except ValueError as failure:
        message = str(failure)
    if message is not None:
        print(f"cython-customslots: error: {message}", file=sys.stderr)
        return None
    sys.argv[1:] = arguments
    if "--help" in arguments or "-h" in arguments:
        print(f"Like `{command}`, with the compiler layer.  It takes", __doc__.partition("and\n")[2].strip("\n"),
              f"and what {command} takes:", sep="\n\n", end="\n\n")
    return switches


def _patched(switches):
    """Patch Cython; False: said that it is too old."""
    from .. import install
    try:
        install(**switches)
    except RuntimeError as failure:
        print(failure, file=sys.stderr)
        return False
    return True


def cythonize_main():
    """The command ``cythonize`` with the compiler layer; the arguments are those of sys.argv."""
    switches = _understood("cythonize")
    if switches is None:
        return 2
    verbose = bool(VERBOSE & set(sys.argv))                     # an option of ``cython`` alone
    sys.argv[1:] = [argument for argument in sys.argv[1:] if argument not in VERBOSE]
    if not _patched(switches):
        return 2
    from Cython.Build import Cythonize, Dependencies
    from Cython.Compiler.Errors import CompileError

    from .build import instead_of_cythons
    from .compiling import run_distutils
    with instead_of_cythons(verbose=verbose, **switches), tempfile.TemporaryDirectory() as directory:
        Cythonize.cythonize = Dependencies.cythonize            # which it had imported
        Cythonize.run_distutils = functools.partial(run_distutils, directory)
        try:
            return Cythonize.main()
        except CompileError:                                    # it is printed already
            return 1
        except (OSError, ValueError) as failure:                # a file that cannot be read, a folder without sources
            print(f"cython-customslots: error: {failure}", file=sys.stderr)
            return 1


def main():
    switches = _understood()
    if switches is None:
        return 2
    arguments = sys.argv[1:]
    # Build systems ask for the version, and Cython answers at once.
    if arguments not in (["--version"], ["-V"]) and not _patched(switches):
        return 2
    from Cython.Compiler.Main import setuptools_main
    try:
        result = setuptools_main()
    except ValueError as failure:                               # of a directive, `-X name=value`
        print(f"cython-customslots: error: {failure}", file=sys.stderr)
        return 2
    if "--version" in arguments or "-V" in arguments:
        from ... import __version__
        # Behind Cython's own: build systems look for that.
        print("with cython-customslots", __version__)
    return result


if __name__ == "__main__":
    sys.exit(main())
