# SPDX-License-Identifier: MIT
"""Random programs for as long as you like: `nox -s 'long(3.11)' -- --minutes 60`, or, where the wheel is installed,

    python tests/hostile/long_run.py [--minutes N] [--seed N]

Round after round, with the next seed: classes against a model in Python, four threads that change one hierarchy,
classes that override methods of interfaces and `__call__`; and 50,000 types are made, get a registered slot, and die.
A line for each round tells the seed.  Exit code 1, with what failed, at the first failure, or if memory has grown.
"""
import argparse
import gc
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import support  # noqa: E402

#: The tests that begin where CUSTOMSLOTS_TEST_SEED says.
RANDOM = ["hostile/test_state_machine.py", "hostile/test_threads.py::test_tables_are_right_after_threads_have_changed_"
          "one_hierarchy", "compiler/test_callables.py::test_random_classes_are_called_by_c_as_by_python",
          "compiler/test_interface_bodies.py::test_random_classes_call_what_they_call_if_the_module_is_not_compiled",
          "compiler/test_interface_copies.py::test_random_classes_are_called_as_python_calls_them"]
TYPES = 50_000
#: What the heap may be larger by than after the first round: 4 MiB are noise of the allocator.
GROWN = 4 << 20


def types_die(probe, number):
    """Types with a registered slot are made and die; the table of the process is as before."""
    before = probe.table_state()["count"]
    for start in range(0, TYPES, 1000):
        made = [type(f"C{i}", (), {}) for i in range(start, start + 1000)]
        for i, cls in enumerate(made):
            probe.register_slot(cls, number, i)
        assert all(probe.find_any_type(cls, number) == i for i, cls in enumerate(made))
        del made, cls
        gc.collect()
    assert probe.table_state()["count"] == before


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    wanted = parser.parse_args()
    probe, began, after_first, seed = support.probe(), time.monotonic(), None, wanted.seed
    number = probe.intern(b"long_run.died")
    while time.monotonic() - began < 60 * wanted.minutes or after_first is None:
        command = ["pytest", "-q", "-n0", "-p", "no:cacheprovider", f"--hypothesis-seed={seed}",
                   *(HERE.parent / test for test in RANDOM)]
        done = subprocess.run(command, env={**os.environ, "CUSTOMSLOTS_TEST_SEED": str(seed)}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
        if done.returncode:
            print(f"seed {seed} failed\n{done.stdout}")
            return 1
        types_die(probe, number)
        after_first = after_first or resident()
        print(f"seed {seed}: {time.monotonic() - began:.0f} s, {(resident() - after_first) / 1024:+.0f} KB", flush=True)
        seed += 100                         # a round uses the seeds behind its own, too
    print(f"{wanted.seed} to {seed - 1}: {TYPES * (seed - wanted.seed) // 100:,} types have died")
    return resident() - after_first > GROWN


if __name__ == "__main__":
    sys.exit(main())
