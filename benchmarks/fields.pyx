# SPDX-License-Identifier: MIT
# cython: language_level=3
"""One C pointer for each class, kept in the ways of examples/greetings.

Every class has the same instances.  read_*() are what a method would do to get at the C
data of the class of `self`; they are inlined into the loops of fields.h.
"""
cimport cython_customslots as customslots
from cpython.object cimport PyObject
from cython_customslots.provider cimport extensibletype
from libc.stdint cimport int64_t

cdef extern from "fields.h":
    ctypedef struct Greeting:
        const char *sentence
        Py_ssize_t next_offset
    Greeting greetings[]
    const int BENCH_COPIES, BENCH_OBJECTS, N_GREETINGS
    ctypedef const Greeting *(*Reader)(PyObject *) noexcept
    const Greeting *read_behind(PyObject *) noexcept
    int64_t fields_read(Reader, int, PyObject **, Py_ssize_t) noexcept
    int64_t fields_chain(Reader, int, PyObject **, Py_ssize_t) noexcept


cdef class Base:
    """`greeting` in the instance: the baseline."""
    cdef const Greeting *greeting

    def __init__(self, int number=0):
        self.greeting = &greetings[number]

cdef inline const Greeting *read_instance(Base self) noexcept:
    return self.greeting


# Each of the following has a field `next` of its own, which the chains follow.  In Base
# it would make WithField larger than the others: without a field of its own, a class with C
# fields in its type gets a hidden one, so that it cannot change its bases for others.

cdef class Plain(Base):
    cdef PyObject *next              # borrowed


# A C field of the class, inherited by value.
cdef class GreetType(extensibletype):
    cdef const Greeting *greeting

@customslots.metaclass(GreetType, greeting=&greetings[0])
cdef class WithField(Base):
    cdef PyObject *next

cdef inline const Greeting *read_field(Base self) noexcept:
    return (<GreetType>type(<object>self)).greeting      # of WithField, which Base does not know

# The limit of that: the two loads by themselves.
cdef inline const Greeting *read_limit(Base self) noexcept:
    return read_behind(<PyObject *>self)


# A dictionary from the class to an object that holds the pointer.
cdef dict greeting_map = {}

cdef class Holder:
    cdef const Greeting *greeting

cdef class Mapped(Base):
    cdef PyObject *next

cdef inline const Greeting *read_map(Base self) noexcept:
    cdef Holder holder = greeting_map[type(self)]
    return holder.greeting


# A metaclass that inherits nothing: NULL means, look into the bases.
cdef class WalkType(type):
    cdef const Greeting *greeting

cdef class Walked(Base):
    cdef PyObject *next

cdef inline const Greeting *find_in_mro(WalkType cls) except NULL:
    if cls.greeting != NULL:
        return cls.greeting
    for parent in (<object>cls).__mro__:
        if isinstance(parent, WalkType) and (<WalkType>parent).greeting != NULL:
            return (<WalkType>parent).greeting
    raise TypeError("No greeting found in MRO")

cdef inline const Greeting *read_walk(Base self) noexcept:
    return find_in_mro(type(self))


# A metaclass for each class, and the pointer in the metaclass.
cdef class MetaMetaType(type):
    cdef const Greeting *greeting

cdef class MetaMeta(Base):
    cdef PyObject *next

cdef inline const Greeting *read_metameta(Base self) noexcept:
    return (<MetaMetaType>type(type(self))).greeting

cdef inline const Greeting *read_metameta_checked(Base self) noexcept:
    cdef MetaMetaType metaclass = type(type(self))
    return metaclass.greeting


# ---------------------------------------------------------------------- the classes --

cdef Plain _plain = Plain()
cdef Py_ssize_t next_offset = <char *>&_plain.next - <char *><PyObject *>_plain
cdef int n
for n in range(N_GREETINGS):
    greetings[n].sentence = b"Hello"
    greetings[n].next_offset = next_offset


