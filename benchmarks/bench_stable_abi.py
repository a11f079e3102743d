# SPDX-License-Identifier: MIT
"""Consumers for the stable ABI: one source, built for the full API, as abi3 and, from CPython 3.15 on, as abi3t.

All three are in one process and look at the same objects.
"""
from __future__ import annotations

import array
import functools
import sys
import sysconfig

from common import HERE, Case, Loop, Module, Variant, get_include, load, main

#: {ABI: what the consumer is compiled with}
ABIS = {"full": []}
if sys.version_info >= (3, 11) and not sysconfig.get_config_var("Py_GIL_DISABLED"):
    ABIS["abi3"] = ["-DABI3"]
if sys.version_info >= (3, 15):
    ABIS["abi3t"] = ["-DABI3T"]

SLOT, REGISTERED, NOBODY = "bench.slot", "bench.registered", "bench.nobody"


def modules() -> list[Variant]:
    return [Variant(Module("stable_abi", [HERE / "stable_abi.c", HERE / "stable_abi_run.c"], layer=False,
                           cflags=["-O2", *flags], include_dirs=[get_include(), HERE]), abi)
            for abi, flags in ABIS.items()]


def loop(module, name: str, obj: object, callable_: object = None, slot: str = SLOT) -> Loop:
    return Loop([functools.partial(run, module, name, copy, (obj,) * module.OBJECTS, callable_, slot)
                 for copy in range(module.COPIES)], module.OBJECTS)


def run(module, name, copy, objects, callable_, slot, repetitions):
    return module.run(name, copy, objects, callable_, slot, repetitions)


def cases() -> list[Case]:
    from cython_customslots import Slotted

    built = {abi: load("stable_abi", abi) for abi in ABIS}
    registered = type("Registered", (), {})
    built["full"].register_slot(registered, REGISTERED)
    slotted = Slotted("Slots", (), {"__customslots__": {SLOT: 5}})()
    arrays = [("array.array", array.array("d", [1.0]), {"abi3": 21.0, "abi3t": 48.0})]
    try:
        import numpy
        arrays.append(("numpy.ndarray", numpy.zeros(1), {"abi3": 4.5, "abi3t": 11.0}))
    except ImportError:
        pass
    half = built["full"].half
    rows = [("Find, a slot", "find", slotted, None, SLOT, {"abi3": 1.3, "abi3t": 1.3}),
            ("Find, int", "find", 5, None, SLOT, {}),
            ("FindAny, registered", "find_any", registered(), None, REGISTERED, {"abi3": 3.5, "abi3t": 8.0}),
            ("FindAny, miss", "find_any", registered(), None, NOBODY, {"abi3": 3.5, "abi3t": 8.0}),
            *[(f"Init and Clear, {name}", "array", obj, None, SLOT, targets) for name, obj, targets in arrays],
            ("find a typed record", "find_typed", half, None, SLOT, {"abi3": 3.5, "abi3t": 5.0}),
            ("call a typed function", "called", half, half, SLOT, {"abi3": 3.5, "abi3t": 3.5}),
            ("call a lambda", "called", half, lambda x: x / 2, SLOT, {"abi3": 80.0, "abi3t": 80.0})]
    return [Case(f"{what}, {abi}", loop(module, name, obj, callable_, slot), "empty loop",
                 loop(module, "empty", obj), targets.get(abi), "ns")
            for what, name, obj, callable_, slot, targets in rows for abi, module in built.items()]


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {"full API, abi3, abi3t": cases}))
