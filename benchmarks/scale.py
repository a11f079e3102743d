# SPDX-License-Identifier: MIT
"""What one more costs in a process that has many already: `python benchmarks/scale.py [COUNT...]`

For each count, in a process of its own: microseconds of a processor and bytes (resident memory) of one.  Where it is
linear, a row has the same figures in each column.  Of modules there is one for a hundred classes.
"""
import gc
import os
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

from common import HERE, Module, load_file

from cython_customslots import ExtensibleType, Slotted, interface
from cython_customslots.tools.building import build

COUNTS = (1_000, 10_000, 100_000)


def below(base):
    """A function that makes so many classes below `base`."""
    return lambda count: [type(base)(f"C{i}", (base,), {}) for i in range(count)]


def assigned(count):
    """`__bases__` of a class that has so many below it."""
    base, other = ExtensibleType("Base", (), {}), ExtensibleType("Other", (), {})
    middle = ExtensibleType("Middle", (base,), {})
    middle.kept = below(middle)(count)
    return lambda: setattr(middle, "__bases__", (other,))


def built():
    module = Module("scale", [HERE / "scale.pyx"], cflags=["-O1", "-g0", "-DCYTHON_COMPRESS_STRINGS=0"])
    return Path(build(module, HERE.parent / ".cache" / "benchmarks").path)


def registered(count):
    module = load_file("scale", built())
    return lambda: module.registered(count)


def modules(count):
    """Copies of one module that have other names in them: each has an interface, and a class that provides it."""
    directory, path = Path(tempfile.mkdtemp()), built()
    text = path.read_bytes()
    copies = [directory / f"{i}-{path.name}" for i in range(count)]
    for i, copy in enumerate(copies):
        copy.write_bytes(text.replace(b"e0000", b"e%04d" % i))

    def load():
        kept = []
        for i, copy in enumerate(copies):
            kept.append(load_file("scale", copy))
            copy.unlink()
            assert kept[-1].area(getattr(kept[-1], "Square%04d" % i)()) == 1
        directory.rmdir()
        return kept
    return load


def interfaces(count):
    """One class with so many interfaces."""
    kept = modules(count)()
    bases = tuple(interface("scale.Shape%04d" % i) for i in range(count))
    return lambda: [kept, types.new_class("Many", bases, {}, lambda body: body.update(area=lambda self: 1.0))]


class Plain:
    pass


#: {what: (a function that makes so many, or returns one that does; a class for one of them)}
SUBJECTS = {
    "plain class": (below(Plain), 1),
    "extensible class": (below(ExtensibleType("Base", (), {})), 1),
    "class with a slot whose name is new": (
        lambda count: [Slotted(f"C{i}", (), {"__customslots__": {f"scale.{i}": i}}) for i in range(count)], 1),
    "plain class with a registered slot": (registered, 1),
    "class below one whose `__bases__` are assigned": (assigned, 1),
    "module with an interface and a class that provides it": (modules, 100),
    "interface of one class that has so many": (interfaces, 100),
}


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def measure(run, count):
    gc.collect()
    gc.disable()                    # else each is looked at again and again
    before, began = resident(), time.process_time()
    if callable(kept := run(count)):
        before, began = resident(), time.process_time()
        kept = kept()
    seconds = time.process_time() - began
    print(f"{1e6 * seconds / count:.1f} µs, {(resident() - before) / count:,.0f} B")


def main(arguments):
    if arguments[:1] == ["--one"]:
        return measure(SUBJECTS[arguments[1]][0], int(arguments[2]))
    counts = [int(argument) for argument in arguments] or COUNTS
    print("| one | of " + " | of ".join(f"{count:,}" for count in counts) + " |")
    for name, (_, classes) in SUBJECTS.items():
        cells = [subprocess.check_output([sys.executable, __file__, "--one", name, str(count // classes)], text=True)
                 .strip() for count in counts]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
