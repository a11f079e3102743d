# SPDX-License-Identifier: MIT
"""Modules with typed functions that were built with headers of other ages (typed_texts.py)."""
import functools
import hashlib
import re

import support
from cython_customslots.tools import building
from deriving import changed
from typed_texts import HERE, RECORD_EVERYWHERE, THIS_TEXT, all_ages

__all__ = ["all_ages", "build", "build_package", "build_table", "check", "include_directory"]


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


#: A function more in the table for other languages.
MORE = {
    "typed.h": [("    PyObject *(*why_not)(PyObject *callable, const char *signature);\n",
                 "    PyObject *(*why_not)(PyObject *callable, const char *signature);\n"
                 "    int (*answer)(void);\n")],
    "typed.c": [("_Pycs_PRIVATE PyObject *\n_Pycs_NewCapsule(",
                 "static int\nanswer(void)\n{\n    return 42;\n}\n\n"
                 "_Pycs_PRIVATE PyObject *\n_Pycs_NewCapsule("),
                ("        1, 4, find, register_functions, signatures, why_not};",
                 "        1, 5, find, register_functions, signatures, why_not, answer};")],
    "runtime.h": [("#include \"_extensibletype/api.h\"\n",
                   "#define _Pycs_HEADERS _Pycs_RELEASE\n")],
}


@functools.lru_cache(maxsize=None)
def build_table(age):
    """The file of the module later_runtime: that table with a function more, with typedmethod.h of
    this age."""
    here, files = include_directory(age), support.ROOT / "cython_customslots" / "runtime"
    texts = {name: changed((files / name).read_text(encoding="ascii"), *changes) for name, changes in MORE.items()}
    key = hashlib.sha256(repr(texts).encode()).hexdigest()[:16]
    more = support.CACHE / "ages" / f"table_{key}"
    for name, text in texts.items():
        support.write_source(more / "runtime" / name, text)
    support.write_source(more / "customslots.h", '#include "typedmethod.h"\n')
    module = building.Module("later_runtime", [HERE / "typed_table.c"], include_dirs=[more, here],
                             cflags=(*support.C_FLAGS, "-std=gnu99", "-Wno-unused-function"))
    return support.build(module, support.cache_directory("table", age, key, module.cflags), carries=True)


@functools.lru_cache(maxsize=None)
def build_package(age):
    """The C module of cython_customslots.typed, built with the headers of this age."""
    files = support.ROOT / "cython_customslots" / "typed"
    texts = {path.name: path.read_text(encoding="ascii") for path in files.glob("_*.[ch]")}
    if age == "record":
        old, new, _ = RECORD_EVERYWHERE[0]
        texts["_reasons.h"], times = re.subn(old, new, texts["_reasons.h"])
        assert times == 2
    sources = support.CACHE / "ages" / f"package_{hashlib.sha256(repr(texts).encode()).hexdigest()[:16]}"
    for name, text in texts.items():
        support.write_source(sources / name, text)
    module = building.Module("_typed", [sources / "_typed.c"], include_dirs=[include_directory(age)], cflags=(
        *support.C_FLAGS, "-DPyExtensibleType_RUNTIME_INSTALLED"))
    return support.build(module, support.cache_directory("package", age, module.cflags), carries=True)


def check(code, *ages, modules=(), **options):
    """Run code in a fresh process that can import typed_AGE for these ages, and meeting."""
    return support.check_child(code, modules=[
        HERE / "typed_meeting.py", *(build(age) for age in ages), *modules], **options)
