# SPDX-License-Identifier: MIT
"""The site: all documents, and a reference made from the headers, the .pxd files and docstrings.

    pip install '.[docs]'                          # and Doxygen, which is no Python package
    sphinx-build -W -c docs . build/site           # from the top of the tree

The source is the whole tree and not docs/ alone, so that a link from a document to an example or a
test leads to the same file on the site as where the code is hosted.
"""
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))

project = "cython-customslots"
author = "the cython-customslots developers"
copyright = author
release = version = re.search(r'(?m)^__version__ = "([^"]+)"$', (
    ROOT / "cython_customslots" / "__init__.py").read_text(encoding="utf-8"))[1]

extensions = ["myst_parser", "sphinx.ext.autodoc", "breathe",
              "headers", "declarations", "links"]
include_patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**.md", "docs/**.rst",
                    "benchmarks/README.md", "cython_customslots/*/README.md", "examples/README.md",
                    "examples/*/README.md", "tests/*/README.md"]
exclude_patterns = ["docs/site", "build", ".nox", "**/.*"]
root_doc = "docs/index"

# A name that nothing says what it is, is a mistake; those of Python and C are theirs to say.
nitpicky = True
nitpick_ignore_regex = [
    ("c:identifier", r"(?!_Pycs_|Py(CustomSlot|Extensible|HeapExtensible|Typed)).*"),
    ("cpp:identifier", r".*"),
    ("py:class", r"(?!cython_customslots).*"),
    ("std:ref", r".*_8h(pp)?"),                # names of headers, which Doxygen makes links of
    ("std:ref", r"structDLPack.*"),            # DLPack says what its structs are
]
suppress_warnings = ["myst.header"]            # READMEs have levels that look well on their own

# Where a link leads that is to a directory without a README, if anywhere.
source_url = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"].get(
    "urls", {}).get("Source", "").rstrip("/")

myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

breathe_default_project = "headers"
breathe_domain_by_extension = {"h": "c", "hpp": "cpp"}
breathe_show_include = False

autodoc_member_order = "bysource"
autodoc_typehints = "description"

html_theme = "furo"
pygments_dark_style = "github-dark"             # furo's own underlines names, as if they were links
html_title = f"{project} {release}"
html_copy_source = False
html_show_sphinx = False
html_additional_pages = {"index": "start.html"}
templates_path = ["site"]
html_static_path = ["site/static"]
html_css_files = ["site.css"]
