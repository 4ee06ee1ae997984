"""Groups of the packed file on the GPU, and batches of groups with the same number of sentences.

Whole plans of batches lie on the GPU before a stage begins, so that no step waits for the host.
"""

import numpy as np
import torch

import perturb

# Roles from here on (shuffled, truncated, empty, source, unrelated) may be cut to the width of the other members.
HEAVY = 2 + perturb.KINDS.index(perturb.HEAVY[0])

# String features in the file: one byte each, finest where most values lie. Feature 10 is the absolute value of 9.
STORED = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]
LIMIT = {7: 1.0, 9: 2.0}


def shrink(features):
    """Bytes (pairs, stored) of string features (pairs, 12)."""
    stored = np.empty((len(features), len(STORED)), np.uint8)
    for place, feature in enumerate(STORED):
        value = features[:, feature].astype(np.float64)
        if feature in LIMIT:
            stored[:, place] = np.rint(128 + 127 * np.sign(value) * np.sqrt(np.abs(value) / LIMIT[feature]))
        else:
            stored[:, place] = np.rint(255 * np.sqrt(1 - value))
    return stored


def grow(stored):
    """The string features (…, 12 and flags) of bytes (…, stored and flags), a tensor."""
    value = stored.float()
    found = []
    for place, feature in enumerate(STORED):
        if feature in LIMIT:
            root = (value[..., place] - 128) / 127
            found.append(root * root.abs() * LIMIT[feature])
        else:
            found.append(1 - (value[..., place] / 255) ** 2)
    found.insert(10, found[9].abs())
    found += [value[..., place] for place in range(len(STORED), stored.shape[-1])]
    return torch.stack(found, dim=-1)


def ranges(start, count):
    """start[0], start[0]+1, ..., for every start, joined."""
    total = np.cumsum(count)
    return np.arange(total[-1] if len(total) else 0) - np.repeat(total - count, count) + np.repeat(start, count)


def joined(paths):
    """The arrays of several packed files as one, with their string features; the groups of the first come first."""
    files = [dict(np.load(path)) for path in paths]
    for file, path in zip(files, paths):
        if "strings" not in file:
            file["strings"] = np.load(strings_beside(path))
    found = {}
    for name in ("sets", "languages"):
        found[name] = list(dict.fromkeys(value for file in files for value in file[name].tolist()))
    parts = {name: [] for name in files[0] if name not in ("sets", "languages", "kinds")}
    sentences = 0
    for file in files:
        if "kinds" in file and file["kinds"].tolist() != perturb.KINDS:
            raise ValueError("the file was packed with other kinds of copies")
        for name, index in (("set", "sets"), ("language", "languages")):
            places = np.array([found[index].index(value) for value in file[index].tolist()])
            file[name] = places[file[name]]
        for name, of in (("token_start", "tokens"), ("member_start", "member"), ("pair_start", "better")):
            before = sum(len(part) for part in parts[of])
            file[name] = file[name].astype(np.int64)[(1 if parts[name] else 0) :] + before
        file["member"] = file["member"] + sentences
        sentences += len(file["token_start"]) - (0 if parts["token_start"] else 1)
        for name, part in parts.items():
            part.append(file[name])
    return found | {name: np.concatenate(part) for name, part in parts.items()}


def strings_beside(path):
    """The file of string features that belongs to a packed file: strings.py writes it."""
    return str(path).removesuffix(".npz") + ".strings.npy"


class Data:
    """`path`: one packed file or several. `vocabulary`: the word pieces that a model knows, if it does not know all of the file's (see vocabulary.py)."""

    def __init__(self, path, device, vocabulary=None):
        for name, value in joined([path] if isinstance(path, str) else path).items():
            setattr(self, name, value)
        self.device = device
        if vocabulary is not None:
            self.tokens, self.token_start = vocabulary.translate(self.tokens, self.token_start)
        self.tokens_on = torch.from_numpy(self.tokens.astype(np.int32)).to(device)
        self.start_on = torch.from_numpy(self.token_start.astype(np.int64)).to(device)
        self.strings_on = torch.from_numpy(self.strings).to(device)
        self.length = np.diff(self.token_start) + 2
        count = np.diff(self.member_start).astype(np.int64)
        self.cell_start = np.append(0, np.cumsum(count * self.columns))

    def groups(self, sets, languages=None, without=None, held=False):
        """Groups of some sets; `held`: False (train), True (kept out of training) or None (both)."""
        chosen = np.isin(self.set, [self.sets.index(name) for name in sets])
        if languages is not None:
            chosen &= np.isin(self.language, [self.languages.index(name) for name in languages])
        if without is not None:
            chosen &= self.language != self.languages.index(without)
        if held is not None:
            chosen &= self.held == held
        return np.flatnonzero(chosen)

    def ids(self, encoder, sentences, width):
        """Word-piece ids with special pieces; sentences longer than `width` are cut."""
        start = self.start_on[sentences]
        length = torch.clamp(self.start_on[sentences + 1] - start + 2, max=width)
        place = torch.arange(width, device=self.device)
        source = (start[:, None] + place - 1).clamp(0, len(self.tokens_on) - 1)
        ids = self.tokens_on[source] + encoder.shift
        ids = torch.where(place == 0, encoder.first, ids)
        ids = torch.where(place == length[:, None] - 1, encoder.last, ids)
        return torch.where(place >= length[:, None], encoder.pad, ids), length


