# SPDX-License-Identifier: MIT
"""What the examples print, word for word; the first seven as in the article."""

_TWO = "Hello World!\nHello you!\n"
_FOUR = _TWO + "Good morning World!\nGood morning you!\n"

GREETINGS = {
    "simple_cdef_class": _TWO,
    "static_attribute": _TWO,
    "dictionary_map": _FOUR + (
        "FriendlyHello is not in the dictionary: "
        "KeyError: <class '__main__.FriendlyHello'>\n"),
    "simple_metaclass": _FOUR + "type(Hello) = <class 'greetings.GreetType'>\n",
    "metaclass_crash": (
        "Hello World!\n"
        "type(Hello) = <class 'greetings.GreetType'>\n"
        "type(FriendlyHello) = <class 'greetings.GreetType'>\n"
        "Calling FriendlyHello().greet()...\n"
        "The child process died: SIGSEGV (Segmentation fault)\n"),
    "mro_metaclass": _FOUR + (
        "type(Hello) = <class 'greetings.GreetType'>\n"
        "type(FriendlyHello) = <class 'greetings.GreetType'>\n") + _TWO,
    "meta_metaclass": _FOUR + (
        "type(Hello) = <class 'greetings.HelloType'>\n"
        "type(type(Hello)) = <class 'greetings.GreetMetaType'>\n"
        "type(FriendlyHello) = <class 'greetings.HelloType'>\n") + _TWO,
    "customslots": (
        "Good day World!\nGood day you!\nGood night World!\nGood night you!\n") + _FOUR + (
        "type(Hello) = <class 'greetings.GreetType'>\n"
        "type(FriendlyHello) = <class 'greetings.GreetType'>\n") + _TWO + (
        "VeryFriendlyHello is being made and greets already: Hello early bird!\n"
        "Hello World!\n"
        "Good morning World!\n"),
}

DUCK_TYPING = """\
summing is loaded; providers it has imported: none

object                      f(2.0)   reached through
Polynomial(1, 2, 3)        17.0000   its C slot
SineWave(2.0)               1.8186   its C slot
Line(0, 1)                  2.0000   its C slot
Tone(4.0)                   3.6372   its C slot
half, a Python function     1.0000   a Python call
42                               -   no function: skipped
object()                         -   no function: skipped
the sum of them all        25.4558   {'slot': 4, 'python': 1, 'skipped': 2}
"""
