# SPDX-License-Identifier: MIT
"""A metaclass named from outside, in an option or in the comment of a module, for classes that
know nothing of us: their users derive from them and from an abstract base class."""
import collections.abc
import re

import compiling
import layer_modules
import pytest
import support
from compiling import compile_all, compile_each
from cython_customslots import combine
from cython_customslots.compiler.switches import metaclasses
from layer_modules import MODULES, written

pytestmark = pytest.mark.once

CLASSES = """
cdef class A:
    cdef public int x
cdef class B(A):
    cdef int method(self): return 1
cdef class C:
    pass
"""

ABC = '"abc", "ABCMeta"'
ENUM = '"enum", "EnumMeta"'


def made(result):
    """{class: the metaclass that it is combined with, None: just ours}, plain classes left out."""
    assert result.errors == [], result.messages
    found = {}
    for name, rest in re.findall(r"= __Pyx_CustomSlots_NewStatic\(&__pyx_type_\w*?3mod_(\w+), (.*);", result.c):
        combined = re.search(r'CombinedWinner\(.*?, (".*?", ".*?")\)', rest)
        found[name] = combined and combined[1]
    return found


ALL = {"A": ABC, "B": ABC, "C": ABC}

#: {what: (the comment, options, what is made)}
NAMED = {
    "the comment, for all of a module": ("# customslots: metaclass=abc.ABCMeta\n", {}, ALL),
    "the comment, for one class": ("# customslots: A.metaclass=abc.ABCMeta\n", {}, {"A": ABC, "B": ABC}),
    "one class among those that are extended": (
        "# customslots: extend_all=True, C.metaclass=abc.ABCMeta\n", {},
        {"A": None, "B": None, "C": ABC}),
    "one class and no other": (
        "# customslots: extend_all=False, C.metaclass=abc.ABCMeta\n", {"extend_all": True}, {"C": ABC}),
    "another one for one class": (
        "# customslots: metaclass=abc.ABCMeta, C.metaclass=enum.EnumMeta\n", {},
        {"A": ABC, "B": ABC, "C": ENUM}),
    "a derived class has one more": (
        "# customslots: A.metaclass=abc.ABCMeta, B.metaclass=enum.EnumMeta\n", {},
        {"A": ABC, "B": ENUM}),
    "none for one class": (
        "# customslots: metaclass=abc.ABCMeta, C.metaclass=type\n", {},
        {"A": ABC, "B": ABC, "C": None}),
    "in a class of a module": (
        "# customslots: C.metaclass=package.module:Outer.Inner\n", {},
        {"C": '"package.module", "Outer.Inner"'}),
    "classes go before modules, and those before all": (
        "", {"metaclass": ["x.Y", "mod=abc.ABCMeta", "mod.C=enum.EnumMeta"]},
        {"A": ABC, "B": ABC, "C": ENUM}),
    "a comment goes before the option": (
        "# customslots: metaclass=enum.EnumMeta\n", {"metaclass": ["mod=x.Y", "mod.A=abc.ABCMeta"]},
        {"A": ENUM, "B": ENUM, "C": ENUM}),
    "a comment takes a module out of it": (
        "# customslots: extend_all=False\n", {"metaclass": "mod.A=abc.ABCMeta"}, {}),
}


@pytest.fixture(scope="module")
def named():
    return compile_each({what: (comment + CLASSES, options) for what, (comment, options, _) in NAMED.items()})


@pytest.mark.parametrize("what", NAMED)
def test_a_metaclass_is_named_for_classes_modules_or_all(named, what):
    assert made(named[what]) == NAMED[what][2]


def test_a_decorator_decides_for_its_class():
    text = ("# customslots: metaclass=abc.ABCMeta\nimport enum\ncimport cython_customslots as cs\n"
            + CLASSES.replace("cdef class C", "@cs.extensible(metaclass=enum.EnumMeta)\ncdef class C")
            + "@cs.extensible\ncdef class D: pass\ncdef class E(D): pass\n")
    result = compile_all({"case": {"mod.pyx": text}})["case"]
    assert made(result) == {"A": ABC, "B": ABC, "C": ENUM, "D": None, "E": ABC}


def test_a_class_that_derives_from_another_module_has_it_too():
    files = {"mod.pyx": "# customslots: metaclass=abc.ABCMeta\nfrom base cimport Plain, Extended\n"
                        "cdef class A(Plain): pass\ncdef class B(Extended): pass\n",
             "base.pxd": "cimport cython_customslots as cs\ncdef class Plain:\n    cdef int x\n"
                         "@cs.extensible\ncdef class Extended:\n    cdef int x\n"}
    assert made(compile_all({"case": files})["case"]) == {"A": ABC, "B": ABC}


