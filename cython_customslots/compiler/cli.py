# SPDX-License-Identifier: MIT
"""``cython-customslots``: the ``cython`` command with the compiler layer.

Takes what ``cython`` takes, and

    --typed         give every cpdef function a typed record, without a cimport of ours
    --extend-all    make every cdef class extensible, without a decorator; means --typed
"""

import sys


def main():
    arguments = sys.argv[1:]
    own = [a for a in arguments if a in ("--extend-all", "--typed")]
    sys.argv[1:] = [a for a in arguments if a not in own]
    if "--help" in arguments or "-h" in arguments:
        print(__doc__.strip(), end="\n\n")
    from . import install
    install(extend_all="--extend-all" in own, typed="--typed" in own)
    from Cython.Compiler.Main import setuptools_main
    return setuptools_main()


if __name__ == "__main__":
    sys.exit(main())
