# SPDX-License-Identifier: MIT
"""Modules with typed functions from several ages in one process: each finds what the others offer.

In a fresh process: what is imported when is the test.
"""
import importlib.util
import types

MAYBE, ANY, CTX_FIRST, SELF = 2, 3, 8, 32

#: Is this the main interpreter?  Another one cannot take the GIL anew before CPython 3.12.
IS_MAIN = True
#: Is the package there, which knows why something is not found?
PACKAGE = importlib.util.find_spec("cython_customslots") is not None
LONG = f"f8({', '.join(['f8'] * 11)})"


def refused(work, error):
    try:
        work()
    except error as raised:
        return str(raised)
    raise AssertionError(f"no {error.__name__}")


def held(finder, callable_, text):
    return finder.Held(callable_, finder.parse(text))


class Offer:
    """Callables of every kind that lead to C functions, made by one module in a way that all
    headers of its ABI know."""

    def __init__(self, provider):
        number = provider.parse
        plain = provider.record([(number("i8(i8)"), "inc", 0, 0),
                                 (number("f8(f8)"), "double_any", ANY, 0),
                                 (number(LONG), "eleven", 0, 0)])
        method = provider.record([(number("f8(object, f8)"), "scale", SELF | MAYBE, -1.0),
                                  (number("f8()"), "no_arguments", 0, 0)])
        free = provider.record([(number("f8(object, f8)"), "scale", MAYBE, -1.0)])
        native = provider.record([(number("i8(i8)"), "inc", 0, 0), (number("f8(f8)"), "first", CTX_FIRST, 0)])
        self.function_type = provider.function_type()
        provider.register_layout(self.function_type)
        self.provider = provider
        function = provider.function(self.method(plain), None)
        #: (callable, signature, as what the probe calls it, argument, result)
        self.calls = [
            (provider.plain, "i8(i8)", "l_l", 1, 2),
            (function, "i8(i8)", "l_l", 1, 2), (function, "f8(f8)", "d_d", 0.5, 0.5),
            (function, LONG, "f8_11", 0.0, 506.0),
            (provider.function(self.method(method), 3.0), "f8(f8)", "d_d", 2.0, 6.0),
            (types.MethodType(provider.function(self.method(free), None), 3.0), "f8(f8)", "d_d",
             2.0, 6.0),
            (self.function_type(self.method(method), 3.0), "f8(f8)", "d_d", 2.0, 6.0),
            (self.function_type(self.method(plain)), "i8(i8)", "l_l", 1, 2),
            (provider.Native(native, 4.0), "i8(i8)", "l_l", 1, 2),
            (provider.Native(native, 4.0), "f8(f8)", "d_d", 2.0, 8.0)]
        self.descriptor = provider.descriptor(self.method(method), float)

    def method(self, record):
        made = self.provider.method("f")
        self.provider.register([(made, record)])
        return made

    def check(self, finder):
        """All that a module finds here; what it cannot understand it does not find."""
        finder.register_layout(self.function_type)       # as modules do that share Cython's
        if finder.ABI < self.provider.ABI:
            self.check_nothing(finder)
            return
        for callable_, text, how, argument, result in self.calls:
            number = finder.parse(text)
            assert finder.find(callable_, number) is not None, (finder, callable_, text)
            assert finder.why_not(callable_, number) == ""
            assert finder.format(number) in finder.signatures(callable_)
            assert finder.overloads(callable_) is not None
            made = held(finder, callable_, text)
            assert finder.is_typed(made)
            for gil in ("gil", "nogil")[:1 + IS_MAIN]:
                assert finder.call(gil, how, made, argument) == result, (finder, callable_, text)
        assert finder.find(self.descriptor, finder.parse("f8(object, f8)"))[2] & SELF
        assert finder.find(self.descriptor, finder.parse("f8()")) is None
        if IS_MAIN:                                     # the C function takes the GIL to raise
            function = held(finder, self.calls[1][0], "f8(f8)")
            assert refused(lambda: finder.call("gil", "d_d", function, 123.0), RuntimeError) == "got 123"
        if hasattr(self.provider, "newest"):
            self.check_newest(finder)

    def check_nothing(self, finder):
        """Records of a later ABI: Python is called instead."""
        for callable_, text, *_ in self.calls:
            number = finder.parse(text)
            assert finder.find(callable_, number) is None, (finder, callable_, text)
            words = finder.why_not(callable_, number)
            if not PACKAGE:
                assert "nothing is known about C functions of" in words, words
            elif isinstance(callable_, self.provider.Native):
                assert "found a record of ABI 2, expected 1; rebuild the older one" in words, words
            else:
                assert "has no record" in words, words
            assert finder.signatures(callable_) == () and finder.overloads(callable_) is None
            made = held(finder, callable_, text)
            assert not finder.is_typed(made)
        assert finder.call("gil", "l_l", held(finder, self.provider.plain, "i8(i8)"), 5) == 5
        assert finder.call("gil", "d_d", held(finder, self.provider.newest, "f8(f8)"), 5.0) == 5.0

    def check_newest(self, finder):
        """Entries with flags and types that came later, one of them with another one behind it for
        who does not know these."""
        newest = self.provider.newest
        number, later = finder.parse("i8(i8)"), finder.parse("f8(f8)")
        integer, real = held(finder, newest, "i8(i8)"), held(finder, newest, "f8(f8)")
        assert finder.find(newest, number) is not None and finder.is_typed(integer)
        assert finder.overloads(newest)[0] == 5
        assert finder.call("gil", "l_l", held(finder, newest, "i8(i8)"), 1) == (2 if hasattr(finder, "LATER") else 1)
        if hasattr(finder, "LATER"):
            assert finder.signatures(newest) == ("i8(i8)", "f8(f8)", "i16(i16)", "i4(i4)")
            assert finder.is_typed(real) and finder.why_not(newest, later) == ""
            if IS_MAIN:
                assert refused(lambda: finder.call("gil", "d_d", real, 123.0), RuntimeError) == "got 123"
        else:
            assert finder.signatures(newest) == ("i8(i8)", "i4(i4)")
            assert finder.find(newest, later) is None and not finder.is_typed(real)
            assert finder.why_not(newest, later) in (       # a later package would find it
                "an entry is refused: found flags 256, which are unknown; use newer headers",
                "found i8(i8); i4(i4), expected f8(f8): types must be the same, nothing is converted")
            assert finder.call("gil", "d_d", real, 123.0) == 123.0          # through Python
            assert refused(lambda: finder.parse("i16(i16)"), ValueError).startswith("signature")
        assert finder.call("gil", "i4", held(finder, newest, "i4(i4)"), 5) == 5


def meet(*names):
    """Import these modules, in this order; each finds what each offers, whoever came first."""
    modules, offers = [], []
    for name in names:
        modules.append(__import__(name))
        for offer in offers:                            # made before it was imported
            offer.check(modules[-1])
        offers.append(Offer(modules[-1]))
        for finder in modules:
            offers[-1].check(finder)
    return modules, offers
