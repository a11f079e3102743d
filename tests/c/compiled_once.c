/* SPDX-License-Identifier: MIT
 *
 * compiled_once.c - the functions of typed calls and arrays that are not inlined, for the C files of one library.
 */
#include "../abi.h"
/* [once.begin] */
#define PyCustomSlots_HERE
#include "typedarray.h"
#include "typedmethod.h"
/* [once.end] */
