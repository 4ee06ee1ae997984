"""The stages of training; see README.md for the order and the settings.

python train.py rank  ...   logistic loss on pairs of which people preferred one
python train.py da    ...   squared error on direct assessments
python train.py score ...   scores of one or more teachers on all pairs of sentences of each group
python train.py teach ...   a student learns those scores
"""

import argparse
import time

import numpy as np
import torch
from torch.nn import functional as F

import evaluate
from data import Data, View

QUICK = ["da-wmt16", "da-wmt15", "wmt12-rr", "wmt16-rr", "wmt19-darr", "robust"]


class Training:
    """AdamW with linear warm-up and decay; new parts learn ten times as fast as the encoder."""

    def __init__(self, model, steps, rate, warmup=0.06, head=10.0):
        self.model, self.steps, self.step_number, self.start = model, steps, 0, time.time()
        encoder = list(model.encoder.parameters())
        known = {id(p) for p in encoder}
        new = [p for p in model.parameters() if id(p) not in known]
        fused = next(model.parameters()).is_cuda
        self.optimiser = torch.optim.AdamW(
            [{"params": encoder, "lr": rate}, {"params": new, "lr": head * rate}], weight_decay=0.01, fused=fused
        )
        first = max(1, int(warmup * steps))
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimiser, lambda s: min((s + 1) / first, max(0.0, (steps - s) / max(1, steps - first)))
        )
        self.total = torch.zeros((), device=next(model.parameters()).device)
        model.train()

    def step(self, loss):
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.schedule.step()
        self.total += loss.detach()
        self.step_number += 1
        if self.step_number % 100 == 0 or self.step_number == self.steps:
            print(
                f"step {self.step_number}/{self.steps} loss {self.total.item() / 100:.4f} "
                f"{time.time() - self.start:.0f} s",
                flush=True,
            )
            self.total.zero_()


def autocast():
    return torch.autocast("cuda", torch.bfloat16, enabled=torch.cuda.is_available())


def ranked_view(data, options):
    """Training groups with human pairs: reference, judged outputs and damaged copies."""
    view = View(data, data.groups(options.sets), data.role != 0)
    human = np.zeros(len(view.groups), bool)
    human[np.repeat(np.arange(len(view.groups)), view.pair_count)[view.kind == -1]] = True
    return View(data, view.groups[human], data.role != 0)


def preference_loss(score, batch, options, human_mean, damage_mean):
    """Human pairs, damaged copies, and a copy of the reference above all outputs. `score`: (groups, members)."""
    (group, better, worse), weight, kind = batch.pairs()
    loss = weight * F.softplus(score[group, worse] - score[group, better])
    human = kind == -1
    result = options.human * (loss * human).sum() / human_mean + options.damage * (loss * ~human).sum() / damage_mean
    outputs = (batch.roles()[:, 1:] < 2).float()
    copy = F.softplus(score[:, 1:] - score[:, :1]) * outputs
    return result + options.copy * copy.sum() / outputs.sum().clamp(min=1)


def means(view, steps):
    """Weights of human pairs and of pairs with damaged copies in an average batch."""
    human = view.kind == -1
    return view.weight[human].sum() / steps, max(1.0, view.weight[~human].sum() / steps)


def measure_features(model, view, random, batches=30):
    model.eval()
    samples = []
    with torch.no_grad(), autocast():
        for places in view.plan(8000, random)[:batches]:
            batch = view.batch(places)
            encoded = model.encode(*batch.inputs(model.encoder))
            with torch.autocast("cuda", enabled=False):
                samples.append(model.features(encoded, batch.count, 1)[2][:, 1:].reshape(-1, 9))
    model.standardise(torch.cat(samples))


def start(options, dropout):
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Data(options.data, device)
    return (
        data,
        device,
        np.random.default_rng(options.seed),
        evaluate.load(options.encoder, getattr(options, "model", None), device, dropout),
    )


