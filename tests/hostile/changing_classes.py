# SPDX-License-Identifier: MIT
"""Many threads change one hierarchy at random while others look slots up.

At the end every table must be the merge over the MRO that its class then has, and every C
field must be what a class attribute would be: the model below knows nothing of threads.  Run by
test_threads.py, and by tsan.sh under ThreadSanitizer, with nothing but the test module `probe` on sys.path:

    python changing_classes.py [THREADS [STEPS [SEED]]]
"""
import collections.abc
import functools
import gc
import random
import sys
import threading
import types

LEVELS, WIDTH = 4, 4
#: IDs that all classes fight for, and of positions that come late.
IDS = [0x01 << 24 | idea << 8 | 1 for idea in range(800, 806)]

#: C fields of every kind, and how a value is made from a number: a C int, an object, a
#: pointer into an object, a value with hooks.
FIELDS = {"level": int, "label": str, "motto": lambda number: b"%d" % number, "box": int}


def some_fields(choose):
    return {name: FIELDS[name](choose.getrandbits(30)) for name in choose.sample(sorted(FIELDS), choose.randint(0, 2))}


def run_together(*workers):
    """Start all at once; the first exception of any is raised here."""
    barrier = threading.Barrier(len(workers))
    failures = []

    def body(work):
        barrier.wait()
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=body, args=(work,)) for work in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=900)        # against a hang only: machines may be busy
    assert not any(thread.is_alive() for thread in threads), "a thread hangs"
    if failures:
        raise failures[0]


class Hierarchy:
    """LEVELS * WIDTH classes that live throughout, and others that come and go.

    A class gets bases of lower levels only, so that no assignment makes a cycle.  Its own
    slots and fields are set by one thread only, so that the last ones are known; its bases
    are assigned by any.  Which fields are its own stands in its dict, as `own_fields`.
    """

    def __init__(self, probe, metaclass):
        self.probe, self.metaclass = probe, metaclass
        self.has_fields = hasattr(metaclass, "level")
        self.own = {}
        self.levels = []
        base = metaclass("Root", (), self.body({name: make(0) for name, make in FIELDS.items()}))
        for level in range(LEVELS):
            self.levels.append([metaclass(f"L{level}N{i}", (base,), self.body({})) for i in range(WIDTH)])
            base = self.levels[level][0]
        self.passing = [None] * 24

    def classes(self):
        return [cls for level in self.levels for cls in level]

    def body(self, fields):
        return {"own_fields": fields, **fields} if self.has_fields else {}

    def make(self, choose, base, other):
        """A class in one of the ways that there are."""
        probe, metaclass = self.probe, self.metaclass
        fields = some_fields(choose)
        body = self.body(fields)
        way = choose.randrange(7)
        bases = (base,) if way % 2 or base is other else (base, other)
        try:
            if way == 0:
                return metaclass("Called", bases, body)
            if way == 1:
                class Statement(*bases, **(fields if self.has_fields else {})):
                    own_fields = fields
                return Statement
            if way == 2:
                return type("Typed", bases, body)
            if way == 3:
                return types.new_class("New", bases, {}, lambda ns: ns.update(body))
            if way == 4:
                return type.__new__(metaclass, "Bare", bases, {})
            if way == 5 and sys.version_info >= (3, 12):
                return probe.from_spec("threads.Spec", bases, None)

            class Looked(*bases):
                def __init_subclass__(cls):
                    probe.find_type(cls, IDS[0])
                    self.read_fields(cls)
            return type("Looking", (Looked,), body)
        except TypeError as error:
            assert "MRO" in str(error) or "method resolution" in str(error), error
            return None

    def step(self, choose, mine):
        probe = self.probe
        level = choose.randrange(1, LEVELS)
        below = [cls for row in self.levels[:level] for cls in row]
        cls = choose.choice(self.levels[level])
        what = choose.randrange(12 + 4 * self.has_fields)
        if what < 4:
            bases = tuple(choose.sample(below, choose.randint(1, 3)))
            try:
                cls.__bases__ = bases
            except TypeError as error:
                assert "MRO" in str(error) or "method resolution" in str(error), error
        elif what < 6:
            target = choose.choice(mine)
            slots = [(slot, choose.getrandbits(30) + 1) for slot in choose.sample(IDS, choose.randint(0, 4))]
            self.own[target] = dict(slots)
            probe.set_slots(target, slots)
        elif what < 9:
            made = self.make(choose, cls, choose.choice(below))
            self.passing[choose.randrange(len(self.passing))] = made
        elif what < 11:
            found = choose.choice(self.passing)
            if found is not None:
                self.look(found, choose)
            self.look(cls, choose)
        elif what < 12:
            if choose.randrange(10) == 0:
                gc.collect()
            cls.attribute = None                        # CPython writes the flags of classes,
            collections.abc.Sequence.register(cls)      # where our stamps are, too
        else:
            target = choose.choice(mine)
            own = target.__dict__["own_fields"]
            for name in choose.sample(sorted(FIELDS), 2):
                if name in own and choose.randrange(2):
                    delattr(target, name)
                    del own[name]
                else:
                    own[name] = FIELDS[name](choose.getrandbits(30))
                    setattr(target, name, own[name])

    def look(self, cls, choose):
        probe = self.probe
        slot = choose.choice(IDS)
        data = probe.find_type(cls, slot, choose.randrange(5))
        assert data is None or isinstance(data, int)
        probe.find_without_gil(cls, slot, 200)
        assert all(slot <= 1 or slot in IDS for slot, _ in probe.table_type(cls) or ())
        self.read_fields(cls)

    def read_fields(self, cls):
        if self.has_fields:
            label, motto = cls.label, cls.motto
            assert label.isdigit() and motto.isdigit(), (cls, label, motto)
            assert cls.level >= 0 and cls.box >= 0, cls

    def wanted(self, cls):
        slots = {}
        for base in cls.__mro__:
            for slot, data in self.own.get(base, {}).items():
                slots.setdefault(slot, data)
        return slots

    def wanted_field(self, cls, name):
        for base in cls.__mro__:
            own = base.__dict__.get("own_fields", {})
            if name in own:
                return own[name]
        raise AssertionError("the root has all")

    @staticmethod
    def what_is_torn(cls):
        """Free-threaded CPython can leave a class whose bases two threads assigned at once,
        or one that was made meanwhile, with an MRO that does not follow from its bases, or
        missing among its bases' subclasses; nothing reaches such a class.  Says what
        disagrees, all of it CPython's own; None: nothing."""
        for base in cls.__mro__[:-1]:
            try:
                mro = type.mro(base)
            except TypeError as error:          # its bases have no consistent order
                return f"{base.__name__}: {error}"
            if mro != list(base.__mro__):
                return (f"{base.__name__}: MRO is {[item.__name__ for item in base.__mro__]}, "
                        f"its bases say {[item.__name__ for item in mro]}")
            for above in base.__bases__:
                # By identity: some of typing's compare with a deprecated class.
                if not any(base is item for item in type.__subclasses__(above)):
                    return f"{base.__name__} is not among the subclasses of {above.__name__}"
        return None

    def check(self):
        """Everything is as if it had been made just now.  How many classes were checked, and
        what is torn in those that could not be; with a GIL, there is none."""
        probe, checked, torn = self.probe, 0, []
        for cls in self.classes() + [cls for cls in self.passing if cls is not None]:
            if type(cls) is not type:
                probe.finish(cls)
            if (disagrees := self.what_is_torn(cls)) is not None:
                torn.append(disagrees)
                continue
            table = [(slot, data) for slot, data in probe.table_type(cls) or () if slot > 1]
            assert dict(table) == self.wanted(cls), (cls, cls.__mro__, probe.state(cls), dict(table), self.wanted(cls))
            assert len(dict(table)) == len(table), cls
            for slot in IDS:
                assert probe.find_type(cls, slot) == self.wanted(cls).get(slot), (cls, slot)
            for name in FIELDS if self.has_fields else ():
                assert getattr(cls, name) == self.wanted_field(cls, name), (
                    cls, name, getattr(cls, name), [
                        (base, base.__dict__.get("own_fields", {}).get(name), getattr(base, name, None))
                        for base in cls.__mro__])
            checked += 1
        assert not torn or not getattr(sys, "_is_gil_enabled", lambda: True)(), torn
        return checked, torn


