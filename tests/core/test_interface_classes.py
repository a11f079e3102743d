# SPDX-License-Identifier: MIT
"""Python's view of an interface: one class, made when somebody asks."""
import copy
import inspect
import pickle
import pydoc
import sys
import types

import cython_customslots
import pytest
import support
from interfaces import AREA, DRAW, SCALE, Interface


@pytest.fixture
def shape(probe):
    return Interface(probe)


def draw(self, canvas):
    return "python", canvas


class Poly:
    """Every function, in Python."""
    def area(self, arg):
        return "area", arg

    def scale(self, arg):
        return "scale", arg

    draw = draw


def test_there_is_one_class_once_it_is_declared(probe, probe_twin, shape):
    with pytest.raises(LookupError, match="no interface with ID"):
        probe.interface_class(shape.id)
    cls = shape.declare()
    assert cls is probe.interface_class(shape.id) is probe_twin.interface_class(shape.id)
    assert cython_customslots.interface(shape.name) is cls
    assert (cls.__module__, cls.__name__, cls.__doc__) == (*shape.name.rsplit("."), "A shape.")
    assert repr(type(cls)) == "<class '_extensibletype.interface'>"
    assert issubclass(type(cls), cython_customslots.ExtensibleType)
    assert repr(cls) == f"<interface '{shape.name}'>"


def test_isinstance_goes_by_the_slot_also_by_a_registered_one(probe, shape):
    class Foreign: pass

    cls = shape.declare()
    sub = type(shape.provider)("Sub", (shape.provider,), {})
    probe.register_slot(Foreign, shape.id, shape.table)
    assert Foreign in cls.implementers()
    for implementer in shape.provider, sub, Foreign:
        assert isinstance(implementer(), cls) and issubclass(implementer, cls)
        assert cls(obj := implementer()) is obj is cls.of(obj)
    assert not isinstance(1, cls) and not issubclass(int, cls) and cls.of(1) is None
    assert issubclass(cls, cls)
    with pytest.raises(TypeError, match="issubclass"):
        issubclass(1, cls)


@pytest.mark.parametrize("obj, words", [
    (1, "found an object of type 'int', which does not implement it: it has no such slot"),
    ("older", "it has the first 2 of 3 functions, and lacks 'int draw(self, object canvas, "),
    ("other", "function 0 is 'f8 area(object)', expected 'double area(self) noexcept nogil'"),
    ("null", "it has no functions there"), ("junk", "its functions have no description"),
])
def test_cast_says_what_is_missing(probe, shape, obj, words):
    cls = shape.declare()
    if obj != 1:
        table = {"older": lambda: probe.interface_table(shape.name, 2, 0),
                 "other": lambda: probe.interface_table(shape.name, 3, 0, 0, 77),
                 "null": lambda: 0, "junk": lambda: probe.interface_table(shape.name, 3, 0)}[obj]()
        if obj == "junk":
            probe.interface_spoil(table, "no description")
        obj = probe.interface_heap("probe.Other", (), [(shape.id, table)], 0, 0)()
        assert not isinstance(obj, cls)
    with pytest.raises(TypeError) as caught:
        cls(obj)
    assert str(caught.value).startswith(shape.name + ": found an object of type '")
    assert words in str(caught.value)
    assert words.partition("which does not implement it: ")[2] in cls.explain(obj)
    assert cython_customslots.explain(obj, cls) == cython_customslots.explain(obj, shape.name) == cls.explain(obj)


def test_cast_takes_one_object(shape):
    for args, kwargs in ((), {}), ((1, 2), {}), ((1,), {"a": 1}):
        with pytest.raises(TypeError, match=f"found {len(args) + len(kwargs)} arguments.*, expected one object"):
            shape.declare()(*args, **kwargs)


def test_longer_table_serves_and_explain_shows_both(probe, shape):
    cls = shape.declare()
    table = probe.interface_table(shape.name, 5, 0b10110)
    newer = probe.interface_heap("probe.Newer", (), [(shape.id, table)], 0, 0b10110)
    assert isinstance(newer(), cls)
    assert cls.explain(newer()) == f"""\
'probe.Newer' implements {shape.name}
expected 3 functions:
  = 0  double area(self) noexcept nogil    # f8 area(object)
  = 1  unsigned int scale(self, short factor=1)    # u4 scale(object,i2)
  = 2  int draw(self, object canvas, dict[str, int] how) except -1    # i4 draw(object)
found 5 functions:
  = 0  f8 area(object)
  = 1  u4 scale(object,i2)
  = 2  i4 draw(object)
  + 3  v m3()
  + 4  v m4()"""
    assert "i4 draw(object)    (looks in Python)" in cls.explain(type(newer)("Sub", (newer,), {"draw": draw})())


