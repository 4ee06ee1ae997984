"""The stages of training; see README.md for the order and the settings.

python train.py rank  ...   logistic loss on pairs of which people preferred one
python train.py da    ...   squared error on direct assessments, rankings again beside it
python train.py score ...   scores of a teacher on all columns of each group
python train.py teach ...   a student learns the mean of the teachers' scores
"""

import argparse
import json
import time

import numpy as np
import torch
from torch.nn import functional as F

import evaluate
import perturb
from data import Batches, Data, View
from model import single_precision
from vocabulary import Vocabulary, shortened

# How far a damaged copy must fall below what it is a copy of, in deviations of scores, by class of damage.
MARGINS = {"light": 0.15, "meaning": 0.4}
# The slope at which the loss of such a pair becomes flat.
SHARPNESS = 4.0
# One deviation of the scores of a model that learned from preferences.
PREFERENCE_UNIT = 1.9


class Training:
    """AdamW with linear warm-up and decay; new parts learn `head` times as fast as the encoder. With `seconds`, the decay
    follows the clock where that is ahead of the steps, and `go_on` says when the time is over."""

    def __init__(self, model, steps, options, warmup=0.06):
        self.model, self.steps, self.step_number, self.start = model, steps, 0, time.time()
        self.seconds, self.warmup = options.seconds or float("inf"), warmup
        encoder = [p for p in model.encoder.parameters() if p.requires_grad]
        known = {id(p) for p in model.encoder.parameters()}
        new = [p for p in model.parameters() if id(p) not in known]
        self.parameters = encoder + new
        self.optimiser = torch.optim.AdamW(
            [{"params": encoder, "lr": options.rate}, {"params": new, "lr": options.head * options.rate}],
            weight_decay=0.01,
            fused=new[0].is_cuda,
        )
        self.rates = [group["lr"] for group in self.optimiser.param_groups]
        self.total = torch.zeros((), device=new[0].device)
        model.train()

    def progress(self):
        return max(self.step_number / self.steps, (time.time() - self.start) / self.seconds)

    def go_on(self):
        return self.step_number < self.steps and self.progress() < 1

    def step(self, loss):
        progress = self.progress()
        factor = min((self.step_number + 1) / (self.warmup * self.steps), (1 - progress) / (1 - self.warmup), 1.0)
        for group, rate in zip(self.optimiser.param_groups, self.rates):
            group["lr"] = rate * max(factor, 0.0)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimiser.step()
        self.total += loss.detach()
        self.step_number += 1
        if self.step_number % 100 == 0 or self.step_number == self.steps:
            self.report()

    def report(self):
        print(
            f"step {self.step_number}/{self.steps} loss {self.total.item() / ((self.step_number - 1) % 100 + 1):.4f} "
            f"{time.time() - self.start:.0f} s",
            flush=True,
        )
        self.total.zero_()


def autocast():
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.autocast(device, torch.bfloat16, enabled=device == "cuda")


def ranked_view(data, options):
    """Training groups with human pairs, and those of sets that have none: reference, judged outputs and copies."""
    chosen = data.groups(options.sets)
    human = np.add.reduceat(np.append(data.pair_kind == -1, False).astype(int), data.pair_start[:-1])
    human[np.diff(data.pair_start) == 0] = 0
    judged_sets = np.unique(data.set[human > 0])
    return View(data, chosen[(human[chosen] > 0) | ~np.isin(data.set[chosen], judged_sets)], data.role != 0)


