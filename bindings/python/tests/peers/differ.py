"""Asks another package and tercet the same random questions, and stops at the first answer that differs in value, in
type or in the class of the exception: `python differ.py sacrebleu --calls 20000 --seed 1`.

Values are compared to the last bit, but for those that `_close` names. What differs on purpose is in `EXPLAINED`, and
is counted.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

WORDS = (
    "the cat sat on a mat The CAT dog's it's don't won't can't let's she'll 4.5 1,000 10-20 U.S. e.g. &amp; &quot; "
    "<skipped> <unk> [laugh] ' \" ( ) foo@bar.com 100% $5 # ` ^ | / ! ? ; : , . ... größe İstanbul ß ΟΔΟΣ 你好 "
    "， 。 「日本」 ひらがな カタカナ "
    "한국어 🙂 👨‍👩‍👧 ﬁ ½ １２ ² — … flies dying happily national rationally geology * **"
).split()
SPACES = ["", " ", "\t", "\u00a0", "\u3000", "\x1f", "\u2028", "\n", "\r"]


class Chance:
    """Random texts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def of(self, values: Any) -> Any:
        return self.random.choice(values)

    def word(self) -> str:
        if self.one(0.03):
            return chr(self.random.randrange(0x20, 0xD800))
        return self.of(SPACES) if self.one(0.06) else self.of(WORDS)

    def line(self) -> str:
        if self.one(0.06):
            return ""
        words = [self.word() for _ in range(self.random.randint(1, 12))]
        return self.of([" ", " ", " ", "  ", ""]).join(words)

    def edited(self, line: str) -> str:
        words = line.split(" ")
        for _ in range(self.random.randint(0, 3)):
            place = self.random.randrange(len(words))
            words[place : place + self.random.randint(0, 1)] = [
                self.word() for _ in range(self.random.randint(0, 2))
            ] or [""]
        if self.one(0.1):
            self.random.shuffle(words)
        return " ".join(words)

    def lines(self) -> list[str]:
        return [self.line() for _ in range(self.of([1, 1, 1, 2, 3, 8]))]


#: A question: what both packages are asked, given a module by name.
Question = Callable[[Callable[[str], Any]], Any]


def _options(chance: Chance, values: dict[str, list[Any]]) -> dict[str, Any]:
    return {key: chance.of(choices) for key, choices in values.items() if chance.one(0.6)}


# --- sacreBLEU

_METRICS: dict[str, dict[str, list[Any]]] = {
    "BLEU": {
        "tokenize": [None, "13a", "intl", "zh", "char", "none", "14a"],
        "smooth_method": ["exp", "floor", "add-k", "none"],
        "smooth_value": [None, 0, 0.1, 1, 5.25],
        "max_ngram_order": [4, 1, 2, 6],
        "lowercase": [False, True],
        "effective_order": [False, True],
        "trg_lang": ["", "zh", "en"],
    },
    "CHRF": {
        "char_order": [6, 1, 3],
        "word_order": [0, 1, 2],
        "beta": [2, 1, 3],
        "lowercase": [False, True],
        "whitespace": [False, True],
        "eps_smoothing": [False, True],
    },
    "TER": {
        "normalized": [False, True],
        "no_punct": [False, True],
        "asian_support": [False, True],
        "case_sensitive": [False, True],
    },
}


def _sacrebleu_texts(chance: Chance) -> tuple[Any, Any]:
    hypotheses: Any = chance.lines()
    references: Any = [[chance.edited(line) for line in hypotheses] for _ in range(chance.of([1, 1, 2, 3, 4]))]
    for column in references[1:]:
        if chance.one(0.3):
            column[chance.random.randrange(len(column))] = None
    if chance.one(0.03):
        references[-1].append("one more")
    if chance.one(0.02):
        hypotheses = chance.of([[], "text", None, 5, [None], ["a", None], (), {}, [1], ["a", 2]])
    if chance.one(0.02):
        references = chance.of([[], [[]], ["text"], None, 5, [None], [[None]], [[1]], "text", [[], []], {}])
    return hypotheses, references


def _shown(score: Any) -> dict[str, Any]:
    texts = [score.format(2), score.format(1, True), score.format(0, True), score.format(3, False, "a:b|c:d", True)]
    return {**vars(score), "shown": texts, "repr": repr(score)}


