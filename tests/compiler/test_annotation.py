# SPDX-License-Identifier: MIT
"""``cython -a`` shows the C that this layer adds, at the lines that it comes from."""
import re
from html import unescape

import pytest
from compiling import command, plain_c

pytestmark = pytest.mark.once

MODULE = """\
cimport cython_customslots as cs
from cython_customslots.provider cimport extensibletype

cdef class Meta(extensibletype):
    cdef public long number
    cdef object label

@cs.slot(0x55, flags=1)
@cs.metaclass(Meta, number=3, label=[x for x in (1, 2)])
cdef class Both:
    cdef int method(self):
        return 1

cdef class Plain:
    pass

cpdef double half(double x):
    return x / 2

def python(x):
    return x + 1
"""

PXD = """\
cimport cython_customslots as cs
@cs.extensible
cdef class Declared:
    cdef int x
"""


def annotated(directory, *arguments, files):
    """Compile with and without -a, which gives the same C: {line: title} and {line: C} of the HTML."""
    for name, text in files.items():
        (directory / name).write_text(text)
    results = []
    for more in ([], ["-a"]):
        done = command("-3", "mod.pyx", *arguments, *more, cwd=directory)
        assert done.returncode == 0, done.stderr
        results.append(plain_c((directory / "mod.c").read_text()))
    assert results[0] == results[1]
    titles, code = {}, {}
    for piece in (directory / "mod.html").read_text().split('<pre class="cython line ')[1:]:
        source, _, c = piece.partition("<pre class='cython code ")
        number = int(re.search(r'<span class="">(\d+)</span>', source)[1])
        if title := re.search(r"customslots' title='(.*?)'", source):
            titles[number] = title[1]
        code[number] = unescape(re.sub("<.*?>", "", c.partition(">")[2]))
    return titles, code


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    return annotated(tmp_path_factory.mktemp("annotated"), files={"mod.pyx": MODULE})


def line_of(text):
    return MODULE[:MODULE.index(text)].count("\n") + 1


def test_lines_say_which_kinds_of_code_were_added(lines):
    ours = "cython-customslots: "
    assert lines[0] == {
        line_of("cdef class Meta"): ours + "metaclass, its fields",
        line_of("@cs.slot"): ours + "extensible class, C fields, slots, vtable slot",
        line_of("cpdef double half"): ours + "typed record"}


def test_the_code_of_a_class_stands_at_its_line(lines):
    code = lines[1][line_of("@cs.slot")]
    for piece in ("__Pyx_CustomSlots_NewStatic(&", "__Pyx_CustomSlots_Publish(", "__Pyx_CustomSlots_DescribeVtable("):
        assert piece in code
    # Behind the comprehension, whose own C stands at the line of the comprehension.
    assert "PyExtensibleType_SetField(" in lines[1][line_of("@cs.metaclass")]
    for piece in ("__Pyx_CustomSlots_NewStatic(&", ")->number = 3;"):
        assert sum(code.count(piece) for code in lines[1].values()) == code.count(piece) == 1
    code = lines[1][line_of("cdef class Meta")]
    assert "__Pyx_CustomSlots_ReadyMetaclass(" in code and "PyExtensibleType_Field" in code


def test_the_code_of_a_record_stands_at_its_function(lines):
    code = lines[1][line_of("cpdef double half")]
    assert re.search(r"static double __pyx_typed\w*half\(", code)
    assert re.search(r"static const PyTypedMethodRecord \w+", code)


def test_a_class_of_the_pxd_is_annotated_where_it_is_defined(tmp_path):
    titles, _ = annotated(tmp_path, files={
        "mod.pxd": PXD, "mod.pyx": "number = 1\n\ncdef class Declared:\n    pass\n"})
    assert titles == {3: "cython-customslots: extensible class"}


def test_extend_all_is_annotated_and_plain_modules_are_not(tmp_path):
    files = {"mod.pyx": "cdef class A:\n    cpdef int f(self): return 1\n"}
    assert annotated(tmp_path, "--extend-all", files=files)[0] == {
        1: "cython-customslots: extensible class, vtable slot",
        2: "cython-customslots: typed record"}
    assert annotated(tmp_path, files=files)[0] == {}
    assert "customslots" not in (tmp_path / "mod.html").read_text().partition("</style>")[2]
