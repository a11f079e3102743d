# SPDX-License-Identifier: MIT
"""PyTorch's tensors and JAX's arrays, taken and given: nox -s "interop(frameworks)" has both."""
import gc
import struct
import warnings
import weakref

import pytest
import support
from array_support import (ANY, ANYTHING, BFLOAT, BOOL, BUFFER, COMPLEX, DOUBLE, FLOAT, HERE, OBJECT, VERSIONED,
                           WRITABLE, C, F, because)
from test_buffers import refused

pytestmark = [pytest.mark.nightly, pytest.mark.usefixtures("nothing_left")]

SIX = struct.pack("6d", *range(6))


@pytest.fixture(scope="module")
def torch():
    return support.need("torch")


@pytest.fixture(scope="module")
def jax():
    jax = support.need("jax")
    jax.config.update("jax_enable_x64", True)
    return jax


@pytest.fixture(scope="module")
def provided():
    modules = HERE.parent / "compiler" / "modules"
    return support.load(support.build_cython(modules / "provided.pyx", True, include_dirs=[modules]))


@pytest.fixture
def six(torch):
    return torch.arange(6.0, dtype=torch.float64)


# ------------------------------------------------------------------------------ PyTorch's

def test_a_tensor_is_found_by_its_class_attribute(arrays, torch, six):
    assert torch.Tensor.__dlpack_c_exchange_api__
    for owns, flags, held in (False, 0, OBJECT), (False, WRITABLE, VERSIONED), (True, C, VERSIONED):
        found = arrays.look(six, *DOUBLE, 1, flags, 0, owns)
        assert (found["data"], found["held"], found["items"]) == (six.data_ptr(), held, SIX)
        assert found["readonly"] == (held == OBJECT)
    refused(arrays, "found a 'Tensor' of float64, expected an array of float32", six, FLOAT, 32, 1, 0)
    for cls in type("Below", (torch.Tensor,), {}), torch.nn.Parameter:
        assert arrays.look(six.as_subclass(cls), *DOUBLE, 1, 0)["held"] == OBJECT
    without = type("Without", (torch.Tensor,), {"__dlpack_c_exchange_api__": None})
    assert arrays.look(six.as_subclass(without), *DOUBLE, 1, 0)["held"] == VERSIONED        # by __dlpack__()


def test_tensors_of_other_shapes_and_types_are_seen(arrays, torch, six):
    matrix = six.reshape(2, 3)
    assert arrays.look(matrix.T, *DOUBLE, 2, F)["strides"] == (8, 24)
    assert arrays.look(matrix[1, 1], *DOUBLE, 0, 0)["items"] == struct.pack("d", 4)
    assert arrays.look(six[:1].expand(3), *DOUBLE, 1, 0)["strides"] == (0,)
    assert arrays.look(matrix[:0], *DOUBLE, 2, C)["shape"] == (0, 3)
    for name, code, bits in ("bfloat16", BFLOAT, 16), ("bool", BOOL, 8), ("complex128", COMPLEX, 128):
        assert arrays.look(torch.ones(3, dtype=getattr(torch, name)), code, bits, 1, C)["itemsize"] == bits // 8


def test_a_tensor_that_needs_gradients_is_shown_and_nothing_is_recorded(arrays, torch, six):
    six.requires_grad_()
    assert arrays.look(six, *DOUBLE, 1, 0)["items"] == SIX
    arrays.add_one(arrays.hold(six, *DOUBLE, 1, WRITABLE))
    assert six.tolist() == [1, 2, 3, 4, 5, 6] and six.grad_fn is None


def test_what_is_conjugated_later_is_refused_and_what_is_negated_later_is_shown_without(arrays, torch):
    x = torch.tensor([1 + 2j, 3 + 4j], dtype=torch.complex128)
    for flags, owns in (0, False), (WRITABLE, False), (0, True):
        with pytest.raises(TypeError, match=r"'Tensor' whose items are conjugated when they are used, expected .*"
                                            r"; pass x.resolve_conj\(\)"):
            arrays.look(x.conj(), COMPLEX, 128, 1, flags, 0, owns)
        assert arrays.look(x.conj().resolve_conj(), COMPLEX, 128, 1, flags, 0, owns)["items"] \
            == struct.pack("4d", 1, -2, 3, -4)
    # numpy.from_dlpack() gets the same.  If this fails, PyTorch looks, and docs/arrays.md need not warn any more.
    negative = x.conj().imag
    assert negative.tolist() == [-2, -4] and arrays.look(negative, *DOUBLE, 1, 0)["items"] == struct.pack("2d", 2, 4)


