# SPDX-License-Identifier: MIT
"""Check the models with Spin, and that each mutation of them is found: `nox -s models`, or

    python tests/models/run.py [MODEL...]

Needs spin (https://spinroot.com, Debian's package of that name) and a C compiler.  A line for each run: what came, the
states that were visited, seconds.  Exit code 1 if something came that was not expected, or a run could not be finished.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
FINE, FAILS = "fine", "fails"
PLAIN, SMALL = ["-DSAFETY", "-O0"], ["-DSAFETY", "-DCOLLAPSE", "-O2"]

#: {model: mutations, each of which must be found}
MUTATIONS = {
    "change": ["NO_LATE", "NO_GENERATION", "NO_FILLED_AT -DO0=SET,0,10 -DO1=MAKE,3,0", "NO_COMMIT_OF_FAILED",
               "ALONE_UNLOCKED", "PUBLISHED_FIRST -DO0=SLOTS,0,2 -DO1=MAKE,3,0",
               "ABOVE_UNCHECKED", "DROPS_LISTED", "SLOTS_ALONE_STALE", "BASES_LAST",
               *(f"{name} -DNO_MEMORY -DO0=BASES,2,2 -DO1=MAKE,3,0" for name in (
                   "FORGIVEN", "UNREPORTED", "NOT_RESTORED"))],
    "plan": ["ATTRIBUTE_UNCHECKED", "REFRESHES_UNSEEN", "NO_GENERATION_AT_FINISHING", "NO_GENERATION", "PLANNED_ONCE",
             "NO_MIXINS", "MIXINS_NOTED_ONCE", "UNPLANNED_STAYS -DNO_MEMORY"],
    "death": ["NOT_DISOWNED", "PENDING_UNCOUNTED", "LATE_UNCOUNTED", "DYING_LISTED", "DROPPED_UNDER_LOCK"],
    "reader": ["TABLE_PLAIN", "CHECK_PLAIN", "CHECK_FIRST", "NOT_KEPT", "NOT_CHECKED_AGAIN", "LOADS_RELAXED"],
    "stamp": ["NOT_ZEROED -DM_NOT_CLEARED", "NO_REFERENCE", "NEVER_AGAIN"],
    "takeover": ["NOCAS", "WRITEFIRST", "VERDICTSTAYS", "LISTNOCAS"],
}

#: Three threads: B and C get other bases while D is made below C; D is made below B, which comes below P, which gets
#: another base; and B comes below P and goes meanwhile.
THREE_MAKE = "-DO0=BASES,2,2 -DO1=BASES,3,2 -DO2=MAKE,4,0"
THREE_COME = "-DNO_FAILURES -DSTART=1 -DO0=BASES,0,2 -DO1=BASES,2,1 -DO2=MAKE,3,0"
THREE_GO = "-DNO_FAILURES -DSTART=1 -DO0=BASES,0,2 -DO1=BASES,2,1 -DO2=BASES,2,2"

#: (model, what is to come, how its verifier is compiled, definitions)
RUNS = [
    ("change", FINE, SMALL, "-DTYPELOCK"),      # each pair of operations; CPython's steps exclude each other
    ("change", FINE, SMALL, ""),                # or take turns, where mro() is in Python
    ("change", FINE, SMALL, "-DNO_MEMORY -DTYPELOCK"),
    *(("change", FAILS, PLAIN, f"-DM_{name}") for name in MUTATIONS["change"]),
    *(("change", expected, SMALL, f"-DT=3 {definitions}") for expected, definitions in (
        (FINE, f"-DTYPELOCK {THREE_MAKE}"), (FAILS, f"{THREE_MAKE} -DM_ABOVE_WHILE_OTHERS_CHANGE"),
        (FINE, THREE_COME), (FAILS, f"{THREE_COME} -DM_NO_LAST_COLLECT"),
        (FINE, THREE_GO), (FAILS, f"{THREE_GO} -DM_NO_REPORT_MOVED"))),
    ("plan", FINE, SMALL, "-DNO_MEMORY"),       # there may be none; each pair of operations
    *(("plan", FAILS, PLAIN, f"-DM_{name}") for name in MUTATIONS["plan"]),
    ("death", FINE, PLAIN, ""),
    *(("death", FAILS, PLAIN, f"-DM_{name}") for name in MUTATIONS["death"]),
    ("reader", FINE, PLAIN, ""),
    *(("reader", FAILS, PLAIN, f"-DM_{name}") for name in MUTATIONS["reader"]),
    # A class that is not finished passes the test, too, so a stamp may come at any time.
    ("reader", FINE, PLAIN, "-DM_STAMP_PLAIN"),
    ("reader", FINE, PLAIN, "-DM_STAMP_FIRST"),
    ("stamp", FINE, PLAIN, ""),
    # CPython zeroes what it allocates, and dealloc takes the stamp away: either is enough.
    ("stamp", FINE, PLAIN, "-DM_NOT_ZEROED"),
    ("stamp", FINE, PLAIN, "-DM_NOT_CLEARED"),
    *(("stamp", FAILS, PLAIN, f"-DM_{name}") for name in MUTATIONS["stamp"]),
    *(("answers", FINE, SMALL, f"-DMOVES=2 {scope}") for scope in ("-DGIL", "-DGIL -DSUBINTERPRETER", "-DREGONLY")),
    *(("answers", FAILS, SMALL, f"-DGIL -DM_{name}") for name in (
        "NOFORGET", "NOFORGET_END", "NOVERSION", "NOMRO", "NOGEN", "NOREREAD", "NOSEQLOCK",
        "NOINTERP -DSUBINTERPRETER")),
    ("answers", FAILS, SMALL, "-DREGONLY -DM_GENLATE"),
    ("takeover", FINE, PLAIN, ""),
    *(("takeover", FAILS, PLAIN, f"-DM_{name}") for name in MUTATIONS["takeover"]),
]


def check(model, expected, flags, definitions):
    """Whether it came as expected, and a line that says what came."""
    def call(*command):
        return subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        shutil.copy(HERE / f"{model}.pml", directory)
        for command in (["spin", "-a", *definitions.split(), f"{model}.pml"],
                        [os.environ.get("CC", "cc"), "-w", "-DMEMLIM=6000", *flags, "-o", "pan", "pan.c"]):
            done = call(*command)
            if done.returncode:
                return False, f"{model} {definitions}: {command[0]} failed\n{done.stdout[-2000:]}"
        said = call("./pan", "-m400000").stdout
    errors, states = re.search(r"errors: (\d+)", said), re.search(r"([\d.e+]+) states, stored", said)
    whole = errors and not re.search("max search depth too small|out of memory|memory limit|aborted", said)
    came = "unfinished" if not whole else FINE if errors[1] == "0" else FAILS
    line = (f"{came:<10} {model:<8} {definitions:<75} {states[1] if states else '?':>9} states, "
            f"{time.monotonic() - began:.1f} s")
    return came == expected, line if came == expected else f"{line}  <-- expected: {expected}\n{said[-1500:]}"


def main(models):
    if not shutil.which("spin"):
        print("found no spin on PATH, expected the model checker; Debian's package `spin` has it")
        return 1
    runs = [run for run in RUNS if not models or run[0] in models]
    fine = bool(runs)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for as_expected, line in pool.map(lambda run: check(*run), runs):
            fine = fine and as_expected
            print(line, flush=True)
    print(f"{len(runs)} runs, {'as expected' if fine else 'NOT as expected'}")
    return not fine


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
