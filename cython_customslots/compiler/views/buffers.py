# SPDX-License-Identifier: MIT
"""Arguments and variables in the old buffer syntax, `np.ndarray[double] x`, under the switch `borrow_views`.

They are objects, and beside each Cython has a Py_buffer, from which it copies lengths and strides at once, and whose
address it keeps.  Where Cython would call PyObject_GetBuffer(), the Py_buffer is filled from the struct of a NumPy
array, and owns a reference to the array as it does otherwise; so Cython releases it, or takes another for it, as
ever, and it does not matter what becomes of the variable.
"""

import contextlib

from Cython.Compiler import Buffer

from ..shared.facts import FunctionFacts
from ..shared.replacing import replaced
from ..shared.writing import shown_at, substitute, utility
from .escaping import Escape
from .items import check_items, items_of


def variables_of(functions):
    """Yield (function, entry) of all buffers in these functions; a cpdef function has two, one of them for Python."""
    for function in functions.all():
        for entry in function.local_scope.buffer_entries:
            yield FunctionFacts.known(function).cpdef or function, entry


def check_buffer(type_):
    """Escape for a buffer that is never one of NumPy's arrays of numbers."""
    if type_.cast:
        raise Escape("its items are cast")
    check_items(type_.dtype)


@contextlib.contextmanager
def filled(entries):
    """Within it, C is written that fills the buffers of these variables."""
    entries, cythons = {entry.buffer_aux: entry for entry in entries}, Buffer.get_getbuffer_call

    def get_getbuffer_call(code, obj_cname, buffer_aux, buffer_type):
        call = cythons(code, obj_cname, buffer_aux, buffer_type)
        if buffer_aux not in entries:
            return call
        entry = entries[buffer_aux]
        code.globalstate.use_utility_code(utility("BorrowBuffers", "Views.c"))
        with shown_at(code, entry.pos, f"{entry.name} borrows"):
            pass
        order = {"c": "C_CONTIGUOUS", "fortran": "F_CONTIGUOUS"}.get(buffer_type.mode, "ANY_ORDER")
        more = f", {items_of(buffer_type.dtype)}, _Pycs_NUMPY_{order})"
        return substitute(r"^__Pyx_GetBufferAndValidate\((.*)\)$", rf"__Pyx_CustomSlots_GetBuffer(\1{more}", call,
                          "buffers", entry.pos)
    with replaced(Buffer, get_getbuffer_call=get_getbuffer_call):
        yield
