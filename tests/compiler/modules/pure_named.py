# cython: freethreading_compatible=True
# Pure-Python mode.
import cython
import cython.cimports.cython_customslots as customslots
from cython.cimports.cython_customslots import slot


@slot(b"pure_named.bytes", flags=1)
@customslots.slot("pure_named.text", flags=2)
@cython.cclass
class Named:
    pass
