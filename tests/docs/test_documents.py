# SPDX-License-Identifier: MIT
"""The documents tell the truth: quotes, numbers and commands are those of the sources."""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def load(path):
    spec = importlib.util.spec_from_file_location(pathlib.Path(path).stem, ROOT / path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_quote_in_the_documents_is_what_the_source_says():
    quote = load("docs/quote.py")
    for document in quote.DOCUMENTS:
        assert quote.updated(document) == (ROOT / document).read_text(encoding="utf-8"), (
            f"{document}: run 'python docs/quote.py'")


def test_the_readme_shows_each_of_the_two_commands_once():
    command = load(".ci/readme_command.py").command
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert command(readme, "tests") == "pip install '.[test]' && pytest"
    assert command(readme, "demo") == "pip install '.[cython]' && python -m cython_customslots demo"


def test_links_between_the_documents_lead_somewhere():
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/**/*.md"),
                 *ROOT.glob("benchmarks/*.md"), *ROOT.glob("tests/**/*.md")]
    for path in documents:
        for target, place in re.findall(r"\]\(([^)#:]*)#?([^)#:]*)\)", path.read_text(encoding="utf-8")):
            file = path.parent / target if target else path
            assert file.exists(), f"{path} links to {target}"
            assert not place or place in headings(file), f"{path} links to {place} of {file}"


def broken_rows(text):
    """The rows of tables that go on in the next line, which ends a table in Markdown."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return [line for line in text.splitlines() if line.startswith("| ") and not line.rstrip().endswith("|")]


def test_a_row_of_a_table_is_one_line():
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md"),
                 *ROOT.glob("examples/**/*.md")]:
        assert not broken_rows(path.read_text(encoding="utf-8")), path
    assert broken_rows("| a | b\nc |\n| d |\n") == ["| a | b"]


def headings(path):
    """What the headings of a Markdown file are called in links."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in
            re.findall(r"^#+ +(.*?) *$", path.read_text(encoding="utf-8"), re.MULTILINE)}


def slug(heading):
    """The anchor that a heading has where Markdown is shown."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda m: m[1] or "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def test_links_to_a_heading_find_it():
    for document in [ROOT / "README.md", ROOT / "benchmarks" / "README.md", *(ROOT / "docs").glob("*.md")]:
        for path, anchor in re.findall(r"\]\(([^)#:\s]*)#([^)]+)\)", document.read_text(encoding="utf-8")):
            target = document.parent / path if path else document
            text = re.sub(r"```.*?```", "", target.read_text(encoding="utf-8"), flags=re.DOTALL)
            headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            assert anchor in map(slug, headings), f"{document} links to {path}#{anchor}"


def test_the_package_version_is_the_same_wherever_it_stands():
    import cython_customslots
    from importlib.metadata import version
    done = subprocess.run([sys.executable, ROOT / "packaging" / "version.py", "--check"],
                          capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert cython_customslots.__version__ == done.stdout.strip() == version("cython-customslots")
    assert not re.search(r"version: '[\d.]+'", (ROOT / "meson.build").read_text().split("meson_version")[0])


def test_a_new_version_is_written_everywhere_by_one_command(tmp_path):
    for name in "packaging", "cython_customslots":
        shutil.copytree(ROOT / name, tmp_path / name)
    def version(*arguments):
        done = subprocess.run([sys.executable, tmp_path / "packaging" / "version.py", *arguments],
                              capture_output=True, encoding="utf-8")
        return done.returncode, done.stdout.strip(), done.stderr.strip()
    assert version("1.23.4") == (0, "", "")
    assert version("--check") == version() == (0, "1.23.4", "")
    include = tmp_path / "cython_customslots" / "include"
    assert '_VERSION_HEX 0x011704F0 ' in (include / "customslots.h").read_text()
    assert "(1 << 24 | 23 << 12 | 4) " in (include / "_extensibletype" / "api.h").read_text()
    (include / "customslots.h").write_text((include / "customslots.h").read_text().replace("0x011704F0", "0x1"))
    code, _, said = version("--check")
    assert code == 1 and "found 0x1 in cython_customslots/include/customslots.h, expected 0x011704F0" in said
    for wrong in "2", "1.2.3.dev1", "--frob", "1.2.300":
        code, _, said = version(wrong)
        assert code == 2 and f"found {wrong!r}, expected a version as 0.2.0" in said


def test_the_newest_entry_of_the_changelog_names_the_version_and_the_abi_numbers_of_the_headers():
    package = ROOT / "cython_customslots"
    def number(path, name):
        found, = re.findall(rf"(?m)^#define {name} (\d+)", (package / path).read_text(encoding="ascii"))
        return found
    table = number("include/customslots.h", "PyCustomSlots_ABI_VERSION")
    rendezvous = number("include/_extensibletype/api.h", "_PyExtensibleType_RENDEZVOUS_VERSION")
    state = number("runtime/state.h", "_PyExtensibleType_STATE_VERSION")
    record = number("include/_typedmethod/record.h", "PyTypedMethod_ABI_VERSION")
    title, _, newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1].partition("\n")
    version, = re.findall(r'(?m)^__version__ = "(.*)"$', (package / "__init__.py").read_text(encoding="utf-8"))
    assert re.fullmatch(rf"{re.escape(version)} \((unreleased|\d{{4}}-\d\d-\d\d)\)", title)
    assert newest.lstrip("\n").startswith(f"Table ABI {table}, rendezvous {rendezvous}. State version {state}. "
                                          f"Typed-record ABI {record}.\n")


def test_no_example_uses_an_id_that_is_never_in_anything_released():
    """What people copy has a name as its ID, or a number that the registry in docs/abi.md has."""
    read = [ROOT / "README.md", *ROOT.glob("docs/*.md"), *(ROOT / "cython_customslots").rglob("*.h"), *(
        path for path in (ROOT / "examples").rglob("*")
        if path.suffix in {".c", ".cpp", ".h", ".hpp", ".ipynb", ".md", ".pxd", ".py", ".pyx", ".rs"})]
    private = re.compile(r"PyCustomSlots_ID\((0x0*)?1,|REGISTRAR_INTERNAL,|\b0x0*1[0-9a-fA-F]{6}\b")
    assert len(read) > 100
    found = {str(path.relative_to(ROOT)) for path in read
             if private.search(path.read_text(encoding="utf-8"))}
    assert found <= {"docs/errors.md"}, "examples of what is refused, from tests, are none to copy"