def _sacrebleu(chance: Chance, ter: bool = False) -> Question:
    name = "TER" if ter else chance.of(list(_METRICS))
    options, (hypotheses, references) = _options(chance, _METRICS[name]), _sacrebleu_texts(chance)
    way = chance.of(["corpus", "corpus", "cached", "sentence", "function"])

    def ask(module: Callable[[str], Any]) -> Any:
        package = module("sacrebleu")
        if way == "function":
            return _shown(getattr(package, f"corpus_{name.lower()}")(hypotheses, references))
        if way == "cached":
            metric = getattr(package, name)(**options, references=references)
            score = metric.corpus_score(hypotheses, None)
        else:
            metric = getattr(package, name)(**options)
            if way == "sentence":
                score = metric.sentence_score(hypotheses[0], [column[0] for column in references])
            else:
                score = metric.corpus_score(hypotheses, references)
        signatures = [metric.get_signature().format(short).rsplit("|", 1)[0] for short in (False, True)]
        return {**_shown(score), "signatures": signatures}

    return ask


# --- jiwer

_TRANSFORMS = {
    "ExpandCommonEnglishContractions": [[]],
    "RemoveEmptyStrings": [[]],
    "RemoveKaldiNonWords": [[]],
    "RemoveMultipleSpaces": [[]],
    "RemovePunctuation": [[]],
    "RemoveSpecificWords": [[["the", "cat", "a"]], [[]]],
    "RemoveWhiteSpace": [[], [True]],
    "Strip": [[]],
    "SubstituteRegexes": [[{r"\b(\w+)s\b": r"\1"}], [{}], [{"(": "x"}]],
    "SubstituteWords": [[{"cat": "dog", "the": "THE"}]],
    "ToLowerCase": [[]],
    "ToUpperCase": [[]],
    "ReduceToSingleSentence": [[], ["_"]],
}


def _jiwer(chance: Chance) -> Question:
    references: Any = chance.lines()
    hypotheses: Any = [chance.edited(line) for line in references]
    if chance.one(0.3):
        references, hypotheses = references[0], hypotheses[0]
    elif chance.one(0.05):
        hypotheses = hypotheses[:-1]
    if chance.one(0.03):
        references = chance.of([[], None, 5, ["a", None], ("a",), {}, [["a"]], ""])
    names = [(name, chance.of(_TRANSFORMS[name])) for name in _TRANSFORMS if chance.one(0.15)]
    chance.random.shuffle(names)
    last = chance.of([("ReduceToListOfListOfWords", []), ("ReduceToListOfListOfChars", []), None])
    names += [last] if last else []
    usual = chance.of(["wer_default", "wer_contiguous", "wer_standardize", "wer_standardize_contiguous"])
    usual_characters = chance.of(["cer_default", "cer_contiguous"])
    function = chance.of(["wer", "mer", "wil", "wip", "cer", "process_words", "process_characters", "transform"])
    with_transform = chance.one(0.4)
    shown = {"show_measures": chance.one(), "skip_correct": chance.one(), "line_width": chance.of([None, 20, 40, 8])}
    counted = {
        "show_substitutions": chance.one(0.8),
        "show_insertions": chance.one(0.8),
        "top_k": chance.of([None, 1, 3]),
    }

    def ask(module: Callable[[str], Any]) -> Any:
        jiwer = module("jiwer")
        transform = jiwer.Compose([getattr(jiwer, name)(*arguments) for name, arguments in names])
        if function == "transform":
            return transform(references)
        pipeline = [references, hypotheses]
        if with_transform:
            chosen = (
                transform if chance_of_pipeline else getattr(jiwer, usual_characters if "c" == function[0] else usual)
            )
            pipeline += [chosen, chosen]
        found = getattr(jiwer, function)(*pipeline)
        if not function.startswith("process"):
            return found
        counts = [dict(errors) for errors in jiwer.collect_error_counts(found)]
        texts = [jiwer.visualize_alignment(found, **shown), jiwer.visualize_error_counts(found, **counted)]
        fields = {key: value for key, value in vars(found).items() if key != "alignments"}
        return {
            **fields,
            "alignments": [[vars(one) for one in chunks] for chunks in found.alignments],
            "n": counts,
            "t": texts,
        }

    chance_of_pipeline = chance.one()
    return ask


# --- rouge-score

_TYPES = ["rouge1", "rouge2", "rouge3", "rouge9", "rougeL", "rougeLsum"]


