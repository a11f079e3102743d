# SPDX-License-Identifier: MIT
"""--borrow-views: functions with arguments in the old buffer syntax do what they do with plain Cython."""
import contextlib
import ctypes
import gc
import itertools
import re
import sys
import warnings

import pytest
import support
from array_support import HERE, alike, result, run_in_threads
from test_borrowed_views import CHANGES, KINDS, shown

pytestmark = [pytest.mark.interop, pytest.mark.cythons]

SOURCE = HERE / "buffers.pyx"
FUNCTIONS = re.findall(r"^c?p?def (?:double )?(buffers_\w+)", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)
CALLED = [name for name in FUNCTIONS if name.endswith("_called")]
SHAPES = {"_2d": (3, 3), "_2d_called": (3, 3), "_of_8": (1,) * 7 + (3,)}
TYPES = {"buffers_char": "i1", "buffers_bint": "i4", "buffers_cast": "?", "buffers_objects": "O",
         "buffers_struct": [("a", "i4"), ("b", "f8")]}

#: Functions that read fields of an array, unchecked.
FIELDS = "buffers_nogil", "buffers_unchecked", "buffers_write_c_2d"


def array_for(np, name):
    shape = next((shape for end, shape in SHAPES.items() if name.endswith(end)), (3,))
    a = np.zeros(shape, TYPES.get(name, "f8"))
    if a.dtype.names is None:
        a[...] = (np.arange(a.size) + 1).reshape(shape)
    return np.asfortranarray(a) if "fortran" in name else a


def outcome(np, module, name, x, n):
    """What a function returns or raises, what it leaves in an array, and how many references to that."""
    before = sys.getrefcount(x)
    try:
        said = shown(np, getattr(module, name)(*[n, x] if name == "buffers_default_array" else [x, n]))
    except Exception as error:
        said = re.sub("0x[0-9a-f]+", "ADDRESS", f"{type(error).__name__}: {error}".replace(module.__name__, "module"))
        del error
    gc.collect(0)
    return said, shown(np, x), x is not None and sys.getrefcount(x) - before


@pytest.mark.filterwarnings("ignore:Numpy has detected", "ignore:the matrix subclass", "ignore:future versions")
@pytest.mark.parametrize("kind", KINDS)
def test_functions_with_buffers_do_what_they_do_with_plain_cython(np, modules, kind):
    """The results, the errors word for word, the items and the numbers of references."""
    for name, n in itertools.product(set(FUNCTIONS) - set(CALLED), range(3)):
        if kind == "None" and name in FIELDS:
            continue                             # plain Cython crashes, too
        alike(modules, lambda module, name=name, n=n: outcome(
            np, module, name, KINDS[kind](np, array_for(np, name)), n), name, n)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_types_of_items_of_buffers_are_checked_as_cython_does(np, modules):
    for dtype, readonly in itertools.product("?bBhHiIlLqQefdgFDGOSUmM", (False, True)):
        for name in "buffers_number", "buffers_number_object", "buffers_char", "buffers_char_object", "buffers_cast":
            signatures = getattr(modules[0].__dict__[name], "__signatures__", {"": None})
            for signature in signatures:
                def called(module, name=name, signature=signature, dtype=dtype, readonly=readonly):
                    a, function = np.ones(2, dtype), getattr(module, name)
                    a.flags.writeable = not readonly
                    said = result(function[signature] if signature else function, a, 0)
                    return said, a.tobytes() if dtype != "O" else a.tolist()
                alike(modules, called, name, signature, dtype)


@pytest.mark.parametrize("shape", list(itertools.product(range(3), range(3))))
def test_strides_of_short_arrays_are_those_of_plain_cython(np, modules, shape):
    """NumPy's buffers have other strides than its arrays, where a length is 0 or 1."""
    for order, steps in itertools.product("CF", itertools.product((1, 2, -1), repeat=2)):
        whole = np.arange(64.0).reshape(8, 8, order=order)
        a = whole[::steps[0], ::steps[1]][:shape[0], :shape[1]]
        for kind, n in itertools.product(("", "c_", "fortran_", "full_"), range(3)):
            alike(modules, lambda module, kind=kind, n=n, a=a: outcome(np, module, f"buffers_{kind}2d", a, n), kind, n)
        if a.size and min(steps) > 0:            # behind it, unchecked, where the whole has items
            assert modules[0].beyond(a, 2) == modules[1].beyond(a, 2), (order, steps)


def test_numpy_warns_of_arrays_that_are_written_to_as_with_plain_cython(np, modules):
    for name in "buffers_item", "buffers_write":
        def warned(module, name=name):
            x = KINDS["that warns on write"](np, np.arange(3.0))
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                getattr(module, name)(x, 1)
            return [str(each.message) for each in said]
        assert len(alike(modules, warned)) == (name == "buffers_write")


