/* SPDX-License-Identifier: MIT
 *
 * plan.pml - which functions of an interface a class overrides, while other threads set attributes, change bases and
 * declare the interface: overriding.h over the protocol of change.h.
 *
 * WHAT IS MODELLED.  Two threads with an operation each: set or delete an attribute, assign __bases__, declare an
 * interface or take that back, make a class with two bases.  Classes 0 P, 1 M and 2 B, which may derive from P, and
 * 3 X(M, B), which is there or is made: M may be a mixin in front of B.  There is one interface of one function f; a
 * table is which class provides it, and whether f is overridden.  A look-up of f reads one dict a step; links, MROs and
 * dicts change one access a step, outside of the lock.  With -DNO_MEMORY there may be none for a plan.
 *
 * WHAT MUST HOLD.  When all threads are done, each finished class has the table of the provider that is nearest in
 * its MRO, and f is overridden if a look-up along that MRO gives another object than one along the provider's.
 *
 * LEFT OUT.  Fields, several functions and interfaces, classes that share a bit of state->mixed, and what change.pml
 * has: setters that fail, or take turns in computing and storing MROs.
 *
 * MAPPING (mapping.py: a hash of these bodies, for each file)
 *   Plan           overriding.c: _Pycs_PlanOverrides, _Pycs_Gather, _Pycs_NoteMixins, _Pycs_Decide, _Pycs_Differ,
 *                  _Pycs_FindInDicts
 *   Commit         overriding.c: _Pycs_ApplyOverrides, _Pycs_OverrideAll
 *                  change.c: _Pycs_CommitOne, _Pycs_LookAt, _Pycs_LockAsLooked, _Pycs_RefreshCommit
 *   Finish         finish.c: _Pycs_LookAndLock, _Pycs_FinishAsFound
 *                  overriding.c: _Pycs_ApplyToShared
 *   ATTRIBUTE      attributes.c: _Pycs_setattr, _Pycs_Matters
 */
#define T 2
#define N 4
#define NONE 255

mtype = {ATTRIBUTE, BASES, SLOTS, MAKE};

short mro[N];           /* without the class itself: digits base 8 of class + 1, nearest lowest */
byte below[N];          /* tp_subclasses: a bit for each class */
bool ready[N], finished[N];
bool own[N];            /* does it declare the interface? */
byte dict[N];           /* its f; 0: none */
byte table[N];          /* 0: no slot; 2 * (provider + 1), and 1 if f is overridden */
bool unplanned[N];
byte mixed;             /* state->mixed, without classes that share a bit */
byte generation = 1;
bool lock;
bool inlist[T];         /* a thread's refresh is in the list */
byte top[T], late[T];
byte done;

/* Mutations: each must be found. */
#ifdef M_NO_GENERATION_AT_FINISHING     /* a class that is made is not looked at again after a commit */
#define AS_LOOKED true
#else
#define AS_LOOKED (seen == generation)
#endif
#ifdef M_NO_GENERATION                  /* nor are those of a refresh */
#define STALE (listed == 0)
#else
#define STALE (seen != generation)
#endif
#ifdef M_PLANNED_ONCE                   /* what was looked at before the setter is not planned again */
#define AGAIN false
#else
#define AGAIN true
#endif

#ifdef M_REFRESHES_UNSEEN               /* an attribute does not matter because its class is about to change */
#define CHANGES(c, t) false
#else
#define CHANGES(c, t) (inlist[t] && IN(8 * fm + c + 1, top[t] + 1))
#endif

#define BIT(k)         (1 << (k))
#define HAS(set, k)    (((set) >> (k)) & 1)
#define IN(l, d)       ((l) % 8 == d || ((l) / 8) % 8 == d || ((l) / 64) % 8 == d || ((l) / 512) % 8 == d)
#define TABLE(p, o)    (2 * ((p) + 1) + (o))
/* What C3 makes of (M, B), each of which may derive from P. */
#define MRO_OF_X       (mro[1] != 0 && mro[2] == 0 -> 2 + 8 * (1 + 8 * 3) : 2 + 8 * (3 + 8 * (mro[1] | mro[2])))
#define LOCK           atomic { !lock -> lock = 1 }
#define FOR(k)         k = 0; do :: k < N ->
#define END(k)         k++ :: else -> break od; k = 0

