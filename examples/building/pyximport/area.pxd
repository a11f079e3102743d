# SPDX-License-Identifier: MIT
# A protocol: "my instances have an area".  pyximport compiles without include paths, so it
# is not a C header here, but Cython's.
#
# What the slot named shapes.area points to; it cannot fail.
ctypedef double (*area_function)(object self) noexcept
