// SPDX-License-Identifier: MIT
// The table of functions that cython-customslots offers: docs/abi-rendezvous.md.
#pragma once

#include <Python.h>

#include <atomic>
#include <cstdint>

namespace customslots {

struct Slot {
    std::uintptr_t id;
    const void *data;
};

struct Functions;

// One for each interpreter.
struct Api {
    std::uint32_t rendezvous_version, table_abi, state_version, reserved;
    Py_ssize_t heaptype_size, type_size;
    PyTypeObject *metaclass;
    void *state;
    std::atomic<const Functions *> functions;       // who serves: load it for each use
    void *met;
};

// Constant.  `count` pointers follow `module`.
struct Functions {
    void *looks[2];
    std::uint32_t number, state_version, count;
    const char *module;
    void *hooks[16];
    void *for_c[14];                                // ready to combine
    const Slot *(*find)(Api *, PyTypeObject *, std::uintptr_t id, Py_ssize_t position);
    const Slot *(*find_any)(Api *, PyTypeObject *, std::uintptr_t id, Py_ssize_t position);
    Py_ssize_t (*slot_count)(Api *, PyTypeObject *);
    const Slot *(*slot_table)(Api *, PyTypeObject *);
    std::uintptr_t (*intern)(Api *, const char *name);
    int (*register_slot)(Api *, PyTypeObject *, const Slot *);
};

constexpr std::uint32_t rendezvous_version = 4;
constexpr std::uint32_t count = 16 + 14 + 6;        // pointers, of who has all of these

}  // namespace customslots
