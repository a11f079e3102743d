# SPDX-License-Identifier: MIT
"""What inspect says where types carry nothing: names, registered slots, typed functions.  Run on PyPy,
where the package is installed."""
import sys

import registered_one as one
from cython_customslots import explain, fields, interfaces, signatures, slots
from cython_customslots.inspecting import classes, targets

assert sys.implementation.name == "pypy"
ID = one.intern("tests.pypy.inspected")


class Plain:
    pass


class Below(Plain):
    pass


assert not len(slots(Plain)) and not slots(list).extensible
one.register(Plain, ID, 5)
one.register(list, ID, 6)
for cls, data, own in (Plain, 5, True), (Below, 5, False), (list, 6, True), (type("L", (list,), {}), 6, False):
    found, = slots(cls)
    assert (found.name, found.data, found.own, found.registered) == ("tests.pypy.inspected", data, own, True), found
    assert one.find(cls(), ID) == data
assert "'tests.pypy.inspected'" in explain(Below()) and "registered: found by FindAny only, from" in str(slots(Below))
assert not len(fields(Plain)) and not len(interfaces(Plain)) and signatures(len) == []
assert classes.Look().id_name(ID) == "tests.pypy.inspected"
assert classes.Look().id_name(ID + 8) is None
everything = targets.inspect_all()
names = [report.name for report in everything.types]
assert "list" in names and any(name.endswith("Below") for name in names), names
for thing in 5, None, len, str.join, [].append, sys, Plain, Plain(), type, lambda: 1, type(len), (1).__add__:
    assert explain(thing) and str(targets.inspect_object(thing))
print("inspecting")
