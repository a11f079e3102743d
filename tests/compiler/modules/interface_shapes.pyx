# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# The module that the declarations belong to: what Python knows of them are its attributes.
