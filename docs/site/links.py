# SPDX-License-Identifier: MIT
"""Sphinx extension: links that the documents have for readers of the tree, made to work on the site.

A link to a directory leads to its README, as where the code is hosted, or, without one, to there.  A
public name of the headers
that stands as code in a text leads to its section in the reference.
"""
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[([^\]]*)\]\(([^)#:\s]+)(#[^)\s]*)?\)")
NAME = re.compile(r"(Py(?:CustomSlot|Extensible|HeapExtensible|Typed)\w*)(?:\(\))?")


def lead_to_readmes(app, docname, source):
    here = Path(app.env.doc2path(docname)).parent

    def replace(match):
        text, target, fragment = match[1], match[2], match[3] or ""
        path = (here / target).resolve()
        if not path.is_dir():
            return match[0]
        if app.env.path2doc(path / "README.md") in app.env.found_docs:
            return f"[{text}]({target.rstrip('/')}/README.md{fragment})"
        url = app.config.source_url
        return f"[{text}]({url}/tree/HEAD/{path.relative_to(ROOT).as_posix()})" if url else text
    source[0] = LINK.sub(replace, source[0])


class LinkNames(SphinxTransform):
    """Before references are resolved; code that is a link already stays what it is."""
    default_priority = 400

    def apply(self, **kwargs):
        known = self.app.config.documented_in_c
        for literal in list(self.document.findall(nodes.literal)):
            match = NAME.fullmatch(literal.astext())
            if match is None or match[1] not in known:
                continue
            parents, node = [], literal
            while node.parent is not None:
                node = node.parent
                parents.append(node)
            if any(isinstance(parent, (nodes.reference, nodes.title, addnodes.pending_xref,
                                       addnodes.desc_signature)) for parent in parents):
                continue
            xref = addnodes.pending_xref("", refdomain="c", reftype="identifier", reftarget=match[1],
                                         refexplicit=False, refwarn=True, refdoc=self.env.docname)
            literal.replace_self(xref)
            xref += literal


def setup(app):
    app.add_config_value("source_url", "", "env")
    app.connect("source-read", lead_to_readmes)
    app.add_transform(LinkNames)
    return {"parallel_read_safe": True}
