"""Damaged copies of a sentence, for which it is known that the original is better.

Light damage is what real outputs have: case, spaces, punctuation, function words, forms of words, their order. Changes
of meaning are in meaning.py. Useless texts ("heavy") are shuffled, cut off, empty, the source, or of another segment.
"""

import re

import meaning
import words as lists
from texts import Lexicon, cased_like, lower_first, put, remove_word, words

NAME = re.compile(r"^[A-Z][a-z]+[a-z'’-]*$")
FUNCTION = set(lists.FUNCTION_WORDS)
HYPERNYMS = Lexicon(lists.HYPERNYMS)
SLIPS = Lexicon(lists.FUNCTION_SLIPS)
VOWELS = "aeiou"
ENDINGS = ("ing", "ed", "es", "s")


# Case


def case_first(text, random, given):
    """The first letter in lower case."""
    found = next((place for place, letter in enumerate(text) if letter.isalpha()), None)
    return None if found is None or not text[found].isupper() else put(text, found, found + 1, text[found].lower())


def case_word(text, random, given):
    """One or two words with the other case of the first letter."""
    places = [place for place in words(text)[1:] if place[2][0].isalpha()]
    capital = [place for place in places if place[2][0].isupper()]
    chosen = capital if capital and random.random() < 0.6 else places
    if not chosen:
        return None
    for start, end, word in random.sample(chosen, min(len(chosen), random.choice([1, 1, 2]))):
        text = put(text, start, end, word[0].swapcase() + word[1:])
    return text


def case_lower(text, random, given):
    return text.lower()


def case_upper(text, random, given):
    return text.upper()


def case_title(text, random, given):
    return re.sub(r"(?<![\w'’])[a-z]", lambda found: found.group().upper(), text)


# Spaces


