#!/usr/bin/env bash
# Makes what a release consists of, in dist/: the Python wheel, the standalone command with licences and a bill of
# materials, and SHA256SUMS. One command sets the version everywhere before:
#
#   scripts/release.sh                        for this machine
#   scripts/release.sh --version 0.2.0        the same, with a new version and its heading in CHANGELOG.md
#   scripts/release.sh --linux x86_64         a wheel for glibc 2.17 and later, and a static command (also: aarch64)
#   scripts/release.sh --musl x86_64          a wheel and a command for musl; needs `rustup target add`
#   scripts/release.sh --crates               check that all crates can be published, in their order
#
# Needs a Rust toolchain and python3 with venv; maturin and, for --linux and --musl, zig are installed from PyPI into
# the target folder. The wheel for this machine needs a C compiler (for zstd in Parquet files), --linux and --musl have
# zig's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
target="${CARGO_TARGET_DIR:-target}"
triple="" wheel=() label=""
while [ $# -gt 0 ]; do
  case "$1" in
    --version) python3 scripts/set_version.py "$2"; shift ;;
    --linux) triple="$2-unknown-linux-gnu" label="linux-$2"
             wheel=(--zig --compatibility manylinux2014 --target "$triple"); shift ;;
    --musl) triple="$2-unknown-linux-musl" label="linux-musl-$2"
            wheel=(--zig --compatibility musllinux_1_2 --target "$triple"); shift ;;
    --crates) exec cargo package --workspace --exclude xtask --exclude tercet-python --no-verify --locked ;;
    *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"; exit 2 ;;
  esac
  shift
done
version="$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)"
label="${label:-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)}"
rm -rf "$target/release-files"
mkdir -p dist "$target/release-files"

# No symbols and no tables of lines: a third of the size.
export CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=symbols

python="$target/release-python"
bin="$python/bin"
[ -d "$python" ] || python3 -m venv "$python"
[ -d "$bin" ] || bin="$python/Scripts"
"$bin/python" -m pip install --quiet --disable-pip-version-check "maturin>=1.9,<2" \
  $([ ${#wheel[@]} -eq 0 ] || echo "ziglang>=0.13")
export PATH="$PWD/$bin:$PATH"
case "$bin" in /*) export PATH="$bin:$PATH" ;; esac

# The licences of what is inside go into the wheel and beside the command.
python3 scripts/third_party.py tercet-python "$target/release-files/wheel" ${triple:+--target "$triple"}
cp "$target/release-files/wheel/LICENSE-THIRD-PARTY.txt" bindings/python/
trap 'rm -f bindings/python/LICENSE-THIRD-PARTY.txt' EXIT
maturin build --release --locked --manifest-path bindings/python/Cargo.toml --out dist ${wheel[@]+"${wheel[@]}"}

# The command shares its dependencies with the wheel. glibc is linked statically by the last step alone; its resolver of
# names is not used, since addresses are numbers.
build=(cargo rustc --release --locked -p tercet-cli --bin tercet)
output="$target/release"
if [ -n "$triple" ]; then
  build+=(--target "$triple" -- -C target-feature=+crt-static)
  output="$target/$triple/release"
fi
"${build[@]}"
suffix="$([ -f "$output/tercet.exe" ] && echo .exe || true)"
python3 scripts/third_party.py tercet-cli "$target/release-files" ${triple:+--target "$triple"}
cp "$output/tercet$suffix" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$target/release-files/"
name="tercet-$version-$label"
cp "$target/release-files/sbom.cdx.json" "dist/$name.cdx.json"
(cd "$target/release-files" && tar -czf "$OLDPWD/dist/$name.tar.gz" "tercet$suffix" README.md CHANGELOG.md LICENSE-*)

# The wheel is installed and used once, from outside of the checkout, without a compiler in sight.
if [ -z "$triple" ] || [ "$triple" = "$(rustc -vV | sed -n 's/^host: //p')" ]; then
  rm -rf "$target/release-check"
  python3 -m venv "$target/release-check"
  check="$PWD/$target/release-check"
  case "$target" in /*) check="$target/release-check" ;; esac
  [ -d "$check/bin" ] && check="$check/bin" || check="$check/Scripts"
  "$check/python" -m pip install --quiet --no-deps --no-index --find-links dist "tercet==$version"
  program='import tercet; assert tercet.score(["a cat"], ["a cat"], ["chrf"], checks=False)["chrf"].score == 100'
  (cd / && PATH="$check" python -c "$program")
  (cd / && PATH="$check" tercet --version)
fi

hash=(sha256sum)
command -v sha256sum > /dev/null || hash=(shasum -a 256)
(cd dist && "${hash[@]}" -- *"$version"* > SHA256SUMS)
ls -l dist
