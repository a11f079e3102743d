# SPDX-License-Identifier: MIT
"""Look-ups between the stores of a change, and a change between the loads of a look-up: see recording.h.

    looking_meanwhile.py                  all of them, once
    looking_meanwhile.py weakened         and with one atomic access after the other as a plain one: a line for each,
                                          which ends with what was found
    looking_meanwhile.py N                and with the changes 1 to N that are planted in the headers: the same

Each function below is one change, or several of what is kept in one place.
"""
import faulthandler
import functools
import itertools
import os
import re
import signal
import subprocess
import sys

import recorded
from recorded import (
    add_default, amid, at, atomics, capsule, close_table, declare, end, finish, forget_table, found_faults, function,
    give_record, grow_cells, import_later, let_go, let_older_serve, meanwhile, meet, metaclass, now, plant,
    register_fields, register_function, register_layout, register_slot, register_until, set_function, set_slots,
    shrink_cells, weaken, with_field)

WAITED = sys.maxsize * 2 + 1 - 6            # the look-up came to a lock
LAST = object()
numbers = itertools.count()                 # of what recorded.c has for one use each
ids = itertools.count(0x100, 2)             # slots; as even ones they might be names


class Wrong(Exception):
    pass


@functools.lru_cache(maxsize=None)
def where(place):
    """The function and the line of a place in the code."""
    if place == 0:
        return "what was let go"
    function, at = subprocess.run(["addr2line", "-fe", recorded.__file__, hex(place - 1)], stdout=subprocess.PIPE,
                                  check=True, text=True).stdout.splitlines()
    file, _, line = at.partition(" ")[0].rpartition(":")
    with open(file, encoding="utf-8") as text:
        return f"{function}: {''.join(text.readlines()[int(line) - 1:][:1]).strip()}"


def check(seen, *expected):
    """What was seen is one of these, and no load came too early.  (The counts of objects are CPython's.)"""
    faults = [(load, store) for load, store in found_faults() if not where(load).startswith(("Py_", "_Py_"))]
    if seen not in expected or faults:
        raise Wrong(f"saw {seen}, expected {' or '.join(map(str, expected))}" + "".join(
            f"; '{where(load)}' is not ordered after '{where(store)}'" for load, store in faults))


def at_each_load(prepare):
    """The change before each load of a look-up in turn; prepare() returns the change, what may be found, and perhaps a
    look-up for behind it that finds the last of these."""
    for n in itertools.count(1):
        change, allowed, *again = prepare()
        result, count = amid(change, n, 0)
        check(result, *allowed)
        if n > count:
            return
        if again:
            check(again[0](), allowed[-1])


def sees(expected, change, look_up, **aim):
    """What look-ups find between the stores of the change; LAST: whatever they find behind it."""
    at(look_up, **aim)
    seen = meanwhile(change)
    check(seen, [now(look_up, **aim) if value is LAST else value for value in expected])
    return seen


def new(name="New", *bases, slots=(), **namespace):
    cls = metaclass(name, bases, namespace)
    return set_slots(cls, slots) if slots else cls


# ------------------------------------------------------------------------- tables --

def slots_are_set():
    a, b = next(ids) + 1, next(ids) + 1
    for wanted, before, after, seen in [
            (a, [(a, 1)], [(a, 2)], [1, 2]), (b, [(a, 1)], [(a, 1), (b, 2)], [0, 2]),
            (b, [(a, 1), (b, 2)], [(a, 1)], [2, 0]), (a, [], [(a, 1)], [0, 1]),
            (b, [(a, 1), (b, 2)], [(b, 3), (a, 1)], [2, 3])]:
        for base in False, True:
            cls = new(slots=tuple(before))
            sees(seen, lambda: set_slots(cls, tuple(after)), "find", type=new("Below", cls) if base else cls, id=wanted)


def a_table_gets_longer_and_shorter():
    some = [(next(ids) + 1, n) for n in range(1, 30)]
    for before, after in (1, 2), (2, 1), (3, 25), (25, 3), (24, 25):
        cls = new(slots=tuple(some[:before]))
        sees([1], lambda: set_slots(cls, tuple(some[:after])), "walk", type=cls)
        wanted = max(before, after) - 1
        seen = [wanted + 1, 0] if after > before else [0, wanted + 1]
        sees(seen, lambda: set_slots(cls, tuple(some[:before])), "find", type=cls, id=some[wanted][0])

        def prepare():
            set_slots(cls, tuple(some[:before]))
            at("walk", type=cls)
            return lambda: set_slots(cls, tuple(some[:after])), [1]
        at_each_load(prepare)


