import greetings

for greeting in greetings.Hello, greetings.GoodMorning:
    print(greeting().greet())
    print(greeting("you").greet())


class FriendlyHello(greetings.Hello):
    pass


try:
    print(FriendlyHello().greet())
except KeyError as error:
    print("FriendlyHello is not in the dictionary: KeyError:", error)
