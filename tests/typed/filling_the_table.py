# SPDX-License-Identifier: MIT
"""Many threads fill the table of the process: names, slots of foreign types, typed functions.

Each thread looks up what the others put in meanwhile, while the table is replaced by larger ones and
classes come and go.  Run by test_table_in_threads.py, and under ThreadSanitizer, with the test modules
`probe` and `typed_probe` on sys.path, by tests/hostile/tsan.sh:

    python filling_the_table.py [THREADS [STEPS]]
"""
import gc
import sys
import threading

SHARED, OWN, MOVED = (0x01 << 24 | idea << 8 | 1 for idea in (0x900, 0x901, 0x902))


class Filling:
    def __init__(self, probe, typed, steps):
        self.probe, self.typed, self.steps = probe, typed, steps
        self.signature = typed.parse("f8(f8)")
        self.record = typed.record([(self.signature, "double_0", 0, 0)])
        self.types = [type(f"Kept{number}", (), {}) for number in range(steps)]
        self.names, self.failures = {}, []
        self.sides = [type(f"Side{number}", (type("Root", (), {}),), {}) for number in range(2)]
        for number, side in enumerate(self.sides):
            probe.register_slot(side, MOVED, number)
        self.moving = type("Moving", (self.sides[0],), {})
        self.leaf = type("Leaf", (self.moving,), {})

    def intern(self, step):
        """All threads intern the same names; whoever is first decides."""
        name = b"filling.the.table.%d" % step
        number = self.probe.intern(name)
        assert self.names.setdefault(name, number) == number == self.probe.intern(name)

    def register_slots(self, step):
        """The same data for a type that stays, from all; and a type of one's own that goes."""
        kept = self.types[step]
        self.probe.register_slot(kept, SHARED, step + 1)
        assert self.probe.find_any_type(type("Below", (kept,), {}), SHARED) == step + 1
        mortal = type("Mortal", (), {})
        assert self.probe.find_any_type(mortal, OWN) is None
        self.probe.register_slot(mortal, OWN, step + 1)
        self.probe.register_slot(mortal, SHARED, step)
        assert self.probe.find_any_type(mortal, OWN) == step + 1
        assert self.probe.find_any_type(mortal, SHARED) == step

    def look_up(self, step):
        """What all look for is remembered in one place; the bases that it follows change."""
        if step % 7 == 0:
            self.moving.__bases__ = (self.sides[step % 2],)
        for cls in self.leaf, self.moving:
            hits, total = self.probe.find_any_times(cls, MOVED, 20)
            assert hits == 20 and 0 <= total <= 20
            assert self.probe.find_any_times(cls, OWN, 20) == (0, 0)

    def register_functions(self, step):
        method = self.typed.method("f")
        function = self.typed.function(method, None)
        assert self.typed.find(function, self.signature) is None
        self.typed.register([(method, self.record)])
        assert self.typed.find(function, self.signature)[0] == "double_0"
        if step % 10 == 0:
            cls = self.typed.function_type()
            self.typed.register_layout(cls)
            assert self.typed.find(cls(method), self.signature)[0] == "double_0"

    def work(self, barrier, first):
        try:
            barrier.wait()
            for number in range(self.steps):
                step = (number + first) % self.steps
                self.intern(step)
                self.register_slots(step)
                self.look_up(step)
                self.register_functions(step)
                if number % 50 == 49:
                    gc.collect()
        except BaseException as error:
            self.failures.append(error)


def run(probe, typed, threads=4, steps=200):
    """Returns how many names, slots and functions were checked in the end."""
    filling = Filling(probe, typed, steps)
    barrier = threading.Barrier(threads)
    # Some begin elsewhere, so that they put in what the others only find, and the reverse.
    working = [threading.Thread(target=filling.work, args=(barrier, steps // 2 * (number % 2)))
               for number in range(threads)]
    for thread in working:
        thread.start()
    for thread in working:
        thread.join()
    if filling.failures:
        raise filling.failures[0]
    assert len(set(filling.names.values())) == steps
    assert all(probe.intern(name) == number for name, number in filling.names.items())
    for number, cls in enumerate(filling.types):
        assert probe.find_any_type(cls, SHARED) == number + 1
    state = probe.table_state()
    assert state["names"] >= steps and state["functions"] >= threads * steps, state
    assert 4 * state["used"] <= state["cells"] and state["address"] == typed.table_state()["address"]
    return state["names"] + state["count"] + state["functions"]


if __name__ == "__main__":
    import probe
    import typed_probe
    print(run(probe, typed_probe, *map(int, sys.argv[1:])), "names, slots and functions checked")
