# SPDX-License-Identifier: MIT
"""The module array_probe, which shows typedarray.h to Python, and the words that its tests use."""
import concurrent.futures
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
CUDA = 2

#: What *held* of an array says: which of the sources keeps it.
OBJECT, BUFFER, MANAGED, VERSIONED = 1, 2, 3, 4

#: (code, bits) of any type.
ANYTHING = (INT, 0)
DOUBLE = (FLOAT, 64)

#: What no array can be, and the words of who refuses it: arguments of an Exporter.
WRONG = [
    ("with -2 dimensions", dict(shape=(1,), ndim=-2)),
    ("with 9 dimensions, but no more than 8", dict(shape=(1,) * 9)),
    ("with 33 dimensions, but no more than 8", dict(shape=(1,) * 33)),
    ("with 2147483647 dimensions", dict(shape=(1,), ndim=2**31 - 1)),
    ("a shape that is missing, negative", dict(shape=None, ndim=1)),
    ("a shape that is missing, negative", dict(shape=(-1,))),
    ("a shape that is missing, negative", dict(shape=(3, -(1 << 63)))),
    ("reaches further", dict(shape=(1 << 62,))),
    ("reaches further", dict(shape=(1 << 40, 1 << 40))),
    ("reaches further", dict(shape=(1 << 40, 1 << 40), strides=(0, 0))),
    ("reaches further", dict(shape=(2,), strides=(1 << 61,))),
    ("reaches further", dict(shape=(2,), strides=(-1 << 63,))),
    ("reaches further", dict(shape=(2, 2), strides=(1 << 59, 1 << 59))),
    ("reaches further", dict(shape=(2,), byte_offset=1 << 63)),
    ("items and no memory", dict(shape=(2,), memory=None)),
    ("items and no memory", dict(shape=(2,), memory=None, byte_offset=8)),
    ("of 1 times 4 bits, which are no bytes", dict(shape=(2,), dtype=(17, 4, 1))),
    ("of 1 times 0 bits", dict(shape=(2,), dtype=(FLOAT, 0, 1))),
    ("of 0 times 64 bits", dict(shape=(2,), dtype=(FLOAT, 64, 0))),
    ("of 3 times 6 bits", dict(shape=(2,), dtype=(15, 6, 3))),
]


@contextlib.contextmanager
def because(error, words):
    """A TypeError of ours, whose cause is what the object raised."""
    ours = "found a '.*' that raised .* when it was asked for its items, expected an array of "
    with pytest.raises(TypeError, match=ours) as raised:
        yield
    with pytest.raises(error, match=words):
        raise raised.value.__cause__


def result(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error), str(error)


def alike(modules, act, *about):
    """What happens with the module by plain Cython and with that by --borrow-views, which is the same."""
    plain, found = map(act, modules)
    assert found == plain, about
    return found


def agree(modules, name, *arguments):
    """The function of both modules returns or raises the same."""
    alike(modules, lambda module: result(getattr(module, name), *arguments), name)


def run_in_threads(check):
    """Four threads call it five hundred times each; what fails is raised."""
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(lambda: [check(i) for i in range(500)]) for _ in range(4)]:
            done.result()


#: The ABIs that the consumer is built for: its name, and what it is compiled with.
ABIS = {"": (), "abi3": ("-DABI3",), "abi3t": ("-DABI3T",), "unknown": ("-DABI3", "-DUNKNOWN")}


@functools.lru_cache(maxsize=None)
def array_probe(abi=""):
    name = "_".join(filter(None, ["array_probe", abi]))
    return support.load(support.build_c(
        name, HERE / "array_probe.c", HERE / "array_consumer.c",
        cflags=("-std=gnu99", *support.STRICT_FLAGS, f"-DNAME={name}", *ABIS[abi])))
