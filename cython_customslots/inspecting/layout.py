# SPDX-License-Identifier: MIT
"""Where everything stands that is looked at: docs/abi.md in numbers.

The layouts are frozen with the ABI, and tests/layout/layout.txt has them as the compiler sees them; a
test compares the two.
"""
from __future__ import annotations

_SIZES = {"I": 4, "i": 4, "H": 2, "Q": 8, "q": 8}
_SIGNED = "niq"


class Struct:
    """Members of a C struct: {name: (offset, size, signed)} for words of this size."""

    def __init__(self, text: str, word: int) -> None:
        self.members: dict[str, tuple[int, int, bool]] = {}
        at = 0
        for item in text.split():
            name, _, kind = item.partition(":")
            size = _SIZES.get(kind, word)
            align = size if kind != "Q" else 8
            at = (at + align - 1) // align * align
            self.members[name] = (at, size, kind != "" and kind in _SIGNED)
            at += size
        self.size = (at + word - 1) // word * word


# A member is a word, or has behind its colon: n a signed word, I i 4 bytes, H 2, Q 8.
_TEXTS = {
    "Words": "count:n slots check private extension",
    "Declared": "owner own own_count:n index absent",
    "API": "rendezvous_version:I table_abi:I state_version:I reserved:I heaptype_size:n type_size:n "
           "metaclass state impl met",
    "Impl": "number:I state_version:I oldest_state:I count:I module",
    "State": "extension empty thread field_get field_set lock lock_owner generation "
             "refreshes interpreter layers hooked named "
             "type_bases type_module type_doc type_subclasses type_mro type_dict name_module name_doc "
             "name_new name_slots name_fields name_interface name_annotations name_annotate name_attrs "
             "metaclass_module metaclass_doc "
             "adopted_modules texts overridable mixed setters watches interfaces interface_meta "
             "interface_method",
    "Layer": "next metaclass offset:n size:n hooked:i named:i block "
             "defaults count:n fields extension",
    "FieldEntry": "api name offset:n size:n type:i flags:I doc create copy move destroy from_object "
                  "to_object kind:i next layer name_object getset_name getset_get getset_set getset_doc "
                  "getset_closure extension",
    "Sidecar": "extension marks kept filled_at",
    "Declaration": "next extension spec tabled other",
    "Spec": "size id name doc interface signatures table extends module",
    "Interface": "size count hashes layout numbers names name dispatch base bodies",
    "ProcessTable": "cells ids0 ids1 ids2 ids3 generation types closed owner layouts",
    "Cells": "former mask used",
    "Cell": "key value",
    "Name": "next length",
    "Entry": "id data type referent next",
    "Node": "next id position:n overriding defaults",
    "Record": "magic:I abi:H entry_size:H count:I flags:I name entries",
    "Native": "record context",
    "Layout": "size:I def_offset:i self_offset:i",
}


def structs(word: int) -> dict[str, Struct]:
    return {name: Struct(text, word) for name, text in _TEXTS.items()}


# Words of a PyTypeObject behind ob_type.
TYPE_SIZE, TYPE_NAME, TYPE_BASICSIZE, TYPE_FLAGS = 1, 2, 3, 20
TYPE_BASE, TYPE_BASES, TYPE_MRO = 31, 41, 42
HEAPTYPE = 1 << 9
TYPE_SUBCLASS = 1 << 31

# [check words]
READY = {8: 0x5E9200C5A17B3D04, 4: 0x5E92A104}
UNFINISHED = {8: 0x5E9200C5E84C6904, 4: 0x5E92E804}
ROOT = {8: 0x5E9200C573D19603, 4: 0x5E927303}
STATIC_MARK = -0x5E9202

EMPTY, SKIP = 0, 1
MIN_CAPACITY = 4
RENDEZVOUS, STATE_VERSION = 3, 1
KEY_LAYOUT, KEY_NAME, KEY_SLOTS, KEY_INTERFACE, KEY_KIND = 1, 3, 7, 11, 15
TABLE_KEY = b"_customslots_table_v3"

OBJECT, OPAQUE, READABLE, WRITABLE = 16, -1, 1, 2
#: What Py_T_* codes are in C, and for struct.unpack().
CODES = {
    0: ("short", "h"), 1: ("int", "i"), 2: ("long", "l"), 3: ("float", "f"), 4: ("double", "d"),
    7: ("char", "c"), 8: ("signed char", "b"), 9: ("unsigned char", "B"), 10: ("unsigned short", "H"),
    11: ("unsigned int", "I"), 12: ("unsigned long", "L"), 14: ("bool", "?"),
    16: ("object", ""), 17: ("long long", "q"), 18: ("unsigned long long", "Q"),
    19: ("Py_ssize_t", "n"),
}

MAGIC, RECORD_ABI, MAX_ENTRIES = 0x54504D31, 1, 4096
TYPES = ("", "void", "bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "f16",
         "c8", "c16", "c32", "pointer", "object")
NATIVE_CALL = 0x02 << 24 | 1 << 8 | 1 << 1 | 1
CLASS_CALL = 0x02 << 24 | 1 << 8 | 2 << 1 | 1