/* The classes of an MRO m, the nearest first: EACH(j, m) { ... } DONE(j) */
#define EACH(j, m)     rest = m; do :: rest != 0 -> j = (rest % 8) - 1; rest = rest / 8;
#define DONE(j)        :: else -> break od; rest = 0; j = 0

/* NoteMixins, for class x with MRO m and this provider. */
inline Note(x, m, provider) {
#ifndef M_NO_MIXINS
  EACH(j, m)
    if :: provider != x && table[j] / 2 != provider + 1 -> mixed = mixed | BIT(j) :: else fi
  DONE(j)
#else
  skip
#endif
}

/* found = f along class x and the MRO m; reads one dict a step */
inline Find(x, m, found) {
  d_step { rest = 8 * m + x + 1; found = 0 }
  do
  :: found == 0 && rest != 0 -> d_step { found = dict[(rest % 8) - 1]; rest = rest / 8 }
  :: else -> break
  od; rest = 0
}

/* planned = what class x with MRO m is to have, when class c (or NONE) has this declaration; NONE: no memory */
inline Plan(x, m, c, declared) {
  LOCK;
  d_step {
    provider = NONE; rest = 8 * m + x + 1;
    do
    :: rest != 0 -> j = (rest % 8) - 1; rest = rest / 8;
       if :: (j == c -> declared : own[j]) -> provider = j; break :: else fi
    :: else -> break
    od; rest = 0; j = 0;
    if :: provider != NONE -> Note(x, m, provider) :: else fi;
    planned = 0; lock = 0
  }
  if
  :: provider == NONE
  :: provider == x -> planned = TABLE(x, 0)
  :: provider != x && provider != NONE ->
     if
     :: above = mro[provider];
        Find(x, m, here); Find(provider, above, there);
        d_step { planned = TABLE(provider, here != there); above = 0; here = 0; there = 0 }
#ifdef NO_MEMORY
     :: planned = NONE
#endif
     fi
  fi; provider = 0
}

inline ReportLate(x, m) {
  FOR(i)
    if
    :: i < T && inlist[i] ->
       EACH(j, 8 * m + x + 1) if :: j == top[i] -> late[i] = late[i] | BIT(x) :: else fi DONE(j)
    :: else
    fi;
  END(i)
}

inline Finish(x) {
  do
  :: seen = generation;
     if :: !ready[x] -> break :: else fi;
     fm = mro[x];
     Plan(x, fm, NONE, 0);
     if :: planned == NONE -> failed = 1; break :: else fi;     /* it stays unfinished */
     LOCK;
     if
     :: finished[x] -> lock = 0; break
     :: !finished[x] && AS_LOOKED -> d_step { table[x] = planned; ReportLate(x, fm); finished[x] = 1; lock = 0 } break
     :: else -> lock = 0
     fi
  od;
  fm = 0; seen = 0; planned = 0
}

inline Enter(c) {
  LOCK;
  d_step { inlist[me] = 1; top[me] = c; late[me] = 0; seen = generation - 1; lock = 0 }
}

inline Discard() {
  LOCK;
  d_step { inlist[me] = 0; top[me] = 0; late[me] = 0; listed = 0; looked = 0; seen = 0;
           FOR(i) looked_mro[i] = 0; wanted[i] = 0; END(i); lock = 0 }
}

