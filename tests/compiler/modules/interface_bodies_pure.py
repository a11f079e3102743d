# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# A method with a body in pure-Python mode.
import cython
from cython.cimports import cython_customslots as customslots


@customslots.interface(b"tests.PureBodies")
@cython.cclass
class PureBodies:
    @cython.cfunc
    @cython.exceptval(-1)
    def size(self) -> cython.int: ...

    @cython.cfunc
    @cython.exceptval(-1)
    def twice(self) -> cython.int:
        return 2 * self.size()

    @cython.ccall
    def label(self, before: str) -> str:
        """What it is called."""
        return f"{before} {self.twice()}"


@cython.cclass
class Five(PureBodies):
    @cython.cfunc
    @cython.exceptval(-1)
    def size(self) -> cython.int:
        return 5


def labels(thing: PureBodies):
    return thing.label("of"), thing.twice()
