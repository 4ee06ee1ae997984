"""Near-copies of a sentence: with another meaning (rules by kind), or with the same (`same`)."""

import re

import words as lists
from texts import Lexicon, cased_like, lower_first, put, remove_word, words

ANTONYMS = Lexicon(lists.ANTONYMS, both_ways=True)
LEXICONS = {
    "antonym": ANTONYMS,
    "quantifier": Lexicon(lists.QUANTIFIERS),
    "modality": Lexicon(lists.MODALITY),
    "order": Lexicon(lists.ORDER),
    "condition": Lexicon(lists.CONDITIONS),
    "direction": Lexicon(lists.DIRECTIONS),
    "comparison": Lexicon(lists.COMPARISONS),
    "pronoun": Lexicon(lists.PRONOUNS),
    "unit": Lexicon(lists.UNITS),
    "currency": Lexicon(lists.CURRENCIES),
    "category": Lexicon(lists.CATEGORIES, both_ways=True),
    "scale": Lexicon(lists.SCALES),
}
SAME_MEANING = Lexicon(lists.SAME_MEANING, both_ways=True)
AUXILIARIES = set(lists.AUXILIARIES)
PAST = {past: base for past, base in lists.PAST}
PRESENT = {third: base for base, third in lists.PRESENT}
# After such a word a noun phrase is complete.
CLOSING = set(
    "is was are were has had have will would can could may must should did does do in on of to and or with for at from by "
    "that who which said says after before when while because if but as than into over about against under during".split()
)
DETERMINERS = set("the a an his her its their our my your this that these those each every another".split())
NAMES = re.compile(r"\b[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2}\b")
FIRST_WORDS = set(
    "the a an this that these those he she it we they i you in on at for from with by to of and but or if when while "
    "as after before there here his her its their our my your not no yes what who how why where which all some many most "
    "both one two three according however although because since despite during".split()
)


def exchange(text, one, two):
    """Two parts (start, end) of a text in each other's place."""
    (a, b), (c, d) = sorted((one, two))
    first, second = text[a:b], text[c:d]
    if a == 0:
        keep = first[:1].isupper() and len(first) > 1 and first.split(" ")[0].lower() not in FIRST_WORDS
        first, second = (first if keep else lower_first(first)), second[:1].upper() + second[1:]
    return text[:a] + second + text[b:c] + first + text[d:]


def apart(text, one, two):
    """Whether something other than a list lies between two parts."""
    between = [word.lower() for _, _, word in words(text[one[1] : two[0]])]
    return bool(between) and not set(between) <= {"and", "or", "the", "a", "nor"}


def is_verb(word):
    return word in PAST or word in PRESENT or word in lists.OTHER_VERBS or word.endswith("ed") or word in AUXILIARIES


def starts_with_name(phrase, after):
    """Whether the first words of a text are a name rather than a capital at its beginning."""
    if phrase.split(" ")[0].lower() in FIRST_WORDS:
        return False
    return " " in phrase or bool(after) and (is_verb(after[0][2]) or after[0][2].lower() in CLOSING)


def noun_phrases(text, all_words):
    """(start, end) of a determiner with a noun, or with another word and a noun, where the phrase seems to end."""
    found = []
    for number, (start, _, word) in enumerate(all_words):
        if word.lower() not in DETERMINERS:
            continue
        for last in (number + 1, number + 2):
            if last >= len(all_words):
                break
            begin, end, noun = all_words[last]
            if not noun.islower() or noun in CLOSING or noun in FIRST_WORDS or text[begin - 1] != " ":
                break
            after = [following for _, _, following in all_words[last + 1 : last + 3]]
            closed = not text[end:].startswith(" ") or not after or after[0] in CLOSING or is_verb(after[0])
            # a word before a determiner is a verb or a preposition
            if closed or len(after) > 1 and after[1] in DETERMINERS:
                found.append((start, end))
                break
    return found


