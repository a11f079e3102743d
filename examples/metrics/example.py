import random
import sys

from neighbours.tree import Tree

print("neighbours is loaded; measures:", "measures" in sys.modules)

from measures.measures import Euclidean, Manhattan, Minkowski  # noqa: E402

random.seed(1)
points = [[random.random() for _ in range(3)] for _ in range(500)]
targets = [[random.random() for _ in range(3)] for _ in range(100)]
for metric in Euclidean(), Manhattan(), Minkowski(3):
    tree = Tree(points, metric)
    found = [tree.nearest(target) for target in targets]
    assert found == [tree.scan(target) for target in targets]
    print(f"{type(metric).__name__:10} {sum(away for _, away in found):.6f}")

try:
    Tree(points, lambda a, b: 0.0)
except TypeError as error:
    print(error)
