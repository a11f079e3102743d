"""Messages of a C library, from Python: made, derived from, patched."""
import iopy

print(iopy.Payment(id=1, amount=9.5, payer="Ada"))
print(iopy.Refund(id=2, amount=9.5, payer="Ada", of=1))


# ---- a subclass is a message like its base: it has the base's descriptor ----

class Donation(iopy.Payment):
    """Not in the C library, but printed and measured by it."""

    def __init__(self, **values):
        super().__init__(**values)
        self.payer = self.payer or "anonymous"


print(Donation(id=3, amount=1))


# ---- the bases of a generated class, patched: subclasses follow ----

class WithReceipt:
    def receipt(self):
        return f"{self.payer} paid {self.amount:.2f}"


iopy.Payment.__bases__ = (WithReceipt, *iopy.Payment.__bases__)
print(iopy.Refund(amount=2, payer="Bob").receipt())
print(Donation(amount=3).receipt())


class SecondVersion(iopy.Struct):
    __slots__ = ()
    version = 2


print("versions:", iopy.Event.version, iopy.Payment.version, iopy.Refund.version, Donation.version)
iopy.Event.__bases__ = (SecondVersion,)
print("versions:", iopy.Event.version, iopy.Payment.version, iopy.Refund.version, Donation.version)
print(iopy.Refund(id=4))                # and each has the descriptor it had


# ---- C code reads the descriptor of whatever it is given ----

messages = iopy.Event(), iopy.Payment(), Donation(), iopy.Refund()
sizes = [iopy.total_size((message,)) for message in messages]
print("a donation is as large as a payment:", sizes[1] == sizes[2])
print("together:", iopy.total_size(messages) == sum(sizes))
