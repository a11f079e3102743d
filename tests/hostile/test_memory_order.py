# SPDX-License-Identifier: MIT
"""What threads may do at the same time, played by one on purpose: loads and stores that readers without a lock rely on
(recording.h says how they are looked at, looking_meanwhile.py has what is changed and looked up), and changes that take
turns at the lock (changing_amid.py)."""
import re
import shutil
import sys
import textwrap
from pathlib import Path

import cython_customslots
import pytest
import support
from cython_customslots.tools import building

pytestmark = pytest.mark.skipif(
    support.PYPY or support.FREE_THREADED or support.SANITIZE or sys.maxsize < 1 << 32 or not shutil.which("addr2line"),
    reason="one thread plays two, which needs a GIL, and recording takes the place of a sanitizer for 64 bits")

HERE = Path(__file__).parent
RUNTIME = "customslots_runtime.h"


def early(file, before, what):
    """A store that is made before what should be there by then, too."""
    return file, before, f"if (planted == NUMBER) {{ {what}; }} {before}"


def swapped(file, one, other):
    return file, f"{one}\n    {other}", f"if (planted == NUMBER) {{ {other} {one} }} else {{ {one} {other} }}"


def left_out(file, condition):
    """A second look that is not made."""
    return file, condition, condition.replace("if (", "if (planted != NUMBER && ", 1)


PLANTED = [
    early(RUNTIME, "_Pycs_STORE(PyCustomSlot *, &t->etp_custom_slots,",
          "_Pycs_STORE(uintptr_t, &t->etp_check, (uintptr_t)type ^ _Pycs_READY)"),
    early(RUNTIME, "_Pycs_STORE(PyCustomSlot *, &t->etp_custom_slots,",
          "_Pycs_STORE(Py_ssize_t, &t->etp_custom_slot_count, record != NULL ? record->count : 0)"),
    early(RUNTIME, "if (record != NULL && record->front.looks == NULL)",
          "_Pycs_STORE(PyCustomSlot *, &t->etp_custom_slots, "
          "record != NULL ? record->slots : api->state->empty.slots)"),
    left_out(RUNTIME, "if (_Pycs_HasTable(type)) {\n        table ="),
    left_out(RUNTIME, "if (!_Pycs_IsUnfinished(type)) return type;"),
    (RUNTIME, "if (keeps) return 0;", "if (keeps || planted == NUMBER) return 0;"),
    early("_customslots/table.h", "for (i = 0; former != NULL && i <= former->mask; i++) {\n",
          "_Pycs_STORE(_Pycs_Cells *, &table->cells, fresh)"),
    early("_customslots/register.h", "at->slot.data = given->slot.data;",
          "_Pycs_STORE(PyTypeObject *const *, &at->referent, given->referent != NULL ? given->referent : &at->type)"),
    swapped("_customslots/register.h", "_Pycs_STORE(PyTypeObject *const *, &at->referent, given->referent != NULL ? "
            "given->referent : &at->type);", "_Pycs_ForgetAnswers(table);"),
    swapped("_customslots/bridge.h", "_Pycs_BeginAnswer(table, type, id, &found);",
            "found.slot = _Pycs_FollowMro(table, type, id);"),
    ("_customslots/register.h", "return _Pycs_LOAD(uintptr_t, &answer->sequence) ==",
     "return planted == NUMBER || _Pycs_LOAD(uintptr_t, &answer->sequence) =="),
    ("_customslots/register.h", "(sequence & ~(uintptr_t)1)",
     "(planted == NUMBER ? sequence : sequence & ~(uintptr_t)1)"),
    early("_customslots/register.h", "_Pycs_STORE(PyTypeObject *, &answer->type, found->type);",
          "_Pycs_STORE(uintptr_t, &answer->sequence, sequence + 2)"),
    early("_customslots/bridge.h", "_Pycs_STORE(uintptr_t, &bridge->id, id);",
          "_Pycs_STORE(uintptr_t, &bridge->key, key)"),
    early("_customslots/interface.h", "fresh->next = (_Pycs_CompletedTable *)*made;",
          "_Pycs_STORE(void *, made, fresh)"),
    early("_customslots/interface.h", "fresh->position =", "_Pycs_PutValue(table, key, fresh)"),
    early(RUNTIME, "_Pycs_STORE(const PyExtensibleType_InterfaceSpec *, &declaration->tabled, spec);",
          "_Pycs_STORE(uintptr_t, &declaration->changes, declaration->changes + 1)"),
    early(RUNTIME, "_Pycs_STORE(const PyExtensibleType_InterfaceSpec *, &declaration->spec, spec);",
          "_Pycs_STORE(uintptr_t, &declaration->changes, declaration->changes + 1)"),
    early(RUNTIME, "fresh->next = (_Pycs_OverrideTable *)", "_Pycs_STORE(void *, &node->overriding, (void *)fresh)"),
    early(RUNTIME, "fresh->next = (_Pycs_DefaultTable *)", "_Pycs_STORE(void *, &node->defaults, (void *)fresh)"),
    early(RUNTIME, "_Pycs_ContinueAbove(api, list);\n        _Pycs_STORE(_Pycs_FieldList",
          "_Pycs_STORE(_Pycs_FieldList *, &api->state->field_lists, list)"),
]

