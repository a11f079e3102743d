/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/record.h - what a provider says about a function: its C functions.
 * Included by typedmethod.h; not for direct use.
 *
 * A record and its entries are static data of a module: immutable, and there as long as
 * the process is.
 */

/** What the function returns when it has raised. */
/* [PyTypedMethodError.begin] */
typedef union PyTypedMethodError {
    int64_t  i;             /**< signed results, whatever their width */
    uint64_t u;             /**< unsigned ones and bool */
    double   f;             /**< f4, f8, f16 */
    void    *p;             /**< pointer, object */
#ifdef __cplusplus          /* which could initialise only the first member without these */
    PyTypedMethodError() = default;
    constexpr PyTypedMethodError(int64_t value) : i(value) {}
    constexpr PyTypedMethodError(uint64_t value) : u(value) {}
    constexpr PyTypedMethodError(double value) : f(value) {}
    constexpr PyTypedMethodError(void *value) : p(value) {}
#endif
} PyTypedMethodError;
/* [PyTypedMethodError.end] */

/* [flags.begin] */
/* How the function reports an exception: two bits. */
#define PyTypedMethod_RAISES        3u      /**< the mask of how it reports; 0: it raises nothing */
#define PyTypedMethod_RAISES_VALUE  1u      /**< returns `error` if and only if it raised */
#define PyTypedMethod_RAISES_MAYBE  2u      /**< returned `error`: ask PyErr_Occurred() */
#define PyTypedMethod_RAISES_ANY    3u      /**< ask PyErr_Occurred() after every call */

#define PyTypedMethod_NOGIL         4u      /**< may be called without an attached thread state */
#define PyTypedMethod_CTX_FIRST     8u      /**< takes a `void *` context in front of its arguments */
#define PyTypedMethod_CTX_LAST     16u      /**< or after them; it is not part of the signature */
#define PyTypedMethod_SELF         32u      /**< its first argument, an object, is the receiver */
#define PyTypedMethod_UNVERIFIED   64u      /**< has the signature that a caller claimed for it */
#define PyTypedMethod_CONVERTS    128u      /**< Python has other types than these numbers: bool for an
                                               int, an enum; of no interest to a caller in C */
#define PyTypedMethod_KNOWN       255u      /**< all of these; an entry with others is refused */
/* [flags.end] */

/* The flags of entries that these headers find.  A record was checked when it was registered, by
   headers that may be newer: entries with other flags are skipped. */
#ifndef _Pycs_UNDERSTOOD
#  define _Pycs_UNDERSTOOD PyTypedMethod_KNOWN
#endif

/* An entry with no other flags is called with the arguments of its signature. */
#define _Pycs_PLAIN \
    (PyTypedMethod_RAISES | PyTypedMethod_NOGIL | PyTypedMethod_UNVERIFIED | PyTypedMethod_CONVERTS)

/** Both: does it take a context? */
#define PyTypedMethod_CTX (PyTypedMethod_CTX_FIRST | PyTypedMethod_CTX_LAST)

/** One overload.  32 bytes and the same offsets, except inside `function`, everywhere. */
/* [PyTypedMethodEntry.begin] */
typedef struct {
    uint64_t           signature;       /**< PyTypedMethod_SIGNATURE(), PyTypedMethod_Parse() */
    void              *function;        /**< the C function */
#if UINTPTR_MAX <= 0xFFFFFFFFu
    uint32_t           unused;
#endif
    uint32_t           flags;           /**< PyTypedMethod_RAISES_VALUE and its like */
    uint32_t           reserved;        /**< 0 */
    PyTypedMethodError error;           /**< what it returns when it has raised */
} PyTypedMethodEntry;
/* [PyTypedMethodEntry.end] */

/* [PyTypedMethodRecord.begin] */
#define PyTypedMethod_MAGIC       0x54504D31u   /**< "1MPT" */
#define PyTypedMethod_ABI_VERSION 1             /**< the layout of records and entries */
#define PyTypedMethod_MAX_ENTRIES 4096          /**< a record with more is refused */

/** What is behind a Python function: one or more C functions.  Lives as long as the process. */
typedef struct {
    uint32_t                  magic;        /**< PyTypedMethod_MAGIC */
    uint16_t                  abi;          /**< PyTypedMethod_ABI_VERSION */
    uint16_t                  entry_size;   /**< bytes; a later ABI may append to an entry */
    uint32_t                  count;        /**< of entries */
    uint32_t                  flags;        /**< 0 */
    const char               *name;         /**< for messages; may be NULL */
    const PyTypedMethodEntry *entries;      /**< an overload each */
} PyTypedMethodRecord;
/* [PyTypedMethodRecord.end] */

/* The least size of an entry, of any age.  entry_size says whether it has members that a later
   version appended. */
#define _Pycs_ENTRY_SIZE 32

