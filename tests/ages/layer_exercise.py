# SPDX-License-Identifier: MIT
"""What modules of several ages, made by the compiler layer, do together (layer_sample.pyx): classes
of each get bases, fields and subclasses through the others, and are read through all.

In a fresh process, as exercise.py: what is imported when is the test.
"""
import gc
import importlib


def refused(kind, function, *arguments):
    """What the exception of this kind says that the call raises."""
    try:
        function(*arguments)
    except kind as error:
        return str(error)
    raise AssertionError(f"{function} {arguments} was not refused")


class Meeting:
    """Modules that join one after the other."""

    def __init__(self):
        self.modules, self.below, self.kept = [], [], []

    def join(self, module):
        """Another module, imported just now; all go on with what there is."""
        self.modules.append(module)
        number = module.fields(module.Shape)[0]
        own = (number, number)
        assert module.fields(module.Shape) == (number, [module.__name__])
        assert module.slots(module.Mark) == (number, None)
        assert module.around(module.Shape(), 5) == 20
        assert type(type(module.Shape)) is type(type(self.modules[0].Shape))
        self.keep(module, module.Shape, number, [module.__name__], own)
        self.keep(module, module.Several, number + 3, [module.__name__], (number, number + 3))
        self.subclasses(module, number, own)
        self.go_on()

    def join_below(self, below, above):
        """A module with classes derived from those of another one, of another age."""
        self.below.append(below)
        number = below.extra(below.Triangle)[0]
        slots = above.slots(above.Shape)[0], number
        note = above.fields(above.Shape)[1]
        assert below.extra(below.Triangle) == (number, note, number + 1)
        assert below.around(below.Triangle(), 5) == 15
        self.keep(above, below.Triangle, number, note, slots)

        class Python(below.Triangle, extra=8):
            note = "python"
        assert below.extra(Python) == (number, "python", 8)
        self.keep(above, Python, number, "python", slots)
        Python.extra = 9
        assert below.extra(Python) == (number, "python", 9) and Python.extra == 9
        for bad in "nine", 1 << 40:
            refused((TypeError, OverflowError), setattr, Python, "extra", bad)
            assert below.extra(Python)[2] == 9
        self.go_on()

    def keep(self, *row):
        """(module that knows the struct, class, level, note, slots)"""
        self.kept.append(row)

    def subclasses(self, module, number, own):
        """Python's, of each kind."""
        class Word(module.Shape, level=number + 1):
            note = "body"
        class Plain(Word):
            pass
        Called = type(Word)("Called", (module.Shape,), {"level": number + 2})
        self.keep(module, Word, number + 1, "body", own)
        self.keep(module, Plain, number + 1, "body", own)
        self.keep(module, Called, number + 2, [module.__name__], own)
    def go_on(self):
        for module in self.modules:
            self.abstract(module)
            self.measure(module)
            self.call(module)
        self.share()
        self.check()
        gc.collect()
        self.check()

    def check(self):
        for owner, cls, level, note, slots in self.kept:
            assert owner.fields(cls) == (level, note), (owner, cls, owner.fields(cls))
            assert (cls.level, cls.note) == (level, note), cls
            below = type(cls)("Below", (cls,), {})
            assert owner.fields(below) == (level, note), (owner, below, owner.fields(below))
            for reader in self.modules:
                assert reader.slots(cls) == reader.slots(below) == slots, (reader, cls)
                assert reader.find(cls()) == reader.find(below()) == slots, (reader, cls)
            assert owner.around(below(), 2) in (6, 8)

    def abstract(self, module):
        """An abstract base class: all that ABCMeta does, and slots."""
        class Upper(module.Abstract):
            pass
        class Lower(Upper):
            def run(self):
                return 1
        for cls in module.Abstract, Upper:
            assert "abstract" in refused(TypeError, cls)
        module.Abstract.register(Meeting)
        assert Lower().run() == 1 and isinstance(self, module.Abstract)
        number = module.fields(module.Shape)[0]
        assert all(reader.find(Lower()) == (number, None) for reader in self.modules)
        # A metaclass of another module's ABC is no other one.
        for other in self.modules:
            class Both(Lower, other.Mark):
                pass
            assert isinstance(Both(), module.Abstract) and isinstance(Both(), other.Mark)
            assert all(reader.find(Both()) == (number, None) for reader in self.modules)

    def measure(self, module):
        """An interface, of which each module has a copy of the declaration, and one class of Python."""
        class Plain(module.Gauge):
            pass
        class Named(Plain):
            def named(self):
                return "in Python"
        class Mixed(Plain):
            pass
        number, name, thing = module.fields(module.Shape)[0], module.__name__, Mixed()
        assert module.Measured is self.modules[0].Measured
        assert isinstance(thing, module.Measured) and not isinstance(self, module.Measured)
        for reader in self.modules:
            assert reader.measured(module.Gauge()) == reader.measured(Plain()) == (number, name)
            assert reader.measured(Named()) == (number, "in Python")
            for named in "set", "again":
                Mixed.named = lambda self, named=named: named
                assert reader.measured(thing) == (number, named)
            del Mixed.named
            assert reader.measured(thing) == (number, name) and reader.is_measured(thing)
            Mixed.__bases__ = (Named,)
            assert reader.measured(thing) == (number, "in Python")
            Mixed.__bases__ = (Plain,)
            assert not reader.is_measured(self) and not reader.is_measured(module.Shape())
            words = refused(TypeError, reader.measured, module.Shape())
            assert "expected an object that implements interface" in words, words

    def share(self):
        """Classes without C data are bases beside each other, whoever made them."""
        marks = [module.Mark for module in self.modules]
        for first in range(len(marks)):
            bases = marks[first:] + marks[:first]
            Both = type(bases[0])("Both", tuple(bases), {})
            assert Both.__mro__[1:-1] == tuple(bases)
            for reader in self.modules:
                # What has the same name is what the first one says.
                assert reader.slots(Both) == reader.find(Both()) == reader.slots(bases[0])

    def call(self, module):
        """Typed functions, and those that are none."""
        for other in self.modules:
            number = other.fields(other.Shape)[0]
            assert module.call(other.times, 2.0) == (2.0 * number, True), (module, other)
        assert module.call(lambda x: x + 1, 2.0) == (3.0, False)


def together(*names, below=()):
    """Import these modules, in this order, each into what the ones before it do; then those that
    derive from them: [(below, above)]."""
    meeting = Meeting()
    for name in names:
        module = importlib.import_module(name)
        if hasattr(module, "Shape"):            # the others only carry an implementation
            meeting.join(module)
    for name, above in below:
        meeting.join_below(importlib.import_module(name), importlib.import_module(above))
    return meeting


def refusal(module):
    """The words of who serves for a field that Python does not set."""
    refused((AttributeError, TypeError), type(module.Shape), "Upper", (module.Shape,), {"fixed": 2})
    return refused(AttributeError, setattr, type("Upper", (module.Shape,), {}), "fixed", 2)
