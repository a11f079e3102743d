# SPDX-License-Identifier: MIT
"""The README's examples are what a user gets: taken from the README, built and run."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
import support

pytestmark = pytest.mark.once

#: Otherwise a free-threaded CPython warns when it is imported, and warnings are errors here.
DIRECTIVES = "# cython: language_level=3, freethreading_compatible=True\n"
README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


def example(name):
    found = re.findall(rf"<!-- example: {re.escape(name)} -->\n```\w+\n(.*?)```",
                       README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(found) == 1, f"README: {len(found)} blocks marked 'example: {name}'"
    return found[0]


def build(name, **options):
    directory = support.cache_directory("readme", name)
    source = support.write_source(directory / name, DIRECTIVES + example(name))
    return support.build_cython(source, directory=directory / "built", **options)


def test_no_example_of_the_readme_is_left_untested():
    examples = re.findall(r"<!-- example: (\S+) -->", README.read_text(encoding="utf-8"))
    tests = pathlib.Path(__file__).read_text(encoding="utf-8")
    assert len(examples) >= 6
    assert [name for name in examples if f'"{name}"' not in tests] == []


def test_the_readme_example_builds_and_greets():
    support.check_child(example("friendly.py"), modules=[build("greetings.pyx", carries=True)])


@pytest.mark.thorough
def test_the_readme_says_how_its_first_example_is_built_and_what_goes_wrong_with_plain_cython(tmp_path):
    """Only the line with pip is not run: the tests run in what it would have installed."""
    command, = re.findall(r"<!-- command: greetings -->\n```sh\npip install .*\n(.*)\n```",
                          README.read_text(encoding="utf-8"))
    for name in "greetings.pyx", "friendly.py":
        (tmp_path / name).write_text(example(name), encoding="utf-8")
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
    subprocess.run(command, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path}, check=True, timeout=300)

    plain = subprocess.run([sys.executable, "-m", "Cython.Build.Cythonize", "-f", "greetings.pyx"], cwd=tmp_path,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=300)
    message, = re.findall(r'Plain `cythonize` would answer "(.*)"', README.read_text(encoding="utf-8"))
    assert plain.returncode != 0 and message in plain.stdout


def test_the_readme_example_imports_nothing_of_the_package_at_run_time():
    support.check_child("""
        import sys
        sys.modules["cython_customslots"] = None        # an import of it would fail
        import greetings
        assert greetings.Hello("you").greet() == "Hello you!"
    """, modules=[build("greetings.pyx")])


def test_fields_of_all_kinds_are_set_from_python_as_the_readme_says():
    built = build("plugins.pyx", layer=True, cplus=True)
    support.check_child(example("use_plugins.py"), modules=[built])


def test_a_value_that_does_not_fit_leaves_no_class_behind_and_abstract_is_abstract():
    built = build("plugins.pyx", layer=True, cplus=True)
    support.check_child("""
        from plugins import Plugin
        for keywords, error in [({"priority": "high"}, TypeError),
                                ({"priority": 2 ** 40}, OverflowError), ({"tags": 3}, TypeError)]:
            try:
                type(Plugin)("Wrong", (Plugin,), {}, **keywords)
            except error:
                pass
            else:
                raise AssertionError(keywords)
        assert Plugin.__subclasses__() == []
        try:
            Plugin()
        except TypeError as error:
            assert "abstract" in str(error)
        else:
            raise AssertionError("an abstract class has instances")
    """, modules=[built])


def test_the_second_door_works_in_plain_cython_as_the_readme_says():
    built = build("lengths.pyx", layer=False)
    support.check_child("""
        import lengths
        class Special(list):
            pass
        assert lengths.length([1, 2]) == 2 and lengths.length(Special("abc")) == 3
        assert lengths.length((1, 2)) is None
    """, modules=[built])


def test_a_callable_is_called_without_boxes_or_through_python_as_the_readme_says():
    modules = [build("curves.pyx", layer=True), build("sums.pyx", layer=False)]
    support.check_child(example("use_sums.py") + """
try:
    sums.total(lambda x: 1 / (x - 2), 4)
except ZeroDivisionError:
    pass
else:
    raise AssertionError("the error got lost")
""", modules=modules)


def test_a_python_class_declares_slots_as_the_readme_says():
    support.check_child(example("slotted.py"))
