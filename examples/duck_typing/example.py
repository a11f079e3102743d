import sys

import summing

imported = {"polynomial", "sine_wave"} & set(sys.modules)
print("summing is loaded; providers it has imported:", ", ".join(imported) or "none")

from polynomial import Polynomial  # noqa: E402
from sine_wave import SineWave  # noqa: E402


class Line(Polynomial):
    """A Python subclass of the Cython class: it inherits the slot."""


class Tone(SineWave):
    """A Python subclass of the C type."""

    __slots__ = ("name",)


def half(x):
    return x / 2


cases = [
    ("Polynomial(1, 2, 3)", Polynomial(1, 2, 3)),
    ("SineWave(2.0)", SineWave(2.0)),
    ("Line(0, 1)", Line(0, 1)),
    ("Tone(4.0)", Tone(4.0)),
    ("half, a Python function", half),
    ("42", 42),
    ("object()", object()),
]

print()
print(f"{'object':<26}{'f(2.0)':>8}   reached through")
for text, function in cases:
    total, counts = summing.sum_at([function], 2.0)
    [how] = [key for key, count in counts.items() if count]
    value = "-" if how == "skipped" else f"{total:.4f}"
    names = {"slot": "its C slot", "python": "a Python call", "skipped": "no function: skipped"}
    print(f"{text:<26}{value:>8}   {names[how]}")

total, counts = summing.sum_at([function for _, function in cases], 2.0)
print(f"{'the sum of them all':<26}{total:>8.4f}   {counts}")
