# SPDX-License-Identifier: MIT
"""What install() was called with last.  The comments at the top of a module go before it."""

extend_all = False
typed = False
borrow_views = False
metaclasses = {}           # {module, class or "": metaclass}
runtime = "embedded"       # which implementation (runtime.py)


def by_name():
    """The switches that change what is generated, by name."""
    return {"extend_all": extend_all, "typed": typed, "borrow_views": borrow_views, "metaclass": metaclasses,
            "runtime": runtime}