def run(probe, metaclass, threads=4, steps=300, seed=0, attempts=6):
    """Change a hierarchy; what check() returns of it.

    If CPython tore a class near the root, hardly one can be checked: then once more, with
    another hierarchy.  It is rare, so that this should happen every time is an error.
    """
    for attempt in range(attempts):
        checked, torn = run_once(probe, metaclass, threads, steps, seed + 1000 * attempt)
        if checked >= LEVELS * WIDTH // 2:
            return checked, torn
    raise AssertionError(f"{attempts} times, hardly a class could be checked", checked, torn)


def run_once(probe, metaclass, threads, steps, seed):
    """Changes a fresh hierarchy; readers look on without the GIL meanwhile."""
    hierarchy = Hierarchy(probe, metaclass)
    classes = hierarchy.classes()

    def change(number):
        choose = random.Random(seed * 1000 + number)
        mine = classes[number::threads]
        for _ in range(steps):
            hierarchy.step(choose, mine)

    def read():
        choose = random.Random(seed)
        for _ in range(4 * steps):
            hierarchy.look(choose.choice(classes), choose)

    run_together(*(functools.partial(change, number) for number in range(threads)), read, read)
    return hierarchy.check()


def read_words(probe, metaclass, steps):
    """Fields that are words are replaced while C code reads them without a lock and without the GIL.

    The bases stay: a class that CPython has torn is not reached by the setter."""
    base = metaclass("Root", (), {"label": "0", "motto": b"0"})
    classes = [base, *(type(name, (base,), {}) for name in ("One", "Two"))]

    def change():
        for number in range(20 * steps):
            base.label, base.motto = str(number), b"%d" % number

    threads = [threading.Thread(target=change) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        assert not any(probe.read_words(cls, 1000) for cls in classes)
    assert {(cls.label, cls.motto) for cls in classes} == {(base.label, base.motto)}


if __name__ == "__main__":
    import probe as probe_module

    read_words(probe_module, probe_module.rich_metaclasses()[0], int(sys.argv[2]) if sys.argv[2:] else 300)
    for kind in probe_module.import_metaclass(), probe_module.rich_metaclasses()[0]:
        checked, torn = run(probe_module, kind, *[int(argument) for argument in sys.argv[1:]])
        print(f"{kind.__name__}: {checked} classes checked, {len(torn)} torn by CPython")
        for disagrees in sorted(set(torn)):
            print("    ", disagrees)
