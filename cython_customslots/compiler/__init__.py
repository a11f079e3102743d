# SPDX-License-Identifier: MIT
"""The compiler layer: Cython with extensible cdef classes.

``install()`` patches the Cython of this process; ``cython-customslots`` (``cli``) and
``cythonize`` (``build``) do that for the user.

    declarations   what the decorators ask for
    initialisers   field and slot values, as Cython expressions in two phases
    fields         the fields of a metaclass, described in C
    imports        what the names of a module are imported from
    emission       the C of an extensible class
    vtables        the description of a class's C methods
    typed          which functions get typed records
    typed_functions  their C functions: types, errors, thunks
    typed_records  the C of the records
    typed_pypy     what PyPy reads
    annotation     what cython -a shows of it
    analysis       where all this hooks into Cython's analysis
    patching       how methods are wrapped and text is changed
    tracking       what has to be generated again, and when
"""

import warnings

#: Minor versions of Cython that the tests cover.
SUPPORTED = ((3, 2), (3, 3))

_installed = False
extend_all = False
typed_everywhere = False


def switches_in_force():
    """The switches that change what is generated, by name."""
    return {"extend_all": extend_all, "typed": typed_everywhere and not extend_all}


def install(extend_all=False, typed=False):
    """Patch the Cython of this process; later calls only set *extend_all* and *typed*.

    *extend_all* makes every cdef class extensible, and means *typed*, too: records for
    the cpdef functions of every module.
    """
    global _installed
    globals()["extend_all"] = extend_all
    globals()["typed_everywhere"] = typed or extend_all
    if _installed:
        return
    _installed = True
    from Cython import __version__
    minor = tuple(int(part) for part in __version__.split(".")[:2])
    if minor not in SUPPORTED:
        warnings.warn(
            f"cython-customslots is tested with Cython "
            f"{' and '.join('%d.%d' % v for v in SUPPORTED)}, found {__version__}; it stops "
            f"with an error where generated code differs", stacklevel=2)
    from .analysis import install_analysis
    from .annotation import install_annotation
    from .emission import install_emission
    from .imports import install_imports
    from .tracking import install_tracking
    from .typed import install_typed
    from .typed_records import install_typed_records
    install_imports()
    install_analysis()
    install_annotation()
    install_emission()
    install_typed()
    install_typed_records()
    install_tracking()
