# SPDX-License-Identifier: MIT
"""`cdef public class` and `cdef api class`: C code that includes the generated header sees a
PyTypeObject, and what is behind it is an extensible class."""
import sys

import pytest
import support
import warm_cython
from compiling import CYTHON, command, compile_all
from cython_customslots import layout
from cython_customslots.tools import building
from layer_modules import MODULES
from vtable_modules import HEAD, Importer, Paths, Version, run

DIALECTS = {
    "C": (False, ()),
    "C++": (True, ()),
    # As a compiler has it that cannot give a variable another name than the linker knows.
    "C without labels": (False, ("-D__PYX_CUSTOMSLOTS_SYMBOL_HAS_LABEL=0",)),
    "C++ without labels": (True, ("-D__PYX_CUSTOMSLOTS_SYMBOL_HAS_LABEL=0",)),
    "optimised": (False, ("-O2",)),
}


def generate(name, directory, *arguments, cplus=False):
    """The C of a module, with the headers for other C code beside it."""
    directory.mkdir(parents=True, exist_ok=True)
    target = directory / f"{name}.{'cpp' if cplus else 'c'}"
    done = command("-3", *arguments, *(["--cplus"] if cplus else []), "-o", target,
                   MODULES / f"{name}.pyx", cwd=directory)
    assert done.returncode == 0, done.stderr
    return target


def build_exported(dialect):
    cplus, cflags = DIALECTS[dialect]
    directory = support.cache_directory("exported", dialect)
    generated = generate("exported", directory / "source", cplus=cplus)
    use = MODULES / "exported_use.c"
    if cplus:                                    # a header for C++, so this must be, too
        use = directory / "source" / "exported_use.cpp"
        use.write_text((MODULES / "exported_use.c").read_text(encoding="utf-8"), encoding="utf-8")
    options = {"cflags": ("-O0", *cflags), "include_dirs": [directory / "source"]}
    jobs = [building.Module("exported", [generated, use], **options)]
    if not cplus:
        jobs.append(building.Module("exported_consumer", [MODULES / "exported_consumer.c"], **options))
    return [building.build(job, directory).path for job in jobs]


@pytest.fixture(scope="module")
def exported():
    return support.load(build_exported("C")[0])


@pytest.fixture(scope="module")
def consumer(exported):
    return support.load(build_exported("C")[1])


def test_they_are_extensible(exported, reader):
    for name in ("Base", "Shape", "Private", "Hidden", "Both", "Abstract", "Several"):
        described = layout(getattr(exported, name))
        assert described["extensible"] and described["resolved"] and not described["heap"], name
    assert [reader.find(cls(), reader.slot_id(80)) for cls in (
        exported.Base, exported.Shape, exported.Private, exported.Both, exported.Several)] == [
        None, 80, 80, 80, 80]
    assert reader.find(exported.Hidden(), reader.slot_id(81)) == 81


def test_their_fields_are_inherited_and_set(exported):
    assert [exported.level(cls) for cls in (exported.Shape, exported.Private, exported.Both,
                                            exported.Several)] == [3, 3, 4, 5]

    class Python(exported.Both, level=7):
        label = "other"

    assert (exported.level(Python), Python.label, exported.Both.label) == (7, "other", "text")


def test_c_methods_are_described_and_called(exported, reader):
    assert exported.doubled(exported.Base(2)) == 4 and exported.doubled(exported.Both(2)) == 40
    _, n, _, methods, *_ = reader.vtable(exported.Shape, "exported.Shape")
    assert (n, methods.split()[1]) == (1, "doubled(object)")


def test_the_symbols_are_the_classes(exported):
    assert exported.types() == [exported.Base, exported.Shape, exported.Both, exported.Abstract,
                                exported.Several]


def test_other_c_code_of_the_module_tests_instances(exported):
    class Python(exported.Shape):
        pass

    assert [exported.which(obj) for obj in (
        exported.Base(), exported.Shape(), exported.Private(), exported.Both(), Python(),
        exported.Several(), 5)] == [0, 1, 1, 2, 1, 1, -1]
    assert [exported.is_shape(obj) for obj in (exported.Base(), exported.Both(), 5)] == [0, 1, 0]


