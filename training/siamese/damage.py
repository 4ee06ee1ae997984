"""Damaged copies of a sentence in any language, for which it is known that the original is better."""

import re

import perturb

KINDS = perturb.KINDS + ["language"]  # the last: fluent text of another language
# Rules of this file for words of any language, and those of perturb.py that need no knowledge of the language.
WORDS = ["drop", "swap", "move", "repeat", "number", "name", "replace", "untranslated", "shuffle", "truncate"]
SIGNS = ["case_first", "space_missing", "space_added", "punctuation_dropped", "punctuation_changed"]
LIGHT = [
    "drop",
    "drop",
    "swap",
    "move",
    "repeat",
    "negation",
    "negation",
    "number",
    "number",
    "name",
    "replace",
    "replace",
    "untranslated",
]

# Written without spaces: a character is a word.
JOINED = {"zh", "ja", "th", "km", "lo", "my"}
CHARACTER = re.compile(r"[0-9A-Za-z.,'’-]+|\s+|.", re.DOTALL)
CASED = re.compile(r"^[^\W\d_]{3,}$")

# A phrase without and with a negation, both ways, one pair of lines `plain = negated` per language.
NEGATIONS = {
    "de": "ist = ist nicht|sind = sind nicht|war = war nicht|hat = hat nicht|wird = wird nicht|kann = kann nicht|"
    "eine = keine|ein = kein|einen = keinen|haben = haben nicht|werden = werden nicht",
    "fr": "est = n'est pas|sont = ne sont pas|a = n'a pas|ont = n'ont pas|peut = ne peut pas|sera = ne sera pas|"
    "était = n'était pas|doit = ne doit pas",
    "es": "es = no es|son = no son|está = no está|ha = no ha|han = no han|puede = no puede|fue = no fue|"
    "será = no será|tiene = no tiene|era = no era|hay = no hay",
    "pt": "é = não é|são = não são|está = não está|foi = não foi|pode = não pode|tem = não tem|será = não será",
    "it": "è = non è|sono = non sono|ha = non ha|hanno = non hanno|può = non può|era = non era|sarà = non sarà",
    "nl": "is = is niet|zijn = zijn niet|was = was niet|heeft = heeft niet|wordt = wordt niet|kan = kan niet|"
    "een = geen|kunt = kunt niet",
    "sv": "är = är inte|var = var inte|har = har inte|kan = kan inte|ska = ska inte|blir = blir inte",
    "da": "er = er ikke|var = var ikke|har = har ikke|kan = kan ikke|skal = skal ikke|bliver = bliver ikke",
    "no": "er = er ikke|var = var ikke|har = har ikke|kan = kan ikke|skal = skal ikke|blir = blir ikke",
    "fi": "on = ei ole|ovat = eivät ole|oli = ei ollut|voi = ei voi|olivat = eivät olleet|voidaan = ei voida",
    "et": "on = ei ole|oli = ei olnud|saab = ei saa|võib = ei või|peab = ei pea",
    "lt": "yra = nėra|buvo = nebuvo|gali = negali|bus = nebus|turi = neturi",
    "lv": "ir = nav|bija = nebija|var = nevar|būs = nebūs",
    "pl": "jest = nie jest|są = nie są|ma = nie ma|może = nie może|był = nie był|będzie = nie będzie|można = nie można",
    "cs": "je = není|jsou = nejsou|byl = nebyl|byla = nebyla|bylo = nebylo|má = nemá|může = nemůže|bude = nebude|"
    "mají = nemají|mohou = nemohou|budou = nebudou|byli = nebyli|lze = nelze",
    "sk": "je = nie je|sú = nie sú|bol = nebol|má = nemá|môže = nemôže|bude = nebude",
    "hu": "van = nincs|volt = nem volt|lehet = nem lehet|kell = nem kell|vannak = nincsenek|fog = nem fog",
    "ro": "este = nu este|sunt = nu sunt|a = nu a|au = nu au|poate = nu poate|va = nu va|era = nu era|"
    "trebuie = nu trebuie",
    "tr": "var = yok|olacak = olmayacak|oldu = olmadı|ediyor = etmiyor|olduğunu = olmadığını|olabilir = olamaz|"
    "oldu. = olmadı.|var. = yok.|edildi. = edilmedi.|etti. = etmedi.|dedi. = demedi.",
    "hr": "je = nije|su = nisu|ima = nema|može = ne može|će = neće",
    "id": "adalah = bukan|dapat = tidak dapat|akan = tidak akan|telah = belum|ada = tidak ada",
    "vi": "là = không phải là|có = không có|được = không được|sẽ = sẽ không|đã = chưa",
    "ru": "был = не был|была = не была|было = не было|были = не были|может = не может|будет = не будет|"
    "могут = не могут|есть = нет|является = не является|имеет = не имеет|можно = нельзя|смог = не смог|должен = не должен",
    "uk": "є = не є|був = не був|була = не була|може = не може|буде = не буде|можна = не можна",
    "bg": "е = не е|са = не са|може = не може|има = няма|беше = не беше|ще = няма да",
    "hi": "है = नहीं है|हैं = नहीं हैं|था = नहीं था|है। = नहीं है।|हैं। = नहीं हैं।|था। = नहीं था।|है | = नहीं है |",
    "ne": "छ = छैन|हो = होइन|छन् = छैनन्|थियो = थिएन|छ । = छैन ।|हो । = होइन ।",
    "bn": "আছে = নেই|ছিল = ছিল না|হয় = হয় না|হবে = হবে না|করে। = করে না।|হয়। = হয় না।",
    "gu": "છે = નથી|છે. = નથી.|હતા = ન હતા|હતી = ન હતી",
    "el": "είναι = δεν είναι|έχει = δεν έχει|μπορεί = δεν μπορεί|ήταν = δεν ήταν|θα = δεν θα",
    "eu": "da = ez da|dira = ez dira|du = ez du|dute = ez dute|duzu = ez duzu",
    "zh": "是 = 不是|会 = 不会|能 = 不能|有 = 没有|可以 = 不可以|已 = 未|应该 = 不应该|要 = 不要",
    "ja": "です = ではありません|ます = ません|だった = ではなかった|"
    "できる = できない|である = ではない|した = しなかった|ました = ませんでした",
    "km": "មាន = គ្មាន|គឺជា = មិនមែនជា",
    "kk": "бар = жоқ|болды = болмады|емес = |болады = болмайды|екенін = емес екенін",
}


