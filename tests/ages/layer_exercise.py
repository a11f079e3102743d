# SPDX-License-Identifier: MIT
"""What modules of several ages, made by the compiler layer, do together (layer_sample.pyx): classes
of each get bases, fields and subclasses through the others, and are read through all.

In a fresh process, as exercise.py: what is imported when is the test.
"""
import gc


def refused(kind, function, *arguments):
    """What the exception of this kind says that the call raises."""
    try:
        function(*arguments)
    except kind as error:
        return str(error)
    raise AssertionError(f"{function} {arguments} was not refused")


class Meeting:
    """Modules that join one after the other; all go on with the classes that there are."""

    def __init__(self):
        self.modules, self.kept = [], []

    def join(self, module):
        """Another module, imported just now."""
        self.modules.append(module)
        number, note = module.fields(module.Shape)
        assert note == [module.__name__] and module.slots(module.Mark) == (number, None)
        assert module.around(module.Shape(), 5) == 20
        assert type(type(module.Shape)) is type(type(self.modules[0].Shape))

        class Word(module.Shape, level=number + 1):
            note = "body"
        for cls, level, text in ((module.Shape, number, note), (Word, number + 1, "body"),
                                 (type(Word)("Plain", (Word,), {}), number + 1, "body"),
                                 (type(Word)("Called", (module.Shape,), {"level": number + 2}), number + 2, note)):
            self.keep(module, cls, level, text, (number, number))
        self.keep(module, module.Several, number + 3, note, (number, number + 3))
        self.go_on()

    def join_below(self, below, above):
        """A module with classes derived from those of another one, of another age."""
        number = below.extra(below.Triangle)[0]
        slots, note = (above.slots(above.Shape)[0], number), above.fields(above.Shape)[1]
        assert below.extra(below.Triangle) == (number, note, number + 1)
        assert below.around(below.Triangle(), 5) == 15
        self.keep(above, below.Triangle, number, note, slots)

        class Python(below.Triangle, extra=8):
            note = "python"
        assert below.extra(Python) == (number, "python", 8)
        self.keep(above, Python, number, "python", slots)
        Python.extra = 9
        for bad in "nine", 1 << 40:
            refused((TypeError, OverflowError), setattr, Python, "extra", bad)
            assert below.extra(Python) == (number, "python", 9) and Python.extra == 9
        self.go_on()

    def keep(self, *row):
        """(module that knows the struct, class, level, note, slots)"""
        self.kept.append(row)

    def go_on(self):
        for module in self.modules:
            self.abstract(module)
            self.measure(module)
            for other in self.modules:      # typed functions, and those that are none
                assert module.call(other.times, 2.0) == (2.0 * other.fields(other.Shape)[0], True), (module, other)
            assert module.call(lambda x: x + 1, 2.0) == (3.0, False)
        self.check()
        gc.collect()
        self.check()

    def check(self):
        for owner, cls, level, note, slots in self.kept:
            below = type(cls)("Below", (cls,), {})
            for each in cls, below:
                assert owner.fields(each) == (each.level, each.note) == (level, note), (owner, each)
                for reader in self.modules:
                    assert reader.slots(each) == reader.find(each()) == slots, (reader, each)
            assert owner.around(below(), 2) in (6, 8)
            below.level, below.note = 7, "own"
            assert owner.fields(below) == (7, "own") and owner.fields(cls) == (level, note)

    def abstract(self, module):
        """An abstract base class: all that ABCMeta does, and slots; beside a base of each other module."""
        class Lower(module.Abstract):
            def run(self):
                return 1
        assert "abstract" in refused(TypeError, module.Abstract)
        module.Abstract.register(Meeting)
        assert Lower().run() == 1 and isinstance(self, module.Abstract)
        number = module.fields(module.Shape)[0]
        for other in self.modules:
            class Both(Lower, other.Mark):
                pass
            assert isinstance(Both(), module.Abstract) and isinstance(Both(), other.Mark)
            # What has the same name is what the first one says.
            assert all(reader.find(Both()) == reader.slots(Both) == (number, None) for reader in self.modules)

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
        assert module.Measured is self.modules[0].Measured and isinstance(thing, module.Measured)
        for reader in self.modules:
            assert reader.measured(module.Gauge()) == reader.measured(thing) == (number, name)
            assert reader.measured(Named()) == (number, "in Python")
            Mixed.named = lambda self: "set"
            assert reader.measured(thing) == (number, "set")
            del Mixed.named
            Mixed.__bases__ = (Named,)
            assert reader.measured(thing) == (number, "in Python")
            Mixed.__bases__ = (Plain,)
            words = refused(TypeError, reader.measured, module.Shape())
            assert "expected an object that implements interface" in words, words


def together(*names, below=()):
    """Import these modules, in this order, each into what the ones before it do; then those that
    derive from them: [(below, above)]."""
    meeting = Meeting()
    for name in names:
        meeting.join(__import__(name))
    for name, above in below:
        meeting.join_below(__import__(name), __import__(above))
    return meeting


def refusal(module):
    """The words of who serves for a field that Python does not set."""
    refused((AttributeError, TypeError), type(module.Shape), "Upper", (module.Shape,), {"fixed": 2})
    return refused(AttributeError, setattr, type("Upper", (module.Shape,), {}), "fixed", 2)
