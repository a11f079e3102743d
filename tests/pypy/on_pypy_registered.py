# SPDX-License-Identifier: MIT
"""Two modules that were built apart see the same names and slots.  Run on PyPy."""
import gc
import sys
import threading

import registered_one as one
import registered_two as two


def refused(kind, words, function, *arguments):
    try:
        function(*arguments)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(arguments)


assert sys.implementation.name == "pypy"
ID, OTHER = one.intern("tests.pypy"), two.intern("tests.other")
assert two.intern("tests.pypy") == ID != OTHER == one.intern("tests.other")
assert ID % 2 == 0 and ID > 1
refused(ValueError, "expected a name", one.intern, "")

# Names never move, and there may be thousands.
names = [f"tests.name{i}" for i in range(3000)]
numbers = [one.intern(name) for name in names]
assert len(set(numbers)) == 3000 and numbers == [two.intern(name) for name in names]
assert one.intern("tests.pypy") == ID

# Slots: of builtin types, subclasses, the nearest class of the MRO; not of others.
assert one.find([], ID) is None
one.register(list, ID, 5)
one.register(list, ID, 5)
assert two.find([], ID) == 5 and two.find((), ID) is None and two.find([], OTHER) is None


class Numbers(list):
    pass


class Plain:
    pass


class Below(Plain):
    pass


assert two.find(Numbers(), ID) == 5 and two.find(Plain(), ID) is None
two.register(Numbers, ID, 6)
two.register(Plain, OTHER, 7)
assert one.find(Numbers(), ID) == 6 and one.find([], ID) == 5
assert one.find(Below(), OTHER) == 7 and one.find(Below(), ID) is None
both = type("Both", (Plain, Numbers), {})()
assert (one.find(both, ID), one.find(both, OTHER)) == (6, 7)

# What happens to bases is seen.
Other = type("Other", (), {})
Moving = type("Moving", (Other,), {})
moving = Moving()
assert one.find(moving, OTHER) is None
Moving.__bases__ = (Below,)
assert one.find(moving, OTHER) == 7
Moving.__bases__ = (Other,)
assert one.find(moving, OTHER) is None
# An object that C knows keeps its ob_type there, whatever its __class__ becomes.
moving.__class__ = Below
assert one.find(moving, OTHER) is None

# What was not found before is found as soon as it is registered, whatever else is.
late = [one.intern(f"late.{i}") for i in range(1000)]
for number, i in enumerate(late):
    assert two.find(both, i) is None
    one.register(object if number % 2 else Numbers, i, number)
    assert two.find(both, i) == number
assert all(two.find(Plain(), i) == (number if number % 2 else None) for number, i in enumerate(late))

# Wrong use.
refused(TypeError, "found an object of type 'int', expected a class", one.register, 3, ID, 1)
refused(ValueError, "which is never found", one.register, Plain, 1, 1)
refused(ValueError, "which is registered already", two.register, list, ID, 9)
assert one.find([], ID) == 5


# A pending exception of the caller stays, whatever __mro__ is.
class Joking(type):
    @property
    def __mro__(cls):
        raise RuntimeError("no MRO")


assert one.find(Joking("Joke", (), {})(), ID) is None

# Types come and go; those that have slots stay, and no other is taken for them.
for i in range(2000):
    kind = type(f"Kind{i}", (), {})
    if i % 4 == 0:
        one.register(kind, ID, 100 + i)
    assert two.find(kind(), ID) == (100 + i if i % 4 == 0 else None), i
    if i % 500 == 0:
        del kind
        gc.collect()

failed = []


def many(start):
    for i in range(300):
        kind = type("Kind", (), {})
        one.register(kind, ID, start + i)
        name = f"thread.{i}"
        if two.find(kind(), ID) != start + i or one.intern(name) != two.intern(name):
            failed.append(i)


threads = [threading.Thread(target=many, args=(1000 * n,)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failed
print("registered")
