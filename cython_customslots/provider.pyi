from typing import Any, TypedDict

class extensibletype(type): ...

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

def table(type: type, /) -> list[tuple[int, int, int]]: ...
def layout(type: type, /) -> _Layout: ...
def intern(name: str, /) -> int: ...
def set_field(cls: type, name: str, value: Any, /) -> None: ...
def delete_field(cls: type, name: str, /) -> None: ...
