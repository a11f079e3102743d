# SPDX-License-Identifier: MIT
"""``cythonize`` and ``build_ext`` with the compiler layer, for build scripts."""

import contextlib
import threading

from Cython.Build import Dependencies

from .. import install
from ..shared.replacing import replaced
from ..switches.metaclasses import parse_named
from ..reports.tracking import tracking

_plain_helper = Dependencies.cythonize_one_helper
_plain_cythonize = Dependencies.cythonize

# A change in Cython's module for the time of a call is a change for all threads.
_lock = threading.RLock()


class _Worker:
    """What a worker process runs: it may have been spawned, with an unpatched Cython."""

    def __init__(self, **options):
        self.options = options

    def __call__(self, arguments):
        install(**self.options, warn=False)      # the process that started this one has warned
        return _plain_helper(arguments)


def cythonize(module_list, *args, extend_all=False, typed=False, metaclass=None, runtime=None,
              borrow_views=False, **kwargs):
    """Do what Cython.Build.cythonize does, with the compiler layer.

    *extend_all* makes every cdef class extensible without a decorator; *typed*, which it
    includes, gives every cpdef function a typed record.  *metaclass* names the metaclass
    that classes without a decorator have besides extensibletype, "abc.ABCMeta" for example, so that
    users can derive from them and from an abstract base class; or {name: metaclass} for the full names of modules
    and classes, which extends only these.  *runtime* says which implementation of extensible types a module uses:
    "embedded" (or None) is a copy in each module, which this package's build_ext (cmdclass) compiles once for all of
    them; "linked" needs that build_ext, or another that links the copy; "installed" is what cython-customslots
    installs, "package.module" a module of the same package, which carries the copy if it is compiled with this, too,
    an empty .pyx for example.  *borrow_views* lets typed memoryview arguments borrow the memory of NumPy's arrays until
    a memoryview object is needed.
    ValueError for any other value, and for a module or class that does not exist.

    C files that another version of the layer, other switches or plain Cython have generated
    are generated again.  Patches the Cython of this process; modules that do not use
    the layer come out as before.
    """
    switches = {"extend_all": extend_all, "typed": typed, "metaclass": metaclass,
                "runtime": runtime, "borrow_views": borrow_views}
    return _cythonize(module_list, *args, switches=switches, check=True, **kwargs)


def _cythonize(module_list, *args, switches, check, **kwargs):
    """*check*: these are all modules, so names of others are an error."""
    with _lock:
        install(**switches)
        with replaced(Dependencies, cythonize_one_helper=_Worker(**switches)), \
                tracking(Dependencies, parse_named(switches["metaclass"]) if check else ()):
            return _plain_cythonize(module_list, *args, **kwargs)


@contextlib.contextmanager
def instead_of_cythons(verbose=False, **switches):
    """Within it, code that imports Cython's cythonize gets the layer's, with these switches."""

    def layered(*args, **kwargs):
        return _cythonize(*args, switches=switches, check=False, verbose=int(verbose), **kwargs)

    # Not under the lock: within it setuptools may build extensions in several threads.
    with replaced(Dependencies, cythonize=layered):
        yield
