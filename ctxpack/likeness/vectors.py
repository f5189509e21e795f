"""Vectors as unit rows, and the cosines between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class UnitRows:
    """Vectors of length 1, or of zeros, one a row; `finite` says which were numbers throughout."""

    rows: Floats
    finite: tuple[bool, ...]

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    def products(self) -> Floats:
        """Cosines of every two rows; 0 with a row of zeros."""
        cosines: Floats = self.rows @ self.rows.T
        return cosines

    def row(self, place: int) -> Floats:
        """Cosines of one row with every row."""
        cosines: Floats = self.rows @ self.rows[place]
        return cosines


def unit_rows(vectors: Sequence[bytes], length: int) -> UnitRows:
    """Vectors of `length` numbers, each as the bytes of its doubles, scaled to length 1.

    One that holds NaN or an infinite number becomes zeros, and one of zeros stays.
    """
    import numpy as np

    rows = np.frombuffer(bytearray().join(vectors)).reshape(len(vectors), length)
    finite: NDArray[np.bool_] = np.all(np.isfinite(rows), axis=1)
    rows[~finite] = 0.0
    # The largest number is divided out first: squares of large ones overflow.
    largest = np.abs(rows).max(axis=1)
    rows /= np.where(largest > 0, largest, 1.0)[:, None]
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.where(lengths > 0, lengths, 1.0)[:, None]
    return UnitRows(rows, tuple(finite.tolist()))
