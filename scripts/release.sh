#!/usr/bin/env bash
# Makes what a release consists of, for this machine: the Python wheel and the standalone command, in dist/.
# Needs a Rust toolchain, a C compiler (for zstd in Parquet files) and python3 with venv; maturin is installed into a virtual
# environment in the target folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"
platform="$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)"
mkdir -p dist

[ -x "$target/release-python/bin/maturin" ] || {
  python3 -m venv "$target/release-python"
  "$target/release-python/bin/pip" install --quiet "maturin>=1.9,<2"
}
"$target/release-python/bin/maturin" build --release --locked --manifest-path bindings/python/Cargo.toml --out dist

cargo build --release --locked -p tercet-cli
tar -czf "dist/tercet-$version-$platform.tar.gz" -C "$target/release" tercet -C "$PWD" README.md LICENSE-MIT LICENSE-APACHE

# The wheel is installed and used once, from outside of the checkout.
rm -rf "$target/release-check"
python3 -m venv "$target/release-check"
check="$PWD/$target/release-check/bin/python"
[ -x "$check" ] || check="$target/release-check/bin/python"
"$check" -m pip install --quiet --no-deps --no-index --find-links dist "tercet==$version"
(cd / && "$check" -c 'import tercet; assert tercet.score(["a cat"], ["a cat"], ["chrf"], checks=False)["chrf"].score == 100')
(cd / && "$(dirname "$check")/tercet" --version)

hash=(sha256sum)
command -v sha256sum > /dev/null || hash=(shasum -a 256)
(cd dist && "${hash[@]}" -- *"$version"* > SHA256SUMS)
ls -l dist
