/* SPDX-License-Identifier: MIT
 *
 * _typedmethod/signature.h - what a C function takes and returns, as one number.
 * Included by typedmethod.h; not for direct use.
 *
 * The lowest bit is 1, and fields of five bits follow: the result, the first argument, and so on
 * (docs/abi-typed.md has the picture); unused ones are 0, and an array takes two.  A signature with more
 * than twelve has the lowest bit clear: it is the address that PyCustomSlots_Intern() gives its text,
 * equal in all libraries of the process.  A type is named by its width, never by its C name: `long` is
 * i8 here and i4 there.
 *
 * The text is `f8(f8, i4)`: result first, as in C; with an array `f8(const f8[::1])`.
 */

/* --------------------------------------------------------------------- types -- */

/* [codes.begin] */
#define PyTypedMethod_VOID     1    /**< result only */
#define PyTypedMethod_BOOL     2    /**< _Bool, and bool of C++; Cython's bint is an int */
#define PyTypedMethod_I1       3    /**< signed, of one byte */
#define PyTypedMethod_I2       4    /**< two bytes */
#define PyTypedMethod_I4       5    /**< four bytes */
#define PyTypedMethod_I8       6    /**< eight bytes */
#define PyTypedMethod_U1       7    /**< unsigned, of one byte */
#define PyTypedMethod_U2       8    /**< two bytes */
#define PyTypedMethod_U4       9    /**< four bytes */
#define PyTypedMethod_U8      10    /**< eight bytes */
#define PyTypedMethod_F4      11    /**< float */
#define PyTypedMethod_F8      12    /**< double; and long double, where it is the same */
#define PyTypedMethod_F16     13    /**< long double, where it is not double */
#define PyTypedMethod_C8      14    /**< a complex number of two F4 */
#define PyTypedMethod_C16     15    /**< a complex number of two F8 */
#define PyTypedMethod_C32     16    /**< a complex number of two F16 */
#define PyTypedMethod_POINTER 17    /**< any other pointer to data or to a function */
#define PyTypedMethod_OBJECT  18    /**< PyObject *, of whatever Python type */
/* Arguments only, const PyTypedMethodArray *; the next field is the number type of the items. */
#define PyTypedMethod_ARRAY         19  /**< one dimension, without gaps: T[::1] */
#define PyTypedMethod_CONST_ARRAY   20  /**< the same, only to be read: const T[::1] */
#define PyTypedMethod_STRIDED       21  /**< any stride: T[:] */
#define PyTypedMethod_CONST_STRIDED 22  /**< the same, only to be read: const T[:] */
/* [codes.end] */

/** An array as an argument: lent for the call. */
/* [PyTypedMethodArray.begin] */
typedef struct {
    void      *data;        /**< the first item; not to be written to if the signature says const */
    Py_ssize_t length;      /**< number of items */
    Py_ssize_t stride;      /**< bytes from one item to the next; without gaps: the size of an item */
} PyTypedMethodArray;
/* [PyTypedMethodArray.end] */

#define _Pycs_CODES 18     /* the highest code of a type that has one field */

/* The code of an array outside of signature numbers: its first field above the five bits of the second. */
#define _Pycs_ARRAY_OF(array, item) (((array) - _Pycs_CODES) << 5 | (item))
#define _Pycs_IS_ARRAY(code)        ((code) >> 5 != 0)

#if LDBL_MANT_DIG != DBL_MANT_DIG
/** The code of long double: F8 where that is double, else F16. */
#  define PyTypedMethod_LONG_DOUBLE  PyTypedMethod_F16
/** The code of a complex number of two long double: C16 or C32. */
#  define PyTypedMethod_LONG_COMPLEX PyTypedMethod_C32
#else
#  define PyTypedMethod_LONG_DOUBLE  PyTypedMethod_F8
#  define PyTypedMethod_LONG_COMPLEX PyTypedMethod_C16
#endif

/** The code of an integer type, whatever it is called (size_t, npy_intp, an enum): a
   constant expression.  Not for bool. */
