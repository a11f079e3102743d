/* SPDX-License-Identifier: MIT
 *
 * _customslots/lock.h - one word that all libraries of a process lock.
 * Included by customslots.h; not for direct use.
 *
 * Writers of memory that the process shares (process.h) exclude each other: within one
 * interpreter by its GIL; between interpreters, and on free-threaded builds, by this lock.  It is
 * held for a few loads and stores and a malloc(), and never while Python is called.  The word
 * names the process, because fork() can copy a lock whose holder does not exist in the child.
 * The child may then take it over, since what it guards is consistent for readers at all times.
 */

_Pycs_UNUSED static inline uintptr_t
_Pycs_ProcessNumber(void)
{
#if defined(_WIN32) || defined(__wasi__)
    return 1;                                           /* has no fork() */
#else
    return (uintptr_t)getpid();
#endif
}

/* Stores `fresh` if *word is `former`, and says whether it was. */
_Pycs_UNUSED static inline int
_Pycs_SwapWord(uintptr_t *word, uintptr_t former, uintptr_t fresh)
{
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_compare_exchange_n(word, &former, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
#else
    return _InterlockedCompareExchangePointer((void *volatile *)word, (void *)fresh, (void *)former)
           == (void *)former;
#endif
}

_Pycs_UNUSED static void
_Pycs_LockWord(uintptr_t *word)
{
    const uintptr_t self = _Pycs_ProcessNumber();
    for (;;) {
        uintptr_t owner = _Pycs_LOAD(uintptr_t, word);
        if (owner != self && _Pycs_SwapWord(word, owner, self)) return;
#if !defined(_WIN32)
        (void)sched_yield();
#endif
    }
}

/* To assert that the lock is held.  (The word does not say by which thread.) */
#define _Pycs_ASSERT_WORD_LOCKED(word) \
    assert(_Pycs_LOAD(uintptr_t, (word)) == _Pycs_ProcessNumber())

_Pycs_UNUSED static inline void
_Pycs_UnlockWord(uintptr_t *word)
{
    _Pycs_ASSERT_WORD_LOCKED(word);
    _Pycs_STORE(uintptr_t, word, 0);
}
