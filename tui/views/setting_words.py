"""The session's settings in words: budget, strategy and placement, then what is on or changed."""

from __future__ import annotations

from collections.abc import Iterator

from ctxpack import Settings
from ctxpack.record import LoggedSettings
from tui.state import Session, Setting

ALWAYS = ("strategy", "placement")
"""Settings whose value says what they are; all others are named."""


def settings(session: Session) -> tuple[Setting, ...]:
    """Every setting that is on or changed, each with whether it differs from the log.

    Of a run as logged it is what the log says, also where this version knows no such thing.
    """
    now, was = session.settings, session.logged.settings
    record = session.record.settings or LoggedSettings()
    as_logged = session.in_log and session.result is None
    logged_strategy = record.strategy or was.strategy
    logged_placement = record.placement or was.placement
    strategy = logged_strategy if as_logged else now.strategy
    placement = logged_placement if as_logged else session.placement
    return (
        Setting("budget", str(now.budget), now.budget != was.budget),
        Setting("strategy", strategy, strategy != logged_strategy),
        Setting("placement", placement, placement != logged_placement),
        *_on_or_changed(now, was),
    )


def _on_or_changed(now: Settings, was: Settings) -> Iterator[Setting]:
    if now.group != "none" or was.group != "none":
        words = "by document" if now.group == "document" else "not grouped"
        yield Setting("group", words, now.group != was.group)
    if now.curve != was.curve or now.curve != "assumed":
        yield Setting("curve", now.curve, now.curve != was.curve)
    if now.value != was.value:
        yield Setting("value", now.value or "default", True)
    if now.strategy == "mmr" or now.mmr_lambda != was.mmr_lambda:
        yield Setting("lambda", f"{now.mmr_lambda:g}", now.mmr_lambda != was.mmr_lambda)
    for name, words in (("cutoff", "cut-off"), ("margin", "margin"), ("dedupe", "dedupe")):
        share, before = getattr(now, name), getattr(was, name)
        if share is not None or share != before:
            yield Setting(words, "off" if share is None else f"{share:g}", share != before)
    if now.cliff or was.cliff:
        yield Setting("cliff", "on" if now.cliff else "off", now.cliff != was.cliff)
    if now.max_chunks is not None or was.max_chunks is not None:
        most = "all" if now.max_chunks is None else str(now.max_chunks)
        yield Setting("at most", most, now.max_chunks != was.max_chunks)
    for words, held, before in (("pins", now.pins, was.pins), ("bans", now.bans, was.bans)):
        if held or before:
            yield Setting(words, str(len(held)), set(held) != set(before))