#define PyTypedMethod_TYPE_INT(type)                                                     \
    (((type)-1 > (type)0 ? PyTypedMethod_U1 : PyTypedMethod_I1)                          \
     + (sizeof(type) == 1 ? 0 : sizeof(type) == 2 ? 1 : sizeof(type) == 4 ? 2            \
        : sizeof(type) == 8 ? 3 : 100))

/* ---------------------------------------------------------------- signatures -- */

#define PyTypedMethod_MAX_SHORT 12   /**< types in a short signature, the result included */
#define PyTypedMethod_MAX_TYPES 128  /**< types in any signature */

/* For MSVC, which passes __VA_ARGS__ on as one argument.  One for each level: a macro is
   not expanded inside itself. */
#define _Pycs_EXPAND(x)  x
#define _Pycs_EXPAND2(x) x
#define _Pycs_EXPAND3(x) x
#define _Pycs_EXPAND4(x) x
#define _Pycs_EXPAND5(x) x
#define _Pycs_EXPAND6(x) x

/** The signature of these codes, result first, up to eleven arguments: a constant
   expression.  More do not compile; PyTypedMethod_Parse() makes such signatures. */
#define PyTypedMethod_SIG(...)                                                           \
    _Pycs_EXPAND(_Pycs_SIG_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,                   \
                            0, 0, 0))
#define _Pycs_SIG_(r, a, b, c, d, e, f, g, h, i, j, k, over, ...)                        \
    ((uint64_t)1 | (uint64_t)(r) << 1 | (uint64_t)(a) << 6 | (uint64_t)(b) << 11         \
     | (uint64_t)(c) << 16 | (uint64_t)(d) << 21 | (uint64_t)(e) << 26                   \
     | (uint64_t)(f) << 31 | (uint64_t)(g) << 36 | (uint64_t)(h) << 41                   \
     | (uint64_t)(i) << 46 | (uint64_t)(j) << 51 | (uint64_t)(k) << 56                   \
     | (uint64_t)(sizeof(char[(over) == 0 ? 1 : -1]) - 1))

/* The code at a place of a short signature; place 0 is the result. */
#define _Pycs_CODE_AT(signature, place) \
    ((int)(((uint64_t)(signature) >> (1 + 5 * (place))) & 31u))

static const char *const _Pycs_type_names[_Pycs_CODES + 1] = {
    "", "void", "bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "f16",
    "c8", "c16", "c32", "pointer", "object"
};
static const char _Pycs_type_letters[] = " v?bhiqBHIQfdgFDGPO";     /* NumPy's and the struct module's */

/* The types of a signature, result first; or what is wrong with a text that is not one. */
typedef struct {
    int           count;                          /* of codes, the result included */
    unsigned char codes[PyTypedMethod_MAX_TYPES]; /* of an array: _Pycs_ARRAY_OF() */
    size_t        position;                       /* column of the error, from 0 */
    const char   *expected;                       /* NULL: there is none */
} _Pycs_Types;

/* The short signature of these types, 0 if they are too many for one. */
_Pycs_UNUSED static inline uint64_t
_Pycs_Pack(const _Pycs_Types *types)
{
    uint64_t signature = 1;
    int i, at = 1;
    for (i = 0; i < types->count; i++) {
        const int code = types->codes[i], is_array = _Pycs_IS_ARRAY(code);
        if (at + 5 * is_array > 56) return 0;
        if (is_array) signature |= (uint64_t)(_Pycs_CODES + (code >> 5)) << at;
        signature |= (uint64_t)(code & 31) << (at + 5 * is_array);
        at += 5 + 5 * is_array;
    }
    return signature;
}

/* Can it be the type of an array's items? */
_Pycs_UNUSED static inline int
_Pycs_IsNumber(int code)
{
    return code >= PyTypedMethod_I1 && code <= PyTypedMethod_C32;
}

