# SPDX-License-Identifier: MIT
"""What decorators say of a class: their arguments, IDs, values and metaclasses."""
