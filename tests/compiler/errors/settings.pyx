# SPDX-License-Identifier: MIT
# customslots: extend_all=yes, typed=0, typd=False
  # customslots: typed=True, extend_all

#customslots:typed
# customslots: extend-all=True, level=3, Runtime=installed
# customslots: runtime=Embedded
# customslots: typed=True, runtime
#  customslots: runtime=not a.name, typed=False
# customslots: metaclass=ABCMeta
# customslots: extend_all=True, A.metaclass
# customslots: metaclass=abc.ABCMeta, extend_all=False

_ERRORS = u"""
2:15: the customslots setting 'extend_all' is True or False, found 'yes'
2:31: the customslots setting 'typed' is True or False, found '0'
2:40: there is no customslots setting 'typd'; there are extend_all, typed, borrow_views, metaclass, runtime and CLASS.metaclass
3:29: the customslots setting 'extend_all' is True or False, found nothing
5:13: the customslots setting 'typed' is True or False, found nothing
6:15: there is no customslots setting 'extend-all'; there are extend_all, typed, borrow_views, metaclass, runtime and CLASS.metaclass
6:32: there is no customslots setting 'level'; there are extend_all, typed, borrow_views, metaclass, runtime and CLASS.metaclass
6:41: there is no customslots setting 'Runtime'; there are extend_all, typed, borrow_views, metaclass, runtime and CLASS.metaclass
7:15: the customslots setting 'runtime' is embedded, linked, installed or the full name of a module, such as package._runtime, found 'Embedded'
8:27: the customslots setting 'runtime' is embedded, linked, installed or the full name of a module, such as package._runtime, found nothing
9:16: the customslots setting 'runtime' is embedded, linked, installed or the full name of a module, such as package._runtime, found 'not a.name'
10:15: the customslots setting 'metaclass' is the full name of a metaclass, such as abc.ABCMeta, found 'ABCMeta'
11:32: the customslots setting 'A.metaclass' is the full name of a metaclass, such as abc.ABCMeta, found nothing
12:15: the customslots setting 'metaclass' is for the classes that are extended, and extend_all=False leaves them as they are; remove one of the two
"""
