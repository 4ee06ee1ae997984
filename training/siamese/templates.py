"""Groups from templates.txt: a reference, the same in other words, and near-copies with another meaning."""

import re
from pathlib import Path

import words as lists

VALUES = {
    "name": "Anna Mark Elena Peter Maria Ahmed Julia Thomas Chen Olga Ivan Laura Daniel Fatima Lukas Nadia Miller "
    "Novak Schmidt Rossi Silva Tanaka Kowalski Berger Haddad Johnson".split(),
    "city": "Berlin Paris London Vienna Prague Madrid Lisbon Warsaw Oslo Cairo Lima Mumbai Toronto Chicago Kyiv "
    "Athens Dublin Seoul".split(),
    "country": "Germany France Poland Spain Italy Norway Turkey Egypt Brazil Canada Japan India Kenya Peru "
    "Finland".split(),
    "goods": "coffee wheat steel cars gas timber wine rice copper machines".split(),
    "colour": "red blue green yellow black white grey orange".split(),
    "product": "jacket,lamp,phone,bicycle,table,camera,watch,backpack,kettle,printer,pair of shoes,headset".split(","),
    "animal": "dog cat horse cow lion bat giraffe elephant sheep rabbit".split(),
    "body": "knee shoulder ear eye foot hip elbow hand".split(),
    "drug": "ibuprofen aspirin paracetamol penicillin insulin cortisone metformin codeine".split(),
    "crime": "fraud theft murder bribery perjury arson smuggling".split(),
    "system": "Windows Linux Android iOS Firefox Safari".split(),
    "place": "laptop,server,phone,memory card,external drive,desktop".split(","),
    "shop": "bakery pharmacy cinema library bank station supermarket museum".split(),
    "tax": "income tax,fuel tax,retirement age,minimum wage,motorway toll,tobacco tax".split(","),
    "unit": "kilometres minutes euros litres hours people metres days kilograms".split(),
    "job": "baker nurse lawyer plumber teacher farmer pilot butcher dentist tailor painter waiter judge".split(),
    "relation": "brother sister uncle aunt cousin mother father neighbour grandmother grandfather nephew".split(),
    "language": "German French Polish Spanish Italian Turkish Arabic Japanese Hindi Dutch Greek".split(),
    "vehicle": "bus train tram ferry lorry taxi plane motorbike bicycle van".split(),
    "food": "eggs potatoes sandwiches pizzas apples nuts tomatoes mushrooms cakes sausages".split(),
    "drink": "coffee,green tea,red wine,beer,orange juice,milk".split(","),
    "furniture": "table wardrobe sofa bookshelf bed chair mirror".split(),
    "room": "kitchen bedroom cellar garage bathroom attic office hall".split(),
    "device": "computer fridge dishwasher television printer heater".split(),
    "sport": "football tennis hockey basketball cycling swimming chess golf".split(),
    "direction": ["left", "right"],
    "method": "email,post,fax,courier".split(","),
    "weekday": lists.WEEKDAYS,
    "month": lists.MONTHS,
}
KIND_OF_SLOT = {
    "n": "number", "percent": "number", "year": "date", "date": "date", "weekday": "date", "month": "date",
    "time": "time", "money": "currency", "dose": "unit", "unit": "unit", "direction": "direction",
}  # fmt: skip
SLOT = re.compile(r"\{([a-z]+)(\d?)\}")


def value(slot, random):
    if slot == "n":
        return str(random.choice([random.randrange(2, 13), random.randrange(10, 99), random.randrange(10, 60) * 10]))
    if slot == "percent":
        amount = random.choice([random.randrange(2, 90), random.randrange(11, 99) / 10])
        return f"{amount}{random.choice(['%', ' percent'])}"
    if slot == "year":
        return str(random.randrange(1950, 2040))
    if slot == "date":
        day, month = random.randrange(1, 29), random.choice(lists.MONTHS)
        return random.choice([f"{day} {month}", f"{month} {day}", f"{day} {month} {random.randrange(1990, 2030)}"])
    if slot == "time":
        hour, minute = random.randrange(1, 12), random.choice(["00", "15", "30", "45"])
        return random.choice(
            [f"{hour + 11}:{minute}", f"{hour}:{minute} {random.choice(['a.m.', 'p.m.'])}", f"{hour} o'clock"]
        )
    if slot == "money":
        amount = random.choice([str(random.randrange(5, 95)), str(random.randrange(2, 90) * 100), "1.5 million"])
        return random.choice([f"${amount}", f"€{amount}", f"£{amount}", f"{amount} euros", f"{amount} dollars"])
    if slot == "dose":
        return f"{random.choice([5, 10, 20, 50, 100, 250, 500])} {random.choice(['mg', 'g', 'ml', 'µg'])}"
    return random.choice(VALUES[slot])


def read():
    """Reference, its paraphrases, and near-copies (kind, sentence), each with slots."""
    found = []
    for block in (Path(__file__).parent / "templates.txt").read_text().split("\n\n"):
        rows = [row.split(": ", 1) for row in block.strip().split("\n") if not row.startswith("#")]
        if rows:
            good = [text for title, text in rows if title == "G"]
            bad = [(title.removeprefix("B "), text) for title, text in rows if title.startswith("B ")]
            found.append((rows[0][1], good, bad))
    return found


def fill(text, values):
    filled = SLOT.sub(lambda slot: values[slot.group()], text)
    return filled[:1].upper() + filled[1:]


def groups(random, count):
    """`count` times (reference, paraphrases, [(kind, near-copy)])."""
    known = read()
    for number in range(count):
        reference, good, bad = known[number % len(known)]
        if random.random() < 0.3:
            # the meaning of a paraphrase is changed where the reference is put otherwise
            place = random.randrange(len(good))
            reference, good, bad = good[place], [reference, *good[:place], *good[place + 1 :]], []
        slots = list(dict.fromkeys(slot.group() for slot in SLOT.finditer(" ".join([reference, *good]))))
        values = {}
        for slot in slots:
            kind = SLOT.match(slot).group(1)
            values[slot] = next(v for v in iter(lambda: value(kind, random), None) if v not in values.values())
        copies = [(kind, fill(text, values)) for kind, text in random.sample(bad, min(len(bad), 2))]
        inside = list(dict.fromkeys(slot.group() for slot in SLOT.finditer(reference)))
        for slot in random.sample(inside, min(len(inside), 2)):
            kind = SLOT.match(slot).group(1)
            twin = next((other for other in inside if other != slot and SLOT.match(other).group(1) == kind), None)
            if twin and random.random() < 0.5:
                changed = dict(values, **{slot: values[twin], twin: values[slot]})
                copies.append(("roles", fill(reference, changed)))
            else:
                new = next(v for v in iter(lambda: value(kind, random), None) if v not in values.values())
                copies.append((KIND_OF_SLOT.get(kind, "category"), fill(reference, dict(values, **{slot: new}))))
        reference = fill(reference, values)
        outputs = [fill(text, values) for text in good]
        yield reference, outputs, [(kind, copy) for kind, copy in copies if copy not in (reference, *outputs)]
