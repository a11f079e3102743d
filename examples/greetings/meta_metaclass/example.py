import greetings

for greeting in greetings.Hello, greetings.GoodMorning:
    print(greeting().greet())
    print(greeting("you").greet())


class FriendlyHello(greetings.Hello):
    pass


print("type(Hello) =", type(greetings.Hello))
print("type(type(Hello)) =", type(type(greetings.Hello)))
print("type(FriendlyHello) =", type(FriendlyHello))
print(FriendlyHello().greet())
print(FriendlyHello("you").greet())
