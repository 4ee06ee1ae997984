"""Sets the version of tercet everywhere: python scripts/set_version.py 0.2.0

`Cargo.toml` (the workspace and what its crates ask of each other), `Cargo.lock`, `CITATION.cff`, and the heading of
`CHANGELOG.md`, which gets today's date; changes after it go under a new heading `Unreleased`.
"""

import datetime
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def replace(name, pattern, replacement, at_least=1):
    path = ROOT / name
    text, count = re.subn(pattern, replacement, path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if count < at_least:
        sys.exit(f"{name}: found {count} places for the version, expected {at_least} or more")
    path.write_text(text, encoding="utf-8")
    return count


def main():
    if len(sys.argv) != 2 or not re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?", sys.argv[1]):
        sys.exit(__doc__)
    version = sys.argv[1]
    manifest = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    old = re.escape(re.search(r'^version = "(.*)"', manifest, re.MULTILINE)[1])
    count = replace("Cargo.toml", rf'^(version = |tercet[a-z0-9-]* = .*version = )"{old}"', rf'\1"{version}"', 2)
    replace("CITATION.cff", r"^version: .*$", f"version: {version}")
    today = datetime.datetime.now(datetime.timezone.utc).date()
    replace("CHANGELOG.md", r"^## Unreleased.*$", f"## Unreleased\n\n## {version} ({today})")
    subprocess.run(["cargo", "update", "--workspace", "--offline", "--quiet"], cwd=ROOT, check=True)
    print(f"{version}: {count} places in Cargo.toml, Cargo.lock, CITATION.cff, CHANGELOG.md")


if __name__ == "__main__":
    main()
