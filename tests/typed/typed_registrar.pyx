# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
"""Registers a layout from Cython, which needs the full API."""
from cython_customslots.typedmethod cimport PyTypedMethod_RegisterLayout


def layout(cls, Py_ssize_t def_offset, Py_ssize_t self_offset):
    PyTypedMethod_RegisterLayout(cls, def_offset, self_offset)
