# SPDX-License-Identifier: MIT
# cython: freethreading_compatible=True
# Who declares them, and calls them.

def measure(Measured thing not None, double most=1000):
    cdef double filled
    thing.fill(&filled)
    return thing.area(), thing.side(), thing.check(most), thing.both(Pair(2, 3)), filled, thing.label("this is")

def weigh(Heavy thing not None):
    with nogil:
        weight = thing.weight()
    return weight, thing.side(), thing.label("heavy")

def greet(Greeter greeter not None, word):
    return greeter.greet(word), greeter.length()

def shout(LoudGreeter greeter not None):
    return greeter.shout(), greeter.greet("ho"), greeter.length()
