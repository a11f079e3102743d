# SPDX-License-Identifier: MIT
# customslots: B.metaclass=abc.ABCMeta

_ERRORS = u"""
2:15: the comment names a metaclass for 'B', and there is no such cdef class in 'settings_without_classes'; there are none
"""
