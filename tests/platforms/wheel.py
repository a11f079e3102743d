# SPDX-License-Identifier: MIT
"""Is the wheel that is installed whole?  What cibuildwheel runs for each one that it has built: no
compiler is needed, and nothing beside the package."""
import sys

import cython_customslots
from cython_customslots.typed import _typed     # compiled, on PyPy, too

done = [_typed.__name__]
if sys.implementation.name == "cpython":
    import _customslots_runtime
    from cython_customslots import provider

    class Point(metaclass=cython_customslots.Slotted):
        __slots__ = ("x", "y")
        __customslots__ = {"wheel.dimensions": 2, "wheel.x": "x"}

    class Named(Point):
        pass

    found = {name: value for name, value in Named.__customslots__.items() if name.startswith("wheel.")}
    assert found.keys() == {"wheel.dimensions", "wheel.x"}, found
    assert found["wheel.dimensions"] == 2, found
    done += [_customslots_runtime.__name__, provider.__name__]
print(f"cython_customslots {cython_customslots.__version__} on {sys.platform}, {sys.byteorder}-endian, "
      f"{sys.maxsize.bit_length() + 1} bits: {', '.join(done)}")
