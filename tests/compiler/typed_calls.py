# SPDX-License-Identifier: MIT
"""Calls the C function behind a Python function, by its signature, with ctypes."""
import ctypes

C_TYPES = {
    "void": None, "bool": ctypes.c_bool, "i1": ctypes.c_int8, "i2": ctypes.c_int16,
    "i4": ctypes.c_int32, "i8": ctypes.c_int64, "u1": ctypes.c_uint8, "u2": ctypes.c_uint16,
    "u4": ctypes.c_uint32, "u8": ctypes.c_uint64, "f4": ctypes.c_float, "f8": ctypes.c_double,
    "f16": ctypes.c_longdouble, "pointer": ctypes.c_char_p, "object": ctypes.py_object,
}

VALUE, MAYBE, ANY, NOGIL, CTX_FIRST, SELF = 1, 2, 3, 4, 8, 32


def integer(c_type, signed=True):
    """The code of one of ctypes' integers, as wide as it is here."""
    return f"{'i' if signed else 'u'}{ctypes.sizeof(c_type)}"


def flags(caller, function, text):
    return caller.find(function, text)[2]


def typed(caller, function, text):
    """A Python function that calls the C function of this signature.

    With the GIL, and raising what it raised, whatever its flags say.  The receiver of a
    bound method is handed in.
    """
    address, context, found_flags, _, _ = caller.find(function, text)
    result, _, arguments = text.rstrip(")").partition("(")
    types = [C_TYPES[code] for code in arguments.split(", ") if code]
    bound = found_flags & CTX_FIRST
    prototype = ctypes.PYFUNCTYPE(C_TYPES[result], *([ctypes.c_void_p] if bound else []), *types)
    foreign = prototype(address)

    def call(*args):
        assert function is not None              # which keeps the receiver alive
        return foreign(*([context] if bound else []), *args)

    return call
