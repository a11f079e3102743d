# SPDX-License-Identifier: MIT
"""What programs use that is written in Python: slots of classes, interfaces, objects in messages."""
