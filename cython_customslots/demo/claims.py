# SPDX-License-Identifier: MIT
"""The figures in README: one for each claim, which the demo measures again and prints beside its own."""
from typing import NamedTuple


class Claim(NamedTuple):
    costs: str          # how many times as much as what it is compared with
    what: str
    against: str
    recorded: tuple[str, str, str]      # the row of benchmarks/README.md: section, name, against
    why: str            # ... a value measured here may differ
    inverse: bool = False               # the row says how many times as fast


CLAIMS = {
    "capsule": Claim("4", "asking an attribute for a capsule", "a call of a virtual method",
                     ("bench_asking.py", "attribute with a capsule", "vtable call"),
                     "each version of Python finds attributes in its own way"),
    "slot": Claim("1.0", "finding and calling a slot", "a call of a virtual method",
                  ("bench_asking.py", "slot, PyCustomSlots_Find", "vtable call"),
                  "README's loop is C, and this one Cython's"),
    "field": Claim("1.1", "reading a C field of the class", "reading a C field of the object",
                   ("bench_fields.py", "loop: class field, the class itself", "instance field"),
                   "this loop only reads, and so it waits for the address of the class"),
    "interface": Claim("1.2", "calling a method of an interface", "calling a cdef method",
                       ("bench_interfaces.py", "for s in list, 8 classes", "cdef method"),
                       "so short a loop depends on its place in memory"),
    "array": Claim("0.25", "getting and giving back an array", "a typed memoryview of it",
                   ("bench_arrays.py", "Init and Clear, array.array", "memoryview"),
                   "each version of Cython and Python makes memoryviews in its own time", inverse=True),
    "typed call": Claim("1.0", "a typed call", "a call through a function pointer",
                        ("bench_calls.py", "summed", "function pointer"),
                        "so short a loop depends on its place in memory"),
}
