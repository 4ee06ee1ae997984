"""Words of a text and changes of them that leave the rest of the text as it is."""

import re

FIRST = re.compile(r"[^\W_]+")
WORD = re.compile(r"\w+(?:['’\-]\w+)*")


def words(text):
    """(start, end, word) of each word."""
    return [(found.start(), found.end(), found.group()) for found in WORD.finditer(text)]


def put(text, start, end, new):
    return text[:start] + new + text[end:]


def cased_like(new, old):
    """`new` with the case of `old`: all capitals, a first capital, or as it is."""
    letters = [c for c in old if c.isalpha()]
    if len(letters) > 1 and all(c.isupper() for c in letters) and len(old) > 3:
        return new.upper()
    if letters and letters[0].isupper():
        return new[:1].upper() + new[1:]
    return new


def lower_first(text):
    return text[:1].lower() + text[1:]


def remove_word(text, start, end):
    """The text without a word and one of the spaces beside it; the first letter stays a capital."""
    if start > 0 and text[start - 1] == " ":
        return text[: start - 1] + text[end:]
    rest = text[end:].lstrip(" ")
    return text[:start] + (cased_like(rest, text[start:end]) if start == 0 else rest)


class Lexicon:
    """Phrases and what may stand in their place."""

    def __init__(self, table, both_ways=False):
        self.others = {}
        for line in table:
            for place, word in enumerate(line):
                if place == 0 or both_ways:
                    others = self.others.setdefault(word.lower(), [])
                    others += [other for other in line if other != word and other not in others]
        # phrases by their first letters or digits; those that begin with a sign are searched for
        self.by_word, signs = {}, []
        for phrase in sorted(self.others, key=len, reverse=True):
            if phrase[0].isalnum():
                self.by_word.setdefault(FIRST.match(phrase).group(), []).append(phrase)
            else:
                signs.append(re.escape(phrase))
        self.signs = re.compile("|".join(signs)) if signs else None

    def places(self, text):
        """(start, end) of each phrase; of several that begin at one place, the longest."""
        found, low, last = [], text.lower(), 0
        if len(low) != len(text):
            return found
        for word in FIRST.finditer(low):
            for phrase in self.by_word.get(word.group(), ()):
                end = word.start() + len(phrase)
                whole = not (phrase[-1].isalnum() and low[end : end + 1].isalnum())
                if word.start() >= last and low.startswith(phrase, word.start()) and whole:
                    found.append((word.start(), end))
                    last = end
                    break
        if self.signs:
            found += [place.span() for place in self.signs.finditer(text)]
        return found

    def change(self, text, random):
        """The text with one phrase replaced, or None."""
        places = self.places(text)
        if not places:
            return None
        start, end = random.choice(places)
        old = text[start:end]
        return put(text, start, end, cased_like(random.choice(self.others[old.lower()]), old))
