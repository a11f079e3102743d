# SPDX-License-Identifier: MIT
"""``cython-customslots``: the ``cython`` command with the compiler layer.

Takes what ``cython`` takes, and

    --extend-all    make every cdef class extensible, without a decorator
"""

import sys


def main():
    arguments = sys.argv[1:]
    extend_all = "--extend-all" in arguments
    sys.argv[1:] = [a for a in arguments if a != "--extend-all"]
    if "--help" in arguments or "-h" in arguments:
        print(__doc__.strip(), end="\n\n")
    from . import install
    install(extend_all=extend_all)
    from Cython.Compiler.Main import setuptools_main
    return setuptools_main()


if __name__ == "__main__":
    sys.exit(main())