def finish(options, model, data, stage):
    torch.save(model.state_dict(), options.output)
    for name, values in evaluate.figures(model, data, options.figures, fast=options.fast).items():
        evaluate.write(options.results, model=options.name or options.output, stage=stage, figure=name, **values)


def rank(options):
    data, device, random, model = start(options, options.dropout)
    view = ranked_view(data, options)
    other = View(data, data.groups(options.scored)) if options.scored else None
    plans = []
    for _ in range(options.epochs):
        plan = [(view, places) for places in view.plan(options.tokens, random)]
        if other is not None:
            plan += [(other, places) for places in other.plan(options.tokens, random)]
            random.shuffle(plan)
        plans += plan
    if options.steps:
        plans = plans[: options.steps]
    measure_features(model, view, random, 1 if options.steps else 30)
    averages = means(view, max(1, sum(v is view for v, _ in plans) / options.epochs))
    training = Training(model, len(plans), options.rate)
    for part, places in plans:
        batch = part.batch(places)
        with autocast():
            score = model(*batch.inputs(model.encoder), batch.count, 1)[:, :, 0]
        if part is view:
            loss = preference_loss(score, batch, options, *averages)
        else:
            loss = options.scored_weight * F.mse_loss(
                model.other_scale[0] * score[:, 1] + model.other_scale[1], batch.z()[:, 1]
            )
        training.step(loss)
    finish(options, model, data, "rank")


def fit_scale(model, view):
    """Brings scores onto the scale of direct assessments by least squares."""
    judged = view.role == 1
    slope, offset = np.polyfit(evaluate.scores(model, view, fast=True)[judged], view.z[judged], 1)
    model.rescale(float(slope), float(offset))
    return slope


def assess(options, data, model, random, groups, replay):
    """Squared error on direct assessments; with `replay`, every step has a batch of rankings too."""
    view = View(data, groups)
    slope = fit_scale(model, view)
    plans = [places for _ in range(options.epochs) for places in view.plan(10**9, random, rows=options.rows)]
    if options.steps:
        plans = plans[: options.steps]
    again = None
    if replay is not None:
        again = [places for _ in range(3) for places in replay.plan(options.replay_tokens, random)]
        averages = means(replay, len(again) / 3)
    training = Training(model, len(plans), options.rate)
    for number, places in enumerate(plans):
        batch = view.batch(places)
        with autocast():
            score = model(*batch.inputs(model.encoder), batch.count, 1)[:, :, 0]
        loss = F.mse_loss(score[:, 1], batch.z()[:, 1])
        if again is not None:
            batch = replay.batch(again[number % len(again)])
            with autocast():
                score = model(*batch.inputs(model.encoder), batch.count, 1)[:, :, 0]
            loss = loss + options.replay * preference_loss(score / abs(slope), batch, options, *averages)
        training.step(loss)


def da(options):
    data, device, random, model = start(options, options.dropout)
    replay = ranked_view(data, options) if options.replay > 0 else None
    if not options.leave_out:
        assess(options, data, model, random, data.groups(options.scored), replay)
        return finish(options, model, data, "da")
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
def matrix_scores(model, view, total, tokens):
    """All scores within groups, as one flat tensor."""
    model.eval()
    found = torch.full((total,), float("nan"), device=next(model.parameters()).device)
    for places in view.plan(tokens):
        batch = view.batch(places)
        with autocast():
            score = model(*batch.inputs(model.encoder), batch.count, batch.count)
        found[batch.matrix_index().ravel()] = score.float().ravel()
    return found


def score(options):
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Data(options.data, device)
    view = View(data, data.groups(options.sets))
    if options.limit:
        view = View(data, view.groups[: options.limit])
    place = np.arange(len(view.sentence)) - np.repeat(view.start, view.count)
    first = np.repeat(data.matrix_start[view.groups], view.count)
    column = first + place * np.repeat(view.count, view.count)  # scores against the reference
    column = torch.from_numpy(column[(view.role >= 0) & (view.role < 2)]).to(device)
    total = 0
    for state in options.models:
        model = evaluate.load(options.encoder, state, device)
        found = matrix_scores(model, view, int(data.matrix_start[-1]), options.tokens)
        mean, deviation = found[column].mean(), found[column].std()
        print(f"{state}: mean {mean.item():.4f} deviation {deviation.item():.4f}", flush=True)
        total = total + (found - mean) / deviation
    torch.save((total / len(options.models)).half().cpu(), options.output)