inline Collect(c) {
  listed = listed | BIT(c); looked = 0;         /* here: whose lists were read */
  do
  :: looked != listed ->
     d_step { i = 0; do :: HAS(listed & ~looked, i) -> break :: else -> i++ od;
              looked = looked | BIT(i); listed = listed | below[i]; i = 0 }
  :: else -> break
  od;
  looked = 0;
  if
  :: HAS(listed, 3) && !finished[3] -> keep = seen; Finish(3); seen = keep; keep = 0;
     if :: !finished[3] -> listed = listed & ~BIT(3) :: else fi
  :: else
  fi
}

/* plans: which functions are overridden, once class c has this declaration (NONE: as it is) */
inline LockAsLooked(c, plans, declared) {
  LOCK;
  do
  :: STALE || again || late[me] != 0 || looked != listed ->
     d_step { again = again || STALE; seen = generation; came = late[me]; late[me] = 0; lock = 0;
              listed = listed | came; came = 0 }
     if :: again -> again = 0; Collect(c) :: else fi;
     do
     :: looked != listed ->
        d_step { y = 0; do :: HAS(listed & ~looked, y) -> break :: else -> y++ od; looked_mro[y] = mro[y] }
        if
        :: plans -> Plan(y, looked_mro[y], (declared == NONE -> NONE : c), declared); wanted[y] = planned; planned = 0
        :: else
        fi;
        d_step { looked = looked | BIT(y); y = 0 }
     :: else -> break
     od;
     LOCK
  :: else -> break
  od; skip
}

inline Commit(c, assigns, attribute, declared) {
  again = assigns; looked = ((assigns || attribute) && AGAIN -> 0 : looked);
  LockAsLooked(c, 1, declared);
  d_step {
    if :: declared != NONE -> own[c] = declared :: else fi;
    FOR(y)
      if
      :: HAS(listed, y) -> provider = NONE;
         rest = 8 * looked_mro[y] + y + 1;
         do
         :: rest != 0 -> j = (rest % 8) - 1; rest = rest / 8; if :: own[j] -> provider = j; break :: else fi
         :: else -> break
         od; rest = 0; j = 0;
         unplanned[y] = (wanted[y] == NONE);
         if                             /* OverrideAll, or the plan over what was merged */
         :: provider == NONE -> table[y] = 0; unplanned[y] = 0
         :: provider != NONE && wanted[y] == NONE ->
#ifdef M_UNPLANNED_STAYS
            table[y] = TABLE(provider, 0); unplanned[y] = 0
#else
            table[y] = TABLE(provider, provider != y)
#endif
         :: else -> table[y] = wanted[y]
         fi
      :: else
      fi;
    END(y);
#ifndef M_MIXINS_NOTED_ONCE
    FOR(y)
      if :: HAS(listed, y) && wanted[y] != NONE && wanted[y] != 0 -> Note(y, looked_mro[y], (wanted[y] / 2) - 1)
         :: else fi;
    END(y);
#endif
    provider = 0; listed = 0; generation++; lock = 0
  }
  Discard()
}

inline Matters(c) {
  if :: c == 3 -> Finish(3) :: else fi;
  if
  :: failed
  :: !failed && finished[c] -> matters = HAS(mixed, c);
     fm = mro[c];
     LOCK; d_step { matters = matters || table[c] != 0 || CHANGES(c, 0) || CHANGES(c, 1); fm = 0; lock = 0 }
  :: else
  fi
}

