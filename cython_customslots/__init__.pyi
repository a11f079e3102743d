from collections.abc import Callable
from typing import Any, TypeVar, overload

from .combining import combine as combine
from .compiler.build import cythonize as cythonize
from .provider import extensibletype as ExtensibleType
from .provider import layout as layout, table as table
from .slotted import Slotted as Slotted
from . import typed as typed

__version__: str
__all__: list[str]

_T = TypeVar("_T")

def get_include() -> str: ...
def get_utility_dir() -> str: ...
@overload
def extensible(cls: type[_T], /) -> type[_T]: ...
@overload
def extensible(*, metaclass: type) -> Callable[[type[_T]], type[_T]]: ...
def metaclass(_metaclass: type, /, **fields: Any) -> Callable[[type[_T]], type[_T]]: ...
def slot(_id: Any, /, *, pointer: Any = ..., objoffset: Any = ..., flags: Any = ...,
         position: int | None = ...) -> Callable[[type[_T]], type[_T]]: ...
