import new_host
import old_host
from new_plugin import Nothing, Reverse
from old_plugin import Shout

import cython_customslots


class Whisper(Reverse):
    def apply(self, text):
        return super().apply(text).lower()


print("an old host runs", [old_host.run(plugin, "Abc") for plugin in (
    Shout(), Reverse(), Nothing(), Whisper())])
print("and takes back", old_host.there_and_back(Shout(), "abc"), old_host.there_and_back(Reverse(), "abc"))
print("a new host finds the cheapest:", type(new_host.cheapest([Reverse(), Nothing(), Whisper()])).__name__)
try:
    new_host.cheapest([Reverse(), Shout()])
except TypeError as error:
    print(error)
print(cython_customslots.explain(Shout(), "editor.Plugin"))
