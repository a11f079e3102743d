from circle import Circle

import total


class Disc(Circle):
    """A Python subclass inherits the slot."""


print(total.area([Circle(1.0), Disc(2.0), "no area"]))
