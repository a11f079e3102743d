# SPDX-License-Identifier: MIT
"""C functions found in what the standard library has: ctypes functions, capsules, addresses."""
import ctypes
import ctypes.util
import gc
import math
import re
import sys
import weakref

import pytest
import support
from cython_customslots import typed

pytestmark = pytest.mark.interop


def ctypes_function(restype, *argtypes, body=lambda *arguments: 0, kind=ctypes.CFUNCTYPE):
    return kind(restype, *argtypes)(body)


@pytest.fixture
def sine(c):
    """A ctypes function with the C function `square`: math's own may be no function."""
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(typed.address(c.square))
    return function


# ---------------------------------------------------------------------- what is known --

def test_a_ctypes_function_is_called_as_c(c, sine):
    found = typed.resolve(sine)
    assert c.call(found, 3.0) == (True, 9.0)
    assert found(3.0) == 9.0
    assert found.original is sine
    assert typed.signatures(sine) == list(found.signatures) == ["f8(f8)"]
    assert typed.resolve(c.square) is c.square and typed.resolve(found) is found


@pytest.mark.skipif(not ctypes.util.find_library("m"), reason="no shared libm here")
def test_a_function_of_a_shared_library_is_called_as_c(c):
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    libm.cos.argtypes, libm.cos.restype = [ctypes.c_double], ctypes.c_double
    assert c.call(typed.resolve(libm.cos), 0.5) == (True, math.cos(0.5))
    assert typed.resolve(libm.cos).__name__ == "cos"
    libm.sin.restype = ctypes.c_double
    with pytest.raises(TypeError, match="ctypes function 'sin': found no argtypes.*"
                                        r"resolve\(f, 'f8\(f8\)'\)"):
        typed.resolve(libm.sin)
    taken_at_its_word = typed.resolve(libm.sin, "d->d")
    assert c.call(taken_at_its_word, 0.5) == (True, math.sin(0.5))
    assert "its signature is the caller's word" in typed.explain(taken_at_its_word)


def test_a_consumer_takes_nobodys_word_and_says_what_to_do(c):
    pair = (typed.address(c.square), "f8(f8)")
    for wrong, words in [
            (pair, "hand it resolve(pair)"), (c.named_capsule("thing", 0), "no C prototype; pass its"),
            (c.named_capsule("int (int)", 0), "found i4(i4), expected f8(f8)"), ((), "not callable"),
            (3, "found an object of type 'int', expected a callable for f8(f8)")]:
        for strictly in False, True:
            with pytest.raises(TypeError, match=r"expected a callable for f8\(f8\)") as caught:
                c.call(wrong, 3.0, strictly)
            assert words in str(caught.value)
    assert typed.adapt(pair) is typed.adapt(3) is None
    assert c.call(typed.resolve(pair), 3.0, True) == (True, 9.0)


def test_a_consumer_may_insist_on_a_c_function(c, sine):
    for function in sine, c.square, c.named_capsule("double (double)", 0):
        assert c.call(function, 3.0) == c.call(function, 3.0, True) == (True, 9.0)
        assert c.why_not(function, "f8(f8)") == ""
    other = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda n: n + 1)
    with pytest.raises(ctypes.ArgumentError):
        c.call(other, 3.0)                              # not its types: called by Python
    unknown = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(typed.address(c.square))
    unknown.restype = lambda value: value
    for function, words in [
            (other, r"found i4\(i4\), expected f8\(f8\): types must be the same"),
            (unknown, "which is no ctypes type"), (lambda x: x, "is written in Python"),
            (c.seven, r"found i8\(i8\), expected f8\(f8\)"), (len, "len> is a builtin of Python"),
            (Hostile(), "nothing is known")]:
        with pytest.raises(TypeError, match=r"which has no C function with signature f8\(f8\), "
                                            "expected one that has .*" + words):
            c.call(function, 3.0, True)
        assert re.search(words, c.why_not(function, "f8(f8)"))
    with pytest.raises(ValueError, match="found an empty PyTypedCallable"):
        c.why_not(None, "")


