/* SPDX-License-Identifier: MIT
 *
 * natural.h - what the loops of natural.c, natural.cpp and natural.pyx have in common.
 *
 * The loops are ordinary ones: one look-up and one call a turn, and a value
 * that goes on from call to call, as in `x = f(x)`.  A loop that keeps nothing, as those
 * of lookup.c, does not show what a look-up does to the variables of its caller.
 */
#ifndef BENCH_NATURAL_H
#define BENCH_NATURAL_H

#ifdef __cplusplus
#  include "typedmethod.hpp"
#else
#  include "typedmethod.h"
#endif
#include "loops.h"

#define STEP PyCustomSlots_ID(PyCustomSlots_REGISTRAR_INTERNAL, 0xBE20, 0)

/* What all objects do, in C; -1 may be an error.  It multiplies and adds: with a function
   that does next to nothing, the same loop takes four or six cycles a turn, as the
   processor predicts jumps, and a ratio to it would mean nothing (see loops.h). */
typedef double (*Step)(PyObject *, double);

typedef struct {
    Step step;
} StepTable;

typedef struct {
    PyObject_HEAD
    const StepTable *vtable;
    double           factor;
} Stepper;

/* Each file is compiled several times, so that its loops come to lie in several places: a
   loop must not win or lose because of where the linker put it. */
#ifndef NATURAL_PLACE
#  define NATURAL_PLACE 1
#endif
#define NATURAL_TEXT_(x) #x
#define NATURAL_TEXT(x)  NATURAL_TEXT_(x)

static BENCH_ALWAYS_INLINE void
natural_place(void)
{
    __asm__ volatile(".skip " NATURAL_TEXT(NATURAL_PLACE) ", 0x90");
}

/* What is summed: as many items as there are turns, see TURNS in bench_calls.py. */
static double items[512];

#endif /* BENCH_NATURAL_H */
