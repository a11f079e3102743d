# SPDX-License-Identifier: MIT
"""Who implements, put into words; and the metaclass is found where its name says it is."""
import cython_customslots
import pytest
import support
from cython_customslots.implementations import Implementation, Meeting, RuntimeInfo

OLD = Implementation("old.wheel", "0.0.9", 1, 31, "/there/old.so")
NEW = Implementation("", "3.0.0", 2, 40, None)


def test_the_first_who_came_serves_and_to_look_changes_nothing(probe):
    """Not even who serves, though the installed implementation may be the newer one."""
    said = support.check_child("""
        import sys, probe
        E = probe.import_metaclass()
        from cython_customslots import runtime_info
        info = runtime_info()
        created, = info.meetings
        assert created.verdict == "created" and created.found is None
        assert created.implementation == info.serving and info.serving.file == probe.__file__
        assert info.pinned is None and info.serving.version == sys.argv[1]
        print(info)
        assert "_customslots_runtime" not in sys.modules
        assert runtime_info() == info
        import _customslots_runtime
        assert [met.verdict for met in runtime_info().meetings] == ["created", "older"]
        assert runtime_info().meetings[1].implementation.version == sys.argv[1]
        """, cython_customslots.__version__, modules=[support.probe_path()])
    assert "was the first, and made what all share" in said


@pytest.mark.parametrize("verdict, says", [
    ("created", "was the first"), ("took over", "took over from 0.0.9 of old.wheel"),
    ("older", "is not newer than 0.0.9 of old.wheel"),
    ("state", "it serves state 2, and found state 1"),
    ("pinned", "CUSTOMSLOTS_RUNTIME names another one"), ("something new", "something new"),
])
def test_every_verdict_is_put_into_words(verdict, says):
    said = str(RuntimeInfo(NEW, (Meeting(NEW, OLD, verdict),), 3, 3, 1, "first"))
    assert says in said and "pins the one that serves" in said and "3.0.0" in said, said


def command(*arguments, **environment):
    return support.run_child("import runpy, sys\nsys.argv[1:] = " + repr(list(arguments))
                             + "\nrunpy.run_module('cython_customslots', run_name='__main__')",
                             modules=[support.probe_path()], env=environment)


def test_the_command_imports_modules_and_says_who_implements():
    done = command("runtime", "probe", "_customslots_runtime", CUSTOMSLOTS_RUNTIME="first")
    assert done.returncode == 0, done.stderr
    assert "serving: " in done.stdout and "_customslots_runtime" in done.stdout
    assert "CUSTOMSLOTS_RUNTIME=first pins the one that serves" in done.stdout


def test_the_command_says_what_is_wrong():
    for wrong in "no_such_module", "", ".", "two words", "class", "größe.py", "json.py":
        done = command("runtime", wrong)
        assert done.returncode == 1
        line, = done.stderr.splitlines()
        assert line.startswith(f"cython_customslots runtime: module {wrong!r} cannot be imported: it raises "), line
        assert line.endswith("; expected the full name of a module")
    assert command("runtime", "--help").stdout.startswith("usage: ")


def test_a_class_can_be_unpickled_where_nobody_made_the_metaclass():
    """Its metaclass is importable where its name says it is."""
    from cython_customslots import ExtensibleType
    for metaclass in ExtensibleType, type(ExtensibleType):
        data = f"c_extensibletype\n{metaclass.__name__}\n.".encode()
        assert support.check_child(f"""
            import pickle
            found = pickle.loads({data!r})
            import _extensibletype
            from cython_customslots import ExtensibleType
            assert found in (ExtensibleType, type(ExtensibleType)) and _extensibletype._api
            print(found.__name__)
            """) == metaclass.__name__