def roles(text, random):
    """Two names, or two noun phrases, change places; or from A to B becomes from B to A."""
    found, all_words = [], words(text)
    names = [
        place.span()
        for place in NAMES.finditer(text)
        if place.start() > 0 or starts_with_name(place.group(), words(text[place.end() :])[:1])
    ]
    phrases = noun_phrases(text, all_words)
    for spans in (names, phrases):
        for number, one in enumerate(spans):
            for two in spans[number + 1 : number + 4]:
                if text[slice(*one)].lower() != text[slice(*two)].lower() and apart(text, one, two):
                    found.append((one, two))
    for place in re.finditer(r"\bfrom ([\w.,%$€£]*\w) to ([\w.,%$€£]*\w)|\b(\w+) than (?:the )?(\w+)", text):
        one, two = (1, 2) if place.group(1) else (3, 4)
        found.append((place.span(one), place.span(two)))
    return exchange(text, *random.choice(found)) if found else None


NOT = re.compile(r"n['’]t\b|\b(?:not|never)\b|(?<=\bcan)not\b", re.IGNORECASE)


def negation(text, random):
    """A negation is added, removed or moved."""
    found = [place for place in NOT.finditer(text) if not text[: place.start()].lower().endswith(("wo", "ca", "sha"))]
    adding = [place for place in words(text) if place[2].lower() in AUXILIARIES and not negated_after(text, place[1])]
    kind = random.random()
    if found and (kind < 0.6 or not adding):
        place = random.choice(found)
        if place.group()[0] in "nN" and place.group().lower() in ("not", "never"):
            removed = remove_word(text, place.start(), place.end())
        else:
            removed = put(text, place.start(), place.end(), "")
        if kind < 0.15:
            later = [p for p in words(removed) if p[2].lower() in AUXILIARIES and abs(p[1] - place.start()) > 3]
            if later:
                return deny(removed, random.choice(later), random)
        return removed
    if adding:
        return deny(text, random.choice(adding), random)
    verbs = [p for p in words(text)[1:] if p[2] in PAST or p[2] in PRESENT]
    if verbs:
        start, end, verb = random.choice(verbs)
        new = f"did not {PAST[verb]}" if verb in PAST else f"does not {PRESENT[verb]}"
        return put(text, start, end, new)
    articles = [p for p in words(text) if p[2].lower() in ("a", "an", "any")]
    if articles:
        start, end, article = random.choice(articles)
        return put(text, start, end, cased_like("no", article))
    return None


def negated_after(text, end):
    return bool(re.match(r"n['’]t| (?:not|never|no)\b", text[end:]))


def deny(text, place, random):
    start, end, word = place
    low = word.lower()
    if random.random() < 0.3 and low in (
        "is",
        "are",
        "was",
        "were",
        "would",
        "could",
        "should",
        "has",
        "have",
        "had",
        "did",
    ):
        return put(text, end, end, "n't")
    if low == "can":
        return put(text, end, end, "not")
    return put(text, end, end, random.choice([" not", " not", " not", " never"]))


def number(text, random):
    """A digit, a decimal sign, a number word or an ordinal changes."""
    digits = list(re.finditer(r"\d+(?:[.,]\d+)*", text))
    spelled = [p for p in words(text) if p[2].lower() in SPELLED]
    if digits and (not spelled or random.random() < 0.75):
        place = random.choice(digits)
        return put(text, place.start(), place.end(), other_number(place.group(), random))
    if spelled:
        start, end, word = random.choice(spelled)
        line = SPELLED[word.lower()]
        return put(
            text, start, end, cased_like(random.choice([other for other in line if other != word.lower()]), word)
        )
    return LEXICONS["scale"].change(text, random)


SPELLED = {
    word: line for line in (lists.NUMBERS[1:], lists.TENS, lists.ORDINALS[1:]) for word in line if word != "second"
}


