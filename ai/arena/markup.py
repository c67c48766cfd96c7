"""HTML and SVG made of elements, so that no text from outside can become markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

_UNFIT = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069\ufffe\uffff]"
)
"""What HTML forbids, what UTF-8 cannot hold, and what turns the direction of the text after it."""


class Markup(str):
    """Text that is HTML already; all other text is escaped where it is put inside."""

    __slots__ = ()


def text(content: str) -> Markup:
    """A text as HTML that shows it; characters that no page may hold become U+FFFD."""
    return content if isinstance(content, Markup) else Markup(escape(_UNFIT.sub("\ufffd", content)))


def tag(name: str, /, *inside: str, **attributes: str | float | None) -> Markup:
    """An element.

    ``_`` in the name of an attribute stands for ``-``, one at its end is left out, and an attribute that is
    ``None`` is left out, too. Numbers have two decimals at most.
    """
    pairs = ((_attribute_name(key), value) for key, value in attributes.items() if value is not None)
    head = name + "".join(f' {key}="{text(_written(value))}"' for key, value in pairs)
    if name in {"meta", "br"}:
        return Markup(f"<{head}>")
    return Markup(f"<{head}>{join(inside)}</{name}>")


def join(parts: Iterable[str]) -> Markup:
    """Texts and markup, one after the other."""
    return Markup("".join(map(text, parts)))


def table(
    caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]], *, sortable: bool = True
) -> Markup:
    """A table; the first cell of a row names it. ``sortable``: a script may sort it by a column."""
    head = tag("thead", tag("tr", *(tag("th", heading, scope="col") for heading in headings)))
    body = tag("tbody", *(_row(row) for row in rows))
    content = tag("table", tag("caption", caption), head, body, class_="sortable" if sortable else None)
    return tag("div", content, class_="wide")


def _row(cells: Sequence[str]) -> Markup:
    name, *values = cells
    return tag("tr", tag("th", name, scope="row"), *(tag("td", value) for value in values))


def _attribute_name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