#: What is looked at again under the lock, behind the above: left out where changes take turns.
PLANTED_AMID = [
    (RUNTIME, "if (generation == _Pycs_LOAD(uintptr_t, &api->state->generation)) return 1;",
     "if (planted == NUMBER || generation == _Pycs_LOAD(uintptr_t, &api->state->generation)) return 1;"),
    (RUNTIME, "if (_Pycs_HasTable(type) && generation == api->state->generation",
     "if (_Pycs_HasTable(type) && (planted == NUMBER || generation == api->state->generation)"),
    (RUNTIME, "(api->state->refreshes != NULL && _Pycs_ReportLate(",
     "(planted != NUMBER && api->state->refreshes != NULL && _Pycs_ReportLate("),
    (RUNTIME, "while (refresh->generation != api->state->generation",
     "while ((planted != NUMBER && refresh->generation != api->state->generation)"),
    (RUNTIME, "|| refresh->late_count > 0\n", "|| (planted != NUMBER && refresh->late_count > 0)\n"),
]


#: Atomic accesses that no look-up relies on as such, by function and line: why, and which.
NOT_RELIED_ON = {
    "the lock that writers have, which one thread does not need, and who asks whether it is held":
        r"lock_owner|ASSERT_WORD_LOCKED|_Pycs_UnlockWord: _Pycs_STORE",
    "calls of the implementation, which load `impl` as LooksOf() does":
        r"_Pycs_to_|_Pycs_IMPL\(|_Pycs_SERVE|_Pycs_Meet: found = ",
    "what writers have from each other, under the lock or as change.h and takeover.pml say":
        r"state->(generation|overridable|watches|field_lists\) == NULL)|tp_subclasses|record->(owner|refcount)"
        r"|_Pycs_(AddCount|RecordOf|PrimaryRecord|CheckRegistration|SetStamp|Meet|WriteDown|SameDeclaration|GiveTable"
        r"|AddSpec|declare_interface|AddFieldList): .*(_Pycs_LOAD|_Pycs_BASE|_Pycs_FLAGS|_Pycs_SPEC|EACH_)"
        r"|_Pycs_SetRecord: .*etp_private",
    "words of a class that nobody has yet or any more, and those that are read under the lock":
        r"_Pycs_(BirthFill|dealloc|TakeSidecar|SidecarOf|Keep): ",
    "what was loaded with acquire before, or is only compared":
        r"_Pycs_((AddDefault|TableFor|SeekCells|ReserveOverrides): .*_Pycs_LOAD|IsHeap: |FindDeclared: .*owner)",
    "recorded.c itself": r"(declared|changed|met): ",
}


def build(*include_dirs):
    cflags = (*support.C_FLAGS, "-fsanitize=thread", "-g1")
    module = building.Module("recorded", [HERE / "recorded.c"], include_dirs=[*include_dirs, HERE], cflags=cflags)
    return support.build(module, support.cache_directory("recorded", cflags, *map(str, include_dirs)), carries=True)


