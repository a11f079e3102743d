import greetings

hello = greetings.Hello()
print(hello.greet())
hello2 = greetings.Hello("you")
print(hello2.greet())
