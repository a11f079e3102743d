# SPDX-License-Identifier: MIT
# A protocol: "my instances have an area".  pyximport compiles without include paths, so it
# is not a C header here, but Cython's.
cdef enum:
    AREA_ID = 0x01A4EA01                         # PyCustomSlots_ID(0x01, 0xA4EA, 0)

# What the slot's pointer points to; it cannot fail.
ctypedef double (*area_function)(object self) noexcept
