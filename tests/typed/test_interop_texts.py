# SPDX-License-Identifier: MIT
"""Signatures in C's words."""
import ctypes

import pytest
from cython_customslots import typed
from cython_customslots.typed import ctext
from hypothesis import given
from hypothesis import strategies as st

pytestmark = [pytest.mark.interop, pytest.mark.on_pypy]

LONG = f"i{ctypes.sizeof(ctypes.c_long)}"
SIZE = ctypes.sizeof(ctypes.c_size_t)


@pytest.mark.parametrize("text, expected", [
    ("f8(f8, i4)", "f8(f8, i4)"),
    ("  f8 ( f8 ,i4 ) ", "f8(f8, i4)"),
    ("dd->d", "f8(f8, f8)"),
    ("double (double)", "f8(f8)"),
    ("double sin(double x)", "f8(f8)"),
    ("double (*)(double)", "f8(f8)"),
    ("double(*f)(double)", "f8(f8)"),
    ("void (void)", "void()"),
    ("void ()", "void()"),
    ("_Bool (bool)", "bool(bool)"),
    ("float (float _Complex, complex double)", "f4(c8, c16)"),
    ("int (unsigned, unsigned int, int unsigned)", "i4(u4, u4, u4)"),
    ("long (unsigned long, long int)", f"{LONG}(u{LONG[1:]}, {LONG})"),
    ("long long int (unsigned long long, signed)", "i8(u8, i4)"),
    ("signed char (unsigned char)", "i1(u1)"),
    ("int8_t (uint16_t, int32_t, uint64_t)", "i1(u2, i4, u8)"),
    ("size_t (Py_ssize_t, intptr_t, npy_intp)", f"u{SIZE}(i{SIZE}, i{SIZE}, i{SIZE})"),
    ("const char *(const char * const, int **, void *)", "pointer(pointer, pointer, pointer)"),
    ("int (double [], double x[3], char *argv[])", "i4(pointer, pointer, pointer)"),
    ("void (int (*)(int, double), struct thing *)", "void(pointer, pointer)"),
    ("PyObject *(PyObject *, PyObject **)", "object(object, pointer)"),
])
def test_a_c_prototype_is_read_as_the_types_that_it_means(text, expected):
    assert typed.canonical(text) == expected


@pytest.mark.parametrize("text, found", [
    ("", "found the end at column 0"),
    ("double", "found the end at column 6, expected '('"),
    ("double (", "found the end at column 8, expected a C type"),
    ("double (double,)", "found ')' at column 15, expected a C type"),
    ("double (double) x", "found 'x' at column 16, expected the end"),
    ("double (double, void)", "found 'void' at column 16"),
    ("double (thing)", "found 'thing', whose width its name does not tell"),
    ("double (struct thing)", "found 'struct thing', which is no builtin C type"),
    ("struct (int)", "expected the name of a struct"),
    ("int (const char *, ...)", "found '...' at column 19"),
    ("int (double &)", "references are C++"),
    ("long float (int)", "found 'long float', which is no C type"),
    ("double (PyObject)", "found PyObject by value"),
    ("double (double [x])", "found 'x' at column 16, expected ']'"),
    ("double (double $)", "found '$' at column 15"),
    ("void (int (*)(int)", "found the end"),
    ("f8(f9)", "found 'f9'"),
])
def test_what_is_no_prototype_is_refused_with_the_place(text, found):
    with pytest.raises(ValueError) as caught:
        typed.canonical(text)
    assert found in str(caught.value)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("junk", [None, 3, b"f8(f8)", ["f8"], object()])
def test_a_signature_that_is_no_text_is_a_type_error(junk):
    with pytest.raises(TypeError, match="expected a str such as"):
        typed.canonical(junk)


def test_a_text_with_nul_is_refused():
    with pytest.raises(ValueError, match="NUL"):
        typed.canonical("f8(f8)\0")


@given(st.text(alphabet="f8dij(),*->&[]. voidintdoubleconstPyObject_", max_size=40))
def test_any_text_is_read_or_refused_with_words(text):
    try:
        read = typed.canonical(text)
    except ValueError as error:
        assert "found" in str(error)
    else:
        assert typed.canonical(read) == read


NAMES = ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16",
         "pointer", "object"]


@given(st.sampled_from([*NAMES, "void"]), st.lists(st.sampled_from(NAMES), max_size=14))
def test_c_words_for_a_signature_are_read_as_that_signature(result, arguments):
    text = ctext.render([result, *arguments])
    assert typed.canonical(ctext.spell(text)) == text
    assert ctext.split(text) == [result, *arguments]


@given(st.text(alphabet="struct enum thing__pyx_t_double_complex (int*&, .)", max_size=60),
       st.sampled_from([*NAMES, "void"]), st.lists(st.sampled_from(NAMES), max_size=4))
def test_any_text_contradicts_a_signature_or_does_not(text, result, arguments):
    signature = ctext.render([result, *arguments])
    try:
        found = ctext.prototype(text)
    except ValueError as error:
        assert "found" in str(error)
    else:
        words = found.contradicts(signature)
        assert not words or words.startswith("found") and signature in words


@given(st.sampled_from([*NAMES, "void"]), st.lists(st.sampled_from(NAMES), max_size=6))
def test_a_prototype_contradicts_no_signature_that_is_its_own(result, arguments):
    text = ctext.render([result, *arguments])
    assert ctext.prototype(ctext.spell(text)).contradicts(text) == ""