def teach(options):
    data, device, random, model = start(options, options.dropout)
    groups = data.groups(options.sets)
    view = View(data, groups[: options.limit] if options.limit else groups)
    targets = torch.load(options.targets).to(device)
    plans = [places for _ in range(options.epochs) for places in view.plan(options.tokens, random)]
    if options.steps:
        plans = plans[: options.steps]
    if not options.model:
        measure_features(model, view, random, 1 if options.steps else 30)
    averages = means(view, len(plans) / options.epochs)
    training = Training(model, len(plans), options.rate)
    for places in plans:
        batch = view.batch(places)
        with autocast():
            score = model(*batch.inputs(model.encoder), batch.count, batch.count)
        target = targets[batch.matrix_index()].view_as(score).float()
        error = F.smooth_l1_loss(score, target, reduction="none")
        roles = batch.roles()
        pseudo = (roles[:, None, 1:] < 2).float()
        others = (error[:, :, 1:] * pseudo).sum() / pseudo.expand_as(error[:, :, 1:]).sum().clamp(min=1)
        loss = error[:, :, 0].mean() + options.pseudo * others
        if options.human + options.damage + options.copy > 0:
            loss = loss + preference_loss(score[:, :, 0], batch, options, *averages)
        training.step(loss)
    finish(options, model, data, "teach")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = parser.add_subparsers(dest="stage", required=True)
    for stage, run in (("rank", rank), ("da", da), ("score", score), ("teach", teach)):
        one = stages.add_parser(stage)
        one.set_defaults(run=run)
        one.add_argument("--data", required=True)
        one.add_argument("--encoder", required=True)
        one.add_argument("--output")
        one.add_argument("--sets", nargs="+", default=[], help="rankings")
        one.add_argument("--tokens", type=int, default=12000, help="word pieces in a batch, padding included")
        if stage == "score":
            one.add_argument("--models", nargs="+", required=True)
            one.add_argument("--limit", type=int, default=0)
            continue
        one.add_argument("--model", help="state to start from", required=stage == "da")
        one.add_argument("--rate", type=float, required=True)
        one.add_argument("--epochs", type=int, required=True)
        one.add_argument("--steps", type=int, default=0, help="stop after so many steps (for tests)")
        one.add_argument("--seed", type=int, default=1)
        one.add_argument("--dropout", type=float, default=0.0)
        one.add_argument("--human", type=float, default=0.0 if stage == "teach" else 1.0)
        one.add_argument("--damage", type=float, default=0.05 if stage == "teach" else 0.15)
        one.add_argument("--copy", type=float, default=0.02 if stage == "teach" else 0.05)
        one.add_argument("--name")
        one.add_argument("--results")
        one.add_argument("--figures", nargs="*", default=QUICK)
        one.add_argument("--fast", action="store_true", help="figures in bfloat16")
        if stage in ("rank", "da"):
            one.add_argument("--scored", nargs="+", default=[], help="sets with direct assessments")
        if stage == "rank":
            one.add_argument("--scored-weight", type=float, default=0.3)
        if stage == "da":
            one.add_argument("--rows", type=int, default=32)
            one.add_argument("--replay", type=float, default=0.0)
            one.add_argument("--replay-tokens", type=int, default=6000)
            one.add_argument(
                "--leave-out", nargs="+", default=[], help="train once per language pair without it and test on it"
            )
        if stage == "teach":
            one.add_argument("--targets", required=True)
            one.add_argument("--pseudo", type=float, default=0.5)
            one.add_argument("--limit", type=int, default=0)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
