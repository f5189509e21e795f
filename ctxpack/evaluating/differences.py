"""Intervals of paired differences: how far chance alone may have moved them."""

from __future__ import annotations

from math import sqrt

Z = 1.959963984540054
"""The normal quantile of a two-sided interval of 95 %."""


def share_difference(
    both: int, only_a: int, only_b: int, neither: int
) -> tuple[float, float, float]:
    """The share of b less that of a on the same questions, with its interval of 95 %.

    Agresti and Min's Wald interval with half a question added to each of the four counts
    (Statistics in Medicine 24, 2005); the difference itself is as counted.
    """
    questions = both + only_a + only_b + neither
    if not questions:
        return 0.0, 0.0, 0.0
    a, b, many = only_a + 0.5, only_b + 0.5, questions + 2
    middle = (b - a) / many
    width = Z * sqrt(max(0.0, (a + b) - (b - a) ** 2 / many)) / many
    return (only_b - only_a) / questions, max(-1.0, middle - width), min(1.0, middle + width)


def mean_difference(
    questions: int, total: float, squares: float
) -> tuple[float, float | None, float | None]:
    """The mean of paired differences, with the normal interval of 95 % of a mean.

    None for the interval of fewer than two questions.
    """
    if not questions:
        return 0.0, None, None
    mean = total / questions
    if questions < 2:
        return mean, None, None
    variance = max(0.0, squares - questions * mean * mean) / (questions - 1)
    width = Z * sqrt(variance / questions)
    return mean, mean - width, mean + width