def bases_are_assigned():
    a = next(ids) + 1
    one, two = new(slots=((a, 1),)), new(slots=((a, 2),))
    cls = new("Below", one)
    def assign(bases):
        cls.__bases__ = bases
    sees([1, 2], lambda: assign((two,)), "find", type=cls, id=a)
    def prepare():
        assign((one,))
        at("find", type=cls, id=a)
        return lambda: assign((two,)), [1, 2]
    at_each_load(prepare)


def a_class_is_finished():
    some = tuple((next(ids) + 1, n) for n in range(1, 30))
    for count in 1, 29:
        def found(cls, count=count):
            at("find", type=cls, id=some[count - 1][0])
        base = new("Base", slots=some[:count], __init_subclass__=classmethod(found))
        check(meanwhile(lambda: metaclass("New", (base,), {})), [count])
        def walked(cls):
            at("walk", type=cls)
        base = new("Base", slots=some[:count], __init_subclass__=classmethod(walked))
        check(meanwhile(lambda: metaclass("New", (base,), {})), [1])


def a_class_is_finished_and_its_bases_are_assigned_three_times():
    """Before two loads of a look-up, or all before one.  What was replaced is gone, unless somebody keeps it."""
    a = next(ids) + 1
    base = new("Base", slots=((a, 1),), __init_subclass__=classmethod(lambda cls: looks(cls)))
    others = [new("Other", slots=((a, n),)) for n in (2, 3, 4)]

    def look(cls):
        def change():
            finish(cls)
            for other in bases.pop():
                tuples = cls.__mro__, cls.__bases__
                cls.__bases__ = (other,)
                let_go(tuples)
        bases = [others[1:], others[:1]] if m else [others]
        at(look_up, type=cls, id=a)
        result, count = amid(change, n, m)
        check(result, *(range(1, 5) if look_up == "find" else [1]))
        counts.append(count)

    for look_up in "find", "walk":
        n, m, counts = 1, 0, [1]
        while n <= counts[-1]:
            looks = look
            metaclass("New", (base,), {})
            n, m = (n, max(m, n) + 1) if m <= counts[-1] else (n + 1, 0)


# ------------------------------------------------------------- the process's table --

def names_are_interned():
    # FNV-1a has one hash for the two words of a pair.
    for pair in ("liquid", "costarring"), ("macallums", "declinate"), ("zinke", "altarage"):
        for name in pair:
            sees([WAITED, LAST], lambda: now("intern", name=name), "intern", name=name)
    known = now("intern", name="known")
    # So many that the cells are replaced.
    sees([known], lambda: [now("intern", name=f"name {next(numbers)}") for n in range(70)], "intern", name="known")
    def prepare():
        at("intern", name="known")
        return lambda: [now("intern", name=f"name {next(numbers)}") for n in range(300)], [known]
    at_each_load(prepare)


def interfaces_get_positions():
    a = next(ids) + 1
    for wanted in a, a + (1 << 40):                     # of one key
        sees([WAITED, LAST], lambda: now("place", id=wanted), "place", id=wanted)


def cells_are_replaced():
    """And a library finds the table, and with it what is in there."""
    a, n = next(ids) + 1, next(numbers) % 50
    plain, f = type("Plain", (), {}), function(n)
    register_slot(plain, a, 5)
    register_function(n)
    now("place", id=a)
    add_default(a, n)
    class Function(complex):
        pass
    g = Function()
    set_function(g, n)
    register_layout(Function)
    for look_up, aim in [
            ("intern", dict(name="some name")), ("place", dict(id=a)), ("find_any", dict(type=plain, id=a)),
            ("find_typed", dict(callable=f)), ("find_typed", dict(callable=g)), ("find_record", dict(callable=g)),
            ("find_typed", dict(callable=type("Callable", (), {})())),
            ("override", dict(id=a, number=n)), ("is_default", dict(id=a, number=n)),
            ("complete", dict(number=n, position=49)), ("find_bridged", dict(type=plain, number=99))]:
        known = now(look_up, **aim)
        sees([known], grow_cells, look_up, **aim)
        shrink_cells()
        for change in (lambda: now("intern", name="some name")), (lambda: now("find_any", type=plain, id=a)):
            register_slot(plain, next(ids) + 1, 1)          # no answer is true any more
            forget_table()
            # Who is not called before the table was found does not look for it.
            sees([0, known] if look_up in ("override", "is_default") else [known], change, look_up, **aim)
    forget_table()
    sees([0, WAITED], lambda: now("intern", name="some name"), "complete", number=n, position=48)


