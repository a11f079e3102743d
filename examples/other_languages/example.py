"""Shapes of three languages, added up by each of them."""
import shapes_cython
import shapes_nanobind
import shapes_rust

modules = [shapes_rust, shapes_nanobind, shapes_cython]


class Disc(shapes_rust.Circle):
    """Python subclasses inherit the slot, whatever language their base was written in."""


class Tile(shapes_nanobind.Square):
    pass


class Door(shapes_cython.Rectangle):
    pass


shapes = [shapes_rust.Circle(1.0), Disc(2.0), shapes_nanobind.Square(1.5), Tile(2.0),
          shapes_cython.Rectangle(2.0, 3.0), Door(1.0, 2.25)]

for module in modules:
    print(f"{module.__name__:<16} {module.total_area(shapes):.6f}")

print()
for module in modules:
    try:
        module.total_area([*shapes, "text"])
    except TypeError as error:
        print(f"{module.__name__:<16} {error}")
