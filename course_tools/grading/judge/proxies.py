"""What a test sees in place of a thing that lives in the student's process.

A stand-in passes calls, attributes and items on, and only ever hands back plain
data, arrays the judge built itself, or other stand-ins. It never lets a student
object decide a comparison with a value of the test: that would let an object which
answers "equal" to everything earn points. Operators between student objects are
passed on only where the instructor's own solution defines them.
"""

import inspect

from course_tools.grading.bridge.data_names import is_data_name
from course_tools.grading.bridge.wire import WireError


class Refused(TypeError):
    """A test asked for something that a student object must not decide."""


class RefusedAttribute(Refused, AttributeError):
    """The same for an attribute, so that `hasattr` says no."""


class StandIn:
    """A thing in the student's process that is not data."""

    __slots__ = ("_link", "_handle", "_facts", "__weakref__")

    def __init__(self, link, handle, facts):
        object.__setattr__(self, "_link", link)
        object.__setattr__(self, "_handle", handle)
        object.__setattr__(self, "_facts", facts)

    # -- what it is -------------------------------------------------------------
    @property
    def __class__(self):
        return self._facts.claimed_class or type(self)

    def __instancecheck__(self, value):
        if not issubclass(type(value), StandIn):
            return False
        return _bool(self._do("isinstance", value, self))

    def __subclasscheck__(self, value):
        return _bool(self._do("issubclass", value, self))

    def __repr__(self):
        link = self._link
        if link.lost is None and link.knowledge.allows(self._facts.type, "__repr__"):
            return _typed(self._do("repr", self), str)
        return f"<{self._facts.type} in the student's process>"

    def __str__(self):
        return _typed(self._do("str", self), str)

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        if self._link.knowledge.allows(self._facts.type, "__hash__"):
            return _typed(self._do("hash", self), int)
        return hash(("stand-in", self._handle))

    def __dir__(self):
        return _typed(self._do("dir", self), list)

    # -- attributes and items -----------------------------------------------------
    def __getattr__(self, name):
        self._check_attribute(name)
        return self._do("getattr", self, name)

    def __setattr__(self, name, value):
        self._do("setattr", self, name, value)

    def __delattr__(self, name):
        self._do("delattr", self, name)

    def __getitem__(self, key):
        return self._do("getitem", self, key)

    def __setitem__(self, key, value):
        self._do("setitem", self, key, value)

    def __delitem__(self, key):
        self._do("delitem", self, key)

    def __len__(self):
        return _typed(self._do("len", self), int)

    def __iter__(self):
        return iterate(self._do("iter", self))

    def __contains__(self, value):
        self._check_operator("__contains__", "in", value)
        return _bool(self._do("contains", self, value))

    def __enter__(self):
        return self._do("enter", self)

    def __exit__(self, *_):
        self._do("exit", self)

    # -- as plain data -------------------------------------------------------------
    def __bool__(self):
        return _bool(self._do("bool", self))

    def __int__(self):
        return _typed(self._do("int", self), int)

    def __index__(self):
        return _typed(self._do("index", self), int)

    def __float__(self):
        return _typed(self._do("float", self), float)

    def __complex__(self):
        return _typed(self._do("complex", self), complex)

    def __array__(self, *_, **__):
        raise Refused(self._expected_data("made into an array"))

    @property
    def __array_interface__(self):
        raise AttributeError("a student object is not an array")

    @property
    def __array_struct__(self):
        raise AttributeError("a student object is not an array")

    def __reduce_ex__(self, protocol):
        raise Refused("a thing of the student's process cannot be copied or stored")

    # -- comparisons ---------------------------------------------------------------
    def __eq__(self, other):
        return self._compare("eq", "__eq__", "==", other, same=True)

    def __ne__(self, other):
        return self._compare("ne", "__ne__", "!=", other, same=False)

    def __lt__(self, other):
        return self._compare("lt", "__lt__", "<", other)

    def __le__(self, other):
        return self._compare("le", "__le__", "<=", other)

    def __gt__(self, other):
        return self._compare("gt", "__gt__", ">", other)

    def __ge__(self, other):
        return self._compare("ge", "__ge__", ">=", other)

    def _compare(self, operation, operator, sign, other, same=None):
        if same is not None and other is None:
            return not same
        if same is not None and self is other:
            return same
        knowledge = self._link.knowledge
        of_solution = self._facts.type in knowledge.operators
        if not issubclass(type(other), StandIn):
            if same is not None and of_solution:
                return not same  # a student object never equals data of the test
            raise Refused(self._expected_data(f"compared ({sign}) with a value"))
        plain = same is not None and not knowledge.allows(self._facts.type, operator)
        if plain and (of_solution or self._facts.kind != "object"):
            return not same  # objects without __eq__ are compared by identity
        self._check_operator(operator, sign, other)
        return _bool(self._do(operation, self, other))

    # -- helpers -------------------------------------------------------------------
    def _do(self, operation, *args):
        return self._link.operate(operation, args)

    def _expected_data(self, what):
        return (
            f"an object of class {self._facts.type} was {what}; the test expects "
            "plain data here (a number, text, list, array or tensor)"
        )

    def _check_attribute(self, name):
        if name.startswith("__") and name.endswith("__") and name not in READABLE:
            raise AttributeError(f"{name} of a student object cannot be read")
        if is_data_name(name) and not (self._facts.has(name) or self._knows(name)):
            raise RefusedAttribute(self._expected_data(f"asked for .{name}"))

    def _knows(self, name):
        return name in self._link.knowledge.members

    def _check_operator(self, operator, sign, other):
        if not self._link.knowledge.allows(self._facts.type, operator):
            raise Refused(
                f"{sign} was used on an object of class {self._facts.type}, whose "
                "class in the solution does not define it; the test expects plain data"
            )


