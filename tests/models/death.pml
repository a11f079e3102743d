/* SPDX-License-Identifier: MIT
 *
 * death.pml - classes die while others change: who holds a class that a refresh lists, and what is left of its records.
 *
 * WHAT IS MODELLED.  Class 0 P, a root, and 1 X(P) declare the same slot, so that 2 Z(X) and Z(P) have equal tables.
 * One thread assigns Z.__bases__ = (P,), drops X, makes a class below Z, at the address of X if that is free, and keeps
 * or drops it.  The other one sets the slot of P.  References are counted one by one; a list of subclasses holds none.
 * The last one is dropped by whoever has it, and the class dies in steps: it takes the lock, too.
 *
 * WHAT MUST HOLD.  No thread looks at a class that is dead; none waits forever; in the end classes that live have
 * the right table and as many references as there are names and MROs with them, which is not 0.
 *
 * LEFT OUT.  Fields; records that are freed; cycles, which the collector breaks while all other threads stand still.
 *
 * MAPPING (mapping.py: a hash of these bodies, for each file)
 *   Drop           metaclass.c: _Pycs_dealloc
 *                  slots.c: _Pycs_DisownRecords
 *   Own            slots.c: _Pycs_OwnSlots
 *   Publish        change.c: _Pycs_Publish
 *   Discard        change.c: _Pycs_RefreshDiscard, _Pycs_FreePending
 *   Collect        change.c: _Pycs_Collect, _Pycs_DirectSubclasses
 *   LockAsLooked   change.c: _Pycs_LockAsLooked, _Pycs_AddLate
 *   Finish         finish.c: _Pycs_FinishAsFound, _Pycs_Report
 *                  slots.c: _Pycs_MergeRecord
 */
#define T 2
#define N 4
#define R 10            /* records; 0 is none */
#define NONE 255

byte life[N];           /* the how manieth class at this address; 0: none */
bool finished[N];
byte refs[N], named[N];
short mro[N];           /* without the class itself: digits base 8 of class + 1, nearest lowest */
byte below[N];          /* tp_subclasses: a bit for each class */
byte declares[N];       /* what the class has as its slot, whatever records say */
byte record[N];
byte owner[R], own[R], value[R], retired[R];
byte records;
byte generation = 1;
bool lock;
bool inlist[T];
byte top[T], late[T];
byte done;

#define BIT(k)         (1 << (k))
#define HAS(set, k)    (((set) >> (k)) & 1)
#define LOCK           atomic { !lock -> lock = 1 }
#define FOR(k)         k = 0; do :: k < N ->
#define END(k)         k++ :: else -> break od; k = 0
#define OWN(k)         (owner[record[k]] == k -> own[record[k]] : 0)

/* In d_steps. */
#define EACH(j, m)     rest = m; do :: rest != 0 -> j = (rest % 8) - 1; rest = rest / 8;
#define DONE(j)        :: else -> break od; rest = 0; j = 0

/* result = the slot of class x with MRO m, if it has `slot` of its own */
inline Merge(x, m, slot) {
  result = slot;
  EACH(j, m) assert(life[j] != 0); if :: result == 0 -> result = OWN(j) :: else fi DONE(j)
}

inline NewRecord(x, slot, table) {
  records++; assert(records < R);
  owner[records] = x; own[records] = slot; value[records] = table; retired[records] = record[x]; record[x] = records
}

inline Publish(x, slot, table) {
  if
  :: value[record[x]] != table || OWN(x) != slot -> NewRecord(x, slot, table)
  :: else
  fi
}

