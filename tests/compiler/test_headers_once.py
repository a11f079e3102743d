# SPDX-License-Identifier: MIT
"""A module's C has the text of a header once, whatever brought it."""
import re

import pytest
import support
from compiling import compile_all
from cython_customslots.tools import headers
from cython_customslots.tools.headers import RUNTIME_HEADER as RUNTIME

pytestmark = pytest.mark.once

#: What brings the text of a header into a module, and of which.
CIMPORTS = {
    "consumer": ("cimport cython_customslots\n", {"customslots.h"}),
    "names": ("from cython_customslots cimport PyCustomSlots_Find, PyCustomSlot\n", {"customslots.h"}),
    "provider": ("from cython_customslots.provider cimport inherit_fields\n",
                 {"customslots.h", "extensibletype.h", RUNTIME}),
    "typed": ("from cython_customslots.typedmethod cimport PyTypedCallable\n", {"customslots.h", "typedmethod.h"}),
    "arrays": ("from cython_customslots.typedarray cimport PyTypedArray\n", {"customslots.h", "typedarray.h"}),
    "through": ("cimport through\n", {"customslots.h", "extensibletype.h", "typedmethod.h", RUNTIME}),
}
THROUGH = ("cimport cython_customslots.typedmethod\n"
           "from cython_customslots.provider cimport extensibletype\n"
           "cdef class Meta(extensibletype):\n    cdef int level\n")

OWN = {
    "extern": ('cdef extern from "customslots.h" nogil:\n    int PyCustomSlots_ABI_VERSION\n', {"customslots.h"}),
    "extern provider": ('cdef extern from "extensibletype.h":\n    object PyExtensibleType_Import()\n',
                        {"customslots.h", "extensibletype.h", RUNTIME}),
    "extern typed": ('cdef extern from "typedmethod.h":\n    int PyTypedMethod_VOID\n',
                     {"customslots.h", "typedmethod.h"}),
    "class": ("cimport cython_customslots as cs\n@cs.extensible\ncdef class Thing: pass\n",
              {"customslots.h", "extensibletype.h", RUNTIME}),
    "array": ("cimport cython_customslots as cs\n@cs.array(data=self.items, shape=(self.size,))\n"
              "cdef class Array:\n    cdef double *items\n    cdef Py_ssize_t size\n",
              {"customslots.h", "extensibletype.h", "typedarray.h", "typedarray_provide.h", RUNTIME}),
    "function": ("cimport cython_customslots\ncpdef double half(double x): return x / 2\n",
                 {"customslots.h", "typedmethod.h"}),
    "import": ("cimport cython_customslots\nfrom shape cimport Shape\n"
               "def sides(Shape shape): return shape.sides()\n", {"customslots.h"}),
}
SHAPE = ("cimport cython_customslots as cs\n@cs.extensible\ncdef class Shape:\n    cdef int sides(self)\n")


def combinations(parts):
    """Every one alone, and all of them in both orders."""
    names = list(parts)
    return {" and ".join(names): ("".join(parts[name][0] for name in names),
                                  set().union(*(parts[name][1] for name in names)))
            for names in (*((one,) for one in names), names, names[::-1])}


def compiled(cases, **options):
    files = {"through.pxd": THROUGH, "shape.pxd": SHAPE}
    return compile_all({what: {"mod.pyx": text, **files} for what, (text, _) in cases.items()}, **options)


def count(c):
    """{header: how often its text stands in C code}"""
    found = {name: len(re.findall(rf"^#define {guard}$", c, re.MULTILINE)) for name, guard in (
        ("customslots.h", "Py_CUSTOMSLOTS_H"), ("extensibletype.h", "Py_EXTENSIBLETYPE_H"),
        ("typedarray.h", "Py_TYPEDARRAY_H"), ("typedarray_provide.h", "Py_TYPEDARRAY_PROVIDE_H"),
        ("typedmethod.h", "Py_TYPEDMETHOD_H"), (RUNTIME, "Py_CUSTOMSLOTS_RUNTIME_H"))}
    return {name: n for name, n in found.items() if n}


@pytest.mark.parametrize("layer", [False, True], ids=["plain Cython", "layer"])
def test_cimports_bring_each_text_once(layer):
    check_each_once(combinations(CIMPORTS), layer=layer)


@pytest.mark.parametrize("switches", support.thoroughly(
    [{}, {"extend_all": True}, {"typed": True}], plain=0, thorough=1), ids=str)
def test_what_the_layer_adds_is_not_there_twice(switches):
    check_each_once({**combinations(OWN), **combinations({**CIMPORTS, **OWN})}, **switches)


def check_each_once(cases, **switches):
    for what, result in compiled(cases, **switches).items():
        assert result.errors == [], (what, result.messages)
        assert count(result.c) == dict.fromkeys(cases[what][1], 1), what
        assert not re.search(r'#\s*include\s+"\w*(slots|extensible|typed)', result.c), what


@pytest.mark.thorough
def test_a_generated_header_has_each_text_once(tmp_path):
    """With capi_reexport_cincludes, C code that includes it gets what the module includes."""
    (tmp_path / "mod.pyx").write_text(OWN["extern typed"][0] + OWN["class"][0] + "cdef public int one(): return 1\n")
    support.check_child("""
        import os
        os.chdir(sys.argv[1])
        from cython_customslots.compiler import install
        install(warn=False)
        from Cython.Compiler.Main import CompilationOptions, compile_single, default_options
        options = CompilationOptions(default_options, language_level=3, capi_reexport_cincludes=True)
        assert compile_single("mod.pyx", options, "mod").num_errors == 0
        """, tmp_path)
    for suffix, implementation in {"c": 1, "h": 0}.items():      # C code beside it only finds
        text = (tmp_path / f"mod.{suffix}").read_text(encoding="utf-8")
        found = count(text)
        assert found.pop("customslots.h") == 1, suffix
        assert found.pop(RUNTIME, 0) == implementation and set(found.values()) == {1}, suffix
        assert text.count("#define PyExtensibleType_RUNTIME_ELSEWHERE") == 1 - implementation


def test_the_text_is_the_code_of_the_file_without_comments():
    for text, expected in {
            "/* a\n b */\nint x;  /* c */\n\n\n// d\nint y;\n": "int x;\n\nint y;\n",
            'char *s = "/* a */ // b";  // c\nchar q = \'"\'; /* " */\n':
                'char *s = "/* a */ // b";\nchar q = \'"\';\n',
            "#define A(x) /* one */ \\\n    x /* two\n three */\nint/**/z;\n": "#define A(x)   \\\n    x\nint z;\n",
            "#define B \\\n\nint z;\n": "#define B \\\n\nint z;\n"}.items():
        assert headers.without_comments(text) == expected
    for name in headers.PUBLIC_HEADERS:
        text = headers.header_text(name)
        assert set(re.findall(r"/\*.*?\*/|//.*", text, re.DOTALL)) <= {
            f"/* [cython-customslots: {kind} {header}] */"
            for kind in ("begin", "end") for header in headers.PUBLIC_HEADERS} | {
            f"/* SPDX-License-Identifier: {licence}; the comments are in the file. */"
            for licence in ("MIT", "Apache-2.0")}
        assert "\n\n\n" not in text and text.count("#if") == text.count("#endif")