READABLE = frozenset(["__name__", "__qualname__", "__doc__", "__annotations__"])
_ARITHMETIC = (
    "add:+ sub:- mul:* truediv:/ floordiv:// mod:% pow:** matmul:@ lshift:<< rshift:>>"
)


def _add_arithmetic():
    def make(operation, operator, sign, reflected):
        def method(self, other):
            self._check_operator(operator, sign, other)
            args = (other, self) if reflected else (self, other)
            return self._do(operation, *args)

        return method

    words = [word.split(":") for word in _ARITHMETIC.split()]
    words += [("and_", "&"), ("or_", "|"), ("xor", "^")]
    for name, sign in words:
        bare = name.rstrip("_")
        for prefix in ("", "r"):
            operator = f"__{prefix}{bare}__"
            setattr(StandIn, operator, make(name, operator, sign, prefix == "r"))
    for name in ("neg", "pos", "invert", "abs"):
        setattr(StandIn, f"__{name}__", _unary(name))


def _unary(name):
    def method(self):
        self._check_operator(f"__{name}__", name, None)
        return self._do(name, self)

    return method


_add_arithmetic()


class CallableStandIn(StandIn):
    """A function, class or instance that can be called."""

    __slots__ = ()

    def __call__(self, *args, **kwargs):
        return self._link.call(self, args, kwargs)

    @property
    def __signature__(self):
        return read_signature(self._do("signature", self))

    @property
    def __bases__(self):
        if self._facts.kind != "class":
            raise AttributeError("__bases__")
        return tuple(self._facts.known_bases) or (object,)


class IteratorStandIn(StandIn):
    """A generator or another iterator."""

    __slots__ = ()

    def __iter__(self):
        return self

    def __next__(self):
        item = _typed(self._do("next", self), list)
        if not item:
            raise StopIteration
        return item[0]


class CoroutineStandIn(StandIn):
    """What an `async` function gives; the student's process runs it to its end."""

    __slots__ = ()

    def __await__(self):
        return self._do("await", self)
        yield  # makes this a generator, as Python wants it


def iterate(value):
    """Return a true iterator over what the student's `iter` gave."""
    if issubclass(type(value), IteratorStandIn):
        return value
    if type(value) in (list, tuple, str, dict, set):
        return iter(value)
    raise TypeError("the student's object is not iterable")


def read_signature(items):
    """Build a signature from [[name, kind, has default, default if plain], ...]."""
    if items is None:
        raise ValueError("no signature found")
    parameters = []
    for name, kind, has_default, plain in items:
        default = plain if has_default else inspect.Parameter.empty
        kind = list(inspect._ParameterKind)[kind]
        parameters.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(parameters)


def _typed(value, kind):
    if type(value) is not kind:
        raise WireError(f"the answer should be a {kind.__name__}")
    return value


def _bool(value):
    return _typed(value, bool)


for _cls in (StandIn, *StandIn.__subclasses__()):  # not the docstrings above
    _cls.__doc__ = property(lambda self: self._do("getattr", self, "__doc__"))
