# SPDX-License-Identifier: MIT
"""SciPy's compiled modules for callbacks, built anew from its C code (setup.py).

`replace()` puts them in the place of SciPy's own, in this process, before SciPy imports those; as a
pytest plugin, `-p scipy_callbacks`, this does so for SciPy's own tests.  `both()` gives what is needed
to compare.
"""
import importlib
import importlib.util
import sys

PLACES = {"scipy.integrate._quadpack": "_quadpack", "scipy.ndimage._nd_image": "_nd_image",
          "scipy._lib._test_ccallback": "_test_ccallback"}


def replace():
    for place, name in PLACES.items():
        if place in sys.modules:
            raise ImportError(f"{place} is imported already; call replace() before SciPy's modules are")
        sys.modules[place] = importlib.import_module(f"scipy_callbacks.{name}")


def pytest_configure(config):
    replace()


def both(module, compiled):
    """Two copies of a Python module of SciPy's, with SciPy's compiled module and with ours: nothing is
    swapped between calls, so that the interpreter's caches serve both alike."""
    package = module.rpartition(".")[0]
    path = importlib.import_module(module).__file__
    copies = []
    for place in f"{package}.{compiled}", f"scipy_callbacks.{compiled}":
        spec = importlib.util.spec_from_file_location(f"{module}_{len(copies)}", path)
        copy = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(copy)
        setattr(copy, compiled, importlib.import_module(place))
        copies.append(copy)
    return copies
