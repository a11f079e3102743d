# SPDX-License-Identifier: MIT
"""Makes the metaclass of extensible types importable where its name says it is.

It is in ``sys.modules['_extensibletype']`` as soon as a module uses it; in a process
where none did, for example one that unpickles a class, this file is imported, and leaves
its place to the real thing.
"""

import sys

del sys.modules[__name__]

import _customslots_runtime                                     # noqa: E402

_customslots_runtime.metaclass()                                # puts it there
