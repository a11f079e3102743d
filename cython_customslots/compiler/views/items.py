# SPDX-License-Identifier: MIT
"""Types of items, as NumPy's arrays have them."""

from Cython.Compiler import PyrexTypes

from ..shared.facts import plain
from .escaping import Escape


def check_items(dtype):
    """Escape for items that are no numbers."""
    plain_type = plain(dtype)
    if not (plain_type.is_float or plain_type.is_complex or plain_type.is_int and not plain_type.is_enum) or (
            plain_type is PyrexTypes.c_bint_type):
        raise Escape(f"its items are of type '{plain_type}'")


def items_of(dtype):
    """Their type in C: DLPack's code, or -1 for the types that a char stands for, and the number of bits."""
    item = plain(dtype).empty_declaration_code()
    code = ("-1" if dtype is PyrexTypes.c_char_type else
            "kDLFloat" if plain(dtype).is_float else "kDLComplex" if plain(dtype).is_complex else
            f"((({item})-1 > ({item})0) ? kDLUInt : kDLInt)")
    return f"{code}, 8 * sizeof({item})"
