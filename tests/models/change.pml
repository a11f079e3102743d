/* SPDX-License-Identifier: MIT
 *
 * change.pml - several threads change classes: the protocol of runtime/change.h.
 *
 * WHAT IS MODELLED.  T threads with an operation each: assign __bases__ (which may fail), set slots, set or delete a
 * field, make a class.  Classes 0 P and 1 Q (roots), 2 B(P), 3 C(B), 4 D (made); B, C and D may have two bases.  Class
 * k may declare one slot, at place 0, whose ID is k; a table is which ID is at each place, and the value of each.
 * There is one field.  The lock is taken and left as in the code.  tp_mro, tp_bases and tp_subclasses are changed and
 * read outside of it, one access a step; with -DTYPELOCK type's setter and type_ready() exclude each other, as with a
 * GIL and no Python code in mro(); with -DNO_FAILURES mro() raises nothing; with -DNO_MEMORY there is none once,
 * wherever our code allocates.
 *
 * WHAT MUST HOLD.  When all threads are done, each finished class has the slots and the value that follow from the MRO
 * that it then has, and the places that follow from its base's table, unless its MRO does not follow from its bases.
 * Left out are classes that are not to be found through lists of subclasses below each class of their MRO: CPython
 * itself lost them (change.h).
 *
 * LEFT OUT.  Overridden functions (plan.pml), for which alone a class is looked at again if a commit came while it was
 * finished; death (death.pml); values that C wrote; a tp_base that is not the first base; a commit that must not fail
 * and has no memory: classes keep what they have.
 *
 * MAPPING (mapping.py: a hash of these bodies, for each file)
 *   Enter          change.c: _Pycs_RefreshEnter
 *   Discard        change.c: _Pycs_RefreshDiscard
 *   Collect        change.c: _Pycs_Collect, _Pycs_CollectBelow, _Pycs_DirectSubclasses
 *   LockAsLooked   change.c: _Pycs_LockAsLooked, _Pycs_AddLate, _Pycs_LookAt
 *   Commit         change.c: _Pycs_RefreshCommit, _Pycs_CommitOne, _Pycs_ByDepth, _Pycs_ReportMoved
 *   Merge, Place   slots.c: _Pycs_MergeInto, _Pycs_MergeRecord, _Pycs_PrimaryRecord, _Pycs_Place
 *   Linearize      slots.c: _Pycs_MroOfBases, _Pycs_MergeLists, _Pycs_MustComeLater
 *   Value          fields.c: _Pycs_SourceOfField
 *   Finish         finish.c: _Pycs_LookAndLock, _Pycs_FinishAsFound, _Pycs_Report, _Pycs_ReportLate, _Pycs_HasMroOfBase
 *                  fields.c: _Pycs_FinishFields
 *   SLOTS          change.c: _Pycs_SetSlotsAlone, _Pycs_set_slots
 *   SET, DELETE    set_field.c: _Pycs_ChangeField, _Pycs_ChangeLocked
 *   MAKE           fields.c: _Pycs_BirthInherit, _Pycs_BirthFill
 *   BASES          metaclass.c: _Pycs_set_bases
 *                  change.c: _Pycs_RefreshPrepare, _Pycs_Fit
 */
#ifndef T
#define T 2
#endif
#ifndef START           /* the base of B: P or Q */
#define START 0
#endif
#define N 5
#define NONE 255

mtype = {BASES, SLOTS, SET, DELETE, MAKE};

byte bases[N];          /* tp_bases: digits base 8 of class + 1, the first, which is tp_base, lowest; 0: object */
short mro[N];           /* likewise, without the class itself, nearest lowest */
byte mro_by[N], bases_by[N];    /* which tuples tp_mro and tp_bases are: thread + 1 of the setter that stored them */
byte below[N];          /* tp_subclasses: a bit for each class */
bool ready[N], finished[N];
int table[N];           /* PLACES digits base 8: ID + 1, or SKIP; then 2 bits for each ID */
byte own[N];            /* the slot that a class declares */
byte value[N];          /* the field */
bool mark[N];           /* has the class set it? */
byte filled;            /* filled_at of class 4 */
byte generation = 1;
bool lock, typelock;
bool inlist[T], moves[T];       /* a thread's refresh is in the list; it assigns bases */
byte top[T], late[T];
byte done;
bool memory = 1;        /* none was lacking yet */