proctype Thread(byte me; mtype op; byte c; byte arg) {
  byte seen, keep, listed, looked, came, i, j, y, provider, planned, here, there;
  bool again, matters, failed;
  short looked_mro[N], fm, rest, above;
  byte wanted[N];
  if
  :: op == ATTRIBUTE ->                         /* arg 0: it is deleted */
     Matters(c);
     if
     :: failed                                  /* MemoryError */
     :: !failed && matters -> Enter(c); LockAsLooked(c, 0, NONE); lock = 0;
        dict[c] = arg;
        Commit(c, 0, 1, NONE)
     :: else -> dict[c] = arg;
#ifndef M_ATTRIBUTE_UNCHECKED
        Matters(c);
        if :: matters || failed -> Enter(c); Commit(c, 0, 1, NONE) :: else fi
#endif
     fi; matters = 0; failed = 0
  :: op == BASES ->                             /* P if arg is 1, else object */
     Enter(c); LockAsLooked(c, 0, NONE); lock = 0;
     mro[c] = arg;
     if :: HAS(below[c], 3) -> mro[3] = MRO_OF_X :: else fi;
     below[0] = (below[0] & ~BIT(c)) | arg * BIT(c);
     Commit(c, 1, 0, NONE)
  :: op == SLOTS -> Enter(c); Commit(c, 0, 0, arg)
  :: op == MAKE ->                              /* X(M, B): type_ready() */
     below[1] = BIT(3);
     d_step { mro[3] = MRO_OF_X; below[2] = BIT(3); ready[3] = 1 }
     Finish(3)
  fi;
  done++
}

proctype Check() {
  byte x, j, provider, here, there; short rest;
  d_step {
    done == T ->
    FOR(x)
      if
      :: finished[x] ->
         provider = NONE; rest = 8 * mro[x] + x + 1;
         do :: rest != 0 -> j = (rest % 8) - 1; rest = rest / 8; if :: own[j] -> provider = j; break :: else fi
            :: else -> break od;
         if
         :: provider == NONE -> assert(table[x] == 0)
         :: else ->
            here = 0; rest = 8 * mro[x] + x + 1;
            do :: rest != 0 && here == 0 -> here = dict[(rest % 8) - 1]; rest = rest / 8 :: else -> break od;
            there = 0; rest = 8 * mro[provider] + provider + 1;
            do :: rest != 0 && there == 0 -> there = dict[(rest % 8) - 1]; rest = rest / 8 :: else -> break od;
            assert(table[x] == TABLE(provider, here != there) || (unplanned[x] && table[x] == TABLE(provider, 1)))
         fi;
         rest = 0; j = 0
      :: else
      fi;
    END(x);
    assert(!lock && !inlist[0] && !inlist[1])
  }
}

inline Any(me) {
  if
  :: run Thread(me, ATTRIBUTE, 0, 4)
  :: run Thread(me, ATTRIBUTE, 0, 0)
  :: run Thread(me, ATTRIBUTE, 1, 5)
  :: run Thread(me, ATTRIBUTE, 2, 6)
  :: run Thread(me, ATTRIBUTE, 3, 7)
  :: run Thread(me, BASES, 1, 0)
  :: run Thread(me, BASES, 2, 0)
  :: run Thread(me, BASES, 2, 1)
  :: run Thread(me, SLOTS, 0, 0)
  :: run Thread(me, SLOTS, 0, 1)
  :: run Thread(me, SLOTS, 2, 1)
  fi
}

init {
  atomic {
    ready[0] = 1; ready[1] = 1; ready[2] = 1; finished[0] = 1; finished[1] = 1; finished[2] = 1;
    dict[0] = 1;
    if :: mro[1] = 1 :: skip fi;                        /* M(P)? */
    if :: mro[2] = 1 :: skip fi;
    below[0] = mro[1] * BIT(1) + mro[2] * BIT(2);
    if :: own[0] = 1 :: skip fi;
    if :: below[1] = BIT(3); below[2] = BIT(3); mro[3] = MRO_OF_X; ready[3] = 1; finished[3] = 1 :: skip fi;
    if
    :: own[0] -> table[0] = TABLE(0, 0); table[1] = mro[1] * TABLE(0, 0); table[2] = mro[2] * TABLE(0, 0);
       table[3] = (ready[3] && (mro[1] | mro[2]) -> TABLE(0, 0) : 0)
    :: else
    fi;
    if :: ready[3] && table[3] != 0 && table[1] == 0 -> mixed = BIT(1) :: else fi;
    run Check();
    Any(0);
    if
    :: Any(1)
    :: !ready[3] -> run Thread(1, MAKE, 3, 0)
    fi
  }
}
