# SPDX-License-Identifier: MIT
# The module that the declarations belong to: what Python knows of them are its attributes.