USED = """# cython: freethreading_compatible=True
cdef class local:
    cdef dict values
    cdef int seen(self) except -1: return len(self.values)
    def __init__(self): self.values = {}
    def __getitem__(self, key): return self.values[key]
    def __setitem__(self, key, value): self.values[key] = value
    def __len__(self): return self.seen()
    def __iter__(self): return iter(self.values)
cdef class deeper(local):
    cdef public int extra
cdef class shown:
    pass
cdef class Error(Exception):
    pass
"""


@pytest.fixture(scope="module")
def used(tmp_path_factory):
    return support.load(written(
        tmp_path_factory.mktemp("used"), "named_used", USED, cython_args=["--metaclass=abc.ABCMeta"]))


def test_users_derive_from_a_class_and_from_an_abstract_base_class(used):
    """As gevent's tests do with its local."""
    class LocalWithABC(used.local, collections.abc.Mapping):
        pass

    it = LocalWithABC()
    it["a"] = 1
    assert isinstance(it, collections.abc.Mapping) and dict(it) == {"a": 1} and it.get("b", 2) == 2

    class Abstract(used.deeper, collections.abc.Callable):
        pass

    with pytest.raises(TypeError, match="abstract"):
        Abstract()


def test_all_of_them_have_the_one_combination(used):
    for cls in used.local, used.deeper, used.shown, used.Error:
        assert type(cls) is combine(used.local, collections.abc.Mapping)
    used.shown.register(int)
    assert isinstance(5, used.shown) and not isinstance(5, used.local)
    with pytest.raises(used.Error):
        raise used.Error


def test_a_cdef_class_with_that_conflict_is_an_error_that_says_what_to_compile_with_which_metaclass(tmp_path):
    path = written(tmp_path, "named_bag", """# cython: freethreading_compatible=True
from collections.abc import Sized
cdef class Root: pass
cdef class Bag(Root, Sized):
    def __len__(self): return 5
""", cython_args=["--extend-all"])
    assert support.check_child("""
        try:
            import named_bag
        except TypeError as error:
            print(error)
        """, modules=[path]).endswith(
            "its base 'named_bag.Root' is extensible, with the metaclass '_extensibletype.extensibletype_v4', and its "
            "base 'Sized' has the metaclass 'ABCMeta'; compile 'named_bag.Root' with --metaclass=abc.ABCMeta, or with "
            "the decorator extensible(metaclass=ABCMeta)")


TYPE_SPECS = "-DCYTHON_USE_TYPE_SPECS=1"


@pytest.mark.thorough
def test_where_a_class_cannot_have_one_it_stays_plain_for_its_users(tmp_path):
    """CPython makes no class from a spec if its metaclass has a __new__."""
    path = written(tmp_path, "named_specs", USED, cython_args=["--metaclass=abc.ABCMeta"], cflags=[TYPE_SPECS])
    assert support.check_child("""
        import collections.abc, named_specs
        class LocalWithABC(named_specs.local, collections.abc.Mapping): pass
        class Deeper(named_specs.deeper, collections.abc.Mapping): pass
        print(len(LocalWithABC()), len(Deeper()), type(named_specs.local).__name__)
        """, modules=[path]) == "0 0 type"


UNDER = """# cython: freethreading_compatible=True
from layer_automatic_foreign cimport Foreign
cdef class Under(Foreign):
    def two(self): return 2
cdef class Free: pass
"""


@pytest.mark.thorough
@pytest.mark.parametrize("option, result", [
    ("abc.ABCMeta", "2 ForeignMeta ABCMetaAndextensibletype"),
    ("named_under.Under=abc.ABCMeta",
     "TypeError metaclass of class 'named_under.Under': layer_automatic_foreign.ForeignMeta ("),
])
def test_a_base_with_a_foreign_metaclass_is_in_the_way_of_what_is_asked_for(tmp_path, option, result):
    """Of whatever is extended it stays plain; what was named for it alone is an error."""
    under = written(tmp_path, "named_under", UNDER, include_dirs=[MODULES], cython_args=[f"--metaclass={option}"])
    assert support.check_child("""
        try:
            import named_under
            print(named_under.Under().two(), type(named_under.Under).__name__, type(named_under.Free).__name__)
        except TypeError as error:
            print("TypeError", error)
        """, modules=[layer_modules.build("layer_automatic_foreign.pyx", layer=False), under]).startswith(result)


def test_what_cannot_be_the_metaclass_is_an_error_of_the_import(tmp_path):
    """What else cannot be one is in test_python_metaclasses.py."""
    path = written(tmp_path, "named_wrong", "# cython: freethreading_compatible=True\ncdef class A: pass\n",
                   cython_args=["--metaclass=named_source:Outer.Meta"])
    assert support.check_child("""
        import types
        sys.modules["named_source"] = source = types.ModuleType("named_source")
        for source.Outer in types.SimpleNamespace(Meta=__import__("abc").ABC), type("Outer", (), {}), None:
            if source.Outer is None: del source.Outer
            try: import named_wrong
            except Exception as error: print(type(error).__name__, str(error).partition(", a ")[0])
        """, modules=[path]).splitlines() == [
            "TypeError metaclass of class 'named_wrong.A': found <class 'abc.ABC'>, expected a metaclass",
            "AttributeError type object 'Outer' has no attribute 'Meta'",
            "AttributeError module 'named_source' has no attribute 'Outer'"]


