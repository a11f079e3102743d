import array

import summing
from steps import Steps

try:
    summing.total([1.0])
except TypeError as error:
    print(error)

import foreign  # noqa: F401  from now on lists are sequences of doubles

numbers = [0.5 * i for i in range(1000)]
print("list       ", summing.total(numbers))
print("array.array", summing.total(array.array("d", numbers)))
print("Steps      ", summing.total(Steps(0, 0.5, 1000)))
try:
    import numpy
except ImportError:
    pass
else:
    assert summing.total(numpy.array(numbers)) == summing.total(numbers)
    assert summing.total(numpy.array(numbers)[::2]) == sum(numbers[::2])

for wrong in (array.array("f", [1.0]), ["one"], "text"):
    try:
        summing.total(wrong)
    except TypeError as error:
        print(type(wrong).__name__, "-", error)
