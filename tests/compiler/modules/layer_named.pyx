# cython: freethreading_compatible=True
# Slots with names as IDs, however they are spelled.
cimport cython_customslots as customslots
from cython_customslots cimport PyCustomSlots_Intern, slot

cdef int number = 5

cdef int answer() noexcept:
    return 42


@slot(b"layer_named.pointer", pointer=&number)
@customslots.slot("layer_named.text", flags=1)
@slot(u"layer_named.unicode", flags=2, position=4)
@slot(b"layer_named" b".joined", flags=3)
@slot("layer_named.\u00e9 \"quoted\" ??/", flags=4)
@slot(b"layer_named.late", flags=answer())
@slot(0x01001F01, flags=5)
cdef class Named: pass


cdef int *later():
    return &number


cdef customslots.PyCustomSlots_Bridge bridge
bridge.name, bridge.attribute, bridge.capsule = b"layer_named.table", b"__layer_named__", b"layer_named table"


def bridged(cls):
    """Does the slot or the attribute of a class lead to the number?"""
    cdef void *table = customslots.PyCustomSlots_FindBridged(cls, &bridge)
    return None if table is NULL else <int *>table == &number


def publish(cls):
    customslots.PyCustomSlots_PublishCapsule(cls, &bridge)


# [capsule.begin]
@slot(b"layer_named.table", pointer=&number, capsule=("__layer_named__", b"layer_named table"))
cdef class Published:
    pass
# [capsule.end]


@slot("layer_named.table", pointer=later(), capsule=("__layer_named__", "layer_named \u00e9"))
cdef class PublishedLate(Published): pass


@slot("layer_named.text", flags=10)
cdef class Sub(Named): pass


def expected():
    return <size_t>&number
