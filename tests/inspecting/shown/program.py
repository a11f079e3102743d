import cython_customslots
import plugins

class Urgent(plugins.Plugin, priority=1):
    pass

print(cython_customslots.fields(Urgent))
for slot in cython_customslots.slots(Urgent):
    if slot.name:
        print(slot.position, slot.name, slot.declared_by)
print(cython_customslots.signatures(plugins.Plugin.weigh))
