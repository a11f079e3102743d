/* SPDX-License-Identifier: MIT
 *
 * natural.cpp - the loops of natural.c, compiled as C++.
 */
#include "natural.c"
