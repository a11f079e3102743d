// SPDX-License-Identifier: MIT
//
// A consumer of interfaces in C++, and a provider whose objects have slots: `Tile`.
#include "extensibletype.h"
#include "interface_shapes.h"

#include <utility>
#include <vector>

namespace {

struct Tile {
    PyObject_HEAD
    double side;
};

double area(PyObject *self) {
    return reinterpret_cast<Tile *>(self)->side;
}

double scale(PyObject *self, double factor) {
    return reinterpret_cast<Tile *>(self)->side *= factor;
}

int is_larger(PyObject *self, PyObject *other, const double *) {
    const tests::Shape shape(other);
    return shape ? area(self) > shape.area() : -1;
}

PyObject *label(PyObject *) {
    return PyUnicode_FromString("tile");
}

tests_Shape_Provided tile_shape = {nullptr, {area, scale, is_larger, label}};

int init(PyObject *self, PyObject *args, PyObject *) {
    return PyArg_ParseTuple(args, "d", &reinterpret_cast<Tile *>(self)->side) ? 0 : -1;
}

PyType_Slot tile_slots[] = {{Py_tp_init, reinterpret_cast<void *>(init)}, {0, nullptr}};

PyType_Spec tile_spec = {
    "interface_side_cpp.Tile", sizeof(Tile), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, tile_slots};

// Holds all of them before it calls the first.
PyObject *total(PyObject *, PyObject *shapes) {
    std::vector<tests::Shape> held;
    double sum = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(shapes); i++) {
        tests::Shape shape(PyTuple_GET_ITEM(shapes, i));
        if (!shape) return nullptr;
        held.push_back(std::move(shape));
    }
    std::vector<tests::Shape> copies = held;
    held.clear();
    Py_BEGIN_ALLOW_THREADS
    for (const tests::Shape &shape : copies) sum += shape.area();
    Py_END_ALLOW_THREADS
    return PyFloat_FromDouble(sum);
}

PyMethodDef methods[] = {
    {"total", total, METH_O, nullptr}, {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "interface_side_cpp", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_interface_side_cpp() {
    static PyCustomSlot slots[PyCustomSlots_MIN_CAPACITY];
    if (tests_Shape_Init() < 0) return nullptr;
    tests_Shape_Provide(&tile_shape, slots, PyCustomSlots_MIN_CAPACITY);
    PyObject *module = PyModule_Create(&definition);
#ifdef Py_GIL_DISABLED
    if (module) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
    PyObject *tile = module ? PyExtensibleType_FromSpec(
        nullptr, module, &tile_spec, nullptr, slots, PyCustomSlots_MIN_CAPACITY) : nullptr;
    if (!tile || PyModule_AddObject(module, "Tile", tile) < 0) {
        Py_XDECREF(tile);
        Py_CLEAR(module);
    }
    return module;
}