def slots_are_registered():
    for order in 0, 1:
        a = next(ids) + 1
        plain = type("Plain", (), {})
        below = type("Below", (plain,), {})
        sees([0, 5], lambda: register_slot(plain, a, 5), "find_any", type=plain, id=a)
        for look_up in "find_any", "find_any_and_remember":
            a += 1 << 20
            register_slot(type("Other", (), {}), a, 1)              # the ID is known, as it is below
            sees([0, 5], lambda: register_slot(plain, a, 5), look_up, type=below if order else plain, id=a)
    def prepare():
        plain, a = type("Plain", (), {}), next(ids) + 1
        below = type("Below", (plain,), {})
        register_slot(type("Other", (), {}), a, 1)
        at("find_any_and_remember", type=below, id=a)
        return lambda: register_slot(plain, a, 5), [0, 5], lambda: now("find_any", type=below, id=a)
    at_each_load(prepare)


def a_registered_class_dies_and_another_one_has_its_address():
    a, plain = next(ids) + 1, type("Plain", (), {})
    first, second = next(numbers) % 50, 50 + next(numbers) % 50
    register_until(plain, a, 5, first)
    def again():
        end(first)
        register_until(plain, a, 6, second)
    sees([5, 0, 6], again, "find_any", type=plain, id=a)


def same_place(cls, number, other):
    """An ID with which the other class has its answer where the class has that for the number."""
    def place(cls, number):
        return ((id(cls) >> 4) + (number * 0x85EBCA77 >> 16)) % 4096
    return next(i for i in itertools.count(0x10001, 2) if place(other, i) == place(cls, number))


def answers_take_each_others_place():
    def pair():
        one, two, a = type("One", (), {}), type("Two", (), {}), next(ids) + 1
        b = same_place(one, a, two)
        register_slot(one, a, 5)
        register_slot(two, b, 6)
        assert now("find_any", type=one, id=a) == 5
        return one, a, two, b
    plain = type("Plain", (), {})
    one, a, two, b = pair()
    for cls, number, other, third, seen in (one, a, two, b, 5), (two, b, one, a, 6):
        now("find_any", type=cls, id=number)
        sees([seen], lambda: now("find_any", type=other, id=third), "find_any", type=cls, id=number)
        at("find_any", type=cls, id=number)
        def remember_again():
            register_slot(plain, next(ids) + 1, 1)
            now("find_any", type=cls, id=number)
        now("find_any", type=cls, id=number)
        sees([seen], remember_again, "find_any", type=cls, id=number)
    def prepare():
        now("find_any", type=one, id=a)
        at("find_any", type=one, id=a)
        return lambda: now("find_any", type=two, id=b), [5]
    at_each_load(prepare)


def a_bridge_is_opened():
    """Its names are known from another one."""
    cls, a = type("Plain", (), {}), now("intern", name="recorded.bridge")
    register_slot(cls, a, 5)
    now("find_bridged", type=type("Other", (), {}), number=98)
    sees([5], lambda: now("find_bridged", type=cls, number=97), "find_bridged", type=cls, number=97)
    other = type("Plain", (), {"__recorded__": capsule()})
    sees([7], lambda: now("find_bridged", type=other, number=96), "find_bridged", type=other, number=96)
    def prepare():
        cls, n = type("Plain", (), {}), next(numbers) % 90
        register_slot(cls, a, 5)
        at("find_bridged", type=cls, number=n)
        return lambda: now("find_bridged", type=cls, number=n), [5]
    at_each_load(prepare)


