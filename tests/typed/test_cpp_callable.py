# SPDX-License-Identifier: MIT
"""customslots::callable, the C++ class: by the compilers that are here, under C++11 and C++17."""
import math
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import cython_customslots
import pytest
import support
from test_calling import CONVENTIONS
from typed_support import entry, new_function, typed_probe

HERE = Path(__file__).resolve().parent
EXAMPLE = HERE / "example_callable.cpp"
LONG = f"i{struct.calcsize('l')}"


def compile_cpp(compiler, dialect, source, output, *extra):
    tools = support.toolchain()
    command = [*compiler, f"-std={dialect}", "-O1", "-fPIC", *support.STRICT_FLAGS, *extra,
               f"-I{cython_customslots.get_include()}",
               *(f"-isystem{path}" for path in tools.include_dirs), "-c", source, "-o", output]
    return subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="backslashreplace", timeout=300)


def compiler_of(name):
    """The command: the toolchain's own, or another that is on this machine."""
    tools = support.toolchain()
    if name == "own":
        assert tools.cxx, "a C++ compiler is needed for this test"
        return list(tools.cxx)
    if not shutil.which(name):
        pytest.skip(f"{name} is not on this machine")
    return [name, *tools.cxx[1:]]               # for the same machine: -m32


@pytest.fixture(scope="module", ids=" ".join, params=support.thoroughly([
    [compiler, dialect] for compiler in ("own", "clang++") for dialect in ("c++11", "c++17")], plain=0, thorough=1))
def cpp(request, tmp_path_factory):
    """The module, of two files, by one compiler under one standard; warnings are errors."""
    compiler, dialect = request.param
    command = compiler_of(compiler)
    name = f"callable_{compiler}_{dialect}".replace("+", "p")
    directory = tmp_path_factory.mktemp(name)
    objects = []
    for source in EXAMPLE, HERE / "callable_module.cpp":
        objects.append(directory / f"{source.stem}.o")
        done = compile_cpp(command, dialect, source, objects[-1], f"-DEXAMPLE_NAME={name}")
        assert done.returncode == 0, done.stdout
    tools = support.toolchain()
    target = directory / (name + tools.suffix)
    subprocess.run([*map(str, command), *map(str, objects), *tools.link_flags, "-o", str(target)], check=True)
    return support.load(target, name)


@pytest.fixture(scope="module")
def typed():
    return typed_probe()


# ------------------------------------------------------------------------ the header --

HEADERS = pytest.mark.parametrize("header", ["typedmethod", "typedarray"])


@pytest.mark.parametrize("dialect", support.thoroughly(["c++20", "c++11", "c++14", "c++17"], thorough=1))
@pytest.mark.parametrize("compiler", ["own", "clang++"])
@HEADERS
def test_header_stands_alone_and_may_be_unused(header, compiler, dialect, tmp_path):
    source = tmp_path / "alone.cpp"
    source.write_text(f'#include "{header}.hpp"\n#include "{header}.h"\nint probe_unused;\n')
    done = compile_cpp(compiler_of(compiler), dialect, source, tmp_path / "alone.o")
    assert done.returncode == 0, done.stdout


def test_class_that_has_one_is_compiled_without_a_warning_without_exceptions(tmp_path):
    source = tmp_path / "member.cpp"
    source.write_text('#include "typedmethod.hpp"\n'
                      "struct Holder { customslots::callable<int(int)> f; int call(int x); };\n"
                      "int Holder::call(int x) { return f(x); }\n")
    done = compile_cpp(compiler_of("own"), "c++11", source, tmp_path / "member.o", "-fno-exceptions", "-fno-rtti")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("signature, words", [
    ("double(std::complex<double>)", "found a type that no signature can express"),
    ("thing(int)", "found a type that no signature can express"),
    ("double(const PyTypedMethodArray *)", "found PyTypedMethodArray, which does not say what the items are"),
    (f"int({', '.join(['int'] * 12)})", "found more arguments than")])
def test_what_no_signature_can_express_does_not_compile(signature, words, tmp_path):
    source = tmp_path / "wrong.cpp"
    source.write_text('#include "typedmethod.hpp"\n#include <complex>\nstruct thing { int a; };\n'
                      f"uint64_t probe();\nuint64_t probe() {{ return customslots::callable<{signature}>"
                      "::signature(); }\n")
    done = compile_cpp(compiler_of("own"), "c++11", source, tmp_path / "wrong.o")
    assert done.returncode != 0 and words in done.stdout


@HEADERS
def test_c_is_told_which_header_it_wants(header, tmp_path):
    source = tmp_path / "wrong.c"
    source.write_text(f'#include "{header}.hpp"\n')
    done = support.compile_strictly(source, "c11", tmp_path / "wrong.o")
    assert done.returncode != 0 and f"C has {header}.h" in done.stdout


# ------------------------------------------------------------------------ what it does --

def test_example_integrates_any_callable(cpp, typed):
    assert abs(cpp.integrate(math.exp, 0.0, 1.0, 1000) - (math.e - 1)) < 1e-6
    function = new_function(entry("f8(f8)", "double_0"))
    assert cpp.integrate(function, 0, 2, 100) == pytest.approx(2.0)
    with pytest.raises(ZeroDivisionError):
        cpp.integrate(lambda x: 1 / 0, 0.0, 1.0, 1000)
    with pytest.raises(TypeError, match=r"expected a callable for f8\(f8\)"):
        cpp.integrate(5, 0.0, 1.0, 1000)


