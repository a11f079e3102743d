# SPDX-License-Identifier: MIT
"""What happens to a class that derives from a provider and from a class of somebody else.

    python tests/docs/partners.py             # a row for each partner that is installed
    python tests/docs/partners.py --write     # put them into docs/metaclass-conflicts.md
    python tests/docs/partners.py --write PySide6       # one alone: two Qt in a process do not mix

Providers are those of that page's own example.  What CI does not install is tried by hand: install
the packages, and run this; rows of partners that are not installed stay as they were.
"""
import dataclasses
import importlib
import importlib.metadata
import itertools
import re
import sys
import types
import typing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import pages
import support
from cython_customslots import Slotted, combine

PAGE = pages.DOCS / "metaclass-conflicts.md"
NUMBERS = itertools.count()                 # SQLAlchemy wants names that it does not know yet
HERE = Path(__file__).resolve().parent / "partner_modules"
CONFLICT = ("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of "
            "the metaclasses of all its bases")
LAYOUT = "multiple bases have instance lay-out conflict"
IN_C = re.compile(r"combine: \S+ \(\d+ bytes\) and \S+ \(\d+ bytes\) both lay out type objects in C, "
                  r"expected at most one that does; let one of them derive from the other")


@dataclasses.dataclass
class Partner:
    name: str
    load: typing.Callable                   # returns the class
    package: str = ""                       # of PyPI; "": Python's own
    body: typing.Callable = dict            # what the class statement needs to say


def attribute(path):
    def load():
        module, _, name = path.rpartition(".")
        return getattr(importlib.import_module(module), name)
    return load


def protocol():
    class Counted(typing.Protocol):
        def count(self): ...
    return Counted


def generic():
    class Box(typing.Generic[typing.TypeVar("T")]):
        pass
    return Box


def decorated():
    @dataclasses.dataclass
    class Data:
        number: int = 0
    return Data


def attrs_class():
    import attrs
    return attrs.make_class("Data", {"number": attrs.field(default=0)}, slots=False)


def implemented():
    import zope.interface

    class Countable(zope.interface.Interface):
        pass
    return zope.interface.implementer(Countable)(type("Countable", (), {}))


def model():
    from django.conf import settings
    if not settings.configured:
        import django
        settings.configure(INSTALLED_APPS=[])
        django.setup()
    from django.db.models import Model
    return Model


def model_body():
    return {"Meta": type("Meta", (), {"app_label": "partners", "abstract": True})}


def declarative():
    from sqlalchemy.orm import DeclarativeBase
    return types.new_class("Base", (DeclarativeBase,))


def table_body():
    from sqlalchemy import Column, Integer
    return {"__tablename__": f"t{next(NUMBERS)}", "id": Column(Integer, primary_key=True)}


def compiled(package):
    def load():
        binding = importlib.import_module(package)
        sources, include = [HERE / f"{package}_partner.cpp"], None
        if package == "nanobind":
            sources.append(Path(binding.source_dir()) / "nb_combined.cpp")
            include = [binding.include_dir(), str(Path(binding.include_dir()).parent / "ext" / "robin_map" / "include")]
        else:
            include = [binding.get_include()]
        path = support.build_c(f"{package}_partner", *sources, cflags=("-std=c++17",), include_dirs=include)
        return support.load(path).Dog
    return load


def cython_class(layer):
    """A plain extension type with C data, as any Cython package has."""
    def load():
        directory = support.cache_directory("partners", layer)
        name = "partner_extended" if layer else "partner_plain"
        source = support.write_source(
            directory / f"{name}.pyx", "# cython: language_level=3, freethreading_compatible=True\n"
            "cdef class Point:\n    cdef public int x\n")
        path = support.build_cython(source, layer=layer, directory=directory / "built",
                                    cython_args=["--extend-all"] if layer else [])
        return support.load(path).Point
    return load


PARTNERS = [
    Partner("`abc.ABC`, `collections.abc`", attribute("abc.ABC")),
    Partner("`enum.Enum`", attribute("enum.Enum"), body=lambda: {"ONE": 1}),
    Partner("`typing.Protocol`", protocol),
    Partner("`typing.Generic`", generic),
    Partner("`dataclass`", decorated),
    Partner("attrs", attrs_class, "attrs"),
    Partner("a plain `cdef class` with C data", cython_class(False)),
    Partner("a `cdef class` of `--extend-all`", cython_class(True)),
    Partner("`ctypes.Structure`", attribute("ctypes.Structure")),
    Partner("NumPy arrays", attribute("numpy.ndarray"), "numpy"),
    Partner("NumPy dtypes", attribute("numpy.dtype"), "numpy"),
    Partner("pybind11", compiled("pybind11"), "pybind11"),
    Partner("nanobind", compiled("nanobind"), "nanobind"),
    Partner("Boost.Python", attribute("rdkit.Chem.rdchem.Mol"), "rdkit"),
    Partner("PyQt6", attribute("PyQt6.QtCore.QObject"), "PyQt6"),
    Partner("PyQt5", attribute("PyQt5.QtCore.QObject"), "PyQt5"),
    Partner("PySide6", attribute("PySide6.QtCore.QObject"), "PySide6-Essentials"),
    Partner("Django models", model, "Django", model_body),
    Partner("SQLAlchemy declarative", declarative, "SQLAlchemy", table_body),
    Partner("pydantic", attribute("pydantic.BaseModel"), "pydantic"),
    Partner("zope.interface", implemented, "zope.interface"),
    Partner("traitlets", attribute("traitlets.HasTraits"), "traitlets"),
    Partner("traits", attribute("traits.api.HasTraits"), "traits"),
    Partner("Sage, `ClasscallMetaclass`",
            lambda: attribute("sage.misc.classcall_metaclass.ClasscallMetaclass")()("Element", (), {}),
            "passagemath-objects"),
]


