"""Findings about the packed chunks themselves: superseded, said many times, far behind the best."""

from __future__ import annotations

import pytest

from ctxpack import Record
from ctxpack.findings import Finding, diagnose, open_case
from ctxpack.record import Answer, LoggedCandidate, LoggedSettings


def run(*candidates: LoggedCandidate, expected: tuple[str, ...] = (), reply: str = "") -> Record:
    return Record(
        schema=1,
        id="r",
        time="2026-11-19T09:30:00Z",
        query="q",
        settings=LoggedSettings(budget=1000, strategy="top", placement="best-first"),
        candidates=candidates,
        answer=Answer(expected=expected, text=reply) if expected else None,
    )


def chunk(rank: int, outcome: str = "packed", **fields: object) -> LoggedCandidate:
    given: dict[str, object] = {"id": f"c{rank}", "rank": rank, "tokens": 50}
    given["text"] = f"text {rank}"
    given |= {"position": rank} if outcome == "packed" else {"reason": "no_room"}
    return LoggedCandidate(**(given | {"outcome": outcome} | fields))  # type: ignore[arg-type]


def found(record: Record, code: str) -> list[Finding]:
    return [finding for finding in diagnose(open_case(record)) if finding.code == code]


OLD = {"doc_id": "refunds", "version": "v1", "date": "2023-02-01"}
NEW = {"doc_id": "refunds", "version": "v3", "date": "2026-03-01"}


def test_an_older_version_packed_while_the_newer_was_skipped_is_stale() -> None:
    (finding,) = found(run(chunk(1, **OLD), chunk(2, "skipped", **NEW)), "stale_packed")
    assert (finding.severity, finding.chunks) == ("fault", ("c1", "c2"))
    assert finding.title == (
        "c1 (v1, 2023-02-01) is packed and the newer c2 (v3, 2026-03-01) is not."
    )


@pytest.mark.parametrize(
    "others",
    [
        (chunk(1, **NEW), chunk(2, "skipped", **OLD)),
        (chunk(1, **OLD), chunk(2, **NEW)),
        (chunk(1, **OLD), chunk(2, **NEW), chunk(3, "skipped", **NEW)),
        (chunk(1, **OLD), chunk(2, "skipped", **{**NEW, "doc_id": "other"})),
        (chunk(1, **OLD), chunk(2, "unknown", **NEW)),
        (chunk(1, doc_id="refunds"), chunk(2, "skipped", **NEW)),
    ],
)
def test_nothing_is_stale_otherwise(others: tuple[LoggedCandidate, ...]) -> None:
    assert found(run(*others), "stale_packed") == []


def test_where_dates_are_not_known_versions_tell_by_number_and_not_by_letter() -> None:
    old = chunk(1, doc_id="d", version="v9")
    new = chunk(2, "skipped", doc_id="d", version="v10")
    assert len(found(run(old, new), "stale_packed")) == 1


def test_a_stale_chunk_explains_why_the_answer_was_skipped() -> None:
    record = run(
        chunk(1, **OLD),
        chunk(2, "skipped", **NEW, text="within 14 days"),
        expected=("14 days",),
    )
    cause = diagnose(open_case(record))[0]
    assert (cause.code, cause.because) == ("answer_skipped", ("stale_packed",))
    assert "c1 (v1, 2023-02-01) is packed" in cause.title


SAME = "you may send it back within fourteen days of the day on which it reached you at home"


def test_near_duplicates_are_counted_with_what_they_waste() -> None:
    record = run(
        chunk(1, text=SAME),
        chunk(2, text=SAME.replace(" ", "\n ") + " "),
        chunk(3, text=SAME),
        chunk(4),
    )
    (finding,) = found(record, "duplicates_packed")
    assert finding.detail == {"chunks": 3, "wasted": 100}
    assert finding.chunks == ("c1", "c2", "c3")


def test_different_texts_skipped_copies_and_unknown_texts_are_no_duplicates() -> None:
    assert (
        found(run(chunk(1, text=SAME), chunk(2, "skipped", text=SAME)), "duplicates_packed") == []
    )
    assert found(run(chunk(1, text=None), chunk(2, text=None)), "duplicates_packed") == []
    half = SAME.split()
    other = " ".join(half[:9] + [word[::-1] for word in half[9:]])
    assert found(run(chunk(1, text=SAME), chunk(2, text=other)), "duplicates_packed") == []


def scored(scores: list[float], kind: str = "bm25", packed: int = 99) -> Record:
    return run(
        *(
            chunk(n, "packed" if n <= packed else "skipped", score=score, score_kind=kind)
            for n, score in enumerate(scores, 1)
        )
    )


def test_packed_chunks_below_a_clear_cliff_are_padding() -> None:
    (finding,) = found(scored([25.5, 20.6, 11.4, 11.1, 10.1, 9.6]), "padding")
    assert finding.detail == {"below": 4, "after_rank": 2, "tokens": 200}
    assert "(20.6 to 11.4 after rank 2)" in finding.title


def test_for_distances_lower_is_better() -> None:
    assert len(found(scored([0.1, 0.12, 0.6, 0.61, 0.62], "distance"), "padding")) == 1


@pytest.mark.parametrize(
    "record",
    [
        scored([25.5, 20.6, 11.4, 11.1, 10.1, 9.6], packed=3),
        scored([10, 9, 8, 7, 6, 5]),
        scored([30, 9, 8, 7, 6, 5]),
        scored([5, 5, 5, 5]),
        scored([25.5, 20.6, 11.4, 11.1], "unknown"),
        scored([25.5, 20.6, 11.4]),
    ],
)
def test_one_chunk_below_a_gentle_fall_and_unknown_kinds_are_no_padding(record: Record) -> None:
    assert found(record, "padding") == []


def test_what_was_filtered_out_makes_no_cliff() -> None:
    banned = [
        chunk(n, "skipped", score=40.0 - n, score_kind="bm25", reason="banned") for n in (1, 2)
    ]
    rest = [chunk(n, score=20.0 - n / 10, score_kind="bm25") for n in range(3, 9)]
    assert found(run(*banned, *rest), "padding") == []