def test_static_c_types_may_derive_from_them(exported, reader):
    Sub = exported.subclass()
    assert Sub.__mro__ == (Sub, exported.Shape, exported.Base, object)
    assert Sub.__basicsize__ > exported.Shape.__basicsize__
    assert reader.find(Sub(), reader.slot_id(80)) == 80
    assert exported.which(Sub()) == 1


def test_abstract_methods_are_enforced(exported):
    with pytest.raises(TypeError, match="abstract"):
        exported.Abstract()
    assert type("Concrete", (exported.Abstract,), {"must": int})().must() == 0


def test_the_header_of_the_api_leads_to_them(exported, consumer):
    assert consumer.types() == (exported.Hidden, exported.Both)
    hidden = exported.Hidden()
    hidden.number = 17
    assert consumer.number(hidden) == 17 and consumer.number(exported.Base()) == -1


@pytest.mark.parametrize("dialect", support.thoroughly([d for d in DIALECTS if d != "C"], plain=0, thorough=1))
def test_in_other_dialects_it_is_the_same(dialect):
    paths = build_exported(dialect)
    assert support.check_child("""
        import exported as m
        assert m.types() == [m.Base, m.Shape, m.Both, m.Abstract, m.Several]
        assert [m.which(c()) for c in (m.Base, m.Shape, m.Private, m.Both)] == [0, 1, 1, 2]
        assert m.is_shape(m.subclass()()) and [m.level(c) for c in (m.Shape, m.Both)] == [3, 4]
        class Python(m.Both, level=7): pass
        assert m.level(Python) == 7 and m.which(Python()) == 2
        print("fine")
        """, modules=paths) == "fine"


