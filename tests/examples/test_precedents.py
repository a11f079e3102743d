# SPDX-License-Identifier: MIT
"""Examples that replace what others had to give up, built as their READMEs say."""
import importlib.util

import pytest
from examples_support import run_python

pytestmark = pytest.mark.nightly


def run_example(site):
    done = run_python("example.py", cwd=site)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


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
    done = run_python("checks.py", cwd=directory, PYTHONPATH=str(site))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


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
    assert run_example(site("classcall")) == CLASSCALL


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


def test_classcall_hands_errors_and_keywords_on(site, tmp_path):
    check(site("classcall"), tmp_path, """
from classcall import ClasscallType
from elements import Element
import gc, weakref

class Failing(Element):
    @staticmethod
    def __classcall__(cls, *, why):
        raise ValueError(why)
raises(ValueError, "because", lambda: Failing(why="because"))
raises(TypeError, "argument", Failing)
raises(TypeError, "argument", Element)

class Temporary(Element):
    @staticmethod
    def __classcall__(cls, *args):
        return Temporary                # a cycle through the C field
gone = weakref.ref(Temporary)
del Temporary
gc.collect()
assert gone() is None
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
    assert run_example(site("iopy")) == IOPY


def test_iopy_fields_are_those_of_the_structure(site, tmp_path):
    check(site("iopy"), tmp_path, """
import iopy
payment = iopy.Payment(id=-1, amount=0.25, payer="x" * 23)
assert (payment.id, payment.amount, payment.payer) == (-1, 0.25, "x" * 23)
assert iopy.Message() is not None and repr(iopy.Message()) == "Message()"
raises(ValueError, "found 24 bytes, expected at most 23", setattr, payment, "payer", "x" * 24)
raises(ValueError, "no zero", setattr, payment, "payer", "a\\0b")
raises(TypeError, "int", setattr, payment, "id", "one")
raises(TypeError, "no field 'amont'", lambda: iopy.Payment(amont=1))
raises(AttributeError, "attribute", setattr, payment, "amont", 1)
raises(AttributeError, "cannot be deleted", delattr, payment, "id")
raises(TypeError, "found 'int', expected messages", iopy.total_size, (payment, 1))
assert payment.payer == "x" * 23
assert iopy.total_size(()) == 0
""")


def test_iopy_survives_patches_that_do_not_fit(site, tmp_path):
    check(site("iopy"), tmp_path, """
import iopy
event, payment = iopy.Event(id=7), iopy.Payment(payer="Ada")
raises(TypeError, "Event has no field 'payer'", iopy.Payment.payer.__get__, event, iopy.Event)
raises(TypeError, "Message", iopy.Payment.payer.__get__, 5, int)
event.__class__ = iopy.Payment          # CPython allows it: all instances look alike
raises(TypeError, "no field 'payer'", lambda: event.payer)
raises(TypeError, "no Payment", repr, event)
event.__class__ = iopy.Event
assert repr(event) == "Event(id=7)"

class Plain: __slots__ = ()
raises(TypeError, "", setattr, Plain, "__bases__", (iopy.Payment,))
raises(TypeError, "version", setattr, iopy.Payment, "version", "new")
class Sub(iopy.Refund, version=5): pass
iopy.Refund.__bases__ = (iopy.Event,)   # its fields above Event's are gone
assert not hasattr(Sub, "payer") and Sub.version == 5
assert repr(Sub(of=3)) == "Refund(id=0, amount=0, payer='', of=3)"
""")


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
    printed = run_example(site("polymorphic_array"))
    there = importlib.util.find_spec("numpy") is not None
    assert printed == ARRAYS + WITH_NUMPY * there


def test_polymorphic_arrays_are_arrays_for_python_too(site, tmp_path):
    check(site("polymorphic_array"), tmp_path, """
from arrays import Array, Constant, Dense, Range
table = Dense(range(6), 2, 3)
assert (table.shape, len(table), table[1, 2], table[-1, 0]) == ((2, 3), 2, 5.0, 3.0)
assert [table.T[i, 1] for i in range(3)] == [3.0, 4.0, 5.0] and table.T.shape == (3, 2)
flat = Dense([1, 2, 3, 4, 5])
assert list(flat.every(2)) == [1.0, 3.0, 5.0] and list(flat.every(-2)) == [5.0, 3.0, 1.0]
assert list(flat.every(-2).every(-1)) == [1.0, 3.0, 5.0]
assert list(flat.every(sys.maxsize)) == [1.0] and list(flat.every(-sys.maxsize - 1)) == [5.0]
assert list(Dense([]).every(-1)) == [] == list(Range(0, 1, 0))
assert list(Range(1, 0.5, 3)) == [1.0, 1.5, 2.0] and Constant(2, 3, 4)[2, 3] == 2.0
view = Dense(range(1000)).every(2)      # lives on when its owner has no other reference
assert view[499] == 998.0
for bad in (2, 0), (0, 3), (0,), (0, 0, 0), ():
    raises(IndexError, "", table.__getitem__, bad)
raises(ValueError, "found 3 numbers, expected 4", Dense, [1, 2, 3], 2, 2)
raises(ValueError, "0 or more", Constant, 1, -1)
raises(ValueError, "dimensions", Constant, 1)
raises(ValueError, "dimensions", Constant, 1, *[1] * 9)
raises(ValueError, "axes", table.every, 1, 2)
raises(TypeError, "expected Dense, Range or Constant", Array)
""")


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
