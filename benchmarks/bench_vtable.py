# SPDX-License-Identifier: MIT
"""What it costs that an importer compares an imported class's C methods with its own.

One provider with a slot for each class, and one source of an importer, compiled twice:
by plain Cython, which takes the tables as they are, and by the layer, which checks them.
"calls" is a C method called on the same objects by both.  "import" is the execution of
the importer's module, with the provider there already; each time it is a fresh copy of
the file, because a module is executed once.
"""
from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import itertools
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from common import HERE, Case, Loop, Module, main

CLASSES = 20
METHODS = 8

_sources = tempfile.TemporaryDirectory(prefix="customslots-bench-source-")


def provider() -> dict[str, str]:
    pxd = pyx = ""
    for number in range(CLASSES):
        pxd += f"cdef class C{number}:\n"
        pyx += f"cdef class C{number}:\n"
        for method in range(METHODS):
            declaration = f"    cdef int method{method}(self, int x, double y) except? -1"
            pxd += declaration + "\n"
            pyx += f"{declaration}:\n        return x + {method}\n"
    return {"bench_provider.pxd": pxd, "bench_provider.pyx": pyx}


def importer() -> str:
    classes = ", ".join(f"C{number}" for number in range(CLASSES))
    return f"""
from bench_provider cimport {classes}
from cpython.mem cimport PyMem_Malloc, PyMem_Free
from cpython.object cimport PyObject
from libc.stdint cimport int64_t

cdef extern from "vtables.h":
    const int BENCH_COPIES, BENCH_OBJECTS
    ctypedef int (*Caller)(PyObject *) noexcept
    int64_t vtables_call(Caller, int, PyObject **, Py_ssize_t) noexcept

COPIES = BENCH_COPIES
OBJECTS = BENCH_OBJECTS

cdef inline int caller(C0 self) noexcept:
    return self.method{METHODS - 1}(1, 2.0)

def run(int copy, tuple objects, Py_ssize_t repetitions):
    cdef C0 checked
    cdef PyObject **array = <PyObject **>PyMem_Malloc(BENCH_OBJECTS * sizeof(PyObject *))
    for i in range(BENCH_OBJECTS):
        checked = objects[i]
        array[i] = <PyObject *>checked
    if copy == 0:
        took = vtables_call(<Caller>caller, 0, array, repetitions)
    elif copy == 1:
        took = vtables_call(<Caller>caller, 1, array, repetitions)
    elif copy == 2:
        took = vtables_call(<Caller>caller, 2, array, repetitions)
    else:
        took = vtables_call(<Caller>caller, 3, array, repetitions)
    PyMem_Free(array)
    return took
"""


def modules() -> list[Module]:
    top = Path(_sources.name)
    for name, text in {**provider(), "bench_importer.pyx": importer()}.items():
        (top / name).write_text(text)
    common = dict(include_dirs=[top, HERE], cflags=["-O2"])
    source = [top / "bench_importer.pyx"]
    return [Module("bench_provider", [top / "bench_provider.pyx"],
                   cython_args=["--extend-all"], **common),
            Module("plain_importer", source, layer=False, **common),
            Module("checked_importer", source, cython_args=["--extend-all"], **common)]


def calls() -> list[Case]:
    """A C method of an imported class, called through its vtable."""
    import bench_provider
    import checked_importer
    import plain_importer

    objects = tuple(bench_provider.C0() for _ in range(plain_importer.OBJECTS))

    def loop(module) -> Loop:
        return Loop([functools.partial(module.run, copy, objects)
                     for copy in range(module.COPIES)], len(objects))

    return [Case("C method call, checked import", loop(checked_importer),
                 "plain import", loop(plain_importer), target=1.02)]


class Import(Loop):
    """Each slice executes the module once, from a file that was not loaded before."""

    numbers = itertools.count()

    def __init__(self, name: str, operations: int = 1):
        import bench_provider  # noqa: F401 - is there already, as it would be

        super().__init__([self.execute], operations)
        self.name = name
        self.path = next(path for path in Path(sys.path[0]).glob(f"{name}.*")
                         if path.is_file())

    def calibrate(self, slice_ns: int) -> None:
        self.repetitions = 1

    def execute(self, repetitions: int) -> float:
        copy = self.path.with_name(f"copy{next(self.numbers)}-{os.getpid()}{self.path.suffix}")
        shutil.copy(self.path, copy)
        loader = importlib.machinery.ExtensionFileLoader(self.name, str(copy))
        spec = importlib.util.spec_from_file_location(self.name, copy, loader=loader)
        module = importlib.util.module_from_spec(spec)
        copy.unlink()
        start = time.perf_counter_ns()
        loader.exec_module(module)
        return time.perf_counter_ns() - start


def imports() -> list[Case]:
    """Executing a module that imports classes."""
    what = f"{CLASSES} classes with {METHODS} methods each"
    return [Case(f"import of {what}", Import("checked_importer"), "plain import",
                 Import("plain_importer")),
            Case("check of one class", Import("checked_importer", CLASSES), "plain import",
                 Import("plain_importer", CLASSES), unit="ns")]


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, modules, {"calls": calls, "import": imports},
                  rounds=80))
