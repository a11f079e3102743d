# SPDX-License-Identifier: MIT
"""--borrow-views: local variables that borrow do what they do with plain Cython, whatever they are made of."""
import gc
import itertools
import re
import sys

import pytest
from array_support import HERE, alike, result
from test_borrowed_views import KINDS, shown

pytestmark = [pytest.mark.interop, pytest.mark.cythons]

SOURCE = HERE / "local_views.pyx"
FUNCTIONS = re.findall(r"^def (locals_\w+)", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.filterwarnings("ignore:Numpy has detected", "ignore:the matrix subclass", "ignore:future versions")
@pytest.mark.parametrize("kind", KINDS)
def test_functions_with_local_views_do_what_they_do_with_plain_cython(np, modules, kind):
    for name, n in itertools.product(FUNCTIONS, range(3)):
        if kind == "None" and name != "locals_none":
            continue                             # an item of None, unchecked, crashes with plain Cython, too
        def called(module, name=name, n=n):
            x = KINDS[kind](np, np.arange(3.0) + 1.5)
            before, meanwhile = sys.getrefcount(x), []
            given = (lambda: meanwhile.append(n)) if "call" in name else n
            made = result(lambda: shown(np, getattr(module, name)(x, given)))
            module.drop()
            gc.collect(0)
            references = kind != "None" and sys.getrefcount(x) - before
            return re.sub("0x[0-9a-f]+", "ADDRESS", str(made)), meanwhile, references
        alike(modules, called, name, n)


@pytest.mark.parametrize("name", ["locals_called", "locals_called_const"])
def test_a_local_variable_holds_its_array_until_the_function_returns(np, modules, name):
    a = np.arange(4.0)
    before, meanwhile = sys.getrefcount(a), []
    assert getattr(modules[1], name)(a, lambda: meanwhile.append(sys.getrefcount(a))) == 0
    with pytest.raises(ValueError, match="resize"):
        getattr(modules[1], name)(a, lambda: a.resize(2000))
    kept = [np.arange(1000.0) + 7]
    assert getattr(modules[1], name)(kept[0], kept.clear) == 7
    assert meanwhile[0] > before == sys.getrefcount(a)
