# cython: freethreading_compatible=True
# Pure-Python mode.
import cython
import cython.cimports.cython_customslots as customslots
from cython.cimports.cython_customslots import extensible, slot
from cython.cimports.cython_customslots.provider import extensibletype


@cython.cclass
class PureType(extensibletype):
    level = cython.declare(cython.int)


@slot(0x01001E01, flags=5)
@customslots.metaclass(PureType, level=4)
@cython.cclass
class Pure:
    number: cython.int

    def level(self) -> cython.int:
        return cython.cast(PureType, type(self)).level


@extensible
@cython.cclass
class Other:
    pass
