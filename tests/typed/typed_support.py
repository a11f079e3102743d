# SPDX-License-Identifier: MIT
"""The module typed_probe, which shows typedmethod.h to Python, and shapes of records."""
import functools
from pathlib import Path

import support

HERE = Path(__file__).resolve().parent


@functools.lru_cache(maxsize=None)
def probe_path(name="typed_probe", flags=()):
    """Its file; any other name gives a second, separate build.  *flags*: what its consumers are compiled with."""
    return support.build_c(name, *(HERE / f"typed_{part}.c" for part in ("probe", "calling", "finding")),
                           cflags=(f"-DPROBE_NAME={name}", "-std=gnu99", *support.STRICT_FLAGS, *flags))


#: What the consumers of typed_probe() are built for now: the fixture `typed` sets it.
abi = "full"


def typed_probe(name="typed_probe"):
    if name == "typed_probe" and abi != "full":
        return support.load(probe_path(f"typed_probe_{abi}", (f"-D{abi.upper()}",)))
    return support.load(probe_path(name))


def sig(text):
    return typed_probe().parse(text)


def entry(text, function, flags=0, error=0, *more):
    return (sig(text), function, flags, error, *more)


def new_method(*entries, name="f", flags=0):
    """The address of a new PyMethodDef with a record of these entries."""
    probe = typed_probe()
    method = probe.method(name, flags)
    probe.register([(method, probe.record(list(entries)))])
    return method


def new_function(*entries, self=None, name="f", flags=0):
    """A builtin function with a record of these entries."""
    return typed_probe().function(new_method(*entries, name=name, flags=flags), self)


def found(callable_, text):
    """The name of the C function that is found, or None."""
    call = typed_probe().find(callable_, sig(text))
    return call and call[0]
