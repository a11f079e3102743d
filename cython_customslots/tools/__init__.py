# SPDX-License-Identifier: MIT
"""What builds modules, and what other build systems ask for: nothing that a program needs while it runs."""
