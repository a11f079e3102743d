# SPDX-License-Identifier: MIT
"""The module array_probe, which shows typedarray.h to Python, and the words that its tests use."""
import contextlib
import functools
from pathlib import Path

import pytest
import support

HERE = Path(__file__).resolve().parent

#: DLPack's codes, and the flags of a PyTypedArray_Spec.
INT, UINT, FLOAT, HANDLE, BFLOAT, COMPLEX, BOOL = range(7)
C, F, WRITABLE, UNALIGNED = 1, 2, 4, 8
ANY = -1
CPU, CUDA = 1, 2

#: What *held* of an array says: which of the sources keeps it.
OBJECT, BUFFER, MANAGED, VERSIONED = 1, 2, 3, 4

#: (code, bits) of any type.
ANYTHING = (INT, 0)
DOUBLE = (FLOAT, 64)


@contextlib.contextmanager
def because(error, words):
    """A TypeError of ours, whose cause is what the object raised."""
    ours = "found a '.*' that raised .* when it was asked for its items, expected an array of "
    with pytest.raises(TypeError, match=ours) as raised:
        yield
    with pytest.raises(error, match=words):
        raise raised.value.__cause__


#: The ABIs that the consumer is built for: its name, and what it is compiled with.
ABIS = {"": (), "abi3": ("-DABI3",), "abi3t": ("-DABI3T",), "unknown": ("-DABI3", "-DUNKNOWN")}


@functools.lru_cache(maxsize=None)
def array_probe(abi=""):
    name = "_".join(filter(None, ["array_probe", abi]))
    return support.load(support.build_c(
        name, HERE / "array_probe.c", HERE / "array_consumer.c",
        cflags=("-std=gnu99", *support.STRICT_FLAGS, f"-DNAME={name}", *ABIS[abi])))
