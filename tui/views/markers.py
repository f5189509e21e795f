"""The session's packed chunks on the curve."""

from __future__ import annotations

from ctxpack.curves import curve_of
from tui.state import Session
from tui.widgets.curve_layout import CurveChart
from tui.widgets.marker_labels import Marker


def curve_chart(session: Session, selected: str | None, *, whole: bool) -> CurveChart:
    """Every packed chunk by its rank, at x in the whole window where that is known, or in evidence.

    Below the curve it stands at the other of the two.

    Gold chunks hold the expected answer; in a what-if, entered and moved chunks are changed.
    """
    curve = session.case.curve if session.in_log else curve_of(session.settings)
    in_window = whole and window_known(session)
    change = session.against
    changed = set(change.entered) | set(change.moved) if change else set()
    markers = []
    for place in session.spots:
        x = place.window_x if in_window and place.window_x is not None else place.x
        markers.append(
            Marker(
                label=str(place.rank) if place.rank is not None else "pin",
                x=x,
                p=curve.p(x),
                gold=place.id in session.gold,
                selected=place.id == selected,
                changed=place.id in changed,
            )
        )
    name, below, places = _named(session, in_window)
    return CurveChart(f"{curve.name}, {name}", curve.p, tuple(markers), curve.points, places, below)


def _named(session: Session, in_window: bool) -> tuple[str, str, tuple[float, ...]]:
    """What x is, and what stands below the curve: the same chunks by the other x."""
    if not window_known(session):
        return "x in the evidence (place in the window not logged)", "", ()
    if in_window:
        places = tuple(place.x for place in session.spots)
        return "x in window, evid: in evidence", "evid", places
    places = tuple(place.x if (x := place.window_x) is None else x for place in session.spots)
    return "x in evidence, wind: in window", "wind", places


def window_known(session: Session) -> bool:
    """Whether every packed chunk's place in the whole window is known."""
    return all(place.window_x is not None for place in session.spots)
