# SPDX-License-Identifier: MIT
"""Junk where providers meet is refused by name; there is never a second metaclass."""
import struct
import textwrap

import pytest
import support

WORD = struct.calcsize("n")     # the API begins with two uint32_t, then come words

PROLOGUE = """
import ctypes, types, sys
NAME = "_extensibletype"
ATTRIBUTE = "extensibletype_v4"

def refused(kind, function, *arguments):
    try:
        function(*arguments)
    except kind as error:
        return error
    raise AssertionError("nothing was refused")

def refusal():
    import probe
    return str(refused(ImportError, probe.import_metaclass))

def capsule(address, name):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                   ctypes.c_void_p]
    keep.append(name)
    return new(address, name, None)

def state():
    "PyInterpreterState_GetDict(): where the authoritative entry stands."
    api = ctypes.pythonapi
    api.PyInterpreterState_Get.restype = ctypes.c_void_p
    get = api.PyInterpreterState_GetDict
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_void_p]      # borrowed
    return ctypes.cast(get(api.PyInterpreterState_Get()), ctypes.py_object).value

keep = []
"""


def check(code):
    support.check_child(PROLOGUE + textwrap.dedent(code),
                        modules=[support.probe_path(), support.probe_path("probe_twin")])


#: Junk: what cannot be shown, or not in reasonable time, never takes the place of the error that is meant.
JUNK = """
def no(*ignored): raise ValueError("somebody else's trouble")
class Mute:
    __repr__ = __str__ = no
class Guarded(types.ModuleType):
    __repr__ = __str__ = no
    def __getattribute__(self, name): no()
class MuteMeta(type):
    __repr__ = no
class Meta(type, metaclass=MuteMeta): pass
"""
ANY = "None", "5", "Mute()", "10 ** 5000", "list(range(100_000))"
#: What may be junk: (what it is, what is said of it).
PLACES = {
    "the module": ((*ANY, "'text'", "type", "types", "{}", "types.ModuleType(NAME)", "Guarded(NAME)", "[Mute()] * 10"),
                   "attribute extensibletype_v4"),
    "the metaclass": ((*ANY, "int", "type", "type('extensibletype', (), {})", "Meta"), "the metaclass extensibletype"),
    "the capsule": ((*ANY, "'missing'", "capsule(id(keep), b'other.name')", "capsule(id(keep), b'_extensibletype')"),
                    "as _api a capsule named _extensibletype._api_v4")}


@pytest.mark.parametrize("place, junk, expected", [
    (place, junk, expected) for place, (some, expected) in PLACES.items() for junk in some])
def test_junk_is_named_wherever_it_stands_and_nothing_is_taken_away(place, junk, expected):
    """The interpreter's own record is cleared, as a foreign creator would have left it."""
    check(JUNK + f"""
import probe
E, junk, place = probe.import_metaclass(), {junk}, {place!r}
right = sys.modules[NAME]
state().pop(NAME)
sys.modules[NAME] = there = junk if place == "the module" else types.ModuleType(NAME)
if place != "the module": setattr(there, ATTRIBUTE, junk if place == "the metaclass" else E)
if place == "the capsule" and junk != "missing": there._api = junk
try: shown = repr(there if junk == "missing" else junk)
except ValueError: shown = ""
for _ in range(3):
    message = refusal()
    assert "sys.modules['_extensibletype']: found" in message and {expected!r} in message, message
    assert "rebuild" in message and (shown in message or len(shown) > 200), message
    assert "somebody else's trouble" not in message and len(message) < 1000, message
assert sys.modules[NAME] is there
sys.modules[NAME] = right
assert probe.import_metaclass() is E
""")


@pytest.mark.parametrize("version", [1, 2, 3, 5, 15])
def test_a_rendezvous_of_another_version_is_named(version):
    check(f"""
        sys.modules[NAME] = module = types.ModuleType(NAME)
        module.extensibletype_v{version} = type("extensibletype", (type,), {{}})
        message = refusal()
        assert repr(module) in message, message
        assert ("expected its attribute extensibletype_v4, which is missing or cannot be read "
                "(another version: extensibletype_v{version}). ") in message, message
        assert "rebuild all modules that use extensibletype.h" in message, message
        """)


