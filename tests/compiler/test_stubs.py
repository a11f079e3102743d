# SPDX-License-Identifier: MIT
"""The command `stub`: what type checkers know of a compiled module, and what it refuses."""
import inspect
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest
import support
from cython_customslots import autodoc, stubbing
from cython_customslots.stubbing import module_text, type_text
from layer_modules import MODULES, written
from type_checkers import needs

NAME = "layer_stubs"
MARK = "# Made by: python -m cython_customslots stub "


@pytest.fixture(scope="module")
def built():
    return Path(support.build_cython(MODULES / f"{NAME}.pyx", cplus=True))


@pytest.fixture(scope="module")
def module(built):
    return support.load(built)


def run(*arguments, cwd, **environment):
    """What `python -m ARGUMENTS...` does in a process of its own: (status, what it printed)."""
    done = subprocess.run([sys.executable, "-m", *map(str, arguments)], cwd=cwd, encoding="utf-8",
                          env=os.environ | {name: str(value) for name, value in environment.items()},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.returncode, done.stdout


@pytest.fixture
def stub(built, tmp_path):
    return lambda *arguments: run("cython_customslots", "stub", *arguments, cwd=tmp_path, PYTHONPATH=built.parent)


@pytest.fixture(scope="module")
def text(module):
    return f"{MARK}{NAME}\n{module_text.stub_of(module)}"


def test_fields_are_attributes_of_their_class_and_class_keywords(text):
    plugin = text[text.index("\nclass Plugin:"):text.index("\nclass", text.index("\nclass Plugin:") + 1)]
    for line in ("priority: ClassVar[int]", "tags: ClassVar[list[Any]]", "weight: ClassVar[float]",
                 "active: ClassVar[bool]", "owner: ClassVar[Any]", "weights: ClassVar[list[float]]",
                 "counts: ClassVar[dict[bytes, int]]", "size: Final[int]", "title: Final[str]"):
        assert f"\n    {line}\n" in plugin, line
    assert "def __init_subclass__(cls, *, priority: int = ..., tags: list[Any] = ..., " in plugin
    assert "size" not in plugin[plugin.index("__init_subclass__"):].partition("\n")[0]
    assert "hidden" not in text


def test_a_derived_metaclass_adds_attributes_and_repeats_keywords(text):
    tool = text[text.index("\nclass Tool(Plugin):"):]
    assert "\n    label: ClassVar[str]\n" in tool and "\n    thing: ClassVar[Thing | None]\n" in tool
    assert "priority: ClassVar" not in tool.partition("\ndef ")[0].partition("\nclass ")[0]
    assert re.search(r"__init_subclass__\(cls, \*, priority: int = .*label: str = \.\.\., thing: Thing", tool)


@pytest.mark.parametrize("line", [
    "def run(self, times: Any, *rest: Any, name: str = ..., **more: Any) -> list[str]: ...",
    "def area(self, radius: float) -> float: ...",                      # from its typed record
    "@classmethod\n    def make(cls, count: int = ...) -> Plugin: ...",
    "@staticmethod\n    def help(topic: Any, /) -> Any: ...",
    "limit: ClassVar[int]",
    "def __init_subclass__(cls, *, level: int = ..., priority: int = ",
    "class Shape(metaclass=ABCMeta):",
    "@abstractmethod\n    def draw(self) -> None: ...",
    "def __len__(self) -> int: ...",
    "def __eq__(self, value: object, /) -> bool: ...",
    "def embedded(a: int, b: list[Any] | None = ..., *, c: float = ..., d: str = ...) -> str: ...",
    "def typed_function(number: int, ratio: float) -> int: ...",
    "def scaled(number: float, factor: float = ...) -> float: ...",     # from the record with all arguments
    "VERSION: str", "LIMITS: tuple[Any, ...]"])
def test_signatures_are_what_is_known_of_them(text, line):
    assert line in text


def test_enums_have_their_members_and_nothing_of_what_makes_them(text):
    assert re.search(r"\nclass Colour\(_enum\.Int(Enum|Flag)\):\n    RED = 1\n    GREEN = 2\n\n", text)
    assert "import enum as _enum\n" in text


def test_classes_in_classes_stand_in_them_and_open_keywords_stay_open(text):
    assert re.search(r"\nclass Urgent\(Plugin\):\n(    .*\n)*    class Inner:\n        size: ClassVar\[int\]\n", text)
    urgent = text[text.index("\nclass Urgent(Plugin):"):]
    assert re.search(r"__init_subclass__\(.*\*\*keywords: Any\) -> None", urgent)


def test_a_stub_is_the_same_every_time_and_valid_python(text, stub):
    compile(text, "stub", "exec")
    assert stub(NAME, "-o", "-") == (0, text) and stub(NAME, "-o", "-") == (0, text)


def test_fields_that_c_described_have_the_types_of_their_codes(probe):
    metaclass = probe.rich_metaclasses()[1]
    cls = metaclass("Cls", (), {"motto": b"m"})
    names = stubbing.module_text.Names(sys.modules[__name__])
    found = {field.name: (field.writable, module_text._type(field, names, cls))
             for field in module_text.fields_of(metaclass)}
    assert found["level"] == (True, "int") and found["ratio"] == (False, "float")
    assert found["motto"] == (True, "bytes") and found["label"] == (True, type_text.ANY)


SIGNED = """
from cython_customslots.provider cimport extensibletype
cdef class First(extensibletype):
    \"\"\"Words.\"\"\"
    cdef public int priority
    cdef public list tags
    cdef readonly int size
    cdef int hidden
cdef class Named(First):
    cdef public double name
cdef class Bare(First):
    pass
cdef class Taking(First):
    cdef public int level
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
cdef class Silent(extensibletype):
    \"\"\"Nothing is set.\"\"\"
    cdef readonly int size
"""


def test_the_signature_of_a_metaclass_has_the_public_fields_as_keywords(tmp_path):
    module = support.load(written(tmp_path, "signed", SIGNED))
    keywords = {name: [str(parameter) for parameter in inspect.signature(getattr(module, name)).parameters.values()]
                for name in ("First", "Named", "Bare", "Taking")}
    first = ["priority=Ellipsis", "tags=Ellipsis"]
    assert keywords == {
        "First": ["name", "bases", "namespace", *first], "Bare": ["name", "bases", "namespace", *first],
        "Named": ["_name", "_bases", "_namespace", *first, "name=Ellipsis"],
        "Taking": ["name", "bases", "namespace", *first, "level=Ellipsis", "**kwargs"]}
    assert module.First.__doc__ == "Words." and module.Bare.__doc__ is None
    assert module.Silent.__text_signature__ is None and module.Silent.__doc__ == "Nothing is set."


DESCRIBED = """
from cython_customslots.provider cimport extensibletype
cimport cython_customslots as cs
cdef class PluginType(extensibletype):
    cdef public int priority
    \"\"\"Higher runs first: ü, "quoted".

    Really.
    \"\"\"
    cdef readonly str label, other
    "Of two fields."
    cdef double hidden
    "C alone sees it."
    cdef public list tags
    cdef public Plugin first
@cs.metaclass(PluginType, priority=5, label="x")
cdef class Plugin: pass
cdef class Below(Plugin): pass
"""
PURE = """
import cython
from cython.cimports.cython_customslots.provider import extensibletype
@cython.cclass
class PureType(extensibletype):
    level = cython.declare(cython.int, visibility="public")
    \"\"\"How loud.\"\"\"
    other: cython.int
    \"\"\"C alone sees it.\"\"\"
"""


@pytest.mark.cythons
def test_a_string_behind_a_field_is_its_docstring(tmp_path):
    pure = support.write_source(tmp_path / "pure.py", PURE)
    module = support.load(written(tmp_path, "described", DESCRIBED))
    docs = {name: getattr(module.PluginType, name).__doc__ for name in (
        "priority", "label", "other", "tags", "first")}
    assert docs == {"priority": 'priority: int (C: int)\n\nHigher runs first: ü, "quoted".\n\nReally.',
                    "label": "label: str\n\nOf two fields.", "other": "other: str\n\nOf two fields.",
                    "tags": "tags: list", "first": "first: described.Plugin"}
    assert not hasattr(module.PluginType, "hidden")
    text = module_text.stub_of(module)
    compile(text, "stub", "exec")
    assert ('    priority: ClassVar[int]\n    """Higher runs first: ü, \\"quoted\\".\n\n    Really."""\n'
            '    label: Final[str]\n    """Of two fields."""\n') in text
    assert autodoc.lines_of(module.Plugin)[:9] == [
        "", ".. py:attribute:: priority", "   :type: int", "   :value: 5", "",
        '   Higher runs first: ü, "quoted".', "", "   Really.", ""]
    assert "   :value: 'x'" in autodoc.lines_of(module.Plugin) and autodoc.lines_of(module.Below) == []
    assert support.load(support.build_cython(pure)).PureType.level.__doc__ == "level: int (C: int)\n\nHow loud."


@pytest.mark.thorough
@needs("sphinx")
def test_a_page_that_sphinx_builds_shows_value_kind_and_docstring_of_a_field(tmp_path):
    built = Path(written(tmp_path, "described", DESCRIBED))
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "conf.py").write_text('extensions = ["cython_customslots.autodoc"]\n')
    (pages / "index.rst").write_text("Plugins\n=======\n\n.. autoclass:: described.Plugin\n")
    assert run("sphinx", "-q", "-W", "-b", "text", pages, tmp_path / "site", cwd=tmp_path, PYTHONPATH=built.parent) == (
        0, "")
    page = " ".join((tmp_path / "site" / "index.txt").read_text(encoding="utf-8").split())
    assert "priority: int = 5 Higher runs first: ü, \"quoted\". Really." in page
    assert "label: str = 'x' Of two fields. A class of Python can only read it." in page and "hidden" not in page


