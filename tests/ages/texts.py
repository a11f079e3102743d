# SPDX-License-Identifier: MIT
"""Headers and implementations of other ages, as texts.

An age is one text: extensibletype.h with all that it includes, the implementation too, as a wheel
carries it.  The tree has that of this release.  Those that were released before are kept in
packaging/released; those of the future are made here from the text of this tree, each from the one before
it, as releases follow each other.  Their numbers are higher than any release has.

`python texts.py DIRECTORY AGE...`, which needs nothing installed, writes AGE/extensibletype.h and
AGE/defines there, for tests/hostile/tsan.sh.
"""
import dataclasses
import functools
import re

from deriving import changed, released, this_text, write

THIS, THIS_TEXT = this_text("extensibletype.h", installed=__name__ != "__main__")


@dataclasses.dataclass(frozen=True)
class Age:
    number: str
    text: str
    defines: tuple = ()         # what age.c must know of these headers

    @property
    def state(self):
        """The version of the state that it creates, and the only one that it serves."""
        version, = re.findall(r"#define _Pycs_STATE_VERSION (\d+)", self.text)
        return int(version)


def packed(number):
    major, minor, patch = number.split(".")
    return f"({major} << 24 | {minor} << 12 | {patch})"


def numbered(text, number, of=None):
    """The text of another release: a number, and an error of whoever serves that shows it."""
    of = of or THIS
    old = packed(of)
    assert text.count(old) == 2, f"{text.count(old)} times in the text: {old}"
    return text.replace(old, packed(number))


#: A mistake that is mended: the message of a refusal.  And structs that say their size are longer.
MENDED = [("} PyCustomSlots_Interface;\n", "    const void *later[4];\n} PyCustomSlots_Interface;\n"),
          ("} PyExtensibleType_InterfaceSpec;\n", "    const void *later[4];\n} PyExtensibleType_InterfaceSpec;\n"),
          ("cannot be read from", "cannot really be read from"),
          (""""field '%s' of class '%.200s' is read-only\"""",
           """"field '%s' of class '%.200s' is read-only, and that is a fact\"""")]

#: A function more.
ANSWER = [
    ("             const PyExtensibleType_InterfaceSpec *))\n\n",
     "             const PyExtensibleType_InterfaceSpec *)) \\\n"
     "    FUNCTION(PyObject *, answer, (_Pycs_API *))\n\n"),
    ("static const _Pycs_Impl _Pycs_implementation = {\n",
     "static PyObject *\n_Pycs_answer(_Pycs_API *api)\n"
     "{\n    return PyLong_FromLong(42 + 0 * (long)api->state->named);\n}\n\n"
     "static const _Pycs_Impl _Pycs_implementation = {\n"),
    ("#define _Pycs_FUNCTION_COUNT \\\n"
     "    ((uint32_t)((offsetof(_Pycs_Impl, interface_class_of)",
     "#define _Pycs_FUNCTION_COUNT \\\n"
     "    ((uint32_t)((offsetof(_Pycs_Impl, answer)"),
]

#: A field is described by one member more: what it reads as, whatever its value.
LATER = [
    ("} PyExtensibleType_Field;\n", "    int later;\n} PyExtensibleType_Field;\n"),
    ("sizeof(entries[i].def));\n    }\n",
     "sizeof(entries[i].def));\n"
     "        entries[i].def.flags |= (unsigned)fields[i].later << 16;\n    }\n"),
    ("    return _Pycs_ReadField(api, type, field);\n}\n\n"
     "_Pycs_PRIVATE int\n_Pycs_field_set(",
     "    if (field->def.flags >> 16 != 0) return PyLong_FromLong((long)(field->def.flags >> 16));\n"
     "    return _Pycs_ReadField(api, type, field);\n}\n\n"
     "_Pycs_PRIVATE int\n_Pycs_field_set("),
]

#: Another version of the state: structs that are reached from it, and in front of variable bytes, are longer.
STATE_2 = [
    ("#define _Pycs_STATE_VERSION 1", "#define _Pycs_STATE_VERSION 2"),
    ("} _Pycs_State;\n", "    uintptr_t more[4];\n} _Pycs_State;\n"),
    ("} _Pycs_Sidecar;", "    uintptr_t more[3];\n} _Pycs_Sidecar;"),
]


@functools.lru_cache(maxsize=None)
def all_ages():
    """{name: Age}, from the oldest on."""
    this = THIS_TEXT
    new = numbered(changed(this, *MENDED), "9.2.0")
    function = numbered(changed(new, *ANSWER), "9.3.0", "9.2.0")
    field = numbered(changed(function, *LATER), "9.4.0", "9.3.0")
    state = numbered(changed(field, *STATE_2), "9.5.0", "9.4.0")
    answer, later = ("AGE_ANSWER",), ("AGE_ANSWER", "AGE_LATER")
    frozen = {age: Age(*kept) for age, kept in released("extensibletype.h").items()}
    return {"old": Age("0.0.9", numbered(this, "0.0.9")), **frozen, "this": Age(THIS, this),
            "new": Age("9.2.0", new), "function": Age("9.3.0", function, defines=answer),
            "field": Age("9.4.0", field, defines=later), "state": Age("9.5.0", state, defines=later)}


if __name__ == "__main__":
    write(all_ages(), lambda age: {"extensibletype.h": age.text, "customslots.h": '#include "extensibletype.h"\n'})
