# SPDX-License-Identifier: MIT
"""Two changes of classes as two threads may make them: the second begins where the first takes the lock for the n-th
time, and ends there or stops where it takes the lock for the m-th time, until the first has ended; for all n and m.

What is found behind both, in every class, must be what is found if one is made after the other.  Taking turns at the
lock suffices: under it a change looks again at what others may have changed before.

    changing_amid.py N      prints the first that is found otherwise, with what is planted under this number (or 0)
"""
import gc
import itertools
import sys
import threading

from recorded import at_lock, finish, metaclass, now, plant, register_fields, set_slots, table_of, with_field

X, Y, Z, INTERFACE = 257, 513, 769, 1025
now("place", id=INTERFACE)                  # makes it known
Meta = with_field(metaclass)
register_fields(Meta)
FIELD = f"field_{Meta.__basicsize__ - 8}"


class Family:
    own = ((X, 1),)                         # of the root

    def __init__(self):
        self.new = {}
        self.P = set_slots(self.make("P"), self.own)
        self.Q = set_slots(self.make("Q"), ((X, 2), (Y, 2)))
        setattr(self.P, FIELD, 3)
        setattr(self.Q, FIELD, 4)
        self.B = self.make("B", self.P)
        self.C = self.make("C", self.B)

    def make(self, name, *bases):
        self.new[name] = Meta(name, bases, {})
        return self.new[name]

    def found(self):
        return {name: (*(now("find", type=cls, id=id) for id in (X, Y, Z, INTERFACE)), getattr(cls, FIELD))
                for name, cls in self.new.items()}


def first(self):
    """Of the interface, in Python."""


CHANGES = {
    "a class below": lambda f: f.make("D", f.C),
    "a class beside": lambda f: f.make("E", f.P),
    "a class of both": lambda f: f.make("F", f.B, f.Q),
    "slots of the root": lambda f: set_slots(f.P, ((X, 5), (Z, 5))),
    "slots in between": lambda f: set_slots(f.B, ((Y, 6),)),
    "slots of a leaf": lambda f: set_slots(f.C, ((Z, 9),)),
    "no slots": lambda f: set_slots(f.P, ()),
    "a method": lambda f: setattr(f.B, "first", first),
    "a method of a mixin": lambda f: setattr(f.Q, "first", first),
    "whoever is below is finished": lambda f: [finish(cls) for cls in f.C.__subclasses__()],
    "a value of the root": lambda f: setattr(f.P, FIELD, 7),
    "a value in between": lambda f: setattr(f.B, FIELD, 8),
    "another base": lambda f: setattr(f.B, "__bases__", (f.Q,)),
    "a base more": lambda f: setattr(f.C, "__bases__", (f.B, f.Q)),
}


def in_turn(*changes):
    family = Family()
    for change in changes:
        CHANGES[change](family)
    return family.found()


def amid(change, other, n, m):
    """(what is found, is there an n-th time, and an m-th)"""
    family, reached, failed = Family(), [], []
    stopped, goes_on = threading.Semaphore(0), threading.Semaphore(0)

    def begin():
        reached.append(n)
        at_lock(m, stop)
        thread.start()
        stopped.acquire()

    def stop():
        reached.append(m)
        stopped.release()
        goes_on.acquire()

    def run():
        try:
            CHANGES[other](family)
        except Exception as error:
            failed.append(error)
        at_lock(0, None)
        stopped.release()

    thread = threading.Thread(target=run)
    at_lock(n, begin)
    CHANGES[change](family)
    goes_on.release()
    if reached:
        thread.join()
    else:
        at_lock(0, None)
    return failed or family.found(), len(reached) > 0, len(reached) > 1


def looked():
    """Yield what is found otherwise, in words; None where all is right."""
    for change, other in itertools.permutations(CHANGES, 2):
        if " base" in change and " base" in other:      # which CPython itself does not stand amid one another
            continue
        gc.collect()
        allowed = in_turn(change, other), in_turn(other, change)
        for n in itertools.count(1):
            for m in itertools.count(1):
                found, began, stopped = amid(change, other, n, m)
                wrong = began and found not in allowed
                yield wrong and (f"'{other}' from lock {n} of '{change}' on, until its lock {m}: found {found}, "
                                 f"expected {' or '.join(map(str, allowed))}")
                if not stopped:
                    break
            if not began:
                break


gc.disable()                                # or former families would die in the middle
plant(int(sys.argv[1]))
for own in Family.own, ((X, 1), (INTERFACE, table_of(1))):      # from then on, methods count
    Family.own, ways = own, 0
    for wrong in looked():
        ways += 1
        if wrong:
            sys.exit(print(wrong))
    assert ways > 2500, ways
