/* SPDX-License-Identifier: MIT
 *
 * runtime/change.h - several threads change classes at the same time.
 *
 * Readers take no lock (customslots.h; docs/platforms.md, "memory order").  This is about writers: threads that make
 * classes, assign __bases__ and declare slots.  When all of them are done, every table must
 * be the merge over the MRO that its class then has.
 *
 * THE LOCK guards the tables and fields of all classes of an interpreter, against
 * writers.  It is a PyMutex on free-threaded builds, and the GIL on the others.  It is
 * held over C code only: nothing is called under it that could run Python code, drop a
 * reference or wait.  So it can never deadlock, whatever mro(), a finaliser, another
 * thread or another greenlet does in between, nested assignments included.  tp_traverse
 * does not take it (_Pycs_VisitFields() in fields.c).
 *
 * But no change can hold the lock throughout: only CPython can tell which subclasses a class has,
 * and an assignment of __bases__ runs Python code in type's setter (mro(); finalisers in the
 * collector).  Other changes of the same classes may happen in between on every build, and no change
 * waits for another.  The protocol is:
 *
 *  1. A refresh ENTERS the API's list, COLLECTS its class (`top`) and the subclasses, and LOOKS at
 *     each: it fetches the MRO, and finds out which functions the class overrides.
 *  2. It takes the lock, and goes on if no commit came since it collected (`generation` tells) and
 *     no class was reported late.  Otherwise it unlocks, and looks at the late classes, too; after
 *     another commit it collects again, below all that it has listed: nothing leaves its list.
 *  3. It computes and publishes everything without unlocking: a COMMIT.  The refresh leaves the list when
 *     it is discarded; a class that is reported to it in between was merged from what the commit left.
 *  4. A thread that publishes a class while the list has a refresh whose `top` is in the class's MRO
 *     REPORTS the class to that refresh as late.  (A class is linked into its bases' subclasses
 *     before it is published: it was either collected or is reported.)  An assignment of __bases__ that
 *     commits reports its class to all others that are in the API's list.
 *  5. If type's own setter is part of the change, it runs before the last look, and if it stores MROs,
 *     before the refresh collects for the last time.  A thread that calls the setter of __bases__ commits
 *     even if the setter fails: the setter may have changed MROs and changed them back, and another thread
 *     may have committed with the wrong MROs in between.
 *  6. Setting a field or slots in a class that has no subclasses, as the lock shows, is a commit without 1 to 4:
 *     nothing follows, since a subclass is linked before it is published.  (For slots the MRO was fetched after
 *     the last commit: if another thread has stored a new one since, it commits later.)
 *
 * It ends: a refresh collects again only if another one got through, and a class that is made
 * in that time costs one look at that class, a fraction of the time that making it takes.
 *
 * And it suffices.  A table follows from the MRO of its class, which type's setter stores, and from
 * own slots, which change in commits.
 *
 * After the last store into the MRO of a class X some commit looks at X.  Let S be the assignment
 * that stored it.  Its setter came to X from its own class Z0, which is listed, by links from Z0 to Z1, from Z1 to Z2
 * and so on.  If Zi is listed, S finds the next one when it collects for the last time, unless the link is gone.
 * Only another assignment R, of the bases of that next class, removes a link, and R commits afterwards.  If R commits
 * before S does, it reports the class to S.  If R commits later than S, it looks at the class later than S stored,
 * and at what is linked below the class, for which all this holds again with R in place of S.
 *
 * A commit C that changes own slots of a class in the MRO of X looks at X, by 2 and 4, if X was published before C took
 * the lock, unless X is not linked below that class.  (A class that is moved is for a moment in no list of
 * subclasses: then the assignment that moves it commits later.)  If X was published afterwards, it was merged under
 * the lock from what C left.  (X is merged over its MRO.  It takes the table of a base only if the list is empty:
 * until an assignment commits, that table may be for a former MRO of the base.)
 *
 * WHAT A MACHINE HAS CHECKED.  tests/models/change.pml is this protocol: two threads with any two of 17 operations and
 * 21 on five classes, some with two bases, with type's setter as one step, with all of its steps apart, and with an
 * allocation of ours that fails; and three threads with the sets that run.py names.  plan.pml has two threads with
 * any two of 11 operations and 12 that concern overridden functions, death.pml a class that dies while another thread
 * changes its base.  In each, each rule is also left out once, and the model must show a wrong table then, a dead
 * class, or a thread that waits forever.  tests/hostile/changing_amid.py lets the code itself make any two of 14
 * changes, which take turns at the lock in every way with two switches.  Argued, but in no model: more than one slot
 * or field of a class, a tp_base that is not the first base, values that C wrote, attributes while type's setter takes
 * its steps apart, and a last commit without memory, which leaves classes as they are.
 *
 * CPYTHON'S OWN STATE decides what is right.  Assignments of __bases__ that overlap in mro(), in Python code, can leave
 * an MRO that does not follow from the bases: the table and the fields follow that MRO, as attributes do.
 * But if a class Y in such an MRO of a class X is not above X by links, X does not follow later changes of Y until
 * the bases of X or of a class between them are assigned once more.  And the positions of X's slots, which only save
 * readers time, may come from a former table of its base.
 *
 * The same holds for attributes that override functions of interfaces (overriding.h), which a commit looks up after
 * the attribute was set.  An attribute that does not seem to matter is set without a refresh, and then asked about once
 * more (attributes.c): another thread may have looked before it was set.  If that thread has committed, tables and
 * `mixed` show that the attribute matters; if not, a refresh of a class in the MRO is in the list, or the class is
 * noted as a mixin.
 *
 * The same holds for C fields (set_field.c), but a class is filled before it can be found among its
 * bases' subclasses.  So it is looked at again when it is published, if there was a commit since: fields.h.  Whether
 * a value is inherited does not depend on an MRO, which may not be committed (fields.h, too); from which class it is
 * inherited depends only on which classes set one.  So a value is found in one walk along the MRO.
 *
 * THE STAMP of a class (customslots.h) is the upper half of its tp_flags.  SetRecord() gives it, under
 * the lock and after all else; dealloc takes it away.  CPython's writers of flags know neither the
 * lock nor an atomic: each stores what it read a moment before, with changes in the lower half.  So a
 * writer may store what stood there before the stamp was given, which is 0: the stamp is lost, readers
 * do the rest of the test, and the next SetRecord() gives it again.  A writer could bring a stamp back
 * only if it read the stamp before dealloc and stored it afterwards, but then it would use a class
 * without a reference to it.  And no other stamp can come from CPython: type_new and PyType_Ready() do
 * not copy the upper half of a base, and a copy of a whole type object has another address.  A reader
 * that finds a stamp finds the table, too, even if CPython stored the stamp once more in between: no
 * processor lets others see a value that was computed from a load before what the load has seen.
 *
 * MEMORY.  Without memory there is a MemoryError, and nothing has changed.  If type's setter is part
 * of the change, tables are allocated before it runs, so that its commit needs memory for copies of
 * C fields and for what other threads added in between.  Without that memory, the former bases are
 * assigned again, and if that fails, too, classes keep what they have: stale, but valid.
 * Not covered, on any build: the MRO of a class that changes because a base without our
 * metaclass got other bases (see docs/design.md, limits).
 *
 * tp_mro AND tp_bases are CPython's: guarded by a lock of its own, which we cannot
 * take, and freed when they are replaced.  So on free-threaded builds they are fetched
 * through type's descriptors, which take that lock and return a new reference.
 */