/* Mutations: each must be found. */
#ifdef M_NO_GENERATION          /* another commit does not make a refresh collect again */
#define STALE (listed == 0)
#else
#define STALE (seen != generation)
#endif
#ifdef M_NO_FILLED_AT           /* fields are not looked at again when a class is finished */
#define FILLED_BEFORE false
#else
#define FILLED_BEFORE (filled != generation)
#endif

#if T > 2
#define NOBODY_IN_LIST (!inlist[0] && !inlist[1] && !inlist[2])
#else
#define NOBODY_IN_LIST (!inlist[0] && !inlist[1])
#endif
#ifdef M_ABOVE_WHILE_OTHERS_CHANGE      /* the base's table is taken, though its MRO may be newer */
#define NOBODY_CHANGES true
#else
#define NOBODY_CHANGES NOBODY_IN_LIST
#endif

#define BIT(k)         (1 << (k))
#define HAS(set, k)    (((set) >> (k)) & 1)
#define OVER(k)        ((k) + 1 + 8 * mro[k])           /* the MRO of what derives from k alone */
#define IN(l, d)       (l % 8 == d || (l / 8) % 8 == d || (l / 64) % 8 == d || (l / 512) % 8 == d)
#define SKIP           7
#define PLACES         6
#define AT(t, p)       (((t) >> (3 * (p))) & 7)
#define VALUE(k, v)    ((v) << (3 * PLACES + 2 * (k)))

#ifdef NO_MEMORY
#define ALLOCATE(then) if :: memory && !last && !failed -> d_step { memory = 0; failed = 1; then } :: skip fi
#else
#define ALLOCATE(then) skip
#endif

#define LOCK atomic { !lock -> lock = 1 }
#ifdef TYPELOCK
#define TYPE_LOCK   atomic { !typelock -> typelock = 1 }
#define TYPE_UNLOCK typelock = 0
#else
#define TYPE_LOCK   skip
#define TYPE_UNLOCK skip
#endif

/* All below a d_step.  k = 0..N-1: FOR { ... } END(k) */
#define FOR(k)  k = 0; do :: k < N ->
#define END(k)  k++ :: else -> break od; k = 0

/* result = the value that a class with MRO m inherits; `without` does not count */
inline Value(m, without) {
  rest = m; result = 0;
  do
  :: rest != 0 -> j = (rest % 8) - 1; rest = rest / 8;
     if :: j != without && mark[j] -> result = value[j]; break :: else fi
  :: else -> break
  od; rest = 0; j = 0
}

/* The slot of class k, first in what it declares, is put where the primary table has it, at place 0, or behind all. */
inline Place(k) {
  p = 0;
  do :: AT(result, p) != 0 && AT(result, p) != k + 1 -> p++ :: else -> break od;
  if :: AT(result, p) == 0 && AT(result, 0) == SKIP -> p = 0; result = result - SKIP :: else fi;
  if :: AT(result, p) == 0 -> result = result | ((k + 1) << (3 * p)) :: else fi;
  assert(p < PLACES);
  declared = declared | BIT(k); p = 0
}

