"""sum() of Python against total(), in turn, best of many."""
import array
import time

import foreign  # noqa: F401
import summing
from steps import Steps

N = 100_000
NUMBERS = [0.5 * i for i in range(N)]


def best(function, thing):
    times = []
    for _ in range(30):
        start = time.perf_counter()
        function(thing)
        times.append(time.perf_counter() - start)
    return min(times) / N * 1e9


for name, thing in {"list": NUMBERS, "array.array": array.array("d", NUMBERS),
                    "Steps": Steps(0, 0.5, N)}.items():
    python, ours = best(sum, thing), best(summing.total, thing)
    print(f"{name:12} sum() {python:6.2f} ns a number, total() {ours:5.2f}, {python / ours:.1f} times")
