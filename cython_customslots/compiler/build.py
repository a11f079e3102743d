# SPDX-License-Identifier: MIT
"""``cythonize`` with the compiler layer, for build scripts."""

from Cython.Build import Dependencies

from . import install

_plain_helper = Dependencies.cythonize_one_helper
_plain_cythonize = Dependencies.cythonize


class _Worker:
    """What a worker process runs: it may have been spawned, with an unpatched Cython."""

    def __init__(self, **options):
        self.options = options

    def __call__(self, arguments):
        install(**self.options)
        return _plain_helper(arguments)


def cythonize(module_list, *args, extend_all=False, typed=False, **kwargs):
    """Do what Cython.Build.cythonize does, with the compiler layer.

    *extend_all* makes every cdef class extensible without a decorator; *typed*, which it
    includes, gives every cpdef function a typed record.  Patches the Cython of this
    process; modules with nothing of ours in them come out as before.
    """
    install(extend_all=extend_all, typed=typed)
    Dependencies.cythonize_one_helper = _Worker(extend_all=extend_all, typed=typed)
    try:
        return _plain_cythonize(module_list, *args, **kwargs)
    finally:
        Dependencies.cythonize_one_helper = _plain_helper