/* result = the table of class x with MRO m and this slot of its own */
inline Merge(x, m, slot) {
  rest = m; result = 0;
  do                                            /* PrimaryRecord: of tp_base, unless the MRO lacks it */
  :: rest != 0 -> j = (rest % 8) - 1; rest = rest / 8;
     if
     :: finished[j] && table[j] != 0 && (result == 0 || j + 1 == bases[x] % 8) -> result = table[j]
     :: else
     fi
  :: else -> break
  od;
  result = result & (VALUE(0, 1) - 1);
  declared = 0; rest = m;
  if :: slot -> Place(x) :: else fi;
  do
  :: rest != 0 -> j = (rest % 8) - 1; rest = rest / 8; if :: own[j] -> Place(j) :: else fi
  :: else -> break
  od;
  do                                            /* what no class declares any more, and values */
  :: AT(result, p) != 0 ->
     if
     :: AT(result, p) != SKIP && HAS(declared, AT(result, p) - 1) ->
        j = AT(result, p) - 1; result = result | VALUE(j, (j == x -> slot : own[j]))
     :: else -> result = result | (SKIP << (3 * p))
     fi; p++
  :: else -> break
  od;
  rest = 0; j = 0; p = 0; declared = 0
}

/* new_mro = the MRO of a class with these bases: C3; -1: there is none */
inline Linearize(its) {
  left = (its != 0 -> OVER((its == 0 -> 0 : (its % 8) - 1)) : 0);
  right = (its > 7 -> OVER((its > 7 -> (its / 8) - 1 : 0)) : 0);
  rest = (its > 7 -> its : 0); new_mro = 0; place = 1;
  do
  :: left != 0 || right != 0 ->
     if
     :: left != 0 && !IN((right / 8), (left % 8)) && !IN((rest / 8), (left % 8)) -> j = left % 8
     :: else -> j = (right != 0 && !IN((left / 8), (right % 8)) && !IN((rest / 8), (right % 8)) -> right % 8 : 0)
     fi;
     if :: j == 0 -> new_mro = -1; break :: else fi;
     new_mro = new_mro + j * place; place = 8 * place;
     if :: left % 8 == j -> left = left / 8 :: else fi;
     if :: right % 8 == j -> right = right / 8 :: else fi;
     if :: rest % 8 == j -> rest = rest / 8 :: else fi
  :: else -> break
  od;
  left = 0; right = 0; rest = 0; place = 0; j = 0
}

/* Class x with MRO m is published: it is reported to all refreshes whose top is in m. */
inline ReportLate(x, m) {
  i = 0;
#ifndef M_NO_LATE
  do
  :: i < T ->
     if
     :: inlist[i] ->
        rest = m;
        do
        :: rest != 0 -> if :: (rest % 8) - 1 == top[i] -> late[i] = late[i] | BIT(x) :: else fi; rest = rest / 8
        :: else -> break
        od
     :: else
     fi; i++
  :: else -> break
  od;
#endif
  i = 0
}

/* FinishType of class x; born: the MRO by which this thread filled it, or -1. */
inline Finish(x, born) {
  do
  :: seen = generation;
     fb = bases[x];                             /* they are fetched, and finished, first */
     if :: !ready[x] -> break :: else fi;
     fm = mro[x];
     if :: fb == 0 -> break :: else fi;
#ifdef M_ABOVE_UNCHECKED
     above = true;
#else
     above = (fb < 8 && fm == OVER((fb % 8) - 1));      /* HasMroOfBase */
#endif
     LOCK; ALLOCATE(skip);
     if
     :: failed -> d_step {
#ifdef M_UNREPORTED
          Merge(x, fm, own[x]); table[x] = result; result = 0; Value(fm, x); value[x] = result; result = 0;
          finished[x] = 1; failed = 0;
#else
          ReportLate(x, fm);                    /* perhaps */
#endif
          lock = 0 }
        break
     :: !failed && finished[x] -> lock = 0; break
     :: !failed && !finished[x] && seen == generation -> d_step {
          if
          :: above && NOBODY_CHANGES && finished[(fb % 8) - 1] -> table[x] = table[(fb % 8) - 1]
          :: else -> Merge(x, fm, own[x]); table[x] = result; result = 0
          fi;
          ReportLate(x, fm);
          if
          :: (fm != born || FILLED_BEFORE) && !mark[x] -> Value(fm, x); value[x] = result; result = 0
          :: else
          fi;
          finished[x] = 1; lock = 0 }
        break
     :: else -> lock = 0
     fi
  od;
  fm = 0; fb = 0; above = 0; seen = 0
}