HIDDEN = """
    import ctypes
    class Refuse:
        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] == "cython_customslots":
                raise {error}("the test hides " + name)
    sys.meta_path.insert(0, Refuse())
    import interop
    def refusal(*arguments):
        try:
            return interop.call(*arguments)
        except TypeError as error:
            return str(error)
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x + 1)
"""


@pytest.mark.parametrize("error", ["ModuleNotFoundError", "ImportError", "SyntaxError"])
def test_a_consumer_works_where_the_package_cannot_be_imported_and_can_say_so(c, error):
    assert support.check_child(HIDDEN.format(error=error) + f"""
    assert interop.call(function, 3.0) == interop.call(function, 3.0) == (False, 4.0)
    assert interop.call(interop.square, 3.0) == interop.call(interop.square, 3.0, True) == (True, 9.0)
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    for message in (refusal(function, 3.0, True), interop.why_not(function, "f8(f8)"),
                    refusal(capsule(8, b"double (double)", None), 3.0), refusal((1, 2), 3.0)):
        assert "cython_customslots.typed, which finds the C functions of ctypes" in message, message
        assert "cannot be imported: {error}(" in message, message
    for plain in len, (lambda x: x), print, [].append, str.upper:
        assert "cannot be imported" not in interop.why_not(plain, "f8(f8)")
    assert refusal(3, 3.0).endswith("expected a callable for f8(f8)")
    print("done")
    """, modules=[c.__file__]) == "done"


def test_an_exception_that_is_no_error_of_the_package_goes_through(c):
    assert support.check_child(HIDDEN.format(error="KeyboardInterrupt") + """
    for call in (lambda: interop.call(function, 3.0), lambda: interop.call(function, 3.0, True),
                 lambda: interop.why_not(function, "f8(f8)")):
        try:
            call()
        except KeyboardInterrupt:
            print("raised")
    """, modules=[c.__file__]) == "raised\nraised\nraised"


def test_another_version_of_the_package_is_told_apart_from_an_error(c):
    """What it answers, or that it has no such function, is nothing that a call fails for."""
    assert support.check_child("""
        import ctypes, types, interop
        function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x + 1)
        package = types.ModuleType("cython_customslots")
        package.typed = typed = types.ModuleType("cython_customslots.typed")
        sys.modules.update({"cython_customslots": package, "cython_customslots.typed": typed})
        def boom(*ignored): raise ZeroDivisionError
        for answer in None, boom, lambda *ignored: 5, lambda *ignored: None:
            if answer is not None:
                typed.adapt = typed.explain = answer
            assert interop.call(function, 3.0) == (False, 4.0)
            assert "nothing is known" in interop.why_not(function, "f8(f8)")
        print("done")
    """, modules=[c.__file__]) == "done"


@pytest.mark.parametrize("kind, expected", [
    (ctypes.c_bool, "bool"), (ctypes.c_int8, "i1"), (ctypes.c_short, "i2"), (ctypes.c_int, "i4"),
    (ctypes.c_longlong, "i8"), (ctypes.c_uint8, "u1"), (ctypes.c_ushort, "u2"),
    (ctypes.c_uint, "u4"), (ctypes.c_ulonglong, "u8"), (ctypes.c_float, "f4"),
    (ctypes.c_double, "f8"), (ctypes.c_void_p, "pointer"), (ctypes.c_char_p, "pointer"),
    (ctypes.c_wchar_p, "pointer"), (ctypes.POINTER(ctypes.c_int), "pointer"),
    (ctypes.py_object, "object"), (ctypes.c_long, f"i{ctypes.sizeof(ctypes.c_long)}"),
    (ctypes.c_size_t, f"u{ctypes.sizeof(ctypes.c_size_t)}"),
    (ctypes.CFUNCTYPE(None), "pointer"),
])
def test_types_of_ctypes_are_known_by_their_width(kind, expected):
    function = ctypes.CFUNCTYPE(None, kind)(lambda value: None)
    assert typed.signatures(function) == [f"void({expected})"]


def test_a_long_double_is_what_the_compiler_makes_of_it():
    function = ctypes_function(None, ctypes.c_longdouble)
    assert typed.signatures(function) == [typed.canonical("void (long double)")]


@pytest.mark.skipif(not hasattr(ctypes, "c_double_complex"),
                    reason="ctypes has complex types from CPython 3.14 on, where C has")
