/* SPDX-License-Identifier: MIT
 *
 * recording.h - every load and store of a file that is compiled with -fsanitize=thread, and two threads played by one.
 *
 * The compiler calls the functions below for each access, with its memory order; no sanitizer is behind them.  While a
 * change runs (WRITER), a look-up (READER) is made before each of its stores, and so sees what a processor may show
 * after the store before.  Or the change is made in the middle of the look-up, before one of its loads.  A look-up may
 * load what the change has stored only if it loaded with acquire, before or now, a word that was stored with release,
 * then or later: anything else is a fault, as it would be a race of two threads.  A look-up that is one of many changes
 * nothing: its compare-and-swaps fail, its atomic stores are undone, and where it waits for a lock it is given up.
 *
 * `weakened` is the place in the code of one atomic access that counts as plain.
 */
#define _GNU_SOURCE
#include "../module.h"
#include <dlfcn.h>
#include <setjmp.h>

#ifdef __clang__
#  define NOT_RECORDED disable_sanitizer_instrumentation
#else
#  define NOT_RECORDED no_sanitize("thread")
#endif
#define HIDDEN  __attribute__((visibility("hidden"), NOT_RECORDED))
#define UNSEEN  __attribute__((NOT_RECORDED, unused)) static
#define WAITED  ((uintptr_t)-7)

enum { NOBODY, WRITER, READER };
static int who;

typedef struct { uintptr_t place, number, released, round; const char *code; } Stored;
#define STORED (1 << 16)
static Stored stored[STORED];                   /* by four bytes of memory */
static uintptr_t stores, seen, loads, change_at, again_at, round_;

static const char *weakened, *sites[1000], *faults[100][2];
static int site_count, fault_count;

static struct { uintptr_t *word, former; } undone[100];
static int undo_count;

static uintptr_t results[1000];
static int result_count;
static uintptr_t (*reader)(void);
static PyObject *change;
static int remembers;                           /* the look-up leaves what it stores */
static int planted;
static jmp_buf given_up;

static uintptr_t steps;                         /* loads of the change */
static const void *watched, *taken_lock;        /* who loads the one next, or is the n-th to take the other, */
static Py_ssize_t nth;
static PyObject *called;                        /* calls this first */

UNSEEN Stored *word_at(uintptr_t place)
{
    size_t i = (size_t)(place * 0x9E3779B1u >> 7) % STORED;
    while (stored[i].round == round_ && stored[i].place != place) i = (i + 1) % STORED;
    if (stored[i].round != round_) memset(&stored[i], 0, sizeof(stored[i]));
    return &stored[i];
}

UNSEEN void fault(const char *code, const char *other)
{
    int i;
    for (i = 0; i < fault_count; i++) if (faults[i][0] == code && faults[i][1] == other) return;
    if (fault_count == 100) return;
    faults[fault_count][0] = code;
    faults[fault_count++][1] = other;
}

UNSEEN int is_ordered(const char *code, int order)
{
    int i;
    if (order < 0) return 0;
    for (i = 0; i < site_count && sites[i] != code; i++) { }
    if (i == site_count && i < 1000) sites[site_count++] = code;
    return code != weakened && order > 0;
}

/* Words that CPython may store at any time. */
#define FOREIGN 2
static struct { const void *word; size_t size; } foreign[8];

UNSEEN void note(const void *p, size_t size, const char *code, int ordered)
{
    uintptr_t place = (uintptr_t)p / 4;
    for (stores++; place * 4 < (uintptr_t)p + size; place++) {
        Stored *word = word_at(place);
        word->round = round_;
        word->place = place;
        word->number = who == READER ? 0 : stores;
        word->released = (uintptr_t)ordered;
        word->code = code;
    }
}

/* Everybody has seen what was stored before. */
UNSEEN void begin(void)
{
    int i;
    round_++;
    stores = steps = 0;
    for (i = 0; i < 8; i++) if (foreign[i].word != NULL) note(foreign[i].word, foreign[i].size, NULL, FOREIGN);
}

/* One look-up, from its beginning.  If it is one of many, it leaves all as it was. */
UNSEEN uintptr_t look(int is_only)
{
    uintptr_t result = WAITED;
    seen = loads = 0;
    undo_count = 0;
    who = READER;
    if (setjmp(given_up) == 0) result = reader();
    who = WRITER;
    while (!is_only && !remembers && undo_count-- > 0) *undone[undo_count].word = undone[undo_count].former;
    return result;
}

UNSEEN void look_meanwhile(void)
{
    const uintptr_t result = look(0);
    if (result_count > 0 && results[result_count - 1] == result) return;
    if (result_count < 1000) results[result_count++] = result;
}

