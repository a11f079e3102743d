# SPDX-License-Identifier: MIT
"""An editable install (``pip install -e .``): the package as files, for the tools that look for files.

There, modules are imported from the checkout and from Meson's build directory by an import hook, so
there is no directory that holds what Cython, C compilers and CMake look for: .pxd files with the
headers in them, the generated header, the utility code where it is installed.  ``stage`` copies them
together, beside what Meson has built, whenever the package is imported.
"""
from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any


def stage(package: Any) -> Path:
    """Return a directory with all files of *package*, a Traversable that knows where each of them is.

    Copies files that have changed since, and removes files that are gone.  OSError if the build
    directory cannot be written.
    """
    built = Path(str(package.joinpath("include", "customslots_runtime.h")))
    target = built.parent / "editable" / "cython_customslots"
    wanted: dict[Path, Path] = {}

    def collect(directory: Any, relative: Path) -> None:
        for entry in directory.iterdir():
            if entry.name == "__pycache__":
                continue
            if entry.is_dir():
                collect(entry, relative / entry.name)
            else:
                wanted[relative / Path(str(entry)).name] = Path(str(entry))

    collect(package, Path())
    for relative, source in wanted.items():
        _copy_if_changed(source, target / relative)
    for path in list(target.rglob("*")):
        if path.is_file() and path.relative_to(target) not in wanted and not path.name.startswith(".new-"):
            path.unlink(missing_ok=True)
    return target


def _copy_if_changed(source: Path, target: Path) -> None:
    new = source.stat()
    try:
        old = target.stat()
    except FileNotFoundError:
        target.parent.mkdir(parents=True, exist_ok=True)
    else:
        if (new.st_mtime_ns, new.st_size) == (old.st_mtime_ns, old.st_size):
            return
    # Another process may do the same at this moment, and readers see a file whole.
    handle, name = tempfile.mkstemp(prefix=".new-", dir=target.parent)
    os.close(handle)
    shutil.copy2(source, name)
    os.replace(name, target)