PROGRAM = '''
from layer_stubs import Plugin, PluginType, Shape, Thing, Tool, Urgent


class Good(Plugin, priority=10, tags=["a"], weights=[1.0]):
    weight = 0.5


class Both(Tool, priority=1, label="x", thing=Thing()):
    pass


class Drawn(Shape, priority=3):
    def draw(self) -> None:
        pass


class Open(Urgent, level=3, priority=4):
    pass


number: int = Good.priority + Both.priority + Plugin.size + Good().area(2.0).__trunc__()
words: list[str] = Good().run(3, name="y")
made: Plugin = Plugin.make(2)


def of_metaclass(cls: PluginType) -> int:
    return cls.priority + cls.size
'''

#: What both must refuse, a line each; docs/type-checkers.md has more.
HEAD = "from layer_stubs import Plugin, Shape, Tool, typed_function"
WRONG = """
class Readonly(Plugin, size=3): pass
class ReadonlyInBody(Plugin): size = 3
Plugin.size = 3
class Hidden(Plugin, hidden=3): pass
class Element(Plugin, weights=['a']): pass
class OfDerivedMetaclass(Plugin, label="x"): pass
class WrongOfDerivedMetaclass(Tool, label=3): pass
class OfAbstractClass(Shape, priority="high"): pass
Plugin().area("x")
typed_function("x", 2.0)
Shape()
"""


