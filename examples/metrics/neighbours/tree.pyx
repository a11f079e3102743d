# cython: language_level=3
"""The other library: nearest neighbours by a vantage-point tree, which needs a metric and nothing else.

A node is a point and a radius: the half of the other points that is nearer than that goes to the
left, the rest to the right.  The triangle inequality says which side cannot hold a nearer one.
"""
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.math cimport INFINITY

from neighbours.distance cimport Distance

cdef struct Node:
    Py_ssize_t point, left, right
    double radius


cdef class Tree:
    cdef readonly Distance metric
    cdef readonly Py_ssize_t count, size
    cdef double *points
    cdef Node *nodes
    cdef Py_ssize_t root, used

    def __init__(self, points, Distance metric not None):
        self.metric, self.count = metric, len(points)
        self.size = len(points[0]) if self.count else 0
        self.points = <double *>PyMem_Malloc(self.count * self.size * sizeof(double) + 1)
        self.nodes = <Node *>PyMem_Malloc(self.count * sizeof(Node) + 1)
        if self.points is NULL or self.nodes is NULL:
            raise MemoryError
        for i, point in enumerate(points):
            if len(point) != self.size:
                raise ValueError(f"point {i} has {len(point)} coordinates, expected {self.size}")
            for k, value in enumerate(point):
                self.points[i * self.size + k] = value
        self.root = self.build(list(range(self.count)))

    def __dealloc__(self):
        PyMem_Free(self.points)
        PyMem_Free(self.nodes)

    cdef double between(self, Py_ssize_t i, Py_ssize_t k) except? -1:
        return self.metric.distance(self.points + i * self.size, self.points + k * self.size, self.size)

    cdef Py_ssize_t build(self, list items) except -2:
        if not items:
            return -1
        cdef Py_ssize_t node = self.used, vantage = items.pop()
        self.used += 1
        found = sorted([(self.between(vantage, i), i) for i in items])
        middle = len(found) // 2
        self.nodes[node].point = vantage
        self.nodes[node].radius = found[middle][0] if found else 0
        self.nodes[node].left = self.build([i for _, i in found[:middle]])
        self.nodes[node].right = self.build([i for _, i in found[middle:]])
        return node

    cdef int search(self, Py_ssize_t node, Distance metric, const double *target, Py_ssize_t *best,
                    double *nearest) except -1 nogil:
        """Goes to the more promising side first; *nearest* is what is to be beaten."""
        cdef double away
        cdef bint inside
        if node < 0:
            return 0
        away = metric.distance(target, self.points + self.nodes[node].point * self.size, self.size)
        if away < nearest[0]:
            nearest[0], best[0] = away, self.nodes[node].point
        inside = away < self.nodes[node].radius
        self.search(self.nodes[node].left if inside else self.nodes[node].right, metric, target, best, nearest)
        if (away + nearest[0] >= self.nodes[node].radius) if inside else (
                away - nearest[0] <= self.nodes[node].radius):
            self.search(self.nodes[node].right if inside else self.nodes[node].left, metric, target, best,
                        nearest)
        return 0

    def nearest(self, point):
        """(index of the nearest point, its distance)"""
        cdef Py_ssize_t best = -1, k
        cdef double away = INFINITY
        cdef double *target
        if len(point) != self.size:
            raise ValueError(f"found {len(point)} coordinates, expected {self.size}")
        target = <double *>PyMem_Malloc(self.size * sizeof(double) + 1)
        if target is NULL:
            raise MemoryError
        try:
            for k in range(self.size):
                target[k] = point[k]
            with nogil:
                self.search(self.root, self.metric, target, &best, &away)
        finally:
            PyMem_Free(target)
        return best, away

    def scan(self, point):
        """The same by looking at all: to check, and to compare."""
        cdef double *target = <double *>PyMem_Malloc(self.size * sizeof(double) + 1)
        cdef Distance metric = self.metric
        cdef Py_ssize_t i, best = -1
        cdef double away, nearest = INFINITY
        if target is NULL:
            raise MemoryError
        try:
            for i in range(self.size):
                target[i] = point[i]
            for i in range(self.count):
                away = metric.distance(target, self.points + i * self.size, self.size)
                if away < nearest:
                    nearest, best = away, i
        finally:
            PyMem_Free(target)
        return best, nearest
