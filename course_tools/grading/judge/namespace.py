"""The names a test sees: the judge's own first, then the student's."""

import builtins
import types

import numpy as np
import torch

from course_tools.grading.judge.proxies import CallableStandIn, StandIn

CHANGEABLE = (list, dict, set, bytearray, np.ndarray, torch.Tensor)
BUILTINS = {
    name: value
    for name, value in vars(builtins).items()
    if isinstance(value, types.BuiltinFunctionType | type) and name[0] != "_"
}


class JudgeNamespace(dict):
    """Globals of locked and test cells; missing names are asked of the student.

    Functions and classes of the instructor's solution belong to the student: a test
    that deletes or replaces one does so in the student's process too (for example to
    see whether one function uses another). No other name of a test ever reaches the
    student, so guessing the name of a variable of a hidden test gains nothing.
    """

    def __init__(self, knowledge):
        self.knowledge = knowledge
        self.shared = frozenset(knowledge.functions)
        self.students = frozenset(knowledge.names)
        # for functions whose globals are not a plain dict, Python would ask
        # `__missing__` for every use of a builtin
        own = {name: BUILTINS[name] for name in BUILTINS if name not in self.students}
        super().__init__(own, __name__="__main__", __builtins__=builtins)
        self.deleted = set()
        self.reserved = set()
        self.locked = {}
        self.link = None
        self.functions = {}

    def __missing__(self, name):
        is_builtin = hasattr(builtins, name) and name not in self.students
        own = is_builtin or name.startswith("__") or name in self.reserved
        if self.link is None or own:
            raise KeyError(name)
        if name in self.functions:
            return self.functions[name]
        value = self.link.lookup(name)
        if issubclass(type(value), CallableStandIn):
            self.functions[name] = value
        return value

    def __contains__(self, name):
        """'x' in globals()"""
        if dict.__contains__(self, name) or not isinstance(name, str):
            return dict.__contains__(self, name)
        try:
            self.__missing__(name)
        except KeyError:
            return False
        return True

    def get(self, name, default=None):
        try:
            return self[name]
        except KeyError:
            return default

    def __setitem__(self, name, value):
        restored = name in self.deleted and issubclass(type(value), StandIn)
        if self.link is not None and (name in self.shared or restored):
            self.functions.pop(name, None)
            dict.pop(self, name, None)
            self.link.store(name, value)
            return
        dict.__setitem__(self, name, value)

    def __delitem__(self, name):
        self.functions.pop(name, None)
        if dict.pop(self, name, self) is not self:
            return
        if self.link is None or not self.link.delete(name):
            raise KeyError(name)
        self.deleted.add(name)

    def keep_locked(self, names):
        """Remember what a locked cell defined: these objects exist on both sides."""
        for name in names:
            if dict.__contains__(self, name):
                self.locked[name] = dict.get(self, name)

    def reserve(self, names):
        """These names of a locked cell are never asked of the student.

        Should the cell fail, a test that uses its helpers must not get the student's.
        """
        self.reserved.update(name for name in names if name not in self.students)

    def hand_over(self, names, changed=()):
        """From here on these names are the student's (a solution cell ran).

        Of `changed`, which the solution changes in place, only data is handed over.
        """
        self.functions.clear()
        data = [name for name in changed if type(dict.get(self, name)) in CHANGEABLE]
        for name in (*names, *data):
            dict.pop(self, name, None)
            self.reserved.discard(name)

    def keep(self):
        """Return what `restore` needs."""
        return dict(self), dict(self.locked), set(self.reserved)

    def restore(self, kept):
        """Forget everything that was bound since `keep`."""
        self.link = None
        self.functions.clear()
        self.deleted.clear()
        dict.clear(self)
        dict.update(self, kept[0])
        self.locked, self.reserved = kept[1:]

    def forget_student(self):
        """Drop everything that belonged to a student process which has ended."""
        self.functions.clear()
        self.deleted.clear()
        for name in [n for n, v in self.items() if issubclass(type(v), StandIn)]:
            dict.pop(self, name)


class MainModule(types.ModuleType):
    """`__main__` as tests see it: unittest.main(), patch("__main__.f"), doctest."""

    def __init__(self, names):
        super().__init__("__main__")
        object.__setattr__(self, "_names", names)

    def __getattr__(self, name):
        try:
            return object.__getattribute__(self, "_names")[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self._names[name] = value

    def __delattr__(self, name):
        try:
            del self._names[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self):
        return [name for name in dict.keys(self._names) if name not in BUILTINS]
