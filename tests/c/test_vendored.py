# SPDX-License-Identifier: MIT
"""`python -m cython_customslots vendor`: the files work alone, tell their age, and what the command
did not write stays as it is."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cython_customslots
import pytest
import support
from cython_customslots.tools import vendoring

pytestmark = pytest.mark.compilers

HERE = Path(__file__).resolve().parent
EXAMPLES = ["example.c", "example_provider.c", "example_typed.c", "example_array.c", "example_module.c"]
DIALECTS = dict.fromkeys(["c99", "c++11", *support.DIALECTS])


def vendor(*arguments):
    """(exit code, output, errors) of the command."""
    done = subprocess.run([sys.executable, "-m", "cython_customslots", "vendor", *map(str, arguments)],
                          cwd=HERE, capture_output=True, encoding="utf-8", timeout=60)
    return done.returncode, done.stdout, done.stderr


def contents(directory):
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    directory = tmp_path_factory.mktemp("vendored") / "third" / "party"
    assert vendor(directory, "--what", "all")[0] == 0
    return directory


@pytest.fixture
def copies(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "copies"))


# ------------------------------------------------------------------ they work alone

@pytest.mark.parametrize("dialect", [
    pytest.param(dialect, marks=[] if dialect == "c99" else [pytest.mark.nightly]) for dialect in DIALECTS])
def test_reader_provider_and_typed_module_need_nothing_but_the_vendored_files(dialect, whole, tmp_path):
    """Compiled with that folder alone, imported without what is installed."""
    name = "vendored_" + dialect.replace("+", "p")
    objects = support.compile_all_strictly(
        [HERE / source for source in EXAMPLES], dialect, tmp_path, f"-DEXAMPLE_NAME={name}",
        include_dirs=[whole, HERE], headers=False)
    tools = support.toolchain()
    linker = tools.cxx if dialect.startswith("c++") else tools.cc
    target = tmp_path / (name + tools.suffix)
    subprocess.run([*linker, *map(str, objects), *tools.link_flags, "-o", str(target)], check=True)
    said = subprocess.run([sys.executable, "-I", "-S", "-c", f"""