def test_complex_types_of_ctypes_are_known():
    function = ctypes.CFUNCTYPE(ctypes.c_double_complex, ctypes.c_float_complex)(1)
    assert typed.signatures(function) == ["c16(c8)"]


def test_a_function_with_the_python_api_keeps_the_gil_and_may_raise(c):
    function = ctypes.PYFUNCTYPE(ctypes.c_double, ctypes.c_double)(typed.address(c.counted))
    assert typed.explain(function).splitlines()[1] == "  f8(f8): needs the GIL, may raise, whatever it returns"
    found = typed.resolve(function)
    assert c.call(found, 1.0) == (True, 2.0)
    with pytest.raises(LookupError, match="thirteen"):
        c.call(found, 13.0)


# ------------------------------------------------------------------------ what is refused --

class Struct(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int)]


class Checked(ctypes.c_int):
    def _check_retval_(self):
        raise AssertionError


def swapped():
    return ctypes.c_int.__ctype_be__ if sys.byteorder == "little" else ctypes.c_int.__ctype_le__


def changed(**attributes):
    function = ctypes_function(ctypes.c_int)
    for name, value in attributes.items():
        setattr(function, name, value)
    return function


class Tenfold(ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)):
    _flags_, _restype_, _argtypes_ = 1, ctypes.c_double, (ctypes.c_double,)

    def __call__(self, x):
        return 10 * super().__call__(x)


class Adapter:
    @classmethod
    def from_param(cls, value):
        return value


@pytest.mark.parametrize("make, words", [
    (lambda: ctypes_function(None, Struct), r"found argtypes\[0\] Struct, a struct by value"),
    (lambda: changed(restype=Struct), "found restype Struct, a struct by value"),
    (lambda: changed(errcheck=lambda result, *others: result), "found an errcheck, which a C call would leave out"),
    (lambda: Tenfold(lambda x: x), "found a __call__ of its own, which a C call would leave out"),
    (lambda: changed(restype=Checked), "found restype Checked, whose check a C call would leave out"),
    (lambda: changed(restype=lambda value: value), "found restype <function .*, which is no ctypes type"),
    (lambda: changed(argtypes=[Adapter]), r"argtypes\[0\] Adapter, which is none of the simple types"),
    (lambda: changed(argtypes=[swapped()]), r"argtypes\[0\] c_(int|long).*, whose bytes are swapped"),
    (lambda: ctypes.CFUNCTYPE(None)(), "found a NULL pointer, expected a function"),
])
def test_a_ctypes_function_that_c_cannot_call_is_refused_with_words(make, words):
    function = make()
    with pytest.raises(TypeError, match=words):
        typed.resolve(function)
    assert typed.adapt(function) is None
    assert "ctypes function" in typed.explain(function)


def test_a_signature_that_differs_from_the_known_one_is_refused(sine, c):
    with pytest.raises(TypeError, match=r"found f8\(f8\), expected f4\(f4\): types must be the same"):
        typed.resolve(sine, "f4(f4)")
    with pytest.raises(TypeError, match=r"f8\(f8\).*expected i4\(\)|found f8\(f8\), expected i4\(\)"):
        typed.resolve(c.square, "i4()")
    with pytest.raises(TypeError, match="says itself whether it needs the GIL"):
        typed.resolve(c.square, nogil=True)


class Hostile:
    def __repr__(self):
        raise RuntimeError("no")

    def __call__(self):
        raise AssertionError("called")

    def __getattr__(self, name):
        raise AssertionError(f"asked for {name}")


@pytest.mark.parametrize("junk", [
    None, 3, "f8(f8)", (), (1,), (1, 2), ("f8(f8)", 1), (True, "f8(f8)"), object(), type, len, [].append, str.upper,
    math.sin, lambda x: x, Hostile, ctypes, ctypes.c_double, ctypes.c_double(1), ctypes.CFUNCTYPE(None), sys.flags,
    Hostile(), type("PyCapsule", (), {})(), type("fortran", (), {"_cpointer": 5})(),
], ids=lambda junk: type(junk).__name__)
def test_anything_else_is_answered_with_words(junk):
    assert typed.adapt(junk) is None
    with pytest.raises(TypeError, match="found no C function"):
        typed.resolve(junk)
    assert typed.signatures(junk) == []
    assert "found no C function" in typed.explain(junk)
    for hand in typed.address, typed.capsule, typed.as_ctypes:
        with pytest.raises(TypeError, match="found no C function"):
            hand(junk)


