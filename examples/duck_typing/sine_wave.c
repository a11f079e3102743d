/* SPDX-License-Identifier: MIT
 *
 * Provider two, in C: sine waves, a static type.  It knows nobody else in this folder.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>

#include <math.h>
#include <stddef.h>

#include "extensibletype.h"

#include "double_function.h"

typedef struct {
    PyObject_HEAD
    double amplitude;
    double frequency;
} SineWave;

/* This is what stands in the slot. */
static double
sine_wave_evaluate(PyObject *self, double x)
{
    SineWave *wave = (SineWave *)self;
    return wave->amplitude * sin(wave->frequency * x);
}

static int
sine_wave_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"amplitude", "frequency", NULL};
    SineWave *wave = (SineWave *)self;
    wave->amplitude = wave->frequency = 1.0;
    return PyArg_ParseTupleAndKeywords(args, kwargs, "|dd:SineWave", names,
                                       &wave->amplitude, &wave->frequency) ? 0 : -1;
}

static PyObject *
sine_wave_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"x", NULL};
    double x;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "d:SineWave", names, &x)) {
        return NULL;
    }
    return PyFloat_FromDouble(sine_wave_evaluate(self, x));
}

static PyMemberDef sine_wave_members[] = {
    {"amplitude", T_DOUBLE, offsetof(SineWave, amplitude), 0, NULL},
    {"frequency", T_DOUBLE, offsetof(SineWave, frequency), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyCustomSlot sine_wave_slots[] = {
    {0, {(void *)sine_wave_evaluate}},           /* the ID of a name is known at run time */
};

/* SEP 200's type object: CPython's own, then the number of slots and their table. */
static PyHeapExtensibleTypeObject SineWave_Type = {
    .etp_heaptype.ht_type = {
        PyVarObject_HEAD_INIT(NULL, 0)
        .tp_name = "sine_wave.SineWave",
        .tp_basicsize = sizeof(SineWave),
        .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .tp_doc = "SineWave(amplitude=1.0, frequency=1.0): amplitude * sin(frequency * x)",
        .tp_new = PyType_GenericNew,
        .tp_init = sine_wave_init,
        .tp_call = sine_wave_call,
        .tp_members = sine_wave_members,
    },
    .etp_custom_slot_count = 1,
    .etp_custom_slots = sine_wave_slots,
};

static int
sine_wave_exec(PyObject *module)
{
    sine_wave_slots[0].id = PyCustomSlots_Intern(DOUBLE_FUNCTION);
    /* Instead of PyType_Ready(); fails, too, if there is no ID; 1 is the number of entries that
       sine_wave_slots has room for. */
    if (PyExtensibleType_Ready(&SineWave_Type, 1) < 0) {
        return -1;
    }
    return PyModule_AddObjectRef(module, "SineWave", (PyObject *)&SineWave_Type);
}

static PyModuleDef_Slot sine_wave_module_slots[] = {
    {Py_mod_exec, (void *)sine_wave_exec},
#ifdef Py_mod_gil
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef sine_wave_module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "sine_wave",
    .m_doc = "Sine waves, written in C.",
    .m_slots = sine_wave_module_slots,
};

PyMODINIT_FUNC
PyInit_sine_wave(void)
{
    return PyModuleDef_Init(&sine_wave_module);
}
