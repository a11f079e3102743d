# SPDX-License-Identifier: MIT
from cython_customslots.typedmethod cimport PyTypedMethod_CALLER
def f():
    call = PyTypedMethod_CALLER("f8(f8)")
class A: pass
A.call = PyTypedMethod_CALLER("f8(f8)")
call = PyTypedMethod_CALLER()
text = "f8(f8)"
call2 = PyTypedMethod_CALLER(text)
call3 = PyTypedMethod_CALLER("f8(f8)", "f8(f8)")
call4 = PyTypedMethod_CALLER("f8")
call5 = PyTypedMethod_CALLER("f8(number)")
call6 = PyTypedMethod_CALLER("f8(void)")
call7 = PyTypedMethod_CALLER("f8(const object[:])")
call8 = PyTypedMethod_CALLER("f8(f8[:, :])")
call9 = PyTypedMethod_CALLER("f8(f8[::1], f8[::1], f8[::1], f8[::1], f8[::1], f8[::1])")
call10 = PyTypedMethod_CALLER("f8(f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8)")
cdef int call11
call11 = PyTypedMethod_CALLER("f8(f8)")

_ERRORS = u"""
4:31: PyTypedMethod_CALLER declares a C function: write 'name = PyTypedMethod_CALLER("f8(f8)")' at module level
6:29: PyTypedMethod_CALLER declares a C function: write 'name = PyTypedMethod_CALLER("f8(f8)")' at module level
7:27: PyTypedMethod_CALLER takes one literal, a signature such as 'double(double, long)'
9:28: PyTypedMethod_CALLER takes one literal, a signature such as 'double(double, long)'
10:28: PyTypedMethod_CALLER takes one literal, a signature such as 'double(double, long)'
11:29: PyTypedMethod_CALLER: found 'f8', expected a signature such as 'double(double, long)'
12:29: PyTypedMethod_CALLER: found 'number' in 'f8(number)', expected types among void bool i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 f16 pointer object char short int long float double size_t Py_ssize_t (complex numbers: in a 'cdef extern from *' block)
13:29: PyTypedMethod_CALLER: found 'void' in 'f8(void)', expected types among void bool i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 f16 pointer object char short int long float double size_t Py_ssize_t (complex numbers: in a 'cdef extern from *' block)
14:29: PyTypedMethod_CALLER: found 'const object[:]' in 'f8(const object[:])', expected types among void bool i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 f16 pointer object char short int long float double size_t Py_ssize_t (complex numbers: in a 'cdef extern from *' block)
15:29: PyTypedMethod_CALLER: found 'f8(f8[:, :])', expected a signature such as 'double(double, long)'
16:29: PyTypedMethod_CALLER: found 12 arguments, expected at most 11 (an array counts as two)
17:30: PyTypedMethod_CALLER: found 12 arguments, expected at most 11 (an array counts as two)
19:29: PyTypedMethod_CALLER: found 'call11', which is declared already; expected a new name
"""
