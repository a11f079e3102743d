# SPDX-License-Identifier: MIT
"""Modules of several ages in one process: classes made through one of them get bases, slots and
fields through others, and are read through all.

In a fresh process: what is imported when is the test.  Nothing of the tests' own is imported but
the random programs of tests/hostile/changing_classes.py, here in one thread, and interfaces.py of tests/core.
"""
import gc
import random
from types import new_class

import changing_classes
from interfaces import DRAW, SCALE, Interface

#: Slots of types that C code makes.
IDS = [0x01 << 24 | idea << 8 | 1 for idea in range(900, 903)]


def refused(kind, function, *arguments):
    """The exception of this kind that the call raises."""
    try:
        function(*arguments)
    except kind as error:
        return error
    raise AssertionError(f"{function} {arguments} was not refused")


class Anyone:
    """In place of a module `probe`: each call goes through another of the modules."""

    def __init__(self, modules, choose):
        self._modules, self._choose = modules, choose

    def __getattr__(self, name):
        return getattr(self._choose.choice(self._modules), name)


class Overriding:
    """Classes of Python override functions of an interface that each module provides and declares."""

    def __init__(self, choose):
        self.choose, self.roots, self.classes = choose, [], []

    def join(self, module):
        self.shape = Interface(module, name="ages.Shape", chosen=len(self.roots) % 2)
        table = module.interface_table(self.shape.name, self.choose.choice([2, 3]), 7, 2)
        module.interface_declare(self.shape.id, self.shape.name, None, table, table, None)
        self.roots += self.shape.provider, module.interface_class(self.shape.id)
        self.mixin = module.import_metaclass()("Mixin", (), {})

    def functions(self):
        numbers = {name: self.choose.getrandbits(30) for name in ("scale", "draw") if self.choose.randrange(3) == 0}
        return {name: lambda self, arg, number=number: number for name, number in numbers.items()}

    def bases(self):
        return tuple(self.choose.sample([*self.roots, *self.classes, self.mixin], self.choose.randint(1, 3)))

    def step(self):
        what, cls = self.choose.randrange(9), self.choose.choice([*self.classes, self.mixin])
        if what < 3:
            self.classes = self.classes[-10:]
            made = self.outcome(new_class, "Made", self.bases(), {}, lambda body: body.update(self.functions()))
            self.classes += [made] if made else []
        elif what < 6:
            for name, function in self.functions().items():
                setattr(cls, name, function)
        elif what < 8:
            for name in {"scale", "draw"} & {*vars(cls)}:
                delattr(cls, name)
        else:
            self.outcome(setattr, cls, "__bases__", self.bases())

    def go_on(self, modules, steps):
        for _ in range(steps):
            self.step()
            self.check(modules)

    def check(self, modules):
        for cls in self.classes:
            obj = cls()
            for name, place in ("scale", SCALE), ("draw", DRAW):
                expected = self.outcome(lambda: getattr(obj, name)("x"))
                for reader in modules:
                    try:
                        found = self.outcome(reader.interface_call, obj, self.shape.id, place, "x")
                    except LookupError:         # a shorter table, or none any more
                        continue
                    assert found == expected, (reader, name, found, expected, cls.__mro__)

    @staticmethod
    def outcome(function, *arguments):
        """What it returns, or that there is nothing to call."""
        try:
            return function(*arguments)
        except (AttributeError, NotImplementedError, TypeError):
            return None


