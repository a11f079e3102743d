# SPDX-License-Identifier: MIT
"""Modules that carry no implementation, or that ask for a function which nobody has: what they
find, and what they say if there is nothing to be found."""
import re
import textwrap

import ages
import pytest
import support

pytestmark = pytest.mark.thorough


def client(age="this", runtime="_customslots_runtime", name="client"):
    """A module of this age that carries nothing."""
    return ages.build(age, name, runtime=runtime)


def runtime(age):
    """One that plays the installed runtime of this age."""
    return ages.build(age, "_customslots_runtime")


def package(age, directory):
    """A package `shared` whose module _runtime carries the implementation."""
    made = directory / "shared"
    made.mkdir(exist_ok=True)
    (made / "__init__.py").touch()
    built = ages.build(age, "shared._runtime")
    (made / built.name).write_bytes(built.read_bytes())
    return made


def check(code, *embedding, modules=(), **options):
    return ages.check(textwrap.dedent(code), *embedding, modules=modules, **options)


# ---------------------------------------------------------------- who is found --


@pytest.mark.parametrize("order", [
    ("age_old", "client", "sibling", "_customslots_runtime"),
    ("sibling", "age_function", "client", "_customslots_runtime"),
    ("client", "age_function", "sibling", "age_old"),
    ("_customslots_runtime", "age_function", "age_old", "client", "sibling")], ids="-".join)
def test_embedded_installed_and_shared_ones_meet_in_every_order(order, tmp_path):
    check(f"""
        import exercise
        modules = exercise.together(*{order!r})
        assert {"age_function" in order} == (modules[0].serving() == "age_function 9.3.0")
        came = [who for who, _, _ in modules[0].met(modules[0].import_metaclass())]
        assert came[0] == {"age_old 0.0.9" if order[0] == "age_old" else
                           "shared._runtime " + ages.THIS if order[0] == "sibling" else
                           "_customslots_runtime 9.2.0"!r}, came
        """, "old", "function", modules=[
            client(), runtime("new"), package("this", tmp_path),
            client("old", "shared._runtime", "sibling")])


def test_the_real_runtime_tells_of_all_of_them():
    """Of the installed package, with its words for verdicts."""
    check(f"""
        import exercise
        exercise.together("age_old", "age_function", "age_state", "age_new")
        import _customslots_runtime
        _, _, version, serving, came = _customslots_runtime.info()
        assert version == 1 and serving[:3] == ("age_function", "9.3.0", 1), serving
        rows = [(who[:2], found and found[:2], verdict) for who, found, verdict in came]
        assert rows == [
            (("age_old", "0.0.9"), None, "created"),
            (("age_function", "9.3.0"), ("age_old", "0.0.9"), "took over"),
            (("age_state", "9.5.0"), ("age_function", "9.3.0"), "state"),
            (("age_new", "9.2.0"), ("age_function", "9.3.0"), "older"),
            (("_customslots_runtime", {ages.THIS!r}), ("age_function", "9.3.0"), "older")], rows
        assert all("age_" in who[4] or "_customslots_runtime" in who[4] for who, _, _ in came)
        assert serving[3] == came[0][0][3] + 1                          # functions
        """, "old", "new", "function", "state")


# ------------------------------------------------- a mistake that was mended --


@pytest.mark.parametrize("order", ["old-new", "new-old", "old-this-new"])
def test_a_mistake_is_mended_for_all_modules_and_for_classes_that_were_there(order):
    first, *others = order.split("-")
    check(f"""
        import age_{first} as first
        Rich = first.rich_metaclasses()[0]
        class Before(metaclass=Rich):
            pass
        def refusal():
            try:
                Before.ratio = 1.5
            except AttributeError as error:
                return str(error)
        is_new = {first == "new"}
        assert refusal().endswith("and that is a fact" if is_new else "is read-only"), refusal()
        before = refusal()
        import {", ".join(f"age_{age}" for age in others)}
        assert refusal().endswith("and that is a fact") and len(refusal()) >= len(before)
        """, first, *others)


# --------------------------------------------------- a function that is not there --


@pytest.mark.parametrize("order", ["old-function", "function-old", "this-field", "state-old"])
def test_a_function_that_was_added_is_there_when_its_implementation_serves(order):
    ages_ = order.split("-")
    asks = next(age for age in ages_ if ages.all_ages()[age].defines)
    check(f"""
        import {", ".join(f"age_{age}" for age in ages_)}
        assert age_{asks}.answer() == 42
        """, *ages_)


def test_a_function_that_nobody_has_is_an_error_that_says_who_serves_and_what_to_do():
    check("""
        import exercise, age_state, age_function
        for name in "age_state", "age_function":
            assert __import__(name).answer() == 42      # the first one has it
        """, "state", "function")
    check("""
        import exercise, age_this, age_state
        run = exercise.Run()
        run.join(age_this)
        run.join(age_state)                     # cannot take over, and so is a client
        for _ in range(3):
            error = exercise.refused(NotImplementedError, age_state.answer)
            assert str(error) == (
                "PyExtensibleType_Answer(): found implementation %s of extensible types, of module 'age_this', "
                "expected 9.3.0 or later; this module carries a later one, which could not take over: "
                "_customslots_runtime.info() says why"), error
        run.go_on(20)                           # and nothing else fails
        import age_function
        assert age_state.answer() == age_function.answer() == 42
        run.join(age_function)
        """.replace("%s", ages.THIS), "this", "state", "function")