def other_number(old, random):
    kind = random.random()
    if kind < 0.12 and old.isdigit() and len(old) < 4:
        return old + "0"
    if kind < 0.2 and len(old) > 2 and re.fullmatch(r"\d+\.\d+", old):
        return old.replace(".", "")
    if kind < 0.3 and len(old) > 1 and old[0] != old[1] and old[:2].isdigit() and old[1] != "0":
        return old[1] + old[0] + old[2:]
    places = [place for place, letter in enumerate(old) if letter.isdigit()]
    place = places[0] if random.random() < 0.5 else random.choice(places)
    lowest = 1 if place == 0 and len(old) > 1 else 0
    return put(old, place, place + 1, random.choice([d for d in "0123456789"[lowest:] if d != old[place]]))


MONTH = re.compile(
    r"\b(?:%s)\b" % "|".join(m for m in lists.MONTHS if m != "May") + r"|\bMay(?= \d)|(?<=\d )May\b|(?<=in )May\b"
)
WEEKDAY = re.compile(r"\b(?:%s)\b" % "|".join(lists.WEEKDAYS))
YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d(?:s\b|\b)")
DAY = re.compile(r"\b([12]?\d|3[01])(?:st|nd|rd|th)?(?= (?:%s)\b)|(?<=\b[A-Z][a-z]{2} )\b" % "|".join(lists.MONTHS))


def date(text, random):
    """Another month, weekday, year or day; or day and month of a date in figures change places."""
    found = []
    for pattern, line in ((MONTH, lists.MONTHS), (WEEKDAY, lists.WEEKDAYS)):
        for place in pattern.finditer(text):
            found.append((place.span(), random.choice([other for other in line if other != place.group()])))
    for place in YEAR.finditer(text):
        year = place.group().rstrip("s")
        new = int(year) + random.choice([-30, -10, -2, -1, 1, 2, 10, 20])
        found.append((place.span(), str(new) + place.group()[4:]))
    for place in re.finditer(r"\b(\d{1,2})([./-])(\d{1,2})(?=\2(?:\d{4}|\d\d)\b)", text):
        if place.group(1) != place.group(3):
            found.append((place.span(), place.group(3) + place.group(2) + place.group(1)))
    for place in DAY.finditer(text):
        if place.group():
            day = place.group(1)
            new = random.choice([d for d in range(1, 29) if str(d) != day])
            found.append((place.span(1), str(new)))
    if not found:
        return DAYTIMES.change(text, random)
    (start, end), new = random.choice(found)
    return put(text, start, end, new)


DAYTIMES = Lexicon(
    lists.table("spring | summer | autumn | winter\nmorning | afternoon | evening | night\nweekend | weekdays"),
    both_ways=True,
)


def time(text, random):
    """Another hour or minute; a.m. becomes p.m."""
    found = []
    for place in re.finditer(r"\b(\d{1,2})([:.])(\d\d)\b(?!%)", text):
        if int(place.group(1)) < 25 and int(place.group(3)) < 60:
            hour = random.choice([h for h in range(1, 24) if h != int(place.group(1))])
            found.append((place.span(1), str(hour)))
            found.append((place.span(3), random.choice([m for m in ("00", "15", "30", "45") if m != place.group(3)])))
    for place in re.finditer(r"(?<=\d)( ?)(a\.m\.|p\.m\.|am\b|pm\b|AM\b|PM\b)", text):
        old = place.group(2)
        found.append((place.span(2), old.translate(str.maketrans("apAP", "paPA"))))
    for place in re.finditer(r"\b(\d{1,2})(?= ?(?:a\.m\.|p\.m\.|am\b|pm\b|o['’]clock))", text):
        found.append((place.span(1), str(random.choice([h for h in range(1, 12) if str(h) != place.group(1)]))))
    for place in re.finditer(r"\b(noon|midnight|midday)\b", text, re.IGNORECASE):
        found.append(
            (place.span(), cased_like("noon" if place.group().lower() == "midnight" else "midnight", place.group()))
        )
    if not found:
        return None
    (start, end), new = random.choice(found)
    return put(text, start, end, new)


