# SPDX-License-Identifier: MIT
"""How texts of other ages are made from headers of this one (texts.py, typed_texts.py)."""


def this_text(name, installed):
    """(version, text) of a header: of the installed package, as tests want it, or of this tree,
    where nothing is installed."""
    if not installed:
        import freeze
        return freeze.of_this_tree(name)
    from cython_customslots import __version__
    from cython_customslots.tools import headers
    return __version__, headers.header_text(name)


def changed(text, *changes):
    """The text with each (old, new) replaced; the old one must be there, once."""
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times in the text:\n{old}"
        text = text.replace(old, new)
    return text
