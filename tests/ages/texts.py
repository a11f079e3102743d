# SPDX-License-Identifier: MIT
"""Headers and implementations of other ages, as texts.

An age is one text: extensibletype.h with all that it includes, the implementation too, as a wheel
carries it.  Those that were released are kept in files (freeze.py); those of the future are made
here from the text of this tree, each from the one before it, as releases follow each other.

`python texts.py DIRECTORY AGE...`, which needs nothing installed, writes AGE/extensibletype.h and
AGE/defines there, for tests/hostile/tsan.sh.
"""
import dataclasses
import functools
import sys
from pathlib import Path

from deriving import changed, this_text

HERE = Path(__file__).resolve().parent
THIS, THIS_TEXT = this_text("extensibletype.h", installed=__name__ != "__main__")


@dataclasses.dataclass(frozen=True)
class Age:
    number: str
    text: str
    state: int = 1              # the version that it creates, and the oldest that it serves
    oldest: int = 1
    defines: tuple = ()         # what age.c must know of these headers


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
     "        entries[i].extension = (void *)(intptr_t)fields[i].later;\n    }\n"),
    ("    return _Pycs_ReadField(api, type, field);\n}\n\n"
     "_Pycs_PRIVATE int\n_Pycs_field_set(",
     "    if (field->extension != NULL) return PyLong_FromLong((long)(intptr_t)field->extension);\n"
     "    return _Pycs_ReadField(api, type, field);\n}\n\n"
     "_Pycs_PRIVATE int\n_Pycs_field_set("),
]

#: Another version of the state, which goes on with the one before: what an older one has made is
#: shorter, and nobody looks behind its end.
STATE_2 = [
    ("#define _Pycs_STATE_VERSION 1", "#define _Pycs_STATE_VERSION 2"),
    ("} _Pycs_State;\n", "    uintptr_t calls[4];\n} _Pycs_State;\n"),
    ("} _Pycs_Refresh;\n",
     "    uintptr_t                  more[8];\n} _Pycs_Refresh;\n"),
    ("} _Pycs_Handover;\n", "    uintptr_t     more[8];\n} _Pycs_Handover;\n"),
    ("            node->below = here->handover;\n",
     "            if (api->state_version >= 2) api->state->calls[3]++;\n"
     "            node->more[7] = 7;\n"
     "            node->below = here->handover;\n"),
]

#: One that does not go on with any: structs in front of variable bytes are longer.
ONLY_STATE_3 = [
    ("#define _Pycs_STATE_VERSION 2", "#define _Pycs_STATE_VERSION 3"),
    ("#define _Pycs_OLDEST_STATE  1", "#define _Pycs_OLDEST_STATE  3"),
    ("} _Pycs_Sidecar;", "    uintptr_t more[3];\n} _Pycs_Sidecar;"),
]


@functools.lru_cache(maxsize=None)
def all_ages():
    """{name: Age}, from the oldest on."""
    this = THIS_TEXT
    new = numbered(changed(this, *MENDED), "0.2.0")
    function = numbered(changed(new, *ANSWER), "0.3.0", "0.2.0")
    field = numbered(changed(function, *LATER), "0.4.0", "0.3.0")
    state = numbered(changed(field, *STATE_2), "0.5.0", "0.4.0")
    broken = numbered(changed(state, *ONLY_STATE_3), "0.6.0", "0.5.0")
    answer, later = ("AGE_ANSWER",), ("AGE_ANSWER", "AGE_LATER")
    frozen = {f"frozen_{path.parent.name.replace('.', '_')}":
              Age(path.parent.name, path.read_text(encoding="ascii"))
              for path in sorted(HERE.glob("*/extensibletype.h"))}
    return {"old": Age("0.0.9", numbered(this, "0.0.9")), **frozen, "this": Age(THIS, this),
            "new": Age("0.2.0", new), "function": Age("0.3.0", function, defines=answer),
            "field": Age("0.4.0", field, defines=later),
            "state": Age("0.5.0", state, 2, 1, later), "break": Age("0.6.0", broken, 3, 3, later)}


def write(directory, *names):
    for name in names:
        age = all_ages()[name]
        (directory / name).mkdir(parents=True)
        (directory / name / "extensibletype.h").write_text(age.text, encoding="ascii")
        (directory / name / "customslots.h").write_text('#include "extensibletype.h"\n')
        (directory / name / "defines").write_text(" ".join(f"-D{what}" for what in age.defines))


if __name__ == "__main__":
    write(Path(sys.argv[1]), *sys.argv[2:])