def test_an_option_that_names_no_class_of_its_module_is_an_error():
    result = compile_all({"case": {"mod.pyx": CLASSES}}, metaclass={"mod.Nope": "abc.ABCMeta"})["case"]
    assert [text for _, _, _, text in result.errors] == [
        "the option metaclass names a metaclass for 'Nope', and there is no such cdef class in "
        "'mod'; there are A, B, C"]


@pytest.mark.parametrize("value, message", [
    ("ABCMeta", "metaclass: found 'ABCMeta', expected the full name of a metaclass, such as abc.ABCMeta"),
    ("my mod=abc.ABCMeta", "metaclass: found 'my mod' in front of '=', expected the full name of a module"),
    ({"mod": abs}, "metaclass: found <built-in function abs>, expected the full name"),
    ({5: "abc.ABCMeta"}, "metaclass: found 5 in front of '='"),
    ([5], "metaclass: found 5, expected a string such as abc.ABCMeta or package.module.Class=abc.ABCMeta"),
    ("mod=a.B,mod=a.C", "metaclass: mod is given twice, 'a.B' and 'a.C'"),
    ("a.B,a.C", "metaclass: the one for all classes is given twice, 'a.B' and 'a.C'"),
    ("abc:", "metaclass: found 'abc:', expected the full name"),
])
def test_an_option_that_is_no_name_is_a_value_error_and_nothing_is_changed(value, message):
    with pytest.raises(ValueError) as caught:
        metaclasses.parse_named(value)
    assert str(caught.value).startswith(message)


def test_what_an_option_says_is_the_same_in_each_form():
    said = {"": "abc.ABCMeta", "mod.A": "enum.EnumMeta", "mod": "a.b:C.D"}
    text = "abc.ABCMeta, mod.A = enum.EnumMeta,mod=a.b:C.D,"
    assert metaclasses.parse_named(text) == metaclasses.parse_named(said) == said
    assert metaclasses.parse_named(text.split(",")) == metaclasses.parse_named(metaclasses.text(said)) == said
    assert metaclasses.parse_named(None) == metaclasses.parse_named("") == {}


def command(cwd, *arguments):
    return compiling.command("-3", *arguments, cwd=cwd)


TOLD = """cdef class A: pass
cdef class M(type): pass
cdef class N(M): pass
class Python: pass
"""


def test_verbose_tells_what_stays_plain_and_what_has_a_metaclass(tmp_path):
    """One line a class; so does the C file, for those that stay plain."""
    (tmp_path / "mod.pyx").write_text(TOLD)
    (tmp_path / "out.pyx").write_text("# customslots: extend_all=False\ncdef class A: pass\n")
    assert "customslots" not in command(tmp_path, "--extend-all", "mod.pyx").stderr
    why = "stays as Cython makes it: it is a metaclass, and those cannot be extensible themselves"
    text = (tmp_path / "mod.c").read_text(encoding="utf-8")
    assert re.findall(r"/\* cython-customslots: (.*) \*/", text) == [f"class 'M' {why}", f"class 'N' {why}"]

    def told(*arguments):
        done = command(tmp_path, "-v", *arguments)
        assert done.returncode == 0, done.stderr
        return [line for line in done.stderr.splitlines() if "customslots:" in line]

    lines = told("--extend-all", "--metaclass=mod.A=abc.ABCMeta", "mod.pyx")
    assert [re.sub(r":\d+: ", ":", line) for line in lines] == [
        "mod.pyx:1:customslots: class 'A' has the metaclass abc.ABCMeta, too",
        f"mod.pyx:2:customslots: class 'M' {why}", f"mod.pyx:3:customslots: class 'N' {why}"]
    assert [line.partition("customslots: ")[2] for line in told("--extend-all", "out.pyx")] == [
        "class 'A' stays as Cython makes it: its module says extend_all=False"]
    assert told("mod.pyx") == []


def test_the_documents_spell_it_as_it_is_taken():
    from cython_customslots.compiler.commands import cli
    assert all(option in cli.__doc__ for option in (*cli.SWITCHES, *cli.VALUED))
    spelled = re.findall(r"# customslots: (.*)$", cli.__doc__, re.MULTILINE)
    cases = {str(i): {"mod.pyx": f"# customslots: {comment}\ncdef class Shape: pass\n"}
             for i, comment in enumerate(spelled)}
    results = compile_all(cases)
    assert len(spelled) == 5 and all(result.errors == [] for result in results.values())
