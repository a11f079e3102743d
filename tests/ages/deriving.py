# SPDX-License-Identifier: MIT
"""How texts of other ages are made from headers of this one (texts.py, typed_texts.py)."""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))
import freeze

HERE = Path(__file__).resolve().parent


def this_text(name, installed):
    """(version, text) of a header: of the installed package, as tests want it, or of this tree,
    where nothing is installed."""
    if not installed:
        version, texts = freeze.of_this_tree()
        return version, texts[name]
    from cython_customslots import __version__
    from cython_customslots.tools import headers
    return __version__, headers.header_text(name)


def released(name):
    """{age: (version, text)} of a header as each release had it, the oldest first."""
    paths = sorted(freeze.RELEASED.glob("*.zip"), key=lambda path: [int(number) for number in path.stem.split(".")])
    return {f"frozen_{path.stem.replace('.', '_')}": (path.stem, freeze.kept(path)[name]) for path in paths}


def changed(text, *changes):
    """The text with each (old, new) replaced; the old one must be there, once."""
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times in the text:\n{old}"
        text = text.replace(old, new)
    return text


def write(all_ages, files):
    """As the command line says: in DIRECTORY, a folder for each AGE with files(age), {name: text}, and its defines."""
    directory, *names = sys.argv[1:]
    for name in names:
        place, age = Path(directory, name), all_ages[name]
        place.mkdir(parents=True)
        for file, text in {**files(age), "defines": " ".join(f"-D{what}" for what in age.defines)}.items():
            (place / file).write_text(text, encoding="ascii")