def test_signatures_are_those_of_the_types(cpp):
    texts = cpp.signatures()
    assert re.fullmatch(r"f8\(f8, f4, f(8|16)\)", texts[0])
    assert texts[1:4] == ["bool(i1, i2, i4, i8)", "u1(u2, u4, u8, u1)", "object(pointer, pointer, pointer)"]
    assert re.fullmatch(r"c16\(c8, c(16|32)\)", texts[4])
    size = struct.calcsize("n")
    assert texts[5] == f"void({LONG}, u{size}, i{size}, {'f8, ' * 7}object)"


HOW = ["gil", "either", "nogil"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("caller, text, function, convention, error, answers", [
    case for case in CONVENTIONS if case[0] in ("l_l", "d_d", "f16", "u1", "c16", "v_i4")])
def test_error_is_raised_and_an_answer_like_it_is_not(
        cpp, typed, how, caller, text, function, convention, error, answers):
    kind = {"l_l": "long", "d_d": "f8", "v_i4": "void"}.get(caller, caller)
    for flags in getattr(typed, convention), getattr(typed, convention) | typed.NOGIL:
        made = new_function(entry(text, function, flags, error))
        for answer in answers:
            assert cpp.call(made, how, kind, answer) == answer
        with pytest.raises(RuntimeError, match="got 123"):
            cpp.call(made, how, kind, 123)


@pytest.mark.parametrize("how", HOW)
def test_function_that_needs_the_gil_has_it_and_one_that_needs_none_is_called_as_the_caller_is(cpp, typed, how):
    text = f"{LONG}({LONG})"
    needs = new_function(entry(text, "attached", typed.MAYBE, -1))
    free = new_function(entry(text, "attached", typed.MAYBE | typed.NOGIL, -1))
    assert cpp.call(needs, how, "long", 0) == 1
    assert cpp.call(free, how, "long", 0) == (0 if how == "nogil" else 1)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind, value", [
    ("f8", -1.5), ("long", -7), ("u1", 255), ("bool", True), ("c16", 1 + 2j), ("f16", 0.25)])
def test_python_functions_are_called_with_converted_values(cpp, how, kind, value):
    seen = []

    def function(x):
        seen.append(x)
        return x
    assert cpp.call(function, how, kind, value) == value and seen == [value]
    with pytest.raises(ZeroDivisionError):
        cpp.call(lambda x: 1 / 0, how, kind, value)


@pytest.mark.parametrize("how", ["gil", "either"])
def test_objects_and_pointers_pass_through(cpp, typed, how):
    thing = object()
    before = sys.getrefcount(thing)
    for function in new_function(entry("object(object)", "same")), lambda x: x:
        assert cpp.call(function, how, "object", thing) is thing
    assert sys.getrefcount(thing) == before
    assert cpp.call(new_function(entry("pointer(pointer)", "pointer")), how, "pointer", 4096) == 4096
    with pytest.raises(ValueError, match="Python cannot be given a pointer"):
        cpp.call(lambda x: x, how, "pointer", 4096)


def test_contexts_go_first_or_last_and_bound_methods_get_their_receiver(cpp, typed):
    scale = new_function(entry("f8(object, f8)", "scale", typed.SELF | typed.MAYBE, -1.0), self=2.5)
    for how in HOW:
        assert cpp.call(scale, how, "f8", 4.0) == 10.0
    for name, flag in ("first", typed.FIRST), ("last", typed.LAST):
        native = typed.Native(typed.record([entry("f8(f8)", name, flag)]), 3.0)
        for how in HOW:
            assert cpp.call(native, how, "f8", 4.0) == 12.0


def test_as_many_arguments_as_are_wanted(cpp, typed):
    text = f"f8({', '.join(['f8'] * 11)})"
    both = (new_function(entry(text, "eleven")), new_function(entry("f8()", "no_arguments")))
    assert cpp.many(*both) == (506.0, 42.0)
    assert cpp.many(lambda *args: sum(args), lambda: 42) == (66.0, 42.0)


def test_it_says_why_python_is_called_and_may_insist_on_c(cpp, typed):
    function = new_function(entry("f8(f8)", "double_0"))
    assert cpp.typed_only(function) == (True, "") and cpp.why_not(function) == ""
    assert "is written in Python" in cpp.why_not(lambda x: x)
    with pytest.raises(TypeError, match=r"which has no C function with signature f8\(f8\)"):
        cpp.typed_only(lambda x: x)


def test_an_empty_one_is_false_and_a_call_of_it_an_error(cpp):
    with pytest.raises(TypeError, match=r"found an empty PyTypedCallable, expected one that was "
                                        r"initialised for f8\(f8\)"):
        cpp.empty()


@pytest.mark.skipif(support.FREE_THREADED, reason="counts of references are split there")
def test_references_are_counted_as_the_objects_are_copied_and_moved(cpp, typed):
    for function in new_function(entry("f8(f8)", "double_0")), (lambda x: x):
        assert cpp.owners(function) == (1, 2, 2, 3, 3, 1, 0, 1)
