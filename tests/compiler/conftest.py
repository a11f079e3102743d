# SPDX-License-Identifier: MIT
"""The modules that these tests look at, each built once in a session."""
import pytest
import support
from layer_modules import build, module_of


#: Extensible classes, metaclasses and slots of all kinds, in one module.
base = module_of("layer_base.pyx")
#: Classes derived from those in `base`, in another module.
sub = module_of("layer_sub.pyx", "layer_base.pyx")
#: A consumer.
reader = module_of("layer_reader.pyx")


@pytest.fixture(scope="session")
def automatic():
    """Compiled with --extend-all."""
    support.load(build("layer_automatic_foreign.pyx", layer=False))
    return support.load(build("layer_automatic.pyx", "--extend-all"))
