from collections.abc import Callable, Iterable, Mapping, MutableMapping
from typing import Any, ClassVar, TypeVar, overload

from setuptools.command.build_ext import build_ext as _setuptools_build_ext

from . import typed as typed
from .implementations import runtime_info as runtime_info
from .provider import extensibletype, layout as layout, table as table

__version__: str
__all__ = [
    "ExtensibleType", "Slotted", "build_ext", "combine", "cythonize", "extensible",
    "get_cmake_dir", "get_include", "get_pkgconfig_dir", "get_utility_dir", "layout", "metaclass",
    "runtime_info", "slot", "table", "typed",
]

_T = TypeVar("_T")

ExtensibleType = extensibletype

class Slotted(extensibletype):
    @classmethod
    def __prepare__(metacls, name: str, bases: tuple[type, ...], /,
                    **kwargs: Any) -> MutableMapping[str, object]: ...
    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], /,
                 **kwargs: Any) -> None: ...

class build_ext(_setuptools_build_ext):
    user_options: ClassVar[list[Any]]
    boolean_options: ClassVar[list[str]]
    extend_all: bool
    typed: bool
    metaclass: Any
    runtime: Any
    def initialize_options(self) -> None: ...
    def finalize_options(self) -> None: ...
    def build_extensions(self) -> None: ...

def combine(*sources: type) -> type: ...
def cythonize(module_list: Any, *args: Any, extend_all: bool = False, typed: bool = False,
              metaclass: str | Mapping[str, str] | Iterable[str] | None = None,
              runtime: str | None = None, **kwargs: Any) -> list[Any]: ...
def get_cmake_dir() -> str: ...
def get_include() -> str: ...
def get_pkgconfig_dir() -> str: ...
def get_utility_dir() -> str: ...
def load_ipython_extension(shell: Any) -> None: ...
@overload
def extensible(cls: type[_T], /, *, metaclass: type | None = None) -> type[_T]: ...
@overload
def extensible(cls: None = None, /, *,
               metaclass: type | None = None) -> Callable[[type[_T]], type[_T]]: ...
def metaclass(_metaclass: type, /, **fields: Any) -> Callable[[type[_T]], type[_T]]: ...
def slot(_id: Any, /, *, pointer: Any = None, objoffset: Any = None, flags: Any = None,
         position: int | None = None) -> Callable[[type[_T]], type[_T]]: ...