inline Enter(c, assigns) {
  LOCK;
  d_step { inlist[me] = 1; moves[me] = assigns; top[me] = c; late[me] = 0; seen = generation - 1; lock = 0 }
}

inline Discard() {
  LOCK;
  d_step { inlist[me] = 0; moves[me] = 0; top[me] = 0; late[me] = 0; listed = 0; looked = 0; seen = 0;
           FOR(k) looked_mro[k] = 0; END(k); lock = 0 }
}

/* Adds c and what is below all that is listed, finished; reads one list of subclasses a step. */
inline Collect(c) {
#ifdef M_DROPS_LISTED
  listed = BIT(c);
#else
  listed = listed | BIT(c);
#endif
  looked = 0;                                   /* here: whose lists were read */
  do
  :: looked != listed ->
     d_step { i = 0; do :: HAS(listed & ~looked, i) -> break :: else -> i++ od;
              looked = looked | BIT(i); listed = listed | below[i]; i = 0 }
  :: else -> break
  od;
  looked = 0;
  if
  :: HAS(listed, 4) && !finished[4] -> keep = seen; Finish(4, -1); seen = keep; keep = 0;
     if :: !finished[4] -> listed = listed & ~BIT(4) :: else fi
  :: else
  fi
}

/* again: collect in any case; failed: there was no memory, and the lock is not held */
inline LockAsLooked(c) {
  LOCK;
  do
  :: STALE || again || late[me] != 0 || looked != listed ->
     d_step { again = again || STALE; seen = generation; came = late[me]; late[me] = 0; lock = 0 }
     ALLOCATE(skip);
     d_step { listed = (failed -> listed : listed | came); came = 0 }
     if :: again && !failed -> again = 0; Collect(c) :: else fi;
#ifdef M_FORGIVEN
     failed = 0; again = 0;
#endif
     if :: failed -> again = 0; break :: else fi;
     do
     :: looked != listed -> d_step { i = 0; do :: HAS(listed & ~looked, i) -> break :: else -> i++ od;
                                     looked_mro[i] = mro[i]; looked = looked | BIT(i); i = 0 }
     :: else -> break
     od;
     LOCK
  :: else -> break
  od; skip
}

/* The classes that are listed and inherit get what they inherit now; under the lock. */
inline Inherit(without) {
  FOR(h) if :: HAS(listed, h) && h != without && !mark[h] -> Value(looked_mro[h], NONE); fresh[h] = result :: else fi;
  END(h);
  FOR(h) if :: HAS(listed, h) && h != without && !mark[h] -> value[h] = fresh[h]; fresh[h] = 0 :: else fi; END(h);
  result = 0
}

/* slot: of c, NONE: as it is */
inline Commit(c, assigns, slot) {
#ifndef M_NO_LAST_COLLECT
  again = assigns; looked = (assigns -> 0 : looked);
#else
  looked = (assigns -> 0 : looked);
#endif
  LockAsLooked(c);
  ALLOCATE(lock = 0);
  if
  :: failed
  :: !failed && assigns -> d_step {
#ifndef M_NO_REPORT_MOVED
       h = 0;
       do :: h < T -> if :: inlist[h] && moves[h] && h != me -> late[h] = late[h] | BIT(c) :: else fi; h++
          :: else -> break od; h = 0;
#endif
       Inherit(NONE) }
  :: else
  fi;
  do                                            /* bases first; CPython may change in between */
  :: !failed && listed != 0 ->
     d_step {
       w = NONE; y = 0;
       FOR(h)
         if
         :: HAS(listed, h) -> rest = looked_mro[h]; i = 0;
            do :: rest != 0 -> i++; rest = rest / 8 :: else -> break od;
#ifdef M_BASES_LAST
            i = N - i;
#endif
            if :: i < w -> w = i; y = h :: else fi
         :: else
         fi;
       END(h);
       i = 0; w = 0;
       if :: y == c && slot != NONE -> own[y] = slot :: else fi;
       if :: finished[y] -> Merge(y, looked_mro[y], own[y]); table[y] = result; result = 0 :: else fi;
       listed = listed & ~BIT(y); y = 0 }
  :: else -> break
  od; skip;
  if
  :: failed
  :: else -> d_step { generation++; lock = 0 } Discard()
  fi
}

