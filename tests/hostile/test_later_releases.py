# SPDX-License-Identifier: MIT
"""What the pages of the ABI let a later release do, done to the code of today."""
import re
import textwrap

import foreign
import pytest
import support
import typed_support

#: Memory that nobody may read, and what a later release writes behind the last member that is known.
PROLOGUE = """
    import ctypes, foreign, probe, typed_probe
    from foreign import W, word
    UNREADABLE, LATER = 8, b"\\x08" * 64
    def write(address, value): ctypes.c_size_t.from_address(address).value = value
    kept = []
    def longer(address, size, first):
        '''A copy of a struct with members more, whose size is its first member.'''
        kept.append(ctypes.create_string_buffer(ctypes.string_at(address, size) + LATER))
        first.from_buffer(kept[-1]).value = size + len(LATER)
        return ctypes.addressof(kept[-1])
    def put(key, value):
        cells = word(foreign.shared(foreign.string("_Pycs_TABLE_KEY")))
        mask = word(cells + W)
        place = (key >> 4) * 0x9E3779B1 & foreign.MASK
        place = (place ^ place >> 15) & mask
        while word(cells + W * (3 + 2 * place)) not in (0, key): place = place + 1 & mask
        write(cells + W * (4 + 2 * place), value)
        write(cells + W * (3 + 2 * place), key)
        write(cells + 2 * W, word(cells + 2 * W) + 1)
    def keys():
        cells = word(foreign.shared(foreign.string("_Pycs_TABLE_KEY")))
        return [word(cells + W * (3 + 2 * i)) for i in range(word(cells + W) + 1) if word(cells + W * (3 + 2 * i))]
    sig, OBJECT, UNKNOWN = typed_probe.parse, 18, 31
    F8_F8 = sig("f8(f8)")
    """

