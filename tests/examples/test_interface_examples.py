# SPDX-License-Identifier: MIT
"""The examples of interfaces print what they promise, built as their READMEs say."""
import pytest
import support
from examples_support import printed

pytestmark = pytest.mark.on_pypy

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
}

#: A word of what each benchmark prints.
MEASURED = {"doubles": "array.array  sum() ", "metrics": "us a search", "plugins": "Shout "}


@pytest.mark.parametrize("name", [
    pytest.param("doubles", marks=pytest.mark.thorough), pytest.param("metrics", marks=pytest.mark.nightly),
    pytest.param("plugins", marks=[
        pytest.mark.nightly, support.only_on_cpython("it shows Python's view of an interface")])])
def test_an_example_prints_what_it_promises(site, name):
    assert printed("example.py", cwd=site(name)) == PRINTED[name]


@pytest.mark.nightly
@pytest.mark.parametrize("name", MEASURED)
def test_the_benchmark_of_an_example_runs(site, name):
    assert MEASURED[name] in printed("bench.py", cwd=site(name))
