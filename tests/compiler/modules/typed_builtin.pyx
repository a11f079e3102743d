# cython: binding=False, language_level=3, freethreading_compatible=True
# Functions and methods that are builtin.
cimport cython_customslots

include "typed_functions.pxi"