def test_a_client_whose_runtime_is_older_than_its_headers_says_what_to_rebuild(tmp_path):
    """Everything else works with that runtime."""
    for modules, name, number in (
            ([client("function"), runtime("this")], "_customslots_runtime", ages.THIS),
            ([client("function", "shared._runtime"), package("old", tmp_path)], "shared._runtime", "0.0.9")):
        check(f"""
            import exercise
            client, = exercise.together("client")
            error = exercise.refused(NotImplementedError, client.answer)
            assert str(error) == (
                "PyExtensibleType_Answer(): found implementation {number} of extensible types, of module '{name}', "
                "expected 9.3.0 or later; install or rebuild '{name}' with a later cython-customslots"), error
            exercise.together("client")
            """, modules=modules)


def test_a_client_gets_a_function_from_a_runtime_that_is_installed_and_not_imported_yet():
    """An old wheel came first, so that nobody had to import the runtime."""
    check("""
        import sys, exercise, age_old, client
        assert client.serving() == "age_old 0.0.9" and "_customslots_runtime" not in sys.modules
        assert client.answer() == 42
        assert client.serving() == "_customslots_runtime 9.4.0"
        exercise.together("age_old", "client", "_customslots_runtime")
        """, "old", modules=[client("function"), runtime("field")])


# ------------------------------------------------------- fields that say more --


@pytest.mark.parametrize("order", ["old-field", "field-old", "this-field"])
def test_a_description_may_say_more_where_it_is_understood(order):
    ages_ = order.split("-")
    asks = next(age for age in ages_ if "AGE_LATER" in ages.all_ages()[age].defines)
    other = next(age for age in ages_ if age != asks)
    check(f"""
        import {", ".join(f"age_{age}" for age in ages_)}
        metaclass = age_{asks}.undescribed_metaclass()
        age_{asks}.later(metaclass, "level", 7)
        class Cls(metaclass=metaclass):
            level = 3
        assert Cls.level == 7                       # what that member says
        plain = age_{other}.undescribed_metaclass()
        age_{other}.later(plain, "level", 0)
        class Plain(metaclass=plain):
            level = 3
        assert Plain.level == 3
        """, *ages_)


def test_a_description_that_says_more_than_is_understood_is_refused():
    check("""
        import exercise, age_this, age_state        # which stays a client
        metaclass = age_state.undescribed_metaclass()
        for _ in range(2):
            message = str(exercise.refused(NotImplementedError, age_state.later, metaclass, "level", 7))
            assert "field 0 ('level') of metaclass" in message, message
            assert "that the module of the metaclass was built with" in message, message
        age_state.later(metaclass, "level", 0)      # as if it had not been tried
        class Cls(metaclass=metaclass):
            level = 3
        assert Cls.level == 3
        """, "this", "state")


# ------------------------------------------------------------------- pinned --


CREATED, TOOK, OLDER, STATE, PINNED = ages.CREATED, ages.TOOK, ages.OLDER, ages.STATE, ages.PINNED


@pytest.mark.parametrize("pin, order, serving, verdicts", [
    ("first", "old-this-function", "old", [CREATED, PINNED, PINNED]),
    ("first", "function-old", "function", [CREATED, OLDER]),
    ("age_this", "old-this-function", "this", [CREATED, TOOK, PINNED]),
    ("age_this", "old-function", "old", [CREATED, PINNED]),
    ("", "old-this", "this", [CREATED, TOOK]),
    ("age_this", "state-this", "state", [CREATED, STATE])])
def test_the_environment_pins_who_serves(pin, order, serving, verdicts):
    order = order.split("-")
    check(f"""
        import exercise
        modules = exercise.together(*{[f"age_{age}" for age in order]!r})
        assert {{module.serving() for module in modules}} == {{{ages.named(serving)!r}}}
        verdicts = [verdict for _, _, verdict in modules[0].met(modules[0].import_metaclass())]
        assert verdicts == {verdicts!r}, verdicts
        """, *order, env={"CUSTOMSLOTS_RUNTIME": pin})


# ---------------------------------------------------------- nobody to be found --

NOBODY = """
    import exercise, sys
    def refusal(kind=ImportError):
        error = exercise.refused(kind, __import__, "client")
        assert "client" not in sys.modules and "_extensibletype" not in sys.modules
        return error
"""


def check_refused(code, *embedding, modules=(), **options):
    check(textwrap.dedent(NOBODY) + textwrap.dedent(code), *embedding, modules=modules, **options)