def play(script, path, *arguments):
    """What a script of this folder prints, with this build of recorded."""
    code = f"import sys; sys.path.insert(0, {str(HERE)!r}); import {script}"
    return support.check_child(code, *arguments, modules=[path], env={"PYTHONMALLOC": "debug"}, timeout=1800)


def look(path, *arguments):
    """The lines that looking_meanwhile.py prints, as pairs: where, and what was found."""
    lines = play("looking_meanwhile", path, *arguments).splitlines()
    return [tuple(map(str.strip, line.split("|", 1))) for line in lines]


def test_a_look_up_between_any_two_stores_of_a_change_or_around_it_is_right_and_loads_nothing_unordered():
    look(build(cython_customslots.get_include()))


def check(code):
    support.check_child(f"from recorded import *\n{textwrap.dedent(code)}",
                        modules=[build(cython_customslots.get_include())])


def test_a_change_below_a_chain_walks_along_the_mro_of_each_class_once():
    """So twice the depth takes four times the steps, and not eight."""
    check("""
        Meta = with_field(metaclass)
        register_fields(Meta)
        field = f"field_{Meta.__basicsize__ - 8}"
        def steps(depth):
            Root, Other = Meta("Root", (), {}), Meta("Other", (), {})
            top = cls = Meta("Top", (Root,), {})
            for i in range(depth): cls = type("C", (cls,), {})
            counts = []
            for change in (lambda: setattr(top, field, 5), lambda: delattr(top, field),
                           lambda: setattr(top, "__bases__", (Other,))):
                meanwhile(change)
                counts.append(taken())
            return counts
        few, many = steps(60), steps(120)
        assert all(0 < more < 6 * some for some, more in zip(few, many)), (few, many)
        """)


def test_a_class_that_is_made_between_the_last_look_and_the_commit_has_the_table_of_its_mro():
    """Its base has a new MRO, in which the class that is moved is not any more, and no table for it yet."""
    check("""
        class Meta(metaclass):
            moved = None
            def mro(cls):
                if cls.__name__ == "Last" and Meta.moved: at_load(cls, lambda: made.append(Meta("D", (C,), {})))
                return [cls, *Meta.moved.__mro__] if cls.__name__ == "C" and Meta.moved else super().mro()
        made = []
        P, Q = set_slots(Meta("P", (), {}), ((257, 1),)), set_slots(Meta("Q", (), {}), ((257, 1), (513, 2)))
        B = Meta("B", (P,), {})
        C = Meta("C", (B,), {})
        Last = Meta("Last", (C,), {})
        Meta.moved = Q
        B.__bases__ = (Q,)
        D, = made
        assert D.__mro__ == (D, C, Q, object)
        assert [now("find", type=cls, id=513) for cls in (B, C, D, Last)] == [2] * 4
        """)


def test_two_changes_that_take_turns_at_the_lock_end_as_one_made_after_the_other():
    assert play("changing_amid", build(cython_customslots.get_include()), 0) == ""


@pytest.mark.thorough
def test_each_store_that_comes_too_early_and_each_second_look_that_is_left_out_is_found():
    copy = support.cache_directory("planted") / "include"
    shutil.copytree(cython_customslots.get_include(), copy, dirs_exist_ok=True)
    for number, (file, old, new) in enumerate(PLANTED + PLANTED_AMID, 1):
        text = (copy / file).read_text(encoding="utf-8")
        assert text.count(old) == 1, (number, old, text.count(old))
        (copy / file).write_text(text.replace(old, new.replace("NUMBER", str(number))), encoding="utf-8")
    found = look(build(copy), len(PLANTED))
    assert len(found) == len(PLANTED)
    assert not [PLANTED[int(number) - 1] for number, what in found if not what]
    for number, planted in enumerate(PLANTED_AMID, len(PLANTED) + 1):
        assert "found" in play("changing_amid", build(copy), number), planted


@pytest.mark.nightly
def test_each_atomic_access_that_a_look_up_relies_on_is_found_when_it_is_a_plain_one():
    found = look(build(cython_customslots.get_include()), "weakened")
    known = re.compile("|".join(NOT_RELIED_ON.values()))
    missed = [where for where, what in found if not what and not known.search(where)]
    assert len(found) > 150 and not missed, "\n".join(missed)
