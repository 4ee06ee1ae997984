"""A plugin of pytest: `import sacrebleu`, `jiwer` or `rouge_score` gives the module of `tercet.compat` with that
interface, with all its modules. `TERCET_PEER` names the package."""

from __future__ import annotations

import os
import pkgutil
import sys
from importlib import import_module

name = os.environ["TERCET_PEER"]
compat = import_module(f"tercet.compat.{name}")
sys.modules[name] = compat
for module in pkgutil.walk_packages(compat.__path__, f"{compat.__name__}."):
    if not module.name.endswith("__main__"):
        sys.modules[module.name.replace(compat.__name__, name, 1)] = import_module(module.name)
