import greetings

for greeting in greetings.Hello, greetings.GoodMorning:
    print(greeting().greet())
    print(greeting("you").greet())

print("type(Hello) =", type(greetings.Hello))
