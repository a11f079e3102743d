# SPDX-License-Identifier: MIT
# The class of the pictures in docs/design.md.
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype

ctypedef double (*score_function)(object plugin) noexcept

cdef class PluginType(extensibletype):
    cdef public int priority
    cdef public list tags

cdef double score(object plugin) noexcept:
    return (<PluginType>type(plugin)).priority

@customslots.slot(customslots.PyCustomSlots_Intern(b"plugins.score"), pointer=<void *>score)
@customslots.metaclass(PluginType, priority=5, tags=["slow"])
cdef class Plugin:
    pass