inline Link(k, its) {
  if :: its != 0 -> below[(its % 8) - 1] = below[(its % 8) - 1] | BIT(k) :: else fi;
  if :: its > 7 -> below[(its / 8) - 1] = below[(its / 8) - 1] | BIT(k) :: else fi
}

/* CPython's type_set_bases, mro_hierarchy and mro_internal; succeeded. */
inline Setter(c, to) {
  TYPE_LOCK; succeeded = 1;
  d_step { rest = to; q = 0;                    /* would it derive from itself? */
           do :: rest != 0 -> k = (rest % 8) - 1; q = q || k == c || IN(mro[k], (c + 1)); rest = rest / 8
              :: else -> break od; k = 0 }
  if
  :: q -> q = 0; succeeded = 0
  :: else ->
     d_step { former = bases[c]; former_by = bases_by[c]; bases[c] = to; bases_by[c] = me + 1;
              todo = BIT(c); did = 0 }
     do
     :: todo != 0 && succeeded ->
        d_step { y = 0; do :: HAS(todo, y) -> break :: else -> y++ od; todo = todo & ~BIT(y);
                 old_mro[y] = mro[y]; old_by[y] = mro_by[y];
                 Linearize(bases[y]) }
        if
        :: new_mro < 0 -> succeeded = 0; new_mro = 0
#ifndef NO_FAILURES
        :: new_mro >= 0 -> succeeded = 0; new_mro = 0   /* mro() raises */
#endif
        :: new_mro >= 0 ->
           d_step { if :: mro_by[y] == old_by[y] -> mro[y] = new_mro; mro_by[y] = me + 1; did = did | BIT(y)
                       :: else -> y = NONE      /* changed meanwhile: mro_internal() leaves it */
                    fi; new_mro = 0 }
           if :: y != NONE -> d_step { todo = todo | (below[y] & ~did) } :: else fi
        fi; y = 0
     :: else -> break
     od;
     todo = 0;
     if
     :: succeeded ->
        if
        :: bases_by[c] == me + 1 ->             /* out of all lists, and then into all */
           if :: former != 0 -> below[(former % 8) - 1] = below[(former % 8) - 1] & ~BIT(c) :: else fi;
           if :: former > 7 -> below[(former / 8) - 1] = below[(former / 8) - 1] & ~BIT(c) :: else fi;
           Link(c, to)
        :: else
        fi
     :: else ->                                 /* all MROs are put back */
        do
        :: did != 0 ->
           d_step { y = N - 1; do :: HAS(did, y) -> break :: else -> y-- od; did = did & ~BIT(y);
                    if :: mro_by[y] == me + 1 -> mro[y] = old_mro[y]; mro_by[y] = old_by[y] :: else fi; y = 0 }
        :: else -> break
        od;
        if :: bases_by[c] == me + 1 -> atomic { bases[c] = former; bases_by[c] = former_by } :: else fi
     fi; skip;
     d_step { former = 0; former_by = 0; did = 0; FOR(k) old_mro[k] = 0; old_by[k] = 0; END(k) }
  fi;
  TYPE_UNLOCK
}

