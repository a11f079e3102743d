# SPDX-License-Identifier: MIT
"""Implementations arrive while threads change one hierarchy (tests/hostile/changing_classes.py).

Run by test_racing.py, and under ThreadSanitizer, with the modules on sys.path, by tests/hostile/tsan.sh:

    python racing.py SEED MODULE...
"""
import ctypes
import functools
import importlib.util
import random
import sys

import changing_classes
from exercise import Anyone

THREADS = 3


class Arriving(changing_classes.Hierarchy):
    """Between two of its steps a writer lets the next module arrive; `probe` is any that did."""

    def __init__(self, modules, waiting, steps, choose):
        self.modules, self.waiting, self.every = modules, waiting, steps // (len(waiting) + 1)
        self.count = 0
        super().__init__(Anyone(modules, choose), modules[0].rich_metaclasses()[0])

    def step(self, choose, mine):
        if mine[0] is self.classes()[0]:        # the first of the writers
            self.count += 1
            if self.waiting and self.count % self.every == 0:
                self.modules.append(__import__(self.waiting.pop(0)))
        super().step(choose, mine)


def race(names, steps=120, seed=0, also=()):
    """The modules, in the order in which they arrived; everything is checked at the end.

    also    functions without arguments, each for a thread of its own
    """
    modules, waiting = [__import__(names[0])], list(names[1:])
    hierarchy = Arriving(modules, waiting, steps, random.Random(seed))
    classes = hierarchy.classes()

    def change(number):
        choose = random.Random(seed * 1000 + number)
        for _ in range(steps):
            hierarchy.step(choose, classes[number::THREADS])

    def read():
        choose = random.Random(seed)
        for _ in range(2 * steps):
            hierarchy.look(choose.choice(classes), choose)

    changing_classes.run_together(*(functools.partial(change, number) for number in range(THREADS)), read, *also)
    assert not waiting, "not all have arrived"
    checked, torn = hierarchy.check()
    assert checked or torn
    return modules


def load(names):
    """Loads the modules, without importing them: ThreadSanitizer finds names of functions, and with them the
    suppressions, only in what was loaded when it looked for the first one."""
    for name in names:
        ctypes.CDLL(importlib.util.find_spec(name).origin)


if __name__ == "__main__":
    load(sys.argv[2:])
    race(sys.argv[2:], seed=int(sys.argv[1]))
    print(len(sys.argv[2:]), "implementations, classes checked")
