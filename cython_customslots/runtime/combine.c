/* SPDX-License-Identifier: MIT
 *
 * runtime/combine.c - metaclasses for classes that are ours and something else, too.
 *
 * `class Shape(Provider, ABC)` is a metaclass conflict, because neither of extensibletype and ABCMeta derives
 * from the other.  The cure is a metaclass that derives from both.  Which metaclass that is depends only
 * on the metaclasses that are not combinations themselves, the atoms:
 *
 *     {A, B, E}  ->  ABE (AB, AE, BE)       the MRO: ABE, AB, AE, A, BE, B, E
 *
 * It derives from the combinations of fewer of its atoms, which are made with it: a class with the metaclass ABE
 * may have a base with AE.  The algorithm, and where combinations are kept: docs/abi-runtime.md; why: docs/design.md.
 */
#include "runtime/prototypes.h"

/* With n atoms there are 2**n combinations.  Above this number of atoms and metaclasses
   below them, only the one that was asked for is made. */
#define _Pycs_MAX_ATOMS 8

/* The metaclasses in an MRO or a tuple of bases, without `type`; a new list.  Steals the
   reference to the tuple, which may be NULL. */
static PyObject *
_Pycs_MetaclassesIn(PyObject *tuple)
{
    PyObject *found = PyList_New(0);
    Py_ssize_t i;

    for (i = 0; found != NULL && tuple != NULL && i < PyTuple_GET_SIZE(tuple); i++) {
        PyTypeObject *m = (PyTypeObject *)PyTuple_GET_ITEM(tuple, i);
        if (m == &PyType_Type || !PyType_IsSubtype(m, &PyType_Type)) continue;
        if (PyList_Append(found, (PyObject *)m) < 0) Py_CLEAR(found);
    }
    Py_XDECREF(tuple);
    return found;
}

/* The metaclass that last added C data to the type objects: this one, or the nearest base that
   added any; `type` if none did.  (Before CPython 3.13 the metaclasses of ctypes store data that
   their size does not show, so they count wherever they are in the MRO.)  Borrowed. */
static PyTypeObject *
_Pycs_LaidOutBy(_Pycs_API *api, PyTypeObject *metaclass)
{
    PyObject *mro = _Pycs_FetchMro(api, metaclass);
    PyTypeObject *ctypes = NULL;
    Py_ssize_t i;

    for (i = 0; mro != NULL && ctypes == NULL && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *item = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
        if (strncmp(item->tp_name, "_ctypes.", 8) == 0) ctypes = item;
    }
    Py_XDECREF(mro);
    if (ctypes != NULL) return ctypes;
    while (metaclass != &PyType_Type && metaclass->tp_basicsize == metaclass->tp_base->tp_basicsize) {
        metaclass = metaclass->tp_base;
    }
    return metaclass;
}

/* An attribute of a metaclass, which anybody can set to anything, as a str; a new reference.  Our
   metaclasses go by their own names, not by where they can be found at the time (metaclass.c). */
static PyObject *
_Pycs_TextOf(PyObject *metaclass, const char *attribute)
{
    _Pycs_API *api = _Pycs_APIOf((PyTypeObject *)metaclass);
    PyObject *name = PyUnicode_FromString(attribute);
    PyObject *text = name == NULL ? NULL
        : api != NULL ? _Pycs_OwnAttribute(api, metaclass, name) : PyObject_GetAttr(metaclass, name);
    Py_XDECREF(name);
    if (text != NULL && !PyUnicode_Check(text)) Py_SETREF(text, _Pycs_Repr(text));
    return text;
}

/* "module.Name"; a new reference. */
static PyObject *
_Pycs_FullName(PyObject *metaclass)
{
    PyObject *module = _Pycs_TextOf(metaclass, "__module__");
    PyObject *name = module != NULL ? _Pycs_TextOf(metaclass, "__qualname__") : NULL;
    PyObject *full = name != NULL ? PyUnicode_FromFormat("%U.%U", module, name) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(name);
    return full;
}

/* A new list of these metaclasses, in the order in which they are combined.  Metaclasses of the
   same name, made by a function for example, are ordered by address. */
