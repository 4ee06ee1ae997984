"""Damaged copies of a sentence, for which it is known that the original is better."""

import re

NEGATABLE = {
    "is",
    "are",
    "was",
    "were",
    "will",
    "would",
    "can",
    "could",
    "should",
    "has",
    "have",
    "had",
    "must",
    "may",
    "might",
    "did",
    "does",
    "do",
}
NEGATIONS = {"not", "n't", "never", "no"}
NUMBER = re.compile(r"\d+")
NAME = re.compile(r"^[A-Z][a-z]+[a-z'’-]*$")

LIGHT = ["drop", "swap", "repeat", "negate", "number", "name", "replace"]
HEAVY = ["shuffle", "truncate", "empty", "source", "unrelated"]
KINDS = LIGHT + HEAVY


def drop(words, random, names):
    count = max(1, round(len(words) * random.choice([0.1, 0.2, 0.3])))
    if len(words) <= count:
        return None
    first = random.randrange(len(words) - count + 1)
    if random.random() < 0.5:
        return words[:first] + words[first + count :]
    gone = set(random.sample(range(len(words)), count))
    return [word for place, word in enumerate(words) if place not in gone]


def swap(words, random, names):
    if len(words) < 4:
        return None
    words = list(words)
    for _ in range(random.choice([1, 2, 3])):
        a = random.randrange(len(words) - 2)
        b = a + random.choice([1, 2]) if random.random() < 0.5 else random.randrange(len(words))
        words[a], words[b] = words[b], words[a]
    return words


def repeat(words, random, names):
    if not words:
        return None
    count = random.choice([1, 1, 2, 3])
    first = random.randrange(len(words))
    return words[: first + count] + words[first:]


def negate(words, random, names):
    places = [place for place, word in enumerate(words) if word.lower() in NEGATIONS]
    if places:
        place = random.choice(places)
        return words[:place] + words[place + 1 :]
    places = [place for place, word in enumerate(words) if word.lower() in NEGATABLE]
    if not places:
        return None
    place = random.choice(places)
    return words[: place + 1] + ["not"] + words[place + 1 :]


def number(words, random, names):
    places = [place for place, word in enumerate(words) if NUMBER.search(word)]
    if not places:
        return None
    words = list(words)
    place = random.choice(places)

    def other(match):
        old = match.group()
        new = old
        while new == old:
            new = str(random.randrange(10 ** (len(old) - 1) if len(old) > 1 else 0, 10 ** len(old)))
        return new

    words[place] = NUMBER.sub(other, words[place], count=1)
    return words


def name(words, random, names):
    places = [place for place, word in enumerate(words) if place > 0 and NAME.match(word)]
    if not places:
        return None
    words = list(words)
    place = random.choice(places)
    words[place] = random.choice(names)
    return words


def replace(words, random, names):
    """One content word becomes another name in lower case."""
    places = [place for place, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not places:
        return None
    words = list(words)
    words[random.choice(places)] = random.choice(names).lower()
    return words


def shuffle(words, random, names):
    if len(words) < 5:
        return None
    words = list(words)
    random.shuffle(words)
    return words


def truncate(words, random, names):
    if len(words) < 5:
        return None
    return words[: max(1, round(len(words) * random.choice([0.2, 0.35, 0.5])))]


CHANGES = {f.__name__: f for f in (drop, swap, repeat, negate, number, name, replace, shuffle, truncate)}


def damaged(kind, text, random, names):
    """A copy of `text` with damage of `kind`, or None if the text offers no place for it."""
    words = CHANGES[kind](text.split(), random, names)
    if words is None:
        return None
    copy = " ".join(words)
    return copy if copy.lower() != " ".join(text.split()).lower() else None
