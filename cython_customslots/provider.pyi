from typing import Any, TypedDict

from typing_extensions import disjoint_base

class _extensibletype_meta(type): ...

@disjoint_base
class extensibletype(type, metaclass=_extensibletype_meta):
    @property
    def __customslots_fields__(cls) -> dict[str, Any]: ...
    def __dir__(cls) -> list[str]: ...

class _Layout(TypedDict):
    metaclass: str
    word_size: int
    heaptype_size: int
    type_size: int
    basicsize: int
    heap: bool
    extensible: bool
    resolved: bool
    count: int
    owner_fields: list[tuple[str, int, int]]

def table(cls: type, /) -> list[tuple[int, int, int]]: ...
def layout(cls: type, /) -> _Layout: ...
def intern(name: str, /) -> int: ...
def set_field(cls: type, name: str, value: Any, /) -> None: ...
def delete_field(cls: type, name: str, /) -> None: ...