static PyObject *
_Pycs_InOrder(_Pycs_API *api, PyObject *metaclasses)
{
    PyObject *rows = PyList_New(0);
    Py_ssize_t i;

    for (i = 0; rows != NULL && i < PyList_GET_SIZE(metaclasses); i++) {
        PyTypeObject *m = (PyTypeObject *)PyList_GET_ITEM(metaclasses, i);
        const int has_data = _Pycs_LaidOutBy(api, m) != &PyType_Type;
        PyObject *name = _Pycs_FullName((PyObject *)m);
        PyObject *row = name == NULL ? NULL : Py_BuildValue(
            "(inONO)", has_data, has_data ? m->tp_basicsize : (Py_ssize_t)0, name,
            PyLong_FromVoidPtr((void *)m), (PyObject *)m);
        if (row == NULL || PyList_Append(rows, row) < 0) Py_CLEAR(rows);
        Py_XDECREF(row);
        Py_XDECREF(name);
    }
    if (rows != NULL && PyList_Sort(rows) < 0) Py_CLEAR(rows);
    for (i = 0; rows != NULL && i < PyList_GET_SIZE(rows); i++) {
        (void)PyList_SetItem(rows, i, Py_NewRef(PyTuple_GET_ITEM(PyList_GET_ITEM(rows, i), 4)));
    }
    return rows;
}

/* The items of a list that no other item derives from, each once; a new list. */
static PyObject *
_Pycs_MostDerived(PyObject *metaclasses)
{
    PyObject *most = PyList_New(0);
    Py_ssize_t i, k, n = PyList_GET_SIZE(metaclasses);

    for (i = 0; most != NULL && i < n; i++) {
        PyTypeObject *m = (PyTypeObject *)PyList_GET_ITEM(metaclasses, i);
        for (k = 0; k < n; k++) {
            PyTypeObject *other = (PyTypeObject *)PyList_GET_ITEM(metaclasses, k);
            if (other == m ? k < i : PyType_IsSubtype(other, m)) break;
        }
        if (k == n && PyList_Append(most, (PyObject *)m) < 0) Py_CLEAR(most);
    }
    return most;
}

/* The atoms that the metaclasses of a list combine, in order; a new list. */
static PyObject *
_Pycs_Atoms(_Pycs_API *api, PyObject *made, PyObject *metaclasses)
{
    PyObject *all = PyList_New(0), *most = NULL, *atoms = NULL;
    Py_ssize_t i;

    if (all == NULL) return NULL;
    for (i = 0; i < PyList_GET_SIZE(metaclasses); i++) {
        PyObject *m = PyList_GET_ITEM(metaclasses, i);
        PyObject *known = PyDict_GetItemWithError(made, m);     /* never removed */
        Py_ssize_t end = PyList_GET_SIZE(all);
        if (known == NULL && PyErr_Occurred()) goto done;
        if (known != NULL ? PyList_SetSlice(all, end, end, known) < 0 : PyList_Append(all, m) < 0) goto done;
    }
    if (!(most = _Pycs_MostDerived(all))) goto done;
    atoms = _Pycs_InOrder(api, most);
done:
    Py_XDECREF(all);
    Py_XDECREF(most);
    return atoms;
}

/* "A and B" of the full names of a list or tuple, or "AAndB" of the short ones; a new reference. */
static PyObject *
_Pycs_JoinNames(PyObject *metaclasses, int full)
{
    PyObject *names = PyList_New(0), *separator = NULL, *joined = NULL;
    Py_ssize_t i;

    for (i = 0; names != NULL && i < PySequence_Fast_GET_SIZE(metaclasses); i++) {
        PyObject *m = PySequence_Fast_GET_ITEM(metaclasses, i), *name = NULL, *whole;
        if (full) name = _Pycs_FullName(m);
        else if ((whole = _Pycs_TextOf(m, "__name__"))) {
            name = PyObject_CallMethod(whole, "removesuffix", "s", "_v4");
            Py_DECREF(whole);
        }
        if (name == NULL || PyList_Append(names, name) < 0) Py_CLEAR(names);
        Py_XDECREF(name);
    }
    if (names != NULL) separator = PyUnicode_FromString(full ? " and " : "And");
    if (separator != NULL) joined = PyUnicode_Join(separator, names);
    Py_XDECREF(names);
    Py_XDECREF(separator);
    return joined;
}

/* The one combination for `key`: a metaclass with these bases and these atoms, made now unless
   another thread was faster.  A new reference, NULL with whatever making a class raises. */
