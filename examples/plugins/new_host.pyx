# cython: language_level=3
"""An editor of today, which asks plug-ins what they cost."""
from plugin_new cimport Plugin


def cheapest(list plugins):
    cdef Plugin plugin
    costs = []
    for plugin in plugins:
        costs.append((plugin.cost(), plugin))
    return min(costs, key=lambda cost: cost[0])[1]
