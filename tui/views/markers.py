"""The session's packed chunks on the curve."""

from __future__ import annotations

from ctxpack.curves import curve_of
from tui.state import Session
from tui.widgets.curve_layout import CurveChart
from tui.widgets.marker_labels import Marker


def curve_chart(session: Session, selected: str | None, *, whole: bool) -> CurveChart:
    """Every packed chunk by its rank, at x in the whole window where that is known, or in evidence.

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
    where = "x in the whole window" if in_window else "x in the packed evidence"
    return CurveChart(f"{curve.name}, {where}", curve.p, tuple(markers), curve.points)


def window_known(session: Session) -> bool:
    """Whether every packed chunk's place in the whole window is known."""
    return all(place.window_x is not None for place in session.spots)