def question(text, random):
    """A statement becomes a question, or a question a statement."""
    stripped = text.rstrip()
    found = words(text)
    if len(found) < 2 or not stripped or stripped[-1] not in ".?!":
        return None
    if random.random() < 0.5 and found[1][2].lower() in AUXILIARIES and stripped[-1] == ".":
        one, two = found[0], found[1]
        first = one[2] if one[2] == "I" or one[2].lower() not in FIRST_WORDS else lower_first(one[2])
        rest = stripped[two[1] : -1]
        return cased_like(two[2], one[2]) + stripped[one[1] : two[0]] + first + rest + "?"
    if stripped[-1] == "?" and found[0][2].lower() in AUXILIARIES and random.random() < 0.5:
        one, two = found[0], found[1]
        return cased_like(two[2], one[2]) + stripped[one[1] : two[0]] + one[2].lower() + stripped[two[1] : -1] + "."
    return stripped[:-1] + ("." if stripped[-1] == "?" else "?")


ANSWERS = {line[0]: line[1:] for line in lists.ANSWERS}


def answer(text, random):
    """The first or only words answer the opposite."""
    for length in (2, 1):
        found = words(text)[:length]
        if len(found) < length:
            continue
        end = found[-1][1]
        phrase = text[found[0][0] : end].lower()
        whole = not text[end:].strip(" .!?")
        if phrase in ANSWERS and (whole or text[end : end + 1] in ",.!;:" or phrase in ("yes", "no")):
            if phrase == "no" and text[end : end + 1] == " ":
                continue
            return put(text, found[0][0], end, cased_like(random.choice(ANSWERS[phrase]), text[found[0][0] : end]))
    return None


EMOJI = [[side.split() for side in line] for line in lists.EMOJI]
EMOJI_SIGNS = sorted({sign for line in EMOJI for side in line for sign in side}, key=len, reverse=True)
EMOJI_PATTERN = re.compile("|".join(map(re.escape, EMOJI_SIGNS)))


def emoji(text, random):
    """An emoji becomes one that says something else, or is lost."""
    found = list(EMOJI_PATTERN.finditer(text))
    if not found:
        return None
    place = random.choice(found)
    if random.random() < 0.15:
        return put(text, place.start(), place.end(), "")
    own = next(side for line in EMOJI for side in line if place.group() in side)
    other = random.choice([sign for sign in EMOJI_SIGNS if sign not in own])
    return put(text, place.start(), place.end(), other)


def by_lexicon(title):
    return lambda text, random: LEXICONS[title].change(text, random)


RULES = {
    "roles": roles,
    "negation": negation,
    "number": number,
    "date": date,
    "time": time,
    "question": question,
    "answer": answer,
    "emoji": emoji,
} | {
    title: by_lexicon(title)
    for title in (
        "antonym", "quantifier", "modality", "order", "condition", "direction", "comparison", "pronoun", "unit",
        "currency", "category",
    )
}  # fmt: skip
# Kinds of which most sentences have one come up less often than the others.
COMMON = {"question": 0.25, "negation": 0.7, "pronoun": 0.6, "direction": 0.5, "condition": 0.7}


def changed(kind, text, random):
    """The text with another meaning, or None."""
    copy = RULES[kind](text, random)
    return None if copy is None or copy.lower() == text.lower() else copy


def any_change(text, random):
    """(kind, copy) by a rule that fits the text, or None."""
    kinds = sorted(RULES, key=lambda kind: random.random() ** (1 / COMMON.get(kind, 1.0)), reverse=True)
    for kind in kinds:
        copy = changed(kind, text, random)
        if copy is not None:
            return kind, copy
    return None


def same(text, random):
    """The text with one to three phrases put in other words of the same meaning, or None."""
    copy = text
    for _ in range(random.choice([1, 1, 2, 3])):
        copy = SAME_MEANING.change(copy, random) or copy
    return copy if copy.lower() != text.lower() else None
