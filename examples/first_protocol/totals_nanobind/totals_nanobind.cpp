#include <nanobind/nanobind.h>
#include "customslots.h"

using area_function = double (*)(PyObject *self);

static uintptr_t area_id;

static double total(nanobind::iterable things) {
    double sum = 0.0;
    for (nanobind::handle thing : things) {
        const PyCustomSlot *slot = PyCustomSlots_FindAny(thing.ptr(), area_id, 0);
        if (slot) sum += reinterpret_cast<area_function>(slot->data.pointer)(thing.ptr());
    }
    return sum;
}

NB_MODULE(totals_nanobind, module) {
    area_id = PyCustomSlots_Intern("shapes.area");
    if (!area_id) throw nanobind::python_error();
    module.def("total", &total);
}