#: What stands in a file in the place of the runtime, the cause of the refusal, and its words.
TROUBLES = [("raise ImportError('not for you')", "ImportError", "not for you"),
            ("raise ValueError('broken')", "ValueError", "broken"),
            ("import module_that_is_not_there", "ModuleNotFoundError", "module_that_is_not_there"),
            ("pass", "KeyError", "_extensibletype"), ("'unfinished", "SyntaxError", "")]


@pytest.mark.parametrize("text, kind, words", TROUBLES, ids=[kind for _, kind, _ in TROUBLES])
def test_a_runtime_that_cannot_be_had_is_an_import_error(text, kind, words, tmp_path):
    """The next import works, once the cause is gone."""
    source = tmp_path / "_customslots_runtime.py"
    source.write_text(text + "\n")
    check_refused(f"""
        import os, importlib
        for _ in range(2):
            error = refusal()
            assert str(error).startswith(
                "extensible types: found no implementation in this interpreter, expected one from "
                "module '_customslots_runtime'; install it: pip install cython-customslots"), error
            assert type(error.__cause__) is {kind} and {words!r} in str(error.__cause__), error.__cause__
        os.remove({str(source)!r})
        sys.modules.pop("_customslots_runtime", None)
        importlib.invalidate_caches()
        sys.path.insert(0, {str(runtime("this").parent)!r})
        client, = exercise.together("client")
        assert client.serving() == "_customslots_runtime {ages.THIS}"
        """, modules=[client(), source])


def test_a_package_without_its_runtime_module_is_an_import_error(tmp_path):
    check_refused("""
        error = refusal()
        assert str(error).startswith(
            "extensible types: found no implementation in this interpreter, expected one from "
            "module 'shared._runtime'; that module carries it for its whole package"), error
        assert type(error.__cause__) is ModuleNotFoundError
        import age_old                              # another one serves as well
        exercise.together("age_old", "client")
        """, "old", modules=[client("this", "shared._runtime")])


@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "SystemExit", "MemoryError"])
def test_what_is_no_error_of_the_runtime_goes_through(kind, tmp_path):
    (tmp_path / "_customslots_runtime.py").write_text(f"raise {kind}('mine')\n")
    check_refused(f"""
        for _ in range(2):
            assert str(refusal({kind})) == "mine"
        sys.path.insert(0, {str(runtime('this').parent)!r})
        exercise.together("client")
        """, modules=[client(), tmp_path / "_customslots_runtime.py"])


@pytest.mark.parametrize("order", [["failing"], ["age_old", "failing"], ["failing", "age_field"]], ids="-".join)
def test_a_module_whose_import_fails_later_has_come_by_and_serves(order):
    """Its code stays in the process, and so does what it made."""
    failing = ages.build("function", "failing", more=("-DAGE_FAILS",))
    check(f"""
        import sys, exercise
        run = exercise.Run()
        for name in {order!r}:
            if name != "failing":
                run.join(__import__(name))
                continue
            for _ in range(2):
                assert str(exercise.refused(RuntimeError, __import__, "failing")) == "for another reason"
                assert "failing" not in sys.modules
        import age_this
        run.join(age_this)
        serving = {"age_field 9.4.0" if "age_field" in order else "failing 9.3.0"!r}
        assert age_this.serving() == serving, age_this.serving()
        """, "old", "field", "this", modules=[failing])


def test_a_file_that_carries_nothing_and_comes_first_says_so():
    elsewhere = ages.build("this", "elsewhere", more=("-DPyExtensibleType_RUNTIME_ELSEWHERE",))
    check("""
        import exercise
        message = str(exercise.refused(ImportError, __import__, "elsewhere"))
        assert "PyExtensibleType_RUNTIME_ELSEWHERE" in message, message
        exercise.together("age_new", "elsewhere")
        """, "new", modules=[elsewhere])


@pytest.mark.parametrize("headers, implementation, is_what", support.thoroughly([
    ("this", "old", "older"), ("this", "function", "newer"), ("function", "this", "older"),
    ("state", "field", "older"), ("old", "this", "newer"), ("field", "state", "newer")], plain=2, thorough=0))
@pytest.mark.parametrize("dialect", ["c99", "c++11"])
def test_headers_of_another_age_than_the_implementation_beside_them_are_a_compile_error(
        headers, implementation, is_what, dialect, tmp_path):
    """It stands before all that the compiler says about what does not fit together then."""
    text = ages.all_ages()
    begin = "/* [cython-customslots: begin customslots_runtime.h] */"
    mixed = text[headers].text.partition(begin)[0] + begin + text[implementation].text.partition(begin)[2]
    (tmp_path / "extensibletype.h").write_text(mixed)
    (tmp_path / "mixed.c").write_text('#include "extensibletype.h"\n')
    done = support.compile_strictly(tmp_path / "mixed.c", dialect, tmp_path / "mixed.o",
                                    include_dirs=[tmp_path], headers=False)
    assert done.returncode != 0
    first, = re.findall(r"error: (.*)", done.stdout)[:1]
    assert (f"customslots_runtime.h is {is_what} than the extensibletype.h that was found: take both "
            "from one cython-customslots, from the directory that its get_include() names") in first
