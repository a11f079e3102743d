// SPDX-License-Identifier: MIT
// A class that pybind11 makes, for partners.py.
#include <pybind11/pybind11.h>

struct Dog { int legs = 4; };

PYBIND11_MODULE(pybind11_partner, module)
{
    pybind11::class_<Dog>(module, "Dog").def(pybind11::init<>()).def_readwrite("legs", &Dog::legs);
}
