"""The names a test sees: the judge's own first, then the student's."""

import builtins
import types

from course_lib.grading.stand_in import CallableStandIn, StandIn

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
        self.locked = {}
        self.link = None
        self.functions = {}

    def __missing__(self, name):
        is_builtin = hasattr(builtins, name) and name not in self.students
        if self.link is None or is_builtin or name.startswith("__"):
            raise KeyError(name)
        if name in self.functions:
            return self.functions[name]
        value = self.link.lookup(name)
        if issubclass(type(value), CallableStandIn):
            self.functions[name] = value
        return value

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
            if name in self:
                self.locked[name] = dict.get(self, name)

    def hand_over(self, names):
        """From here on these names are the student's (a solution cell ran)."""
        self.functions.clear()
        for name in names:
            dict.pop(self, name, None)

    def keep(self):
        """Return what `restore` needs."""
        return dict(self), dict(self.locked)

    def restore(self, kept):
        """Forget everything that was bound since `keep`."""
        self.link = None
        self.functions.clear()
        self.deleted.clear()
        dict.clear(self)
        dict.update(self, kept[0])
        self.locked = kept[1]

    def forget_student(self):
        """Drop everything that belonged to a student process which has ended."""
        self.functions.clear()
        self.deleted.clear()
        for name in [n for n, v in self.items() if issubclass(type(v), StandIn)]:
            dict.pop(self, name)
