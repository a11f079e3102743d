from circles import Circle

import totals


class Disc(Circle):
    """A Python subclass inherits the slot."""


print(totals.total([Circle(1.0), Disc(2.0), "no area"]))
