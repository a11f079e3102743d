import greetings

for greeting in greetings.Greet, greetings.GoodNight, greetings.Hello, greetings.GoodMorning:
    print(greeting().greet())
    print(greeting("you").greet())


class FriendlyHello(greetings.Hello):
    def __init_subclass__(cls):
        print(f"{cls.__name__} is being made and greets already:", cls("early bird").greet())


print("type(Hello) =", type(greetings.Hello))
print("type(FriendlyHello) =", type(FriendlyHello))
print(FriendlyHello().greet())
print(FriendlyHello("you").greet())


class VeryFriendlyHello(FriendlyHello):
    __slots__ = ("smile",)


print(VeryFriendlyHello().greet())


class Polite:
    pass


class PoliteMorning(Polite, greetings.GoodMorning):
    pass


print(PoliteMorning().greet())
