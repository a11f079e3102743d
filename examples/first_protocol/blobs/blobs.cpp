#include <pybind11/pybind11.h>
#include "customslots.h"

struct Blob {
    explicit Blob(double size) : size(size) {}
    double size;
};

static double area(PyObject *self) {
    return pybind11::handle(self).cast<Blob *>()->size;
}

PYBIND11_MODULE(blobs, module, pybind11::mod_gil_not_used()) {
    pybind11::class_<Blob> cls(module, "Blob");
    cls.def(pybind11::init<double>());

    PyCustomSlot slot = {PyCustomSlots_Intern("shapes.area"), {reinterpret_cast<void *>(area)}};
    if (PyCustomSlots_Register(reinterpret_cast<PyTypeObject *>(cls.ptr()), &slot) < 0) {
        throw pybind11::error_already_set();
    }
}
