from blobs import Blob
from circles import Circle
from squares import Square

import totals
import totals_c
import totals_nanobind
import totals_pybind11

things = [Circle(1.0), Square(3.0), Blob(7.0), type("Disc", (Circle,), {})(2.0), "no area"]
for consumer in totals, totals_c, totals_pybind11, totals_nanobind:
    print(f"{consumer.__name__:<16}{consumer.total(things)}")
