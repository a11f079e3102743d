"""The search in the tree, with a metric of the other library, against a Python function for a metric."""
import math
import random
import time

from measures.measures import Euclidean
from neighbours.tree import Tree

random.seed(1)
POINTS = [[random.random() for _ in range(3)] for _ in range(2000)]
TARGETS = [[random.random() for _ in range(3)] for _ in range(200)]
TREE = Tree(POINTS, Euclidean())


def best(function):
    times = []
    for _ in range(5):
        start = time.perf_counter()
        for target in TARGETS:
            function(target)
        times.append(time.perf_counter() - start)
    return min(times) / len(TARGETS) * 1e6


tree, scan = best(TREE.nearest), best(TREE.scan)
python = best(lambda target: min(POINTS, key=lambda point: math.dist(point, target)))
print(f"tree {tree:.1f} us, all points {scan:.1f} us, all points with math.dist() {python:.1f} us a search")
