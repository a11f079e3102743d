# SPDX-License-Identifier: MIT
"""Signals of Cython in functions of C++ that know nothing of them, and tensors of C++ in a function of Cython."""
import gc

import numpy
import tvm_ffi.cpp
from signals import EveryNth, Signal, energy

# [library.begin]
library = tvm_ffi.cpp.load_inline(name="steps", functions=["count", "reversed_"], cpp_sources=r"""
    #include <stdexcept>
    namespace ffi = tvm::ffi;

    void count(ffi::TensorView x) {                       // 0, 1, 2, ...
        if (x.ndim() != 1) throw std::runtime_error("found another number of dimensions than one");
        double *items = static_cast<double *>(x.data_ptr());
        for (int64_t i = 0; i < x.size(0); i++) items[i * x.stride(0)] = i;
    }

    ffi::Tensor reversed_(ffi::TensorView x) {            // a new tensor
        struct Malloc {
            void AllocData(DLTensor *t) { t->data = std::malloc(t->shape[0] * sizeof(double)); }
            void FreeData(DLTensor *t) { std::free(t->data); }
        };
        ffi::Tensor y = ffi::Tensor::FromNDAlloc(Malloc(), x.shape(), x.dtype(), x.device());
        for (int64_t i = 0, n = x.size(0); i < n; i++)
            static_cast<double *>(y.data_ptr())[n - 1 - i]
                = static_cast<double *>(x.data_ptr())[i * x.stride(0)];
        return y;
    }
""")
# [library.end]

signal = Signal(6)
library.count(signal)                                       # C++ writes into the signal
print("signal   ", numpy.asarray(signal))
library.count(EveryNth(signal, 2))
print("every 2nd", numpy.asarray(signal))

y = library.reversed_(signal)                               # memory of C++
print("reversed ", numpy.from_dlpack(y))
print("energy   ", energy(signal), energy(y), energy(EveryNth(signal, 2)), energy(numpy.arange(3.0)))

view = tvm_ffi.from_dlpack(EveryNth(signal, 3))
del signal
gc.collect()
print("kept     ", numpy.from_dlpack(view))                 # the view keeps the signal

try:
    energy(numpy.arange(3))
except TypeError as error:
    print("TypeError", error)