def test_numbers_and_texts_and_help_shows_the_functions(probe, shape):
    cls = shape.declare()
    assert (cls.id, cls.position, cls.signatures) == (shape.id, shape.position, Interface.SIGNATURES)
    bare = Interface(probe).declare(signatures=None, doc=None)
    assert bare.signatures == ("f8 area(object)", "u4 scale(object,i2)", "i4 draw(object)")
    assert bare.__doc__ is None
    assert {"area", "scale", "draw"} <= set(dir(cls))
    assert str(inspect.signature(cls.draw)) == "(self, canvas, how)"
    assert str(inspect.signature(cls.area)) == "(self)"
    assert cls.draw.__doc__ == Interface.SIGNATURES[DRAW] and cls.draw.__name__ == "draw"
    text = pydoc.plain(pydoc.render_doc(cls))
    assert "A shape." in text
    assert "draw(self, canvas, how)\n |      int draw(self, object canvas, dict[str, int] how) except -1" in text
    assert "area(self)" in text


def test_attributes_stay_and_copies_and_pickles_are_the_class(shape):
    cls = shape.declare()
    for act in (lambda: setattr(cls, "draw", 1), lambda: delattr(cls, "draw"), lambda: setattr(cls, "new", 1),
                lambda: setattr(cls, "__bases__", (int,)), lambda: setattr(cls, "id", 1)):
        with pytest.raises((TypeError, AttributeError)):
            act()
    assert cls.draw.__name__ == "draw"
    assert copy.copy(cls) is copy.deepcopy(cls) is cls
    module, name = shape.name.split(".")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, module, types.SimpleNamespace(**{name: cls}))
        assert pickle.loads(pickle.dumps(cls)) is cls


# ---------------------------------------------------------------- classes of Python --


def test_class_of_python_implements_it(shape):
    cls = shape.declare()

    class Square(Poly, cls):
        def __init__(self, size):
            self.size = size

    square = Square(3)
    assert square.size == 3 and type(square) is Square and isinstance(square, cls)
    assert [shape.call(square, i) for i in range(3)] == [("area", "x"), ("scale", "x"), ("python", "x")]
    assert not isinstance(shape.provider(), Square) and not issubclass(shape.provider, Square)
    assert isinstance(square, Square) and issubclass(Square, Square)
    assert repr(Square).startswith("<class '")
    with pytest.raises(TypeError):
        Square()
    for name in "of", "id", "implementers":
        with pytest.raises(AttributeError):
            getattr(Square, name)() if name != "of" else Square.of(1)
    Square.draw = lambda self, canvas: "later"
    assert shape.call(square, DRAW) == "later"
    assert cls.draw(square, 1) == "later"


def test_function_that_a_class_of_python_has_not_raises(shape):
    cls = shape.declare()
    half = type(cls)("Half", (cls,), {"draw": draw})
    assert shape.call(half(), DRAW) == ("python", "x")
    with pytest.raises(NotImplementedError, match="area"):
        shape.call(half(), AREA)
    assert cls.explain(half()).startswith(
        f"'Half' does not implement all of {shape.name}: found no methods in Python for area, scale, so calls of "
        "these raise NotImplementedError; define them\nexpected 3 functions:\n")
    half.area = half.scale = draw
    assert cls.explain(half()).startswith(f"'Half' implements {shape.name}\n")
    del half.area
    assert "in Python for area, so" in cls.explain(half())
    assert not hasattr(half(), "area")
    with pytest.raises(AttributeError, match="is a function of its interface"):
        half().area