def test_an_object_that_says_it_were_of_another_class_is_not_believed():
    class Disguised(Hostile):
        __class__ = property(lambda self: 1 / 0)
    test_anything_else_is_answered_with_words(Disguised())


def test_a_function_of_math_is_told_where_that_of_c_is(c):
    names = {"typed": typed, "ctypes": ctypes}
    sin, atan2 = (eval(re.search(r"typed\.resolve\(.*\)$", typed.explain(function))[0], names)
                  for function in (math.sin, math.atan2))
    assert "needs no GIL, raises nothing" in typed.explain(sin) and c.call(sin, 0.5) == (True, math.sin(0.5))
    assert typed.signatures(atan2) == ["f8(f8, f8)"]


@pytest.mark.parametrize("name", [5, None, "", ["cos"], Hostile(), "x" * 10_000],
                         ids=["number", "None", "empty", "list", "hostile", "long"])
def test_a_function_may_be_called_anything(c, sine, name):
    sine.__name__ = name
    assert c.call(typed.resolve(sine), 3.0) == (True, 9.0)
    sine.restype = swapped()
    with pytest.raises(TypeError, match="ctypes function .*whose bytes are swapped") as caught:
        typed.resolve(sine)
    assert len(str(caught.value)) < 500


# -------------------------------------------------------------------- capsules, addresses --

def test_what_a_function_of_a_capsule_raises_is_raised(c):
    found = typed.resolve(c.named_capsule("double (double)", 3))
    assert c.call(found, 4.0) == (True, 2.0)
    assert c.call(found, -4.0) == (True, -1.0)
    assert typed.explain(found).splitlines()[1] == "  f8(f8): needs the GIL, may raise, whatever it returns"
    quiet = typed.resolve(c.named_capsule("double (double)", 3), nogil=True, noexcept=True)    # says the caller
    assert typed.explain(quiet).endswith("f8(f8): needs no GIL, raises nothing")
    with pytest.raises(ValueError, match="root of -9"):
        c.call(found, -9.0)
    with pytest.raises(ValueError, match="root of -9"):
        found(-9.0)


def test_the_skip_dispatch_argument_of_a_cpdef_function_is_bound_to_1(c):
    found = typed.resolve(c.named_capsule("double (double, int __pyx_skip_dispatch)", 1))
    assert found.signatures == ("f8(f8)",)
    assert c.call(found, 3.0) == (True, 103.0)
    assert found(3.0) == 103.0
    two = typed.resolve(c.named_capsule("double (double, int64_t, int __pyx_skip_dispatch)", 2))
    assert two(3.0, 5) == 115.0
    assert typed.as_ctypes(typed.resolve((typed.address(c.square), "f8(f8)")))(2.0) == 4.0


@pytest.mark.parametrize("name, words", [
    (None, "it has no name"),
    ("datetime.datetime_CAPI", "is no C prototype"),
    ("double (thing)", "found 'thing', whose width"),
    ("double (double", "found the end"),
    ("double (struct s, int)", "found 'struct s'"),
    ("PyObject *(PyObject *)", "nothing would check that"),
    ("int (int, ...)", "variable ones"),
])
def test_a_capsule_that_says_too_little_needs_the_callers_word(c, name, words):
    """When that counts: test_export.py."""
    capsule = c.named_capsule(name, 0)
    with pytest.raises(TypeError, match=words) as caught:
        typed.resolve(capsule)
    assert "resolve(f, 'f8(f8)')" in str(caught.value)
    assert words in typed.explain(capsule)


def test_optional_arguments_of_a_cpdef_function_in_a_capsule_are_refused(c):
    capsule = c.named_capsule("double (double, int __pyx_skip_dispatch, struct __pyx_opt_args_f "
                              "*__pyx_optional_args)", 0)
    with pytest.raises(TypeError, match="optional arguments, passed in a struct"):
        typed.resolve(capsule, "f8(f8)")


