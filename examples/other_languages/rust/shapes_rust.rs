// SPDX-License-Identifier: MIT
//! Circle, a class with a slot, and total_area(), which adds up what has that slot.
#![allow(non_camel_case_types, non_upper_case_globals)]
mod customslots;
#[macro_use]
mod python;

use customslots::{Api, Functions, Slot, COUNT, RENDEZVOUS_VERSION};
use python::*;
use std::mem::size_of;
use std::os::raw::{c_char, c_int, c_void};
use std::ptr::{addr_of, addr_of_mut, null, null_mut};
use std::sync::atomic::Ordering::Acquire;

// ------------------------------------------------------------------------- the protocol

/// The ID of the slot is that of this name.
macro_rules! protocol { () => { "other_languages.shape" } }

/// What its data points to.  It cannot fail; it is called with the GIL.
#[repr(C)]
struct Shape {
    area: unsafe extern "C" fn(*mut PyObject) -> f64,
}

// -------------------------------------------------------------------------- the runtime

/// The API of this interpreter, checked; null with an exception.  Importing the runtime makes it.
unsafe fn find_api() -> *mut Api {
    let runtime = PyImport_ImportModule(c!("_customslots_runtime"));
    if runtime.is_null() { return null_mut(); }
    Py_DecRef(runtime);
    let module = PyImport_ImportModule(c!("_extensibletype"));
    if module.is_null() { return null_mut(); }
    let capsule = PyObject_GetAttrString(module, c!("_api"));
    Py_DecRef(module);
    if capsule.is_null() { return null_mut(); }
    let api = PyCapsule_GetPointer(capsule, c!("_extensibletype._api_v4")) as *mut Api;
    Py_DecRef(capsule);
    if api.is_null() { return null_mut(); }
    if (*api).rendezvous_version != RENDEZVOUS_VERSION || functions(api).count < COUNT {
        PyErr_Format(PyExc_ImportError, c!("shapes_rust: found rendezvous version %d with %d \
            functions, expected %d with %d or more; install a newer cython-customslots"),
            (*api).rendezvous_version, functions(api).count, RENDEZVOUS_VERSION, COUNT);
        return null_mut();
    }
    api
}

/// Who serves now.
unsafe fn functions<'a>(api: *mut Api) -> &'a Functions {
    &*(*api).functions.load(Acquire)
}

// ------------------------------------------------------------------------- the provider

#[repr(C)]
struct Circle {
    head: PyObject,
    radius: f64,
}

unsafe extern "C" fn circle_area(circle: *mut PyObject) -> f64 {
    let radius = (*(circle as *mut Circle)).radius;
    std::f64::consts::PI * radius * radius
}

unsafe extern "C" fn circle_init(me: *mut PyObject, arguments: *mut PyObject, keywords: *mut PyObject) -> c_int {
    let names = [c!("radius"), null()];
    let radius = addr_of_mut!((*(me as *mut Circle)).radius);
    PyArg_ParseTupleAndKeywords(arguments, keywords, c!("d:Circle"), names.as_ptr(), radius) - 1
}

static CIRCLE: Shape = Shape { area: circle_area };
static mut MEMBERS: [PyMemberDef; 2] = [
    PyMemberDef { name: c!("radius"), kind: T_DOUBLE, offset: size_of::<PyObject>() as isize, flags: 0,
                  doc: c!("The distance of its edge from its middle.") },
    PyMemberDef::END,
];

/// A new reference, or null with an exception.
unsafe fn new_circle_class(api: *mut Api, module: *mut PyObject) -> *mut PyObject {
    let id = (functions(api).intern)(api, c!(protocol!()));
    if id == 0 { return null_mut(); }
    let mut slots = [
        PyType_Slot { slot: PY_TP_INIT, pfunc: circle_init as *mut c_void },
        PyType_Slot { slot: PY_TP_MEMBERS, pfunc: addr_of_mut!(MEMBERS) as *mut c_void },
        PyType_Slot::END,
    ];
    let mut spec = PyType_Spec {
        name: c!("shapes_rust.Circle"), basicsize: size_of::<Circle>() as c_int, itemsize: 0,
        flags: TPFLAGS_DEFAULT | TPFLAGS_BASETYPE, slots: slots.as_mut_ptr(),
    };
    let own = Slot { id, data: addr_of!(CIRCLE) as *const c_void };
    (functions(api).from_spec)(api, null_mut(), module, &mut spec, null_mut(), &own, 1)
}

// ------------------------------------------------------------------------- the consumer

/// Whatever is in `shapes`, of whatever language: the sum of their areas.
unsafe extern "C" fn total_area(_: *mut PyObject, shapes: *mut PyObject) -> *mut PyObject {
    let api = find_api();
    let id = if api.is_null() { 0 } else { (functions(api).intern)(api, c!(protocol!())) };
    let iterator = if id == 0 { null_mut() } else { PyObject_GetIter(shapes) };
    if iterator.is_null() { return null_mut(); }
    let mut total = 0.0;
    loop {
        let shape = PyIter_Next(iterator);
        if shape.is_null() { break; }
        let slot = (functions(api).find_any)(api, (*shape).ob_type, id, 0);
        if slot.is_null() {
            PyErr_Format(PyExc_TypeError, c!(concat!("total_area: found an object of %R, which has no \
                slot '", protocol!(), "', expected shapes only")), (*shape).ob_type);
        } else {
            total += ((*((*slot).data as *const Shape)).area)(shape);
        }
        Py_DecRef(shape);
        if slot.is_null() { break; }
    }
    Py_DecRef(iterator);
    if PyErr_Occurred().is_null() { PyFloat_FromDouble(total) } else { null_mut() }
}

// --------------------------------------------------------------------------- the module

unsafe extern "C" fn execute(module: *mut PyObject) -> c_int {
    let api = find_api();
    let class = if api.is_null() { null_mut() } else { new_circle_class(api, module) };
    if class.is_null() { return -1; }
    let status = PyObject_SetAttrString(module, c!("Circle"), class);
    Py_DecRef(class);
    status
}

static mut METHODS: [PyMethodDef; 2] = [
    PyMethodDef { name: c!("total_area"), function: Some(total_area), flags: METH_O,
                  doc: c!("The sum of the areas of shapes.") },
    PyMethodDef::END,
];
static mut SLOTS: [PyModuleDef_Slot; 3] =
    [PyModuleDef_Slot { slot: PY_MOD_EXEC, value: execute as *mut c_void }, PY_MOD_GIL, PY_MOD_END];
static mut MODULE: PyModuleDef = PyModuleDef::NEW;

#[no_mangle]
pub unsafe extern "C" fn PyInit_shapes_rust() -> *mut PyObject {
    MODULE.name = c!("shapes_rust");
    MODULE.methods = addr_of_mut!(METHODS) as *mut PyMethodDef;
    MODULE.slots = addr_of_mut!(SLOTS) as *mut PyModuleDef_Slot;
    PyModuleDef_Init(addr_of_mut!(MODULE))
}
