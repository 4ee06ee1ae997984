"""Writes the licences of everything inside a wheel or the command, and a bill of materials.

    python scripts/third_party.py PACKAGE FOLDER [--target TRIPLE] [--features A,B] [--no-default-features]

writes `LICENSE-THIRD-PARTY.txt` (each crate with its licence, each text of a licence once) and `sbom.cdx.json`
(CycloneDX 1.5) for a package of the workspace: the crates that cargo links into it for the target, without those that
only tests need. Texts come from the sources that cargo has fetched. A crate whose sources have no text of a licence is
named with a notice; one without a licence is an error. Data inside the binary is listed too.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: What is no crate: resources and models, with the file that has the terms.
DATA = [
    ("WordNet 3.0 (in tercet-metrics)", "WordNet licence", "crates/tercet-metrics/src/resources/LICENSE-WORDNET"),
]

#: How files with terms are called, in lower case.
NAMES = ("license", "licence", "copying", "notice", "unlicense", "copyright")


def metadata(arguments):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", str(ROOT / "Cargo.toml")]
    if arguments.target:
        command += ["--filter-platform", arguments.target]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def linked(found, root, arguments):
    """The crates that are linked into a package: `cargo tree` knows which features are on."""
    command = ["cargo", "tree", "--locked", "--package", root, "--edges", "normal", "--prefix", "none"]
    command += ["--format", "{p}", "--manifest-path", str(ROOT / "Cargo.toml")]
    for flag, value in (("--target", arguments.target), ("--features", arguments.features)):
        command += [flag, value] if value else []
    command += ["--no-default-features"] if arguments.no_default_features else []
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = {tuple(line.split()[:2]) for line in printed.splitlines() if line.strip()}
    return [one for one in found["packages"] if (one["name"], f"v{one['version']}") in names]


def texts(package):
    """The texts of the licence of a crate."""
    folder = Path(package["manifest_path"]).parent
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and path.name.lower().startswith(NAMES)]
    named = package.get("license_file")
    if named and folder / named not in files:
        files.append(folder / named)
    return [(path.name, path.read_text(encoding="utf-8", errors="replace").strip()) for path in files]


def notices(own, others):
    """The file of licences."""
    lines = [
        "What is inside of this build of tercet, besides tercet itself (MIT OR Apache-2.0): crates of others and data,",
        "each with its licence. The texts follow, each once, with the crates that have it.",
        "",
    ]
    of_text = {}
    for package in others:
        lines.append(f"{package['name']} {package['version']}: {package['license'] or package['license_file']}")
        for name, text in texts(package):
            of_text.setdefault(text, []).append(f"{package['name']} {package['version']} ({name})")
    for name, licence, file in DATA:
        lines.append(f"{name}: {licence}")
        of_text.setdefault((ROOT / file).read_text(encoding="utf-8").strip(), []).append(name)
    models = [one for one in own if one["name"].startswith("tercet-model-")]
    lines += [f"{one['name']} {one['version']}: {one['license']}; its card is in models/" for one in models]
    for text, holders in of_text.items():
        lines += ["", "=" * 100, *holders, "=" * 100, "", text]
    return "\n".join(lines) + "\n"


def bill(root, packages):
    """The bill of materials."""

    def component(package):
        reference = f"pkg:cargo/{package['name']}@{package['version']}"
        described = {"type": "library", "bom-ref": reference, "name": package["name"], "version": package["version"]}
        described["purl"] = reference
        if package["license"]:
            described["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        return described

    main = next(one for one in packages if one["name"] == root)
    rest = sorted((one for one in packages if one is not main), key=lambda one: (one["name"], one["version"]))
    components = [component(one) for one in rest]
    data = [{"type": "data", "bom-ref": name, "name": name, "licenses": [{"license": {"name": licence}}]}
            for name, licence, _ in DATA]
    # The same contents have the same number.
    digest = hashlib.sha256(json.dumps(components, sort_keys=True).encode()).digest()[:16]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.UUID(bytes=digest, version=4)}",
        "version": 1,
        "metadata": {"component": {**component(main), "type": "application"}},
        "components": components + data,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target")
    parser.add_argument("--features")
    parser.add_argument("--no-default-features", action="store_true")
    arguments = parser.parse_args()
    packages = linked(metadata(arguments), arguments.package, arguments)
    own = [one for one in packages if one["source"] is None]
    others = sorted((one for one in packages if one["source"] is not None), key=lambda one: one["name"])
    for package in others:
        if not package["license"] and not package["license_file"]:
            sys.exit(f"{package['name']} {package['version']} has no licence")
        if not texts(package):
            print(f"notice: no text of the licence {package['license']} in {package['name']}", file=sys.stderr)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    (arguments.folder / "LICENSE-THIRD-PARTY.txt").write_text(notices(own, others), encoding="utf-8")
    (arguments.folder / "sbom.cdx.json").write_text(json.dumps(bill(arguments.package, packages), indent=1) + "\n")
    print(f"{len(others)} crates of others, {len(own)} of tercet, {len(DATA)} other resources")


if __name__ == "__main__":
    main()