class Preference:
    """Loss of pairs: human ones, damaged copies, near-copies with another meaning, and a copy of the reference above
    all outputs. Each is a mean, times its weight."""

    def __init__(self, options, view, steps, unit):
        device = view.data.device
        classes = [perturb.kind_class(kind) for kind in perturb.KINDS] + [None]  # the last is kind -1, people
        self.options, self.unit = options, unit
        self.margin = torch.tensor([MARGINS.get(name, 0.0) for name in classes], device=device)
        self.hinge = torch.tensor([name in MARGINS for name in classes], device=device)
        amount = np.bincount(view.kind + 1, view.weight, len(classes))
        amount = np.append(amount[1:], amount[0])
        share = np.zeros(len(classes))
        for name in ("light", "meaning", "heavy", None):
            chosen = np.array([one == name for one in classes])
            weight = options.human if name is None else getattr(options, name)
            share[chosen] = weight * steps / max(1.0, amount[chosen].sum())
        self.share = torch.tensor(share, dtype=torch.float32, device=device)

    def __call__(self, score, batch):
        """`score`: (groups, members) against the reference."""
        better, worse, weight, kind = batch.pairs()
        flat = score.flatten()
        difference = flat.index_select(0, better) - flat.index_select(0, worse)
        lowered = F.softplus(SHARPNESS * (self.margin[kind] - difference / self.unit)) / SHARPNESS
        loss = torch.where(self.hinge[kind], lowered, F.softplus(-difference))
        outputs = (batch.roles()[:, 1:] < 2).float()
        copy = F.softplus(score[:, 1:] - score[:, :1]) * outputs
        return (self.share[kind] * weight * loss).sum() + self.options.copy * copy.sum() / outputs.sum().clamp(min=1)


def measure_features(model, view, random, batches=30):
    model.eval()
    matched, strings = [], []
    plan = Batches(view, view.plan(8000, random)[:batches])
    with torch.no_grad(), autocast():
        for batch in plan:
            encoded = model.encode(*batch.ids(model.encoder))
            with single_precision():
                matched.append(model.features(encoded, batch.count, 1)[2][:, 1:].flatten(0, 2))
            strings.append(batch.strings(1)[:, 1:].flatten(0, 2))
    model.standardise(torch.cat(matched), torch.cat(strings))


def device_name():
    return "cuda" if torch.cuda.is_available() else "cpu"


def start(options, dropout):
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = device_name()
    model = evaluate.load(options.encoder, getattr(options, "model", None), device, dropout)
    return Data(options.data, device), device, np.random.default_rng(options.seed), model


def finish(options, model, data, stage, training):
    """Saves the weights in half precision and measures the model with these weights."""
    training.report()
    state = {name: value.half().cpu() for name, value in model.state_dict().items()}
    torch.save(state | {"config": json.dumps(model.encoder.config)}, options.output)
    model.load_state_dict({name: value.float() for name, value in state.items()})
    for name, values in evaluate.figures(model, data, options.figures, fast=True).items():
        evaluate.write(options.results, model=options.name or options.output, stage=stage, figure=name, **values)


def epochs(view, options, random, **settings):
    plan = []
    for _ in range(options.epochs):
        plan += view.plan(options.tokens, random, **settings)
    if options.steps:
        plan = plan[: options.steps]
    return Batches(view, plan)


def rank(options):
    data, device, random, model = start(options, options.dropout)
    view = ranked_view(data, options)
    plan = epochs(view, options, random)
    measure_features(model, view, random, 1 if options.steps else 30)
    preference = Preference(options, view, len(plan) / options.epochs, PREFERENCE_UNIT)
    training = Training(model, len(plan), options)
    for batch in plan:
        if not training.go_on():
            break
        with autocast():
            score = model(*batch.inputs(model.encoder, 1))[:, :, 0]
        training.step(preference(score, batch))
    finish(options, model, data, "rank", training)


def fit_scale(model, view):
    """Brings scores onto the scale of direct assessments by least squares."""
    judged = view.role == 1
    slope, offset = np.polyfit(evaluate.scores(model, view, fast=True)[judged], view.z[judged], 1)
    model.rescale(float(slope), float(offset))
    return slope


def assessed_view(data, groups):
    """References with their assessed outputs; an output that equals its reference is no member of its group."""
    keep = (data.role == -1) | ~np.isnan(data.z)
    assessed = np.logical_or.reduceat(~np.isnan(data.z), data.member_start[:-1])
    return View(data, groups[assessed[groups]], keep)


