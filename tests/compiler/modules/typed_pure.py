# cython: freethreading_compatible=True
# Pure-Python mode: runs as Python, too.
import cython
import cython.cimports.cython_customslots as customslots
from cython.cimports.cython_customslots import typed


@cython.ccall
def triple(x: cython.double) -> cython.double:
    return 3 * x


@cython.ccall
@typed(False)
def silent(x: cython.double) -> cython.double:
    return x


@customslots.typed(False)
@cython.cclass
class Silent:
    @cython.ccall
    def get(self) -> cython.int:
        return 1

    @customslots.typed(True)
    @cython.ccall
    def heard(self) -> cython.int:
        return 2


@cython.cclass
class Counter:
    count: cython.int

    @cython.ccall
    @cython.returns(cython.int)
    @cython.locals(by=cython.int)
    @cython.exceptval(-1)
    def add(self, by=1):
        self.count += by
        return self.count
