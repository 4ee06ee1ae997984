#!/bin/sh
# Fetches public data sets into data/SET, laid out as the pages in docs/ use them. Needs curl and sha256sum (or shasum).
#
#   sh examples/fetch-data.sh --list            the sets, and whether their sums are known
#   sh examples/fetch-data.sh da-wmt16 mqm      fetches these
#   sh examples/fetch-data.sh --from DIR SET    takes the file of https://HOST/PATH from DIR/HOST/PATH: for copies made before
#
# The files and their SHA-256 sums are in data-sets.tsv beside this script. A file whose sum is another is deleted, and the
# script stops. Where no sum is known (-), the sum is printed. Archives are unpacked. Files that are there are kept.
# The licences are those of the sets: see docs/data.md.
set -eu

table=$(dirname "$0")/data-sets.tsv
from=
tab=$(printf '\t')

sum() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

list() {
    echo "set              files  sums"
    tail -n +2 "$table" | cut -f 1 | uniq | while read -r set; do
        files=$(grep -c "^$set$tab" "$table")
        known=$(grep "^$set$tab" "$table" | grep -vc "^$set$tab-$tab" || true)
        printf '%-16s %5d  %s\n' "$set" "$files" "$([ "$known" = "$files" ] && echo known || echo unknown)"
    done
}

# Fetches one file: sum, path in the set's folder, address.
fetch_file() {
    target=data/$set/$2
    if [ -e "$target" ]; then return; fi
    address=$3
    if [ -n "$from" ]; then address=file://$from/${3#https://}; fi
    mkdir -p "$(dirname "$target")"
    curl --fail --silent --show-error --location --output "$target.part" "$address"
    found=$(sum "$target.part")
    if [ "$1" = - ]; then
        echo "$target: no sum is known; this file has $found"
    elif [ "$1" != "$found" ]; then
        rm "$target.part"
        echo "error: $target: the file at $address has another SHA-256 sum: $found" >&2
        exit 1
    fi
    mv "$target.part" "$target"
    case $target in
        *.tgz | *.tar.gz) tar -xzf "$target" -C "data/$set" ;;
    esac
}

fetch_set() {
    set=$1
    grep -q "^$set$tab" "$table" || { echo "error: no set $set; --list shows all" >&2; exit 2; }
    while IFS=$tab read -r _ checksum file address; do
        fetch_file "$checksum" "$file" "$address"
    done <<FILES
$(grep "^$set$tab" "$table")
FILES
    echo "data/$set is complete"
}

if [ "${1:-}" = --list ]; then list; exit; fi
if [ "${1:-}" = --from ]; then from=$(cd "$2" && pwd); shift 2; fi
if [ $# = 0 ]; then sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; fi
mkdir -p data
for set in "$@"; do
    fetch_set "$set"
done
