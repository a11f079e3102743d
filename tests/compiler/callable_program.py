# SPDX-License-Identifier: MIT
"""A random program: classes below cdef classes with @callable get and lose a __call__; C calls what Python calls.

    python callable_program.py SEED STEPS       with `called` (modules/called.pyx) on sys.path
"""
import random
import sys
import warnings

import called

BASES = [called.Line, called.Shifted, called.Again, called.OwnCall, called.Wider, called.Deeper]


def main(seed, steps):
    chance = random.Random(seed)
    warnings.simplefilter("error")
    mixins = [type(f"Mixin{i}", (), {}) for i in range(3)]
    classes = [*mixins, *BASES]

    def body():
        kind, value = chance.randrange(4), chance.random()
        calls = {1: lambda self, x: value, 2: chance.choice(BASES).__call__, 3: lambda self, x, y=1: value + x}
        return {"__call__": calls[kind]} if kind else {}

    for step in range(steps):
        cls = chance.choice([each for each in classes if each not in BASES])
        try:
            if chance.random() < 0.4:
                bases = tuple(dict.fromkeys(chance.choices(classes, k=chance.randint(1, 3))))
                classes.append(type(f"C{step}", bases, body()))
            elif chance.random() < 0.3:
                # The first that C made stays: a class keeps its base's tp_new, and so the vtable (docs/vtables.md).
                cls.__bases__ = tuple(dict.fromkeys([*chance.choices(mixins, k=chance.randint(1, 2)), *(
                    base for base in cls.__bases__ if base not in mixins and base is not object)]))
            elif new := body():
                cls.__call__ = new["__call__"]
            elif "__call__" in vars(cls):
                del cls.__call__
        except (TypeError, RuntimeWarning):     # no MRO, no layout, no vtable that fits
            pass
        if len(classes) > 40:
            del classes[chance.randrange(len(mixins) + len(BASES), len(classes))]
        for cls in classes:
            if issubclass(cls, called.Line):
                made, expected = cls(chance.random()), TypeError
                try:
                    expected = made(0.0) + made(1.0) + made(2.0)       # sum() is more exact from 3.12 on
                    assert called.total(made, 3) == expected, (step, cls.__mro__)
                except TypeError:
                    assert expected is TypeError, (step, cls.__mro__)
    return len(classes)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