/* The types of a short signature.  0, or -1 if the number is not one. */
_Pycs_UNUSED static int
_Pycs_Unpack(uint64_t signature, _Pycs_Types *types)
{
    types->count = 0;
    if (!(signature & 1) || signature >> 61 != 0) return -1;
    for (signature >>= 1; signature != 0; signature >>= 5) {
        int code = (int)(signature & 31u);
        if (code > _Pycs_CODES && code <= PyTypedMethod_CONST_STRIDED && types->count > 0) {
            signature >>= 5;
            if (!_Pycs_IsNumber((int)(signature & 31u))) return -1;
            code = _Pycs_ARRAY_OF(code, (int)(signature & 31u));
        }
        else if (code == 0 || code > _Pycs_CODES || (code == PyTypedMethod_VOID && types->count > 0)) return -1;
        types->codes[types->count++] = (unsigned char)code;
    }
    return types->count > 0 ? 0 : -1;
}

/* -------------------------------------------------------------------- parser --
 *
 *   signature  result '(' [type {',' type}] ')'       names: f8(f8, i4)
 *            | {letter} '->' [letter]                 NumPy's and struct's: di->d
 *   type       name | ['const'] name '[' [':'] ':' ['1'] ']'       of a number: f8[:], f8[::1]
 *
 * Spaces may stand between any two tokens.
 */
#define _Pycs_EXPECT_TYPE                                                                \
    "a type (void bool i1 i2 i4 i8 u1 u2 u4 u8 f4 f8 f16 c8 c16 c32 pointer object)"
#define _Pycs_EXPECT_LETTER                                                              \
    "a letter of a type (? b B h H i I l L q Q n N f d g F D G P O) or '->'"

_Pycs_UNUSED static inline const char *
_Pycs_SkipSpaces(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') at++;
    return at;
}

/* The code of a type that texts name, where long double may be double. */
_Pycs_UNUSED static inline int
_Pycs_CodeHere(int code)
{
    if (code == PyTypedMethod_F16) return PyTypedMethod_LONG_DOUBLE;
    return code == PyTypedMethod_C32 ? PyTypedMethod_LONG_COMPLEX : code;
}

/* The code that a letter stands for, 0: none. */
_Pycs_UNUSED static int
_Pycs_CodeOfLetter(char letter)
{
    const char *const at = strchr(_Pycs_type_letters, letter);
    switch (letter) {
    case 'l': return PyTypedMethod_TYPE_INT(long);
    case 'L': return PyTypedMethod_TYPE_INT(unsigned long);
    case 'n': return PyTypedMethod_TYPE_INT(Py_ssize_t);
    case 'N': return PyTypedMethod_TYPE_INT(size_t);
    default: return at != NULL && letter != '\0' ? _Pycs_CodeHere((int)(at - _Pycs_type_letters)) : 0;
    }
}

/* Adds an argument, whose token began at `at`, or notes what was expected instead. */
_Pycs_UNUSED static const char *
_Pycs_AddArgument(_Pycs_Types *types, int code, const char *otherwise)
{
    if (code == 0) return otherwise;
    if (code == PyTypedMethod_VOID) return "no void among the arguments (none at all is '()')";
    if (types->count == PyTypedMethod_MAX_TYPES) return "at most 127 arguments";
    types->codes[types->count++] = (unsigned char)code;
    return NULL;
}

_Pycs_UNUSED static const char *
_Pycs_ParseLetters(const char **at, _Pycs_Types *types)
{
    const char *expected;
    types->codes[0] = PyTypedMethod_VOID;
    types->count = 1;
    for (;;) {
        *at = _Pycs_SkipSpaces(*at);
        if (**at == '-') break;
        expected = _Pycs_AddArgument(types, _Pycs_CodeOfLetter(**at), _Pycs_EXPECT_LETTER);
        if (expected != NULL) return expected;
        (*at)++;
    }
    if ((*at)[1] != '>') return "'->'";
    *at = _Pycs_SkipSpaces(*at + 2);
    if (**at != '\0') {
        int code = _Pycs_CodeOfLetter(**at);
        if (code == 0) return "the letter of the result, or the end";
        types->codes[0] = (unsigned char)code;
        *at = _Pycs_SkipSpaces(*at + 1);
    }
    return **at == '\0' ? NULL : "the end";
}