#ifndef Py_CUSTOMSLOTS_RUNTIME_CHANGE_H
#define Py_CUSTOMSLOTS_RUNTIME_CHANGE_H

#include "runtime/finish.h"

_Pycs_PRIVATE PyObject *_Pycs_CollectSubclasses(_Pycs_API *api, PyTypeObject *type);
_Pycs_PRIVATE void _Pycs_RefreshEnter(
    _Pycs_API *api, _Pycs_Refresh *refresh, PyTypeObject *top, const PyCustomSlot *own, Py_ssize_t own_count);
_Pycs_PRIVATE void _Pycs_RefreshDiscard(_Pycs_API *api, _Pycs_Refresh *refresh);
_Pycs_PRIVATE int _Pycs_LockAsLooked(_Pycs_API *api, _Pycs_Refresh *refresh, int changed, int last);
_Pycs_PRIVATE int _Pycs_RefreshPrepare(
    _Pycs_API *api, _Pycs_Refresh *refresh, PyTypeObject *top, Py_ssize_t what, Py_ssize_t more);
_Pycs_PRIVATE int _Pycs_RefreshCommit(_Pycs_API *api, _Pycs_Refresh *refresh, int last);

#endif /* Py_CUSTOMSLOTS_RUNTIME_CHANGE_H */
