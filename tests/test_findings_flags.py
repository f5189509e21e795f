"""Flags are the findings of the same names, found without a text."""

from __future__ import annotations

import msgspec
import pytest

import sample_runs
from ctxpack import Record
from ctxpack.findings import CODES, diagnose, open_case
from ctxpack.findings.flags import FLAG_CODES, flags
from logs import open_log


def _samples() -> list[Record]:
    with open_log([str(sample_runs.path())]) as reader:
        return [reader.get(run) for run in reader.ids()]


def _without_texts(record: Record) -> Record:
    candidates = tuple(msgspec.structs.replace(c, text=None) for c in record.candidates)
    return msgspec.structs.replace(record, candidates=candidates)


@pytest.mark.parametrize("record", _samples(), ids=lambda record: record.id)
def test_a_flag_is_what_a_diagnosis_finds_under_its_name(record: Record) -> None:
    found = {finding.code for finding in diagnose(open_case(record))}
    assert set(flags(record)) == found & set(FLAG_CODES)
    assert flags(record) == flags(_without_texts(record))


def test_the_samples_fire_several_flags_and_every_flag_is_a_finding() -> None:
    fired = {code for record in _samples() for code in flags(record)}
    assert len(fired) >= 3
    assert set(FLAG_CODES) <= set(CODES)