@pytest.mark.parametrize("error", ["ValueError('mine')", "AttributeError()", "RecursionError()"])
@pytest.mark.parametrize("name", ["ATTRIBUTE", "'_api'"])
def test_what_junk_raises_is_the_cause_of_the_refusal(name, error):
    check(f"""
        import probe
        E = probe.import_metaclass()
        state().pop(NAME)
        raised = {error}
        class Module(types.ModuleType):
            def __getattr__(self, name):
                if name == {name}:
                    raise raised
                return E
        sys.modules[NAME] = Module(NAME)
        error = refused(ImportError, probe.import_metaclass)
        assert error.__cause__ is raised, error.__cause__
        assert raised.__traceback__ is not None
        """)


@pytest.mark.parametrize("where", ["__getattr__", "__repr__"])
@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "SystemExit", "MemoryError"])
def test_what_is_no_error_of_the_junk_goes_through(kind, where):
    check(f"""
        class Module(types.ModuleType):
            def {where}(self, *ignored):
                raise {kind}("mine")
        sys.modules[NAME] = Module(NAME)
        import probe
        assert str(refused({kind}, probe.import_metaclass)) == "mine"
        """)


def test_junk_in_the_interpreters_own_dictionary_is_named():
    check("""
        class Mute:
            def __repr__(self): raise ValueError("no")
        state()[NAME] = Mute()
        assert "found <" in refusal() and "Mute object at" in refusal()
        state()["_customslots_table_v3"] = Mute()
        import probe
        for use in lambda: probe.intern(b"x"), lambda: probe.register_slot(list, 256, 1):
            message = str(refused(RuntimeError, use))
            assert "Mute object at" in message and "remove it" in message, message
        """)


#: Where a number or word of the API is, what stands there instead, and what is said of it.
FORGED = {
    "rendezvous": (0, "right + 1", "rendezvous 4,", "no implementation with a name)"),
    "table ABI": (4, "right + 1", "table ABI 5", "of module '?' with"),
    "heap type size": (16, "right + 8", "type sizes", "of module '?' with"),
    "type size": (16 + WORD, "right - 8", "type sizes", "of module '?' with"),
    "another metaclass": (16 + 2 * WORD, "64", "", "it has 4, 5"),
    "no state": (16 + 3 * WORD, "0", "", "functions and no state)"),
    "no implementation": (16 + 4 * WORD, "0", "", "no implementation with a name)"),
    "an implementation without functions": (16 + 4 * WORD, "table(0)", "", "of module '?' with 0 functions)"),
    "an implementation with too few functions":
        (16 + 4 * WORD, "table(39)", "44 functions or more", "of module '?' with 39 functions)"),
    "an implementation of nobody": (16 + 4 * WORD, "table(44, 0)", "", "no implementation with a name)"),
}


@pytest.mark.parametrize("offset, value, expected, found", FORGED.values(), ids=FORGED)
def test_an_api_that_is_wrong_or_not_whole_is_refused_naming_both(offset, value, expected, found):
    """Nothing behind a pointer of the API is called before it was looked at, and nothing is written there."""
    check(f"""
        import gc, probe
        E = probe.import_metaclass()
        gc.disable()        # a collection calls the implementation through the words changed here
        api = sys.modules[NAME]._api
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        address = get(api, b"_extensibletype._api_v4")
        word = (ctypes.c_uint32 if {offset} < 16 else ctypes.c_size_t).from_address(address + {offset})
        right = word.value
        impl = ctypes.c_size_t.from_address(address + 16 + 4 * {WORD}).value
        def table(count, module=None):
            keep.append((ctypes.c_uint32 * 64).from_buffer_copy(ctypes.string_at(impl, 256)))
            keep[-1][2 + {WORD // 2}] = count              # behind the look-ups
            if module is not None:
                ctypes.c_size_t.from_buffer(keep[-1], 8 + 3 * {WORD}).value = module
            return ctypes.addressof(keep[-1])
        word.value = {value}
        before = ctypes.string_at(address, 16 + 6 * {WORD})
        import probe_twin
        for module in probe, probe_twin:            # the second was never here
            message = str(refused(ImportError, module.import_metaclass))
            assert {expected!r} in message and "it has" in message and repr(api) in message, message
            assert {found!r} in message, message
            assert "right" not in {value!r} or str(word.value) in message, message
        assert ctypes.string_at(address, 16 + 6 * {WORD}) == before
        word.value = right
        assert probe.import_metaclass() is probe_twin.import_metaclass() is E
        """)


