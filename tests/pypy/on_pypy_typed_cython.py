# SPDX-License-Identifier: MIT
"""Records that the compiler layer writes, of Cython's own functions and of builtin ones.  Run on PyPy."""
import sys

import typed_caller as caller

VALUE, MAYBE, ANY, NOGIL, SELF, CONVERTS = 1, 2, 3, 4, 32, 128
MODULE = __import__(sys.argv[1])


def flags(function, text):
    return caller.find(function, text)[2]


SIGNATURES = {
    "same_i1": "i1(i1)", "same_u8": "u8(u8)", "same_f4": "f4(f4)", "same_hidden": "i2(i2)",
    "turned_c16": "c16(c16)", "nothing_at_all": "i4()", "append": "void(object)",
    "eleven": f"i8({', '.join(['i4'] * 11)})", "thirteen": f"f8({'i4, f8, ' * 6}object)",
    "pair": "object(object, object)", "area_of": "f8(object)",
}
for name, text in SIGNATURES.items():
    assert caller.signatures(getattr(MODULE, name)) == (text,), name
assert caller.signatures(MODULE.optional) == ("f8(f8, i4, object)", "f8(f8, i4)", "f8(f8)")
assert set(caller.signatures(MODULE.doubled)) == {"i4(i4)", "f8(f8)"}
assert caller.signatures(MODULE.ordinary) == ()
assert caller.call_c16(MODULE.turned_c16, 1 + 2j) == MODULE.turned_c16(1 + 2j) == -2 + 1j

# Python has something else than these numbers.
for name in "negated", "negated_bool", "same_colour":
    function = getattr(MODULE, name)
    assert flags(function, caller.signatures(function)[0]) & CONVERTS, name
assert not flags(MODULE.same_alias, "i8(i8)") & CONVERTS

CONVENTIONS = [
    ("except_value", "i4(i4)", VALUE), ("except_maybe", "i4(i4)", MAYBE),
    ("except_double", "f8(f8)", MAYBE), ("except_void", "void(i4)", ANY), ("except_bool", "bool(i4)", MAYBE),
    ("except_complex", "c16(i4)", ANY), ("except_pointer", "pointer(i4)", VALUE), ("nogil_raises", "i4(i4)", MAYBE),
]
for name, text, raises in CONVENTIONS:
    function = getattr(MODULE, name)
    assert flags(function, text) & 3 == raises
    assert caller.outcome(function, text, 5)[1] is None
    equal, raised = caller.outcome(function, text, 0)
    assert raised == "raised" and (equal or raises == ANY), name
assert caller.outcome(MODULE.length, "i4(object)", [1, 2]) == (False, None)
assert caller.outcome(MODULE.length, "i4(object)", (1, 2)) == (True, "raised")
assert flags(MODULE.nogil_noexcept, "i4(i4)") == NOGIL
assert caller.call_without_gil(MODULE.nogil_noexcept, 4) == 5

# Methods: bound, of the class, of subclasses in Cython and Python.
shape, square = MODULE.Shape(3), MODULE.Square(3)
assert caller.signatures(shape.area) == ("f8()",) == caller.signatures(square.area)
assert caller.find(shape.area, "f8()")[0] != caller.find(square.area, "f8()")[0]
assert caller.signatures(MODULE.Shape.area) == ("f8(object)",)
assert flags(MODULE.Shape.area, "f8(object)") & SELF
assert caller.signatures(shape.scaled) == ("f8(f8, f8)", "f8(f8)")
assert caller.find(shape.scaled, "f8(f8)")[1] != 0


class Mine(MODULE.Shape):
    def area(self):
        return 7.0


assert caller.signatures(Mine(1).area) == () and caller.signatures(Mine(1).scaled) != ()
assert MODULE.area_of(Mine(1)) == 7.0
print("typed Cython")
