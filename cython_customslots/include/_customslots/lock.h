/* SPDX-License-Identifier: MIT
 *
 * _customslots/lock.h - one word that all libraries of a process lock.
 * Included by customslots.h; not for direct use.
 *
 * Who writes to memory that the process shares (process.h) excludes other writers: of one
 * interpreter by its GIL, of several and on free-threaded builds by this.  Held for some
 * loads and stores and a malloc(), never while anything of Python's is called.  The word
 * names the process, because fork() copies a lock that a thread holds into a process that
 * has no such thread; what is locked so must be whole for readers at all times, so there
 * it can be taken over.
 */
#ifndef Py_CUSTOMSLOTS_LOCK_H
#define Py_CUSTOMSLOTS_LOCK_H

#include <assert.h>

#if !defined(_WIN32)
#  include <sched.h>
#  include <unistd.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

#if _PyCustomSlots_SHARES

_PyCustomSlots_UNUSED static inline uintptr_t
_PyCustomSlots_ProcessNumber(void)
{
#if defined(_WIN32)
    return 1;                                           /* has no fork() */
#else
    return (uintptr_t)getpid();
#endif
}

_PyCustomSlots_UNUSED static void
_PyCustomSlots_LockWord(uintptr_t *word)
{
    const uintptr_t self = _PyCustomSlots_ProcessNumber();
    for (;;) {
        uintptr_t owner = _PyCustomSlots_LOAD(uintptr_t, word);
        if (owner != self) {
#if defined(__GNUC__) || defined(__clang__)
            if (__atomic_compare_exchange_n(word, &owner, self, 0,
                                            __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
#else
            if (_InterlockedCompareExchangePointer((void *volatile *)word,
                                                   (void *)self, (void *)owner)
                    == (void *)owner) return;
#endif
        }
#if !defined(_WIN32)
        (void)sched_yield();
#endif
    }
}

/* For what must not be done without.  (By whom it is locked the word does not say.) */
#define _PyCustomSlots_ASSERT_WORD_LOCKED(word) \
    assert(_PyCustomSlots_LOAD(uintptr_t, (word)) == _PyCustomSlots_ProcessNumber())

_PyCustomSlots_UNUSED static inline void
_PyCustomSlots_UnlockWord(uintptr_t *word)
{
    _PyCustomSlots_ASSERT_WORD_LOCKED(word);
    _PyCustomSlots_STORE(uintptr_t, word, 0);
}

#endif /* _PyCustomSlots_SHARES */

#ifdef __cplusplus
}
#endif

#endif /* Py_CUSTOMSLOTS_LOCK_H */