def assess(options, data, model, random, groups, replay):
    """Squared error on direct assessments; with `replay`, every step has a batch of rankings too."""
    view = assessed_view(data, groups)
    slope = fit_scale(model, view)
    plan = []
    for _ in range(options.epochs):
        plan += view.plan(10**9, random, rows=options.rows)
    if options.steps:
        plan = plan[: options.steps]
    again = None
    if replay is not None:
        one = replay.plan(options.tokens, random)
        rounds = -(-len(plan) // len(one))
        for _ in range(1, rounds):
            one = one + replay.plan(options.tokens, random)
        again = Batches(replay, one[: len(plan)])
        preference = Preference(options, replay, len(one) / rounds, PREFERENCE_UNIT)
    plan = Batches(view, plan)
    training = Training(model, len(plan), options)
    for number, batch in enumerate(plan):
        if not training.go_on():
            break
        with autocast():
            score = model(*batch.inputs(model.encoder, 1))[:, :, 0]
        loss = F.mse_loss(score[:, 1], batch.z()[:, 1])
        if again is not None:
            batch = again[number]
            with autocast():
                score = model(*batch.inputs(model.encoder, 1))[:, :, 0]
            loss = loss + options.replay * preference(score / abs(slope), batch)
        training.step(loss)
    return training


def da(options):
    data, device, random, model = start(options, options.dropout)
    replay = ranked_view(data, options) if options.replay > 0 else None
    if not options.leave_out:
        training = assess(options, data, model, random, data.groups(options.scored), replay)
        return finish(options, model, data, "da", training)
    first = {name: value.clone() for name, value in model.state_dict().items()}
    results = []
    for language in options.leave_out:
        model.load_state_dict(first)
        assess(options, data, model, random, data.groups(options.scored, without=language), replay)
        results.append(evaluate.pearson(model, data, "da-wmt16", languages=[language])[language])
        evaluate.write(
            options.results,
            model=options.name,
            stage="da without the tested pair",
            figure="da-wmt16",
            **{language: results[-1]},
        )
    evaluate.write(
        options.results,
        model=options.name,
        stage="da without the tested pair",
        figure="da-wmt16",
        average=float(np.mean(results)),
        languages=options.leave_out,
    )


@torch.no_grad()
def score(options):
    """Scores against every column, brought to mean 0 and deviation 1 over the outputs against their reference."""
    torch.backends.cuda.matmul.allow_tf32 = True
    device = device_name()
    data = Data(options.data, device)
    model = evaluate.load(options.encoder, options.model, device).eval()
    view = View(data, data.groups(options.sets))
    plan = view.plan(options.tokens, columns=True)
    plan = Batches(view, plan[: options.steps or None])
    found = torch.full((int(data.cell_start[-1]),), float("nan"), device=device)
    for batch in plan:
        with autocast():
            value = model(*batch.inputs(model.encoder, batch.columns))
        found[batch.cells(batch.columns).flatten()] = value.float().flatten()
    outputs = found[torch.from_numpy(view.cell[(view.role == 0) | (view.role == 1)]).to(device)]
    outputs = outputs[~outputs.isnan()]
    mean, deviation = outputs.mean(), outputs.std()
    print(f"mean {mean.item():.4f} deviation {deviation.item():.4f}", flush=True)
    torch.save(((found - mean) / deviation).half().cpu(), options.output)


def teach(options):
    if options.layers:
        torch.manual_seed(options.seed)
        torch.backends.cuda.matmul.allow_tf32 = True
        device, random = device_name(), np.random.default_rng(options.seed)
        vocabulary = Vocabulary(options.vocabulary, options.pieces)
        data = Data(options.data, device, vocabulary)
        model = shortened(evaluate.load(options.encoder, options.model, "cpu"), options.layers, vocabulary).to(device)
    else:
        data, device, random, model = start(options, options.dropout)
    view = View(data, data.groups(options.sets))
    targets = sum(torch.load(path).to(device).float() for path in options.targets) / len(options.targets)
    known = ~targets.isnan()
    targets = targets.nan_to_num()
    cells = torch.from_numpy(view.cell).to(device)
    print(f"{known[cells].float().mean().item():.4f} of the sentences have a score", flush=True)
    plan = epochs(view, options, random, columns=True)
    if not options.model:
        measure_features(model, view, random, 1 if options.steps else 30)
    preference = Preference(options, view, len(plan) / options.epochs, 1.0)
    training = Training(model, len(plan), options)
    for batch in plan:
        if not training.go_on():
            break
        with autocast():
            score = model(*batch.inputs(model.encoder, batch.columns))
        cells = batch.cells(batch.columns)
        error = F.smooth_l1_loss(score, targets[cells], reduction="none", beta=options.beta) * known[cells]
        loss = error[:, :, 0].mean() + preference(score[:, :, 0], batch)
        if batch.columns > 1:
            loss = loss + options.pseudo * error[:, :, 1:].mean()
        training.step(loss)
    finish(options, model, data, "teach", training)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = parser.add_subparsers(dest="stage", required=True)
    for stage, run in (("rank", rank), ("da", da), ("score", score), ("teach", teach)):
        one = stages.add_parser(stage)
        one.set_defaults(run=run)
        one.add_argument("--data", nargs="+", required=True)
        one.add_argument("--encoder", help="encoder.py's file, to start from without --model")
        one.add_argument("--output")
        one.add_argument("--sets", nargs="+", default=[], help="sets of groups to learn from or to score")
        one.add_argument("--tokens", type=int, default=12000, help="word pieces in a batch, padding included")
        one.add_argument("--steps", type=int, default=0, help="stop after so many steps (for tests)")
        one.add_argument("--model", help="state to start from", required=stage in ("da", "score"))
        if stage == "score":
            continue
        one.add_argument("--rate", type=float, required=True)
        one.add_argument("--head", type=float, default=10.0, help="how much faster than the encoder the head learns")
        one.add_argument("--epochs", type=int, required=True)
        one.add_argument("--seconds", type=float, default=0, help="end after so many seconds, with the rate at zero")
        one.add_argument("--seed", type=int, default=1)
        one.add_argument("--dropout", type=float, default=0.0)
        teaching = stage == "teach"
        one.add_argument("--human", type=float, default=0.0 if teaching else 1.0, help="weight of human pairs")
        one.add_argument("--light", type=float, default=0.15 if teaching else 0.3, help="weight of damaged copies")
        one.add_argument("--meaning", type=float, default=0.3 if teaching else 0.6, help="weight of near-copies")
        one.add_argument("--heavy", type=float, default=0.03 if teaching else 0.1, help="weight of useless texts")
        one.add_argument("--copy", type=float, default=0.02 if teaching else 0.05, help="weight of copies")
        one.add_argument("--name")
        one.add_argument("--results")
        one.add_argument("--figures", nargs="*", default=["held"])
        if stage == "da":
            one.add_argument("--scored", nargs="+", default=[], help="sets with direct assessments")
            one.add_argument("--rows", type=int, default=32)
            one.add_argument("--replay", type=float, default=0.0)
            one.add_argument(
                "--leave-out", nargs="+", default=[], help="train once per language pair without it and test on it"
            )
        if teaching:
            one.add_argument("--targets", nargs="+", required=True, help="scores of teachers")
            one.add_argument("--pseudo", type=float, default=0.5, help="weight of outputs as references")
            one.add_argument("--beta", type=float, default=1.0, help="where the error stops to be squared")
            one.add_argument("--layers", type=int, nargs="+", help="layers of --model that a smaller model starts with")
            one.add_argument("--vocabulary", help="vocab.txt, the pieces of --encoder")
            one.add_argument("--pieces", help="the pieces that a smaller model knows, a line each")
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
