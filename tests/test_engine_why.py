"""`why`: every change it tells was packed again here, and no smaller one does it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from engine_inputs import AT_EVERY_BUDGET, counter, texts
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from test_engine_budgets import Case, cases, packed_at

import sample_runs
from ctxpack import STRATEGIES, Candidate, InputError, Record, Settings
from ctxpack.explaining.changes import ROOM, Change
from ctxpack.explaining.trials import trials
from ctxpack.explaining.why import Why, why, why_json, why_logged
from ctxpack.replay import logged_settings, retrieved
from ctxpack.retrieved import Retrieved
from logs import open_log

some = effort(max_examples=150, deadline=None, derandomize=True)
FILLS = ("first-fit", "top", "density")

# 100 tokens at most are asked for. Gains: 1.000, 0.631, 0.500, 0.431, 0.387.
SIZES = {"a": 60, "b": 50, "c": 30, "d": 25, "e": 10}


def small(budget: int = 100, strategy: str = "top", **changes: Any) -> Case:
    """Five chunks whose every answer is written out below."""
    candidates = [
        Candidate(id=name, rank=rank, tokens=size)
        for rank, (name, size) in enumerate(SIZES.items(), start=1)
    ]
    return Retrieved(tuple(candidates)), Settings(budget=budget, strategy=strategy, **changes)


def told(found: Why) -> list[tuple[str, Any]]:
    """The changes in short."""
    assert all(change.verified for change in found.changes)
    return [(change.kind, change.amount) for change in found.changes]


# Worked out on paper. By rank (a 60, b 50, c 30, d 25, e 10) d is in where something is left that
# holds it, once those before it had their turn:
#   25-29   nothing before it fits; from 30 on c takes the room, from 50 b, from 60 a
#   85-89   beside a, where c does not fit yet
#   135-139 beside a and b, the same
#   165     beside a, b and c
# In given order nothing is passed over: d needs all before it. By density the order is e .0387,
# d .0172, a .0167, c .0167 (equal, so by rank), b .0126: d needs e and itself. The best sets are
#   25 d .431    30 c .500    35 d e .818    40 c e .887    55 c d .931    60 b e 1.018
#   65 c d e 1.318    70 a e 1.387    85 b d e 1.448    90 b c e 1.518    95 a d e 1.818
#   100 a c e 1.887    115 a c d 1.931    120 a b e 2.018    125 a c d e 2.318
#   145 a b d e 2.448    150 a b c e 2.518    165 a b c d 2.562    175 everything
TABLE: dict[str, tuple[tuple[int, int | None], ...]] = {
    "first-fit": ((165, None),),
    "top": ((25, 29), (85, 89), (135, 139), (165, None)),
    "density": ((35, None),),
    "optimal": (
        (25, 29),
        (35, 39),
        (55, 59),
        (65, 69),
        (85, 89),
        (95, 99),
        (115, 119),
        (125, 149),
        (165, None),
    ),
}


def test_the_budgets_at_which_d_is_in_are_those_worked_out_on_paper() -> None:
    found = why(*small(), "d")
    assert {name: found.in_at[name] for name in TABLE} == TABLE
    assert found.in_at["mmr"] == found.in_at["top"]  # Without query and texts, value is all.
    stays = {"first-fit": 165, "top": 165, "density": 35, "optimal": 165, "mmr": 165}
    assert found.stays_from == stays | {"ordered": None}
    # Each of its budgets is a search of its own.
    assert (found.in_at["ordered"], found.known_to) == ((), {"ordered": 0})


def test_by_rank_b_is_out_at_100_for_want_of_10_tokens_that_only_a_could_give() -> None:
    # top at 100: a 60 (left 40), b 50 no, c 30 (left 10), d 25 no, e 10 (left 0).
    found = why(*small(), "b")
    assert (found.verdict, found.reason, found.place) == ("skipped", "no_room", 2)
    assert found.detail == {"needed": 50, "left": 40, "took_room": ["a"]}
    assert found.took_room == ("a",)
    # Alone from 50 on; with a from 110 on; between 60 and 109 a takes what it needs.
    assert found.in_at["top"] == ((50, 59), (110, None))
    assert found.stays_from["top"] == 110
    assert found.in_at["first-fit"] == ((110, None),)
    assert found.stays_from["density"] == sum(SIZES.values())
    assert told(found) == [
        ("budget", 10),
        ("budget", -41),
        ("pin", None),
        ("ban", "a"),
        ("shorten", 10),
    ]


def test_by_rank_d_lacks_15_tokens_that_c_took_and_is_in_where_c_is_banned() -> None:
    # With 10 tokens more b comes in, with 30 more c again: only at 135 there are 25 left for d.
    # density takes e, d and a: d is in. The best set is a c e (1.887), a d e is worth 1.818.
    found = why(*small(), "d")
    assert found.detail == {"needed": 25, "left": 10, "took_room": ["c"]}
    assert told(found) == [
        ("budget", -11),
        ("budget", 35),
        ("strategy", "density"),
        ("pin", None),
        ("ban", "c"),
        ("shorten", 15),
    ]


def test_the_best_set_gives_up_for_d_what_the_best_set_with_d_lacks() -> None:
    # At 100 a c e is best (1.887); with d forced in a d e is (1.818): only c leaves, .069 is lost.
    found = why(*small(strategy="optimal"), "d")
    assert (found.reason, found.took_room) == ("not_chosen", ("c",))
    # With 10 tokens, d fits beside a and c, and is worth more than e.
    assert told(found)[-1] == ("shorten", 15)


def test_a_packed_chunk_tells_the_largest_smaller_budget_and_the_strategies_without_it() -> None:
    found = why(*small(), "a")
    assert (found.verdict, found.reason, found.took_room) == ("packed", None, ())
    assert found.in_at["top"] == ((60, None),)
    assert ("budget", -41) in told(found)


def test_what_a_filter_took_is_let_through_by_the_filter_first() -> None:
    found = why(*small(max_chunks=3), "e")
    assert found.reason == "over_count"
    assert told(found)[0] == ("max_chunks", 5)
    banned = why(*small(bans=("c",)), "c")
    assert told(banned) == [("unban", None)]
    assert banned.in_at["top"] == ()
    # Past the count, but then there is no room for d: that is said, and not sold as a way in.
    unverified = why(*small(max_chunks=3), "d").changes[0]
    assert unverified == Change(kind="max_chunks", amount=4, verified=False)


def test_scores_that_a_cutoff_a_margin_or_a_cliff_took_are_let_through_by_the_smallest_value() -> (
    None
):
    scores = [0.95, 0.9, 0.85, 0.3, 0.2]
    candidates = tuple(
        Candidate(id=f"c{n}", rank=n + 1, tokens=10, score=score, score_kind="similarity")
        for n, score in enumerate(scores)
    )
    given_ = Retrieved(candidates)
    for name, value in (("cutoff", 0.5), ("margin", 0.3), ("cliff", True)):
        settings = Settings(budget=100, **{name: value})  # type: ignore[arg-type]
        first = why(given_, settings, "c3").changes[0]
        assert (first.kind, first.verified) == (name, True)
        let_in = {chunk.id for chunk in given_.pack(with_change(settings, first)).packed}
        assert "c3" in let_in
        if name != "cliff":
            assert "c4" not in let_in
    both = why(given_, Settings(budget=100, cutoff=0.5, margin=0.3), "c3")
    assert told(both) == [("pin", None)]


def test_a_near_duplicate_is_let_in_by_a_higher_threshold_or_by_banning_what_was_kept() -> None:
    text = "web orders can be sent back within fourteen days and the refund comes by card"
    candidates = (
        Candidate(id="a", rank=1, tokens=20, text=text),
        Candidate(id="b", rank=2, tokens=20, text=f"{text} again"),
    )
    given_, settings = Retrieved(candidates), Settings(budget=100, dedupe=0.6)
    found = why(given_, settings, "b")
    assert (found.reason, found.detail["of"]) == ("duplicate", "a")
    assert {kind for kind, _ in told(found)} == {"dedupe", "pin", "ban"}
    for change in found.changes:
        assert "b" in {c.id for c in given_.pack(with_change(settings, change, "b")).packed}


def test_the_nearest_budget_on_either_side_is_told_the_smallest_step_first() -> None:
    # By rank d is in from 85 to 89 and from 135 to 139.
    assert told(why(*small(130), "d"))[:2] == [("budget", 5), ("budget", -41)]
    assert told(why(*small(93), "d"))[:2] == [("budget", -4), ("budget", 42)]
    assert told(why(*small(137), "d"))[:2] == [("budget", 3), ("budget", -3)]
    assert told(why(*small(170), "d"))[0] == ("budget", -6)


def test_a_pin_is_said_to_be_one_and_is_out_without_its_pin() -> None:
    found = why(*small(pins=("d",)), "d")
    assert (found.verdict, found.reason, found.detail) == ("packed", None, {"pinned": True})
    assert ("unpin", None) in told(found)
    assert "unpin" not in dict(told(why(*small(pins=("a",)), "a")))
    marked = Retrieved(
        tuple(msgspec.structs.replace(c, pinned=c.id == "d") for c in small()[0].candidates)
    )
    assert ("unpin", None) in told(why(marked, Settings(budget=100), "d"))


def test_a_pin_that_did_not_fit_is_in_where_another_pin_is_banned() -> None:
    found = why(*small(pins=("a", "b")), "b")
    assert (found.verdict, found.detail["pinned"]) == ("skipped", True)
    assert ("ban", "a") in told(found)


def test_what_a_score_took_is_in_where_the_best_scored_is_banned() -> None:
    scores = [0.9, *[0.5 - n / 100 for n in range(20)], 0.3]
    candidates = tuple(
        Candidate(id=f"c{n}", rank=n + 1, tokens=10, score=score, score_kind="similarity")
        for n, score in enumerate(scores)
    )
    given_ = Retrieved(candidates)
    # From 0.9 to 0.3 half is 0.6; without c0 it is 0.5 to 0.3, and half 0.4.
    found = why(given_, Settings(budget=1000, cutoff=0.5), "c5")
    assert (found.reason, dict(told(found))["ban"]) == ("below_cutoff", "c0")
    # Two stand above the cliff: without one of them it is none that counts.
    two = (msgspec.structs.replace(candidates[1], score=0.88), *candidates[2:])
    found = why(Retrieved((candidates[0], *two)), Settings(budget=1000, cliff=True), "c5")
    assert (found.reason, dict(told(found))["ban"]) == ("below_cliff", "c1")


def test_a_duplicate_of_one_among_many_is_in_where_that_one_is_banned() -> None:
    text = "web orders can be sent back within fourteen days and the refund comes by card"
    others = [
        Candidate(id=f"c{n}", rank=n + 9, tokens=5, text=f"{n} quite another text {n} of its own")
        for n in range(30)
    ]
    twins = [Candidate(id=name, rank=n, tokens=5, text=text) for n, name in enumerate("ab", 1)]
    found = why(Retrieved((*twins, *others)), Settings(budget=1000, dedupe=0.8), "b")
    assert (found.reason, dict(told(found))["ban"]) == ("duplicate", "a")


def with_change(settings: Settings, change: Change, chunk_id: str = "") -> Settings:
    """The settings with one change made, by a table of its own."""
    amount: Any = change.amount
    changes: dict[str, Any] = {
        "budget": lambda: {"budget": settings.budget + amount},
        "strategy": lambda: {"strategy": amount},
        "pin": lambda: {"pins": (*settings.pins, chunk_id)},
        "ban": lambda: {
            "bans": (*settings.bans, amount),
            "pins": tuple(pin for pin in settings.pins if pin != amount),
        },
        "unpin": lambda: {"pins": tuple(pin for pin in settings.pins if pin != chunk_id)},
        "unban": lambda: {"bans": tuple(ban for ban in settings.bans if ban != chunk_id)},
    }.get(change.kind, lambda: {change.kind: amount})()
    return msgspec.structs.replace(settings, **changes)


def check_changes(case: Case, found: Why) -> None:
    """Each change turns the verdict, and a smaller one of its kind does not."""
    given_, settings = case
    for change in found.changes:
        if change.kind == "shorten":
            check_shorter(case, found, change)
            continue
        changed = with_change(settings, change, found.id)
        result = given_.pack(changed)
        is_in = found.id in {chunk.id for chunk in result.packed}
        if change.verified:
            assert is_in == (found.verdict == "skipped"), change
        else:
            assert not is_in
            assert {c.reason for c in result.skipped if c.id == found.id} <= {*ROOM}
        if change.kind == "budget":
            step = 1 if changed.budget > settings.budget else -1
            for budget in range(settings.budget + step, changed.budget, step):
                ids = packed_at(case, budget, settings.strategy)
                assert ids is None or (found.id in ids) == (found.verdict == "packed")


def check_shorter(case: Case, found: Why, change: Change) -> None:
    """That many tokens fewer let it in, and one fewer than that does not."""
    tried = trials(*case)
    tokens, fewer = found.tokens, change.amount
    assert tokens is not None
    assert isinstance(fewer, int)
    assert tried.shortened(found.id, tokens - fewer).holds(found.id)
    if fewer > 1:
        less = tried.shortened(found.id, tokens - fewer + 1).decide()
        assert less is not None
        assert found.id not in {chunk.id for chunk in less.taken}


def missing_changes(case: Case, found: Why) -> Iterator[str]:
    """Kinds that `why` did not tell although trying every one of the kind finds one."""
    given_, settings = case
    told_ = {change.amount for change in found.changes if change.kind == "strategy"}
    for strategy in STRATEGIES:
        ids = packed_at(case, settings.budget, strategy)
        turned = ids is not None and (found.id in ids) != (found.verdict == "packed")
        if strategy != settings.strategy and turned != (strategy in told_):
            yield f"strategy {strategy}"
    if found.verdict == "packed" or found.reason == "invalid":
        return
    everything = sum((c.tokens or 0) + 3 for c in given_.candidates)
    amounts = [change.amount for change in found.changes if change.kind == "budget"]
    above = range(settings.budget + 1, settings.budget + everything)
    for side, known in (
        (above, any(isinstance(more, int) and more > 0 for more in amounts)),
        (range(settings.budget), any(isinstance(less, int) and less < 0 for less in amounts)),
    ):
        if (
            found.reason in ROOM
            and not known
            and any(
                found.id in (packed_at(case, budget, settings.strategy) or ()) for budget in side
            )
        ):
            yield f"budget in {side}"
    pinned = {chunk.id for chunk in found.packing.packed if chunk.pinned} | {*settings.pins}
    worth = {chunk.id: chunk.value for chunk in trials(*case).weighing.candidates}
    letting = []
    for candidate in given_.candidates:
        if candidate.id in {found.id, *pinned, *settings.bans}:
            continue
        bans = (*settings.bans, candidate.id)
        banned = given_, msgspec.structs.replace(settings, bans=bans)
        if found.id in (packed_at(banned, settings.budget, settings.strategy) or ()):
            letting.append(candidate.id)
    chosen = [change.amount for change in found.changes if change.kind == "ban"]
    if bool(letting) != bool(chosen) and found.reason != "banned" and found.id not in pinned:
        yield f"ban one of {letting}"
    if chosen and worth[str(chosen[0])] > min(worth[name] for name in letting):
        yield f"ban a less valuable one of {letting}"


@some
@given(cases(), st.data())
def test_every_change_turns_the_verdict_no_smaller_one_does_and_none_is_missing(
    case: Case, data: st.DataObject
) -> None:
    ids = [candidate.id for candidate in case[0].candidates]
    if not ids or packed_at(case, case[1].budget, case[1].strategy) is None:
        return
    found = why(*case, data.draw(st.sampled_from(ids)))
    check_changes(case, found)
    assert [*missing_changes(case, found)] == []
    assert json_is_plain(found)


def json_is_plain(found: Why) -> bool:
    plain = why_json(found)
    keys = {"id", "verdict", "reason", "detail", "took_room", "in_at", "stays_from", "changes"}
    return keys <= plain.keys() and b"NaN" not in msgspec.json.encode(plain)


@some
@given(cases(), st.data())
def test_those_who_took_the_room_make_it_when_they_leave(case: Case, data: st.DataObject) -> None:
    given_, settings = case
    if packed_at(case, settings.budget, settings.strategy) is None:
        return
    result = given_.pack(settings)
    out = [chunk for chunk in result.skipped if chunk.reason in ("no_room", "not_chosen")]
    if not out:
        return
    chunk = data.draw(st.sampled_from(out))
    took = why(*case, chunk.id).took_room
    sizes = {one.id: one.tokens for one in result.packed}
    between = trials(*case).separator
    assert {*took} <= {one.id for one in result.packed if not one.pinned}
    if chunk.reason == "no_room" and not chunk.detail.get("pinned"):
        freed = sum(sizes[name] + between for name in took)
        assert freed >= chunk.detail["needed"] - chunk.detail["left"]
    if chunk.reason == "not_chosen":
        free = settings.budget - result.used
        assert free + sum(sizes[name] + between for name in took) >= (chunk.tokens or 0)


@effort(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(texts(), min_size=2, max_size=7),
    st.integers(1, 60),
    st.sampled_from(AT_EVERY_BUDGET),
    st.sampled_from([None, "\n", "ab"]),
    st.data(),
)
def test_where_joined_text_is_counted_every_change_still_turns_the_verdict(
    words: list[str], budget: int, strategy: str, separator: str | None, data: st.DataObject
) -> None:
    candidates = tuple(Candidate(id=f"c{n}", rank=n + 1, text=t) for n, t in enumerate(words))
    settings = Settings(budget=budget, strategy=strategy, separator=separator)
    given_ = Retrieved(candidates, "refund", counter())
    found = why(given_, settings, data.draw(st.sampled_from(candidates)).id)
    for change in found.changes:
        if change.kind == "shorten":
            continue
        result = given_.pack(with_change(settings, change, found.id))
        assert (found.id in {c.id for c in result.packed}) == (found.verdict == "skipped")
    if found.verdict == "skipped":
        ups = [c.amount for c in found.changes if c.kind == "budget" and isinstance(c.amount, int)]
        for more in range(1, max(ups, default=0)):
            changed = msgspec.structs.replace(settings, budget=budget + more)
            assert found.id not in {c.id for c in given_.pack(changed).packed}


def test_words_are_told_with_their_shares_where_words_ranked() -> None:
    candidates = (
        Candidate(id="a", text="refunds within 30 days", tokens=5),
        Candidate(id="b", text="delivery times", tokens=3),
    )
    found = why(Retrieved(candidates, "refunds days"), Settings(budget=9), "a")
    assert {term.term for term in found.terms} == {"refunds", "days"}
    assert sum(term.share for term in found.terms) == pytest.approx(1)
    assert why(*small(), "a").terms == ()


def test_an_unknown_chunk_is_refused_with_the_nearest_ids() -> None:
    candidates = tuple(
        Candidate(id=name, rank=n, tokens=5)
        for n, name in enumerate(["refunds#1", "refunds#2", "delivery#1"], start=1)
    )
    given_, settings = Retrieved(candidates), Settings(budget=9)
    with pytest.raises(InputError, match="no candidate 'refund1' among 3; near: refunds#1"):
        why(given_, settings, "refund1")
    with pytest.raises(InputError, match="several candidates begin with 'ref': refunds#1"):
        why(given_, settings, "ref")
    assert why(given_, settings, "deli").id == "delivery#1"


@pytest.fixture(scope="module")
def samples() -> list[Record]:
    with open_log([str(sample_runs.path())]) as log:
        return [log.get(run) for run in log.ids()]


def test_on_the_sample_runs_every_change_and_every_edge_of_a_span_is_what_packing_says(
    samples: list[Record],
) -> None:
    edges = 0
    for record in samples:
        settings = logged_settings(record).settings
        case = retrieved(record, settings, counter()), settings
        tried = trials(*case)
        packed: dict[tuple[str, int], frozenset[str]] = {}
        for chunk in record.candidates:
            if chunk.outcome != "skipped":
                continue
            found = why(*case, chunk.id)
            check_first_steps(case, found)
            for strategy, spans in found.in_at.items():
                every = spans if strategy == settings.strategy else (*spans[:1], *spans[-1:])
                for low, high in every:
                    for budget, is_in in sides(low, high):
                        key = strategy, budget
                        if key not in packed:
                            packed[key] = tried.packed(strategy=strategy, budget=budget) or (
                                frozenset()
                            )
                        assert (chunk.id in packed[key]) == is_in, (record.id, chunk.id, key)
                        edges += 1
    assert edges > 5_000


def sides(low: int, high: int | None) -> list[tuple[int, bool]]:
    """Budgets just outside and just inside a span, and whether the chunk is in there."""
    edges = [(low - 1, False), (low, True)] if low else [(low, True)]
    return edges if high is None else [*edges, (high, True), (high + 1, False)]


def check_first_steps(case: Case, found: Why) -> None:
    """As `check_changes`, with the budgets next to the one that is told alone."""
    given_, settings = case
    for change in found.changes:
        if change.kind == "shorten":
            check_shorter(case, found, change)
            continue
        result = given_.pack(with_change(settings, change, found.id))
        is_in = found.id in {chunk.id for chunk in result.packed}
        assert is_in == ((found.verdict == "skipped") == change.verified)
        if change.kind == "budget" and isinstance(change.amount, int) and change.amount > 1:
            before = packed_at(case, settings.budget + change.amount - 1, settings.strategy)
            assert found.id not in (before or ())


def test_a_logged_run_keeps_the_logs_own_verdict_and_says_where_packing_again_disagrees(
    samples: list[Record],
) -> None:
    disagreeing = 0
    for record in samples:
        settings = logged_settings(record).settings
        for chunk in record.candidates[:8]:
            found = why_logged(record, settings, chunk.id, counter())
            if chunk.outcome in ("packed", "skipped"):
                assert found.verdict == chunk.outcome
            if chunk.outcome == "skipped":
                assert found.reason == chunk.reason
            again = {one.id for one in found.packing.packed}
            if (chunk.id in again) != (found.verdict == "packed"):
                disagreeing += 1
                assert found.changes == ()
                assert "something else" in found.said[-1]
    assert disagreeing