/* The code that the name at *at stands for; *at moves behind it.  0, and *at stays, if there is none. */
_Pycs_UNUSED static int
_Pycs_ParseName(const char **at)
{
    size_t length = 0;
    int code;
    while (((*at)[length] >= 'a' && (*at)[length] <= 'z')
           || ((*at)[length] >= '0' && (*at)[length] <= '9')) length++;
    for (code = 1; code <= _Pycs_CODES; code++) {
        if (strlen(_Pycs_type_names[code]) != length || memcmp(_Pycs_type_names[code], *at, length) != 0) continue;
        *at += length;
        return _Pycs_CodeHere(code);
    }
    return 0;
}

_Pycs_UNUSED static const char *
_Pycs_ParseArgument(const char **at, _Pycs_Types *types)
{
    const char *begin, *otherwise = types->count > 1 ? _Pycs_EXPECT_TYPE : _Pycs_EXPECT_TYPE " or ')'";
    int code, is_const = strncmp(*at, "const ", 6) == 0, is_strided;
    if (is_const) *at = _Pycs_SkipSpaces(*at + 6);
    begin = *at;
    code = _Pycs_ParseName(at);
    if (is_const || **at == '[') {
        if (!_Pycs_IsNumber(code)) {
            *at = begin;
            return code == 0 && !is_const ? otherwise : "the type of a number, of which there are arrays";
        }
        is_strided = strncmp(*at, "[:]", 3) == 0;
        if (!is_strided && strncmp(*at, "[::1]", 5) != 0) return "'[:]' or '[::1]'";
        *at += is_strided ? 3 : 5;
        code = _Pycs_ARRAY_OF(PyTypedMethod_ARRAY + 2 * is_strided + is_const, code);
    }
    otherwise = _Pycs_AddArgument(types, code, otherwise);
    if (otherwise != NULL) *at = begin;
    return otherwise;
}

_Pycs_UNUSED static const char *
_Pycs_ParseNames(const char **at, _Pycs_Types *types)
{
    int code = _Pycs_ParseName(at);
    if (code == 0) return _Pycs_EXPECT_TYPE;
    types->codes[0] = (unsigned char)code;
    types->count = 1;
    *at = _Pycs_SkipSpaces(*at);
    if (**at != '(') return "'('";
    *at = _Pycs_SkipSpaces(*at + 1);
    while (**at != ')' || types->count > 1) {
        const char *expected = _Pycs_ParseArgument(at, types);
        if (expected != NULL) return expected;
        *at = _Pycs_SkipSpaces(*at);
        if (**at == ')') break;
        if (**at != ',') return "',' or ')'";
        *at = _Pycs_SkipSpaces(*at + 1);
    }
    *at = _Pycs_SkipSpaces(*at + 1);
    return **at == '\0' ? NULL : "the end";
}

/* Reads a text without any Python: needs no GIL.  0, or -1 with types->expected and
   types->position. */
_Pycs_UNUSED static int
_Pycs_ParseText(const char *text, _Pycs_Types *types)
{
    const char *at = _Pycs_SkipSpaces(text);
    types->count = 0;
    types->expected = strstr(text, "->") != NULL ? _Pycs_ParseLetters(&at, types) : _Pycs_ParseNames(&at, types);
    types->position = (size_t)(at - text);
    return types->expected == NULL ? 0 : -1;
}

/* ------------------------------------------------------------------- printer -- */

/** Enough for any signature: "const c16[::1], " for each type. */
#define PyTypedMethod_TEXT_SIZE (PyTypedMethod_MAX_TYPES * 16 + 3)

/* Writes the canonical text, at most PyTypedMethod_TEXT_SIZE bytes with its final NUL. */
_Pycs_UNUSED static void
_Pycs_Print(const _Pycs_Types *types, char *text)
{
    static const char *const before[] = {"", "", "const ", "", "const "};
    static const char *const behind[] = {"", "[::1]", "[::1]", "[:]", "[:]"};
    int i, k;
    for (i = 0; i < types->count; i++) {
        const int code = types->codes[i];
        const char *words[4];
        words[0] = i > 1 ? ", " : "";
        words[1] = before[code >> 5];
        words[2] = _Pycs_type_names[code & 31];
        words[3] = i == 0 ? "(" : behind[code >> 5];
        for (k = 0; k < 4; k++) {
            const size_t length = strlen(words[k]);
            memcpy(text, words[k], length);
            text += length;
        }
    }
    memcpy(text, ")", 2);
}

