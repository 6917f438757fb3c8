"""Params: one typed declaration that drives a form, a command-line option and a recipe line.

class Raise(Params):
    strength: Annotated[float, about("Height gained by one pass", unit="m", ge=0)] = 10.0
    ceiling: Annotated[float, about("Rise no higher than this", unit="m")] | None = None
"""

import math
import types
import typing
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec

from terrain.errors import ParamError

P = TypeVar("P", bound="Params")

Kind = Literal["float", "int", "bool", "choice", "text", "path", "numbers"]


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every parameter set: immutable, typed, each field with unit, range and one line of doc.

    A field is a float, int, bool, str, Path, Literal of texts or tuple of floats, or one of these `| None`.
    """

    @classmethod
    def of(cls: type[P], **values: object) -> P:
        """Build from Python values, checking type and range. Raises `ParamError` naming the field."""
        return from_mapping(cls, values)


class ParamInfo(NamedTuple):
    """What a form, an option or a docs page needs to know of one field."""

    name: str
    kind: Kind
    default: Any
    doc: str
    unit: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    optional: bool
    group: str
    """Heading under which a form may fold the field away; empty for what is always in sight."""

    @property
    def option(self) -> str:
        """The command-line option: `--height-scale` for `height_scale`."""
        return "--" + self.name.replace("_", "-")


def about(
    doc: str,
    *,
    unit: str = "",
    ge: float | None = None,
    le: float | None = None,
    group: str = "",
) -> msgspec.Meta:
    """Metadata of one field: a line of doc, a unit (SI unless stated), limits that are enforced, a form's heading."""
    return msgspec.Meta(description=doc, ge=ge, le=le, extra={"unit": unit, "group": group})


def describe(cls: type[Params]) -> list[ParamInfo]:
    """The fields of a Params class, in the order they are written."""
    hints = typing.get_type_hints(cls, include_extras=True)
    return [_info(f.name, hints[f.name], f.default) for f in msgspec.structs.fields(cls)]


def from_mapping(cls: type[P], values: typing.Mapping[str, object]) -> P:
    """Params from named values; texts are read as the field's type, as from a command line.

    Raises `ParamError` with one line that names the field and what is allowed.
    """
    known = {info.name: info for info in describe(cls)}
    for name in values:
        if name not in known:
            raise ParamError(f"unknown parameter '{name}'; known are: {', '.join(known) or 'none'}")
    parsed = {name: _parse(known[name], value) for name, value in values.items()}
    for name, value in parsed.items():
        _check(known[name], value)
    try:
        return msgspec.convert(parsed, cls, strict=True, dec_hook=_decode_path)
    except msgspec.ValidationError as error:
        raise ParamError(f"parameter {_readable(str(error))}") from None


def to_mapping(params: Params) -> dict[str, Any]:
    """Plain values of every field, ready for JSON or TOML; paths as text."""
    return typing.cast(dict[str, Any], msgspec.to_builtins(params, enc_hook=str))


def _decode_path(kind: type, value: object) -> object:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise TypeError(f"{value!r} is not a {kind.__name__}")


def _readable(error: str) -> str:
    """'Expected `float` >= 0 - at `$.radius`' becomes 'radius: expected `float` >= 0'."""
    what, _, where = error.partition(" - at `$.")
    what = what[:1].lower() + what[1:]
    return f"{where.rstrip('`')}: {what}" if where else what


def _info(name: str, hint: Any, default: Any) -> ParamInfo:
    hint, optional = _strip_optional(hint)
    meta = next((m for m in getattr(hint, "__metadata__", ()) if isinstance(m, msgspec.Meta)), msgspec.Meta())
    base = typing.get_args(hint)[0] if hasattr(hint, "__metadata__") else hint
    choices = tuple(typing.get_args(base)) if typing.get_origin(base) is Literal else ()
    extra = meta.extra or {}
    unit, group = str(extra.get("unit", "")), str(extra.get("group", ""))
    doc = meta.description or ""
    return ParamInfo(name, _kind(base), default, doc, unit, meta.ge, meta.le, choices, optional, group)


def _strip_optional(hint: Any) -> tuple[Any, bool]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        rest = [a for a in typing.get_args(hint) if a is not type(None)]
        if len(rest) == 1:
            return rest[0], True
    return hint, False


def _kind(base: Any) -> Kind:
    if typing.get_origin(base) is Literal:
        return "choice"
    if typing.get_origin(base) is tuple:
        return "numbers"
    kinds: dict[Any, Kind] = {float: "float", int: "int", bool: "bool", str: "text", Path: "path"}
    if base not in kinds:
        raise TypeError(f"a parameter cannot be of type {base}")
    return kinds[base]


def _parse(info: ParamInfo, value: object) -> object:
    """Read a text as the field's kind; other values pass through to the type check."""
    if isinstance(value, Path):
        return str(value)
    if info.kind == "float" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, list):
        return tuple(value)
    if not isinstance(value, str) or info.kind in ("text", "path", "choice"):
        return value
    text = value.strip()
    if info.optional and text.lower() in ("", "none", "auto"):
        return None
    try:
        return _READERS[info.kind](text)
    except ValueError:
        raise ParamError(f"parameter {info.name}: '{value}' is not {_ARTICLES[info.kind]}") from None


def _check(info: ParamInfo, value: object) -> None:
    """Refuse what is out of range or no choice, saying what is allowed; types are checked later."""
    if info.kind == "choice" and isinstance(value, str) and value not in info.choices:
        raise ParamError(f"parameter {info.name}: '{value}' is not one of {', '.join(info.choices)}")
    if isinstance(value, bool) or not isinstance(value, float | int):
        return
    if not math.isfinite(value):
        raise ParamError(f"parameter {info.name}: {value} is not a finite number")
    if info.low is not None and value < info.low:
        raise ParamError(
            f"parameter {info.name}: {value:g} is too small; {f'{info.low:g} {info.unit}'.strip()} or more"
        )
    if info.high is not None and value > info.high:
        raise ParamError(
            f"parameter {info.name}: {value:g} is too large; {f'{info.high:g} {info.unit}'.strip()} or less"
        )


def _read_bool(text: str) -> bool:
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
    if text.lower() not in words:
        raise ValueError(text)
    return words[text.lower()]


def _read_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


_READERS: dict[str, typing.Callable[[str], object]] = {
    "float": _read_float,
    "int": int,
    "bool": _read_bool,
    "numbers": lambda text: tuple(_read_float(part) for part in text.split(",")),
}
_ARTICLES = {"float": "a number", "int": "a whole number", "bool": "yes or no", "numbers": "numbers with commas"}
