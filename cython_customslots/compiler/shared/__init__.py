# SPDX-License-Identifier: MIT
"""What all parts need: what is known of a class, a function and a module, and how C is written."""
