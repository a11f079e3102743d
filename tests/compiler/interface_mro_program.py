# SPDX-License-Identifier: MIT
"""A random program: classes of Python among interfaces with bodies, twice, for the compiled and the uncompiled module.

    python interface_mro_program.py DIRECTORY_OF_SOURCE SEED STEPS

After each step C and Python call what the same classes of the uncompiled module call.  What an instance has of its own
matters to Python alone.
"""
import importlib.util
import itertools
import random
import sys
import types
import warnings
from pathlib import Path

import interface_mro as compiled

NAMES = ("need", "body", "twice", "more", "other")
CALLS = {"need": ["need"], "body": ["body", "body_of_other"], "twice": ["twice"], "more": ["more"], "other": ["other"]}
INTERFACES = ("First", "Extending", "Other", "Again")
CLASSES = ("Plain", "Below", "More", "PlainAgain", "Unaware", "Before", "Behind")

warnings.filterwarnings("ignore", "class .* found the C methods of base", RuntimeWarning)


def uncompiled(directory):
    spec = importlib.util.spec_from_file_location("uncompiled", Path(directory) / "interface_mro.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["uncompiled"] = module
    spec.loader.exec_module(module)
    # A cdef class has the bodies as methods of its own, unless its base has them.
    given = []
    for cls, name in itertools.product((getattr(module, name) for name in CLASSES), NAMES):
        owner, of_base = (next((base for base in each.__mro__ if name in vars(base)), None)
                          for each in (cls, next(base for base in cls.__mro__[1:] if base.__name__ not in INTERFACES)))
        if owner is not of_base and owner.__name__ in INTERFACES:
            given.append((cls, name, vars(owner)[name]))
    for what in given:
        setattr(*what)
    return module


def outcome(function, *arguments, otherwise=None):
    try:
        return function(*arguments)
    except (AttributeError, NotImplementedError, TypeError, RecursionError) as error:
        return "recursion" if type(error) is RecursionError else otherwise


def alike(cls, plain):
    """Have both classes one order?  A compiled cdef class is not below the class of its interface."""
    mine, theirs = ([base.__name__ for base in each.__mro__] for each in (cls, plain))
    return mine == [name for name in theirs if name in mine]


class Program:
    def __init__(self, directory, seed):
        self.random = random.Random(seed)
        self.modules = compiled, uncompiled(directory)
        self.number = 0
        self.pairs = [tuple(getattr(module, name) for module in self.modules) for name in INTERFACES + CLASSES]
        for _ in range(3):
            namespace = self.namespace()
            self.pairs.append(tuple(type("Mixin", (), self.functions(namespace, None)) for _ in self.modules))
        self.given = len(self.pairs)

    def namespace(self):
        """{name: what its function does}, for both."""
        return {name: (self.random.random() < .4, self.count()) for name in NAMES if self.random.random() < .3}

    def count(self):
        self.number += 10000
        return self.number

    def function(self, name, calls_super, number, holder):
        def own(self, x):
            return number + x

        def above(self, x):
            return getattr(super(holder[0], self), name)(x) + number
        return above if calls_super and holder is not None else own

    def functions(self, namespace, holder):
        return {name: self.function(name, *what, holder) for name, what in namespace.items()}

    def made(self):
        return self.random.choice(self.pairs[self.given:] or [None])

    def make(self):
        bases, namespace = self.random.sample(self.pairs, self.random.choice([1, 1, 2, 2, 3])), self.namespace()
        made = []
        for place in range(2):
            holder = []
            cls = outcome(types.new_class, f"C{self.number}", tuple(pair[place] for pair in bases), {},
                          lambda ns, holder=holder: ns.update(self.functions(namespace, holder)))
            holder.append(cls)
            made.append(cls)
        if None not in made and alike(*made):
            self.pairs.append(tuple(made))

    def set(self):
        pair, name, what = self.made(), self.random.choice(NAMES), (self.random.random() < .4, self.count())
        for cls in pair or ():
            if type(pair[0]) is not type:
                setattr(cls, name, self.function(name, *what, [cls]))

    def delete(self):
        """Of a mixin, too."""
        pair = self.random.choice(self.pairs[len(INTERFACES + CLASSES):])
        names = sorted({*NAMES} & {*vars(pair[1])})
        if names:
            name = self.random.choice(names)
            for cls in pair:
                delattr(cls, name)

    def rebase(self):
        pair, bases = self.made(), self.random.sample(self.pairs, self.random.choice([1, 2]))
        if pair is None or type(pair[0]) is type:
            return
        before = [cls.__bases__ for cls in pair]
        done = [outcome(setattr, cls, "__bases__", tuple(base[place] for base in bases), otherwise=1)
                for place, cls in enumerate(pair)]
        if any(done) or not all(alike(*pair) for pair in self.pairs):
            back = [outcome(setattr, cls, "__bases__", old, otherwise=1) for cls, old in zip(pair, before, strict=True)]
            if any(back):                        # CPython may refuse that
                del self.pairs[self.given:]

    def check(self):
        for cls, plain in self.random.sample(self.pairs[self.given:], min(4, len(self.pairs) - self.given)):
            theirs, x = outcome(plain), self.random.randrange(100)
            ours, with_own = outcome(cls), outcome(cls)
            if theirs is None or ours is None:
                continue
            for name in NAMES:
                outcome(setattr, with_own, name, lambda x: -7)
            for name in NAMES:
                expected = outcome(lambda: getattr(theirs, name)(x))
                where = name, [c.__name__ for c in plain.__mro__], [c.__name__ for c in cls.__mro__]
                assert outcome(lambda: getattr(ours, name)(x)) == expected, (
                    expected, outcome(lambda: getattr(ours, name)(x)), *where)
                for caller in CALLS[name]:
                    wanted = {"more": "Extending", "other": "Other", "body_of_other": "Other"}.get(caller, "First")
                    if isinstance(ours, getattr(compiled, wanted)):
                        for o in ours, with_own:
                            found = outcome(getattr(compiled, caller), o, x)
                            assert found == expected, (expected, found, caller, o is ours, *where)

    def run(self, steps):
        for _ in range(steps):
            self.random.choices([self.make, self.set, self.delete, self.rebase], [40, 20, 10, 15])[0]()
            if len(self.pairs) > 40:
                del self.pairs[self.given:self.given + 20]
            self.check()


Program(sys.argv[1], int(sys.argv[2])).run(int(sys.argv[3]))
