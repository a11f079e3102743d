/* SPDX-License-Identifier: MIT */
#include "greetings.h"

#include <stddef.h>

const greeting_class greetings[] = {
    { "Hello", "Hello" },
    { "GoodMorning", "Good morning" },
    { NULL, NULL },
};
