# SPDX-License-Identifier: MIT
"""Ten million calls of inc(), and what happens to functions that are nothing but Python."""
import counting
import mytypedmod


def twice(x):
    return 2 * x


def show(f, start, times):
    result, through = counting.count(f, start, times)
    print(f"{f.__name__:6} {times:8} times from {start}: {result:8}, called as {through}")


print(f"inc(41) in Python is {mytypedmod.inc(41)}\n")
show(mytypedmod.inc, 0, 10_000_000)
show(mytypedmod.dec, 2, 4)              # -1 on the way is no error
show(twice, 1, 10)
show(abs, -5, 3)
try:
    counting.count(mytypedmod.inc, "five", 1)
except TypeError as error:
    print(f"TypeError: {error}")
try:
    counting.count(lambda x: x / 2, 1, 1)
except TypeError as error:
    print(f"TypeError: {error}")