def test_functions_that_only_c_can_have_are_named_and_a_base_in_front_may_bring_them(shape):
    cls = shape.declare(only_in_c=2)
    with pytest.raises(TypeError, match=r"'Bad' cannot implement .* found cdef functions, "
                       r"which only C can implement: area, scale; put a class"):
        class Bad(cls): pass
    # It is there until it is collected, and nevertheless implements nothing.
    refused = [sub for sub in cls.__subclasses__() if sub.__name__ == "Bad"]
    assert refused and not set(refused) & set(cls.implementers())
    assert set(cls.implementers()) == {shape.provider}
    # The nearest class of the MRO that declares a table decides, as it does for methods.
    with pytest.raises(TypeError, match="put a class that implements them in front of it"):
        type(cls)("Bad", (cls, shape.provider), {})
    good = type(cls)("Good", (shape.provider, cls), {})
    assert shape.calls(good) == ["first"] * 3
    assert shape.found(good) == (shape.table, 0)
    assert good().draw("x") == ("first", DRAW, "x")
    assert cls.explain(good()).startswith(f"'Good' implements {shape.name}\n")
    good.draw = draw
    assert shape.call(good(), DRAW) == ("python", "x")
    assert shape.call(good(), SCALE)[0] == "first"


def test_without_a_table_a_base_must_bring_it(shape):
    cls = shape.declare(table=False)
    with pytest.raises(TypeError, match="found no functions that call Python"):
        type(cls)("Bad", (cls,), {"draw": draw})
    assert isinstance(type(cls)("Good", (cls, shape.provider), {})(), cls)
    assert shape.declare(doc=None, signatures=None) is cls
    assert shape.call(type(cls)("Good", (cls,), {"draw": draw})(), DRAW) == ("python", "x")


def test_implementers_are_those_who_brought_it(probe, shape):
    cls = shape.declare()
    sub = type(shape.provider)("Sub", (shape.provider,), {"draw": draw})
    python = type(cls)("Python", (Poly, cls), {})
    below = type(cls)("Below", (python,), {})
    assert sub and below
    assert set(cls.implementers()) == {shape.provider, python}


def test_extending_interface_is_below_the_extended_one(probe):
    shape, solid = Interface(probe), Interface(probe)
    shape.declare(count=2)
    base = shape.declare()
    cls = solid.declare(count=4, extends=shape.id, signatures=None)
    assert cls.__bases__ == (base,) and issubclass(cls, base) and not issubclass(base, cls)

    class Cube(Poly, cls):
        def m3(self, arg):
            return "m3", arg

    assert isinstance(Cube(), base) and isinstance(Cube(), cls)
    assert shape.call(Cube(), DRAW) == solid.call(Cube(), DRAW) == ("python", "x")
    assert solid.call(Cube(), 3) == ("m3", "x")
    assert shape.found(Cube) == solid.found(Cube)


def test_each_declaration_has_a_class_and_explain_shows_the_others(probe, shape):
    cls = shape.declare(count=2, signatures=None, doc="Short.")
    assert shape.declare(count=2) is cls and cls.signatures == Interface.SIGNATURES[:2]
    assert "under the same ID" not in cls.explain(1)
    longer, other = shape.declare(), shape.declare(seed=5, signatures=None, doc=None)
    assert len({cls, longer, other}) == 3 and longer.signatures == Interface.SIGNATURES
    assert cls is probe.interface_class(shape.id) is cython_customslots.interface(shape.name)
    assert cls.explain(1).endswith("""
under the same ID 3 functions:
  = 0  double area(self) noexcept nogil    # f8 area(object)
  = 1  unsigned int scale(self, short factor=1)    # u4 scale(object,i2)
  + 2  int draw(self, object canvas, dict[str, int] how) except -1    # i4 draw(object)
under the same ID 3 functions:
  ! 0  f8 area(object)
  ! 1  u4 scale(object,i2)
  ! 2  i4 draw(object)""")
    assert isinstance(shape.provider(), cls) and isinstance(shape.provider(), longer)
    assert not isinstance(shape.provider(), other)
    assert isinstance(type(cls)("Made", (cls,), {})(), longer)      # which serves consumers of any age


def test_a_longer_table_that_contradicts_the_one_that_classes_have_is_not_theirs(probe, shape):
    cls, longer = shape.declare(count=2, signatures=None), shape.declare(count=3)
    table = probe.interface_table(shape.name, 4, 15, 2)
    probe.interface_spoil(table, "another third")
    other = probe.interface_class_of(probe.interface_declare(shape.id, shape.name, None, table, table, None))
    made, theirs = type(cls)("Made", (cls,), {}), type(cls)("Theirs", (other,), {})
    assert [isinstance(made(), each) for each in (cls, longer, other)] == [True, True, False]
    assert [isinstance(theirs(), each) for each in (cls, longer, other)] == [True, False, True]


