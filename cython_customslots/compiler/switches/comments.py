# SPDX-License-Identifier: MIT
"""The comments at the top of a module, which set switches for it alone: see commands/cli.py.

They stand where Cython's own do: before the first line that is neither empty nor a
comment.  The command line, or ``install()``, says what they do not mention.
"""

import re

from Cython.Compiler.Errors import error

from . import in_force, metaclasses, runtime
from ..shared.facts import ModuleFacts

NAMES = ("extend_all", "typed", "borrow_views", "metaclass", "runtime")
OF_CLASS = ".metaclass"

_COMMENT = re.compile(r"[ \t]*#[ \t]*customslots[ \t]*:[ \t]*(.*)")
_SETTING = re.compile(r"[^,\s][^,]*")


def said(module, name):
    """What the comments of a module scope say about a switch; None: nothing."""
    return ModuleFacts.known(module).switches.get(name, (None, None))[0]


def of_classes(module):
    """Return {class: position} of what the comments of a module scope say of single classes."""
    return {key.removesuffix(OF_CLASS): pos
            for key, (_, pos) in ModuleFacts.known(module).switches.items()
            if key.endswith(OF_CLASS)}


def extends_all(module):
    """Shall all cdef classes of a module scope become extensible?"""
    own = said(module, "extend_all")
    if own is not None:
        return own
    return bool(said(module, "metaclass")) or in_force.extend_all or any(
        name in (metaclasses.ALL, module.qualified_name) for name in in_force.metaclasses)


def types_all(module):
    """Shall all cpdef functions of a module scope have records?  None: neither switch nor comment says so."""
    own = said(module, "typed")
    return own if own is not None else in_force.typed or extends_all(module) or None


def borrows_views(module):
    """Do the typed memoryview arguments of a module scope borrow, where they can?"""
    own = said(module, "borrow_views")
    return own if own is not None else in_force.borrow_views


def runtime_of(module):
    """The implementation of a module scope: runtime.EMBEDDED, LINKED, INSTALLED, or a module's name."""
    who = said(module, "runtime") or in_force.runtime
    return runtime.EMBEDDED if _is_named(module, who) else who


def carries_runtime(module):
    """Does a module scope carry the implementation, whatever else is in it?"""
    own = said(module, "runtime")
    return own == runtime.EMBEDDED or _is_named(module, own or in_force.runtime)


def _is_named(module, who):
    """A module that is called `installed` cannot be named, because modules without a package cannot."""
    return who not in runtime.WORDS and who == module.qualified_name


def read_comments(source):
    """Return {setting: (value, position)} of what the comments at the top of a module say."""
    settings = {}
    try:
        lines = source.get_lines()
    except OSError:                              # the source is a string, or the file was removed
        return settings
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            break
        match = _COMMENT.match(line)
        for setting in _SETTING.finditer(line, match.start(1)) if match else ():
            pos = (source, number, setting.start())
            key, _, value = (part.strip() for part in setting.group().partition("="))
            found = f"'{value}'" if value else "nothing"
            if key == "metaclass" or key.endswith(OF_CLASS) and key.removesuffix(OF_CLASS).isidentifier():
                if metaclasses.located(value) is None:
                    error(pos, f"the customslots setting '{key}' is the full name of a metaclass, "
                               f"such as abc.ABCMeta, found {found}")
                    continue
            elif key not in NAMES:
                error(pos, f"there is no customslots setting '{key}'; there are "
                           f"{', '.join(NAMES)} and CLASS{OF_CLASS}")
                continue
            elif key == "runtime":
                if not runtime.is_valid(value):
                    error(pos, f"the customslots setting 'runtime' is {runtime.EXPECTED}, found {found}")
                    continue
            elif value not in ("True", "False"):
                error(pos, f"the customslots setting '{key}' is True or False, found {found}")
                continue
            else:
                value = value == "True"
            settings[key] = value, pos
    if settings.get("extend_all", (None,))[0] is False and "metaclass" in settings:
        error(settings.pop("metaclass")[1],
              "the customslots setting 'metaclass' is for the classes that are extended, and "
              "extend_all=False leaves them as they are; remove one of the two")
    return settings
