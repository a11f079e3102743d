# SPDX-License-Identifier: MIT
"""Wrong uses of ``@typed`` and ``@borrow_views``, and what the compiler says: (line, column, text)."""

NOT_CPDEF = ("customslots.typed is for cpdef functions, but stands on cdef function 'f', which "
             "Python does not see; write 'cpdef', or remove the decorator")

LENT = "'f' cannot have a typed record: argument 'view' is a memoryview that is lent for the call, and"

#: {what is wrong: (source behind the cimport, [(line in it, column, text)])}
ERRORS = {
    "typed with a string": (
        '@cs.typed("x")\ncpdef int f(): return 1\n',
        [(1, 10, "customslots.typed takes True or False, found 'x'")]),
    "typed with a name": (
        "@cs.typed(nope)\ncpdef int f(): return 1\n",
        [(1, 10, "customslots.typed takes True or False, found 'nope'")]),
    "typed with a number": (
        "@cs.typed(0)\ncdef class A: pass\n",
        [(1, 10, "customslots.typed takes True or False, found '0'")]),
    "typed with None": (
        "@cs.typed(None)\ncdef class A: pass\n",
        [(1, 10, "customslots.typed takes True or False, found None")]),
    "typed with an expression": (
        "@cs.typed(len('a'))\ncdef class A: pass\n",
        [(1, 13, "customslots.typed takes True or False, found an expression")]),
    "typed with a keyword": (
        "@cs.typed(enabled=False)\ncpdef int f(): return 1\n",
        [(1, 0, "customslots.typed takes nothing but True or False")]),
    "typed with two arguments": (
        "@cs.typed(True, False)\ncpdef int f(): return 1\n",
        [(1, 0, "customslots.typed takes nothing but True or False")]),
    "typed with arguments from a tuple": (
        "@cs.typed(*(True,))\ncpdef int f(): return 1\n",
        [(1, 0, "customslots.typed takes nothing but True or False")]),
    "typed twice": (
        "@cs.typed(True)\n@cs.typed(False)\ncpdef int f(): return 1\n",
        [(2, 0, "customslots.typed is given twice; remove one of them")]),
    "typed twice on a class": (
        "@cs.typed(True)\n@cs.typed(False)\ncdef class A: pass\n",
        [(2, 0, "customslots.typed is given twice; remove one of them")]),
    "typed on a cdef function": (
        "@cs.typed(False)\ncdef int f(): return 1\n", [(1, 0, NOT_CPDEF)]),
    "typed on a cdef method": (
        "cdef class A:\n    @cs.typed(True)\n    cdef int f(self): return 1\n",
        [(2, 4, NOT_CPDEF)]),
    "typed on a Python function": (
        "@cs.typed(False)\ndef f(): pass\n",
        [(1, 0, "customslots.typed is for cdef classes and cpdef functions, but stands on "
                "function 'f'")]),
    "typed on a Python method": (
        "cdef class A:\n    @cs.typed(False)\n    def f(self): pass\n",
        [(2, 4, "customslots.typed is for cdef classes and cpdef functions, but stands on "
                "method 'f'"),
         (2, 13, "Calling non-function type 'int'")]),       # Cython's word for it
    "typed on a Python class": (
        "@cs.typed(False)\nclass C: pass\n",
        [(1, 0, "customslots.typed is for cdef classes and cpdef functions, but stands on "
                "class 'C'; write 'cdef class'")]),
    "typed on an extern class": (
        "@cs.typed(False)\ncdef extern class somewhere.A [object AO]: pass\n",
        [(1, 0, "'A' is declared extern: only the module that defines a class gives its methods "
                "typed records")]),
    "borrow_views with a string": (
        '@cs.borrow_views("x")\ndef f(int[:] x): pass\n',
        [(1, 17, "customslots.borrow_views takes True or False, found 'x'")]),
    "borrow_views with a keyword": (
        "@cs.borrow_views(enabled=False)\ncdef class A: pass\n",
        [(1, 0, "customslots.borrow_views takes nothing but True or False")]),
    "borrow_views twice": (
        "@cs.borrow_views\n@cs.borrow_views(False)\ndef f(int[:] x): pass\n",
        [(2, 0, "customslots.borrow_views is given twice; remove one of them")]),
    "borrow_views on a cdef function": (
        "@cs.borrow_views\ncdef int f(int[:] x): return 1\n",
        [(1, 0, NOT_CPDEF.replace("typed", "borrow_views"))]),
    "borrow_views on a Python method of a cdef class": (
        "cdef class A:\n    @cs.borrow_views\n    def f(self, int[:] x): pass\n",
        [(2, 4, "customslots.borrow_views is for cdef classes, cpdef functions, and def functions that are in no "
                "cdef class, but stands on method 'f'"),
         (2, 4, "Calling non-function type 'int'")]),        # Cython's word for it
    "borrow_views on a Python class": (
        "@cs.borrow_views\nclass C: pass\n",
        [(1, 0, "customslots.borrow_views is for cdef classes, cpdef functions, and def functions that are in no "
                "cdef class, but stands on class 'C'; write 'cdef class'")]),
    "borrow_views on an extern class": (
        "@cs.borrow_views\ncdef extern class somewhere.A [object AO]: pass\n",
        [(1, 0, "'A' is declared extern: only the module that defines a class compiles its methods")]),
    "a struct by value": (
        "ctypedef struct S:\n    int x\n@cs.typed(True)\ncpdef int f(S s): return s.x\n",
        [(3, 0, "'f' cannot have a typed record: argument 's' is a struct by value")]),
    "a memoryview as the result": (
        "@cs.typed(True)\ncpdef int[:] f(int x): return None\n",
        [(1, 0, "'f' cannot have a typed record: its result is a memoryview")]),
    "a memoryview of two dimensions": (
        "@cs.typed(True)\ncpdef int f(int[:, ::1] view): return view[0, 0]\n",
        [(1, 0, "'f' cannot have a typed record: argument 'view' is a memoryview of 2 dimensions, not of one")]),
    "a memoryview of characters": (
        "@cs.typed(True)\ncpdef int f(char[::1] view): return view[0]\n",
        [(1, 0, f"{LENT} its items are of type 'char'")]),
    "a memoryview of objects": (
        "@cs.typed(True)\ncpdef int f(object[:] view): return 1\n",
        [(1, 0, f"{LENT} its items are of type 'Python object'")]),
    "a memoryview of pointers to items": (
        "from cython cimport view as v\n@cs.typed(True)\ncpdef int f(int[::v.indirect] view): return 1\n",
        [(2, 0, f"{LENT} its items may be reached by pointers")]),
    "a memoryview that is made an object": (
        "@cs.typed(True)\ncpdef int f(int[:] view):\n    print(view)\n    return 1\n",
        [(1, 0, f"{LENT} it is made a Python object, in line 4")]),
    "a memoryview that is compared with None": (
        "@cs.typed(True)\ncpdef int f(int[:] view): return view is None\n",
        [(1, 0, f"{LENT} it is compared with None, in line 3")]),
    "a tuple of C numbers": (
        "@cs.typed(True)\ncpdef (int, int) f(int x): return (x, x)\n",
        [(1, 0, "'f' cannot have a typed record: its result is a C tuple")]),
    "another decorator of ours on a cpdef function": (
        "@cs.extensible\ncpdef int f(): return 1\n",
        [(1, 0, "customslots.extensible is for cdef classes, but stands on function 'f'")]),
    "somebody else's decorator on a cpdef function": (
        "def other(f): return f\n@other\ncpdef int f(): return 1\n",
        [(2, 0, "Cdef functions cannot take arbitrary decorators.")]),
    "two of somebody else's are one error, as in plain Cython": (
        "def other(f): return f\n@cs.typed(True)\n@other\n@other\ncpdef int f(): return 1\n",
        [(3, 0, "Cdef functions cannot take arbitrary decorators.")]),
    "somebody else's below staticmethod, where plain Cython complains": (
        "def other(f): return f\ncdef class A:\n    @staticmethod\n    @other\n"
        "    cdef int f(): return 1\n",
        [(3, 4, "Cdef functions cannot take arbitrary decorators.")]),
    "somebody else's below staticmethod twice": (
        "def other(f): return f\ncdef class A:\n    @staticmethod\n    @staticmethod\n"
        "    @other\n    cdef int f(): return 1\n",
        [(3, 4, "Cdef functions cannot take arbitrary decorators.")]),
}
