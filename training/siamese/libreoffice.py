"""Texts of LibreOffice's translations, from Debian's packages libreoffice-l10n-* and libreoffice-help-*.

Each package is unpacked into a folder of its name (`apt-get download …`, `dpkg-deb -x PACKAGE.deb FOLDER/NAME`).
Messages of the program are in .mo files beside their English form; paragraphs of the help have an identifier that is
the same in all languages.
"""

import html
import re
import struct
from pathlib import Path

# Debian's names of languages where they are not the usual codes.
CODES = {"pa-in": "pa", "pt-br": "pt", "zh-cn": "zh", "kmr": "ku", "nb": "no"}
# Not in the encoder's training, or another spelling of a language that is there.
LEFT_OUT = {"en-us", "zh-tw", "nn", "st", "xh-za", "tg", "ast"}

MARKUP = re.compile(r"<[^>]*>|\[[^\]]*\]|[%$#]\S*|_(?=\w)|~|&[a-z]+;")
PARAGRAPH = re.compile(r'<(p|h\d) id="(\w+)"[^>]*>(.*?)</\1>', re.DOTALL)
SPACE = re.compile(r"\s+")
LETTERS = re.compile(r"[^\W\d_]{2,}")


def clean(text):
    return SPACE.sub(" ", MARKUP.sub(" ", html.unescape(text))).strip()


def messages(path):
    """English and translated texts of a .mo file."""
    data = path.read_bytes()
    magic, _, count, originals, translations = struct.unpack_from("<5I", data)
    if magic != 0x950412DE:
        return

    def texts(start):
        for number in range(count):
            length, offset = struct.unpack_from("<2I", data, start + 8 * number)
            yield data[offset : offset + length].decode(errors="replace")

    for original, translated in zip(texts(originals), texts(translations)):
        original = original.split("\4")[-1].split("\0")[0]
        yield original, translated.split("\0")[0]


def interface(folder):
    """language -> {English: translation} of the program."""
    found = {}
    for package in sorted(folder.glob("libreoffice-l10n-*")):
        language = package.name.removeprefix("libreoffice-l10n-")
        if language in LEFT_OUT:
            continue
        pairs = found.setdefault(CODES.get(language, language), {})
        for path in sorted(package.rglob("*.mo")):
            for original, translated in messages(path):
                if original and len(original) < 400 and LETTERS.search(original):
                    pairs.setdefault(clean(original), clean(translated))
    return found


def paragraphs(folder):
    """(page, identifier) -> text of a help."""
    found = {}
    for path in sorted(folder.rglob("text/**/*.html")):
        page = str(path).split("/text/", 1)[1]
        for _, identifier, text in PARAGRAPH.findall(path.read_text(errors="replace")):
            text = clean(text)
            if 20 < len(text) < 500:
                found[page, identifier] = text
    return found


def help_pairs(folder):
    """language -> {English: translation} of paragraphs that are translated."""
    english, found = paragraphs(folder / "libreoffice-help-en-us"), {}
    for package in sorted(folder.glob("libreoffice-help-*")):
        language = package.name.removeprefix("libreoffice-help-")
        if language in LEFT_OUT or language == "common":
            continue
        pairs = found.setdefault(CODES.get(language, language), {})
        for key, text in paragraphs(package).items():
            if key in english and english[key] != text:
                pairs.setdefault(english[key], text)
    return found


def write(folder, output):
    """A file per language: English, tab, translation; messages of the program first, then the help."""
    output.mkdir(exist_ok=True)
    everything = interface(folder)
    for language, pairs in help_pairs(folder).items():
        everything.setdefault(language, {}).update(pairs)
    for language, pairs in everything.items():
        lines = [f"{a}\t{b}\n" for a, b in pairs.items() if b and a != b and LETTERS.search(b)]
        (output / f"{language}.tsv").write_text("".join(lines))


if __name__ == "__main__":
    import sys

    write(Path(sys.argv[1]), Path(sys.argv[2]))
