"""A spool: the request path appends one line a record to a file of its process's own."""

from __future__ import annotations

import errno
import os
import re
import threading
import time
import weakref
from typing import TYPE_CHECKING

import msgspec

from ctxpack.decoding import encode
from ctxpack.errors import InputError
from ctxpack.record import Record

if TYPE_CHECKING:
    from logs.privacy import Privacy

MOST_BYTES = 256 * 1024 * 1024
"""Bytes of one file, so of an hour of one process; records over it are lost and counted."""

LOST = "spool_lost"
"""The field in which a line says how many records were lost before it, by reason."""

NAME = re.compile(r".+-\d+-\d{8}T\d{2}\.jsonl")
"""How a spool's files are named: service, host, process, and hour in UTC."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_RIGHTS = (errno.EACCES, errno.EPERM, errno.EROFS)
_SPOOLS: weakref.WeakSet[Spool] = weakref.WeakSet()


class Spool:
    """A folder of lines, to be imported into a log later; made with mode 0700 where there is none.

    Safe among threads and after a fork; each process has files of its own, of mode 0600. What is
    appended survives the death of the process, not the loss of power. With `privacy` only what it
    keeps is written. Raises InputError only for a `service` that cannot be part of a file's name
    or a policy that cannot be used; `append` never raises.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        service: str,
        most_bytes: int = MOST_BYTES,
        privacy: Privacy | None = None,
    ) -> None:
        if not re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", service) or service.startswith("."):
            raise InputError(
                f"service {service!r}: use up to 64 letters, digits, '-', '_' and '.' to name it."
            )
        self.folder = os.fspath(folder)
        self.lost: dict[str, int] = {}
        """Records that could not be written, by reason, since the spool was made."""
        self._host = re.sub(r"[^A-Za-z0-9_.-]", "_", os.uname().nodename) or "host"
        self._service = service
        self._most_bytes = most_bytes
        self._privacy = privacy
        if privacy is not None:
            privacy.check()
        self._begin()
        _SPOOLS.add(self)

    def append(self, record: Record) -> bool:
        """Append a record; False, and counted in `lost`, where that cannot be done."""
        try:
            line = encode(_as_kept(record, self._privacy))
        except Exception:
            line = b""
        with self._lock:
            reason = self._write(line) if line else "not_encoded"
            if reason:
                self.lost[reason] = self.lost.get(reason, 0) + 1
                self._unsaid[reason] = self._unsaid.get(reason, 0) + 1
        return reason is None

    def close(self) -> None:
        """Let go of the file; a later append opens it again."""
        with self._lock:
            self._let_go()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._unsaid: dict[str, int] = {}
        self._file: int | None = None
        self._hour = ""
        self._path = ""
        self._torn = False

    def after_fork(self) -> None:
        """In a new process: a file and counts of its own, whatever thread held the lock."""
        file = self._file
        self._begin()
        self.lost = {}
        if file is not None:
            os.close(file)

    def _write(self, line: bytes) -> str | None:
        try:
            file = self._opened()
            size = os.fstat(file).st_size
            # A line that was cut before ends here, so that it costs no other.
            whole = (b"\n" if self._torn else b"") + self._with_losses(line) + b"\n"
            if size + len(whole) > self._most_bytes:
                return "over_size"
            written = os.write(file, whole)
        except OSError as error:
            return _reason(error)
        except Exception:
            return "unwritable"
        if written < len(whole):
            self._torn = self._torn or written > 0
            return "disk_full"
        self._torn = False
        self._unsaid = {}
        return None

    def _with_losses(self, line: bytes) -> bytes:
        if not self._unsaid:
            return line
        return line[:-1] + b',"%s":%s}' % (LOST.encode(), msgspec.json.encode(self._unsaid))

    def _opened(self) -> int:
        hour = time.strftime("%Y%m%dT%H", time.gmtime())
        if self._file is not None and hour == self._hour and os.fstat(self._file).st_nlink:
            return self._file
        self._let_go()
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        name = f"{self._service}-{self._host}-{os.getpid()}-{hour}.jsonl"
        self._path = os.path.join(self.folder, name)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        file = os.open(self._path, flags, 0o600)
        self._file, self._hour = file, hour
        size = os.fstat(file).st_size
        # An earlier process of the same number may have died in the middle of a line.
        self._torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        return file

    def _let_go(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _as_kept(record: Record, privacy: Privacy | None) -> Record:
    if privacy is None:
        return record
    from logs.privacy import private

    return private(record, privacy)


def _reason(error: OSError) -> str:
    if error.errno in _FULL:
        return "disk_full"
    return "no_rights" if error.errno in _NO_RIGHTS else "unwritable"


def _after_fork() -> None:
    for spool in _SPOOLS:
        spool.after_fork()


os.register_at_fork(after_in_child=_after_fork)
