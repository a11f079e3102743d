// SPDX-License-Identifier: MIT
// The same as sums_c.c, in C++ with nanobind, which has a stable ABI from CPython 3.12 on.
#include <nanobind/nanobind.h>

#include "typedarray.hpp"
#include "typedmethod.hpp"

namespace nb = nanobind;

static double total(nb::iterable things) {
    const uintptr_t area = PyCustomSlots_Intern("shapes.area");
    if (area == 0) throw nb::python_error();
    double sum = 0.0;
    for (nb::handle thing : things) {
        const PyCustomSlot *slot = PyCustomSlots_FindAny(thing.ptr(), area, 0);
        if (slot) sum += reinterpret_cast<double (*)(PyObject *)>(slot->data.pointer)(thing.ptr());
    }
    return sum;
}

static nb::tuple apply(nb::object function, nb::object numbers) {
    const customslots::callable<int64_t(int64_t)> f(function.ptr());
    if (!f) throw nb::python_error();
    const customslots::array<const int64_t> array(numbers.ptr());
    if (!array) throw nb::python_error();
    int64_t sum = 0;
    for (int64_t number : array) {
        const int64_t value = f(number);
        if (value == -1 && PyErr_Occurred()) throw nb::python_error();
        sum += value;
    }
    return nb::make_tuple(sum, f.is_typed());
}

NB_MODULE(sums_nanobind, module) {
    module.def("total", &total, "The sum of the areas of all that have one.");
    module.def("apply", &apply, "The sum of f(x) for x in an array, and whether f was called as C.");
}
