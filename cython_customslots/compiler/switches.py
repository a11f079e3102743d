# SPDX-License-Identifier: MIT
"""The comments at the top of a module, which turn switches on and off for it alone.

    # customslots: extend_all=True, typed=False

They stand where Cython's own do: before the first line that is neither empty nor a
comment.  What they do not mention is as the command line, or ``install()``, says.
"""

import re

from Cython.Compiler import ModuleNode
from Cython.Compiler.Errors import error

from .patching import wrap

NAMES = ("extend_all", "typed")

_COMMENT = re.compile(r"[ \t]*#[ \t]*customslots[ \t]*:[ \t]*(.*)")
_SETTING = re.compile(r"[^,\s][^,]*")


def install_switches():
    wrap(ModuleNode.ModuleNode, "analyse_declarations")(_analyse_module)


def _analyse_module(original, self, env):
    if not self.is_pxd:
        env.customslots_switches = read_comments(self.pos[0])
    original(self, env)


def said(module, name):
    """What the comments of a module scope say about a switch: True, False or None."""
    return getattr(module, "customslots_switches", {}).get(name)


def extends_all(module):
    """Shall all cdef classes of a module scope become extensible?"""
    from . import extend_all
    own = said(module, "extend_all")
    return extend_all if own is None else own


def types_all(module):
    """Shall all cpdef functions of a module scope have records?  None: nobody says so."""
    from . import typed_everywhere
    own = said(module, "typed")
    return own if own is not None else typed_everywhere or extends_all(module) or None


def read_comments(source):
    """Return {name: True or False} of what the comments at the top of a module say."""
    settings = {}
    try:
        lines = source.get_lines()
    except OSError:                              # from a string, or removed meanwhile
        return settings
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            break
        match = _COMMENT.match(line)
        for setting in _SETTING.finditer(line, match.start(1)) if match else ():
            pos = (source, number, setting.start())
            key, _, value = (part.strip() for part in setting.group().partition("="))
            if key not in NAMES:
                error(pos, f"there is no customslots setting '{key}'; there are "
                           f"{' and '.join(NAMES)}")
            elif value not in ("True", "False"):
                found = f"'{value}'" if value else "nothing"
                error(pos, f"the customslots setting '{key}' is True or False, found {found}")
            else:
                settings[key] = value == "True"
    return settings
