# SPDX-License-Identifier: MIT
"""Small calls of functions of scikit-learn, SciPy, pandas and scikit-image, plain and with --borrow-views.

    python benchmarks/time_views.py [--rounds N]

Their modules are compiled both ways from the sdists that tests/corpus/packages.py names, with -O2, and take the place
of the wheel's in copies.  Both are loaded by one process, which measures them in turn; the best slice counts.  Nothing
is judged, and it takes some minutes: it is for the table on docs/arrays.md.
"""
import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "corpus"))

import packages
import run

#: {package: [(module, what makes its arguments, what is called)]}
CASES = {
    "scikit-learn": [
        ("sklearn/utils/arrayfuncs", "x = np.arange(10.)", "min_pos(x)"),
        ("sklearn/utils/_isfinite", "x = np.arange(10.)", "cy_isfinite(x)"),
        ("sklearn/_isotonic", "y, w = np.arange(10.), np.ones(10)", "_inplace_contiguous_isotonic_regression(y, w)"),
        ("sklearn/decomposition/_cdnmf_fast",
         "W, H, X, p = np.ones((3, 2)), np.eye(2), np.ones((3, 2)), np.arange(2)", "_update_cdnmf_fast(W, H, X, p)")],
    "scipy": [
        ("scipy/signal/_peak_finding_utils", "x, p = np.array([0., 1, 0, 2, 0, 3, 0]), np.array([1, 3, 5])",
         "_peak_prominences(x, p, -1)"),
        ("scipy/interpolate/_ppoly",
         "c, x, xp, out = np.ones((4, 3, 1)), np.arange(4.), np.array([.5, 1.5]), np.empty((2, 1))",
         "evaluate(c, x, xp, 0, True, out)"),
        ("scipy/cluster/_hierarchy", "Z, d = np.array([[0., 1, 1, 2], [2, 3, 2, 3]]), np.empty(3)",
         "cophenetic_distances(Z, d, 3)")],
    "pandas": [
        ("pandas/_libs/reshape", "v, m, n = np.ones((4, 2)), np.ones(4, np.uint8), np.empty((2, 4))",
         "unstack(v, m, 2, 2, 2, n)")],
    "scikit-image": [
        ("skimage/measure/_moments_cy", "x = np.ones((4, 4))", "moments_hu(x)")],
}

MEASURE = """
import importlib.util, json, pathlib, sys, timeit
import numpy as np
module, arguments, call, rounds, *roots = json.loads(sys.argv[1])
timers, results = [], []
for root in roots:
    path, = pathlib.Path(root).glob(module + ".*.so")
    spec = importlib.util.spec_from_file_location(module.replace("/", "."), path)
    there = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(there)
    names = dict(vars(there), np=np)
    exec(arguments, names)
    results.append(repr(eval(call, names)))
    timers.append(timeit.Timer(call, globals=names))
assert results[0] == results[1], results
number = max(1, int(0.001 / (min(timers[0].repeat(5, 100)) / 100)))
best = [float("inf")] * 2
for _ in range(rounds):
    for i, timer in enumerate(timers):
        best[i] = min(best[i], timer.timeit(number) / number)
print(json.dumps([seconds * 1e9 for seconds in best]))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=500, metavar="N")
    parser.add_argument("packages", nargs="*", default=list(CASES), metavar="PACKAGE")
    options = parser.parse_args()
    print("| | plain, ns | borrowing, ns |", "| --- | --- | --- |", sep="\n")
    for name in options.packages:
        package, = (package for package in packages.PACKAGES if package.name == name)
        package = dataclasses.replace(package, replaced=tuple(
            path for path in package.replaced if any(path.endswith(f"{module}.pyx") for module, *_ in CASES[name])))
        with tempfile.TemporaryDirectory(prefix="customslots-views-") as temporary:
            directory = pathlib.Path(temporary)
            python, paths = run.environment(package, directory)
            roots = [run.build(python, package, directory, kind, paths, "-O2 -g0 -w")[1][0]
                     for kind in ("plain", "extended")]
            for module, arguments, call in CASES[name]:
                case = json.dumps([module, arguments, call, options.rounds, *roots])
                done = subprocess.run([python, "-c", MEASURE, case], cwd=roots[0], text=True, check=True,
                                      stdout=subprocess.PIPE)
                plain, borrowing = json.loads(done.stdout)
                print(f"| {package.name} {package.version}, `{call}` | {plain:.0f} | {borrowing:.0f} |", flush=True)


if __name__ == "__main__":
    main()
