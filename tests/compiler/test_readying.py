# SPDX-License-Identifier: MIT
"""How the static type of an extensible class becomes ready: what others see of it meanwhile, and
where it lies."""
import pytest
import support
from layer_modules import written

pytestmark = pytest.mark.thorough

HEAD = "# cython: freethreading_compatible=True\ncimport cython_customslots as customslots\n"
MANY = 70


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Classes with a slot of their own, without one, and below one, in turn."""
    text = f"{HEAD}cdef double[{MANY}] numbers\n"
    for i in range(MANY):
        slot = (f"@customslots.slot(customslots.PyCustomSlots_ID(1, 80, {i}), pointer=&numbers[{i}])\n",
                "@customslots.extensible\n", "@customslots.extensible\n")[i % 3]
        base = f"(C{i - 2})" if i % 3 == 2 else ""
        text += f"{slot}cdef class C{i}{base}:\n    def number(self): return {i}\n"
    return written(tmp_path_factory.mktemp("many"), "ready_many", text)


#: What there is of the module's classes at any moment: each stands in its MRO, a tuple, before its
#: base knows it.
LOOK = """
    import gc, sys
    seen = {}
    def look():
        classes = [mro[0] for mro in gc.get_objects()
                   if type(mro) is tuple and len(mro) in (2, 3) and mro[-1] is object]
        for cls in [*classes, *object.__subclasses__()]:
            seen[id(cls)] = seen.get(id(cls), False) or type(cls) is type
    def check():
        import ready_many
        kinds = [seen.get(id(cls)) for name, cls in vars(ready_many).items() if name[0] == "C"]
        assert False in kinds and True not in kinds, kinds
    """


def test_neither_the_collector_nor_a_finaliser_sees_a_class_that_is_not_of_its_metaclass(many):
    support.check_child(LOOK + """
    class Finalised:
        def __init__(self): self.me = self
        def __del__(self): look()
    def collected(phase, info):
        look()
        if phase == "stop": Finalised()
    gc.callbacks.append(collected)
    gc.set_threshold(1, 1, 1)
    import ready_many
    gc.callbacks.clear()
    assert gc.isenabled()
    check()
    assert not {*range(70)} - {m.number() for m in (getattr(ready_many, f"C{i}")() for i in range(70))}
    """, modules=[many])


def test_no_thread_sees_a_class_that_is_not_of_its_metaclass(many):
    support.check_child(LOOK + """
    import threading
    sys.setswitchinterval(1e-6)
    started, done = threading.Event(), threading.Event()
    def watch():
        while not done.is_set():
            look()
            started.set()
    thread = threading.Thread(target=watch)
    thread.start()
    started.wait()
    import ready_many
    done.set()
    thread.join()
    look()
    check()
    """, modules=[many])


FAILING = """
from collections import OrderedDict
@customslots.extensible
cdef class Base: pass
@customslots.extensible
cdef class Several(Base, OrderedDict): pass
"""


def test_a_class_that_cannot_be_made_ready_leaves_the_collector_and_the_next_import_alone(tmp_path):
    support.check_child("""
    import gc
    messages = []
    for i in range(3):
        try: import ready_failing
        except TypeError as error: messages.append(str(error))
    assert len(set(messages)) == 1 and "OrderedDict" in messages[0], messages
    assert gc.isenabled()
    for cls in object.__subclasses__():
        if cls.__module__ == "ready_failing": assert type(cls) is not type
    gc.collect()
    """, modules=[written(tmp_path, "ready_failing", HEAD + FAILING)])


def test_the_collector_stays_off(many):
    support.check_child("import gc; gc.disable(); import ready_many; assert not gc.isenabled()", modules=[many])


OWN_MRO = """
from cython_customslots.provider cimport extensibletype
cdef class Meta(extensibletype):
    def mro(cls):
        __import__("sys").asked.append(id(cls))
        return type.mro(cls)
@customslots.metaclass(Meta)
cdef class Asked: pass
@customslots.metaclass(Meta)
cdef class Below(Asked): pass
"""


def test_a_metaclass_with_a_mro_of_its_own_is_asked_for_it(tmp_path):
    support.check_child("""
    sys.asked = []
    import ready_mro
    assert type(ready_mro.Below) is ready_mro.Meta
    assert {id(cls) for cls in (ready_mro.Asked, ready_mro.Below)} == set(sys.asked)
    """, modules=[written(tmp_path, "ready_mro", HEAD + OWN_MRO)])