def space_missing(text, random, given):
    """One space is lost, a few are, or all are."""
    places = [place for place, letter in enumerate(text) if letter == " "]
    if not places:
        return None
    count = random.choice([1, 1, 1, 2, 3, max(1, len(places) // 2), len(places)])
    gone = set(random.sample(places, min(count, len(places))))
    return "".join(letter for place, letter in enumerate(text) if place not in gone)


def space_added(text, random, given):
    """A space is doubled, stands before punctuation, or cuts a word in two."""
    kind = random.random()
    if kind < 0.4:
        places = [found.end() for found in re.finditer(" ", text)]
    elif kind < 0.7:
        places = [found.start() for found in re.finditer(r"(?<=\w)[,.!?;:%)\]]", text)]
    else:
        places = [random.randrange(start + 1, end) for start, end, word in words(text) if len(word) > 4]
    if not places:
        return None
    for place in sorted(random.sample(places, min(len(places), random.choice([1, 1, 2, len(places)]))), reverse=True):
        text = put(text, place, place, " ")
    return text


# Punctuation

MARKS = re.compile(r"[.,;:!?\"'“”‘’«»()\[\]…–—-]")


def punctuation_dropped(text, random, given):
    """One mark, the last one, or all."""
    places = [found.start() for found in MARKS.finditer(text)]
    if not places:
        return None
    kind = random.random()
    if kind < 0.4 and places[-1] == len(text) - 1:
        chosen = {places[-1]}
    else:
        chosen = set(places if kind > 0.85 else random.sample(places, 1))
    return "".join(letter for place, letter in enumerate(text) if place not in chosen)


def punctuation_changed(text, random, given):
    places = [found.start() for found in re.finditer(r"[.,;:!?]", text)]
    if not places:
        return None
    place = places[-1] if random.random() < 0.4 else random.choice(places)
    return put(text, place, place + 1, random.choice([mark for mark in ".,;:!?" if mark != text[place]]))


def punctuation_added(text, random, given):
    places = [end for _, end, _ in words(text)[:-1] if text[end : end + 1] == " "]
    if not places:
        return None
    place = random.choice(places)
    return put(text, place, place, random.choice([",", ",", ".", ";", ":", "!", '"', " -", "..."]))


# Words


def drop(text, random, given):
    """Up to a third of the words are lost, in a row or here and there."""
    found = words(text)
    count = max(1, round(len(found) * random.choice([0.05, 0.1, 0.2, 0.3])))
    if len(found) <= count:
        return None
    if random.random() < 0.5:
        first = random.randrange(len(found) - count + 1)
        chosen = found[first : first + count]
    else:
        chosen = random.sample(found, count)
    for start, end, _ in sorted(chosen, reverse=True):
        text = remove_word(text, start, end)
    return text


def drop_content(text, random, given):
    chosen = [place for place in words(text) if len(place[2]) > 4 and place[2].lower() not in FUNCTION]
    return remove_word(text, *random.choice(chosen)[:2]) if len(chosen) > 1 else None


def drop_function(text, random, given):
    """One to three function words are lost."""
    chosen = [place for place in words(text) if place[2].lower() in FUNCTION]
    if not chosen:
        return None
    for start, end, _ in sorted(random.sample(chosen, min(len(chosen), random.choice([1, 1, 2, 3]))), reverse=True):
        text = remove_word(text, start, end)
    return text


def change_function(text, random, given):
    return SLIPS.change(text, random)


def add_function(text, random, given):
    places = [start for start, _, word in words(text)[1:] if word.lower() not in FUNCTION]
    if not places:
        return None
    place = random.choice(places)
    return put(text, place, place, random.choice(["the ", "a ", "of ", "to ", "in ", "that ", "is ", "it ", "for "]))


def repeat(text, random, given):
    """One to four words stand twice."""
    found = words(text)
    if not found:
        return None
    count = min(random.choice([1, 1, 1, 2, 4]), len(found))
    first = random.randrange(len(found) - count + 1)
    start, end = found[first][0], found[first + count - 1][1]
    return put(text, end, end, " " + text[start:end])


def swap(text, random, given):
    """Neighbours, or two words anywhere, are exchanged."""
    for _ in range(random.choice([1, 1, 2])):
        found = words(text)
        if len(found) < 4:
            return None
        if random.random() < 0.6:
            first = random.randrange(len(found) - 1)
            one, two = found[first], found[first + 1]
        else:
            one, two = sorted(random.sample(found, 2))
        text = put(put(text, two[0], two[1], one[2]), one[0], one[1], two[2])
    return text


def move(text, random, given):
    """One to three words stand somewhere else."""
    found = words(text)
    if len(found) < 6:
        return None
    count = random.choice([1, 1, 2, 3])
    first = random.randrange(len(found) - count)
    start, end = found[first][0], found[first + count - 1][1]
    moved = text[start:end]
    rest = remove_word(text, start, end)
    places = [place for place, _, _ in words(rest) if abs(place - start) > 3]
    if not places:
        return None
    place = random.choice(places)
    return put(rest, place, place, lower_first(moved) + " " if start == 0 else moved + " ")


def inflect(text, random, given):
    """Tense, number or another ending of one or two words."""
    for _ in range(random.choice([1, 1, 2])):
        found = [place for place in words(text) if len(place[2]) > 3 and place[2].isalpha() and place[2].isascii()]
        found = [place for place in found if place[2].lower() not in FUNCTION]
        if not found:
            return None
        start, end, word = random.choice(found)
        text = put(text, start, end, other_form(word, random))
    return text


PAST = {past: base for past, base in lists.PAST}
BASE = {base: past for past, base in lists.PAST}


def other_form(word, random):
    low = word.lower()
    if low in PAST:
        new = PAST[low]
    elif low in BASE and random.random() < 0.5:
        new = BASE[low]
    else:
        ending = next((ending for ending in ENDINGS if low.endswith(ending) and len(low) > len(ending) + 2), "")
        stem = low[: len(low) - len(ending)]
        if ending in ("ing", "ed") and len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lse":
            stem = stem[:-1]
        options = [e for e in ("", "s", "ed", "ing") if e != ending and not (ending == "es" and e == "s")]
        new = stem + random.choice(options)
        if new.endswith("eed") and not ending:
            new = stem + "d"
        elif new.endswith("eing") and not ending:
            new = stem[:-1] + "ing"
    return cased_like(new, word)


def hypernym(text, random, given):
    return HYPERNYMS.change(text, random)


def add(text, random, given):
    """A phrase that the original does not have."""
    phrase = random.choice(lists.ADDED)
    if given.strangers and random.random() < 0.4:
        other = random.choice(given.strangers).split()
        count = random.choice([2, 3, 4])
        first = random.randrange(max(1, len(other) - count))
        phrase = " ".join(other[first : first + count]).strip(".,;:!?\"'()").lower()
    places = [end for _, end, _ in words(text)]
    if not places or not phrase:
        return None
    place = places[-1] if random.random() < 0.4 else random.choice(places)
    return put(text, place, place, " " + phrase)


def untranslated(text, random, given):
    """A word or two of the source in place of a word."""
    source = words(given.source)
    found = [place for place in words(text) if len(place[2]) > 3]
    if not source or not found or given.source == text:
        return None
    start, end, _ = random.choice(found)
    first = random.choice(source)
    if len(first[2]) > 8 and not first[2].isascii():
        # scripts without spaces: a few signs
        begin = random.randrange(len(first[2]) - 2)
        return put(text, start, end, first[2][begin : begin + random.choice([1, 2, 3])])
    return put(text, start, end, first[2])


def typo(text, random, given):
    """Letters exchanged, lost, doubled or wrong in one to three words."""
    found = [place for place in words(text) if len(place[2]) > 3 and place[2].isalpha()]
    if not found:
        return None
    for start, end, word in sorted(random.sample(found, min(len(found), random.choice([1, 1, 2, 3]))), reverse=True):
        place = random.randrange(1, len(word) - 1)
        kind = random.randrange(4)
        if kind == 0:
            word = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        elif kind == 1:
            word = word[:place] + word[place + 1 :]
        elif kind == 2:
            word = word[: place + 1] + word[place:]
        else:
            word = word[:place] + random.choice("abcdefghijklmnoprstuvwy") + word[place + 1 :]
        text = put(text, start, end, word)
    return text


def sentence_dropped(text, random, given):
    """One sentence of several is lost."""
    parts = re.split(r"(?<=[.!?])\s+(?=[A-Z\"“])", text)
    if len(parts) < 2:
        return None
    del parts[random.randrange(len(parts))]
    return " ".join(parts)


def end_dropped(text, random, given):
    """The last words are lost."""
    found = words(text)
    if len(found) < 6:
        return None
    end = found[-1 - random.choice([1, 2, max(2, len(found) // 4)])][1]
    return text[:end] + ("." if text[-1] == "." and random.random() < 0.5 else "")


def replace(text, random, given):
    """A content word becomes another one."""
    found = [place for place in words(text) if len(place[2]) > 4 and place[2].isalpha()]
    if not found or not given.vocabulary:
        return None
    start, end, word = random.choice(found)
    return put(text, start, end, cased_like(random.choice(given.vocabulary), word))


def name(text, random, given):
    """A name becomes another one."""
    found = [place for place in words(text)[1:] if NAME.match(place[2])]
    if not found or not given.names:
        return None
    start, end, _ = random.choice(found)
    return put(text, start, end, random.choice(given.names))


# Useless texts


def shuffle(text, random, given):
    parts = text.split()
    if len(parts) < 5:
        return None
    random.shuffle(parts)
    return " ".join(parts)


def truncate(text, random, given):
    parts = text.split()
    if len(parts) < 5:
        return None
    return " ".join(parts[: max(1, round(len(parts) * random.choice([0.2, 0.35, 0.5])))])


def empty(text, random, given):
    return ""


def source(text, random, given):
    return given.source or None


def unrelated(text, random, given):
    return random.choice(given.strangers) if given.strangers else None


LIGHT_RULES = [
    case_first, case_word, case_lower, case_upper, case_title, space_missing, space_added, punctuation_dropped,
    punctuation_changed, punctuation_added, drop, drop_content, drop_function, change_function, add_function, repeat,
    swap, move, inflect, hypernym, add, untranslated, typo, sentence_dropped, end_dropped, replace, name,
]  # fmt: skip
HEAVY_RULES = [shuffle, truncate, empty, source, unrelated]
# The copy of a reference that says the same; it is no damage, only a copy that wins over changes of meaning.
SAME = "same"

LIGHT = [rule.__name__ for rule in LIGHT_RULES]
MEANING = list(meaning.RULES)
HEAVY = [rule.__name__ for rule in HEAVY_RULES]
KINDS = LIGHT + MEANING + [SAME] + HEAVY
CHANGES = {rule.__name__: rule for rule in LIGHT_RULES + HEAVY_RULES}


def kind_class(kind):
    for title, kinds in (("light", LIGHT), ("meaning", MEANING), ("heavy", HEAVY)):
        if kind in kinds:
            return title
    return None


class Given:
    """What rules take from elsewhere: the source, names, words and references of other segments."""

    def __init__(self, source="", names=(), vocabulary=(), strangers=()):
        self.source, self.names, self.vocabulary, self.strangers = source, names, vocabulary, strangers


def damaged(kind, text, random, given):
    """A copy of `text` with damage of `kind`, or None if the text offers no place for it."""
    copy = CHANGES[kind](text, random, given) if kind in CHANGES else meaning.changed(kind, text, random)
    return None if copy is None or copy.strip() == text.strip() else copy.strip()
