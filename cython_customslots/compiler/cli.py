# SPDX-License-Identifier: MIT
"""``cython-customslots``: the ``cython`` command with the compiler layer.

Takes what ``cython`` takes, and

    --typed         give every cpdef function a typed record, without a cimport of ours
    --extend-all    make every cdef class extensible, without a decorator; means --typed

A comment at the top of a module turns them on and off for it alone:

    # customslots: extend_all=True, typed=False
"""

import difflib
import sys

#: Our own options; the rest is Cython's.
SWITCHES = {"--extend-all": "extend_all", "--typed": "typed"}


def split_switches(arguments):
    """Return ({switch: on}, the arguments that are Cython's)."""
    switches = {name: option in arguments for option, name in SWITCHES.items()}
    return switches, [argument for argument in arguments if argument not in SWITCHES]


def misspelt(arguments):
    """Return a message if an argument looks like one of our options, but is none."""
    for argument in arguments:
        if argument.startswith("-"):
            near = difflib.get_close_matches(argument, SWITCHES, n=1, cutoff=0.8)
            if near and argument != near[0]:
                return f"unknown option {argument}; did you mean {near[0]}?"
    return None


def main():
    switches, arguments = split_switches(sys.argv[1:])
    if (message := misspelt(arguments)) is not None:
        print(f"cython-customslots: error: {message}", file=sys.stderr)
        return 2
    sys.argv[1:] = arguments
    if "--help" in arguments or "-h" in arguments:
        print(__doc__.strip(), end="\n\n")
    # Build systems ask for the version, and Cython answers at once.
    if arguments not in (["--version"], ["-V"]):
        from . import install
        try:
            install(**switches)
        except RuntimeError as failure:
            print(failure, file=sys.stderr)
            return 2
    from Cython.Compiler.Main import setuptools_main
    result = setuptools_main()
    if "--version" in arguments or "-V" in arguments:
        from .. import __version__
        # Behind Cython's own: build systems look for that.
        print("with cython-customslots", __version__)
    return result


if __name__ == "__main__":
    sys.exit(main())
