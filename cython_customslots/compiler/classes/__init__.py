# SPDX-License-Identifier: MIT
"""Extensible cdef classes and metaclasses: what Cython analyses, and the C that it writes."""