_Pycs_ASSERT(entry_has_32_bytes, sizeof(PyTypedMethodEntry) == _Pycs_ENTRY_SIZE);
_Pycs_ASSERT(error_has_8_bytes, sizeof(PyTypedMethodError) == 8);

/* ------------------------------------------------------------ writing one down -- */

/* An initialiser of PyTypedMethodError by the member that is meant. */
#ifdef __cplusplus
#  define _Pycs_ERROR_i(value) PyTypedMethodError((int64_t)(value))
#  define _Pycs_ERROR_u(value) PyTypedMethodError((uint64_t)(value))
#  define _Pycs_ERROR_f(value) PyTypedMethodError((double)(value))
#  define _Pycs_ERROR_p(value) PyTypedMethodError((void *)(value))
#else
#  define _Pycs_ERROR_i(value) {.i = (int64_t)(value)}
#  define _Pycs_ERROR_u(value) {.u = (uint64_t)(value)}
#  define _Pycs_ERROR_f(value) {.f = (double)(value)}
#  define _Pycs_ERROR_p(value) {.p = (void *)(value)}
#endif
#define _Pycs_ERROR_v(value) _Pycs_ERROR_i(value)
#define _Pycs_ERROR_c(value) _Pycs_ERROR_i(value)

#if UINTPTR_MAX <= 0xFFFFFFFFu
#  define _Pycs_FUNCTION_WORD(function) (void *)(uintptr_t)(function), 0u
#else
#  define _Pycs_FUNCTION_WORD(function) (void *)(uintptr_t)(function)
#endif

/** An initialiser of PyTypedMethodEntry.  `member`: of PyTypedMethodError, i, u, f or p, as
   the result needs it; `signature`: a constant.  For generated code. */