def test_the_generated_headers_are_those_of_plain_cython(tmp_path):
    """C code that includes them is compiled as before; only what is behind them is different."""
    source = ("cdef public class A [object AObject, type AType]:\n    cdef int x\n"
              "cdef api class B [object BObject, type BType]:\n    cdef int x\n"
              "cdef public int f(A a): return a.x\n")
    (tmp_path / "mod.pyx").write_text(source)
    texts = []
    for module, arguments in (("cython", []), ("cython_customslots.compiler.commands.cli", ["--extend-all"])):
        done = warm_cython.run_module(module, "-3", *arguments, "mod.pyx", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        texts.append([(tmp_path / name).read_text(encoding="utf-8") for name in ("mod.h", "mod_api.h")])
    assert texts[0] == texts[1]


# -------------------------------------------------------------------------- in chains

CHAINS = {
    "public below private": [
        "cdef class P", "cdef public class Q(P) [object O, type T]"],
    "a longer chain": [
        "cdef class P", "cdef class Q(P)", "cdef public class R(Q) [object O, type T]",
        "cdef class S(R)", "cdef public class U(S) [object V, type W]", "cdef class X(U)"],
    "api below public below private": [
        "cdef class P", "cdef public class Q(P) [object O, type T]",
        "cdef api class R(Q) [object O2, type T2]"],
    "public below a decorated one": [
        "cimport cython_customslots as cs\n@cs.slot(5, flags=1)\ncdef class P",
        "cdef public class Q(P) [object O, type T]"],
    "public below an exception": [
        "cdef class P(Exception)", "cdef public class Q(P) [object O, type T]"],
    "public beside others": [
        "cdef class P", "cdef public class Q [object O, type T]", "cdef class R(Q)"],
}


@pytest.mark.thorough
@pytest.mark.parametrize("extend_all", [True, False])
def test_chains_compile_wherever_public_classes_stand_in_them(extend_all):
    cases = {what: {"mod.pyx": "".join(f"{line}:\n    cdef int f(self): return 1\n"
                                       for line in classes)} for what, classes in CHAINS.items()}
    for what, result in compile_all(cases, extend_all=extend_all).items():
        assert result.errors == [], (what, result.messages)
        expected = len(CHAINS[what]) if extend_all or "decorated" in what else 0
        assert result.c.count("= __Pyx_CustomSlots_NewStatic(&") == expected, what


@pytest.mark.thorough
def test_c_code_of_the_module_may_declare_the_symbol_itself(tmp_path):
    """As it must in plain Cython, whose own declaration stands further down."""
    source = tmp_path / "declaring.pyx"
    source.write_text("""# cython: freethreading_compatible=True
cdef extern from *:
    '''
    extern PyTypeObject DeclaredType;
    static int is_declared(PyObject *obj) { return Py_TYPE(obj) == &DeclaredType; }
    '''
    int is_declared(object)
cdef public class Declared [object DeclaredObject, type DeclaredType]: pass
def test(obj): return is_declared(obj)
""")
    path = support.build_cython(source, cython_args=("--extend-all",), directory=tmp_path / "built")
    assert support.check_child("""
        import declaring
        print(declaring.test(declaring.Declared()), declaring.test(5), type(declaring.Declared).__name__)
        """, modules=[path]) == "1 0 extensibletype_v3"


# ------------------------------------------------------------- an import that has failed

FAILING = """# cython: freethreading_compatible=True, preliminary_late_includes_cy28=True
cdef class Base:
    cdef public int x
cdef public class Shown(Base) [object ShownObject, type ShownType]:
    def __init__(self): self.x = 5
cdef extern from *:
    "static PyObject *shown_type(void) { return Py_NewRef((PyObject *)&ShownType); }"
    object shown_type()
import failing_flag
failing_flag.seen.append((Base, Shown))
{more}
failing_flag.fail()
def state(): return [shown_type() is Shown, isinstance(Shown(), Base), Shown().x]
"""

TWICE = """
    import types
    sys.modules["failing_flag"] = flag = types.ModuleType("failing_flag")
    flag.seen = []
    def fail():
        flag.fail = lambda: None
        raise ValueError("once")
    flag.fail = fail
    try:
        import failing
    except ValueError as error:
        print(error)
    class Left(flag.seen[0][1]): pass            # somebody has derived from it meanwhile
    """


def build_failing(tmp_path, more=""):
    source = tmp_path / "failing.pyx"
    source.write_text(FAILING.replace("{more}", more))
    return support.build_cython(source, cython_args=("--extend-all",), directory=tmp_path / "built")


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    return build_failing(tmp_path_factory.mktemp("failing"), """
cimport cython_customslots as customslots
from cython_customslots.provider cimport extensibletype
cdef class Meta(extensibletype):
    cdef public long level
    cdef public object label
@customslots.metaclass(Meta, level=3, label="text")
cdef public class Levelled [object LevelledObject, type LevelledType]: pass
@customslots.metaclass(Meta, level=4)
cdef public class Lower(Levelled) [object LowerObject, type LowerType]: pass
""")


@pytest.mark.thorough
def test_an_import_that_failed_can_be_repeated(failing):
    """With the same type objects, as in plain Cython, for there is one symbol."""
    assert support.check_child(TWICE + """
    import failing
    print(failing.state(), flag.seen[0] == flag.seen[1], isinstance(Left(), failing.Base), Left().x)
    """, modules=[failing]).splitlines() == [
        "once", "[True, True, 5] True True 5"]


def test_a_class_with_c_fields_can_be_made_again(failing):
    assert support.check_child(TWICE + """
    import failing
    class Python(failing.Lower, level=9): pass
    print([(c.level, c.label) for c in (failing.Levelled, failing.Lower, Python)])
    """, modules=[failing]).splitlines() == ["once", "[(3, 'text'), (4, 'text'), (9, 'text')]"]


@pytest.mark.thorough
def test_a_class_that_cannot_be_the_same_again_is_an_import_error(tmp_path):
    path = build_failing(tmp_path, """
class Mixin: __slots__ = ()
cdef public class Late(Base, Mixin) [object LateObject, type LateType]: pass
""")
    assert support.check_child(TWICE + """
    for attempt in range(2):
        try:
            import failing
        except ImportError as error:
            print(error)
    print(Left().x)
    """, modules=[path]).splitlines() == ["once", *[
        "class 'failing.Late' was made by an import of its module that failed, with other bases or "
        "another metaclass; its type object exists once in a process: start Python again"] * 2, "5"]


# --------------------------------------------------------------- where there is no room

BASE = "cdef class Base:\n    cdef public int x\n"
META = ("from cython_customslots.provider cimport extensibletype\n"
        "cdef class Meta(extensibletype):\n    cdef public long level\n"
        "    cdef long long others[8]\n")
SHOWN = """
from provider cimport Base
{decorator}
cdef public class Shown(Base) [object ShownObject, type ShownType]: pass
"""


@pytest.fixture(scope="module")
def stale():
    """Importers that were compiled before the base got a metaclass with fields."""
    versions = {"before": Version(BASE, "cdef class Base: pass\n", layer=False),
                "now": Version(META + HEAD + "@customslots.metaclass(Meta)\n" + BASE,
                               "cdef class Meta(extensibletype): pass\ncdef class Base: pass\n")}
    return Paths("exported", versions, [
        Importer("decorated", "before", HEAD + SHOWN.format(
            decorator="@customslots.slot(5, flags=1)")),
        Importer("automatic", "before", SHOWN.format(decorator=""), cython_args=["--extend-all"])])


@pytest.mark.thorough
def test_a_base_with_more_fields_than_there_is_room_for_is_an_error(stale):
    code = "import decorated\nprint(type(decorated.Shown).__name__)"
    assert run(stale, "before", ["decorated"], code) == "extensibletype_v3"
    text = run(stale, "now", ["decorated"], code)
    assert text.startswith("TypeError: the type object of class 'decorated.Shown' has room for ")
    assert text.endswith("compile the module with the current .pxd files of the bases of the class")


@pytest.mark.thorough
def test_a_class_of_extend_all_stays_plain_there(stale):
    code = """
        import automatic, provider
        from cython_customslots import layout
        class Sub(automatic.Shown, level=3): pass
        print(layout(automatic.Shown)["resolved"], automatic.Shown().x, Sub.level, layout(Sub)["resolved"])
        """
    assert run(stale, "before", ["automatic"], code.replace(", level=3", "").replace(
        "Sub.level", "0")) == "True 0 0 True"
    assert run(stale, "now", ["automatic"], code) == "False 0 3 True"


@pytest.mark.thorough
@pytest.mark.skipif(CYTHON < (3, 1), reason="Cython 3.0 generates no C for the Limited API")
@pytest.mark.skipif(support.FREE_THREADED,
                    reason="free-threaded CPython has no Limited API before 3.15")
def test_with_the_limited_api_they_compile_as_in_plain_cython(tmp_path):
    source = tmp_path / "limited.pyx"
    source.write_text("cdef class P:\n    cdef public int x\n"
                      "cdef public class Q(P) [object O, type T]: pass\n")
    limited = f"-DPy_LIMITED_API=0x03{max(sys.version_info.minor, 11):02X}0000"
    path = support.build_cython(source, cython_args=("--extend-all",), cflags=(limited,),
                                directory=tmp_path / "built")
    assert support.check_child("import limited; print(limited.Q().x, type(limited.Q).__name__)",
                               modules=[path]) == "0 type"


@pytest.mark.nightly
def test_a_compiler_with_types_in_names_leaves_them_plain_or_says_why_not(tmp_path):
    """C++ of Microsoft, where a variable of another type has another name for the linker."""
    flags = ("-O0", "-D__PYX_CUSTOMSLOTS_SYMBOL_HAS_LABEL=0", "-D__PYX_CUSTOMSLOTS_SYMBOL_IS_TYPE=1")
    text = ("# distutils: language = c++\n# cython: freethreading_compatible=True, "
            "preliminary_late_includes_cy28=True\n"
            "cdef class P:\n    cdef public int x\n"
            "cdef public class Q(P) [object O, type T]: pass\ncdef extern from *:\n"
            "    'static PyObject *shown() { return Py_NewRef((PyObject *)&T); }'\n"
            "    object shown()\ndef names(): return shown() is Q, type(P).__name__, type(Q).__name__\n")

    def build(name, text):
        (tmp_path / f"{name}.pyx").write_text(text)
        return building.build(building.Module(
            name, [tmp_path / f"{name}.pyx"], cython_args=["--extend-all"], cflags=flags,
            cplus=True), tmp_path / name).path

    path = build("typed_names", text)
    assert support.check_child("import typed_names as m; print(*m.names(), isinstance(m.Q(), m.P))",
                               modules=[path]) == (
        "True extensibletype_v3 extensibletype_v3 True")
    with pytest.raises(building.BuildError, match="a public cdef class of a C.. module cannot be ext"):
        build("typed_error", "cimport cython_customslots as cs\n" + text.replace(
            "cdef public class", "@cs.extensible\ncdef public class"))
