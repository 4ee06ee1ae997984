"""Groups of the packed file on the GPU, and batches of groups with the same number of sentences."""

import numpy as np
import torch

import perturb

# Roles from here on (shuffled, truncated, empty, source, unrelated) may be cut to the width of the other members.
HEAVY = 2 + len(perturb.LIGHT)


def ranges(start, count):
    """start[0], start[0]+1, ..., for every start, joined."""
    total = np.cumsum(count)
    return np.arange(total[-1] if len(total) else 0) - np.repeat(total - count, count) + np.repeat(start, count)


class Data:
    def __init__(self, path, device):
        packed = np.load(path)
        for name in packed.files:
            setattr(self, name, packed[name])
        self.sets, self.languages = list(self.sets), list(self.languages)
        self.device = device
        self.tokens_on = torch.from_numpy(self.tokens.astype(np.int32)).to(device)
        self.start_on = torch.from_numpy(self.token_start.astype(np.int64)).to(device)
        self.length = np.diff(self.token_start) + 2
        self.matrix_start = np.append(0, np.cumsum(np.diff(self.member_start).astype(np.int64) ** 2))

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
        self.start = np.cumsum(self.count) - self.count
        self.sentence, self.role, self.z = data.member[self.members], data.role[self.members], data.z[self.members]
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

    def plan(self, tokens, random=None, rows=None):
        """Batches (arrays of places in this view) of equal group size and similar width."""
        noise = random.uniform(0, 6, len(self.groups)) if random is not None else 0
        order = np.lexsort((self.width + noise, self.count))
        batches, place = [], 0
        while place < len(order):
            count = self.count[order[place]]
            end, widest = place, 0
            while end < len(order) and self.count[order[end]] == count and (rows is None or end - place < rows):
                widest = max(widest, self.width[order[end]])
                if end > place and (end - place + 1) * count * (-(-widest // 8) * 8) > tokens:
                    break
                end += 1
            if count > 1:
                batches.append(order[place:end])
            place = end
        if random is not None:
            random.shuffle(batches)
        return batches

    def batch(self, places):
        return Batch(self, places)


class Batch:
    def __init__(self, view, places):
        self.view, self.places, self.count = view, places, int(view.count[places[0]])
        self.index = view.start[places][:, None] + np.arange(self.count)
        self.width = int(-(-view.width[places].max() // 8) * 8)

    def on(self, array):
        tensor = torch.from_numpy(np.ascontiguousarray(array))
        device = self.view.data.device
        return tensor.pin_memory().to(device, non_blocking=True) if str(device).startswith("cuda") else tensor

    def inputs(self, encoder):
        return self.view.data.ids(encoder, self.on(self.view.sentence[self.index].astype(np.int64).ravel()), self.width)

    def pairs(self):
        """(group, better, worse) as indices, weights, kinds."""
        view = self.view
        count = view.pair_count[self.places]
        rows = ranges(view.pair_start[self.places], count)
        owner = np.repeat(np.arange(len(self.places)), count)
        return (
            self.on(np.stack([owner, view.better[rows], view.worse[rows]])),
            self.on(view.weight[rows]),
            self.on(view.kind[rows]),
        )

    def roles(self):
        return self.on(self.view.role[self.index])

    def z(self):
        return self.on(self.view.z[self.index])

    def matrix_index(self):
        """Where the score matrices of these whole groups lie in a file of a teacher's scores."""
        start = self.view.data.matrix_start[self.view.groups[self.places]]
        return self.on(start[:, None] + np.arange(self.count**2))