@pytest.mark.parametrize("name, id, words", [
    (None, 2, "name without a dot"), ("Shape", 2, "name without a dot"), ("a.Shape", 1, "ID 0 or 1"),
])
def test_bad_declarations(probe, shape, name, id, words):
    with pytest.raises(ValueError, match=words):
        probe.interface_declare(shape.id if id == 2 else id, name, None, shape.table, 0, None)
    with pytest.raises(ValueError, match="extends itself"):
        probe.interface_declare(shape.id, "a.Shape", None, shape.table, 0, None, shape.id)
    with pytest.raises(ValueError, match="InterfaceClassOf: found NULL, expected a spec"):
        probe.interface_class_of(0)


def test_a_table_that_is_declared_while_the_class_is_made_is_the_one_that_it_has(probe, monkeypatch):
    mine = Interface(probe)
    declared = probe.interface_table(mine.name, 3, 0b111, 2, 1)

    class Classes(dict):
        def setdefault(self, key, made):
            probe.interface_declare(mine.id, mine.name, "A shape.", declared, declared, mine.SIGNATURES)
            return super().setdefault(key, made)

    shared = vars(sys.modules["_extensibletype"])
    monkeypatch.setitem(shared, "_interfaces", Classes(shared["_interfaces"]))
    cls = probe.interface_class_of(probe.interface_declare(mine.id, mine.name, None, declared, 0, None))
    made = type(cls)("Made", (cls,), {"draw": lambda self, canvas: "python"})
    assert mine.call(made(), DRAW) == "python" and cls.signatures == mine.SIGNATURES


def test_name_that_nobody_declared():
    with pytest.raises(LookupError, match=r"'nowhere.at.Shape' .* no module 'nowhere.at' to import"):
        cython_customslots.interface("nowhere.at.Shape")
    with pytest.raises(LookupError, match=r"nor does module 'json'"):
        cython_customslots.interface("json.Shape")
    with pytest.raises(LookupError, match=r"names no module"):
        cython_customslots.interface("Shape")
    with pytest.raises(TypeError, match=r"interface: found 1\.5, an object of type 'float'"):
        cython_customslots.interface(1.5)
    with pytest.raises(TypeError, match="expected an interface or its name"):
        cython_customslots.explain(1, int)


def test_module_before_the_last_dot_is_imported(probe, tmp_path, monkeypatch):
    name = "interface_home_module"
    (tmp_path / f"{name}.py").write_text("import probe_hook\nprobe_hook.declare()\n")
    shape = Interface(probe, name=f"{name}.Shape")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "probe_hook", types.SimpleNamespace(declare=shape.declare))
    assert cython_customslots.interface(f"{name}.Shape").id == shape.id


def test_a_header_that_was_not_initialised_says_so():
    probe = support.probe()
    obj = type(f"Square {id(probe)}", (), {})()             # whose name is nobody else's
    name = type(obj).__name__
    references = sys.getrefcount(name)
    for _ in range(3):
        with pytest.raises(SystemError, match="found no ID of interface 'tests.Forgotten'.* _Init.. of its header"):
            probe.interface_call(obj, 0, 2, "x")
    assert sys.getrefcount(name) == references


def test_other_interpreters_have_classes_of_their_own_and_share_tables_and_positions(probe, shape):
    cls = shape.declare()
    overriding = type(shape.provider)("Cls", (shape.provider,), {"draw": draw})
    support.run_in_new_interpreter(f"""
        import probe
        id = probe.intern({shape.name.encode()!r})
        assert id == {shape.id} and probe.interface_position(id) == {shape.position}
        provider = probe.interface_heap("probe.P", (), [(id, {shape.table})], 0, 0b110)
        overriding = type(provider)("Cls", (provider,), {{"draw": lambda self, canvas: "there"}})
        assert probe.interface_found(overriding, id)[:2] == {shape.found(overriding)}
        try:
            probe.interface_class(id)
        except LookupError:
            pass
        else:
            raise SystemExit("nobody declared it here")
        table = probe.interface_table({shape.name!r}, 3, 7, 2)
        probe.interface_declare(id, {shape.name!r}, None, table, table, None)
        cls = probe.interface_class(id)
        made = type(cls)("Made", (cls,), {{"draw": lambda self, canvas: "there"}})
        assert probe.interface_call(made(), id, 2, "x") == "there"
        assert made in cls.implementers()
    """, modules=[support.probe_path()])
    assert cls is probe.interface_class(shape.id)
