// SPDX-License-Identifier: MIT
// Square, a class of nanobind, which is given a slot; and total_area(), which adds up what has it.
#include "customslots.hpp"

#include <nanobind/nanobind.h>

#include <limits>

namespace nb = nanobind;

// --------------------------------------------------------------------------- the protocol

// [protocol.begin]
constexpr const char *protocol = "other_languages.shape";   // whose ID is the slot's

// What its data points to.  It cannot fail; it is called with the GIL.
struct Shape {
    double (*area)(PyObject *);
};
// [protocol.end]

// ---------------------------------------------------------------------------- the runtime

// What is called; of this interpreter.
struct Runtime {
    customslots::Api *api;
    std::uintptr_t shape_id;

    Runtime() {
        nb::module_::import_("_customslots_runtime");       // which makes it, if need be
        nb::object capsule = nb::module_::import_("_extensibletype").attr("_api");
        api = static_cast<customslots::Api *>(
            PyCapsule_GetPointer(capsule.ptr(), "_extensibletype._api_v4"));
        if (api == nullptr) throw nb::python_error();
        if (api->rendezvous_version != customslots::rendezvous_version
                || functions()->count < customslots::count) {
            PyErr_Format(PyExc_ImportError, "shapes_nanobind: found rendezvous version %d with %d "
                         "functions, expected %d with %d or more; install a newer cython-customslots",
                         static_cast<int>(api->rendezvous_version), static_cast<int>(functions()->count),
                         static_cast<int>(customslots::rendezvous_version), static_cast<int>(customslots::count));
            throw nb::python_error();
        }
        shape_id = functions()->intern(api, protocol);
        if (shape_id == 0) throw nb::python_error();
    }

    // [functions.begin]
    // Who serves now.
    const customslots::Functions *functions() const {
        return api->functions.load(std::memory_order_acquire);
    }
    // [functions.end]
};

// --------------------------------------------------------------------------- the provider

struct Square {
    double side;
};

double square_area(PyObject *square) {
    // A Python subclass may have forgotten to call __init__.
    if (!nb::inst_ready(square)) return std::numeric_limits<double>::quiet_NaN();
    const double side = nb::inst_ptr<Square>(square)->side;
    return side * side;
}

constexpr Shape square_shape = {square_area};

// --------------------------------------------------------------------------- the consumer

// [total_area.begin]
// Whatever is in `shapes`, of whatever language: the sum of their areas.
double total_area(nb::iterable shapes) {
    const Runtime runtime;
    double total = 0.0;
    for (nb::handle shape : shapes) {
        const customslots::Slot *slot = runtime.functions()->find_any(
            runtime.api, Py_TYPE(shape.ptr()), runtime.shape_id, 0);
        if (slot == nullptr) {
            PyErr_Format(PyExc_TypeError, "total_area: found an object of %R, which has no slot "
                         "'%s', expected shapes only", Py_TYPE(shape.ptr()), protocol);
            throw nb::python_error();
        }
        total += static_cast<const Shape *>(slot->data)->area(shape.ptr());
    }
    return total;
}
// [total_area.end]

// ----------------------------------------------------------------------------- the module

NB_MODULE(shapes_nanobind, module) {
    const Runtime runtime;
    nb::class_<Square> square(module, "Square");
    square.def(nb::init<double>(), nb::arg("side"))
          .def_rw("side", &Square::side, "How long its edges are.");

    // nanobind makes the type object, without room for a table; the slot is registered for it.
    const customslots::Slot slot = {runtime.shape_id, &square_shape};
    PyTypeObject *type = reinterpret_cast<PyTypeObject *>(square.ptr());
    if (runtime.functions()->register_slot(runtime.api, type, &slot) < 0) throw nb::python_error();

    module.def("total_area", &total_area, nb::arg("shapes"), "The sum of the areas of shapes.");
}
