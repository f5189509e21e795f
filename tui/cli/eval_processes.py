"""Questions measured on every core, share by share, with a clean end whenever it is stopped."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ctxpack.evaluating.grid import Grid
    from ctxpack.evaluating.measuring import Measured
    from ctxpack.evaluating.question import Question

SHARE = 64
"""Questions that one process is given at a time."""

MOST_WORKERS = 8


def measured(
    questions: Iterable[Question],
    grid: Grid,
    tell: Callable[[], None] = lambda: None,
    workers: int | None = None,
) -> Measured:
    """The sums over all questions, to the last bit the same however many processes there are.

    One share is measured in this process. `tell` is called after every share. Raises InputError
    naming the question that cannot be packed; whatever stops it, no process is left behind.
    """
    from ctxpack.evaluating.measuring import measure, nothing_measured

    shares = _shares(questions)
    begin = [*islice(shares, 2)]
    every = chain(begin, shares)
    sums = nothing_measured(grid)
    workers = workers or _cores()
    alone = workers < 2 or len(begin) < 2
    done = (measure(share, grid) for share in every) if alone else _apart(every, grid, workers)
    with closing(done):
        for more in done:
            sums.add(more)
            tell()
    return sums


def _shares(questions: Iterable[Question]) -> Iterator[list[Question]]:
    walk = iter(questions)
    while share := [*islice(walk, SHARE)]:
        yield share


def _cores() -> int:
    allowed = getattr(os, "sched_getaffinity", None)
    return min(MOST_WORKERS, len(allowed(0)) if allowed else os.cpu_count() or 1)


def _apart(
    shares: Iterable[list[Question]], grid: Grid, workers: int
) -> Generator[Measured, None, None]:
    """The sums of each share in order, with no more shares under way than keep all busy."""
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    from ctxpack.errors import InputError
    from ctxpack.evaluating.measuring import measure

    before = {child.pid for child in active_children()}
    pool = ProcessPoolExecutor(workers, initializer=_end_with_the_parent)
    under_way: deque[Future[Measured]] = deque()
    finished = False
    try:
        for share in shares:
            with _uninterrupted():
                under_way.append(pool.submit(measure, share, grid))
            if len(under_way) > 2 * workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
        finished = True
    except BrokenProcessPool:
        raise InputError(
            "a process that measured was ended from outside, perhaps for want of memory: "
            "try again with fewer budgets, strategies or curves at a time."
        ) from None
    finally:
        if not finished:
            # What they are at is of no use any more, and nobody should wait for it.
            for child in active_children():
                if child.pid not in before:
                    child.terminate()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes started within it never see Ctrl-C: it is the parent's to answer.

    One that comes meanwhile is answered right after it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _end_with_the_parent() -> None:
    """Let this process end when its parent is gone, even killed: it would wait for ever."""
    from multiprocessing import parent_process
    from threading import Thread

    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