def make(way, int number):
    """A class made at run time, with greeting `number`, in one of the ways."""
    if not 0 <= number < N_GREETINGS:
        raise ValueError(f"make: found greeting {number}, expected 0 to {N_GREETINGS - 1}")
    cdef Holder holder
    name = f"{way}{number}"
    if way == "instance":
        return type(name, (Plain,), {"__slots__": ()})
    if way == "field":
        cls = GreetType(name, (WithField,), {"__slots__": ()})
        (<GreetType>cls).greeting = &greetings[number]
    elif way == "map":
        cls = type(name, (Mapped,), {"__slots__": ()})
        holder = Holder()
        holder.greeting = &greetings[number]
        greeting_map[cls] = holder
    elif way == "walk":
        cls = WalkType.__new__(WalkType, name, (Walked,), {"__slots__": ()})
        (<WalkType>cls).greeting = &greetings[number]
    else:
        meta = MetaMetaType.__new__(MetaMetaType, name + "Type", (type,), {})
        (<MetaMetaType>meta).greeting = &greetings[number]
        cls = meta.__new__(meta, name, (MetaMeta,), {"__slots__": ()})
    return cls


def link(tuple objects):
    """Each points to the next, the last one to the first."""
    cdef Py_ssize_t i
    sizes = {type(o).__basicsize__ for o in objects}
    if sizes != {Plain.__basicsize__}:
        raise ValueError(f"link: found instances of {sizes} bytes, expected all to have "
                         f"the layout of Plain, {Plain.__basicsize__} bytes")
    for i in range(len(objects)):
        (<PyObject **>(<char *><PyObject *>objects[i] + next_offset))[0] = \
            <PyObject *>objects[(i + 1) % len(objects)]


# ------------------------------------------------------------------------ the loops --

ctypedef int64_t (*Loop)(int, PyObject **, Py_ssize_t) noexcept

cdef int64_t loop_instance(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_read(<Reader>read_instance, copy, objs, r)
cdef int64_t loop_field(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_read(<Reader>read_field, copy, objs, r)
cdef int64_t loop_limit(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_read(<Reader>read_limit, copy, objs, r)
cdef int64_t loop_map(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_read(<Reader>read_map, copy, objs, r)
cdef int64_t loop_walk(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_read(<Reader>read_walk, copy, objs, r)
cdef int64_t loop_metameta(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_read(<Reader>read_metameta, copy, objs, r)
cdef int64_t loop_metameta_checked(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_read(<Reader>read_metameta_checked, copy, objs, r)
cdef int64_t chain_instance(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_chain(<Reader>read_instance, copy, objs, r)
cdef int64_t chain_field(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_chain(<Reader>read_field, copy, objs, r)
cdef int64_t chain_limit(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_chain(<Reader>read_limit, copy, objs, r)
cdef int64_t chain_map(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_chain(<Reader>read_map, copy, objs, r)
cdef int64_t chain_walk(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_chain(<Reader>read_walk, copy, objs, r)
cdef int64_t chain_metameta(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_chain(<Reader>read_metameta, copy, objs, r)
cdef int64_t chain_metameta_checked(int copy, PyObject **objs, Py_ssize_t r) noexcept:
    return fields_chain(<Reader>read_metameta_checked, copy, objs, r)

cdef Loop[14] loops = [
    loop_instance, loop_field, loop_limit, loop_map, loop_walk, loop_metameta,
    loop_metameta_checked, chain_instance, chain_field, chain_limit, chain_map, chain_walk,
    chain_metameta, chain_metameta_checked]
WAYS = ["instance", "field", "limit", "map", "walk", "metameta", "metameta_checked"]
LOOPS = WAYS + [f"chain_{way}" for way in WAYS]
COPIES = BENCH_COPIES
OBJECTS = BENCH_OBJECTS

cdef extern from *:
    """
    #define FIELDS_ITEMS(t) (((PyTupleObject *)(t))->ob_item)
    """
    PyObject **FIELDS_ITEMS(object)


def run(str name, int copy, tuple objects, Py_ssize_t repetitions):
    """Nanoseconds that the loop takes."""
    if len(objects) != OBJECTS:
        raise ValueError(f"run: found {len(objects)} objects, expected {OBJECTS}")
    return loops[<Py_ssize_t>LOOPS.index(name)](copy, FIELDS_ITEMS(objects), repetitions)


def check(str way, tuple objects, int number):
    """Does the way find greeting `number` for each of the objects?"""
    cdef Reader[7] readers = [
        <Reader>read_instance, <Reader>read_field, <Reader>read_limit, <Reader>read_map,
        <Reader>read_walk, <Reader>read_metameta, <Reader>read_metameta_checked]
    cdef Reader reader = readers[<Py_ssize_t>WAYS.index(way)]
    return all([reader(<PyObject *>o) == &greetings[number] for o in objects])
