# SPDX-License-Identifier: MIT
"""Modules with typed functions that were built with headers of other ages (typed_texts.py)."""
import functools
import hashlib

import support
from cython_customslots.tools import building
from deriving import HERE
from typed_texts import THIS_TEXT, all_ages


def include_directory(age):
    """A directory that holds the headers of an age and nothing else."""
    text = all_ages()[age].text
    key = hashlib.sha256((THIS_TEXT + text).encode()).hexdigest()[:16]
    directory = support.CACHE / "ages" / f"typed_{key}"
    support.write_source(directory / "typedmethod.h", text)
    support.write_source(directory / "extensibletype.h", THIS_TEXT)
    return directory


@functools.lru_cache(maxsize=None)
def build(age):
    """The file of the module typed_AGE."""
    name = f"typed_{age}"
    typed = support.TESTS / "typed"
    flags = [f"-DAGE_NAME={name}", f"-DPROBE_NAME=probe_{age}", "-std=gnu99", "-Werror",
             "-Wno-unused-function", "-DPyExtensibleType_RUNTIME_INSTALLED",
             *(f"-D{what}" for what in all_ages()[age].defines)]
    module = building.Module(name, [HERE / "typed_age.c"], include_dirs=[
        include_directory(age), typed], cflags=(*support.C_FLAGS, *flags))
    probe = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(typed.glob("typed_*.[ch]"))))
    return support.build(module, support.cache_directory("age", name, module.cflags, probe.hexdigest()), carries=True)


def check(code, *ages, modules=(), **options):
    """Run code in a fresh process that can import typed_AGE for these ages, and meeting."""
    return support.check_child(code, modules=[
        HERE / "typed_meeting.py", *(build(age) for age in ages), *modules], **options)