#define PyTypedMethod_ENTRY_AS(function, flags, member, error, signature)                \
    {(signature), _Pycs_FUNCTION_WORD(function), (uint32_t)(flags), 0u,                  \
     _Pycs_ERROR_##member(error)}

/** PyTypedMethod_ENTRY_AS() with the signature written out; `error` is converted as the result
   needs it:

       PyTypedMethod_ENTRY(inc_impl, PyTypedMethod_RAISES_MAYBE, -1, long(long))

   For `object` and `pointer` it is NULL, where nothing is raised 0. */
#define PyTypedMethod_ENTRY(function, flags, error, text)                                \
    _Pycs_ENTRY_M(function, flags, _Pycs_MEMBER(text), error,                            \
                  PyTypedMethod_SIGNATURE(text))
#define _Pycs_ENTRY_M(function, flags, member, error, signature)                         \
    PyTypedMethod_ENTRY_AS(function, flags, member, error, signature)

/** Defines a record with these entries at file level;
   a semicolon follows:

       PyTypedMethod_RECORD(inc_record, "inc", PyTypedMethod_ENTRY(...), ...); */
#define PyTypedMethod_RECORD(variable, name, ...)                                        \
    static const PyTypedMethodEntry variable##_entries[] = {__VA_ARGS__};                \
    static const PyTypedMethodRecord variable = {                                        \
        PyTypedMethod_MAGIC, PyTypedMethod_ABI_VERSION, sizeof(PyTypedMethodEntry),      \
        (uint32_t)(sizeof(variable##_entries) / sizeof(variable##_entries[0])), 0u,      \
        name, variable##_entries}

/** Says at file level, with a semicolon, that the Python function `name` has this C
   function behind it: the record is called name_typed.

       PyTypedMethod_FUNCTION(inc, inc_impl, PyTypedMethod_RAISES_MAYBE, -1, long(long)); */
#define PyTypedMethod_FUNCTION(name, function, flags, error, text)                       \
    PyTypedMethod_RECORD(name##_typed, #name,                                            \
                         PyTypedMethod_ENTRY(function, flags, error, text))

/* ------------------------------------------------------------------- reading -- */

_Pycs_UNUSED static inline const PyTypedMethodEntry *
_Pycs_NextEntry(const PyTypedMethodRecord *record, const PyTypedMethodEntry *entry)
{
    return (const PyTypedMethodEntry *)((const char *)entry + record->entry_size);
}

typedef struct { char c; PyTypedMethodEntry  what; } _Pycs_EntryAlign;
typedef struct { char c; PyTypedMethodRecord what; } _Pycs_RecordAlign;

/* Checks the part of a record that is needed to walk its entries.  NULL, or what is wrong:
   a format for PyErr_Format() and what goes into it. */
_Pycs_UNUSED static const char *
_Pycs_CheckHead(const PyTypedMethodRecord *record, unsigned long long *found)
{
    *found = 0;
    if (record == NULL) return "found NULL, expected a record";
    *found = (unsigned long long)(uintptr_t)record;
    if ((uintptr_t)record % offsetof(_Pycs_RecordAlign, what) != 0) {
        return "found a record at address %llu, expected one aligned as its struct is";
    }
    *found = record->magic;
    if (record->magic != PyTypedMethod_MAGIC) {
        return "found magic number %llu, expected PyTypedMethod_MAGIC; this is no record of "
               "typed functions, or it is damaged";
    }
    *found = record->abi;
    if (record->abi != PyTypedMethod_ABI_VERSION) {
        return "found a record of ABI %llu, expected 1; rebuild the older one of provider "
               "and consumer with newer headers";
    }
    *found = record->entry_size;
    if (record->entry_size < _Pycs_ENTRY_SIZE || record->entry_size % 8 != 0) {
        return "found entries of %llu bytes, expected 32 or a larger multiple of 8";
    }
    *found = record->count;
    if (record->count == 0 || record->count > PyTypedMethod_MAX_ENTRIES) {
        return "found %llu entries, expected 1 to 4096";
    }
    *found = record->flags;
    if (record->flags != 0) return "found flags %llu of the record, expected 0";
    *found = (unsigned long long)(uintptr_t)record->entries;
    if (record->entries == NULL) return "found NULL as the entries, expected an array of them";
    if ((uintptr_t)record->entries % offsetof(_Pycs_EntryAlign, what) != 0) {
        return "found entries at address %llu, expected them aligned as their struct is";
    }
    return NULL;
}

/* The same for an entry, except its signature. */
_Pycs_UNUSED static inline const char *
_Pycs_CheckEntry(const PyTypedMethodEntry *entry, unsigned long long *found)
{
    *found = entry->reserved;
    if (entry->reserved != 0) return "found %llu as `reserved`, expected 0";
    *found = entry->flags & ~_Pycs_UNDERSTOOD;
    if (*found != 0) return "found flags %llu, which are unknown; use newer headers";
    *found = entry->flags;
    if ((entry->flags & PyTypedMethod_CTX) == PyTypedMethod_CTX
            || ((entry->flags & PyTypedMethod_CTX) && (entry->flags & PyTypedMethod_SELF))) {
        return "found flags %llu, expected at most one of CTX_FIRST, CTX_LAST and SELF";
    }
    if (entry->function == NULL) return "found NULL as the function";
    return NULL;
}

/* Which types the flags require. */
_Pycs_UNUSED static inline const char *
_Pycs_CheckTypes(const _Pycs_Types *types, uint32_t flags)
{
    uint32_t raises = flags & PyTypedMethod_RAISES;
    int result = types->codes[0];
    if ((flags & PyTypedMethod_SELF) && (types->count < 2 || types->codes[1] != PyTypedMethod_OBJECT)) {
        return "found flag SELF, expected an `object` as the first argument";
    }
    if ((raises == PyTypedMethod_RAISES_VALUE || raises == PyTypedMethod_RAISES_MAYBE)
            && (result == PyTypedMethod_VOID || (result >= PyTypedMethod_C8 && result <= PyTypedMethod_C32))) {
        return "found an error value for a void or complex result, expected RAISES_ANY";
    }
    return NULL;
}

/* Is this a record that may be registered?  0, or -1 with ValueError that says what was
   found.  `function` begins the message, `name` is the name of the registered function, or NULL. */
_Pycs_UNUSED static int
_Pycs_CheckRecord(const PyTypedMethodRecord *record, const char *function, const char *name)
{
    const PyTypedMethodEntry *entry;
    unsigned long long found;
    char format[256];
    const char *wrong = _Pycs_CheckHead(record, &found);
    uint32_t i;

    if (wrong != NULL) {
        PyOS_snprintf(format, sizeof(format), "%%s('%%.100s'): %s", wrong);
        PyErr_Format(PyExc_ValueError, format, function, name != NULL ? name : "?", found);
        return -1;
    }
    if (name == NULL) name = record->name != NULL ? record->name : "?";
    for (i = 0, entry = record->entries; i < record->count; i++, entry = _Pycs_NextEntry(record, entry)) {
        _Pycs_Types types;
        wrong = _Pycs_CheckEntry(entry, &found);
        if (wrong == NULL && _Pycs_Decode(entry->signature, &types) < 0) {
            found = (unsigned long long)entry->signature;
            wrong = "found signature %llu, which is none; expected one made by "
                    "PyTypedMethod_SIG() or PyTypedMethod_Parse()";
        }
        if (wrong == NULL) wrong = _Pycs_CheckTypes(&types, entry->flags);
        if (wrong != NULL) {
            PyOS_snprintf(format, sizeof(format), "%%s('%%.100s'), entry %%d: %s", wrong);
            PyErr_Format(PyExc_ValueError, format, function, name, (int)i, found);
            return -1;
        }
    }
    return 0;
}
