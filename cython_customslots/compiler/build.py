# SPDX-License-Identifier: MIT
"""``cythonize`` with the compiler layer, for build scripts."""

from Cython.Build import Dependencies

from . import install

_plain_helper = Dependencies.cythonize_one_helper
_plain_cythonize = Dependencies.cythonize


class _Worker:
    """What a worker process runs: it may have been spawned, with an unpatched Cython."""

    def __init__(self, extend_all):
        self.extend_all = extend_all

    def __call__(self, arguments):
        install(extend_all=self.extend_all)
        return _plain_helper(arguments)


def cythonize(module_list, *args, extend_all=False, **kwargs):
    """Do what Cython.Build.cythonize does, with the compiler layer.

    *extend_all* makes every cdef class extensible without a decorator.  Patches the
    Cython of this process; modules with nothing of ours in them come out as before.
    """
    install(extend_all=extend_all)
    Dependencies.cythonize_one_helper = _Worker(extend_all)
    try:
        return _plain_cythonize(module_list, *args, **kwargs)
    finally:
        Dependencies.cythonize_one_helper = _plain_helper
