/* SPDX-License-Identifier: MIT
 *
 * reader.pml - a look-up (customslots.h, runtime/look_ups.c) while one class is finished and changed.
 *
 * WHAT IS MODELLED.  The class was filled, and a reader has it from __init_subclass__.  A writer finishes it, under the
 * lock; then its bases are assigned twice, which replaces tp_mro and tp_bases, and frees the former tuples unless they
 * are kept; then it gets another table.  A reader looks up once.  The writer's stores go to a buffer and become visible
 * in any order, except that a release comes after all stores before it.  Loads of the reader are in order (acquire).
 *
 * WHAT MUST HOLD.  The reader sees what is in the table that it reads, follows no freed tuple, and does not take the
 * empty table of unfinished classes for that of a finished one.
 *
 * LEFT OUT.  Positions, `absent` (it is part of what is in a table), deaths of classes: stamp.pml.
 *
 * MAPPING
 *   the initial state  fields.c: _Pycs_BirthFill
 *   SetRecord      slots.c: _Pycs_SetRecord, _Pycs_SetStamp, _Pycs_NotePlaces
 *   Writer         change.c: _Pycs_Keep, _Pycs_RefreshPrepare
 *   Reader         include/customslots.h: _Pycs_IsStamped, _Pycs_Passes, _Pycs_Test, _Pycs_FindElsewhere,
 *                  PyCustomSlots_FindType
 *                  look_ups.c: _Pycs_find_in, _Pycs_FindUnfinished
 */
#define UNFINISHED 1
#define READY 2
#define EMPTY 1         /* tables: 1 the one of unfinished classes, 2 and 3 records */
/* what the reader loads: */
#define TABLE 0         /* etp_custom_slots */
#define CHECK 1         /* etp_check */
#define STAMP 2
#define TUPLES 3        /* tp_mro and tp_bases: 1 the first ones, 2 and 3 later ones */
#define IN_2 4          /* 1: what is in record 2 is there */
#define IN_3 5
#define CELLS 6
byte visible[CELLS];
bool alive[4], kept, go;
/* the writer's buffer, in the order of the program: */
#define ROOM 5
byte cell[ROOM], what[ROOM], n;
bool release[ROOM];

#define RELEASE 1
#define PLAIN 0
#ifdef M_TABLE_PLAIN
#define R_TABLE PLAIN
#else
#define R_TABLE RELEASE
#endif
#ifdef M_CHECK_PLAIN
#define R_CHECK PLAIN
#else
#define R_CHECK RELEASE
#endif
#ifdef M_STAMP_PLAIN
#define R_STAMP PLAIN
#else
#define R_STAMP RELEASE
#endif
#define STORE(c, v, r) d_step { n < ROOM -> cell[n] = c; what[n] = v; release[n] = r; n++ }
#define DRAINED n == 0

/* One of the stores becomes visible: not before an earlier one of the same word, nor a release before any. */
active proctype Memory() {
  byte i, k; bool may;
end:
  do
  :: atomic { n > 0 ->
       if :: i = 0 :: n > 1 -> i = 1 :: n > 2 -> i = 2 :: n > 3 -> i = 3 :: n > 4 -> i = 4 fi;
       may = 1; k = 0;
       do :: k < i -> if :: cell[k] == cell[i] || release[i] -> may = 0 :: else fi; k++ :: else -> break od;
       if
       :: may -> visible[cell[i]] = what[i]; k = i;
          do :: k < n - 1 -> cell[k] = cell[k+1]; what[k] = what[k+1]; release[k] = release[k+1]; k++
             :: else -> break od;
          n--; cell[n] = 0; what[n] = 0; release[n] = 0
       :: else
       fi; i = 0; k = 0; may = 0 }
  od
}

inline SetRecord(t) {
  STORE(t + 2, 1, PLAIN);                       /* merged before */
#if defined(M_CHECK_FIRST)
  STORE(CHECK, READY, R_CHECK); STORE(TABLE, t, R_TABLE); STORE(STAMP, 1, R_STAMP)
#elif defined(M_STAMP_FIRST)
  STORE(STAMP, 1, R_STAMP); STORE(TABLE, t, R_TABLE); STORE(CHECK, READY, R_CHECK)
#else
  STORE(TABLE, t, R_TABLE); STORE(CHECK, READY, R_CHECK); STORE(STAMP, 1, R_STAMP)
#endif
}

active proctype Writer() {
  go;
  SetRecord(2);
  DRAINED;                                      /* the lock, and then CPython's */
#ifndef M_NOT_KEPT
  kept = 1;
#endif
  STORE(TUPLES, 2, RELEASE); DRAINED;
  if :: !kept -> alive[1] = 0 :: else fi;
  STORE(TUPLES, 3, RELEASE); DRAINED;           /* the first ones are kept, no others */
  alive[2] = 0;
  SetRecord(3)                                  /* record 2 is retired, not freed */
}

bool early;             /* what is in the tables was loaded before the pointers */
active proctype Reader() {
  byte t, tuples; bool in2, in3;
  go;
#ifdef M_LOADS_RELAXED
  if :: in2 = visible[IN_2]; in3 = visible[IN_3]; early = 1 :: skip fi;
#endif
  if                                            /* Test */
  :: visible[STAMP] == 1 -> skip
  :: else -> if :: visible[CHECK] == UNFINISHED || visible[CHECK] == READY -> skip fi
  fi;
  t = visible[TABLE];
  if                                            /* find_in */
  :: t == EMPTY ->
     tuples = visible[TUPLES];                  /* FindUnfinished */
     if
#ifdef M_NOT_CHECKED_AGAIN
     :: true -> assert(alive[tuples]); goto out
#else
     :: visible[CHECK] != READY -> assert(alive[tuples]); goto out
     :: visible[CHECK] == READY -> t = visible[TABLE]
#endif
     fi
  :: else
  fi;
  assert(t != EMPTY);
  if
  :: t == 2 -> assert(early -> in2 : visible[IN_2])
  :: t == 3 -> assert(early -> in3 : visible[IN_3])
  fi;
out: skip
}

init { d_step { visible[TABLE] = EMPTY; visible[CHECK] = UNFINISHED; visible[TUPLES] = 1;
                alive[1] = 1; alive[2] = 1; alive[3] = 1; go = 1 } }
