/* SPDX-License-Identifier: MIT
 *
 * answers.pml - what FindAny remembers (include/_customslots/register.h).
 *
 * WHAT IS MODELLED.  One answer, on which all keys fall; one ID, and one class that something may be registered for.
 * Two threads look up, for two types, and remember.  Meanwhile something is registered, a registration ends, a type
 * gets another MRO, with another version or, after an assignment that failed, with the same one, it dies, and another
 * one, in a new interpreter perhaps, has its address, and a tuple that of its MRO.
 *   -DGIL              all this only between look-ups, whose threads still take turns step by step
 *   -DSUBINTERPRETER   the second type may be one of another interpreter
 *   -DREGONLY          no GIL: only registrations come and go
 *
 * WHAT MUST HOLD.  A look-up returns what following the MRO would have found at some moment of the call.
 *
 * LEFT OUT.  Stores that become visible later: reader.pml has a buffer, and these are all releases and acquires.
 *
 * MAPPING
 *   Look           include/_customslots/register.h: _Pycs_Recall, _Pycs_Remember, _Pycs_BeginAnswer, _Pycs_EndAnswer,
 *                  _Pycs_VersionOwner
 *                  include/_customslots/bridge.h: _Pycs_SeekRegistered, _Pycs_FindRegistered
 *   World          include/_customslots/register.h: _Pycs_AddEntry, _Pycs_EndEntry, _Pycs_ForgetAnswers
 */
#ifndef LOOKS
#define LOOKS 2
#endif
/* the world: */
byte mro[3];            /* address of the tuple: 1, 2; 0 none */
byte ver[3];            /* tp_version_tag */
byte interp[3];         /* whose the heap type is; 0: static */
byte newest = 1;        /* PyInterpreterState_Head() */
byte reg;               /* 0: nothing; else the slot that is registered for the base of tuple 1 */
byte tgen = 1;          /* table->generation */
byte nextver[3];        /* of each interpreter */
/* the answer */
byte aseq, atype, agen, aver, amro, aint, aslot;
byte moves;             /* how often the world may still act */
#ifndef MOVES
#define MOVES 4
#endif

bool inv[3];            /* what the tuples at addresses 1 and 2 have in them: (1 has the base) != inv; new with each
                           version, because a tuple may get the address of another one */
#define TRUTH(t) ((mro[t] == 1) != inv[t] -> reg : 0)
/* what was true in a call: a bit for each slot that was the truth at a moment of it */
byte seen[2];
byte who[2];            /* type that thread i looks up; 0: none */
inline note() { d_step {
  if :: who[0] -> seen[0] = seen[0] | (1 << TRUTH(who[0])) :: else fi;
  if :: who[1] -> seen[1] = seen[1] | (1 << TRUTH(who[1])) :: else fi; skip } }

proctype World() {
  byte t;
  do
  :: moves < MOVES -> atomic {
#ifdef GIL
       (!who[0] && !who[1]) ->
#endif
       moves++;
       if
       :: reg == 0 -> reg = 1 + (moves % 3);                    /* AddEntry */
#ifndef M_NOFORGET
          tgen++
#endif
       :: reg != 0 -> reg = 0;                                  /* EndEntry */
#ifndef M_NOFORGET_END
          tgen++
#endif
#ifndef REGONLY
       :: true -> t = 1;                                        /* __bases__: another MRO, another version */
          mro[t] = 3 - mro[t]; if :: inv[t] = 0 :: inv[t] = 1 fi;
          ver[t] = nextver[interp[t]]; nextver[interp[t]]++
       :: true -> t = 1;                                        /* a failed assignment: MRO changes, version stays */
          mro[t] = 3 - mro[t]
       :: true -> t = 1;                                        /* dies; another one, and a tuple, at its address */
          if :: mro[t] = 1 :: mro[t] = 2 fi; if :: inv[t] = 0 :: inv[t] = 1 fi;
          ver[t] = nextver[interp[t]]; nextver[interp[t]]++
#ifdef SUBINTERPRETER
       :: newest == 1 -> newest = 2; t = 1; interp[t] = 2;      /* a new interpreter's, with a count of its own */
          if :: mro[t] = 1 :: mro[t] = 2 fi; if :: inv[t] = 0 :: inv[t] = 1 fi;
          ver[t] = nextver[2]; nextver[2]++
       :: newest == 2 && interp[1] == 1 -> newest = 1
       :: newest == 2 && interp[1] == 2 -> newest = 1; interp[1] = 1;
          if :: mro[1] = 1 :: mro[1] = 2 fi; if :: inv[1] = 0 :: inv[1] = 1 fi;
          ver[1] = nextver[1]; nextver[1]++
#endif
#endif
       fi; note() }
  :: true -> break
  od
}

#ifdef M_NOVERSION
#define SAMEVER true
#else
#define SAMEVER (aver == ver[t])
#endif
#ifdef M_NOMRO
#define SAMEMRO true
#else
#define SAMEMRO (amro == mro[t])
#endif
#ifdef M_NOGEN
#define SAMEGEN true
#else
#define SAMEGEN (agen == tgen)
#endif
#ifdef M_NOINTERP
#define SAMEINT true
#else
#define SAMEINT (aint == own)
#endif
#ifdef M_NOREREAD
#define SAMESEQ true
#else
#define SAMESEQ (aseq == (seq & 254))
#endif

proctype Look(byte me) {
  byte t, own, seq, s, fg, fv, fm, fint, n;
  do
  :: n < LOOKS -> n++;
     atomic { if :: t = 1 :: t = 2 fi; who[me] = t; seen[me] = 0; note() }
     /* Recall */
     own = newest; seq = aseq;
     if :: atype == t -> skip :: else -> goto seek fi;
     if :: SAMEGEN -> skip :: else -> goto seek fi;
     if :: SAMEVER -> skip :: else -> goto seek fi;
     if :: SAMEMRO -> skip :: else -> goto seek fi;
     if :: SAMEINT -> skip :: else -> goto seek fi;
     s = aslot;
     if :: SAMESEQ -> goto found :: else fi;
seek:
#ifdef M_GENLATE
     fv = ver[t]; fm = mro[t]; fint = newest;
     d_step { s = TRUTH(t) }
     fg = tgen;
#else
     fg = tgen; fv = ver[t]; fm = mro[t]; fint = newest;          /* BeginAnswer */
     d_step { s = TRUTH(t) }                                    /* FollowMro */
#endif
     /* EndAnswer, Remember */
     if
     :: fint != 1 -> goto found
     :: else
     fi;
     seq = aseq;
#ifdef M_NOSEQLOCK
     aseq = seq + 1;
#else
     if :: seq % 2 != 0 -> goto found :: else fi;
     atomic { if :: aseq == seq -> aseq = seq + 1 :: else -> goto found fi }
#endif
     atype = t; agen = fg; aver = fv; amro = fm; aint = fint; aslot = s;
     aseq = seq + 2;
found:
     assert((seen[me] >> s) & 1);
     atomic { who[me] = 0; seen[me] = 0; t = 0; own = 0; seq = 0; s = 0; fg = 0; fv = 0; fm = 0; fint = 0 }
  :: else -> break
  od
}

init { atomic {
  mro[1] = 1; mro[2] = 2; ver[1] = 1; ver[2] = 2; nextver[1] = 3; nextver[2] = 1; interp[1] = 1; interp[2] = 1; reg = 1;
  run World(); run Look(0); run Look(1) } }
