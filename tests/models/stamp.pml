/* SPDX-License-Identifier: MIT
 *
 * stamp.pml - the stamp in the upper half of tp_flags, which CPython writes without an atomic, and types that follow
 * one another at one address.
 *
 * WHAT IS MODELLED.  Three types at one address, each of ours or a plain one.  Ours is filled, published, finished and
 * changed once more, each of which gives it the stamp unless it is there; it dies when nobody has a reference.  CPython
 * (type.__abstractmethods__ and others) reads all of tp_flags and stores it later with one bit changed, for which it
 * has a reference.  A reader, with a reference, looks at the stamp.
 *
 * WHAT MUST HOLD.  Who finds a stamp has a type of ours: no stamp comes from a type that died, by whatever way.  A
 * stamp that is lost is given again: at the end of each life of ours in which CPython stored nothing after the last
 * change.
 *
 * LEFT OUT.  Which table is found: reader.pml.  Writes of half of the word are one step.
 *
 * MAPPING
 *   Owner          slots.c: _Pycs_SetStamp, _Pycs_SetRecord
 *                  metaclass.c: _Pycs_dealloc
 *   Reader         include/customslots.h: _Pycs_IsStamped
 */
byte upper, lower;      /* tp_flags: upper 1 is the stamp of this address */
bool ours, live, over, touched;
byte references, lives;

inline SetStamp() { if :: upper != 1 -> upper = 1 :: else fi }

active proctype Owner() {
  do
  :: lives < 3 ->
#ifndef M_NOT_ZEROED
     atomic { upper = 0; lower = 0 }            /* PyType_GenericAlloc() */
#endif
     if :: ours = 1 :: ours = 0 fi;
     lives++; live = 1;
     if
     :: ours -> SetStamp(); touched = 0; SetStamp();
        assert(upper == 1 || touched);
#ifdef M_NEVER_AGAIN
        assert(upper == 1)
#endif
     :: else
     fi;
     atomic { references == 0 -> live = 0 }
#ifndef M_NOT_CLEARED
     if :: ours && upper != 0 -> upper = 0 :: else fi;  /* dealloc */
#endif
     ours = 0
  :: else -> break
  od;
  over = 1
}

active proctype CPython() {
  byte half;
  do
  :: atomic { live -> references++ }
     half = upper;
#ifdef M_NO_REFERENCE
     references--;
#endif
     atomic { lower = 1 - lower; upper = half; touched = 1; half = 0 }
#ifndef M_NO_REFERENCE
     references--
#endif
  :: over -> break
  od
}

active proctype Reader() {
  do
  :: atomic { live -> references++ }
     atomic { upper == 1 -> assert(ours) }
     references--
  :: atomic { live -> references++ }
     references--
  :: over -> break
  od
}