@pytest.fixture
def project(tmp_path, text):
    (tmp_path / f"{NAME}.pyi").write_text(text)
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "wrong.py").write_text(HEAD + WRONG)
    return tmp_path


CHECKERS = {"mypy": ["mypy", "--strict", "--cache-dir", "cache"],
            "pyright": ["pyright", "--pythonpath", sys.executable]}


def checked(checker, name, cwd):
    return run(*CHECKERS[checker], name, cwd=cwd, PYRIGHT_PYTHON_IGNORE_WARNINGS=1, MYPYPATH=cwd)


@pytest.mark.nightly
@pytest.mark.parametrize("checker", [pytest.param(name, marks=needs(name)) for name in CHECKERS])
def test_type_checkers_accept_what_is_right_and_refuse_what_is_wrong(project, checker):
    (project / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "reportMissingModuleSource": "none"}')
    for name in "program.py", f"{NAME}.pyi":
        code, said = checked(checker, name, project)
        assert code == 0, said
    _, said = checked(checker, "wrong.py", project)
    refused = {int(n) for n in re.findall(r"wrong\.py:(\d+)(?::\d+)?(?: -|:) error", said)}
    assert refused == {*range(2, 2 + len(WRONG.split("\n")[1:-1]))}, said


#: Why a stub is not all that stubtest expects: the metaclass is left out so that mypy checks keywords, and
#: nobody can tell from a compiled class what its __cinit__ takes.
NOT_SAID = [rf"{NAME}\.(Plugin|Tool|Shape|Urgent|Thing|PluginType|ToolType)", r".*\.__(reduce|setstate)_cython__",
            r".*\.__customslots_fields__", r".*\.__init__", rf"{NAME}\.__test__", r".*\.__setstate__",
            r".*\.__init_subclass__", r".*\.__pyx_capi__"]


