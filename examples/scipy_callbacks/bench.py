# SPDX-License-Identifier: MIT
"""quad() of SciPy and of what was built here, called in turn in one process: times and ratios.

Each is called in bursts of some tens of microseconds, both in turn, and the shortest burst counts: what
others do on the machine makes none shorter.

SciPy has a LowLevelCallable of the same C function, or the same Python function.  --json writes the rows for
benchmarks/bench_calls.py, which runs this beside others.
"""
import argparse
import ctypes
import json
import statistics
import sys
import time

import functions
import numpy
import scipy
import scipy_callbacks
from cython_customslots import typed

SCIPY, OURS = (module.quad for module in scipy_callbacks.both("scipy.integrate._quadpack_py", "_quadpack"))
QUAD, FILTER = "quad() of SciPy's C, built here", "generic_filter() of SciPy's C, built here"
WIDTH = 46

parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
parser.add_argument("rounds", type=int, nargs="?", default=400)
parser.add_argument("--json", metavar="FILE")
options = parser.parse_args()
rows = {QUAD: [], FILTER: []}


def burst(call, arguments, count):
    begin = time.perf_counter()
    for _ in range(count):
        call(*arguments)
    return (time.perf_counter() - begin) / count


def compare(label, calls, theirs, ours, bar, pair=(SCIPY, OURS), group=QUAD):
    """*calls*: how often the callable is called; *theirs*, *ours*: the arguments."""
    count = max(1, int(5e-5 / burst(pair[1], ours, 20)))
    for call, arguments in zip(pair, (theirs, ours), strict=True):
        burst(call, arguments, 10 * count)                   # what is slow at first is not measured
    both = [(burst(pair[0], theirs, count), burst(pair[1], ours, count)) for _ in range(options.rounds)]
    scipy_time, our_time = (min(times) for times in zip(*both, strict=True))
    ratio = scipy_time / our_time
    verdict = f"  >= {bar}" if ratio >= bar else f"  **missed** {bar}"
    print(f"{label:{WIDTH}} {calls:5} {1e9 * scipy_time:9.0f} {1e9 * our_time:9.0f} {ratio:6.2f}{verdict}")
    rows[group].append({
        "name": label, "against": "SciPy", "unit": "faster", "target": bar,
        "ns": 1e9 * our_time, "baseline_ns": 1e9 * scipy_time,
        "paired": statistics.median(our / their for their, our in both)})


def integrate(label, theirs, ours, bar):
    calls = SCIPY(theirs, 0.0, 1.0, full_output=1)[2]["neval"]
    compare(label, calls, (theirs, 0.0, 1.0), (ours, 0.0, 1.0), bar)


def lowlevel(function):
    """What SciPy's users write, with the C function itself."""
    address = typed.address(function, "f8(f8)")
    return scipy.LowLevelCallable(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(address))


print(f"Python {sys.version.split()[0]}, SciPy {scipy.__version__}; ns for a quad(f, 0, 1)\n")
print(f"{'':{WIDTH}} {'calls':>5} {'SciPy':>9} {'here':>9} {'ratio':>6}")
for name in "square", "step", "kink", "sqrt", "log":
    function = getattr(functions, name)
    low = lowlevel(function)
    integrate(f"{name}: LowLevelCallable, unboxed", low, function, 1.15)
    integrate(f"{name}: LowLevelCallable, the same", low, low, 1.0)
number = ctypes.c_double(1.0)
data = ctypes.cast(ctypes.pointer(number), ctypes.c_void_p)
low = scipy.LowLevelCallable.from_cython(functions, "shifted", data)
integrate("LowLevelCallable with user data", low, low, 1.0)
python = {"square": lambda x: x * x, "sqrt": lambda x: x ** 0.5, "kink": lambda x: abs(x - 1 / 3)}
for name, function in python.items():
    integrate(f"{name}: Python, the same", function, function, 1.0)

filters = [module.generic_filter for module in scipy_callbacks.both("scipy.ndimage._filters", "_nd_image")]
image = numpy.arange(1000.0)
low = scipy.LowLevelCallable.from_cython(functions, "mean", data,
                                         signature="int (double *, npy_intp, double *, void *)")
for label, function in ("LowLevelCallable", low), ("Python", lambda window: 1.0):
    arguments = (image, function, 3)
    compare(f"generic_filter: {label}, the same", image.size, arguments, arguments, 1.0, filters, FILTER)

if options.json:
    with open(options.json, "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
