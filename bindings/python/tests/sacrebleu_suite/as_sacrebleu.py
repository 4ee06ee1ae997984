"""A plugin of pytest: `import sacrebleu` gives `tercet.compat.sacrebleu`, with all its modules."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module

import tercet.compat.sacrebleu as compat

sys.modules["sacrebleu"] = compat
for module in pkgutil.walk_packages(compat.__path__, f"{compat.__name__}."):
    sys.modules[module.name.replace(compat.__name__, "sacrebleu", 1)] = import_module(module.name)