@pytest.mark.thorough
@needs("mypy")
def test_the_stub_is_true(project, built):
    (project / "allowed").write_text("\n".join(NOT_SAID))
    code, said = run("mypy.stubtest", NAME, "--allowlist", "allowed", "--ignore-unused-allowlist", cwd=project,
                     PYTHONPATH=built.parent, MYPYPATH=project)
    assert code == 0, said


def test_it_writes_checks_and_writes_again(stub, text, tmp_path):
    path = tmp_path / f"{NAME}.pyi"
    status, said = stub(NAME, "-o", ".", "--check")
    assert status == 1 and "is missing; write it" in said and not path.exists()
    assert stub(NAME, "-o", ".") == (0, f"{NAME}.pyi: written\n") and path.read_text() == text
    assert stub(NAME, "-o", ".") == (0, f"{NAME}.pyi: is up to date\n")
    assert stub(NAME, "-o", ".", "--check") == (0, f"{NAME}.pyi: is up to date\n")
    path.write_text(text.replace("priority: ClassVar[int]", "priority: ClassVar[str]"))
    status, said = stub(NAME, "-o", ".", "--check")
    assert status == 1 and "+    priority: ClassVar[int]" in said and "is out of date" in said
    assert path.read_text() != text
    assert stub(NAME, "-o", ".") == (0, f"{NAME}.pyi: written again\n") and path.read_text() == text
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("content", [b"", b"\n" + MARK.encode(), b"\xff\xfe"], ids=repr)
@pytest.mark.parametrize("option", [(), ("--check",)], ids=["write", "check"])
def test_a_file_that_it_did_not_write_is_not_touched(stub, tmp_path, content, option):
    path = tmp_path / f"{NAME}.pyi"
    path.write_bytes(content)
    status, said = stub(NAME, "-o", ".", *option)
    assert status == 2 and f"{NAME}.pyi: found " in said and "move it away" in said and "Traceback" not in said
    assert path.read_bytes() == content


def test_a_folder_or_a_link_in_the_place_of_the_stub_is_not_touched(stub, tmp_path):
    path = tmp_path / f"{NAME}.pyi"
    path.mkdir()
    assert stub(NAME, "-o", ".")[0] == 2 and path.is_dir()
    path.rmdir()
    (tmp_path / "mine").write_text("mine")
    path.symlink_to("mine")
    assert stub(NAME, "-o", ".")[0] == 2 and (tmp_path / "mine").read_text() == "mine"


@pytest.mark.parametrize("arguments, message", [
    (["no_such_module"], "module 'no_such_module' cannot be imported"),
    (["broken_module"], "ZeroDivisionError"),
    (["plain_module"], "Python source, expected a compiled module"),
    (["sys"], "sys: found no file, expected a compiled module"),
    ([NAME, "-o", "nowhere"], "-o nowhere: found nothing there, expected the folder"),
    ([NAME, "-o", "plain_module.py"], "found a file, expected the folder"),
    (["leaving_module"], "SystemExit"), ([f"./{NAME}.so"], f"found './{NAME}.so', expected the full name"),
])
def test_it_says_what_was_wrong(stub, tmp_path, arguments, message):
    (tmp_path / "broken_module.py").write_text("1 / 0\n")
    (tmp_path / "plain_module.py").write_text("class A: pass\n")
    (tmp_path / "leaving_module.py").write_text("raise SystemExit(0)\n")
    before = {path.name for path in tmp_path.iterdir()} | {"__pycache__"}
    status, said = stub(*arguments)
    assert status == 2 and message in said and len(said.splitlines()) == 1
    assert {path.name for path in tmp_path.iterdir()} <= before


def test_help_and_a_missing_module_are_told(stub):
    status, said = stub("--help")
    assert status == 0 and "--check" in said
    status, said = stub()
    assert status == 2 and "MODULE" in said


