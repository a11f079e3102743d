"""One function adds up arrays of all kinds, in C where they have a vtable."""
import sys
from array import array

import summing

print("summing is loaded; providers it has imported:",
      ", ".join({"arrays", "numpy_arrays"} & set(sys.modules)) or "none")

from arrays import Constant, Dense, Range  # noqa: E402


class Celsius(Dense):
    """A Python subclass: it inherits the vtable."""


table = Dense(range(6), 2, 3)
cases = [
    ("Dense(range(6), 2, 3)", table),
    ("its transpose", table.T),
    ("its columns 0 and 2", table.every(2, axis=1)),
    ("Celsius([1.5, 2.5])", Celsius([1.5, 2.5])),
    ("Range(0, 1, 1000001)", Range(0, 1, 1000001)),
    ("Constant(0.5, 100, 100)", Constant(0.5, 100, 100)),
    ("a list", [1, 2.5]),
    ("array('f')", array("f", [1, 2.5])),
]

try:
    import numpy
    import numpy_arrays  # noqa: F401
except ImportError:
    pass
else:
    grid = numpy.arange(12.0).reshape(3, 4)
    cases += [
        ("numpy, double", grid),
        ("numpy, transposed slice", grid[:, ::2].T),
        ("numpy, int16", grid.astype("int16")),
        ("numpy, objects", numpy.array([1, 2.5], dtype=object)),
    ]

print()
print(f"{'array':<26}{'sum':>16}   items reached through")
for text, numbers in cases:
    result, how = summing.total(numbers)
    print(f"{text:<26}{result:>16.1f}   {how}")
