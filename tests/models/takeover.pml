/* SPDX-License-Identifier: MIT
 *
 * takeover.pml - implementations of several ages meet (runtime/implementation.c).
 *
 * WHAT IS MODELLED.  Implementation 1 serves.  Four threads meet the API: two with a module that carries implementation
 * 2, one with 3, one with 1.  Each load, compare-and-swap and store is a step; the list of who met only grows at its
 * head, so to search it is one step from the head that was loaded.
 *
 * WHAT MUST HOLD.  When Meet() returns, what serves is not older, and it never becomes older.  Who is in the list
 * serves, or has served.  In the end the newest serves, each is in the list once, and its verdict is "took over" if and
 * only if it served.
 *
 * LEFT OUT.  CUSTOMSLOTS_RUNTIME, states of other versions, what implementations do.
 *
 * MAPPING
 *   Meet           implementation.c: _Pycs_Meet, _Pycs_WriteDown, _Pycs_Judge
 */
#define TOOK 1
#define OLDER 2
#define CREATED 3
byte impl = 1, done;
byte nmet = 1, who[8], verdict[8];      /* met: who[nmet - 1] is the head */
bool served[4], inlist;
byte highest = 1;

inline Find(h, m) { d_step { at = 0; do :: at < h && who[at] != m -> at++ :: else -> break od; seen = (at < h) } }

proctype Meet(byte mine) {
  byte found, v, h, at; bool seen;
again:
  h = nmet; Find(h, mine);
  if
  :: seen ->
     assert(impl >= mine);                      /* found in the list: its functions are there */
     goto out
  :: else
  fi;
  found = impl;
  if :: found == mine -> goto out :: else fi;
  v = (mine <= found -> OLDER : TOOK);
#ifdef M_WRITEFIRST
  goto write;
swap:
#endif
  if
  :: v == TOOK ->
#ifdef M_NOCAS
     impl = mine; served[mine] = 1
#else
     if
     :: atomic { impl == found -> impl = mine; served[mine] = 1 }
     :: atomic { impl != found -> goto again }
     fi
#endif
  :: else
  fi;
#ifdef M_WRITEFIRST
  goto out;
#endif
write:
  h = nmet; Find(h, mine);
  if
  :: seen ->
#ifndef M_VERDICTSTAYS
     if :: v == TOOK -> verdict[at] = v :: else fi;
#endif
     goto out
  :: else ->
     if
#ifdef M_LISTNOCAS
     :: atomic { who[h] = mine; verdict[h] = v; nmet = h + 1 }
#else
     :: atomic { nmet == h -> who[nmet] = mine; verdict[nmet] = v; nmet++ }
     :: atomic { nmet != h -> goto write }
#endif
     fi
  fi;
#ifdef M_WRITEFIRST
  goto swap;
#endif
out:
  assert(impl >= mine);
  done++
}
active proctype Monotone() { byte last;
  do :: atomic { impl != last -> assert(impl > last); last = impl } :: done == 4 -> break od }
active proctype Check() {
  byte i, j;
  d_step { done == 4 ->
    assert(impl == 3);
    i = 0;
    do :: i < nmet -> j = 0;
          do :: j < i -> assert(who[i] != who[j]); j++ :: else -> break od;
          assert((verdict[i] == TOOK) == served[who[i]] || verdict[i] == CREATED);
          i++
       :: else -> break od;
    assert(nmet == 3) }
}
init { atomic { who[0] = 1; verdict[0] = CREATED; run Meet(2); run Meet(2); run Meet(3); run Meet(1) } }
