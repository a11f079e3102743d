/* SPDX-License-Identifier: MIT
 *
 * pin.h - assertions of the compiler's, under every standard.
 */
#ifndef PIN_H
#define PIN_H

#if defined(__cplusplus)
#  define PIN(condition, message) static_assert(condition, message)
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#  define PIN(condition, message) _Static_assert(condition, message)
#else
#  define PIN_NAME_(line) pin_at_line_##line
#  define PIN_NAME(line) PIN_NAME_(line)
#  define PIN(condition, message) \
       extern char PIN_NAME(__LINE__)[sizeof(message) > 1 && (condition) ? 1 : -1]
#endif

#define WORD sizeof(void *)
#define IS(number, wide, narrow) PIN((number) == (WORD == 8 ? (wide) : (narrow)), #number " changed: see layout.txt")

#endif /* PIN_H */
