# SPDX-License-Identifier: MIT
"""Signatures: from text to number and back, and what is said about text that is none."""
import re
import struct

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

NAMES = ("void bool i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 f16 c8 c16 c32 pointer object").split()
LETTERS = dict(zip("?bBhHqQfdFDPOv", "bool i1 u1 i2 u2 i8 u8 f4 f8 c8 c16 pointer object "
                                     "void".split()))
LETTERS.update({letter: f"{kind}{struct.calcsize(letter)}" for letter, kind in zip("iIlLnN", "iuiuiu")})

#: A busy machine is no error.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

arguments = st.lists(st.sampled_from(NAMES[1:]), max_size=127)
spaces = st.text(alphabet=" \t\n", max_size=2)


def canonical(typed, text):
    return typed.format(typed.parse(text))


def written(result, arguments):
    return f"{result}({', '.join(arguments)})"


@pytest.fixture(scope="module")
def names_here(typed):
    """What a name is printed as: f16 and c32 are f8 and c16 where long double is double."""
    return {name: canonical(typed, f"{name}()")[:-2] for name in NAMES}


def test_canonical_text_is_printed_exactly_so(typed):
    for text in "f8(f8, i4)", "void()", "object(object, pointer)", "bool(u1, u2, u4, u8)":
        assert canonical(typed, text) == text


def test_number_is_the_documented_packing(typed):
    assert typed.parse("void()") == 1 | 1 << 1
    assert typed.parse("f8(f8, i4)") == 1 | 12 << 1 | 12 << 6 | 5 << 11
    assert typed.parse("object(" + ", ".join(["object"] * 11) + ")") == \
        1 | sum(18 << (1 + 5 * i) for i in range(12))


@untimed
@given(st.sampled_from(NAMES), arguments)
def test_every_signature_survives_the_round_trip(typed, names_here, result, arguments):
    text = written(result, arguments)
    number = typed.parse(text)
    assert typed.format(number) == written(names_here[result], [names_here[name] for name in arguments])
    assert number % 2 == (len(arguments) <= 11)
    assert typed.parse(typed.format(number)) == number


@untimed
@given(st.sampled_from(NAMES), arguments, st.data())
def test_spaces_between_tokens_do_not_matter(typed, result, arguments, data):
    def gap():
        return data.draw(spaces)
    text = (gap() + result + gap() + "(" + gap()
            + ",".join(gap() + name + gap() for name in arguments) + ")" + gap())
    assert typed.parse(text) == typed.parse(written(result, arguments))


@untimed
@given(st.sampled_from([*LETTERS, ""]), st.lists(st.sampled_from([*LETTERS]), max_size=14))
def test_letters_of_numpy_and_struct_mean_the_same(typed, result, letters):
    letters = [letter for letter in letters if letter != "v"]
    expected = written(LETTERS.get(result, "void"), [LETTERS[letter] for letter in letters])
    assert typed.parse("".join(letters) + "->" + result) == typed.parse(expected)
    assert typed.parse(" ".join(letters) + " -> " + result + " ") == typed.parse(expected)


def test_letters_of_long_double_follow_the_names(typed):
    assert typed.parse("gG->g") == typed.parse("f16(f16, c32)")


def test_macros_compute_what_the_parser_reads(typed):
    compiled = typed.compiled()
    assert len(compiled) > 15
    for text, number in compiled.items():
        if text == "inN->b":                        # or B: char is unsigned somewhere
            assert number in (typed.parse(text), typed.parse("inN->B"))
        else:
            assert number == typed.parse(text), text


def test_more_than_eleven_arguments_are_an_interned_text(typed):
    text = written("f8", ["i4"] * 12)
    number = typed.parse(text)
    assert number % 2 == 0 and number == typed.intern(text)
    assert typed.parse("iiiiiiiiiiii->d") == number
    assert typed.format(number) == text


@pytest.mark.parametrize("text, column, found, expected", [
    ("", 0, "the end", "a type (void bool"),
    ("f8", 2, "the end", "'('"),
    ("f8(", 3, "the end", "or ')'"),
    ("f8(f8", 5, "the end", "',' or ')'"),
    ("f8(f8,)", 6, "')'", "a type"),
    ("f8(f8 f8)", 6, "'f'", "',' or ')'"),
    ("f8(f8) f8", 7, "'f'", "the end"),
    ("  f9(f8)", 2, "'f'", "a type"),
    ("f8(f8, void)", 7, "'v'", "no void among the arguments"),
    ("f8[f8]", 2, "'['", "'('"),
    ("f88(f8)", 0, "'f'", "a type"),
    ("dx->d", 1, "'x'", "a letter of a type"),
    ("dd->dd", 5, "'d'", "the end"),
    ("dd->x", 4, "'x'", "the letter of the result"),
    ("d-d->d", 1, "'-'", "'->'"),
    ("v->d", 0, "'v'", "no void among the arguments"),
    ("f8(ä)", 3, "'ä'", "a type"),
    ("f8('')", 3, '"\'"', "a type"),
    (written("f8", ["i1"] * 128), 3 + 4 * 127, "'i'", "at most 127 arguments"),
])
def test_error_names_text_column_and_expectation(typed, text, column, found, expected):
    with pytest.raises(ValueError) as caught:
        typed.parse(text)
    message = str(caught.value)
    shown = repr(text) if len(repr(text)) <= 200 else repr(text)[:200] + "..."
    assert message.startswith(f"signature {shown}: found {found} at column {column}, ")
    assert "expected " in message and expected in message


def test_column_counts_characters_not_bytes(typed):
    with pytest.raises(ValueError, match=re.escape("'f8(f8) ü': found 'ü' at column 7")):
        typed.parse("f8(f8) ü")
    with pytest.raises(ValueError, match="found '😀' at column 0"):
        typed.parse("😀")


def test_null_is_no_text(typed):
    with pytest.raises(ValueError, match="found NULL, expected the text of a signature"):
        typed.parse(None)


@untimed
@given(st.text(alphabet="fi8 4(),->dO?voibjectr\n", max_size=20))
def test_any_text_parses_or_is_refused_with_a_column_inside_it(typed, text):
    try:
        number = typed.parse(text)
    except ValueError as error:
        column = int(re.search(r"at column (\d+)", str(error))[1])
        assert 0 <= column <= len(text)
    else:
        assert typed.parse(typed.format(number)) == number


def test_numbers_that_are_no_signature_are_refused(typed):
    good = typed.parse("f8(f8)")
    bad = [0, 1, 2, 1 | 19 << 1, 1 | 31 << 1, good & ~(31 << 1), good | 1 << 61, good | 1 << 63,
           1 | 12 << 1 | 1 << 6, 1 | 12 << 1 | 5 << 11, 2 ** 64 - 1, 12345678, 8]
    for number in bad:
        with pytest.raises(ValueError, match=f"found {number}, which is no signature"):
            typed.format(number)


def test_interned_texts_that_are_no_long_signature_are_refused(typed):
    for text in ("f8(f8)", "numpy.ndarray", written("f8", ["i4"] * 11), "f8(" + ",".join(["i4"] * 12) + ")"):
        with pytest.raises(ValueError, match="which is no signature"):
            typed.format(typed.intern(text))


@untimed
@given(st.integers(0, 2 ** 64 - 1))
def test_any_number_prints_or_is_refused(typed, number):
    try:
        text = typed.format(number)
    except ValueError:
        return
    assert typed.parse(text) == number or "f16" in text or "c32" in text
