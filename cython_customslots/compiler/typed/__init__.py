# SPDX-License-Identifier: MIT
"""Typed records of functions, and callers of typed callables."""
