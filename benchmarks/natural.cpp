/* SPDX-License-Identifier: MIT
 *
 * natural.cpp - the loops of natural.c, compiled as C++; typed functions are held by the C++ class.
 */
#include "natural.c"