class View:
    """Some groups, each with the members that `keep` (a mask over all members) leaves."""

    def __init__(self, data, groups, keep=None):
        self.data, self.groups = data, groups
        count = np.diff(data.member_start)[groups]
        members = ranges(data.member_start[groups], count)
        owner = np.repeat(np.arange(len(groups)), count)
        kept = np.ones(len(members), bool) if keep is None else keep[members]
        place = np.cumsum(kept) - 1
        self.members, owner_kept = members[kept], owner[kept]
        self.count = np.bincount(owner_kept, minlength=len(groups))
        self.columns = data.columns[groups].astype(np.int64)
        self.start = np.cumsum(self.count) - self.count
        self.sentence, self.role, self.z = data.member[self.members], data.role[self.members], data.z[self.members]
        # where the features and scores of each member begin
        of_group = np.repeat(np.arange(len(groups)), self.count)
        self.cell = (
            data.cell_start[groups][of_group]
            + (self.members - data.member_start[groups][of_group]) * self.columns[of_group]
        )
        length = np.where(self.role >= HEAVY, 8, data.length[self.sentence])
        self.width = np.zeros(len(groups), int)
        np.maximum.at(self.width, owner_kept, length)
        # pairs, by the new places of their members
        pairs_count = np.diff(data.pair_start)[groups]
        pairs = ranges(data.pair_start[groups], pairs_count)
        pair_owner = np.repeat(np.arange(len(groups)), pairs_count)
        first = np.cumsum(count) - count
        better, worse = first[pair_owner] + data.better[pairs], first[pair_owner] + data.worse[pairs]
        good = kept[better] & kept[worse]
        pairs, pair_owner = pairs[good], pair_owner[good]
        self.better = place[better[good]] - self.start[pair_owner]
        self.worse = place[worse[good]] - self.start[pair_owner]
        self.weight, self.kind = data.weight[pairs], data.pair_kind[pairs]
        self.pair_count = np.bincount(pair_owner, minlength=len(groups))
        self.pair_start = np.cumsum(self.pair_count) - self.pair_count

    def plan(self, tokens, random=None, rows=None, columns=False):
        """Batches (arrays of places in this view) of equal group size and similar width; with `columns`, of an equal
        number of columns too."""
        noise = random.uniform(0, 6, len(self.groups)) if random is not None else 0
        key = self.count * 256 + (self.columns if columns else 0)
        order = np.lexsort((self.width + noise, key))
        key, width = key[order].tolist(), (-(-self.width[order] // 8) * 8).tolist()
        batches, place = [], 0
        while place < len(order):
            count = key[place] // 256
            end, widest = place, 0
            while end < len(order) and key[end] == key[place] and (rows is None or end - place < rows):
                widest = max(widest, width[end])
                if end > place and (end - place + 1) * count * widest > tokens:
                    break
                end += 1
            if count > 1:
                batches.append(order[place:end])
            place = end
        if random is not None:
            random.shuffle(batches)
        return batches


class Batches:
    """The batches of a plan; everything that they need is brought to the GPU at once."""

    def __init__(self, view, plan):
        self.view, device = view, view.data.device
        sizes = np.array([len(places) for places in plan], np.int64)
        places = np.concatenate(plan) if plan else np.zeros(0, np.int64)
        self.first = np.append(0, np.cumsum(sizes)).tolist()
        self.count = [int(view.count[batch[0]]) for batch in plan]
        self.columns = [int(view.columns[batch].min()) for batch in plan]
        self.width = [int(-(-view.width[batch].max() // 8) * 8) for batch in plan]
        self.places = plan
        # pairs: their members as places in the flat (groups, members) of a batch
        pairs = view.pair_count[places]
        rows = ranges(view.pair_start[places], pairs)
        batch = np.repeat(np.arange(len(plan)), sizes)
        inside = np.arange(len(places)) - np.array(self.first)[batch]
        base = np.repeat(inside * view.count[places], pairs)
        self.pair_first = np.append(0, np.cumsum(pairs))[np.array(self.first)].tolist()

        def on(array, kind):
            return torch.from_numpy(np.ascontiguousarray(array).astype(kind)).to(device)

        self.better, self.worse = on(base + view.better[rows], np.int64), on(base + view.worse[rows], np.int64)
        self.weight, self.kind = on(view.weight[rows], np.float32), on(view.kind[rows], np.int64)
        self.start = on(view.start[places], np.int64)
        self.stride = on(view.columns[places], np.int64)
        self.cell, self.sentence = on(view.cell, np.int64), on(view.sentence, np.int64)
        self.role, self.z = on(view.role, np.int8), on(view.z, np.float32)

    def __len__(self):
        return len(self.count)

    def __getitem__(self, number):
        return Batch(self, number)


class Batch:
    def __init__(self, batches, number):
        self.all, self.count, self.width = batches, batches.count[number], batches.width[number]
        self.columns = batches.columns[number]
        start = batches.start[batches.first[number] : batches.first[number + 1]]
        self.index = start[:, None] + torch.arange(self.count, device=start.device)
        self.pair = slice(batches.pair_first[number], batches.pair_first[number + 1])

    def ids(self, encoder):
        return self.all.view.data.ids(encoder, self.all.sentence[self.index].flatten(), self.width)

    def cells(self, columns):
        """Where features and scores of (group, member, column) lie in the file."""
        column = torch.arange(columns, device=self.index.device)
        return self.all.cell[self.index][:, :, None] + column

    def strings(self, columns):
        return grow(self.all.view.data.strings_on[self.cells(columns)])

    def inputs(self, encoder, columns):
        """The arguments of the model."""
        return *self.ids(encoder), self.count, columns, self.strings(columns)

    def pairs(self):
        """(better, worse) as places in the flat (groups, members), weights, kinds."""
        everything = self.all
        return (
            everything.better[self.pair],
            everything.worse[self.pair],
            everything.weight[self.pair],
            everything.kind[self.pair],
        )

    def roles(self):
        return self.all.role[self.index]

    def z(self):
        return self.all.z[self.index]
