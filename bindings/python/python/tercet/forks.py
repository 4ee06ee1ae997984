"""What a fork waits for, so that the child does not wait for a lock that a thread held which it does not have."""

from __future__ import annotations

import os
from _thread import RLock

from . import _native

#: Held while a metric, a parser or a part of this package is loaded. A fork waits for it, since the child has no thread
#: that could finish what was begun.
loading = RLock()


def _before() -> None:
    loading.acquire()
    _native.pause_threads()


def _in_parent() -> None:
    _native.resume_threads(False)
    loading.release()


def _in_child() -> None:
    _native.resume_threads(True)
    loading.release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
