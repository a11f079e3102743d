# SPDX-License-Identifier: MIT
"""What type checkers see of the package is what there is."""
import ast
import json
import re
import shutil
import sys
from pathlib import Path

import cython_customslots
import pytest
from type_checkers import needs, run

PACKAGE = Path(cython_customslots.__file__).parent

pytestmark = [pytest.mark.once, needs("mypy")]

#: With --strict, a comment that ignores what is no error is an error, too.
PROGRAM = '''
from abc import ABC, ABCMeta
from typing import TYPE_CHECKING, Any

import cython_customslots
from cython_customslots import (
    ExtensibleType, Slotted, build_ext, combine, cythonize, explain, extensible, fields, get_cmake_dir,
    get_include, get_pkgconfig_dir, get_runtime_source, get_utility_dir, implements, interface, interfaces, layout,
    metaclass, runtime_info, provider, pyximport, signatures, slot, slots, table, typed)
from cython_customslots.provider import delete_field, extensibletype, intern, set_field


class Meta(ExtensibleType):
    pass


class Point(metaclass=Slotted):
    __slots__ = ("x", "y")
    __customslots__ = {"geometry.x": "x", "geometry.dimensions": 2}


# What type checkers make of a metaclass must stand in a class statement.
if TYPE_CHECKING:
    class Both(Slotted, ABCMeta):
        pass
else:
    Both = combine(Slotted, ABC)


class Shape(Point, ABC, metaclass=Both):
    pass


class Command(build_ext):
    def initialize_options(self) -> None:
        super().initialize_options()
        self.extend_all = True
        self.metaclass = "abc.ABCMeta"


@extensible
class A:
    x: int


@extensible(metaclass=type)
@metaclass(Meta, level=3)
@slot(5, flags=1, position=0)
@implements(Shape)
@cython_customslots.array()
class B(A):
    pass


@typed(False)
def half(x: float) -> float:
    return x / 2


def is_provider(cls: type) -> bool:
    return isinstance(cls, ExtensibleType) or issubclass(cls, extensibletype)


paths: list[str] = [get_cmake_dir(), get_include(), get_pkgconfig_dir(), get_runtime_source(),
                    get_utility_dir()]
version: str = cython_customslots.__version__
serving: str = runtime_info().serving.version + str(runtime_info().meetings[0].found)
both: type[Any] = combine(Point, ABC)
rows: list[tuple[int, int, int]] = table(Point) + provider.table(B)
size: int = layout(Point)["type_size"]
number: int = intern("name") + B().x
set_field(B, "level", 5)
delete_field(B, "level")
modules = cythonize(["a.pyx"], extend_all=True)
modules += cythonize("a.pyx", metaclass="abc.ABCMeta")
modules += cythonize("a.pyx", metaclass={"a.A": "abc.ABCMeta"})
importer, _ = pyximport.install(build_dir="build", typed=True, metaclass=["a=abc.ABCMeta"])
pyximport.uninstall(importer, _)

shape = interface("geometry.Shape")

@interface(b"geometry.Area")
class Area:
    pass

place: int | None = slots(B).slots[0].position
whose: str = fields(B).fields[0].whose + str(interfaces(B())) + ", ".join(signatures(len))
what: str = explain(B()) + explain(5, shape) + explain(5, "geometry.Shape")

function: typed.TypedFunction | None = typed.adapt(half)
doubled: float = half(3.0)
texts: list[str] = typed.signatures(half)
words: str = typed.explain(half, "f8(f8)") + typed.canonical("d->d")
address: int = typed.address(half)
resolved: Any = typed.resolve(half, "f8(f8)", nogil=True)

table(5)  # type: ignore[arg-type]
layout(Point)["nothing"]  # type: ignore[typeddict-item]
combine("Point")  # type: ignore[arg-type]
typed.explain(half, 5)  # type: ignore[arg-type]
interface(5.0)  # type: ignore[call-overload]
cythonize("a.pyx", metaclass=ABC)  # type: ignore[arg-type]
slot(5, positon=3)  # type: ignore[call-arg]
cython_customslots.nothing  # type: ignore[attr-defined]
'''