/* The types of a signature.  0, or -1 if the number is not one, or is an interned text
   that is not a signature, is short enough for a number, or is not canonical. */
_Pycs_UNUSED static int
_Pycs_Decode(uint64_t signature, _Pycs_Types *types)
{
    const char *text;
    char canonical[PyTypedMethod_TEXT_SIZE];
    if (signature & 1) return _Pycs_Unpack(signature, types);
    text = _Pycs_NameWithID((uintptr_t)signature);
    if (text == NULL || _Pycs_ParseText(text, types) < 0 || _Pycs_Pack(types) != 0) return -1;
    _Pycs_Print(types, canonical);
    return strcmp(text, canonical) == 0 ? 0 : -1;
}

/** The signature that a text describes.  0, or -1 with ValueError, which names the text and the
   column (from 0) and says what was expected there; *signature is then 0.  Needs the GIL
   or, on free-threaded builds, an attached thread state; more than eleven arguments can
   also fail with MemoryError or RuntimeError (PyCustomSlots_Intern()). */
_Pycs_UNUSED static int
PyTypedMethod_Parse(const char *text, uint64_t *signature)
{
    _Pycs_Types types;
    char canonical[PyTypedMethod_TEXT_SIZE];
    *signature = 0;
    if (text == NULL) {
        PyErr_SetString(PyExc_ValueError, "PyTypedMethod_Parse: found NULL, expected the text "
                        "of a signature such as 'f8(f8, i4)'");
        return -1;
    }
    if (_Pycs_ParseText(text, &types) < 0) {
        /* Columns count characters, and the text may hold others than ASCII. */
        PyObject *whole = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
        PyObject *before = PyUnicode_DecodeUTF8(text, (Py_ssize_t)types.position, "replace");
        const Py_ssize_t column = before != NULL ? PyUnicode_GetLength(before) : 0;
        PyObject *shown = whole != NULL && before != NULL ? _Pycs_Repr(whole) : NULL;
        PyObject *found = shown != NULL ? PyUnicode_Substring(whole, column, column + 1) : NULL;
        if (found != NULL && PyUnicode_GetLength(found) == 0) {
            PyErr_Format(PyExc_ValueError, "signature %U: found the end at column %zd, expected %s", shown, column,
                         types.expected);
        }
        else if (found != NULL) {
            PyErr_Format(PyExc_ValueError, "signature %U: found %R at column %zd, expected %s", shown, found, column,
                         types.expected);
        }
        Py_XDECREF(whole);
        Py_XDECREF(before);
        Py_XDECREF(shown);
        Py_XDECREF(found);
        return -1;
    }
    *signature = _Pycs_Pack(&types);
    if (*signature == 0) {
        _Pycs_Print(&types, canonical);
        *signature = (uint64_t)PyCustomSlots_Intern(canonical);
        if (*signature == 0) return -1;
    }
    return 0;
}

/** The canonical text of a signature: a new str, or NULL with ValueError for a number that
   is not one.  Needs the GIL or an attached thread state. */
_Pycs_UNUSED static PyObject *
PyTypedMethod_Format(uint64_t signature)
{
    _Pycs_Types types;
    char text[PyTypedMethod_TEXT_SIZE];
    if (_Pycs_Decode(signature, &types) < 0) {
        PyErr_Format(PyExc_ValueError, "PyTypedMethod_Format: found %llu, which is no "
                     "signature; expected one made by PyTypedMethod_SIG() or "
                     "PyTypedMethod_Parse()", (unsigned long long)signature);
        return NULL;
    }
    _Pycs_Print(&types, text);
    return PyUnicode_FromString(text);
}
