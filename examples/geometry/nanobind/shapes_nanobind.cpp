// SPDX-License-Identifier: MIT
// Squares, a class of nanobind that implements geometry.Shape, and a consumer, in C++.
#include "geometry.h"

#include <nanobind/nanobind.h>

#include <limits>

namespace nb = nanobind;

struct Square {
    double side;

    double area() const { return side * side; }
    void scale(double factor) { side *= factor; }
};

// ---------------------------------------------------------------------- what it implements

// nullptr in a Python subclass that forgot to call __init__.
Square *square_in(PyObject *self) noexcept {
    return nb::inst_ready(self) ? nb::inst_ptr<Square>(self) : nullptr;
}

double square_area(PyObject *self) {
    const Square *square = square_in(self);
    return square ? square->area() : std::numeric_limits<double>::quiet_NaN();
}

int square_scale(PyObject *self, double factor) {
    Square *square = square_in(self);
    if (square == nullptr) {
        PyErr_SetString(PyExc_ValueError, "found a Square that was never initialised, expected a side");
        return -1;
    }
    square->scale(factor);
    return 0;
}

geometry_Shape_Provided square_shape = {nullptr, {square_area, square_scale}};

// -------------------------------------------------------------------------------- consumer

// [total_area.begin]
double total_area(nb::iterable shapes) {
    double total = 0;
    for (nb::handle obj : shapes) {
        const geometry::Shape shape(obj.ptr());
        if (!shape) throw nb::python_error();
        total += shape.area();
    }
    return total;
}
// [total_area.end]

// ------------------------------------------------------------------------------ the module

NB_MODULE(shapes_nanobind, module) {
    if (geometry_Shape_Init() < 0) throw nb::python_error();
    nb::class_<Square> square(module, "Square");
    square.def(nb::init<double>(), nb::arg("side"))
          .def_rw("side", &Square::side, "How long its edges are.");

    // [register.begin]
    // nanobind makes the type object, without room for slots.
    PyTypeObject *type = reinterpret_cast<PyTypeObject *>(square.ptr());
    if (geometry_Shape_Register(type, &square_shape) < 0) throw nb::python_error();
    // [register.end]

    module.def("total_area", &total_area, nb::arg("shapes"), "The sum of the areas of shapes.");
}