/* Drops the references in drops[], and what the classes that die refer to. */
inline Drop() {
  do
  :: drops[0] + drops[1] + drops[2] + drops[3] != 0 ->
     d_step { y = 0; do :: drops[y] == 0 -> y++ :: else -> break od;
              drops[y]--; assert(refs[y] != 0); refs[y]--; dies = (refs[y] == 0) }
     if
     :: dies ->
        LOCK;
        d_step {
#ifndef M_NOT_DISOWNED
          i = record[y];
          do
          :: i != 0 -> if :: owner[i] == y -> owner[i] = NONE :: else fi; i = retired[i]
          :: else -> break
          od;
#endif
          i = 0; lock = 0
        }
        d_step {
          EACH(j, mro[y]) drops[j]++; below[j] = below[j] & ~BIT(y) DONE(j);
          mro[y] = 0; record[y] = 0; declares[y] = 0; finished[y] = 0; life[y] = 0; dies = 0 }
     :: else
     fi; y = 0
  :: else -> break
  od; skip
}

inline Report(x, m) {
  FOR(i)
    if
    :: i < T && inlist[i] ->
       EACH(j, m)
         if
         :: j == top[i] && !HAS(late[i], x) -> late[i] = late[i] | BIT(x);
#ifndef M_LATE_UNCOUNTED
            refs[x]++
#endif
         :: else
         fi
       DONE(j)
    :: else
    fi;
  END(i)
}

/* The caller holds x. */
inline Finish(x) {
  do
  :: was = generation; fm = mro[x]; LOCK;
     if
     :: finished[x] -> lock = 0; break
     :: !finished[x] && was == generation -> d_step {
          assert(life[x] != 0);
          Merge(x, fm, 0);
          j = (fm % 8) - 1;
          if :: value[record[j]] == result -> record[x] = record[j] :: else -> NewRecord(x, 0, result) fi;
          j = 0; result = 0; Report(x, fm); finished[x] = 1; lock = 0 }
        break
     :: else -> lock = 0
     fi
  od; fm = 0; was = 0
}

inline Enter(c) {
  LOCK; d_step { inlist[me] = 1; top[me] = c; late[me] = 0; seen = generation - 1; lock = 0 }
}

inline Discard() {
  LOCK;
  d_step { inlist[me] = 0; top[me] = 0; seen = 0; looked = 0;
           FOR(i)
#ifndef M_PENDING_UNCOUNTED
             drops[i] = drops[i] + HAS(listed, i);
#endif
#ifndef M_LATE_UNCOUNTED
             drops[i] = drops[i] + HAS(late[me], i);
#endif
             EACH(j, looked_mro[i]) drops[j]++ DONE(j);
             looked_mro[i] = 0; lives[i] = 0;
           END(i);
           listed = 0; late[me] = 0 }
#ifdef M_DROPPED_UNDER_LOCK
  Drop(); lock = 0
#else
  lock = 0; Drop()
#endif
}

/* x is listed: in a d_step. */
inline List(x) {
  listed = listed | BIT(x); lives[x] = life[x];
#ifndef M_PENDING_UNCOUNTED
  refs[x]++
#endif
}

inline Collect(c) {
  if :: !HAS(listed, c) -> d_step { List(c) } :: else fi;
  looked = 0;                                   /* here: whose lists were read */
  do
  :: looked != listed ->
     d_step { w = 0; do :: HAS(listed & ~looked, w) -> break :: else -> w++ od; looked = looked | BIT(w);
              FOR(h)
                if
#ifdef M_DYING_LISTED
                :: HAS(below[w], h) && !HAS(listed, h) -> List(h)
#else
                :: HAS(below[w], h) && !HAS(listed, h) && refs[h] != 0 -> List(h)
#endif
                :: else
                fi;
              END(h);
              w = 0 }
  :: else -> break
  od;
  looked = 0; w = 1;
  do
  :: w < N -> if :: HAS(listed, w) && !finished[w] -> Finish(w) :: else fi; w = w + 2
  :: else -> break
  od; w = 0
}

