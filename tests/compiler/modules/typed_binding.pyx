# cython: binding=True, language_level=3, freethreading_compatible=True
# Functions that are objects of Cython.
cimport cython_customslots

include "typed_functions.pxi"