def functions_and_layouts_are_registered():
    n, m = next(numbers) % 50, 50 + next(numbers) % 50
    f = function(n)
    _, doubled = sees([0, LAST], lambda: register_function(n), "find_typed", callable=f)
    class Function(complex):
        pass
    function(m)
    f = Function()
    set_function(f, m)
    sees([0, doubled], lambda: (register_function(m), register_layout(Function)), "find_typed", callable=f)
    sees([doubled], grow_cells, "find_record", callable=f)
    shrink_cells()


def records_are_given():
    Native = metaclass("Native", (complex,), {})
    set_slots(Native, ((2 << 24 | 1 << 8 | 1 << 1 | 1, complex.__basicsize__ - 16),))
    for look_up in "find_typed", "find_record":
        f = Native()
        _, doubled = sees([0, LAST], lambda: give_record(f), look_up, callable=f)
        sees([doubled], lambda: give_record(f), look_up, callable=f)


def tables_of_interfaces_are_made():
    a = next(ids) + 1
    now("place", id=a)
    for n in (2 * next(numbers) % 50, 1 + 2 * next(numbers) % 50):
        for look_up in "complete", "override":
            aim = dict(id=a, number=n)
            sees([WAITED, LAST], lambda: now(look_up, **aim), look_up, **aim)
        sees([0, 1], lambda: add_default(a, n), "is_default", **aim)


# --------------------------------------------------------------------- an interpreter --

def another_implementation_is_imported():
    let_older_serve()
    sees([0, 1], meet, "met", type=metaclass)
    a = next(ids) + 1
    cls = new(slots=((next(ids) + 1, 1), (a, 2)))
    sees([2], lambda: import_later(True), "find", type=cls, id=a)
    sees([2], lambda: import_later(None), "find", type=cls, id=a)
    def prepare():
        import_later(None)
        at("find", type=cls, id=a)
        return lambda: import_later(True), [2]
    at_each_load(prepare)
    import_later(None)


def interfaces_are_declared():
    for _ in range(2):
        a, n = next(ids) + 1, next(numbers) % 50
        sees([0, 1, 2], lambda: (declare(a, n, False), declare(a, n, True)), "declared", type=metaclass, id=a)
        a, n = next(ids) + 1, next(numbers) % 50
        declare(a, n, False)
        sees([1], lambda: declare(a, n, True), "changed", type=metaclass, id=a)


def fields_are_described():
    for first in 0, 1:
        below = with_field(metaclass)
        metas = below, with_field(below)
        _, one = sees([0, LAST], lambda: register_fields(metas[first]), "find_fields", type=metas[1])
        sees([one, LAST], lambda: register_fields(metas[1 - first]), "find_fields", type=metas[1])


def the_table_is_closed_at_the_end():
    a, plain = next(ids) + 1, type("Plain", (), {})
    register_slot(plain, a, 5)
    sees([5, 0], close_table, "find_any", type=plain, id=a)


#: In this order: the last one is for the end.
CHANGES = [value for name, value in list(globals().items())
           if getattr(value, "__module__", None) == __name__ and re.search("_(are|is|gets?|dies|take)_", name)]


def run():
    """The first change that something is wrong with, and what; None: there is none."""
    for change in CHANGES:
        try:
            change()
        except Wrong as e:
            return f"{change.__name__}: {e}"


def forked(prepare=None):
    """(what run() says, the atomic accesses) of a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)                # what is planted may hang
        if prepare is not None:
            prepare()
        answer = run() or ""
        with open(writing, "w") as pipe:
            print(answer, *atomics(), sep="\n", file=pipe)
        os._exit(0)
    os.close(writing)
    with open(reading) as pipe:
        answer, *places = pipe.read().split("\n")[:-1] or ["it crashed or hung"]
    os.waitpid(child, 0)
    return answer, list(map(int, places))


answer, places = forked()
if answer:
    sys.exit(answer)
faulthandler.disable()
if sys.argv[1:] == ["weakened"]:
    for place in places:
        print(where(place), "|", forked(lambda: weaken(place))[0])
elif sys.argv[1:]:
    for number in range(1, int(sys.argv[1]) + 1):
        print(number, "|", forked(lambda: plant(number))[0])
