# SPDX-License-Identifier: MIT
"""Methods with a body that were appended to an interface: classes that were compiled before serve, too."""
import pytest
import support
from compiling import source

pytestmark = pytest.mark.cythons

V1 = """
    cimport cython_customslots as customslots

    @customslots.interface(b"grown_bodies.Shape")
    cdef class Shape:
        cdef double area(self) noexcept nogil
        cpdef str name(self)
    """
V2 = V1 + """
        cdef inline double twice(self) noexcept nogil:
            return 2 * self.area()
        cpdef inline str describe(self, str before):
            return f"{before} {self.name()} {self.twice()}"
        cpdef inline int check(self, double most) except -1:
            if self.area() > most:
                raise ValueError(f"found {self.area()}, expected {most} or less")
            return 0
        cdef inline void fill(self, double *into) noexcept:
            into[0] = self.twice()

    @customslots.interface(b"grown_bodies.Solid")
    cdef class Solid(Shape):
        cdef inline double volume(self) noexcept:
            return self.twice() * 10
    """
SOURCES = {
    "older/grown_bodies.pxd": V1, "grown_bodies.pxd": V2,
    "older/old_shapes.pyx": """
from grown_bodies cimport Shape
cdef class Square(Shape):
    cdef public double side
    cdef double area(self) noexcept nogil: return self.side * self.side
    cpdef str name(self): return "square"
cdef class Other(Shape):
    "It has a method of its own that is called like one that was appended."
    cdef double area(self) noexcept nogil: return 1
    cpdef str name(self): return "other"
    cdef int twice(self): return 7
    def check(self, most): return most + 5
cdef class ListShape(Shape):
    cdef double area(self) noexcept nogil: return 100
    cpdef str name(self): return "list"
Shape.register(list, ListShape)
""",
    "grown_bodies.pyx": """
def measure(Shape s not None, most=10000):
    cdef double filled
    s.fill(&filled)
    with nogil:
        twice = s.twice()
    return s.area(), twice, filled, s.describe("a"), s.check(most)
def element(things): return (<Shape?>things[0]).twice(), Shape.of(things[0]) is things[0]
def implements(o): return isinstance(o, Shape), isinstance(o, Solid)
def shape(): return Shape
""",
    "grown_consumer.pyx": """
from grown_bodies cimport Shape
def measure(Shape s not None): return s.twice(), s.describe("the")
""",
}


@pytest.fixture(scope="module")
def modules():
    sources = support.cache_directory("older bodies", *SOURCES.values())
    for name, text in SOURCES.items():
        support.write_source(sources / name, source(text))
    for name in SOURCES:
        if name.endswith(".pyx"):
            built = support.build_cython(sources / name, include_dirs=[(sources / name).parent, sources],
                                         directory=sources, carries=True)
    return built


def check(modules, code):
    support.check_child("import grown_bodies as new, old_shapes as old\nsquare = old.Square()\nsquare.side = 3\n"
                        + source(code), modules=[modules])


def test_an_older_class_has_the_bodies_of_appended_methods(modules):
    check(modules, """
        import grown_consumer
        assert new.measure(square) == (9, 18, 18, "a square 18.0", 0)
        assert new.element([square]) == (18, True) and new.implements(square) == (True, False)
        assert grown_consumer.measure(square) == (18, "the square 18.0")
        assert new.measure([]) == (100, 200, 200, "a list 200.0", 0)
        assert new.implements(3) == (False, False)
        """)


def test_python_says_the_same_of_it(modules):
    check(modules, """
        Shape = new.shape()
        assert isinstance(square, Shape) and Shape(square) is square and not isinstance(3, Shape)
        assert Shape.of(square) is square
        """)


def test_what_a_python_class_has_under_the_name_of_an_appended_cpdef_method_is_called(modules):
    check(modules, """
        class Own(old.Square):
            def describe(self, before): return before + " own"
            def twice(self): return 5
        own = Own()
        own.side = 2
        assert new.measure(own) == (4, 8, 8, "a own", 0)
        del Own.describe
        assert new.measure(own)[3] == "a square 8.0"
        Own.describe = lambda self, before: "later"
        Own.name = lambda self: "named"
        assert new.measure(own)[3] == "later"
        del Own.describe
        assert new.measure(own)[3] == "a named 8.0"
        """)


def test_exceptions_come_out_of_a_body_that_serves_an_older_class(modules):
    check(modules, """
        for most, cls in (2, old.Square), (2, type("Own", (old.Square,), {})):
            made = cls()
            made.side = 2
            try: new.measure(made, most)
            except ValueError as error: assert str(error) == "found 4.0, expected 2.0 or less", error
            else: raise AssertionError
        try: new.measure(None)
        except TypeError as error: assert "None" in str(error)
        """)


def test_a_method_of_an_older_class_that_is_only_called_alike_is_not_taken_for_the_appended_one(modules):
    check(modules, """
        assert new.measure(old.Other()) == (1, 2, 2, "a other 2.0", 10005)
        """)


def test_many_threads_find_one_table(modules):
    check(modules, """
        import threading
        found = []
        def look():
            for _ in range(200):
                found.append(new.measure(square) == (9, 18, 18, "a square 18.0", 0))
        threads = [threading.Thread(target=look) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert len(found) == 800 and all(found)
        """)
