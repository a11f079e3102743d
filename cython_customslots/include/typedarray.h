/* SPDX-License-Identifier: MIT
 *
 * typedarray.h - any array, as C sees it.
 *
 * THE DOMAIN
 *
 * A compiled function that takes an array needs an address, a shape and strides.  Today it asks by
 * the buffer protocol, which allocates and parses (a Cython memoryview: 140 ns and more for each array,
 * whatever its size), or it is compiled against one library.  DLPack has given the field one struct,
 * and a table of functions that fill it, and SEP 200 has slots: an ID, and C data for each type that has
 * it.  This header asks the object in the quickest way that the object supports, NumPy's public struct
 * among them, and checks the answer.
 *
 * THE PICTURE
 *
 *   object            PyTypedArray, on the stack          memory of the object
 *   +---------+       +-------------------------+         +---+---+---+---+---+---+
 *   | ob_type |  +----| data                    |-------->| 0 | 1 | 2 | 3 | 4 | 5 |
 *   | ...     |  |    | size 6, ndim 2          |         +---+---+---+---+---+---+
 *   +---------+  |    | dtype {float, 64, 1}    |           item [1, 0] is at
 *      ^         |    | itemsize 8, readonly 0  |           data + 1 * strides[0]
 *      |         |    | shape   [2, 3]          |                + 0 * strides[1]
 *      +---------|----| strides [24, 8]  bytes! |
 *       until Clear   | held, managed, buffer   |
 *                     +-------------------------+
 *
 * AN EXAMPLE (tests/c/example_array.c holds this text and is compiled and run)
 *
 *   // [example.begin]
 *   #include "typedarray.h"
 *
 *   static double                                 // -1 with an exception, or the sum of products
 *   dot(PyObject *x, PyObject *y)
 *   {
 *       static const PyTypedArray_Spec spec = PyTypedArray_SPEC(double, 1, 0);
 *       PyTypedArray a, b;
 *       double sum = -1.0;
 *       Py_ssize_t i;
 *       if (PyTypedArray_Init(&a, x, &spec) < 0) return -1.0;
 *       if (PyTypedArray_Init(&b, y, &spec) == 0) {
 *           if (a.shape[0] != b.shape[0]) {
 *               PyErr_SetString(PyExc_ValueError, "found two lengths, expected one");
 *           }
 *           else {
 *               for (i = 0, sum = 0.0; i < a.shape[0]; i++) {
 *                   sum += *(double *)PyTypedArray_At1(&a, i) * *(double *)PyTypedArray_At1(&b, i);
 *               }
 *           }
 *           PyTypedArray_Clear(&b);
 *       }
 *       PyTypedArray_Clear(&a);
 *       return sum;
 *   }
 *   // [example.end]
 *
 * C++ has a class, customslots::array<double, 2>, in typedarray.hpp; Cython cimports
 * cython_customslots.typedarray.
 *
 * CONTRACT OF EVERYTHING BELOW, unless a function says otherwise
 *
 *   - Include it in as many files as you like, as C99 or later or C++11 or later; nothing to
 *     initialise, to import or to link, and no header of NumPy or DLPack is needed.
 *   - Init, Own and Clear need the GIL or, on free-threaded builds, an attached thread state.  A
 *     filled PyTypedArray is read without it, in any thread.
 *   - Any object is accepted, and none makes it crash: shapes, strides and types that an exporter gets
 *     wrong are refused.  Only the exporter knows whether the address is right.
 *   - The items are the object's own: nothing is copied, converted, locked or waited for.  Another
 *     thread may change them; on a device other than the CPU work may still be queued.
 *   - On PyPy all of this works by the same sources.
 *   - Works with Py_LIMITED_API from 3.11 on, where the limited API has buffers, and with Py_TARGET_ABI3T.
 */
#ifndef Py_TYPEDARRAY_H
#define Py_TYPEDARRAY_H

#include "customslots.h"

#if defined(Py_LIMITED_API) && Py_LIMITED_API + 0 < 0x030B0000
#  error "typedarray.h needs Py_LIMITED_API of 3.11 (0x030B0000) or later, which has buffers"
#endif

#include "_typedarray/dlpack.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "_typedarray/array.h"
#include "_typedarray/check.h"
#include "_typedarray/numpy.h"
#include "_typedarray/sources.h"

#ifdef PyCustomSlots_ELSEWHERE
extern _Pycs_HIDDEN const struct _Pycs_ArrayFunctions {
    int (*init)(PyTypedArray *, PyObject *, const PyTypedArray_Spec *);
    int (*own)(PyTypedArray *, PyObject *, const PyTypedArray_Spec *);
} _Pycs_TABLE_OF(typedarray);
#  ifdef PyCustomSlots_HERE
const struct _Pycs_ArrayFunctions _Pycs_TABLE_OF(typedarray) = {PyTypedArray_Init, PyTypedArray_Own};
#  else
#    define PyTypedArray_Init (*_Pycs_TABLE_OF(typedarray).init)
#    define PyTypedArray_Own  (*_Pycs_TABLE_OF(typedarray).own)
#  endif
#endif

#ifdef __cplusplus
}
#endif

#endif /* Py_TYPEDARRAY_H */
