// SPDX-License-Identifier: MIT
//! The table of functions that cython-customslots offers: docs/abi-rendezvous.md.
use crate::python::{PyObject, PyTypeObject, PyType_Spec};
use std::os::raw::{c_char, c_int, c_void};
use std::sync::atomic::AtomicPtr;

#[repr(C)]
pub struct Slot {
    pub id: usize,
    pub data: *const c_void,
}

/// One for each interpreter.
#[repr(C)]
pub struct Api {
    pub rendezvous_version: u32,
    pub table_abi: u32,
    pub state_version: u32,
    reserved: u32,
    pub heaptype_size: isize,
    pub type_size: isize,
    pub metaclass: *mut PyTypeObject,
    state: *mut c_void,
    /// Who serves.  Another one may take its place at any time: load it for each use.
    pub functions: AtomicPtr<Functions>,
    met: *mut c_void,
}

/// Constant.  `count` pointers follow `module`.
#[repr(C)]
pub struct Functions {
    looks: [*const c_void; 2],
    pub number: u32,
    pub state_version: u32,
    pub count: u32,
    pub module: *const c_char,
    hooks: [*const c_void; 16],
    // ready, inherit_fields, set_slots, finish, calculate_metaclass, new_static, publish
    for_c: [*const c_void; 7],
    pub from_spec: unsafe extern "C" fn(*mut Api, *mut PyTypeObject, *mut PyObject, *mut PyType_Spec,
                                        *mut PyObject, *const Slot, isize) -> *mut PyObject,
    // register_fields, set_field, delete_field, mark_fields, set_field_object, combine
    for_fields: [*const c_void; 6],
    pub find: unsafe extern "C" fn(*mut Api, *mut PyTypeObject, usize, isize) -> *const Slot,
    pub find_any: unsafe extern "C" fn(*mut Api, *mut PyTypeObject, usize, isize) -> *const Slot,
    pub slot_count: unsafe extern "C" fn(*mut Api, *mut PyTypeObject) -> isize,
    pub slot_table: unsafe extern "C" fn(*mut Api, *mut PyTypeObject) -> *const Slot,
    pub intern: unsafe extern "C" fn(*mut Api, *const c_char) -> usize,
    pub register_slot: unsafe extern "C" fn(*mut Api, *mut PyTypeObject, *const Slot) -> c_int,
}

/// How many pointers an implementation has behind `module` that has all of these.
pub const COUNT: u32 = (std::mem::size_of::<Functions>() / std::mem::size_of::<usize>() - 5) as u32;
pub const RENDEZVOUS_VERSION: u32 = 4;
