# SPDX-License-Identifier: MIT
"""Interfaces: their declarations, the classes that implement them, their tables and variables."""