class _Spaces:
    """A tokenizer of the user's own."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


def _rouge_score(chance: Chance) -> Question:
    types = chance.random.sample(_TYPES, chance.random.randint(1, 4))
    if chance.one(0.02):
        types.append(chance.of(["rouge0", "rouge10", "rougen", "rougel", ""]))
    options: dict[str, Any] = {"use_stemmer": chance.one()}
    if chance.one(0.1):
        options["tokenizer"] = _Spaces()
    target: Any = chance.of(["\n", " "]).join(chance.lines())
    prediction: Any = chance.of(["\n", " "]).join(chance.edited(line) for line in target.split("\n"))
    if chance.one(0.02):
        prediction = chance.of([None, 5, "", "\n", b"the cat", [], ["the"]])
    others = [chance.edited(target) for _ in range(chance.of([0, 1, 2]))]
    way = chance.of(["score", "score", "multi", "tokens", "aggregate"])
    seed = chance.random.randrange(2**31)

    def ask(module: Callable[[str], Any]) -> Any:
        if way == "tokens":
            return module("rouge_score.tokenizers").DefaultTokenizer(options["use_stemmer"]).tokenize(prediction)
        scorer = module("rouge_score.rouge_scorer").RougeScorer(types, **options)
        if way == "multi":
            return _plain(scorer.score_multi(others, prediction))
        scores = scorer.score(target, prediction)
        if way == "score":
            return _plain(scores)
        import numpy

        numpy.random.seed(seed)
        aggregator = module("rouge_score.scoring").BootstrapAggregator(n_samples=10)
        for one in [scores, *(scorer.score(target, other) for other in others)]:
            aggregator.add_scores(one)
        return {kind: _plain(bounds._asdict()) for kind, bounds in aggregator.aggregate().items()}

    return ask


def _plain(scores: dict[str, Any]) -> dict[str, Any]:
    return {kind: (type(score).__name__, *score) for kind, score in scores.items()}


PEERS: dict[str, Callable[[Chance], Question]] = {
    "sacrebleu": _sacrebleu,
    "sacrebleu-ter": lambda chance: _sacrebleu(chance, ter=True),
    "jiwer": _jiwer,
    "rouge_score": _rouge_score,
}

#: Packages that cannot be asked, and why.
NOT_ASKED = {
    "evaluate": "its modules of metrics are not in the package: it downloads them",
    "mt_metrics_eval": "it is not on PyPI; `cargo xtask golden` compares with files of its output",
}


def answer(question: Question, module: Callable[[str], Any]) -> Any:
    """The answer, or the class of the exception."""
    try:
        return question(module)
    except Exception as error:  # the class is what is compared
        return _Raised(error)


class _Raised:
    def __init__(self, error: Exception) -> None:
        self.error = error


def _is_same(found: Any, expected: Any) -> bool:
    if isinstance(expected, _Raised):
        return isinstance(found, _Raised) and isinstance(found.error, _builtin(type(expected.error)))
    if type(found) is not type(expected):
        return False
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(_is_same(found[key], value) for key, value in expected.items())
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(map(_is_same, found, expected))
    if isinstance(expected, float) and math.isnan(expected):
        return math.isnan(found)
    return found == expected


def _builtin(kind: type) -> type:
    """The class that programs catch: the first one that is Python's own."""
    return next(one for one in kind.__mro__ if one.__module__ == "builtins")


def _is_explained(peer: str, found: Any, expected: Any) -> str | None:
    """Why two answers differ on purpose; none if they should not."""
    for why, holds in EXPLAINED.get(peer, {}).items():
        if holds(found, expected):
            return why
    return None


def _says(found: Any, words: str) -> bool:
    return isinstance(found, _Raised) and words in str(found.error)


def _is_raised(answered: Any, kind: type) -> bool:
    return isinstance(answered, _Raised) and isinstance(answered.error, kind)


_SACREBLEU: dict[str, Callable[[Any, Any], bool]] = {
    "a segment without any reference is an error that names it": lambda found, _: _says(found, "no reference"),
    "what is no text is a TypeError, not an AttributeError": lambda found, expected: (
        _is_raised(found, TypeError) and _is_raised(expected, AttributeError)
    ),
}

EXPLAINED: dict[str, dict[str, Callable[[Any, Any], bool]]] = {
    "sacrebleu": _SACREBLEU,
    "sacrebleu-ter": _SACREBLEU,
}


def main() -> int:
    """Asks; 1 if an answer differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("peer")
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="go on after an answer that differs")
    asked = parser.parse_args()
    if asked.peer not in PEERS:
        print(NOT_ASKED.get(asked.peer, f"unknown package {asked.peer} (known: {', '.join(PEERS)})"))
        return 2
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    chance, explained, failed = Chance(asked.seed), {}, 0
    for number in range(asked.calls):
        question = PEERS[asked.peer](chance)
        expected = answer(question, import_module)
        found = answer(question, lambda name: import_module(f"tercet.compat.{name}"))
        if _is_same(found, expected):
            continue
        if why := _is_explained(asked.peer, found, expected):
            explained[why] = explained.get(why, 0) + 1
            continue
        failed += 1
        cells = zip(question.__code__.co_freevars, question.__closure__ or ())
        print(f"question {number}:", {name: cell.cell_contents for name, cell in cells})
        for who, one in (("tercet", found), (asked.peer, expected)):
            print(f"  {who}:", repr(one.error) if isinstance(one, _Raised) else one)
        if not asked.all:
            return 1
    print(f"{asked.peer}: {asked.calls} questions with seed {asked.seed}, {failed} answers differ")
    for why, count in explained.items():
        print(f"  {count} on purpose: {why}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
