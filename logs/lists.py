"""Lists of runs: any page of any filter and order, with what was learned from the last ones."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict

from ctxpack.errors import InputError
from logs.conditions import Ask
from logs.filtering import RunFilter, Sort
from logs.hours import Hours, hours_of, rolled_up, total_of
from logs.selecting import Selection, count, in_order, select, walk
from logs.walking import Key

MOST_REMEMBERED = 8
"""Filters and orders of which something is remembered."""

MOST_LANDMARKS = 4_000


class _Remembered:
    """What is known of one filter in one order, until the log changes."""

    def __init__(self, selection: Selection, keys: list[Key] | None) -> None:
        self.selection = selection
        self.keys = keys
        self.hours: Hours | None = None
        self.landmarks: dict[int, Key] = {}


class Lists:
    """Answers for one connection; what it remembers holds until the log is written to."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._version: int | None = None
        self._remembered: OrderedDict[tuple[RunFilter, Sort], _Remembered] = OrderedDict()
        self.analysed: str | None = None

    def seen(self, version: int) -> None:
        """Forget everything where the log is no longer the one that was seen last."""
        if version != self._version:
            self._remembered.clear()
            self._version = version

    def count(self, wanted: RunFilter, most: int | None = None) -> int:
        """How many runs a filter lets through, or at least `most`."""
        if self._rolled_up(wanted):
            total = total_of(self._ask, wanted)
            return total if most is None else min(total, most)
        return count(self._ask, select(self._ask, wanted, self._found_in(wanted)), most)

    def at(self, wanted: RunFilter, sort: Sort, offset: int, limit: int) -> list[Key]:
        """The runs from `offset` on."""
        known = self._of(wanted, sort)
        if known.keys is not None:
            return known.keys[offset : offset + limit]
        if limit <= 0:
            return []
        keys = self._walked_to(wanted, sort, known, offset, limit)
        if keys and len(known.landmarks) < MOST_LANDMARKS:
            known.landmarks[offset + len(keys)] = keys[-1]
        return keys

    def beyond(
        self, wanted: RunFilter, sort: Sort, key: Key | None, limit: int, back: bool = False
    ) -> list[Key]:
        """The runs right after a key, or with `back` right before it, in their order."""
        known = self._of(wanted, sort)
        if known.keys is None:
            keys = walk(self._ask, known.selection, sort, beyond=key, back=back, limit=limit)
            return keys[::-1] if back else keys
        if key is None:
            return known.keys[-limit:] if back else known.keys[:limit]
        if key not in known.keys:
            # The log has changed since: the key's place is looked for as in a walk.
            rest = walk(self._ask, known.selection, sort, beyond=key, back=back, limit=limit)
            return rest[::-1] if back else rest
        place = known.keys.index(key)
        return (
            known.keys[max(0, place - limit) : place] if back else known.keys[place + 1 :][:limit]
        )

    def _of(self, wanted: RunFilter, sort: Sort) -> _Remembered:
        asked = (wanted, sort)
        if asked not in self._remembered:
            selection = select(self._ask, wanted, self._found_in(wanted))
            few = selection.runs is not None
            keys = in_order(self._ask, selection, sort) if few else None
            self._remembered[asked] = _Remembered(selection, keys)
            if len(self._remembered) > MOST_REMEMBERED:
                self._remembered.popitem(last=False)
        self._remembered.move_to_end(asked)
        return self._remembered[asked]

    def _walked_to(
        self, wanted: RunFilter, sort: Sort, known: _Remembered, offset: int, limit: int
    ) -> list[Key]:
        """From the nearest place that is known: a page that was read, an hour, the start or end."""
        passed, key = _nearest(known.landmarks, offset)
        far = offset - passed
        if far > _NEAR and self._rolled_up(wanted):
            known.hours = known.hours or hours_of(self._ask, wanted)
            total = known.hours.total
            if offset >= total:
                return []
            if sort.column == "time":
                return self._from_hour(sort, known, offset, limit)
            if total - offset < far:
                return self._from_end(sort, known, offset, limit, total)
        return walk(self._ask, known.selection, sort, beyond=key, skip=far, limit=limit)

    def _from_hour(self, sort: Sort, known: _Remembered, offset: int, limit: int) -> list[Key]:
        assert known.hours is not None
        total = known.hours.total
        newest = total - 1 - offset if sort.reverse else offset
        end, newer = known.hours.before(newest)
        if not sort.reverse:
            key = Key(end, end, -1)
            skip = newest - newer
            return walk(self._ask, known.selection, sort, beyond=key, skip=skip, limit=limit)
        # Oldest first: back from the end of the hour to the run, then on from it.
        key = Key(end, end, -1)
        found = walk(
            self._ask,
            known.selection,
            sort,
            beyond=key,
            back=True,
            skip=newest - newer,
            limit=1,
        )
        rest = walk(self._ask, known.selection, sort, beyond=found[0], limit=max(1, limit - 1))
        return found + rest if limit > 1 else found

    def _from_end(
        self, sort: Sort, known: _Remembered, offset: int, limit: int, total: int
    ) -> list[Key]:
        last = min(offset + limit, total)
        keys = walk(
            self._ask, known.selection, sort, back=True, skip=total - last, limit=last - offset
        )
        return keys[::-1]

    def _rolled_up(self, wanted: RunFilter) -> bool:
        return rolled_up(wanted) and self._found_in(wanted) == FLAGGED

    def _found_in(self, wanted: RunFilter) -> str:
        """The table that has the runs with a finding; raises InputError where none has yet."""
        if wanted.finding is None:
            return FLAGGED
        from ctxpack.findings.flags import FLAG_CODES

        if wanted.finding in FLAG_CODES:
            return FLAGGED
        if self.analysed is None:
            raise InputError(NOT_ANALYSED.format(code=wanted.finding))
        return self.analysed


FLAGGED = "flagged"

NOT_ANALYSED = (
    "{code} takes the texts of every run, and this log is not analysed: type 'ctxpack analyse LOG' "
    "once; what it finds is kept."
)

_NEAR = 500
"""Runs that are walked over sooner than a better start is looked for."""


def _nearest(landmarks: dict[int, Key], offset: int) -> tuple[int, Key | None]:
    """The last known place at or before an offset."""
    if not landmarks:
        return 0, None
    places = sorted(landmarks)
    place = bisect_right(places, offset) - 1
    return (0, None) if place < 0 else (places[place], landmarks[places[place]])