def made(bases, metaclass, body):
    """The class of a class statement, or a TypeError."""
    def fill(namespace):
        for name, value in body.items():
            namespace[name] = value
        namespace["__module__"] = __name__
    keywords = {} if metaclass is None else {"metaclass": metaclass()}
    return types.new_class(f"Mine{next(NUMBERS)}", bases, keywords, fill)


def outcome(bases, other, body):
    """("", class) for a class statement that needs nothing, ("combine", class) with combine(), or
    the reason why there is no such class."""
    try:
        return "", made(bases, None, body())
    except TypeError as error:
        if str(error).startswith(LAYOUT):
            return "layout", None
        assert str(error) == CONFLICT, error
    try:
        return "combine", made(bases, lambda: combine(*bases), body())
    except TypeError as error:
        if str(error).startswith(LAYOUT):
            return "layout", None
        assert IN_C.fullmatch(str(error)), error
        return "in C", None


def row(partner, shapes):
    """The cells of the table, without the version; ImportError: not installed."""
    other = partner.load()
    with_fields, cls = outcome((shapes.Shape, other), other, partner.body)
    if cls is not None:
        assert cls.sides == 4 and shapes.kind_of(cls) == 1, partner
    with_slots, cls = outcome((shapes.Tagged, other), other, partner.body)
    if cls is not None:
        assert shapes.kind_of(cls) == 2, partner
    try:
        cls = made((other,), lambda: combine(Slotted, other), {**partner.body(), "__customslots__": {"shapes.kind": 3}})
        assert shapes.kind_of(cls) == 3
        own = "`Slotted`" if type(cls) is Slotted else "`combine(Slotted, ...)`"
    except TypeError as error:
        assert IN_C.fullmatch(str(error)), error
        shapes.register(other, 4)
        assert shapes.kind_of(other) == 4
        own = "registered"
    words = {"": "yes", "combine": "`combine()`", "layout": "no: layout", "in C": "no: C data"}
    metaclass = type(other)
    name = repr(metaclass)[len("<class '"):-len("'>")]        # as people see it, not where pickle finds it
    name = name.replace("enum.EnumMeta", "enum.EnumType")       # before CPython 3.11
    return [partner.name, f"`{name}`", words[with_fields], words[with_slots], own]


def version(partner):
    if not partner.package:
        return "Python {}.{}".format(*sys.version_info)
    found = importlib.metadata.version(partner.package)
    return found if partner.package.lower() in partner.name.lower() else f"{partner.package} {found}"


def is_installed(partner):
    try:
        return not partner.package or bool(importlib.metadata.version(partner.package))
    except importlib.metadata.PackageNotFoundError:
        return False


def build_shapes():
    examples = pages.Examples(PAGE.name)
    directory = examples.write(support.cache_directory("pages", PAGE.name))
    path, = [path for path in examples.build(directory) if path.name.startswith("shapes.")]
    return support.load(path)


def written():
    """{partner: cells} of the page's table."""
    rows = re.findall(r"^\| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = [line.split(" | ") for line in rows]
    return {line[0]: line for line in cells if line[0] in {p.name for p in PARTNERS}}


def main(arguments):
    shapes, text = build_shapes(), PAGE.read_text(encoding="utf-8")
    known, lines = written(), []
    names = [argument for argument in arguments if argument != "--write"]
    for partner in PARTNERS:
        try:
            if names and partner.name not in names:
                raise ImportError("not asked for")
            cells = [*row(partner, shapes), version(partner)]
        except ImportError as error:
            print(f"{partner.name}: not tried, {error}", file=sys.stderr)
            cells = known.get(partner.name)
        if cells:
            lines.append(f"| {' | '.join(cells)} |\n")
    if "--write" in arguments:
        PAGE.write_text(re.sub(r"(<!-- partners -->\n(?:\|.*\n){2})(?:\|.*\n)*",
                               lambda m: m[1] + "".join(lines), text), encoding="utf-8")
    print("".join(lines), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