def test_a_module_in_a_package_has_its_stub_in_the_package(tmp_path):
    (tmp_path / "pkg").mkdir()
    for name, has_path, path in (("pkg.mod", False, "pkg/mod.pyi"), ("pkg.sub", True, "pkg/sub/__init__.pyi")):
        module = type(sys)(name)
        module.__file__ = str(tmp_path / "x.so")
        if has_path:
            module.__path__ = []
        assert stubbing._path(module, str(tmp_path)) == tmp_path / path


def test_odd_things_in_a_module_leave_a_stub_that_is_python():
    module = type(sys)("odd")

    class Meta(type):
        def __getattribute__(cls, name):
            if name in ("__text_signature__", "limit"):
                raise RuntimeError("not that")
            return super().__getattribute__(name)

    class Odd(metaclass=Meta):
        limit = 3
        none = None
        function = len
    Odd.__module__, Odd.__qualname__ = "odd", "Odd"

    class Liar:
        __doc__ = "Liar(int a, list b=[1, (2, 3)]) -> nonsense!"

    def twice(*args): ...
    twice.__doc__, twice.__module__ = "twice(a, b=1, a, *c=2) -> int", "odd"
    twice.__text_signature__, twice.__signature__ = None, 5         # inspect refuses it
    Liar.__module__, Liar.__qualname__ = "odd", "Liar"

    def half(x: "1 +", y: "Unknown" = 3, *, z: "list[Unknown]" = ()) -> "odd.Odd": ...   # noqa: F722, F821
    half.__module__ = "odd"
    vars(module).update({"Odd": Odd, "Liar": Liar, "half": half, "twice": twice, "class": 5, "two words": 6, "é": None,
                         "__all__": ["Odd", "half"], "Renamed": Odd, "number": 5.5, "nested": {"a": [1]}})
    sys.modules["odd"] = module
    try:
        text = module_text.stub_of(module)
    finally:
        del sys.modules["odd"]
    compile(text, "stub", "exec")
    assert "def half(x: Any, y: Any = ..., *, z: list[Any] = ...) -> Odd: ..." in text
    assert "def twice(*args: Any, **kwargs: Any) -> Any: ..." in text
    assert "two words" not in text and "class = " not in text and "number: float" in text


#: A module whose names are those of everything that a stub may import.
SHADOWING = """
import abc as a, array as arrays, collections as c, datetime as d, enum as e, queue as q, re as r, typing as t
from cython_customslots.provider import extensibletype as root
"""
SHADOWS = ("abc", "array", "collections", "cython_customslots", "datetime", "queue", "re", "typing", "Any", "ClassVar",
           "Final", "Pattern", "_datetime", "_re", "_extensibletype", "_Any")
SHADOWING += "\n".join(f"class {name}:\n    enum: int = 1\n    def re(self, x: d.date) -> t.Any: ..."
                       for name in SHADOWS)
SHADOWING += """
class Sub(d.datetime): pass
class Meta(root): pass
class Shape(metaclass=a.ABCMeta):
    @a.abstractmethod
    def abstractmethod(self, x: Any, y: t.Any, z: q.Queue, w: list) -> c.deque[int]: ...
class ABCMeta(e.IntFlag):
    A = 1
text, data, match = r.compile("x"), r.compile(b"x"), r.match("x", "x")
numbers, counter, waiting = arrays.array("d"), c.Counter(), q.Queue()
"""


@pytest.mark.thorough
@needs("mypy")
@needs("pyright")
def test_a_module_may_have_classes_named_as_what_a_stub_imports(tmp_path):
    module = types.ModuleType("shadowing")
    sys.modules["shadowing"] = module
    try:
        exec(SHADOWING, vars(module))
        text = module_text.stub_of(module)
    finally:
        del sys.modules["shadowing"]
    (tmp_path / "shadowing.pyi").write_text(text)
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    for checker in CHECKERS:
        code, said = checked(checker, "shadowing.pyi", tmp_path)
        assert code == 0, f"{said}\n{text}"
    for line in ("import datetime as _datetime_", "text: _re_.Pattern[str]", "data: _re_.Pattern[bytes]",
                 "match: _re_.Match[_Any_]", "class Sub(_datetime_.datetime): ...", "waiting: _Any_"):
        assert f"\n{line}" in text, (line, text)