#: Words of a page, and what they allow; or the tests that try that.
ALLOWED = {
    "/*                            2            free; */": [],              # with the next one
    "/*                           15            free. */": """
        # Whatever key there is or will be, a later release has something under the free kinds of the same number.
        def fnv(name):
            value = 2166136261
            for byte in name: value = (value ^ byte) * 16777619 & 0xFFFFFFFF
            return value << 4 & foreign.MASK
        class Plain: pass
        class Below(Plain, list): pass
        Function = typed_probe.function_type()
        method = typed_probe.method("f", 0)
        long = "f8(" + "i4, " * 12 + "i4)"
        names = [b"one.Name", b"two.Name", long.encode()]
        later = {key for number in (method, id(Plain), id(list), id(Function), *map(fnv, names))
                 for key in (number + 2, number + 15 - number % 16)}
        probe.intern(b"a table")
        for key in later: put(key, UNREADABLE)
        one = probe.intern(names[0])
        probe.register_slot(Plain, one, 5)
        probe.register_slot(list, 257, 6)
        typed_probe.register([(method, typed_probe.record([(F8_F8, "double_0", 0, 0)]))])
        typed_probe.register_layout(Function)
        for key in keys():
            for other in key - key % 4 + 2, key - key % 16 + 15:
                if other not in later: put(other, UNREADABLE)
                later.add(other)
        two = probe.intern(names[1])
        assert [probe.interface_position(id) for id in (one, two, 257)] == [0, 1, 2]
        shown = lambda: (probe.find_any(Below(), one), probe.find_any(Below(), 257), probe.find_any(Below(), two),
                         probe.intern(names[0]) == one, typed_probe.find(typed_probe.function(method, None), F8_F8)[0],
                         typed_probe.find(Function(method, None), F8_F8)[0],
                         typed_probe.format(sig(long)) == long)
        expected = 5, 6, None, True, "double_0", "double_0", True
        assert shown() == expected, shown()
        for i in range(3000): probe.intern(b"filler %d" % i)        # new cells
        assert shown() == expected and all(foreign.value_of(key) == UNREADABLE for key in later)
        import cython_customslots
        cython_customslots.explain(Below()), cython_customslots.slots(Below), cython_customslots.fields(Below)
        """,
    "releases add functions at the end, and leave none out. */": [
        "c/test_limited_api.py::test_services_that_know_less_are_not_asked_and_give_way"],
    "    const _Pycs_Services *services;     /* bridge.h; NULL: nobody has brought any */": [
        "c/test_limited_api.py::test_services_are_brought_and_change_no_answer"],
    "what `etp_private` and `etp_extension` of a finished type lead to": """
        root = foreign.Finder().metaclass
        base = root("Base", (), {})
        probe.set_slots(base, [(257, 7)])
        cls = root("Cls", (base,), {})
        words = {name: foreign.own(id(cls), name) for name in ("etp_private", "etp_extension")}
        for name in words: write(id(cls) + foreign.H + foreign.WORDS[name], UNREADABLE)
        try:
            assert (probe.find_type(cls, 257), probe.find_any(cls(), 257), probe.find_type(cls, 259)) == (7, 7, None)
            assert probe.table_type(cls) == [(257, 7)] and typed_probe.find(cls(), F8_F8) is None
        finally:
            for name in words: write(id(cls) + foreign.H + foreign.WORDS[name], words[name])
        """,
    "    uint32_t   reserved;            /* 0 */": """
        finder = foreign.Finder()
        ctypes.c_uint32.from_address(finder.api + foreign.API["reserved"]).value = 0x08080808
        import probe_twin, cython_customslots
        cls = finder.metaclass("Cls", (), {})
        probe_twin.set_slots(cls, [(257, 7)])
        assert probe.find_type(cls, 257) == 7 and cython_customslots.runtime_info().meetings
        """,
    "members at the end of `PyExtensibleType_Field`": [
        "ages/test_clients.py::test_a_description_that_says_more_than_is_understood_is_refused",
        "core/test_described_fields.py::test_a_flag_that_is_not_known_is_refused"],
    "functions behind the last one": [
        "ages/test_clients.py::test_a_function_that_was_added_is_there_when_its_implementation_serves",
        "docs/test_abi_is_enough.py::test_a_function_that_nobody_has_yet_is_known_by_the_count"],
    "of functions; more may be added behind the last": [
        "ages/test_typed.py::test_the_table_for_other_languages_answers_what_its_page_says"],
    "A stamp may be missing at any time": [
        "core/test_stamp.py::test_a_lost_or_foreign_stamp_changes_no_answer"],
    "`_combined` | optional": """
        import sys
        module = sys.modules["_extensibletype"]
        for name in "_combined", "_bearers": vars(module).pop(name, None)
        import abc, pickle, cython_customslots
        base = foreign.Finder().metaclass("Base", (), {})
        made = cython_customslots.combine(base, abc.ABC)
        assert made is cython_customslots.combine(base, abc.ABC) and issubclass(made, abc.ABCMeta)
        assert pickle.loads(pickle.dumps(type(base))) is type(base)
        """,
    "    size_t          size;       /**< of this struct */": """
        # A table of functions, and what declares it, whose structs have members more.
        from interfaces import Interface
        import cython_customslots
        shape = Interface(probe)
        table = probe.interface_table(shape.name, 3, 6, 0)
        write(table - W, longer(word(table - W), 10 * W, ctypes.c_size_t))
        spec = probe.interface_declare(shape.id, shape.name, "A shape.", table, table, Interface.SIGNATURES)
        finder = foreign.Finder()
        kind = ctypes.c_void_p
        cls = finder.call("interface_class_of", ctypes.py_object, (kind, longer(spec, 9 * W, ctypes.c_size_t)))
        assert cls is probe.interface_class_of(spec) and cls.__name__ == shape.name.split(".")[1]
        heap = probe.interface_heap("probe.Provider", (), [(shape.id, table)], 0, 6)
        assert issubclass(heap, cls) and cls(heap()) and "Shape" in cython_customslots.explain(heap())
        class Python(heap):
            def draw(self, canvas): return 77
        assert probe.interface_found(Python, shape.id)[0] != table
        assert shape.call(Python(), 2) == 77
        """,
    "may get more members at their end": [                         # which a newer implementation knows, too
        "ages/test_orders.py::test_two_ages_work_together_whoever_comes_first"],
    "is that of the struct, which may grow at its end": [
        "compiler/test_vtable_import.py::test_a_longer_description_of_a_vtable_serves"],
    "    uint32_t                   size;        /**< of this struct */": """
        # The class-call slot of a later release.
        record = typed_probe.record([(sig("f8(object, f8)"), "scale", typed_probe.SELF, 0)])
        class Shared(ctypes.Structure):
            _fields_ = [("size", ctypes.c_uint32), ("offset", ctypes.c_int32), ("record", ctypes.c_void_p),
                        ("direct", ctypes.c_void_p), ("methods", ctypes.c_void_p)]
        shared = Shared(0, 0, record, record, None)
        address = longer(ctypes.addressof(shared), ctypes.sizeof(shared), ctypes.c_uint32)
        cls = foreign.Finder().metaclass("Cls", (), {"__call__": lambda self, x: x})
        probe.set_slots(cls, [(0x02000105, address)])
        assert typed_probe.find(cls(), F8_F8)[0] == "scale"
        """,
    "| a flag, for another way of calling or of reporting errors |": [
        "typed/test_find.py::test_bad_entry_of_a_native_call_is_passed_over",
        "ages/test_typed.py::test_two_ages_find_what_they_understand_of_each_other"],
    "| members at the end of an entry |": [
        "typed/test_records.py::test_larger_entries_of_a_later_version_are_walked_by_their_size"],
    "| a type code, or more names in the text of a long signature |": """
        # In a record that a later release checked, and in that of an instance.
        text = "f8(" + "q9, " * 12 + "q9)"
        unknown = [1 | 11 << 1 | UNKNOWN << 6, 1 | UNKNOWN << 1, 1 | 18 << 6 | 30 << 11 | 11 << 1,
                   typed_probe.intern(text)]
        record = typed_probe.record([*((number, "double_0", 0, 0) for number in unknown),
                                     (F8_F8, "eleven", 0, 0)])
        method = typed_probe.method("f", 0)
        typed_probe.register([(typed_probe.method("g", 0), typed_probe.record([(F8_F8, "eleven", 0, 0)]))])
        put(method, record)
        for callable in typed_probe.function(method, None), typed_probe.Native(record):
            assert typed_probe.find(callable, F8_F8)[0] == "eleven"
            assert typed_probe.signatures(callable) == ("f8(f8)",), typed_probe.signatures(callable)
            assert "f8(f8)" in typed_probe.why_not(callable, sig("f4(f4)"))
        """,
    "    uint32_t           reserved;        /**< 0 */": ["typed/test_records.py::test_forged_entry_is_refused"],
    "    uint32_t                  flags;        /**< 0 */": [
        "typed/test_records.py::test_forged_record_is_refused",
        "typed/test_find.py::test_bad_record_of_a_native_call_is_a_no_with_a_reason"],
    "    PyTypedMethodLayout      layout;    /* which may grow */": """
        class Layout(ctypes.Structure):
            _fields_ = [("size", ctypes.c_uint32), ("offsets", ctypes.c_int32 * 2)]
        layout = Layout(0, (ctypes.c_int32 * 2)(foreign.HEAD + W, foreign.HEAD + 2 * W))
        Function = typed_probe.function_type()
        method = typed_probe.method("f", 0)
        typed_probe.register([(method, typed_probe.record([(F8_F8, "double_0", 0, 0)]))])
        typed_probe.register_layout(typed_probe.function_type())
        put(id(Function) + 1, longer(ctypes.addressof(layout), ctypes.sizeof(layout), ctypes.c_uint32))
        write(foreign.shared(foreign.string("_Pycs_TABLE_KEY")) + 6 * W, foreign.MASK)     # all bits of `types`
        typed_probe.register_layout(Function)
        assert typed_probe.find(Function(method, None), F8_F8)[0] == "double_0"
        """,
}

@pytest.mark.parametrize("words", [words for words, way in ALLOWED.items() if isinstance(way, str)])
def test_what_a_later_release_may_do_disturbs_nobody(words):
    support.check_child(
        textwrap.dedent(PROLOGUE) + textwrap.dedent(ALLOWED[words]),
        modules=[foreign.__file__, support.TESTS / "core" / "interfaces.py", support.probe_path(),
                 support.probe_path("probe_twin"), typed_support.probe_path()])


def test_all_that_the_pages_allow_is_tried():
    for words, way in ALLOWED.items():
        assert words in foreign.PAGE, words
        for path, _, name in (test.partition("::") for test in way if isinstance(way, list)):
            assert f"\ndef {name}(" in (support.TESTS / path).read_text("utf-8"), name
    allowed = r"/\*\*?<? (?:NULL|0) \*/|\bfree[;.] \*/|(?:may grow|may be added).*\*/|^is .*may grow"
    promises = [line for line in foreign.PAGE.splitlines() if re.search(allowed, line)]
    missing = [line for line in promises if not any(words in line or line in words for words in ALLOWED)]
    assert len(promises) > 6 and not missing, missing
