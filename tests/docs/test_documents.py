# SPDX-License-Identifier: MIT
"""The documents tell the truth: quotes, numbers and commands are those of the sources."""

import importlib.util
import pathlib
import re

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
    for document in ["README.md", *map(str, (ROOT / "docs").glob("*.md"))]:
        path = ROOT / document
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{document} links to {target}"


def test_the_package_version_is_the_same_wherever_it_stands():
    import cython_customslots
    from importlib.metadata import version
    meson = re.search(r"version: '([\d.]+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))
    assert cython_customslots.__version__ == meson[1] == version("cython-customslots")


def test_the_changelog_names_the_abi_numbers_of_the_headers():
    headers = ROOT / "cython_customslots" / "include"
    table = re.search(r"PyCustomSlots_ABI_VERSION (\d+)",
                      (headers / "customslots.h").read_text(encoding="ascii"))[1]
    rendezvous = re.search(r"_RENDEZVOUS_VERSION (\d+)",
                           (headers / "_extensibletype" / "api.h").read_text(encoding="ascii"))[1]
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert f"Table ABI {table}, rendezvous {rendezvous}." in newest
