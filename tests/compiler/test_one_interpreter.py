# SPDX-License-Identifier: MIT
"""A module with static types is that of the first interpreter that imports it, as with plain Cython."""
import sys

import pytest
import support
from compiling import compile_all
from layer_modules import build

#: What the module has, used in the interpreter that imports it.
USE = """
    import gc, sys
    sys.path[:0] = {path!r}
    if isolated:
        # Cython says of no module with static types that it may be imported there; who knows better can.
        import _imp
        _imp._override_multi_interp_extensions_check(-1)
    import layer_one_interpreter as m
    class Python(m.Derived): number = 7
    assert type(Python) is type(m.Base) is m.Meta and type(m.Plain).__name__ == "extensibletype_v4"
    assert (m.Base.number, m.Base.label, Python.number, Python.label) == (5, ["label"], 7, ["label"])
    Python.label = [1, 2]
    class Below(Python): pass
    assert m.Derived.label == ["label"] and Below.label == [1, 2]
    del Python.number
    assert Below.number == 5
    assert (m.Base().method(), Python().method()) == (1, 2)
    assert m.find(Below(), b"layer_one_interpreter.answer") == 42
    class Other(m.Shape):
        def area(self): return 1.5
    assert m.area(m.Square(3)) == 9 and m.area(Other()) == 1.5 and m.Shape.implementers() == [m.Square, Other]
    m.Base.__doc__, repr(m.Shape), dir(Below), gc.collect()
    """

#: What another one meets: the ImportError, and before 3.12 the types among the subclasses of `object`.
OTHER = """
    import gc, sys
    sys.path[:0] = {path!r}
    if isolated:
        import _imp
        _imp._override_multi_interp_extensions_check(-1)
    for again in range(2):
        try: import layer_one_interpreter
        except ImportError as error: found = str(error)
        else: found = "accepted"
        with open(target, "a") as file: file.write(found + chr(10))
    for cls in object.__subclasses__() if not isolated else ():
        if getattr(cls, "__module__", "") != "layer_one_interpreter" or type(cls) is type: continue
        repr(cls), dir(cls), cls.__doc__, cls.__mro__, getattr(cls, "label", None), cls.__subclasses__()
        for attempt in (lambda: type("Sub", (cls,), {{}}), lambda: type(cls)("Sub", (cls,), {{}}),
                        lambda: type(cls)("Sub", (), {{}})):
            try: attempt()
            except TypeError as error: assert "belongs to interpreter" in str(error), error
            else: raise AssertionError(cls)
    gc.collect()
    """


def check(code, path, *arguments):
    support.check_child(f"import support, sys, textwrap\npath = {[str(path)]!r}\n" + code, *arguments,
                        modules=[support.TESTS / "support.py"])


@pytest.fixture
def folder():
    return build("layer_one_interpreter.pyx").parent


@pytest.mark.parametrize("kind", ["legacy", pytest.param("isolated", marks=pytest.mark.skipif(
    sys.version_info < (3, 12) or support.FREE_THREADED, reason="Cython's modules cannot be imported there"))])
@pytest.mark.parametrize("first", [0, 1])
def test_a_module_belongs_to_the_first_interpreter_that_imports_it(folder, tmp_path, kind, first):
    """Whichever it is; and after its end no other one gets it, nor crashes where it meets what is left."""
    check(f"""if True:
        legacy, first, target = {kind == "legacy"}, {first}, sys.argv[1]
        use, other = ("isolated = %r" % (not legacy) + textwrap.dedent(code.format(path=path))
                      for code in ({USE!r}, {OTHER!r}))
        def in_main(code): exec(code.replace("isolated = True", "isolated = False"), {{"target": target}})
        if first == 0: in_main(use)
        else: support.run_in_new_interpreter(use, target, legacy)                       # it ends
        for turn in range(3):
            support.run_in_new_interpreter(other, target, legacy)
            if first != 0: in_main(other)
        """, folder, tmp_path / "rows")
    rows = (tmp_path / "rows").read_text().splitlines()
    asking = [n for turn in range(3) for n in ([turn + 1 + first] * 2 + [0] * 2 * first)]
    assert [row.partition(":")[0] for row in rows] == [
        f"module 'layer_one_interpreter' belongs to interpreter {first}, but this is interpreter {n}" for n in asking]
    assert all("import it in one interpreter only, or start a process for each" in row for row in rows)


def test_extended_modules_can_be_imported_where_plain_ones_can(tmp_path):
    source = ("# cython: language_level=3, freethreading_compatible=True\\n{}cdef class Node:\n"
              "    cdef public object x\n")
    folders = []
    for name, switch in ("plain", ""), ("extended", "# customslots: extend_all=True\n"):
        compiled = compile_all({"case": {f"{name}.pyx": source.replace("\\n", "\n").format(switch)}})["case"]
        assert compiled.errors == [], compiled.messages
        path = tmp_path / f"{name}.c"
        path.write_text(compiled.c)
        folders.append(str(support.build_c(name, path, cflags=("-O0",)).parent))
    check("""if True:
        support.run_in_new_interpreter('''if True:
            import sys
            sys.path[:0] = target.split(chr(10))
            import extended, plain
            class Sub(extended.Node): pass
            assert type(Sub).__name__ == "extensibletype_v4" and type(plain.Node) is type
            ''', sys.argv[1], legacy=True)
        """, tmp_path, "\n".join(folders))