proctype Thread(byte me; mtype op; byte c; byte arg) {
  byte seen, keep, listed, looked, came, fb, former, former_by, todo, did, i, j, k, p, w, h, y, declared, was;
  bool again, above, q, succeeded, failed, last;
  short looked_mro[N], old_mro[N], new_mro, fm, rest, born, left, right;
  int result, place;
  byte fresh[N], old_by[N];
  if
  :: op == BASES ->
     Enter(c, 1); LockAsLooked(c);              /* RefreshPrepare */
     if :: failed :: else -> ALLOCATE(skip); d_step { lock = 0; was = bases[c] } fi;
     do
     :: !failed -> Setter(c, arg); last = last || !succeeded;
#ifdef M_NO_COMMIT_OF_FAILED
        if :: succeeded -> Commit(c, 1, NONE) :: else -> listed = 0; Discard() fi;
#else
        Commit(c, 1, NONE);
#endif
        if
#ifndef M_NOT_RESTORED
        :: failed -> failed = 0; arg = was; last = 1    /* the former bases, once more */
#endif
        :: else -> break
        fi
     :: else -> break
     od;
     if :: failed -> listed = 0; Discard() :: else fi;
     last = 0; was = 0
  :: op == SLOTS ->
     seen = generation; fm = mro[c]; LOCK;
#ifdef M_SLOTS_ALONE_STALE
     if :: below[c] == 0 ->
#else
     if :: seen == generation && below[c] == 0 ->
#endif
        d_step { own[c] = arg; Merge(c, fm, arg); table[c] = result; result = 0; fm = 0; seen = 0;
                 generation++; lock = 0 }
     :: else -> lock = 0; seen = 0; fm = 0; Enter(c, 0); Commit(c, 0, arg);
        if :: failed -> listed = 0; Discard() :: else fi
     fi
  :: op == SET ->
#ifdef M_ALONE_UNLOCKED
     q = (below[c] == 0); LOCK;
#else
     LOCK; q = (below[c] == 0);
#endif
     if
     :: q -> d_step { value[c] = arg; mark[c] = 1; generation++; lock = 0; q = 0 }
     :: else -> lock = 0;
        Enter(c, 0); LockAsLooked(c);
        if :: failed -> LOCK :: else -> ALLOCATE(skip) fi;
        d_step {
          if :: !failed -> mark[c] = 1; value[c] = arg; Inherit(c); generation++ :: else fi;
          lock = 0; listed = 0 }
        Discard()
     fi
  :: op == DELETE ->
     if
     :: mark[c] -> Enter(c, 0); LockAsLooked(c);
        if :: failed -> LOCK :: else -> ALLOCATE(skip) fi;
        d_step {
          if :: !failed -> mark[c] = 0; Value(looked_mro[c], NONE); value[c] = result; Inherit(c); generation++
             :: else fi;
          lock = 0; listed = 0 }
        Discard()
     :: else
     fi
  :: op == MAKE ->                              /* class 4 with these bases; arg: its own value, 0: none */
     filled = generation;                       /* BirthInherit */
     d_step { Linearize(c); born = new_mro; new_mro = 0 }
     LOCK;                                      /* BirthFill */
     d_step { Value(born, NONE); value[4] = result; result = 0;
              if :: arg != 0 -> value[4] = arg; mark[4] = 1 :: else fi; lock = 0 }
     TYPE_LOCK; bases[4] = c;                   /* type_ready(): the MRO, the links, READY */
     d_step { Linearize(c) }                    /* mro() may run Python code */
     d_step { mro[4] = new_mro; mro_by[4] = me + 1; new_mro = 0 }
#ifndef M_PUBLISHED_FIRST
     Link(4, c);
#endif
     d_step { ready[4] = 1; TYPE_UNLOCK }
     Finish(4, born);
#ifdef M_PUBLISHED_FIRST
     TYPE_LOCK; Link(4, c); TYPE_UNLOCK;
#endif
     born = 0
  fi;
  failed = 0; done++
}

