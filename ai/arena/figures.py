"""Figures as inline SVG, drawn in the colours of the page and named for those who do not see them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kingsbridge.ai.arena.markup import Markup, join, tag

WIDTH = 720.0
"""Of every figure, in its own units."""
_LABEL = 200.0
_RIGHT = WIDTH - 20.0
_ROW = 26.0
_LONGEST_LABEL = 28
_POINTS = 600
"""A path of more points is thinned, to the least and the greatest of each stretch."""


class Bar(NamedTuple):
    """A value with the bounds of its interval."""

    label: str
    value: float
    low: float
    high: float


class _Axis(NamedTuple):
    """Where numbers from ``low`` to ``high`` lie between two places of a figure."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def error_bars(title: str, unit: str, bars: Sequence[Bar]) -> Markup:
    """Values with their intervals, one a row, over one axis."""
    axis = _axis([bar.low for bar in bars], [bar.high for bar in bars], _LABEL, _RIGHT)
    bottom = 10 + _ROW * len(bars)
    rows = (_error_bar(axis, 10 + _ROW * (row + 0.5), bar) for row, bar in enumerate(bars))
    return _figure(title, bottom + 40, _scale_below(axis, 6.0, bottom, unit), *rows)


def histogram(
    title: str, unit: str, counts: Mapping[int, int], within: tuple[int, int] | None = None
) -> Markup:
    """How often which number; ``within`` sets the ends of the axis, so that several figures compare."""
    least, greatest = within or (min(counts), max(counts))
    width = max(1, math.ceil((greatest - least + 1) / 60))
    bins: dict[int, int] = {}
    for number, times in counts.items():
        bins[(number - least) // width] = bins.get((number - least) // width, 0) + times
    axis = _Axis(least - 0.5, max(greatest, least + width - 1) + 0.5, 60.0, _RIGHT)
    tall = _Axis(0.0, float(max(bins.values())), 120.0, 10.0)
    columns = (
        _column(axis, tall, (least + place * width, least + (place + 1) * width - 1), times)
        for place, times in sorted(bins.items())
    )
    most = tag("text", str(max(bins.values())), x=52, y=16, text_anchor="end")
    return _figure(title, 160.0, most, _scale_below(axis, 10.0, 120.0, unit), *columns)


def path(title: str, unit: str, values: Sequence[float], lower: float, upper: float) -> Markup:
    """Values one after the other, between two bounds."""
    points = [(0, 0.0), *thinned(values)]
    tall = _axis(
        [lower, *(value for _, value in points)], [upper, *(value for _, value in points)], 200.0, 10.0
    )
    axis = _Axis(0.0, float(max(len(values), 1)), 60.0, _RIGHT)
    line = " ".join(f"{axis.at(place):.1f},{tall.at(value):.1f}" for place, value in points)
    bounds = (_level(tall, bound, "bound") for bound in (lower, upper))
    scale = _scale_below(axis, 10.0, 200.0, unit)
    return _figure(title, 240.0, scale, *bounds, _level(tall, 0.0, "grid"), _curve(line))


def thinned(values: Sequence[float]) -> list[tuple[int, float]]:
    """The values, numbered from 1; of many, the least and the greatest of each stretch, and the last."""
    points = list(enumerate(values, 1))
    stretch = math.ceil(2 * len(points) / _POINTS)
    if stretch <= 2:
        return points
    kept: set[tuple[int, float]] = {points[-1]}
    for start in range(0, len(points), stretch):
        part = points[start : start + stretch]
        kept |= {min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])}
    return sorted(kept)


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Round numbers from ``low`` to ``high``, at most so many: multiples of 1, 2 or 5 by a power of 10."""
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(power * each for each in (1, 2, 5, 10, 20) if (high - low) / (power * each) <= most - 1)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def shortened(label: str) -> str:
    """A label that fits its column."""
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def _axis(lows: Sequence[float], highs: Sequence[float], start: float, end: float) -> _Axis:
    """One that all values lie within, with some room."""
    low, high = min(lows), max(highs)
    room = (high - low) * 0.04 or 1.0
    return _Axis(low - room, high + room, start, end)


def _figure(title: str, height: float, *inside: Markup) -> Markup:
    drawing = tag(
        "svg",
        tag("title", title),
        *inside,
        viewBox=f"0 0 {WIDTH:.0f} {height:.0f}",
        fill="currentColor",
        font_size=12,
        role="img",
        aria_label=title,
    )
    return tag("figure", drawing, tag("figcaption", title))


def _scale_below(axis: _Axis, top: float, bottom: float, unit: str) -> Markup:
    """Lines at round numbers, and the numbers with their unit below."""
    lines = []
    for tick in ticks(axis.low, axis.high):
        x = axis.at(tick)
        lines.append(_line("grid", x, top, x, bottom))
        lines.append(tag("text", f"{tick:.6g}", x=x, y=bottom + 16, text_anchor="middle"))
    middle = (axis.start + axis.end) / 2
    return join([*lines, tag("text", unit, x=middle, y=bottom + 34, text_anchor="middle")])


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    """A line that is seen without the style of the page, too; ``kind`` gives it one."""
    faint = 0.25 if kind == "grid" else None
    return tag("line", class_=kind, x1=x1, y1=y1, x2=x2, y2=y2, stroke="currentColor", stroke_opacity=faint)


def _curve(points: str) -> Markup:
    return tag("polyline", points=points, fill="none", stroke="currentColor")


def _level(tall: _Axis, value: float, kind: str) -> Markup:
    y = tall.at(value)
    return join(
        [_line(kind, 60.0, y, _RIGHT, y), tag("text", f"{value:.2f}", x=52, y=y + 4, text_anchor="end")]
    )


def _error_bar(axis: _Axis, y: float, bar: Bar) -> Markup:
    said = tag("title", f"{bar.label}: {bar.value:.1f} ({bar.low:.1f} .. {bar.high:.1f})")
    low, high = axis.at(bar.low), axis.at(bar.high)
    ends = (_line("error", x, y - 5, x, y + 5) for x in (low, high))
    return tag(
        "g",
        said,
        tag("text", shortened(bar.label), x=_LABEL - 12, y=y + 4, text_anchor="end"),
        _line("error", low, y, high, y),
        *ends,
        tag("circle", cx=axis.at(bar.value), cy=y, r=4.5),
    )


def _column(axis: _Axis, tall: _Axis, numbers: tuple[int, int], times: int) -> Markup:
    first, last = numbers
    start, end = axis.at(first - 0.5), axis.at(last + 0.5)
    said = tag("title", f"{first}: {times}" if first == last else f"{first} to {last}: {times}")
    width = max(end - start - 0.5, 0.5)
    return tag("rect", said, x=start, y=tall.at(times), width=width, height=tall.start - tall.at(times))