static PyObject *
_Pycs_MakeCombination(PyObject *made, PyObject *key, PyObject *bases, PyObject *atoms)
{
    PyTypeObject *winner = &PyType_Type;
    PyObject *name = _Pycs_JoinNames(atoms, 0);
    PyObject *full = name != NULL ? _Pycs_JoinNames(atoms, 1) : NULL;
    PyObject *doc = full != NULL ? PyUnicode_FromFormat("%U in one metaclass.", full) : NULL;
    PyObject *tuple = doc != NULL ? PyList_AsTuple(bases) : NULL;
    PyObject *parts = tuple != NULL ? PyList_AsTuple(atoms) : NULL;
    PyObject *new_one = NULL, *result = NULL;
    Py_ssize_t i;

    if (parts == NULL) goto done;
    for (i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyTypeObject *other = Py_TYPE(PyTuple_GET_ITEM(tuple, i));
        if (PyType_IsSubtype(other, winner)) winner = other;
    }
    new_one = PyObject_CallFunction((PyObject *)winner, "OO{s:s,s:(),s:O}", name, tuple,
                                    "__module__", _Pycs_MODULE, "__slots__",
                                    "__doc__", doc);
    if (new_one == NULL || PyDict_SetItem(made, new_one, parts) < 0) goto done;
    result = PyObject_CallMethod(made, "setdefault", "OO", key, new_one);
done:
    _Pycs_XDECREF_ALL(name, full, doc, tuple, parts, new_one);
    return result;
}

static PyObject *
_Pycs_CombineAtoms(_Pycs_API *api, PyObject *made, PyObject *atoms);

/* Appends to `bases` the combination of `atoms` with `lower` in place of the i-th of them, or
   without the i-th if `lower` is NULL.  0, or -1 with an exception. */
static int
_Pycs_AddLower(_Pycs_API *api, PyObject *made, PyObject *atoms, Py_ssize_t i, PyObject *lower, PyObject *bases)
{
    PyObject *rest = PyList_GetSlice(atoms, 0, PyList_GET_SIZE(atoms)), *fewer = NULL;
    PyObject *combined = NULL;
    int status = -1;

    if (rest == NULL || PyList_SetSlice(rest, i, i + 1, NULL) < 0
            || (lower != NULL && PyList_Append(rest, lower) < 0)
            || !(fewer = _Pycs_Atoms(api, made, rest))
            || !(combined = _Pycs_CombineAtoms(api, made, fewer)) || PyList_Append(bases, combined) < 0) goto done;
    status = 0;
done:
    _Pycs_XDECREF_ALL(rest, fewer, combined);
    return status;
}

/* The combination of a list that _Pycs_Atoms() returned.  A new reference; NULL with
   a TypeError if the MROs of metaclasses with several bases do not agree. */
static PyObject *
_Pycs_CombineAtoms(_Pycs_API *api, PyObject *made, PyObject *atoms)
{
    Py_ssize_t i, k;
    PyObject *key = NULL, *bases = NULL, *below = NULL, *most = NULL, *result = NULL;

    if (PyList_GET_SIZE(atoms) == 1) return Py_NewRef(PyList_GET_ITEM(atoms, 0));
    if (Py_EnterRecursiveCall(" while metaclasses were combined")) return NULL;
    if (!(key = PyFrozenSet_New(atoms))) goto done;
    if (_Pycs_LookUp(made, key, &result) < 0 || result != NULL || !(bases = PyList_New(0))) goto done;
    for (i = PyList_GET_SIZE(atoms) - 1; i >= 0; i--) {
        Py_XSETREF(below, _Pycs_MetaclassesIn(_Pycs_FetchBases(api, (PyTypeObject *)PyList_GET_ITEM(atoms, i))));
        if (below == NULL) goto done;
        for (k = 0; k < PyList_GET_SIZE(below) || k == 0; k++) {
            PyObject *lower = PyList_GET_SIZE(below) ? PyList_GET_ITEM(below, k) : NULL;
            if (_Pycs_AddLower(api, made, atoms, i, lower, bases) < 0) goto done;
        }
    }
    if (!(most = _Pycs_MostDerived(bases))) goto done;
    result = _Pycs_MakeCombination(made, key, most, atoms);
done:
    Py_LeaveRecursiveCall();
    _Pycs_XDECREF_ALL(key, bases, below, most);
    return result;
}

/* How many metaclasses there are in the MROs of a list; -1 with an exception. */
static Py_ssize_t
_Pycs_CountMetaclasses(_Pycs_API *api, PyObject *metaclasses)
{
    PyObject *seen = PySet_New(NULL), *mro, *updated;
    Py_ssize_t i, count = -1;

    for (i = 0; seen != NULL && i < PyList_GET_SIZE(metaclasses); i++) {
        mro = _Pycs_MetaclassesIn(_Pycs_FetchMro(api, (PyTypeObject *)PyList_GET_ITEM(metaclasses, i)));
        updated = mro != NULL ? PyObject_CallMethod(seen, "update", "O", mro) : NULL;
        if (updated == NULL) Py_CLEAR(seen);
        Py_XDECREF(updated);
        Py_XDECREF(mro);
    }
    if (seen != NULL) count = PySet_GET_SIZE(seen);
    Py_XDECREF(seen);
    return count;
}

