# SPDX-License-Identifier: MIT
"""Examples that replace what others had to give up, built as their READMEs say."""
import importlib.util

import pytest
from examples_support import printed

pytestmark = pytest.mark.nightly


def check(site, directory, code):
    """Runs assertions where the example's modules can be imported, and nothing of ours."""
    (directory / "checks.py").write_text("""\
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] == 'cython_customslots':
            raise ImportError('the test hides ' + name)

sys.meta_path.insert(0, Refuse())

def raises(kind, words, function, *args):
    try:
        function(*args)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f'no {kind.__name__}')

""" + code)
    assert printed("checks.py", cwd=directory, PYTHONPATH=str(site)) == ""


# -------------------------------------------------- Sage's: a metaclass with C fields --

CLASSCALL = """\
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
"""


def test_classcall_prints_what_it_promises(site):
    assert printed("example.py", cwd=site("classcall")) == CLASSCALL


def test_classcall_follows_the_order_of_the_bases(site, tmp_path):
    check(site("classcall"), tmp_path, """
from classcall import ClasscallType
from elements import Element, Number

class One(metaclass=ClasscallType):
    @staticmethod
    def __classcall__(cls, *args):
        return "one", cls.__name__

class Two(metaclass=ClasscallType):
    @staticmethod
    def __classcall__(cls, *args):
        return "two", cls.__name__

class A(One, Element): pass
class B(Element, One): pass             # Element has nothing of its own to say
class C(Two, One, Number): pass
class D(C): pass
assert [cls(1)[0] for cls in (A, B, C, D)] == ["one", "one", "two", "two"]
assert type(D) is type(Element) is ClasscallType
assert 7 in C and 7 not in A            # another field, from another base
C.__bases__ = (One, Number)
assert D(1) == ("one", "D")
D.classcall = None
assert C(1)[0] == "one" and isinstance(D("ZZ", 3), Number)
assert repr(D("ZZ", 3)) == "3 in ZZ"
del D.classcall
assert D(1) == ("one", "D")
""")


def test_classcall_of_its_own_is_not_inherited(site, tmp_path):
    check(site("classcall"), tmp_path, """
from elements import Element

class Base(Element):
    @staticmethod
    def __classcall__(cls, *args):
        return "shared", cls.__name__
    @staticmethod
    def __classcall_private__(cls, *args):
        return "own", cls.__name__

class Sub(Base): pass
assert (Base(), Sub()) == (("own", "Base"), ("shared", "Sub"))

seen = []
class Watching(Base):
    def __init_subclass__(cls):
        seen.append(cls())
class Watched(Watching): pass
assert seen == [("shared", "Watched")]  # right before the metaclass's __init__ has run
""")


# ------------------------------------------------ IOPy: classes made from C descriptors --

IOPY = """\
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
"""


def test_iopy_prints_what_it_promises(site):
    assert printed("example.py", cwd=site("iopy")) == IOPY


# ------------------------------------------------------ SEP 200's: a polymorphic array --

ARRAYS = """\
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
"""

WITH_NUMPY = """\
numpy, double                         66.0   memory
numpy, transposed slice               30.0   memory
numpy, int16                          66.0   vtable
numpy, objects                         3.5   Python
"""


def test_polymorphic_array_prints_what_it_promises(site):
    there = importlib.util.find_spec("numpy") is not None
    assert printed("example.py", cwd=site("polymorphic_array")) == ARRAYS + WITH_NUMPY * there


def test_polymorphic_consumer_survives_anything(site, tmp_path):
    check(site("polymorphic_array"), tmp_path, """
from arrays import Array, Constant, Dense, Range
from summing import total
assert total(Dense([])) == (0.0, "memory") and total(Range(1, 1, 0)) == (0.0, "vtable")
assert total(Constant(0.5, *[2] * 8)) == (128.0, "vtable")
assert total(Constant(1, 3, 0, 5)) == (0.0, "vtable")
for empty in (Range.__new__(Range), Constant.__new__(Constant), Dense.__new__(Dense, None),
              Dense.__new__(Dense, None).T, Array.__new__(Array)):
    assert total(empty) == (0.0, "Python")
    raises(IndexError, "", empty.__getitem__, ())
raises(TypeError, "None", Dense, None)

class Sub(Range): pass
class Both(Sub, metaclass=type(Sub)): pass
assert total(Both(0, 1, 4)) == (6.0, "vtable")
class Letters:
    def __len__(self): return 2
    def __getitem__(self, i): return "12"[i]
raises(TypeError, "", total, 5)
raises(TypeError, "", total, "12")
raises(TypeError, "", total, Letters())
raises(ZeroDivisionError, "", total, type("Z", (), {"__len__": lambda self: 1 // 0})())
assert total({0: 1.5, 1: 2}) == (3.5, "Python") and total(()) == (0.0, "Python")
""")


def test_polymorphic_arrays_of_numpy_are_served_by_registration(site, tmp_path):
    pytest.importorskip("numpy", reason="NumPy is not installed for this interpreter")
    check(site("polymorphic_array"), tmp_path, """
import numpy, summing
plain = numpy.arange(4.0)
assert summing.total(plain) == (6.0, "Python")      # not yet registered
import numpy_arrays
assert summing.total(plain) == (6.0, "memory")
for code in "fbB?hHiIlLqQ":
    assert summing.total(plain.astype(code)) == (3.0 if code == "?" else 6.0, "vtable"), code
grid = numpy.arange(24.0).reshape(2, 3, 4)
for view in grid, grid.T, grid[::-1, :, ::2], grid.swapaxes(0, 1)[1:]:
    assert summing.total(view) == (view.sum(), "memory")
    assert summing.total(view.astype("f")) == (view.sum(), "vtable")
assert summing.total(numpy.array(2.5)) == (2.5, "memory")
assert summing.total(numpy.empty((3, 0, 2))) == (0.0, "memory")
swapped = plain.astype(plain.dtype.newbyteorder())
odd = numpy.frombuffer(b"x" + plain.tobytes(), dtype="d", offset=1)
masked = numpy.ma.masked_greater(plain, 2)
assert summing.total(swapped) == summing.total(odd) == (6.0, "Python")
assert summing.total(masked.filled(0)) == (3.0, "memory")
assert summing.total(numpy.ma.MaskedArray(plain)) == (6.0, "Python")
assert summing.total(numpy.array([1, 2], dtype=object)) == (3.0, "Python")
raises(TypeError, "", summing.total, numpy.array([None]))
""")
