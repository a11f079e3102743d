// SPDX-License-Identifier: MIT
//! A reader written from docs/abi.md alone, which quotes it; test_abi_is_enough.py asks it.
// [reader.begin]
use std::sync::atomic::{AtomicUsize, Ordering::Acquire};
const READY: usize = 0x5E9200C5A17B3D05;
const UNFINISHED: usize = 0x5E9200C5A17B2D05;
const STATIC_MARK: usize = -0x5E9202isize as usize;
#[repr(C)] pub struct Looks { find: unsafe extern "C" fn(usize, usize, usize) -> usize }
/// Of the running interpreter: object.__basicsize__, type.__basicsize__, tp_flags' and tp_base's places, type's address.
#[repr(C)] pub struct Python { head: usize, h: usize, flags: usize, base: usize, metatype: usize }
unsafe fn load(at: usize) -> usize { (*(at as *const AtomicUsize)).load(Acquire) }

#[no_mangle] pub unsafe extern "C" fn find(python: &Python, mut t: usize, id: usize) -> usize {
    while load(t + python.flags) & 1 << 9 == 0 && load(t + python.head) != STATIC_MARK {
        if load(t + python.head - 8) == python.metatype { return 0 }
        t = load(t + python.base);
        if t == 0 { return 0 }
    }
    let check = load(t + python.h + 16) ^ t;
    if id < 2 || check != READY && check != UNFINISHED { return 0 }
    let table = load(t + python.h + 8);
    ((*(load(load(table - 16)) as *const Looks)).find)(t, table, id)
}
// [reader.end]
