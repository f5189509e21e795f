"""What was dropped or compacted outside evidence, and whether the answer may have been in it."""

from __future__ import annotations

from ctxpack.answer import Expected, text_holds
from ctxpack.record import Record

_GONE = ("dropped", "compacted")


def may_have_gone(record: Record, expected: Expected) -> bool:
    """Whether the answer was in something that went, or something went whose text is not known."""
    items = {item.id: item for section in record.sections for item in section.items}
    gone = {name for name, item in items.items() if item.outcome in _GONE}
    gone |= {drop.id for drop in record.drops if drop.id is not None}
    gone |= {name for compaction in record.compactions for name in compaction.from_ids}
    if gone & set(expected.gold):
        return True
    if not expected.alternatives:
        return False
    if any(drop.id is None for drop in record.drops):
        return True
    texts = [items[name].text if name in items else None for name in sorted(gone)]
    known = [text for text in texts if text is not None]
    return len(known) < len(texts) or text_holds(known, expected.alternatives)
