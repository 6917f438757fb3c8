"""Params: types, ranges and texts as a command line or a form gives them."""

from pathlib import Path
from typing import Annotated, Literal

import pytest

from terrain.errors import SkerryError
from terrain.params import Params, about, describe, from_mapping, to_mapping


class Sample(Params, frozen=True, kw_only=True):
    """One field of every kind."""

    size: Annotated[float, about("How large", unit="m", ge=0, le=5)] = 1.0
    count: Annotated[int, about("How many", ge=1)] | None = None
    mode: Annotated[Literal["near", "far"], about("Which")] = "near"
    crop: Annotated[tuple[float, float], about("Where")] | None = None
    file: Annotated[Path, about("From what")] | None = None
    flip: Annotated[bool, about("Upside down")] = False
    name: Annotated[str, about("Called")] = "sea"


def test_describe_tells_everything_a_form_needs() -> None:
    infos = {info.name: info for info in describe(Sample)}
    assert list(infos) == ["size", "count", "mode", "crop", "file", "flip", "name"]
    assert [info.kind for info in infos.values()] == ["float", "int", "choice", "numbers", "path", "bool", "text"]
    size = infos["size"]
    assert (size.unit, size.low, size.high, size.default, size.doc) == ("m", 0, 5, 1.0, "How large")
    assert infos["mode"].choices == ("near", "far")
    assert infos["count"].optional
    assert not size.optional


def test_texts_are_read_as_the_fields_type() -> None:
    texts = {"size": "2.5", "count": "3", "crop": "1, 2", "file": "a/ü.tif", "flip": "yes", "mode": "far", "name": "7"}
    read = from_mapping(Sample, texts)
    assert read == Sample(size=2.5, count=3, crop=(1.0, 2.0), file=Path("a/ü.tif"), flip=True, mode="far", name="7")
    assert from_mapping(Sample, to_mapping(read)) == read


@pytest.mark.parametrize("word", ["", "none", "auto", "None"])
def test_optional_fields_can_be_cleared(word: str) -> None:
    assert from_mapping(Sample, {"count": word}).count is None


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"size": 9}, "size: 9 is too large; 5 m or less"),
        ({"size": -1.0}, "size: -1 is too small; 0 m or more"),
        ({"size": "tall"}, "size: 'tall' is not a number"),
        ({"size": "nan"}, "size: 'nan' is not a number"),
        ({"size": float("nan")}, "size: nan is not a finite"),
        ({"size": "inf"}, "size: 'inf' is not a number"),
        ({"size": True}, "size"),
        ({"count": "1.5"}, "count: '1.5' is not a whole number"),
        ({"count": 0}, "count: 0 is too small; 1 or more"),
        ({"mode": "middle"}, "mode: 'middle' is not one of near, far"),
        ({"crop": "1"}, "crop: expected `array` of length 2"),
        ({"crop": "a,b"}, "crop: 'a,b' is not numbers with commas"),
        ({"flip": "perhaps"}, "flip: 'perhaps' is not yes or no"),
        ({"colour": 1}, "unknown parameter 'colour'; known are: size, count"),
    ],
)
def test_wrong_values_are_named_in_one_line(values: dict[str, object], complaint: str) -> None:
    with pytest.raises(SkerryError, match=r"^[^\n]*$") as caught:
        from_mapping(Sample, values)
    assert complaint in str(caught.value)


def test_of_builds_from_python_values() -> None:
    assert Sample.of(size=2).size == 2.0
    with pytest.raises(SkerryError):
        Sample.of(size="x")


def test_a_type_that_no_form_can_show_is_refused() -> None:
    class Odd(Params, frozen=True, kw_only=True):
        thing: bytes = b""

    with pytest.raises(TypeError, match="cannot be of type"):
        describe(Odd)
