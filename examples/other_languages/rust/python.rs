// SPDX-License-Identifier: MIT
//! CPython's C API, as much of it as this example needs.  64-bit.
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

/// A C string.
macro_rules! c {
    ($text:expr) => { concat!($text, "\0").as_ptr() as *const c_char };
}

/// What every object begins with.  Free-threaded builds: rustc --cfg Py_GIL_DISABLED
#[repr(C)]
pub struct PyObject {
    #[cfg(Py_GIL_DISABLED)]
    counts: [usize; 3],
    #[cfg(not(Py_GIL_DISABLED))]
    counts: usize,
    pub ob_type: *mut PyTypeObject,
}

impl PyObject {
    /// PyModuleDef_Init() does the rest.
    #[cfg(Py_GIL_DISABLED)]
    pub const NEW: PyObject = PyObject { counts: [0; 3], ob_type: null_mut() };
    #[cfg(not(Py_GIL_DISABLED))]
    pub const NEW: PyObject = PyObject { counts: 0, ob_type: null_mut() };
}

/// Only ever behind a pointer.
pub enum PyTypeObject {}

#[repr(C)]
pub struct PyMethodDef {
    pub name: *const c_char,
    pub function: Option<unsafe extern "C" fn(*mut PyObject, *mut PyObject) -> *mut PyObject>,
    pub flags: c_int,
    pub doc: *const c_char,
}
pub const METH_O: c_int = 0x0008;

impl PyMethodDef {
    pub const END: PyMethodDef = PyMethodDef { name: null(), function: None, flags: 0, doc: null() };
}

#[repr(C)]
pub struct PyMemberDef {
    pub name: *const c_char,
    pub kind: c_int,
    pub offset: isize,
    pub flags: c_int,
    pub doc: *const c_char,
}
pub const T_DOUBLE: c_int = 4;

impl PyMemberDef {
    pub const END: PyMemberDef =
        PyMemberDef { name: null(), kind: 0, offset: 0, flags: 0, doc: null() };
}

#[repr(C)]
pub struct PyType_Slot {
    pub slot: c_int,
    pub pfunc: *mut c_void,
}
pub const PY_TP_INIT: c_int = 60;
pub const PY_TP_MEMBERS: c_int = 72;

impl PyType_Slot {
    pub const END: PyType_Slot = PyType_Slot { slot: 0, pfunc: null_mut() };
}

#[repr(C)]
pub struct PyType_Spec {
    pub name: *const c_char,
    pub basicsize: c_int,
    pub itemsize: c_int,
    pub flags: c_uint,
    pub slots: *mut PyType_Slot,
}
pub const TPFLAGS_DEFAULT: c_uint = 0;
pub const TPFLAGS_BASETYPE: c_uint = 1 << 10;

#[repr(C)]
pub struct PyModuleDef_Slot {
    pub slot: c_int,
    pub value: *mut c_void,
}
pub const PY_MOD_EXEC: c_int = 2;
pub const PY_MOD_END: PyModuleDef_Slot = PyModuleDef_Slot { slot: 0, value: null_mut() };
/// "Needs none": CPython before 3.13 does not know it.
#[cfg(Py_GIL_DISABLED)]
pub const PY_MOD_GIL: PyModuleDef_Slot = PyModuleDef_Slot { slot: 4, value: 1 as *mut c_void };
#[cfg(not(Py_GIL_DISABLED))]
pub const PY_MOD_GIL: PyModuleDef_Slot = PY_MOD_END;

#[repr(C)]
pub struct PyModuleDef {
    pub base: PyObject,
    pub init: *mut c_void,
    pub index: isize,
    pub copy: *mut PyObject,
    pub name: *const c_char,
    pub doc: *const c_char,
    pub size: isize,
    pub methods: *mut PyMethodDef,
    pub slots: *mut PyModuleDef_Slot,
    pub traverse: *mut c_void,
    pub clear: *mut c_void,
    pub free: *mut c_void,
}

impl PyModuleDef {
    pub const NEW: PyModuleDef = PyModuleDef {
        base: PyObject::NEW, init: null_mut(), index: 0, copy: null_mut(), name: null(), doc: null(),
        size: 0, methods: null_mut(), slots: null_mut(), traverse: null_mut(), clear: null_mut(),
        free: null_mut(),
    };
}

extern "C" {
    pub static PyExc_ImportError: *mut PyObject;
    pub static PyExc_TypeError: *mut PyObject;

    pub fn Py_DecRef(object: *mut PyObject);
    pub fn PyArg_ParseTupleAndKeywords(arguments: *mut PyObject, keywords: *mut PyObject,
                                       format: *const c_char, names: *const *const c_char, ...) -> c_int;
    pub fn PyCapsule_GetPointer(capsule: *mut PyObject, name: *const c_char) -> *mut c_void;
    pub fn PyErr_Format(kind: *mut PyObject, format: *const c_char, ...) -> *mut PyObject;
    pub fn PyErr_Occurred() -> *mut PyObject;
    pub fn PyFloat_FromDouble(value: f64) -> *mut PyObject;
    pub fn PyImport_ImportModule(name: *const c_char) -> *mut PyObject;
    pub fn PyIter_Next(iterator: *mut PyObject) -> *mut PyObject;
    pub fn PyModuleDef_Init(definition: *mut PyModuleDef) -> *mut PyObject;
    pub fn PyObject_GetAttrString(object: *mut PyObject, name: *const c_char) -> *mut PyObject;
    pub fn PyObject_GetIter(object: *mut PyObject) -> *mut PyObject;
    pub fn PyObject_SetAttrString(object: *mut PyObject, name: *const c_char, value: *mut PyObject) -> c_int;
}