inline LockAsLooked(c) {
  LOCK;
  do
  :: seen != generation || again || late[me] != 0 || looked != listed ->
     d_step { again = again || seen != generation; seen = generation; lock = 0;
              FOR(i)
                if
                :: HAS(late[me], i) && !HAS(listed, i) -> assert(life[i] != 0); List(i)
                :: else
                fi;
#ifndef M_LATE_UNCOUNTED
                drops[i] = drops[i] + HAS(late[me], i);
#endif
              END(i);
              late[me] = 0 }
     Drop();
     if :: again -> again = 0; Collect(c) :: else fi;
     do
     :: looked != listed ->
        d_step { w = 0; do :: HAS(listed & ~looked, w) -> break :: else -> w++ od;
                 assert(life[w] == lives[w]);
                 EACH(j, looked_mro[w]) drops[j]++ DONE(j);
                 looked_mro[w] = mro[w];
                 EACH(j, looked_mro[w]) refs[j]++ DONE(j);
                 looked = looked | BIT(w); w = 0 }
        Drop()
     :: else -> break
     od;
     LOCK
  :: else -> break
  od; skip
}

/* slot: what c declares from now on; NONE: as it is */
inline Commit(c, slot) {
  again = (slot == NONE); looked = (slot == NONE -> 0 : looked);
  LockAsLooked(c);
  d_step {
    FOR(w)                                      /* a base has a lower number, but for the class at X's address */
      if
      :: HAS(listed, w) -> assert(life[w] == lives[w]);
         if :: w == c && slot != NONE -> declares[w] = slot; i = slot :: else -> i = OWN(w) fi;
         Merge(w, looked_mro[w], i); Publish(w, i, result); result = 0; i = 0
      :: else
      fi;
    END(w);
    generation++; lock = 0
  }
  Discard()
}

proctype Assigns(byte me) {
  byte seen, was, listed, looked, i, j, y, w, h, x, result;
  bool again, dies;
  short looked_mro[N], fm, rest;
  byte drops[N], lives[N];
  Enter(2); LockAsLooked(2); lock = 0;
  d_step { mro[2] = 1; drops[1]++ }             /* type's setter */
  Drop();
  below[1] = 0; below[0] = below[0] | BIT(2);
  Commit(2, NONE);
  d_step { named[1] = 0; drops[1]++ }
  Drop();
  d_step { x = (life[1] == 0 -> 1 : 3); life[x] = 2; refs[x] = 1; named[x] = 1; mro[x] = 3 + 8 * mro[2];
           EACH(j, mro[x]) refs[j]++ DONE(j) }
  below[2] = BIT(x);
  Finish(x);
  if
  :: d_step { named[x] = 0; drops[x]++ } Drop()
  :: skip
  fi;
  done++
}

proctype Sets(byte me) {
  byte seen, was, listed, looked, i, j, y, w, h, result;
  bool again, dies;
  short looked_mro[N], fm, rest;
  byte drops[N], lives[N];
  Enter(0); Commit(0, 2);
  done++
}

proctype Check() {
  byte x, j, k, want; short rest;
  d_step {
    done == T ->
    FOR(x)
      want = declares[x];
      EACH(j, mro[x]) if :: want == 0 -> want = declares[j] :: else fi DONE(j);
      assert(life[x] == 0 || value[record[x]] == want);
      want = named[x];
      FOR(k) EACH(j, mro[k]) want = want + (j == x) DONE(j); END(k);
      assert(refs[x] == want && (refs[x] != 0) == (life[x] != 0));
    END(x);
    assert(!lock && !inlist[0] && !inlist[1])
  }
}

init {
  atomic {
    life[0] = 1; life[1] = 1; life[2] = 1; finished[0] = 1; finished[1] = 1; finished[2] = 1;
    refs[0] = 3; refs[1] = 2; refs[2] = 1; named[0] = 1; named[1] = 1; named[2] = 1;
    mro[1] = 1; mro[2] = 2 + 8 * 1; below[0] = BIT(1); below[1] = BIT(2);
    declares[0] = 1; declares[1] = 1; owner[0] = NONE; records = 2;
    owner[1] = 0; own[1] = 1; value[1] = 1; record[0] = 1;
    owner[2] = 1; own[2] = 1; value[2] = 1; record[1] = 2; record[2] = 2;
    run Check(); run Assigns(0); run Sets(1)
  }
}