UNSEEN void append(PyObject *list, PyObject *item)
{
    PyList_Append(list, item);
    Py_DECREF(item);
}

UNSEEN void make_change(void)
{
    PyObject *made = PyObject_CallNoArgs(change);
    if (made == NULL) {
        PyErr_Print();
        fault("the change failed", NULL);
    }
    Py_XDECREF(made);
}

UNSEEN void call_first(void)
{
    PyObject *function = called;
    watched = taken_lock = NULL;
    called = NULL;
    Py_XDECREF(PyObject_CallNoArgs(function));
    Py_DECREF(function);
}

UNSEEN void note_store(const void *p, size_t size, const char *code, int order)
{
    const int ordered = is_ordered(code, order);
    if (who == WRITER && change_at == 0 && reader != NULL) look_meanwhile();
    if (who == READER && order >= 0 && size == sizeof(uintptr_t) && undo_count < 100) {
        undone[undo_count].word = (uintptr_t *)(uintptr_t)p;
        undone[undo_count++].former = *(const uintptr_t *)p;
    }
    if (who != NOBODY) note(p, size, code, ordered);
}

UNSEEN void note_load(const void *p, size_t size, const char *code, int order)
{
    const int ordered = is_ordered(code, order);
    uintptr_t place = (uintptr_t)p / 4, now;
    steps += who == WRITER;
    if (p == watched) call_first();
    if (who != READER) return;
    loads++;
    if (change_at != 0 && (loads == change_at || loads == again_at)) {
        who = WRITER;
        make_change();
        who = READER;
    }
    for (now = seen; place * 4 < (uintptr_t)p + size; place++) {
        const Stored *word = word_at(place);
        if (word->number <= seen && word->released != FOREIGN) continue;
        if (!ordered || !word->released) fault(code, word->code);
        else if (word->released == FOREIGN) continue;
        else if (word->number > now) now = word->number;
    }
    seen = now;
}

UNSEEN int give_up(void)
{
    if (who == READER) longjmp(given_up, 1);
    Py_FatalError("the change waits for a lock");
    return 0;
}

#define CODE ((const char *)__builtin_return_address(0))
#define PLAIN(n)                                                                                \
    HIDDEN void __tsan_read##n(void *p) { note_load(p, n, CODE, -1); }                          \
    HIDDEN void __tsan_write##n(void *p) { note_store(p, n, CODE, -1); }                        \
    HIDDEN void __tsan_unaligned_read##n(void *p) { note_load(p, n, CODE, -1); }                \
    HIDDEN void __tsan_unaligned_write##n(void *p) { note_store(p, n, CODE, -1); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
HIDDEN void __tsan_read_range(void *p, size_t n) { note_load(p, n, CODE, -1); }
HIDDEN void __tsan_write_range(void *p, size_t n) { note_store(p, n, CODE, -1); }
HIDDEN void __tsan_init(void) { }
HIDDEN void __tsan_func_entry(void *p) { (void)p; }
HIDDEN void __tsan_func_exit(void) { }

#define ATOMIC(n, T)                                                                            \
    UNSEEN int swap##n(volatile T *p, T *former, T v, int order, const char *code)              \
    {                                                                                           \
        if (who == READER && !remembers) {                                                      \
            *former = (T)~*former;                                                              \
            return 0;                                                                           \
        }                                                                                       \
        note_store((void *)p, sizeof(T), code, order);                                          \
        return __atomic_compare_exchange_n(p, former, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    }                                                                                           \
    HIDDEN T __tsan_atomic##n##_load(const volatile void *p, int order)                         \
    {                                                                                           \
        note_load((const void *)p, sizeof(T), CODE, order);                                     \
        return __atomic_load_n((const volatile T *)p, __ATOMIC_SEQ_CST);                        \
    }                                                                                           \
    HIDDEN void __tsan_atomic##n##_store(volatile void *p, T v, int order)                      \
    {                                                                                           \
        note_store((void *)p, sizeof(T), CODE, order);                                          \
        if (p == taken_lock && v != 0 && --nth == 0) call_first();                              \
        __atomic_store_n((volatile T *)p, v, __ATOMIC_SEQ_CST);                                 \
    }                                                                                           \
    HIDDEN T __tsan_atomic##n##_exchange(volatile void *p, T v, int order)                      \
    {                                                                                           \
        note_store((void *)p, sizeof(T), CODE, order);                                          \
        return __atomic_exchange_n((volatile T *)p, v, __ATOMIC_SEQ_CST);                       \
    }                                                                                           \
    HIDDEN _Bool __tsan_atomic##n##_compare_exchange_strong(                                    \
        volatile void *p, void *former, T v, int order, int other)                              \
    {                                                                                           \
        (void)other;                                                                            \
        return swap##n((volatile T *)p, (T *)former, v, order, CODE) != 0;                      \
    }                                                                                           \
    HIDDEN T __tsan_atomic##n##_compare_exchange_val(volatile void *p, T former, T v, int order, int other) \
    {                                                                                           \
        (void)other;                                                                            \
        (void)swap##n((volatile T *)p, &former, v, order, CODE);                                \
        return former;                                                                          \
    }
