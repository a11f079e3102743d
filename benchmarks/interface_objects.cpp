// SPDX-License-Identifier: MIT
//
// The same loops in C++: virtual calls of eight classes, with and without dynamic_cast.
#include <Python.h>

#include <chrono>
#include <memory>
#include <vector>

namespace {

struct Thing {
    virtual ~Thing() = default;
};

struct Shape : Thing {
    double radius = 1;
    virtual double area() = 0;
};

template <int N> struct Class : Shape {
    double area() override { return radius + N; }
};

template <int... N> std::vector<std::unique_ptr<Thing>> make(int classes, int count, std::integer_sequence<int, N...>) {
    using Maker = std::unique_ptr<Thing> (*)();
    static const Maker makers[] = {+[]() -> std::unique_ptr<Thing> { return std::unique_ptr<Thing>(new Class<N>); }...};
    std::vector<std::unique_ptr<Thing>> things;
    for (int i = 0; i < count; i++) things.push_back(makers[i % classes]());
    return things;
}

volatile double result;

template <bool Cast> PyObject *run(PyObject *, PyObject *args) {
    int classes, count;
    long n;
    if (!PyArg_ParseTuple(args, "iil", &classes, &count, &n)) return nullptr;
    const auto things = make(classes, count, std::make_integer_sequence<int, 8>());
    double x = 0;
    const auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < n; i++) {
        for (const auto &thing : things) {
            Shape *shape = Cast ? dynamic_cast<Shape *>(thing.get()) : static_cast<Shape *>(thing.get());
            if (shape) x += shape->area();
        }
    }
    const auto took = std::chrono::steady_clock::now() - start;
    result = x;
    return PyLong_FromLongLong(std::chrono::duration_cast<std::chrono::nanoseconds>(took).count());
}

PyMethodDef methods[] = {
    {"virtual_call", run<false>, METH_VARARGS, nullptr},
    {"dynamic", run<true>, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "interface_objects", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_interface_objects() {
    return PyModule_Create(&definition);
}
