# SPDX-License-Identifier: MIT
"""``cythonize`` and ``build_ext`` with the compiler layer, for build scripts."""

import contextlib
import threading

from Cython.Build import Dependencies

from . import install
from .tracking import tracking

_plain_helper = Dependencies.cythonize_one_helper
_plain_cythonize = Dependencies.cythonize

# What is changed in Cython's module for the time of a call is changed for all threads.
_lock = threading.RLock()


class _Worker:
    """What a worker process runs: it may have been spawned, with an unpatched Cython."""

    def __init__(self, **options):
        self.options = options

    def __call__(self, arguments):
        install(**self.options, warn=False)      # the process that started this one did
        return _plain_helper(arguments)


def cythonize(module_list, *args, extend_all=False, typed=False, **kwargs):
    """Do what Cython.Build.cythonize does, with the compiler layer.

    *extend_all* makes every cdef class extensible without a decorator; *typed*, which it
    includes, gives every cpdef function a typed record.  C files that another version of
    the layer, other switches or plain Cython have generated are generated again.  Patches
    the Cython of this process; modules with nothing of ours in them come out as before.
    """
    with _lock:
        install(extend_all=extend_all, typed=typed)
        Dependencies.cythonize_one_helper = _Worker(extend_all=extend_all, typed=typed)
        try:
            with tracking(Dependencies):
                return _plain_cythonize(module_list, *args, **kwargs)
        finally:
            Dependencies.cythonize_one_helper = _plain_helper


@contextlib.contextmanager
def instead_of_cythons(**switches):
    """Within it, what imports Cython's cythonize gets ours, with these switches."""

    def ours(*args, **kwargs):
        return cythonize(*args, **{**switches, **kwargs})

    # Not under the lock: setuptools may build extensions in several threads meanwhile.
    before, Dependencies.cythonize = Dependencies.cythonize, ours
    try:
        yield
    finally:
        Dependencies.cythonize = before
