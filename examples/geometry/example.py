"""Shapes of four languages, used by each of them."""
import geometry
import shapes_c
import shapes_cython
import shapes_nanobind
import shapes_plain


class Dot(shapes_cython.Circle):
    """Python overrides what is cpdef, and inherits the rest, as it does from the other classes."""

    def label(self):
        return "dot"


class Tile(shapes_nanobind.Square):
    pass


shapes = [shapes_cython.Circle(1), Dot(0.1), shapes_c.Rectangle(2, 3), shapes_plain.Triangle(3, 2),
          shapes_nanobind.Square(1.5), Tile(2)]

for shape in shapes:
    shapes_cython.scale(shape, 2)
    print(shapes_cython.describe(shape))

print()
modules = (shapes_cython, shapes_c, shapes_plain, shapes_nanobind)
for module in modules:
    print(f"{module.__name__:<16} {module.total_area(shapes):.6f}")

print()
for module in modules:
    try:
        module.total_area([*shapes, "text"])
    except TypeError as error:
        print(f"{module.__name__:<16} {error}")

print()
print(sorted(kind.__name__ for kind in geometry.Shape.implementers()))
