/* SPDX-License-Identifier: MIT
 *
 * _extensibletype/field.h - how a metaclass describes a C field: for providers.
 * Included by extensibletype.h; not for direct use.
 */

/* The type of a field: OPAQUE bytes (plain C data, or a value with hooks), OBJECT, a counted
   reference, or one of CPython's Py_T_* codes, which also says how Python sees the bytes. */
/* [field.begin] */
#define PyExtensibleType_OPAQUE   (-1)  /**< bytes: plain C data, or a value with hooks */
#define PyExtensibleType_OBJECT   16    /**< PyObject *, counted, None instead of NULL; Py_T_OBJECT_EX */

#define PyExtensibleType_READABLE 0x1   /**< Python reads it as an attribute of the class */
#define PyExtensibleType_WRITABLE 0x2   /**< Python sets it: attribute, class body, class keyword */
#define PyExtensibleType_KEEP     0x4   /**< the value points into the object that it was converted
                                           from, which therefore lives as long as the interpreter;
                                           of equal bytes or str, one does */

/** A C field that a metaclass adds: see PyExtensibleType_RegisterFields(). */
typedef struct {
    const char *name;                   /**< like doc, must live as long as the process */
    Py_ssize_t  offset, size;           /**< bytes, offset from the start of the type object */
    int         type;                   /**< OPAQUE, OBJECT, or a Py_T_* code of PyMemberDef */
    unsigned    flags;                  /**< READABLE, WRITABLE, KEEP */
    const char *doc;                    /**< or NULL */

    /** Hooks, for values that are more than their bytes: all four, or none.  copy and move
       run under the lock for classes (destroy does not): they must not call Python code, drop
       a reference or wait for anything, be it a lock or the GIL. */
    int       (*create)(void *to);      /**< to: raw memory.  0, or -1 with an exception */
    int       (*copy)(void *to, const void *from);  /**< to: raw memory.  0, or -1 likewise */
    void      (*move)(void *to, void *from);        /**< to: raw memory, as from is afterwards */
    void      (*destroy)(void *field);

    /** Conversion for flags READABLE and WRITABLE; NULL: as `type` says.  Both may run any code:
       to_object gets a copy of the value. */
    int       (*from_object)(void *to, PyObject *value);    /**< to: zeroed memory, OBJECT: None */
    PyObject *(*to_object)(const void *field);              /**< a new reference, or NULL */
} PyExtensibleType_Field;
/* [field.end] */
