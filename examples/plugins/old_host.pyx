# cython: language_level=3
"""An editor of the first release."""
from plugin_old cimport Plugin, Undoable


def run(Plugin plugin not None, str text):
    return plugin.apply(text)


def there_and_back(plugin, str text):
    cdef Undoable undoable = Undoable.of(plugin)
    changed = run(plugin, text)
    return changed if undoable is None else undoable.undo(changed)
