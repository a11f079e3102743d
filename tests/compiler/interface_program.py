# SPDX-License-Identifier: MIT
"""A random program: classes override methods of an interface, and libraries with other copies of it come meanwhile.

    python interface_program.py SEED STEPS

After each step, and while a class is made, C, through the copies that were imported, calls what Python finds, or what
was registered for a class without the interface or for its nearest base; and Python and C say the same of who
implements it.  The modules are those of test_interface_copies.py.
"""
import itertools
import random
import sys
import types
import warnings
import weakref

import copy_old
import copy_users as users

NAMES = ("area", "name", "corners")
#: A runtime of the same age takes over because CUSTOMSLOTS_RUNTIME names it.
LATER = ["copy_new", "copy_other", "takes_over"]


def outcome(function, *arguments):
    """What it returns, or that there is nothing to call."""
    try:
        return function(*arguments)
    except (AttributeError, NotImplementedError, TypeError):
        return None


# Classes of any bases: that no vtable fits some of them does not matter, since calls go through the interface.
warnings.filterwarnings("ignore", "class .* found the C methods of base", RuntimeWarning)


class Looks:
    """A descriptor that checks the class that is being made."""

    def __init__(self, check):
        self.check = check

    def __set_name__(self, owner, name):
        self.check(owner())


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = itertools.count(10)
        self.mixin = type("Mixin", (), self.namespace())
        self.providers = [copy_old.Shape, users.New, users.Below, users.Overrides, users.Both]
        self.classes = [*self.providers, self.mixin]
        self.registered = weakref.WeakKeyDictionary()       # {class: what its objects say}
        self.met = [copy_old]
        self.spare = type("Spare", (users.New,), {})
        self.given, self.objects = len(self.classes), [self.spare()]
        self.callers = {"area": [copy_old.area]}

    def function(self, name):
        number = next(self.numbers)
        return {"area": lambda self: float(number), "name": lambda self: str(number),
                "corners": lambda self, more: number}[name]

    def namespace(self):
        return {name: self.function(name) for name in NAMES if self.random.random() < .3}

    def bases(self):
        return tuple(self.random.sample(self.classes, self.random.choice([1, 1, 1, 2, 3])))

    def made(self):
        """An extensible class that was made here: changes of plain mixins are not followed."""
        return self.random.choice([cls for cls in self.classes[self.given:] if type(cls) is not type] or [self.spare])

    def make(self):
        cls = outcome(types.new_class, f"C{next(self.numbers)}", self.bases(), {},
                      lambda namespace: namespace.update(self.namespace(), looks=Looks(self.check_one)))
        if cls is not None:
            self.classes.append(cls)
            self.objects.append(cls())

    def set(self):
        name = self.random.choice(NAMES)
        setattr(self.made(), name, self.function(name))

    def delete(self):
        cls = self.made()
        for name in {*NAMES} & {*vars(cls)}:
            delattr(cls, name)

    def rebase(self):
        cls = self.made()
        outcome(setattr, cls, "__bases__", self.bases())

    def change(self):
        """The class of an object."""
        outcome(setattr, self.random.choice(self.objects), "__class__", self.made())

    def meet(self):
        if LATER:
            name = LATER.pop(self.random.randrange(len(LATER)))
            module = __import__(name)
            if name != "takes_over":
                self.met.append(module)
                self.providers.append(module.Shape)
                self.classes.insert(0, module.Shape)
                self.given += 1
            if name == "copy_new":
                self.callers["area"].append(module.area)
                self.callers["corners"] = [lambda o: module.corners(o)]

    def register(self):
        """One implementation stays; extensible classes take none."""
        cls = self.random.choice(self.classes)
        register, says = self.random.choice([(users.register_foreign, 100.), (users.register_stranger, 200.)])
        try:
            register(cls)
        except TypeError:
            assert type(cls) is not type, cls
        except ValueError:
            assert self.registered[cls] != says, cls
        else:
            assert type(cls) is type and self.registered.setdefault(cls, says) == says, cls

    def forget(self):
        """Classes die, and others get their addresses."""
        if len(self.classes) > 30:
            del self.classes[self.given:self.given + 15], self.objects[1:15]

    def check(self):
        for o in self.random.sample(self.objects, min(len(self.objects), 4)):
            self.check_one(o)

    def check_one(self, o):
        for module in self.met:
            assert isinstance(o, module.Shape) == module.implements(o), (module, type(o).__mro__)
        if not {*self.providers} & {*type(o).__mro__}:
            says = next((self.registered[cls] for cls in type(o).__mro__ if cls in self.registered), None)
            assert outcome(copy_old.area, o) == says, (says, type(o).__mro__)
            return
        for name, callers in self.callers.items():
            expected = outcome(lambda: getattr(o, name)(*([1] if name == "corners" else [])))
            if not copy_old.implements(o) or name == "corners" and expected is None:
                continue
            for caller in callers:
                found = outcome(caller, o)
                assert found == expected, (name, found, expected, type(o).__mro__)

    def run(self, steps):
        for _ in range(steps):
            step = self.random.choices(
                [self.make, self.set, self.delete, self.rebase, self.change, self.register, self.forget, self.meet],
                [30, 30, 10, 15, 5, 5, 5, .3])[0]
            step()
            self.check()


Program(int(sys.argv[1])).run(int(sys.argv[2]))