/* Checks that at most one of them, with what it derives from, adds C data to type objects.
   `who`: the function that asks, for the message.  0, or -1 with a TypeError. */
static int
_Pycs_CheckLayouts(_Pycs_API *api, PyObject *metaclasses, const char *who)
{
    Py_ssize_t i, k;

    for (i = 0; i < PyList_GET_SIZE(metaclasses); i++) {
        PyTypeObject *one = (PyTypeObject *)PyList_GET_ITEM(metaclasses, i);
        PyTypeObject *layout = _Pycs_LaidOutBy(api, one);
        for (k = 0; k < i; k++) {
            PyTypeObject *other = (PyTypeObject *)PyList_GET_ITEM(metaclasses, k);
            PyTypeObject *its = _Pycs_LaidOutBy(api, other);
            PyObject *name, *its_name;
            if (PyType_IsSubtype(layout, its) || PyType_IsSubtype(its, layout)) continue;
            name = _Pycs_FullName((PyObject *)one);
            its_name = name != NULL ? _Pycs_FullName((PyObject *)other) : NULL;
            if (its_name != NULL) {
                PyErr_Format(PyExc_TypeError,
                             "%s: %U (%zd bytes) and %U (%zd bytes) both lay out type objects "
                             "in C, expected at most one that does; let one of them derive "
                             "from the other",
                             who, its_name, other->tp_basicsize, name, one->tp_basicsize);
            }
            Py_XDECREF(name);
            Py_XDECREF(its_name);
            return -1;
        }
    }
    return 0;
}

/* CPython's TypeError says only that metaclasses cannot be combined: replaces it by one that says
   which. */
static void
_Pycs_ExplainConflict(PyObject *metaclasses, const char *who)
{
    PyObject *error, *value, *traceback, *names = NULL, *reason = NULL;

    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return;
    PyErr_Fetch(&error, &value, &traceback);
    PyErr_NormalizeException(&error, &value, &traceback);
    if ((reason = PyObject_Str(value)) == NULL && _Pycs_IsReplaceable()) {
        PyErr_Clear();
        reason = _Pycs_Repr(value);
    }
    if (reason != NULL) names = _Pycs_JoinNames(metaclasses, 1);
    if (names != NULL) {
        PyErr_Format(PyExc_TypeError,
                     "%s: %U cannot be combined: %U; write a metaclass that derives from all "
                     "of them, if there can be one, and name that", who, names, reason);
    }
    _Pycs_XDECREF_ALL(names, reason, error, value, traceback);
}

/* The items of a tuple that no other item derives from, each once; a new list.  NULL with a
   TypeError if an item is not a metaclass. */
static PyObject *
_Pycs_ReadMetaclasses(PyObject *metaclasses, const char *who)
{
    PyObject *all = PySequence_List(metaclasses), *shown;
    Py_ssize_t i;

    for (i = 0; all != NULL && i < PyList_GET_SIZE(all); i++) {
        PyObject *m = PyList_GET_ITEM(all, i);
        if (PyType_Check(m) && PyType_IsSubtype((PyTypeObject *)m, &PyType_Type)) continue;
        if ((shown = _Pycs_Repr(m)) != NULL) {
            PyErr_Format(PyExc_TypeError,
                         "%s: found %U, an object of type '%.200s'; expected a metaclass, a "
                         "class that derives from type", who, shown, Py_TYPE(m)->tp_name);
            Py_DECREF(shown);
        }
        Py_CLEAR(all);
    }
    if (all != NULL) Py_SETREF(all, _Pycs_MostDerived(all));
    return all;
}

/* The dict of combinations of this interpreter; a new reference, NULL with an exception. */
static PyObject *
_Pycs_Combinations(const char *who)
{
    PyObject *made = _Pycs_KeepInModule("_combined", PyDict_New()), *shown;

    if (made == NULL || PyDict_Check(made)) return made;
    if ((shown = _Pycs_Repr(made)) != NULL) {
        PyErr_Format(PyExc_ImportError,
                     "%s: sys.modules['" _Pycs_MODULE "']._combined: found %U, "
                     "expected a dict of metaclasses; remove whatever else sets it", who, shown);
        Py_DECREF(shown);
    }
    Py_DECREF(made);
    return NULL;
}

