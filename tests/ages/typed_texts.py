# SPDX-License-Identifier: MIT
"""typedmethod.h of other ages, as texts.

An age is one text, as a wheel carries it.  The tree has that of this release.  Those that were
released before are kept in packaging/released; those of the future are made here from the text of
this tree, each from the one before it.

`python typed_texts.py DIRECTORY AGE...`, which needs nothing installed, writes AGE/typedmethod.h and
what goes with it, for tests/hostile/tsan.sh.
"""
import dataclasses
import functools
import re

from deriving import changed, released, this_text, write

_, THIS_TEXT = this_text("extensibletype.h", installed=__name__ != "__main__")
_, THIS_TYPED = this_text("typedmethod.h", installed=__name__ != "__main__")


@dataclasses.dataclass(frozen=True)
class Age:
    text: str
    defines: tuple = ()         # what typed_age.c must know of these headers


#: Two flags, another kind of error and another way to layout the function, and a type code.
FLAGS = [
    ("#define PyTypedMethod_KNOWN       255u\n",
     "#define PyTypedMethod_RAISES_LATER 256u\n#define PyTypedMethod_INDIRECT    512u\n"
     "#define PyTypedMethod_KNOWN       1023u\n"),
    ("#define _Pycs_CODES 18", "#define PyTypedMethod_I16 19\n"
                                        "#define _Pycs_CODES 19"),
    ('"c8", "c16", "c32", "pointer", "object"\n',
     '"c8", "c16", "c32", "pointer", "object", "i16"\n'),
    ("            call->function = entry->function;\n            call->context = context;\n"
     "            call->flags = entry->flags | flag;\n",
     "            call->function = entry->flags & PyTypedMethod_INDIRECT\n"
     "                ? *(void **)entry->function : entry->function;\n"
     "            call->context = context;\n"
     "            call->flags = (entry->flags & 255u) | flag;\n"
     "            if (entry->flags & PyTypedMethod_RAISES_LATER) {\n"
     "                call->flags |= PyTypedMethod_RAISES_ANY;\n            }\n"),
]

#: An entry has a member more; whoever reads it must look whether it is there.
ENTRY = [
    ("    PyTypedMethodError error;\n} PyTypedMethodEntry;\n",
     "    PyTypedMethodError error;\n    uint64_t           later;\n} PyTypedMethodEntry;\n"),
    ("sizeof(PyTypedMethodEntry) == _Pycs_ENTRY_SIZE)", "sizeof(PyTypedMethodEntry) == _Pycs_ENTRY_SIZE + 8)"),
    ("     _Pycs_ERROR_##member(error)}\n",
     "     _Pycs_ERROR_##member(error), 0x1A7E21A7E21A7E21u}\n"),
]

#: So has a layout.
LAYOUT = [
    ("    int32_t  self_offset;\n} PyTypedMethodLayout;\n",
     "    int32_t  self_offset;\n    uint64_t later[2];\n} PyTypedMethodLayout;\n"),
    ("(int32_t)self_offset};\n",
     "(int32_t)self_offset, {0x5A5A5A5A5A5A5A5Au, 0x5A5A5A5A5A5A5A5Au}};\n"),
]

#: Another ABI, which has keys of its own: a record has a member more in front of others.
RECORD = [
    ("#define PyTypedMethod_ABI_VERSION 1", "#define PyTypedMethod_ABI_VERSION 2"),
    ("typedef struct {\n    uint32_t                  magic;",
     """typedef struct {
    uint32_t magic; uint16_t abi; uint16_t entry_size; uint32_t count; uint32_t flags;
    const char *name;
    const PyTypedMethodEntry *entries;
} _Pycs_Record_1;
typedef struct {
    uint32_t                  magic;"""),
    ("    const char               *name;\n    const PyTypedMethodEntry *entries;\n"
     "} PyTypedMethodRecord;\n",
     """    uint64_t                  later[2];
    const char               *name;
    const PyTypedMethodEntry *entries;
} PyTypedMethodRecord;
static inline const PyTypedMethodEntry *
_Pycs_Entries(const PyTypedMethodRecord *record)
{
    return record->abi == 1 ? ((const _Pycs_Record_1 *)record)->entries
                            : record->entries;
}
"""),
    ("variable##_entries[0])), 0u,", "variable##_entries[0])), 0u, {7u, 7u},"),
    ("    if (record->abi != PyTypedMethod_ABI_VERSION) {",
     "    if (record->abi != 1 && record->abi != PyTypedMethod_ABI_VERSION) {"),
    # Under the free kind of key that is for an address.
    ("_Pycs_SLOW _Pycs_Cells *\n_Pycs_SeekCells(",
     """static inline uintptr_t
_Pycs_KeyOf(const PyMethodDef *def, const PyTypedMethodRecord *record)
{
    return (uintptr_t)def + (record->abi == 1 ? 0 : 2);
}
static inline const void *
_Pycs_TypedRecord(_Pycs_Cells *cells, const PyMethodDef *def)
{
    const uintptr_t key = (uintptr_t)def;
    const void *record = _Pycs_ValueOf(cells, key + 2);
    return record != NULL ? record : _Pycs_ValueOf(cells, key);
}
_Pycs_SLOW _Pycs_Cells *
_Pycs_SeekCells("""),
]
#: The same in all places, before the above.
RECORD_EVERYWHERE = [
    (r"\b(place(?:\.|->))?record->entries\b", r"_Pycs_Entries(\1record)", 7),
    (r"_Pycs_ValueOf\(cells, _Pycs_RecordKey\(def\)\)", "_Pycs_TypedRecord(cells, def)", 2),
    (r"_Pycs_RecordKey\(pairs\[i\]\.def\)", "_Pycs_KeyOf(pairs[i].def, pairs[i].record)", 2),
]


def of_another_abi(text):
    for old, new, count in RECORD_EVERYWHERE:
        text, times = re.subn(old, new, text)
        assert times == count, f"{times} times in the text: {old}"
    return changed(text, *RECORD)


@functools.lru_cache(maxsize=None)
def all_ages():
    """{name: Age}, from the oldest on."""
    frozen = {age: Age(text) for age, (_, text) in released("typedmethod.h").items()}
    this = THIS_TYPED
    flags = changed(this, *FLAGS)
    entry = changed(flags, *ENTRY)
    layout = changed(entry, *LAYOUT)
    knows = ("AGE_FLAGS",)
    return {**frozen, "this": Age(this), "flags": Age(flags, knows), "entry": Age(entry, knows),
            "layout": Age(layout, knows), "record": Age(of_another_abi(layout), knows)}


if __name__ == "__main__":
    write(all_ages(), lambda age: {"typedmethod.h": age.text, "extensibletype.h": THIS_TEXT})