#: What a type checker may take for a class and is a module that can be called.
NOT_AT_RUN_TIME = {"cython_customslots.typed"}


@pytest.mark.thorough
def test_a_strictly_checked_program_may_use_all_that_the_package_exports(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    code, said = run("mypy", "--strict", "--cache-dir", tmp_path / "cache", "program.py", cwd=tmp_path)
    assert code == 0, said
    imported = re.search(r"from cython_customslots import \((.*?)\)", PROGRAM, re.DOTALL)[1]
    assert set(cython_customslots.__all__) <= set(re.findall(r"\w+", imported))


@pytest.mark.thorough
@needs("pyright")
def test_pyright_accepts_the_same_program_and_refuses_the_same_mistakes(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({
        "typeCheckingMode": "strict", "reportUnnecessaryTypeIgnoreComment": "error",
        "reportMissingModuleSource": "none"}))
    code, said = run("pyright", "--pythonpath", sys.executable, "program.py", cwd=tmp_path)
    assert code == 0, said


@pytest.mark.nightly
@needs("pyright")
def test_pyright_knows_the_type_of_all_that_is_exported(tmp_path):
    _, said = run("pyright", "--pythonpath", sys.executable, "--ignoreexternal", "--outputjson",
                  "--verifytypes", "cython_customslots", cwd=tmp_path)
    symbols = json.loads(said[said.index("{"):])["typeCompleteness"]["symbols"]
    exported = [f"cython_customslots.{name}" for name in cython_customslots.__all__]
    exported += [f"cython_customslots.typed.{name}" for name in cython_customslots.typed.__all__]
    exported += ["cython_customslots.provider", "cython_customslots.pyximport"]
    unknown = [symbol["name"] for symbol in symbols if not symbol["isTypeKnown"]
               and any(symbol["name"] == name or name.rpartition(".")[2] not in ("typed", "interface")
                       and symbol["name"].startswith(f"{name}.") for name in exported)]
    assert len(symbols) > 100 and not unknown


def test_the_class_that_stands_for_the_package_typed_has_the_same_names():
    def functions(body):
        return {node.name: ast.unparse(node.args) + " -> " + ast.unparse(node.returns)
                for node in body if isinstance(node, ast.FunctionDef) and node.name[:2] != "__"}

    outer = ast.parse((PACKAGE / "__init__.pyi").read_text()).body
    stands, = (node.body for node in outer if isinstance(node, ast.ClassDef) and node.name == "typed")
    module = ast.parse((PACKAGE / "typed" / "__init__.pyi").read_text()).body
    assert functions(stands) == functions(module)
    assert {"TypedFunction", *functions(stands)} == set(cython_customslots.typed.__all__)


@pytest.mark.thorough
def test_the_stubs_are_true(tmp_path):
    """Those that there are; mypy reads the sources of other modules."""
    stubs = [path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.pyi")]
    assert len(stubs) >= 4
    for path in stubs:
        target = tmp_path / "cython_customslots" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PACKAGE / path, target)
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    others = [path.with_suffix("") for path in PACKAGE.rglob("*.py") if not path.with_suffix(".pyi").exists()]
    modules = {".".join(path.relative_to(PACKAGE.parent).parts).removesuffix(".__init__") for path in others}
    (tmp_path / "without_stubs").write_text("\n".join(map(re.escape, modules | NOT_AT_RUN_TIME)))
    code, said = run("mypy.stubtest", "cython_customslots", "--mypy-config-file", "mypy.ini",
                     "--allowlist", "without_stubs", "--ignore-unused-allowlist", cwd=tmp_path,
                     MYPYPATH=str(tmp_path))
    assert code == 0, said
