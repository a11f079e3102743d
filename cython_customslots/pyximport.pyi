from collections.abc import Iterable, Mapping
from typing import Any

def install(*args: Any, extend_all: bool = False, typed: bool = False,
            metaclass: str | Mapping[str, str] | Iterable[str] | None = None,
            runtime: str | None = None, borrow_views: bool = False, **kwargs: Any) -> tuple[Any, Any]: ...
def uninstall(py_importer: Any, pyx_importer: Any) -> None: ...
