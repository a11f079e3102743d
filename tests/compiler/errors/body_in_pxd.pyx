# SPDX-License-Identifier: MIT
from body_in_pxd cimport Shape

_ERRORS = u"""
body_in_pxd.pxd:5:63: the body of 'area' takes 'side' of its object, of which interface 'Shape' knows the methods only; declare a method that gets it, or write '(<object>shape).side' for an attribute that Python sees
"""
