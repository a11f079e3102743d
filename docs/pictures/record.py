# SPDX-License-Identifier: MIT
"""Records where everything is in the type objects of plugins.pyx and of two Python classes.

    python docs/pictures/record.py          # with Cython, setuptools and this package installed

writes classes.json, from which draw.py draws.  What no function tells is read where it lies.
"""
import ctypes
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "classes.json"

BUILD = """
from cython_customslots import cythonize
from setuptools import Extension, setup
setup(name="plugins", script_args=["-q", "build_ext", "--inplace"],
      ext_modules=cythonize([Extension("plugins", ["plugins.pyx"])], quiet=True))
"""


def classes(plugin):
    """The classes of the pictures, each with the line that makes it."""
    class Urgent(plugin, priority=10):
        pass

    class Lazy(Urgent):
        tags = ["background"]

    return [(plugin, 'cdef class Plugin, with priority=5, tags=["slow"]'),
            (Urgent, "class Urgent(Plugin, priority=10)"), (Lazy, 'class Lazy(Urgent): tags = ["background"]')]


def facts(cls, made, names):
    """What is recorded of a class; *names* of slots by their IDs."""
    import cython_customslots
    layout = cython_customslots.layout(cls)
    (_, start, size), = layout["owner_fields"]
    word = layout["word_size"]
    memory = ctypes.string_at(id(cls), layout["basicsize"])

    def at(what, value, size):
        found = [place for place in range(start, layout["basicsize"] - size + 1, size)
                 if int.from_bytes(memory[place:place + size], sys.byteorder) == value]
        if len(found) != 1:
            raise SystemExit(f"record.py: found {what} at {len(found)} places of {cls.__name__}, expected 1")
        return found[0]

    places = {"priority": at("priority", cls.priority, ctypes.sizeof(ctypes.c_int)),
              "tags": at("tags", id(cls.tags), word)}
    own = cls.__customslots_fields__
    table = layout["heaptype_size"] + word
    return {
        "name": cls.__name__, "made": made, "metaclass": layout["metaclass"].rpartition(".")[2],
        "heaptype_size": layout["heaptype_size"], "word_size": word, "size": layout["basicsize"],
        "table_address": int.from_bytes(memory[table:table + word], sys.byteorder),
        "slots": [{"position": position, "name": names.get(ident, hex(ident))}
                  for position, ident, _ in cython_customslots.table(cls)],
        "fields": [{"name": name, "offset": offset, "value": repr(getattr(cls, name)).replace("'", '"'),
                    "own": name in own} for name, offset in places.items()],
    }


def recorded(plugin):
    """The facts of all of them; *plugin* is the class of plugins.pyx."""
    from cython_customslots.provider import intern
    names = {intern("plugins.score"): "plugins.score"}
    found = [facts(cls, made, names) for cls, made in classes(plugin)]
    # Addresses are another run's; which are equal is what counts.
    addresses = [cls.pop("table_address") for cls in found]
    for cls, address in zip(found, addresses):
        cls["table_of"] = found[addresses.index(address)]["name"]
    return {"python": f"CPython {platform.python_version()}, {platform.machine()}", "classes": found}


def main():
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "plugins.pyx").write_text((HERE / "plugins.pyx").read_text())
        subprocess.run([sys.executable, "-c", BUILD], cwd=directory, check=True)
        sys.path.insert(0, os.fspath(directory))
        import plugins
        RECORDED.write_text(json.dumps(recorded(plugins.Plugin), indent=1) + "\n")


if __name__ == "__main__":
    main()
