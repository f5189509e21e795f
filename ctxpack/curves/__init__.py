"""Curves: the chance that a model uses what stands at relative position x of its input."""

from ctxpack.curves.curve import ASSUMED, Bends, Curve, Parabolas
from ctxpack.curves.known import curve_named, curve_of

__all__ = ["ASSUMED", "Bends", "Curve", "Parabolas", "curve_named", "curve_of"]