def test_tensors_without_memory_of_numbers_are_refused(arrays, torch, six):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")         # what is beta, and what is deprecated
        odd = [torch.empty(3, device="meta"), six.to_sparse(),
               torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8),
               torch.nested.nested_tensor([six, six[:2]]), torch.masked.masked_tensor(six, six > 2)]
        for x in odd:
            refused(arrays, "found a '.*Tensor' .*, expected an array of numbers of any type", x, *ANYTHING, ANY, 0)


# ---------------------------------------------------------------------------------- JAX's

def test_arrays_of_jax_are_seen_and_are_read_only(arrays, jax):
    x = jax.numpy.arange(6.0)
    for owns in False, True:
        found = arrays.look(x, *DOUBLE, 1, C, 0, owns)
        assert (found["data"], found["held"], found["items"]) == (x.unsafe_buffer_pointer(), BUFFER, SIX)
    refused(arrays, "that is read-only", x, *DOUBLE, 1, WRITABLE)
    assert arrays.look(x.reshape(2, 3)[:0], *DOUBLE, 2, C)["shape"] == (0, 3)
    assert arrays.look(x[3], *DOUBLE, 0, 0)["items"] == struct.pack("d", 3)
    assert arrays.look((x * 1j).conj()[1:2], COMPLEX, 128, 1, 0)["items"] == struct.pack("2d", 0, -1)


def test_what_a_buffer_has_no_format_for_is_found_by_the_method(arrays, jax):
    assert arrays.look(jax.numpy.ones(3, dtype="bfloat16"), BFLOAT, 16, 1, C)["items"] == b"\x80\x3f" * 3


def test_an_array_of_jax_stays_for_as_long_as_it_is_held(arrays, jax):
    x = jax.numpy.arange(6.0)
    held = arrays.hold(x, *DOUBLE, 1, 0)
    x.delete()
    assert arrays.add_one(held)["items"] == struct.pack("6d", *range(1, 7))
    with because(RuntimeError, "Array has been deleted"):
        arrays.look(x, *DOUBLE, 1, 0)


def test_arrays_of_jax_without_numbers_in_memory_are_refused(arrays, jax):
    refused(arrays, "found an object of type 'PRNGKeyArray', which has neither", jax.random.key(0), *ANYTHING, ANY, 0)

    @jax.jit
    def traced(x):
        with because(jax.errors.ConcretizationTypeError, "."):
            arrays.look(x, *DOUBLE, 1, 0)
        return x
    assert traced(1.0) == 1


# ------------------------------------------------------------------------------ providers

def test_pytorch_takes_a_provider_without_a_copy_and_keeps_it(torch, provided):
    matrix = provided.Matrix(2, 3)
    tensor, column = torch.from_dlpack(matrix), torch.from_dlpack(provided.Column(matrix, 1))
    tensor[1, 1] = 7
    assert memoryview(matrix)[1, 1] == 7 and column.tolist() == [0, 7] and column.stride() == (3,)
    assert torch.from_dlpack(provided.Number(3)).item() == 3
    assert torch.from_dlpack(provided.Halves(2, 3, 4, 1)).dtype == torch.float16
    assert torch.from_dlpack(matrix, copy=True).data_ptr() != tensor.data_ptr()

    class Seen(provided.FromPython): pass
    matrix = Seen(1, 1)
    gone, tensor = weakref.ref(matrix), torch.from_dlpack(matrix)[0]
    del matrix
    gc.collect()
    assert gone() is not None and tensor.tolist() == [0]
    del tensor
    gc.collect()
    assert gone() is None


def test_jax_takes_a_provider(jax, provided):
    matrix = provided.Matrix(2, 3)
    memoryview(matrix)[1, 1] = 7
    for take in jax.numpy.from_dlpack, jax.dlpack.from_dlpack, jax.numpy.asarray:
        assert take(matrix).tolist() == [[0, 0, 0], [0, 7, 0]]
    # JAX asks in the old way, which does not say what is read-only.
    with pytest.raises(BufferError, match="that is read-only, which DLPack says since 1.0"):
        jax.numpy.from_dlpack(provided.Number(3))
    assert jax.numpy.asarray(provided.Number(3)).item() == 3


def test_what_a_provider_raises_goes_through(torch, jax, provided):
    for take in (torch.from_dlpack, torch.tensor, torch.as_tensor, jax.numpy.from_dlpack, jax.numpy.asarray,
                 jax.numpy.array):
        with pytest.raises(ValueError, match="not today"):
            take(provided.Raising(ValueError("not today")))
        with pytest.raises(BufferError, match="a shape that is missing, negative"):
            take(provided.Raising(-1))