ATOMIC(32, unsigned int)
ATOMIC(64, unsigned long)

/* What the C library loads and stores. */
HIDDEN void *copied(void *to, const void *from, size_t size)
{
    note_load(from, size, CODE, -1);
    note_store(to, size, CODE, -1);
    return memcpy(to, from, size);
}
HIDDEN void *filled(void *to, int value, size_t size)
{
    note_store(to, size, CODE, -1);
    return memset(to, value, size);
}
HIDDEN int compared(const void *a, const void *b, size_t size)
{
    note_load(a, size, CODE, -1);
    note_load(b, size, CODE, -1);
    return memcmp(a, b, size);
}

/* ----------------------------------------------------------------------- for Python -- */

/* meanwhile(change): what look-ups find before, during and after it, without repetitions */
UNSEEN PyObject *meanwhile(PyObject *self, PyObject *given)
{
    PyObject *list = PyList_New(0);
    int i;
    begin();
    change_at = 0;
    result_count = 0;
    change = given;
    who = WRITER;
    make_change();
    if (reader != NULL) look_meanwhile();
    who = NOBODY;
    reader = NULL;
    for (i = 0; i < result_count; i++) append(list, PyLong_FromSize_t((size_t)results[i]));
    return list;
}

/* amid(change, n, m): what a look-up finds if the change is made before its n-th load, and again before its m-th (0:
   not again); and how often it loads */
UNSEEN PyObject *amid(PyObject *self, PyObject *arguments)
{
    uintptr_t result;
    begin();
    if (!PyArg_ParseTuple(arguments, "Onn", &change, &change_at, &again_at)) return NULL;
    result = look(1);
    who = NOBODY;
    reader = NULL;
    change_at = 0;
    return Py_BuildValue("nn", (Py_ssize_t)result, (Py_ssize_t)loads);
}

UNSEEN PyObject *offset_of(const char *code)
{
    Dl_info info;
    if (code == NULL || !dladdr(code, &info) || info.dli_fbase == NULL) return PyLong_FromLong(0);
    return PyLong_FromSsize_t(code - (const char *)info.dli_fbase);
}

/* found_faults(): [(place in the code of a load, of the store that it must not see)], and forgets them */
UNSEEN PyObject *found_faults(PyObject *self, PyObject *ignored)
{
    PyObject *list = PyList_New(0);
    int i;
    for (i = 0; i < fault_count; i++) {
        append(list, Py_BuildValue("NN", offset_of(faults[i][0]), offset_of(faults[i][1])));
    }
    fault_count = 0;
    return list;
}

/* atomics(): the places of all atomic accesses that were made */
UNSEEN PyObject *atomics(PyObject *self, PyObject *ignored)
{
    PyObject *list = PyList_New(0);
    int i;
    for (i = 0; i < site_count; i++) append(list, offset_of(sites[i]));
    return list;
}

/* weaken(place) */
UNSEEN PyObject *weaken(PyObject *self, PyObject *place)
{
    Dl_info info;
    dladdr((void *)(uintptr_t)weaken, &info);
    weakened = (const char *)info.dli_fbase + PyLong_AsSsize_t(place);
    Py_RETURN_NONE;
}

/* plant(n): one of the faults that test_memory_order.py has put into the headers */
UNSEEN PyObject *plant(PyObject *self, PyObject *number)
{
    planted = (int)PyLong_AsLong(number);
    Py_RETURN_NONE;
}

/* taken(): how many steps the last change took */
UNSEEN PyObject *taken(PyObject *self, PyObject *ignored) { return PyLong_FromSize_t((size_t)steps); }

#define RECORDING_METHODS \
    TAKES_ONE(meanwhile), TAKES_ARGS(amid), TAKES_ONE(weaken), TAKES_ONE(plant), TAKES_NONE(found_faults), \
    TAKES_NONE(atomics), TAKES_NONE(taken)

/* From here on. */
#undef memcpy
#undef memset
#undef memcmp
#define memcpy(to, from, n)  copied((to), (from), (n))
#define memset(to, value, n) filled((to), (value), (n))
#define memcmp(a, b, n)      compared((a), (b), (n))
#define sched_yield() give_up()