import importlib.util, math, sys
assert importlib.util.find_spec("cython_customslots") is None
assert importlib.util.find_spec("_customslots_runtime") is None
sys.path.append({str(tmp_path)!r})
import {name} as examples
twice = examples.twice_type()
class Sub(twice): pass
assert [examples.call_or_zero(x, 21.0) for x in (twice(), Sub(), 5)] == [42.0, 42.0, 0.0]
assert abs(examples.integrate(math.exp, 0.0, 1.0, 1000) - (math.e - 1)) < 1e-6
print("works")
"""], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60)
    assert said.stdout == "works\n", said.stderr
    binary = target.read_bytes()                # tells its age
    for header in "extensibletype.h", "typedmethod.h":
        assert f"{header} of cython-customslots {cython_customslots.__version__}: table ABI".encode() in binary


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[] if name == "extensibletype.h" else [pytest.mark.thorough]) for name in vendoring.FILES])
def test_each_file_stands_alone_and_may_be_unused(name, whole, tmp_path):
    """With no other of ours anywhere near: a folder of its own."""
    shutil.copy(whole / name, tmp_path)
    source = tmp_path / "alone.c"
    source.write_text(f'#include "{name}"\n#include "{name}"\nint probe_unused;\n'
                      "const char *probe_age(void);\n"
                      "const char *probe_age(void) { return PyCustomSlots_VERSION; }\n")
    for dialect in ["c++11"] if name.endswith(".hpp") else ["c99", "c++11"]:
        support.compile_all_strictly([source], dialect, tmp_path, headers=False, include_dirs=[tmp_path],
                                     check_only=True)
    assert not re.search(r'^\s*#\s*include\s*"', (whole / name).read_text(), re.MULTILINE)


@pytest.mark.parametrize("first, second", support.thoroughly([
    ("customslots.h", "extensibletype.h"), ("extensibletype.h", "customslots.h"),
    ("typedmethod.h", "extensibletype.h"), ("extensibletype.h", "typedmethod.h")]))
def test_a_file_of_another_age_in_one_source_is_an_error_that_names_it(first, second, copies, tmp_path):
    """What this would lead to otherwise is that half of each is used."""
    other = copies / first
    newer = other.read_text().replace("PyCustomSlots_VERSION_HEX 0x000100F0",
                                      "PyCustomSlots_VERSION_HEX 0x000200F0").replace(
        "PyCustomSlots_VERSION_HEX != 0x000100F0", "PyCustomSlots_VERSION_HEX != 0x000200F0")
    other.write_text(newer)
    source = tmp_path / "mixed.c"
    source.write_text(f'#include <Python.h>\n#include "{first}"\n#include "{second}"\n')
    done = support.compile_strictly(source, "c99", tmp_path / "mixed.o", headers=False, include_dirs=[copies])
    assert done.returncode != 0
    assert (f"{second} is of cython-customslots {cython_customslots.__version__}, and a header of "
            "another version was included") in done.stdout


def test_a_module_with_installed_headers_tells_their_age_too(probe):
    expected = f"headers of cython-customslots {cython_customslots.__version__}".encode()
    assert expected in Path(probe.__file__).read_bytes()


# ------------------------------------------------------------------ their first lines

def test_the_first_lines_tell_version_abi_numbers_and_licence(whole):
    numbers = {"customslots.h": "table ABI 5", "extensibletype.h": "table ABI 5, rendezvous 4, state 1",
               "typedmethod.h": "table ABI 5, typed-record ABI 1",
               "typedmethod.hpp": "table ABI 5, typed-record ABI 1",
               "typedarray.h": "table ABI 5", "typedarray.hpp": "table ABI 5",
               "typedarray_provide.h": "table ABI 5",
               "customslots_runtime.c": "table ABI 5, rendezvous 4, state 1"}
    licence = (support.ROOT / "LICENSE").read_text()
    assert set(numbers) == set(contents(whole)) == set(vendoring.FILES)
    for name, expected in numbers.items():
        lines = (whole / name).read_text().splitlines()
        spdx = "MIT AND Apache-2.0" if "DLManagedTensor" in (whole / name).read_text() else "MIT"
        assert lines[0] == f"/* SPDX-License-Identifier: {spdx}"
        assert lines[2] == (f" * {name} of cython-customslots {cython_customslots.__version__}, in one file: "
                            f"{expected}.")
        head = "\n".join(line[3:] for line in lines[6:6 + len(licence.splitlines())])
        assert head == licence.rstrip("\n")


def test_the_macros_of_the_version_agree_with_the_package(whole):
    version = cython_customslots.__version__
    text = (whole / "customslots.h").read_text()
    assert f'#define PyCustomSlots_VERSION     "{version}" ' in text
    major, minor, patch = map(int, version.split("."))
    assert f"#define PyCustomSlots_VERSION_HEX 0x{major << 24 | minor << 16 | patch << 8 | 0xF0:08X} " in text


# ------------------------------------------------------------------ what is there

@pytest.mark.parametrize("what, files", [
    (["providers"], ["extensibletype.h"]), (["linked"], ["customslots_runtime.c"]),
    (["typed", "readers"], ["customslots.h", "typedmethod.h", "typedmethod.hpp"]),
    (["all"], vendoring.FILES)])
def test_what_is_asked_for_is_written_and_nothing_else(what, files, tmp_path):
    code, said, errors = vendor(tmp_path, "--what", *what)
    assert (code, errors) == (0, "") and said.count("wrote: ") == len(files)
    assert sorted(contents(tmp_path)) == sorted(files)
    (tmp_path / "usual").write_text("")                 # others may read them as any new file
    assert {path.stat().st_mode for path in tmp_path.iterdir()} == {(tmp_path / "usual").stat().st_mode}


def test_without_what_the_copies_that_are_there_are_meant(tmp_path):
    vendor(tmp_path, "--what", "readers")
    assert vendor(tmp_path) == (0, f"is current: {tmp_path / 'customslots.h'}\n", "")
    assert vendor(tmp_path, "--check") == (0, f"is current: {tmp_path / 'customslots.h'}\n", "")
    assert list(contents(tmp_path)) == ["customslots.h"]


FOREIGN = {
    "an empty file": b"",
    "our header as it is installed": None,
    "a file with another one's mark": b" * [cython-customslots vendor: typedmethod.h 0.1.0 sha256 "
                                      + b"0" * 64 + b"]\n",
    "no text at all": bytes(range(256)) * 9,
}


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize("kind", FOREIGN)
def test_what_it_did_not_write_is_never_overwritten(kind, force, tmp_path):
    there = FOREIGN[kind]
    if there is None:
        there = Path(cython_customslots.get_include(), "extensibletype.h").read_bytes()
    (tmp_path / "extensibletype.h").write_bytes(there)
    code, said, errors = vendor(tmp_path, "--what", "all", *force)
    assert (code, said) == (1, "")
    assert "extensibletype.h, which this command did not write" in errors
    assert contents(tmp_path) == {"extensibletype.h": there}        # and no other file was begun
    code, said, errors = vendor(tmp_path, "--check", "--what", "providers")
    assert (code, errors) == (1, "") and said.startswith("is not ours: ")


@pytest.mark.parametrize("place", ["begin", "middle", "end"])
def test_an_edit_anywhere_is_seen_and_kept(place, copies):
    path = copies / "typedmethod.h"
    text = path.read_text()
    path.write_text({"begin": "// mine\n" + text, "middle": text.replace("long", "short", 1),
                     "end": text + "\n"}[place])
    before = contents(copies)
    code, said, errors = vendor(copies)
    assert (code, said) == (1, "") and "typedmethod.h edited" in errors and "--force" in errors
    assert contents(copies) == before
    code, said, _ = vendor(copies, "--check")
    assert code == 1 and f"was edited: {path}\n" in said and said.count("is current: ") == len(vendoring.FILES) - 1
    assert vendor(copies, "--force")[0] == 0
    assert path.read_text() == text


def released_as(version, text):
    """What a package of that version would have written."""
    mine = cython_customslots.__version__
    bare = vendoring._MARK.sub(
        lambda mark: mark[0].replace(mark[5], vendoring._NO_DIGEST).replace(mine, version), text)
    return bare.replace(vendoring._NO_DIGEST, vendoring._digest(bare), 1)


def test_an_older_copy_is_brought_up_to_date_and_a_newer_one_is_not_taken_back_unless_forced(copies):
    path = copies / "customslots.h"
    fresh = path.read_text()
    path.write_text(released_as("0.0.9", fresh))
    code, said, _ = vendor(copies, "--check")
    assert code == 1 and (f"is of cython-customslots 0.0.9, and {cython_customslots.__version__} is "
                          f"installed: {path}\n") in said
    code, said, _ = vendor(copies)
    assert code == 0 and f"updated: {path}\n" in said
    assert path.read_text() == fresh
    path.write_text(released_as("9.0.0", fresh))
    code, _, errors = vendor(copies)
    assert code == 1 and "of cython-customslots 9.0.0, which is newer than" in errors
    assert path.read_text() != fresh
    assert vendor(copies, "--force")[0] == 0 and path.read_text() == fresh


def test_ends_of_lines_that_version_control_changed_are_no_edit(copies):
    for path in copies.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert vendor(copies, "--check")[0] == 0
    assert vendor(copies)[1].count("is current: ") == len(vendoring.FILES)


def test_check_writes_nothing_and_misses_what_is_not_there(tmp_path):
    code, said, _ = vendor(tmp_path / "none", "--check")
    assert code == 1 and said.count("is missing: ") == len(vendoring.FILES)
    assert not (tmp_path / "none").exists()


def test_links_and_directories_in_the_place_of_a_file_are_refused(tmp_path):
    outside = tmp_path / "outside.h"
    outside.write_text("")
    for make in (lambda path: path.symlink_to(outside), lambda path: path.mkdir(),
                 lambda path: path.symlink_to(tmp_path / "nowhere")):
        directory = tmp_path / "into"
        directory.mkdir()
        make(directory / "customslots.h")
        for options in [], ["--force"], ["--check"]:
            code, said, errors = vendor(directory, "--what", "readers", *options)
            assert (code, said) == (1, "") and "which is no ordinary file" in errors, options
        assert outside.read_text() == "" and not (tmp_path / "nowhere").exists()
        shutil.rmtree(directory)


def test_a_file_in_the_place_of_the_directory_is_an_error_and_stays(tmp_path):
    (tmp_path / "there").write_text("mine")
    for options in [], ["--force"], ["--check"], ["--what", "all"]:
        code, said, errors = vendor(tmp_path / "there", *options)
        assert (code, said) == (1, "") and f"found {tmp_path / 'there'}, which is no directory, expected" in errors
    assert contents(tmp_path) == {"there": b"mine"}


def test_a_failure_to_write_leaves_every_file_as_it_was(copies, monkeypatch):
    (copies / "customslots.h").write_text(released_as("0.0.9", (copies / "customslots.h").read_text()))
    (copies / "typedmethod.hpp").unlink()
    before = contents(copies)

    def full(stack, directory, text, real=vendoring._written):
        if "typedmethod.hpp of" in text:
            raise OSError(28, "No space left on device")
        return real(stack, directory, text)

    monkeypatch.setattr(vendoring, "_written", full)
    with pytest.raises(OSError, match="No space left"):
        vendoring.write(copies, vendoring.FILES)
    assert contents(copies) == before


@pytest.mark.parametrize("arguments, words", [
    ([], "DIR is missing"), ([""], "DIR is missing"), (["here", "--check", "--force"], "expected one of them"),
    (["here", "--what", "everything"], "invalid choice: 'everything'"),
    (["here", "--waht"], "unrecognized arguments: --waht")])
def test_wrong_arguments_are_named(arguments, words, tmp_path):
    code, said, errors = vendor(*arguments)
    assert (code, said) == (2, "") and words in errors
    assert not (HERE / "here").exists()
