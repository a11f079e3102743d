from cython_customslots import pyximport

pyximport.install(build_dir="build")

from circle import Circle  # noqa: E402  (compiles circle.pyx)

import total  # noqa: E402


class Disc(Circle):
    """A Python subclass inherits the slot."""


print(total.area([Circle(1.0), Disc(2.0), "no area"]))
