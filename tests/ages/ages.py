# SPDX-License-Identifier: MIT
"""Modules that were built with headers of other ages (texts.py); processes in which they meet."""
import functools
import hashlib

import support
from cython_customslots.tools import building
from deriving import HERE
from texts import THIS, all_ages

__all__ = ["HERE", "THIS", "all_ages"]

CREATED, TOOK, OLDER, STATE, PINNED = range(5)      # _Pycs_MET_*


def include_directory(age):
    """A directory that holds the headers of an age and nothing else."""
    return headers_directory(all_ages()[age].text)


def headers_directory(text, more=None):
    """The same for a text with all of them, and *more* files {name: text}."""
    key = text + "".join(map("".join, (more or {}).items()))
    directory = support.CACHE / "ages" / hashlib.sha256(key.encode()).hexdigest()[:16]
    for name, other in {"extensibletype.h": text, **(more or {})}.items():
        support.write_source(directory / name, other)
    # The reader's part of it: what is defined behind it is for the rest.
    begin, end = (f"/* [cython-customslots: {word} customslots.h] */\n" for word in ("begin", "end"))
    support.write_source(directory / "customslots.h", text.partition(begin)[2].partition(end)[0])
    return directory


@functools.lru_cache(maxsize=None)
def build(age, name=None, *, runtime=None, more=(), embedded_as=None):
    """The file of a module of this age.

    name      its name; None: age_AGE
    runtime   None: it carries the implementation; else the module that it imports for it
    more      more arguments for the compiler
    """
    name = name or f"age_{age}"
    flags = [f"-DPROBE_NAME={name.rpartition('.')[2]}", "-std=c99",
             "-Werror", "-Wno-unused-function",
             *(f"-D{what}" for what in all_ages()[age].defines)]
    if runtime is None:
        flags.append(f'-DPyExtensibleType_MODULE_NAME="{embedded_as or name}"')
    elif runtime == "_customslots_runtime":
        flags.append("-DPyExtensibleType_RUNTIME_INSTALLED")
    else:
        flags.append(f'-DPyExtensibleType_RUNTIME_MODULE="{runtime}"')
    core = support.TESTS / "core"
    probe = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(core.glob("probe*.c"))))
    module = building.Module(name, [HERE / "age.c"], include_dirs=[include_directory(age), core],
                             cflags=(*support.C_FLAGS, *flags, *more))
    return support.build(module, support.cache_directory(
        "age", name, age, module.cflags, probe.hexdigest()), carries=True)


def verdicts(order):
    """What is to be written down when modules of these ages come by one after the other; the one
    that serves in the end."""
    ages = all_ages()
    number = lambda age: tuple(map(int, ages[age].number.split(".")))
    rows, serving, version = [], None, None
    for age in order:
        if serving is None:
            verdict, version = CREATED, ages[age].state
        elif number(age) <= number(serving):
            verdict = OLDER
        elif ages[age].state != version:
            verdict = STATE
        else:
            verdict = TOOK
        rows.append((named(age), named(serving) if serving else None, verdict))
        if verdict in (CREATED, TOOK):
            serving = age
    return rows, serving


def named(age):
    return f"age_{age} {all_ages()[age].number}"


def check(code, *ages, modules=(), **options):
    """Run code in a fresh process that can import age_AGE for these ages, exercise and others."""
    paths = [HERE / "exercise.py", support.TESTS / "hostile" / "changing_classes.py",
             support.TESTS / "core" / "interfaces.py", *(build(age) for age in ages), *modules]
    return support.check_child(code, modules=paths, **options)
