# SPDX-License-Identifier: MIT
"""Sphinx extension: what Doxygen reads in the headers, for Breathe to show.

    <!-- contract: customslots.h -->

is replaced by what the comment at the top of a header says of all that is in it.
"""
import re
import shutil
import subprocess
from pathlib import Path

from sphinx.errors import SphinxError

HERE = re.compile(r"^<!-- contract: (\S+) -->$", re.MULTILINE)
INCLUDE = Path(__file__).resolve().parents[2] / "cython_customslots" / "include"

#: Doxygen sees what gcc sees on CPython, and our attributes as what they mean.
PREDEFINED = ["__GNUC__=12", "UINTPTR_MAX=0xFFFFFFFFFFFFFFFF", "LDBL_MANT_DIG=64", "DBL_MANT_DIG=53",
              "PY_VERSION_HEX=0x030E0000", "_Pycs_SUPPORTED=1",
              "_Pycs_FAST=static inline", "_Pycs_UNUSED=",
              "_Pycs_SLOW=static", "_Pycs_HOT=static",
              "_Pycs_NOINLINE=", "__extension__=", "_Pycs_HIDDEN="]


class HeadersError(SphinxError):
    category = "Headers"


def options(output):
    """Doxygen's configuration."""
    predefined = " ".join(f'"{definition}"' for definition in PREDEFINED)
    return f"""
        INPUT = "{INCLUDE}"
        OUTPUT_DIRECTORY = "{output}"
        RECURSIVE = YES
        FILE_PATTERNS = *.h *.hpp
        EXTENSION_MAPPING = h=C hpp=C++
        INCLUDE_PATH = "{INCLUDE}"
        STRIP_FROM_PATH = "{INCLUDE}"
        GENERATE_HTML = NO
        GENERATE_LATEX = NO
        GENERATE_XML = YES
        XML_PROGRAMLISTING = NO
        EXTRACT_STATIC = YES
        EXTRACT_ALL = YES
        OPTIMIZE_OUTPUT_FOR_C = YES
        MACRO_EXPANSION = YES
        EXPAND_ONLY_PREDEF = YES
        PREDEFINED = {predefined}
        QUIET = YES
        WARN_AS_ERROR = FAIL_ON_WARNINGS
        """


def run_doxygen(output):
    """Writes the XML below the directory *output*, and returns where."""
    doxygen = shutil.which("doxygen")
    if doxygen is None:
        raise HeadersError("found no doxygen on PATH, which reads the headers for the reference; "
                             "expected 1.9.4 or later: apt install doxygen, or brew install doxygen")
    output.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([doxygen, "-"], input=options(output), text=True, capture_output=True)
    if done.returncode != 0 or done.stderr.strip():
        raise HeadersError(f"doxygen says of the headers' comments:\n{done.stdout}{done.stderr}")
    return output / "xml"


def documented(xml):
    """The names of C that Doxygen knows."""
    index = xml.joinpath("index.xml").read_text(encoding="utf-8")
    return frozenset(re.findall(r"<name>(Py\w+)</name>", index))


def contract(header):
    """The list below CONTRACT OF EVERYTHING BELOW, as Markdown."""
    text = (INCLUDE / header).read_text(encoding="ascii")
    return "\n".join(line.removeprefix(" *").removeprefix("   ") for line in re.search(
        r" \* CONTRACT OF EVERYTHING BELOW[^\n]*\n(.*?) \*/", text, re.DOTALL)[1].splitlines())


def configure(app, config):
    xml = run_doxygen(Path(app.doctreedir) / "doxygen")
    config.breathe_projects = {"headers": str(xml)}
    config.documented_in_c = documented(xml)


def put_in(app, docname, source):
    def replace(match):
        app.env.note_dependency(str(INCLUDE / match[1]))
        return contract(match[1])
    source[0] = HERE.sub(replace, source[0])


def setup(app):
    app.connect("config-inited", configure)
    app.connect("source-read", put_in)
    return {"parallel_read_safe": True}