proctype Check() {
  byte x, j, k, n, p, declared, inherited; short rest, left, right, new_mro; int result, place;
  bool counts; byte reach[N];
  d_step {
    done == T ->
    FOR(x) reach[x] = BIT(x) | below[x]; END(x);
    n = 0;
    do
    :: n < N -> FOR(x) FOR(k) if :: HAS(reach[x], k) -> reach[x] = reach[x] | reach[k] :: else fi; END(k); END(x); n++
    :: else -> break
    od;
    FOR(x)
      counts = finished[x]; rest = mro[x];
      do :: rest != 0 -> k = (rest % 8) - 1; if :: !HAS(reach[k], x) -> counts = 0 :: else fi; rest = rest / 8
         :: else -> break od;
      if
      :: counts ->
         Value(mro[x], NONE); inherited = result;
         Merge(x, mro[x], own[x]);
         assert(table[x] >> (3 * PLACES) == result >> (3 * PLACES));
         Linearize(bases[x]);
         assert(table[x] == result || mro[x] != new_mro);
         assert(mark[x] || value[x] == inherited)
      :: else
      fi;
    END(x);
    assert(!lock && !typelock && NOBODY_IN_LIST)
  }
}

/* One operation, any. */
inline Any(me) {
  if
  :: run Thread(me, BASES, 2, 2)        /* B: P -> Q */
  :: run Thread(me, BASES, 3, 2)        /* C: B -> Q */
  :: run Thread(me, BASES, 3, 1)        /* C: B -> P */
  :: run Thread(me, BASES, 2, 4)        /* B below C: refused, unless C was moved before */
  :: run Thread(me, BASES, 0, 2)        /* P below Q */
  :: run Thread(me, BASES, 2, 8 * 1 + 2)        /* B(Q, P) */
  :: run Thread(me, BASES, 3, 8 * 3 + 2)        /* C(Q, B): refused if B is below Q */
  :: run Thread(me, SLOTS, 0, 2)
  :: run Thread(me, SLOTS, 1, 2)
  :: run Thread(me, SLOTS, 2, 2)
  :: run Thread(me, SLOTS, 3, 2)
  :: run Thread(me, SLOTS, 0, 0)
  :: run Thread(me, SET, 0, 10 + me)
  :: run Thread(me, SET, 1, 10 + me)
  :: run Thread(me, SET, 2, 10 + me)
  :: run Thread(me, SET, 3, 10 + me)
  :: run Thread(me, DELETE, 0, 0)
  fi
}

init {
  atomic {
    bases[2] = START + 1; bases[3] = 3; mro[2] = START + 1; mro[3] = 3 + 8 * (START + 1);
    below[START] = BIT(2); below[2] = BIT(3);
    ready[0] = 1; ready[1] = 1; ready[2] = 1; ready[3] = 1;
    finished[0] = 1; finished[1] = 1; finished[2] = 1; finished[3] = 1;
    own[0] = 1; own[1] = 1; own[3] = 1;
    table[0] = 1 + VALUE(0, 1); table[1] = 2 + VALUE(1, 1); table[2] = table[START];
    table[3] = table[START] + (4 << 3) + VALUE(3, 1);
    mark[0] = 1; mark[1] = 1; value[0] = 1; value[1] = 2; value[2] = START + 1; value[3] = START + 1;
    run Check();
#ifdef O0
    run Thread(0, O0);
#else
    Any(0);
#endif
#ifdef O1
    run Thread(1, O1);
#else
    if
    :: Any(1)
    :: run Thread(1, MAKE, 3, 0)        /* D(B) */
    :: run Thread(1, MAKE, 4, 0)
    :: run Thread(1, MAKE, 3, 9)
    :: run Thread(1, MAKE, 8 * 2 + 3, 0)        /* D(B, Q) */
    fi;
#endif
#if T > 2
#ifdef O2
    run Thread(2, O2);
#else
    Any(2);
#endif
#endif
  }
}
