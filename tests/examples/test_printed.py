# SPDX-License-Identifier: MIT
"""Examples print what they promise, built as their READMEs say; and their benchmarks run."""
import importlib.util

import pytest
from examples_support import printed

PRINTED = {
    "doubles": """\
argument 'numbers': expected an object that implements interface 'doubles.Doubles', found 'list', which \
does not implement it
list        249750.0
array.array 249750.0
Steps       249750.0
array - found 1 dimensions of format 'f', expected one of doubles
list - must be real number, not str
str - argument 'numbers': expected an object that implements interface 'doubles.Doubles', found 'str', \
which does not implement it
""",
    "metrics": """\
neighbours is loaded; measures: False
Euclidean  7.594038
Manhattan  10.832490
Minkowski  6.902043
argument 'metric': expected an object that implements interface 'distances.Metric', found 'function', \
which does not implement it
""",
    "plugins": """\
an old host runs ['ABC', 'cbA', 'Abc', 'cba']
and takes back abc cba
a new host finds the cheapest: Nothing
expected an object that implements interface 'editor.Plugin', found 'old_plugin.Shout', which implements \
it, but with 'str undo(object, str) except NULL', where this module was compiled for 'i4 cost(object) noexcept'
'old_plugin.Shout' does not implement editor.Plugin: function 1 is 'str undo(object, str) except NULL', \
expected 'cdef int cost(self) noexcept'
expected 2 functions, declared by module 'new_plugin':
  = 0  cpdef str apply(self, str text)    # str apply(object, str) except NULL
  ! 1  cdef int cost(self) noexcept    # i4 cost(object) noexcept
found 2 functions:
  = 0  str apply(object, str) except NULL
  ! 1  str undo(object, str) except NULL
under the same ID 1 function, declared by module 'old_plugin':
  = 0  cpdef str apply(self, str text)    # str apply(object, str) except NULL
""",
    "classcall": """\
type(Element) = <class 'classcall.ClasscallType'>
Element of ZZ
Generator of QQ
Generator is unique: True
so is its subclass:  True
an Element is not:   False
7 in ZZ is made as Small
1000 in ZZ is made as Large
7 in Number, Integer, Element: True True False
Element of the ring
making LoggedToo from RR
""",
    "iopy": """\
Payment(id=1, amount=9.5, payer='Ada')
Refund(id=2, amount=9.5, payer='Ada', of=1)
Payment(id=3, amount=1, payer='anonymous')
Bob paid 2.00
anonymous paid 3.00
versions: 1 1 1 1
versions: 2 2 2 2
Refund(id=4, amount=0, payer='', of=0)
a donation is as large as a payment: True
together: True
""",
    "polymorphic_array": """\
summing is loaded; providers it has imported: none

array                                  sum   items reached through
Dense(range(6), 2, 3)                 15.0   memory
its transpose                         15.0   memory
its columns 0 and 2                   10.0   memory
Celsius([1.5, 2.5])                    4.0   memory
Range(0, 1, 1000001)        500000500000.0   vtable
Constant(0.5, 100, 100)             5000.0   vtable
a list                                 3.5   Python
array('f')                             3.5   Python
""",
}
if importlib.util.find_spec("numpy"):
    PRINTED["polymorphic_array"] += """\
numpy, double                         66.0   memory
numpy, transposed slice               30.0   memory
numpy, int16                          66.0   vtable
numpy, objects                         3.5   Python
"""

#: A word of what each benchmark prints.
MEASURED = {"doubles": "array.array  sum() ", "metrics": "us a search", "plugins": "Shout "}


@pytest.mark.parametrize("name", [
    pytest.param("doubles", marks=[pytest.mark.thorough, pytest.mark.on_pypy]),
    pytest.param("metrics", marks=[pytest.mark.nightly, pytest.mark.on_pypy]),
    *(pytest.param(name, marks=pytest.mark.nightly) for name in ("plugins", "classcall", "iopy", "polymorphic_array"))])
def test_an_example_prints_what_it_promises(site, name):
    assert printed("example.py", cwd=site(name)) == PRINTED[name]


@pytest.mark.nightly
@pytest.mark.on_pypy
@pytest.mark.parametrize("name", MEASURED)
def test_the_benchmark_of_an_example_runs(site, name):
    assert MEASURED[name] in printed("bench.py", cwd=site(name))