def test_a_cpdef_signature_without_built_in_code_is_refused(c):
    capsule = c.named_capsule("double (char, short, float, int __pyx_skip_dispatch)", 1)
    with pytest.raises(TypeError, match=r"f8\(.1, i2, f4\) no code that passes it is built in"):
        typed.resolve(capsule)


def test_a_pair_of_address_and_signature_is_taken_at_its_word(c):
    pair = (typed.address(c.square), "double (double)")
    assert c.call(typed.resolve(pair), 3.0) == (True, 9.0)
    assert "caller's word" in typed.explain(pair)
    with pytest.raises(TypeError, match=r"found f8\(f8\), expected f4\(f4\)"):
        typed.resolve(pair, "f4(f4)")


@pytest.mark.parametrize("address", [0, -1, 1 << 64, 1 << 200])
def test_a_number_that_is_no_address_is_refused(address):
    with pytest.raises(ValueError, match="expected the address of a C function"):
        typed.resolve((address, "f8(f8)"))
    with pytest.raises(ValueError, match="found 'x'"):
        typed.resolve((1, "x"))


# --------------------------------------------------------------------------- life and death --


def test_what_is_handed_on_keeps_the_original(c, collected):
    function = ctypes_function(ctypes.c_double, ctypes.c_double, body=lambda x: x + 1)
    alive = weakref.ref(function)
    handed = [typed.as_ctypes(function), typed.capsule(function)]
    del function
    collected()
    assert handed[0](1.0) == 2.0
    assert c.call(typed.resolve(handed[1]), 1.0) == (True, 2.0)
    assert alive() is not None
    del handed[0]
    collected()
    assert alive() is not None
    handed.clear()
    collected()
    assert alive() is None


def test_a_cycle_through_the_original_is_collected(collected):
    function = ctypes_function(ctypes.c_double, ctypes.c_double)
    found = typed.resolve(function)
    function.found = found
    alive = weakref.ref(found)
    del function, found
    gc.collect()
    collected()
    assert alive() is None


def test_a_typed_function_cannot_be_made_or_changed_by_hand(sine):
    found = typed.resolve(sine)
    with pytest.raises(TypeError):
        typed.TypedFunction()
    with pytest.raises((TypeError, AttributeError)):
        found.original = None
    assert repr(found).startswith("<TypedFunction ") and ": f8(f8), from a '" in repr(found)


def test_importing_the_package_imports_no_other_library():
    assert support.check_child("""
        import sys
        before = set(sys.modules)
        import cython_customslots.typed as typed
        assert typed.adapt(len) is None
        new = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(sorted(new & {"numpy", "scipy", "numba", "cffi", "_cffi_backend", "ctypes"}))
    """) == "[]"


def test_the_package_is_the_decorator_of_pure_python_mode_too():
    assert support.check_child("""
        import cython_customslots
        from cython_customslots import typed

        @typed(False)
        def f(): pass

        @cython_customslots.typed()
        def g(): pass
        print(f.__name__, g.__name__, typed.resolve.__name__, typed is cython_customslots.typed)
    """) == "f g resolve True"


def test_the_package_works_in_a_sub_interpreter(c):
    support.run_in_new_interpreter("""
        from cython_customslots import typed
        found = typed.resolve((int(target), "double (double)"))
        assert typed.signatures(found) == ["f8(f8)"], found
        assert typed.address(found) == int(target)
        assert typed.adapt(len) is None
    """, typed.address(c.square))


@pytest.mark.parametrize("dialect", support.thoroughly(["c99", "c11"], plain=0, thorough=1))
def test_the_package_s_c_code_is_clean(dialect, tmp_path):
    source = support.ROOT / "cython_customslots" / "typed" / "_typed.c"
    done = support.compile_strictly(source, dialect, tmp_path / "typed.o")
    assert done.returncode == 0 and not done.stdout, done.stdout


def test_what_is_typed_for_type_checkers_is_what_there_is():
    stub = (support.ROOT / "cython_customslots" / "typed" / "__init__.pyi").read_text()
    for name in typed.__all__:
        assert re.search(rf"^(def|class) {name}\b", stub, re.MULTILINE), name
