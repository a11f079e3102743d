# SPDX-License-Identifier: MIT
"""Which implementation of extensible types serves this interpreter, and which others it met.

Several modules of a process may carry implementations of different age, and the newest one serves
all. If that one is broken, CUSTOMSLOTS_RUNTIME in the environment chooses another: ``first`` (none
takes over), or the full name of the module that carries it.
"""
from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

PIN = "CUSTOMSLOTS_RUNTIME"


@dataclass(frozen=True)
class Implementation:
    """One that a module carries."""

    module: str                     #: its full name; "" if it was compiled without saying
    version: str                    #: the higher one serves
    state: int                      #: the state version that it creates and can serve
    functions: int                  #: how many it offers to other modules
    file: str | None                #: where it is; None: the system does not say

    def __str__(self) -> str:
        return f"{self.version} of {self.module or os.path.basename(self.file or '?')}"


@dataclass(frozen=True)
class Meeting:
    """An implementation met the one that served then (None: it was the first)."""

    implementation: Implementation
    found: Implementation | None
    verdict: str                    #: "created", "took over", "older", "state" or "pinned"


@dataclass(frozen=True)
class RuntimeInfo:
    """What runtime_info() returns; str() puts it into words."""

    serving: Implementation
    meetings: tuple[Meeting, ...]   #: the first one first
    rendezvous: int
    table_abi: int
    state: int
    pinned: str | None              #: what CUSTOMSLOTS_RUNTIME says now

    def __str__(self) -> str:
        lines = [f"serving: {self.serving}",
                 f"         rendezvous {self.rendezvous}, table ABI {self.table_abi}, "
                 f"state {self.state}"]
        for meeting in self.meetings:
            lines += [f"{meeting.implementation}", f"    {self._say(meeting)}",
                      f"    {meeting.implementation.file or 'in a file that the system does not tell'}"]
        if self.pinned:
            lines.append(f"{PIN}={self.pinned} pins the one that serves")
        return "\n".join(lines)

    def _say(self, meeting: Meeting) -> str:
        return {
            "created": "was the first, and made what all share",
            "took over": f"took over from {meeting.found}",
            "older": f"is not newer than {meeting.found}, which served on",
            "state": f"could not take over from {meeting.found}: it serves state {meeting.implementation.state}, "
                     f"and found state {self.state}",
            "pinned": f"did not take over from {meeting.found}: {PIN} names another one",
        }.get(meeting.verdict, meeting.verdict)


def runtime_info() -> RuntimeInfo:
    """Return which implementation of extensible types serves this interpreter, and which others it
    met.

    The call changes nothing, except that the installed implementation is imported if there is none
    yet. ImportError if something else is in the place where implementations meet.
    """
    from .provider import _runtime

    rendezvous, table_abi, state, serving, met = _runtime()
    return RuntimeInfo(
        Implementation(*serving),
        tuple(Meeting(Implementation(*implementation), found and Implementation(*found), verdict)
              for implementation, found, verdict in met),
        rendezvous, table_abi, state, os.environ.get(PIN) or None)


_HELP = """\
usage: python -m cython_customslots runtime [MODULE ...]

Import the modules, in this order, and print which implementation of extensible types serves then: versions,
who carries an implementation in which file, who took over from whom, who could not and why.
"""


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in ("-h", "--help"):
        print(_HELP, end="")
        return 0
    from .inspecting.targets import TargetError, import_named

    sys.path.insert(0, "")
    for name in arguments:
        try:
            import_named(name)
        except TargetError as error:
            print(f"cython_customslots runtime: {error}; expected the full name of a module", file=sys.stderr)
            return 1
    try:
        print(runtime_info())
    except ImportError as error:
        print(f"cython_customslots runtime: {error}", file=sys.stderr)
        return 1
    return 0
