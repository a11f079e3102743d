# SPDX-License-Identifier: MIT
"""Typed functions are registered and found while implementations of extensible types arrive.

Threads make functions through a module of one age and call them through one of another, while
others make and change classes, and newer implementations arrive (racing.py).  Native calls stand
in instances of extensible types, so that they are found by what is being taken over.

Run by test_racing.py, and under ThreadSanitizer, with the modules on sys.path, by tests/hostile/tsan.sh:

    python typed_racing.py SEED MODULE... -- TYPED_MODULE...
"""
import functools
import random
import sys
import threading

import racing
import typed_meeting


class Meeting:
    """Modules with typed functions: those that have arrived, and what each of them offers."""

    def __init__(self, names, seed):
        self.seed, self.waiting = seed, list(names[1:])
        self.modules = [__import__(names[0])]
        self.offers = [typed_meeting.Offer(self.modules[0])]
        self.lock = threading.Lock()

    def arrive(self):
        with self.lock:
            if self.waiting:
                self.modules.append(__import__(self.waiting.pop(0)))

    def work(self, number, rounds):
        choose = random.Random(self.seed * 100 + number)
        for _ in range(rounds):
            self.offers.append(typed_meeting.Offer(choose.choice(self.modules)))
            for _ in range(3):
                choose.choice(self.offers).check(choose.choice(self.modules))
            self.arrive()

    def check(self):
        assert not self.waiting, "not all have arrived"
        for offer in self.offers:
            for finder in self.modules:
                offer.check(finder)


def race(ages, typed, seed=0, rounds=60, **options):
    """The modules of the ages, in the order in which they arrived."""
    meeting = Meeting(typed, seed)
    modules = racing.race(ages, seed=seed, **options, also=[
        functools.partial(meeting.work, number, rounds) for number in range(2)])
    meeting.check()
    return modules


if __name__ == "__main__":
    split = sys.argv.index("--")
    racing.load(sys.argv[2:split] + sys.argv[split + 1:])
    arrived = race(sys.argv[2:split], sys.argv[split + 1:], int(sys.argv[1]), rounds=8)
    print(len(arrived), "implementations, typed functions and classes checked")