def test_refused_rendezvous_reaches_the_importer_of_a_provider():
    check("""
        sys.modules[NAME] = 5
        assert "found 5" in str(refused(ImportError, __import__, "cython_customslots.provider"))
        del sys.modules[NAME]
        import cython_customslots.provider as provider      # and it is not for ever
        assert provider.extensibletype is __import__(NAME).__dict__[ATTRIBUTE]
        """)


def test_purged_sys_modules_never_leads_to_a_second_metaclass():
    """Test suites empty sys.modules; the interpreter itself remembers."""
    check("""
        import gc, probe
        E = probe.import_metaclass()
        base = probe.draft_ready(probe.draft("p.Base", (), [(257, 1)], 4, None), 4)
        for name in list(sys.modules):
            if name not in ("sys", "builtins", "ctypes", "types", "gc", "__main__"):
                del sys.modules[name]
        gc.collect()
        assert NAME not in sys.modules
        import probe_twin
        assert probe_twin.import_metaclass() is E
        assert getattr(sys.modules[NAME], ATTRIBUTE) is E
        del sys.modules[NAME]
        import cython_customslots.provider as provider
        assert provider.extensibletype is E and NAME in sys.modules
        sub = probe_twin.emitted("p.Sub", None, (base,), [(513, 2)])
        assert provider.table(sub) == [(0, 257, 1), (1, 513, 2)]
        """)


def test_threads_that_come_first_together_get_the_same_metaclass():
    """And the same IDs of names.  Who comes first makes the state dictionary, too, so each time it
    is a process that has none yet."""
    check("""
        import os, threading, traceback, probe, probe_twin
        def meet():
            seen, barrier = [], threading.Barrier(8)
            def work(i, module):
                barrier.wait()
                seen.append((module.import_metaclass(), module.intern(b"rendezvous")) if i % 4 else
                            (module.intern(b"rendezvous"), module.import_metaclass())[::-1])
            threads = [threading.Thread(target=work, args=(i, (probe, probe_twin)[i % 2]))
                       for i in range(8)]
            for t in threads: t.start()
            for t in threads: t.join()
            assert len(seen) == 8 and len({(id(metaclass), i) for metaclass, i in seen}) == 1, seen

        if not hasattr(os, "fork"): raise SystemExit(meet())
        for _ in range(200):
            pid = os.fork()
            if pid == 0:
                try:
                    meet()
                except BaseException:
                    traceback.print_exc()
                    os._exit(1)
                os._exit(0)
            assert os.waitpid(pid, 0)[1] == 0
        """)


def test_process_ends_quietly_with_providers_alive():
    """At exit classes, metaclasses and tables go away in any order."""
    check("""
        import abc, atexit, probe
        E = probe.import_metaclass()
        number_meta = probe.metaclasses()[0]
        class M(abc.ABCMeta, number_meta): pass
        class Cls(metaclass=M):
            def __del__(self): probe.find(self, 257)
        probe.set_slots(Cls, [(257, 1)])
        keeper = Cls()
        keeper.me = [keeper, M, Cls]
        sys.keeper = keeper
        atexit.register(lambda: probe.find(keeper, 257))
        """)