/* The __module__ of a combination, or else its __qualname__, for other processes: combining.py makes it
   from that name, where a dot would be a step from an object to its attribute.  A new reference;
   NULL, with or without an exception, if it is no combination or that module is not imported. */
_Pycs_PRIVATE PyObject *
_Pycs_PlaceOfCombination(PyObject *metaclass, int is_module)
{
    PyObject *name = PyUnicode_FromString("cython_customslots.combining"), *names = NULL, *atoms = NULL;
    PyObject *module = name != NULL ? PyImport_GetModule(name) : NULL;
    PyObject *made = module != NULL ? _Pycs_Combinations("combine") : NULL, *result = NULL;

    if (made == NULL || _Pycs_LookUp(made, metaclass, &atoms) < 0 || atoms == NULL || !PyTuple_Check(atoms)) goto done;
    if (is_module) result = Py_NewRef(name);
    else if ((names = _Pycs_JoinNames(atoms, 1))) {
        result = PyObject_CallMethod(names, "replace", "ss", ".", ":");
    }
done:
    _Pycs_XDECREF_ALL(name, names, atoms, module, made);
    return result;
}

/* A metaclass that derives from all combinations of fewer of `atoms`, and from all of `most`.  A
   new reference; NULL with an exception, or without one if there is none: because metaclasses
   with several bases order these in another way, or there are too many. */
static PyObject *
_Pycs_CombineWhole(_Pycs_API *api, PyObject *made, PyObject *most, PyObject *atoms)
{
    const Py_ssize_t count = _Pycs_CountMetaclasses(api, atoms);
    PyObject *result;
    Py_ssize_t i;

    if (count < 0 || count > _Pycs_MAX_ATOMS) return NULL;
    result = _Pycs_CombineAtoms(api, made, atoms);
    if (result == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) PyErr_Clear();
    for (i = 0; result != NULL && i < PyList_GET_SIZE(most); i++) {
        if (!PyType_IsSubtype((PyTypeObject *)result, (PyTypeObject *)PyList_GET_ITEM(most, i))) Py_CLEAR(result);
    }
    return result;
}

/* A metaclass that derives from just those that were named.  A new reference, NULL with an
   exception. */
static PyObject *
_Pycs_CombineNamed(_Pycs_API *api, PyObject *made, PyObject *most, PyObject *atoms, const char *who)
{
    PyObject *key = PyFrozenSet_New(most), *sorted = NULL, *result = NULL;

    if (key == NULL) return NULL;
    if (_Pycs_LookUp(made, key, &result) < 0 || result != NULL || !(sorted = _Pycs_InOrder(api, most))) goto done;
    result = _Pycs_MakeCombination(made, key, sorted, atoms);
    if (result == NULL) _Pycs_ExplainConflict(sorted, who);
done:
    Py_DECREF(key);
    Py_XDECREF(sorted);
    return result;
}

/* See _Pycs_Combine() in extensibletype.h. */
_Pycs_PRIVATE PyObject *
_Pycs_combine(_Pycs_API *api, PyObject *metaclasses, const char *who)
{
    PyObject *most = NULL, *made = NULL, *atoms = NULL, *result = NULL;

    if (who == NULL) who = "combine";
    if (metaclasses == NULL || !PyTuple_Check(metaclasses)) {
        return PyErr_Format(PyExc_TypeError, "%s: found %s%.200s%s, expected a tuple of metaclasses", who,
                            metaclasses == NULL ? "NULL" : "an object of type '",
                            metaclasses == NULL ? "" : Py_TYPE(metaclasses)->tp_name,
                            metaclasses == NULL ? "" : "'");
    }
    if (!(most = _Pycs_ReadMetaclasses(metaclasses, who))) return NULL;
    if (PyList_GET_SIZE(most) < 2) {
        result = Py_NewRef(PyList_GET_SIZE(most) ? PyList_GET_ITEM(most, 0) : (PyObject *)&PyType_Type);
    }
    else if (_Pycs_CheckLayouts(api, most, who) == 0 && (made = _Pycs_Combinations(who))
             && (atoms = _Pycs_Atoms(api, made, most))) {
        result = _Pycs_CombineWhole(api, made, most, atoms);
        if (result == NULL && !PyErr_Occurred()) result = _Pycs_CombineNamed(api, made, most, atoms, who);
    }
    _Pycs_XDECREF_ALL(most, made, atoms);
    return result;
}