# ------------------------------------------------------------------ what happens meanwhile

MEANWHILE = {
    **CHANGES, "resized": "a.resize(2000)", "with other items": "a[...] = 5",
    "raised": "raise KeyError(1)", "counted": "counts.append(getrefcount(a))", "collected": "collect()",
    "looked at": "counts.append(a.flags.writeable)"}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("change", MEANWHILE)
def test_what_happens_meanwhile_does_what_it_does_with_plain_cython(np, modules, change):
    for name, readonly, kind in itertools.product(CALLED, (False, True), ("usual", "with gaps", "backwards")):
        def called(module, name=name, readonly=readonly, kind=kind):
            a = np.arange(100.0).reshape((10, 10) if "2d" in name else (100,))
            names = {"a": KINDS[kind](np, a), "counts": [], "getrefcount": sys.getrefcount, "collect": gc.collect}
            names["a"].flags.writeable = not readonly
            said = result(getattr(module, name), names["a"], lambda: exec(MEANWHILE[change], names))
            return shown(np, said), names["counts"], shown(np, names["a"])
        alike(modules, called, name, readonly, kind)


def test_a_buffer_keeps_an_array_that_everybody_else_lets_go(np, modules):
    for name in "buffers_called", "buffers_local_called", "buffers_rebound_called", "buffers_write_called":
        def called(module, name=name):
            kept = [np.arange(10_000.0) + 7]
            return getattr(module, name)(kept.pop(), lambda: (gc.collect(), np.zeros(10_000)) and None)
        alike(modules, called, name)


def test_the_old_array_is_kept_if_the_new_one_does_not_fit(np, modules):
    for new in np.arange(3), np.ones((2, 2)), "text", None, np.arange(3.0) + 5:
        alike(modules, lambda module, new=new: outcome(
            np, module, "buffers_fails_called", np.arange(3.0) + 1, lambda: new))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_old_array_may_have_changed_its_type_if_the_new_one_does_not_fit(np, modules):
    """Cython asks it for a buffer again, which fails as well."""
    def called(module):
        a = np.arange(3.0)
        before = sys.getrefcount(a)

        def change():
            a.dtype = "i8"
            return np.arange(3)
        return module.buffers_fails_called(a, change), sys.getrefcount(a) - before
    assert "reacquiring the old buffer failed too" in alike(modules, called)[0][1]


def test_threads_may_fill_buffers_of_the_same_array(np, ours):
    a = np.arange(1000.0)
    before = sys.getrefcount(a)

    def check(_):
        assert ours.buffers_item(a, 2) == 2 and ours.buffers_nogil(a, 0) == a.sum()
    run_in_threads(check)
    assert sys.getrefcount(a) == before


# ------------------------------------------------------------------ that NumPy is not asked

@contextlib.contextmanager
def counted(np):
    """A list with an item for each buffer that NumPy is asked for: its type's function is replaced."""
    procs = ctypes.c_void_p.from_address(id(np.ndarray) + object.__basicsize__ + 18 * ctypes.sizeof(ctypes.c_void_p))
    getbuffer, asked = ctypes.c_void_p.from_address(procs.value), []
    original, kind = getbuffer.value, ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_int)
    numpys = kind(original)

    @kind
    def counts(obj, view, flags):
        asked.append(flags)
        return numpys(obj, view, flags)
    getbuffer.value = ctypes.cast(counts, ctypes.c_void_p).value
    try:
        yield asked
    finally:
        getbuffer.value = original


@support.only_on_cpython("its types are other structs")
@pytest.mark.parametrize("kind", ["usual", "read-only", "with gaps", "backwards", "empty", "unaligned",
                                  "in the other byte order", "of another type"])
def test_numpy_is_asked_for_no_buffer_of_an_array_that_lends(np, modules, kind):
    lends = kind in ("usual", "read-only", "with gaps", "backwards", "empty")
    refuses = "buffers_cast", "buffers_objects", "buffers_struct"
    for name in ("buffers_item", "buffers_object", "buffers_c", "buffers_2d", "buffers_local",
                 "buffers_in_c", "buffers_cpdef", "buffers_number", "buffers_inner", "buffers_local_in_loop", *refuses):
        if kind in ("with gaps", "backwards") and name == "buffers_c" or kind == "of another type" and "number" in name:
            continue
        numbers = []
        for module in modules:
            x = KINDS[kind](np, array_for(np, name))
            with counted(np) as asked:
                with contextlib.suppress(ValueError, IndexError):
                    getattr(module, name)(x, 0)
            numbers.append(len(asked))
        assert numbers[0] > 0 and numbers[1] == (0 if lends and name not in refuses else numbers[0]), name