def table(text):
    pairs = [pair.split(" = ") for pair in text.split("|") if " = " in pair]
    return [(a.strip(), b.strip()) for a, b in pairs if a.strip() and b.strip()]


NEGATIONS = {language: table(text) for language, text in NEGATIONS.items()}


def units(text, language):
    return CHARACTER.findall(text) if language in JOINED else text.split()


def joined(words, language):
    return ("" if language in JOINED else " ").join(words)


def negation(text, language, random):
    """A negation added or taken away."""
    edge = "" if language in JOINED else r"(?<!\w)"
    other = "" if language in JOINED else r"(?!\w)"
    found = []
    for plain, negated in NEGATIONS.get(language, []):
        for old, new in ((negated, plain), (plain, negated)):
            places = list(re.finditer(edge + re.escape(old) + other, text))
            found += [(match, new) for match in places]
            if places:
                break
    if not found:
        return None
    match, new = random.choice(found)
    return text[: match.start()] + new + text[match.end() :]


def content(words):
    """Places of words that are not short."""
    return [place for place, word in enumerate(words) if len(word) > 3 and word[-1].isalpha()]


def change(kind, words, language, random, given):
    """Other words for a list of words, or None."""
    count = len(words)
    if kind == "drop":
        size = max(1, round(count * random.choice([0.05, 0.1, 0.2, 0.3])))
        if count <= size:
            return None
        first = random.randrange(count - size + 1)
        gone = set(range(first, first + size) if random.random() < 0.5 else random.sample(range(count), size))
        return [word for place, word in enumerate(words) if place not in gone]
    if kind == "repeat":
        if not words:
            return None
        size, first = random.choice([1, 1, 2, 4]), random.randrange(count)
        return words[: first + size] + words[first:]
    if kind in ("shuffle", "truncate"):
        if count < 5:
            return None
        if kind == "truncate":
            return words[: max(1, round(count * random.choice([0.2, 0.35, 0.5])))]
        return random.sample(words, count)
    words = list(words)
    if kind == "swap":
        if count < 4:
            return None
        for _ in range(random.choice([1, 1, 2])):
            a = random.randrange(count - 1)
            b = a + 1 if random.random() < 0.6 else random.randrange(count)
            words[a], words[b] = words[b], words[a]
    elif kind == "move":
        if count < 6:
            return None
        size = random.choice([1, 1, 2, 3])
        first = random.randrange(count - size)
        moved = words[first : first + size]
        del words[first : first + size]
        to = random.randrange(len(words) + 1)
        words[to:to] = moved
    elif kind == "number":
        places = [place for place, word in enumerate(words) if other_number(word, random) is not None]
        if not places:
            return None
        place = random.choice(places)
        words[place] = other_number(words[place], random)
    elif kind == "name":
        places = [place for place, word in enumerate(words) if place and word[0].isupper() and CASED.match(word)]
        if not places or not given.names:
            return None
        words[random.choice(places)] = random.choice(given.names)
    elif kind == "untranslated":
        places, source = content(words), given.source.split()
        if not places or not source:
            return None
        words[random.choice(places)] = random.choice(source)
    elif kind == "replace":
        if not given.strangers:
            return None
        other = units(random.choice(given.strangers), language)
        if language in JOINED:
            size = random.choice([1, 2, 2, 3])
            if min(count, len(other)) < 6:
                return None
            first, begin = random.randrange(count - size), random.randrange(len(other) - size)
            words[first : first + size] = other[begin : begin + size]
        else:
            places, others = content(words), content(other)
            if not places or not others:
                return None
            words[random.choice(places)] = other[random.choice(others)]
    return words


DIGITS = re.compile(r"\d+")


def other_number(word, random):
    """The word with another number in it; None without one."""
    found = DIGITS.search(word)
    if not found:
        return None
    old = new = found.group()
    first = ord(old[0]) - int(old[0])  # the zero of these digits
    while new == old:
        least = [1 if place == 0 and len(old) > 1 else 0 for place in range(len(old))]
        new = "".join(chr(first + random.randrange(digit, 10)) for digit in least)
        if len(old) > 2:
            keep = random.randrange(len(old))
            new = old[:keep] + new[keep] + old[keep + 1 :]
    return word[: found.start()] + new + word[found.end() :]


def damaged(kind, text, language, random, given):
    """A copy of `text` with damage of `kind`, or None if the text offers no place for it."""
    if language == "en" or kind in SIGNS:
        return perturb.damaged(kind, text, random, given)
    if kind == "negation":
        copy = negation(text, language, random)
    else:
        words = change(kind, units(text, language), language, random, given)
        copy = None if words is None else joined(words, language)
    if copy is None:
        return None
    return copy if copy.lower() != joined(units(text, language), language).lower() else None
