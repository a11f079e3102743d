// SPDX-License-Identifier: MIT
// A class that nanobind makes, for partners.py.
#include <nanobind/nanobind.h>

struct Dog { int legs = 4; };

NB_MODULE(nanobind_partner, module)
{
    nanobind::class_<Dog>(module, "Dog").def(nanobind::init<>()).def_rw("legs", &Dog::legs);
}