class Run:
    """What modules that join one after the other do together."""

    def __init__(self, seed=0):
        self.choose = random.Random(seed)
        self.modules, self.hierarchies, self.kept = [], [], []
        self.anyone = Anyone(self.modules, self.choose)
        self.overriding = Overriding(self.choose)

    def join(self, module, steps=100):
        """Another module, imported just now; all go on with what there is."""
        if self.modules:                # its runtime may serve, and knows of no interface by itself
            self.overriding.go_on(self.modules, steps)
        self.modules.append(module)
        metaclass = module.import_metaclass()
        assert all(other.import_metaclass() is metaclass for other in self.modules)
        numbers, fields = module.metaclasses()[0], module.rich_metaclasses()[0]
        if len(self.modules) == 1:
            self.hierarchies.append(changing_classes.Hierarchy(self.anyone, metaclass))
        self.hierarchies.append(changing_classes.Hierarchy(self.anyone, fields))
        self.kept.append((module, self.c_types(module, numbers), self.described(module, fields)))
        self.overriding.join(module)
        self.go_on(steps)

    def go_on(self, steps):
        for hierarchy in self.hierarchies:
            classes = hierarchy.classes()
            for _ in range(steps):
                hierarchy.step(self.choose, classes)
        self.overriding.go_on(self.modules, steps)
        self.check()

    def c_types(self, module, numbers):
        """Types of every kind that C code makes; all have slots."""
        name = module.__name__
        ready = module.draft_ready(module.draft(f"{name}.Ready", (), [(IDS[0], 1)], 8, None), 8)
        published = module.emitted(f"{name}.Emitted", None, (), [(IDS[0], 1)])
        counted = module.emitted(f"{name}.Counted", numbers, (), [(IDS[0], 1)])
        return [ready, published, counted,
                module.heap(f"{name}.Heap", (), [(IDS[0], 1)]),
                self.anyone.heap(f"{name}.Sub", (ready,), [(IDS[2], 3)])]

    def described(self, module, metaclass):
        """Fields of every kind, set in every way by the module that knows the struct."""
        base = metaclass("Described", (), {"level": 1, "box": 2, "label": "base", "motto": b"m"})
        sub = type("Sub", (base,), {})
        module.set_secret(base, 77)
        module.set_c_field(sub, "box", 5)
        module.write_level(sub, 8)
        return base, sub

    def check(self):
        for hierarchy in self.hierarchies:
            checked, torn = hierarchy.check()
            assert checked >= len(hierarchy.classes()) and not torn
        for module, types, (base, sub) in self.kept:
            for cls in types:
                below = type("Below", (cls,), {})
                assert isinstance(below, module.import_metaclass())
                self.anyone.set_slots(below, [(IDS[1], 2)])
                for reader in self.modules:
                    assert reader.find_type(below, IDS[0]) == 1, (reader, cls)
                    assert reader.find_type(below, IDS[1]) == 2, (reader, cls)
                    assert reader.find_type(cls, IDS[1]) is None, (reader, cls)
                    assert reader.find(below(), IDS[0]) == 1
            level, label, motto, box, _, secret = module.raw(base)
            assert (level, label, motto, box, secret) == (1, "base", b"m", 2, 77)
            level, label, motto, box, _, secret = module.raw(sub)
            assert (level, label, motto, box, secret) == (8, "base", b"m", 5, 77)

            class Third(sub, label="third"):
                pass
            assert module.raw(Third)[:4] == (8, "third", b"m", 5)
            base.label = "changed"
            assert Third.label == "third" and sub.label == "changed"
            Third.__bases__ = (base,)
            assert module.raw(Third)[:4] == (1, "third", b"m", 2)
            del Third.label
            assert Third.label == "changed"
            base.label = "base"
        first, *others = [types[1] for _, types, _ in self.kept]
        for other in others:
            class Both(first, other):
                pass
            assert Both.__base__ is first and Both.__mro__[1:3] == (first, other)
            assert all(reader.find_type(Both, IDS[0]) == 1 for reader in self.modules)

    def end(self):
        """Drop everything, while all modules are there."""
        for hierarchy in self.hierarchies:
            del hierarchy.levels[:], hierarchy.passing[:]
            hierarchy.own.clear()
        self.hierarchies.clear()
        self.kept.clear()
        del self.overriding
        gc.collect()


def together(*names, steps=100, seed=0):
    """Import these modules, in this order, each into what the ones before it do."""
    run = Run(seed)
    for name in names:
        run.join(__import__(name), steps)
    run.end()
    return run.modules
