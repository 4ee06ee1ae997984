"""Writes the figures of crates/tercet/tests/golden_small: what the real tools print for the texts of texts.json.

Python 3.11 with sacrebleu 2.6.0, jiwer 4.0.0, rapidfuzz 3.14.6, nltk 3.10.4, rouge-score 0.1.2, cer 1.2.0,
scipy 1.17.1, numpy 2.4.6, pycocoevalcap 1.2 (also for METEOR's jar) and torchmetrics 1.9.0. The other tools are given
by their places:

    python scripts/golden_small.py sacrebleu jiwer nltk pycocoevalcap torchmetrics rouge_score cer scipy
    python scripts/golden_small.py meteor --place meteor-1.5.jar
    python scripts/golden_small.py terp --place CLASSES --wordnet FOLDER   (folder of WordNet 3.0)
    python scripts/golden_small.py mteval --place mteval-v13a.pl
    python scripts/golden_small.py rouge --place ROUGE-1.5.5
    python scripts/golden_small.py gtm --place gtm.jar
    python scripts/golden_small.py per --place PER.pl
    python scripts/golden_small.py overlap --place Ol.pl
    python scripts/golden_small.py character --place CharacTER.py
    python scripts/golden_small.py moses --place tokenizer.perl
    python scripts/golden_small.py mt_metrics_eval --place REPOSITORY

A row is a metric as tercet names it, what is compared, the texts, the system, the number of references (the first n of
each text), the figure of the corpus and those of the segments. `-` stands for a figure that the tool does not print.
"""

import argparse
import gzip
import html
import itertools
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "crates/tercet/tests/golden_small"
RESOURCES = FOLDER / "resources"
TEXTS = json.loads((FOLDER / "texts.json").read_text(encoding="utf-8"))
EUROPEAN = "en de fr es cs ru fi tr"


class Texts:
    """The chosen texts of a system, with at most `count` references each."""

    def __init__(self, sets, system="hyp", count=3):
        named, _, left_out = sets.partition(" without ")
        chosen = [text for text in TEXTS if named == "all" or text["set"] in named.split()]
        chosen = [text for i, text in enumerate(chosen) if str(i) not in left_out.split()]
        self.sets, self.system, self.count = sets, system, count
        self.hypotheses = [text[system] for text in chosen]
        self.references = [text["refs"][:count] for text in chosen]

    def streams(self):
        """The references as sacreBLEU takes them."""
        return list(map(list, itertools.zip_longest(*self.references)))


class Table:
    """A file of rows."""

    def __init__(self, name, tool, absolute=0, relative=0, scale=1):
        """A figure of tercet is `scale` times that of the tool, and differs by `absolute` or by a `relative` part."""
        self.name = name
        self.lines = [f"# {tool}", f"# absolute {absolute:g} relative {relative:g} scale {scale}"]

    def add(self, metric, what, texts, corpus, segments):
        def shown(number):
            if number is None:
                return "-"
            return number if isinstance(number, str) else f"{number:.13g}"

        cells = [metric, what, texts.sets, texts.system, str(texts.count), shown(corpus)]
        self.lines.append("\t".join([*cells, " ".join(map(shown, segments)) or "-"]))

    def write(self):
        (FOLDER / f"{self.name}.tsv").write_text("\n".join(self.lines) + "\n", encoding="utf-8")
        print(self.name, len(self.lines) - 2, "rows")


def sacrebleu(_):
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.metrics import lib_ter

    table = Table("sacrebleu", "sacreBLEU 2.6.0", relative=1e-9)

    def add(spec, metric, texts):
        pairs = zip(texts.hypotheses, texts.references)
        segments = [metric.sentence_score(hypothesis, references).score for hypothesis, references in pairs]
        corpus = metric.corpus_score(texts.hypotheses, texts.streams()).score
        # One system is enough for segments.
        table.add(spec, "score", texts, corpus, segments if texts.system == "hyp" or "ter" in spec else [])

    def bleu(options, texts, **arguments):
        if "effective_order" not in options:
            options = f"{options},effective_order=no" if options else "effective_order=no"
        add(f"bleu:{options}", BLEU(**arguments), texts)

    for tokenizer in ["13a", "none", "zh", "intl", "char"]:
        bleu(f"tok={tokenizer}", Texts("all"), tokenize=tokenizer)
        bleu(f"tok={tokenizer}", Texts("en", "other"), tokenize=tokenizer)
    for count in [1, 2]:
        bleu("", Texts("all", count=count))
    bleu("lowercase=yes", Texts("all"), lowercase=True)
    bleu("smooth=none", Texts("all"), smooth_method="none")
    for smoothing, values in [("floor", [0.1, 0.01]), ("add-k", [1, 0.3])]:
        for value in values:
            bleu(f"smooth={smoothing},smooth_value={value}", Texts("all"), smooth_method=smoothing, smooth_value=value)
    for order in [1, 2, 6]:
        bleu(f"max_order={order}", Texts("all"), max_ngram_order=order)
    bleu("effective_order=yes", Texts("all"), effective_order=True)
    bleu("effective_order=yes,smooth=add-k", Texts("odd void zh ja ko"), effective_order=True, smooth_method="add-k")

    for char_order, word_order, beta in [(6, 0, 2), (6, 1, 2), (6, 2, 2), (6, 0, 1), (6, 2, 3), (3, 0, 2), (0, 2, 2)]:
        options = f"char_order={char_order},word_order={word_order},beta={beta}"
        metric = CHRF(char_order=char_order, word_order=word_order, beta=beta)
        add(f"chrf:{options}", metric, Texts("all"))
        add(f"chrf:{options}", metric, Texts("en", "other", 1))
    for flag in ["lowercase", "whitespace", "eps_smoothing"]:
        for word_order in [0, 2]:
            metric = CHRF(word_order=word_order, **{flag: True})
            add(f"chrf:word_order={word_order},{flag}=yes", metric, Texts("all"))

    names = ["normalized", "no_punct", "asian_support", "case_sensitive"]
    for flags in itertools.product([False, True], repeat=4):
        options = ",".join(f"{name}=yes" for name, flag in zip(names, flags) if flag)
        add(f"ter:{options}".rstrip(":"), TER(**dict(zip(names, flags))), Texts("all"))
    add("ter", TER(), Texts("all", count=1))
    for count in [1, 2, 3]:
        add("ter", TER(), Texts("en", "other", count))
    limits = {"beam": "_BEAM_WIDTH", "shift_distance": "_MAX_SHIFT_DIST", "shift_size": "_MAX_SHIFT_SIZE"}
    for key, value in [("beam", 3), ("shift_distance", 2), ("shift_size", 2)]:
        before = getattr(lib_ter, limits[key])
        setattr(lib_ter, limits[key], value)
        add(f"ter:{key}={value}", TER(), Texts("en odd"))
        setattr(lib_ter, limits[key], before)
    table.write()
    significance(BLEU, CHRF, TER)


def significance(BLEU, CHRF, TER):
    """Confidence intervals and both paired tests."""
    from sacrebleu.significance import PairedTest

    os.environ["SACREBLEU_SEED"] = "12345"
    texts = {system: Texts("en", system) for system in ["hyp", "other"]}
    reference = [[references[1] for references in texts["hyp"].references]]
    third = [references[2] for references in texts["hyp"].references]
    systems = [("hyp", texts["hyp"].hypotheses), ("other", texts["other"].hypotheses), ("third", third)]
    metrics = {"bleu": BLEU(references=reference), "chrf++": CHRF(word_order=2, references=reference),
               "ter": TER(references=reference)}
    found = {}
    for test, samples in [("bs", 200), ("ar", 400)]:
        _, scores = PairedTest(systems, metrics, references=None, test_type=test, n_samples=samples)()
        found[test] = {"samples": samples}
        for name in metrics:
            found[test][name] = [
                {key: as_number(getattr(result, key)) for key in ["score", "p_value", "mean", "ci"]}
                for result in scores[name.replace("bleu", "BLEU").replace("chrf++", "chrF2++").replace("ter", "TER")]
            ]
    write_json("significance", {"tool": "sacreBLEU 2.6.0", "systems": ["hyp", "other", "third reference"],
                                "reference": "second", "tests": found})


def as_number(value):
    return None if value is None else float(value)


def write_json(name, content):
    text = json.dumps(content, indent=1, ensure_ascii=False)
    # Lists of numbers in one line.
    text = re.sub(r"\[[^\[\]{}\"]*\]", lambda match: re.sub(r"\s+", " ", match[0]), text)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(name)


def jiwer(_):
    import jiwer

    table = Table("jiwer", "jiwer 4.0.0 with rapidfuzz 3.14.6", relative=1e-9)
    texts = Texts("all", count=1)
    first = [references[0] for references in texts.references]
    words = {"score": ("wer", 100), "mer": ("mer", 100), "wil": ("wil", 100), "wip": ("wip", 100),
             "hits": ("hits", 1), "substitutions": ("substitutions", 1), "deletions": ("deletions", 1),
             "insertions": ("insertions", 1)}
    characters = {**words, "score": ("cer", 100)}
    metrics = [("wer", jiwer.process_words, words), ("cer", jiwer.process_characters, characters)]
    metrics += [(name, jiwer.process_words, {"score": (name, 100)}) for name in ["mer", "wil", "wip"]]
    for metric, process, columns in metrics:
        outputs = [process(reference, hypothesis) for reference, hypothesis in zip(first, texts.hypotheses)]
        corpus = process(first, texts.hypotheses)
        for what, (name, scale) in columns.items():
            if hasattr(corpus, name):
                segments = [scale * getattr(output, name) for output in outputs]
                table.add(metric, what, texts, scale * getattr(corpus, name), segments)
    table.write()


def nltk(_):
    from nltk.translate.gleu_score import corpus_gleu, sentence_gleu
    from nltk.translate.nist_score import corpus_nist
    from nltk.translate.ribes_score import corpus_ribes, sentence_ribes

    table = Table("nltk", "NLTK 3.10.4", relative=1e-9)
    # NLTK counts the word 0 as any other, unlike mteval, and fails on hypotheses shorter than the order.
    def is_left_out(text):
        return "0" in text["hyp"].split() or len(text["hyp"].split()) < 5

    english = [text for text in TEXTS if text["set"] == "en"]
    numbers = [str(i) for i, text in enumerate(english) if is_left_out(text)]
    texts = Texts(f"en without {' '.join(numbers)}", count=1)
    references = [[reference.split() for reference in references] for references in texts.references]
    hypotheses = [hypothesis.split() for hypothesis in texts.hypotheses]
    for order in [1, 2, 3, 4, 5]:
        score = corpus_nist(references, hypotheses, order)
        table.add(f"nist:tok=none,lowercase=no,max_order={order}", "score", texts, score, [])
    for count in [1, 2, 3]:
        for system in ["hyp", "other"]:
            texts = Texts("all", system, count)
            references = [[reference.split() for reference in references] for references in texts.references]
            hypotheses = [hypothesis.split() for hypothesis in texts.hypotheses]
            for order in [2, 5] if system == "hyp" else [5]:
                spec = f"nist:tok=none,lowercase=no,version=nltk,max_order={order}"
                table.add(spec, "score", texts, corpus_nist(references, hypotheses, order), [])
            pairs = list(zip(references, hypotheses))
            for low, high in [(1, 4), (2, 3)]:
                table.add(f"gleu:tok=none,min_order={low},max_order={high}", "score", texts,
                          corpus_gleu(references, hypotheses, low, high),
                          [sentence_gleu(refs, hyp, low, high) for refs, hyp in pairs])
            for alpha, beta in [(0.25, 0.1), (0.5, 0.3)]:
                table.add(f"ribes:alpha={alpha},beta={beta}", "score", texts,
                          corpus_ribes(references, hypotheses, alpha, beta),
                          [sentence_ribes(refs, hyp, alpha, beta) for refs, hyp in pairs])
    table.write()


def pycocoevalcap(_):
    from pycocoevalcap.cider.cider import Cider

    table = Table("pycocoevalcap", "pycocoevalcap 1.2", relative=1e-9, absolute=1e-12)
    for sets, system, count in [("all", "hyp", 3), ("all", "other", 1), ("en", "hyp", 2)]:
        texts = Texts(sets, system, count)
        references = dict(enumerate(texts.references))
        captions = {i: [line] for i, line in enumerate(texts.hypotheses)}
        for sigma in [6.0, 3.0]:
            corpus, segments = Cider(sigma=sigma).compute_score(references, captions)
            table.add(f"cider:sigma={sigma:g}", "score", texts, corpus, segments)
    table.write()


def torchmetrics(_):
    """The functions that compute EED, of which only the last step, the sum of the corpus, needs PyTorch."""
    import importlib.util
    import types

    names = {"torch": ["Tensor", "stack", "tensor"], "torchmetrics.functional.text.helper": ["_validate_inputs"]}
    for name, parts in names.items():
        module = types.ModuleType(name)
        vars(module).update(dict.fromkeys(parts, float))
        sys.modules[name] = module
    file = Path(importlib.util.find_spec("torchmetrics").origin).parent / "functional/text/eed.py"
    found = importlib.util.spec_from_file_location("eed", file)
    eed = importlib.util.module_from_spec(found)
    found.loader.exec_module(eed)

    table = Table("torchmetrics", "torchmetrics 1.9.0", relative=1e-9)
    for language, prepare in [("en", eed._preprocess_en), ("ja", eed._preprocess_ja)]:
        for costs in [(2.0, 0.3, 0.2, 1.0), (1.0, 0.5, 0.4, 0.8)]:
            for system, count in [("hyp", 3), ("other", 1)]:
                texts = Texts("all", system, count)
                figures = [
                    min(eed._eed_function(prepare(line), prepare(reference), *costs) for reference in references)
                    for line, references in zip(texts.hypotheses, texts.references)
                ]
                alpha, rho, deletion, insertion = costs
                spec = f"eed:lang={language},alpha={alpha:g},rho={rho:g},deletion={deletion:g},insertion={insertion:g}"
                table.add(spec, "score", texts, sum(figures) / len(figures), figures)
    table.write()


def rouge_score(_):
    from rouge_score.rouge_scorer import RougeScorer

    table = Table("rouge_score", "rouge-score 0.1.2", relative=1e-9)
    names = [*(f"rouge{n}" for n in range(1, 10)), "rougeL"]
    scorer = RougeScorer(names, use_stemmer=False)
    for count in [1, 3]:
        texts = Texts("all", count=count)
        results = [scorer.score_multi(refs, hyp) for hyp, refs in zip(texts.hypotheses, texts.references)]
        for name in names[:4] + names[-1:] if count == 3 else names:
            kind = name.removeprefix("rouge").lower()
            for alpha, part in [("0.5", "fmeasure"), ("0", "recall"), ("1", "precision")]:
                # With several references the tool takes all three figures from the one with the best F.
                if count == 1 or part == "fmeasure":
                    figures = [getattr(result[name], part) for result in results]
                    table.add(f"rouge:type={kind},alpha={alpha}", "score", texts, sum(figures) / len(figures), figures)
    table.write()


def rouge(arguments):
    """ROUGE-1.5.5, one sentence per line; each segment is a text."""
    table = Table("rouge", "ROUGE-1.5.5", absolute=0.5001e-5)
    runs = [
        ("best", ["-m"], {"1": "stem=yes", "L": "stem=yes", "W-1.2": "stem=yes", "S*": "stem=yes", "SU*": "stem=yes"}),
        ("plain", [], {str(n): "" for n in range(1, 5)} | {"L": "", "W-1.2": "", "S*": "", "SU*": ""}),
    ]
    letters = {"L": "l", "W-1.2": "w", "S*": "s", "SU*": "su", "SU4": "su,skip=4", "S0": "s,skip=0"}
    home = Path(arguments.place)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def run(texts, flags):
            config = []
            for i, (hypothesis, references) in enumerate(zip(texts.hypotheses, texts.references)):
                paths = [folder / f"{i}.{j}" for j in range(len(references) + 1)]
                for path, line in zip(paths, [hypothesis, *references]):
                    path.write_text(line + "\n", encoding="utf-8")
                config.append(" ".join(map(str, paths)))
            (folder / "list").write_text("\n".join(config) + "\n", encoding="utf-8")
            command = ["perl", home / "ROUGE-1.5.5.pl", "-e", home / "data", "-z", "SPL", "-d", *flags, folder / "list"]
            printed = subprocess.run([*map(str, command), "1"], capture_output=True, text=True, check=True).stdout
            kinds = {}
            for kind, letter, rest in re.findall(r"1 ROUGE-(\S+) Eval \S+ (R):(\S+ P:\S+ F:\S+)", printed):
                del letter
                recall, precision, f = re.split(r" [PF]:", rest)
                kinds.setdefault(kind, []).append((recall, precision, f))
            return kinds

        for _, flags, kinds in runs:
            texts = Texts("en", count=1)
            found = run(texts, ["-n", "4", "-2", "-1", "-U", "-w", "1.2", *flags])
            for kind, options in kinds.items():
                for alpha, column in [("0.5", 2), ("0", 0), ("1", 1)]:
                    spec = f"rouge:type={letters.get(kind, kind)},alpha={alpha},version=1.5.5"
                    figures = [row[column] for row in found[kind]]
                    if alpha == "0.5" or not options:
                        table.add(spec + (f",{options}" if options else ""), "score", texts, None, figures)
        texts = Texts("en", count=1)
        for skip in [0, 4]:
            found = run(texts, ["-2", str(skip), "-u"])
            for kind in ["S", "SU"]:
                spec = f"rouge:type={kind.lower()},skip={skip},version=1.5.5"
                rows = found.get(f"{kind}{skip}")
                if rows:
                    table.add(spec, "score", texts, None, [row[2] for row in rows])
        found = run(texts, ["-n", "1", "-w", "1.6"])
        table.add("rouge:type=w,weight=1.6,version=1.5.5", "score", texts, None, [row[2] for row in found["W-1.6"]])
        # -f A averages over references, the default of the tool takes one away at a time and so does -f B.
        texts = Texts("en", count=3)
        found = run(texts, ["-n", "2", "-2", "-1", "-U", "-f", "A"])
        for kind in ["1", "2", "L", "S*", "SU*"]:
            spec = f"rouge:type={letters.get(kind, kind)},version=1.5.5,references=average"
            table.add(spec, "score", texts, None, [row[2] for row in found[kind]])
    table.write()


def meteor(arguments):
    table = Table("meteor", "METEOR 1.5 (jar of pycocoevalcap 1.2), function words and paraphrases of resources/",
                  relative=1e-9)
    words = RESOURCES / "function_words.txt"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        phrases = folder / "paraphrases.gz"
        phrases.write_bytes(gzip.compress((RESOURCES / "paraphrases.txt").read_bytes()))

        def run(options, texts, flags, components=False):
            references = [refs + [refs[-1]] * (texts.count - len(refs)) for refs in texts.references]
            hypothesis, reference = folder / "hyp", folder / "ref"
            hypothesis.write_text("".join(line + "\n" for line in texts.hypotheses), encoding="utf-8")
            reference.write_text("".join(line + "\n" for refs in references for line in refs), encoding="utf-8")
            command = ["java", "-Xmx1G", "-Dfile.encoding=UTF-8", "-jar", arguments.place, hypothesis, reference]
            command += ["-r", texts.count, "-s", words, "-vOut", *flags]
            printed = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True).stdout
            rows = [line.split("\t")[1:] for line in printed.splitlines() if line.startswith("Segment ")]
            assert len(rows) == len(texts.hypotheses), printed
            def figure(label):
                return float(re.search(rf"^{label}:\s+(\S+)$", printed, re.MULTILINE)[1])
            parts = [("score", "Final score", 3)]
            if components:
                parts += [("precision", "Precision", 0), ("recall", "Recall", 1),
                          ("fragmentation_penalty", "Fragmentation penalty", 2)]
            for what, label, column in parts:
                figures = [float(row[column]) for row in rows]
                figures = [0.0 if math.isnan(number) else number for number in figures]
                spec = f"meteor:{options},function_words=function_words.txt"
                table.add(spec, what, texts, figure(label), figures)

        modules = ["-m", "exact stem synonym"]
        run("lang=en,norm=yes,modules=exact+stem+synonym", Texts("en"), ["-l", "en", "-norm", *modules], True)
        run("lang=en,norm=yes,modules=exact+stem+synonym", Texts("en", "other"), ["-l", "en", "-norm", *modules], True)
        run("lang=en,norm=yes,paraphrase=paraphrases.txt", Texts("en"), ["-l", "en", "-norm", "-a", phrases], True)
        run("lang=en,norm=yes,paraphrase=paraphrases.txt", Texts("en", "other", 1),
            ["-l", "en", "-norm", "-a", phrases], True)
        for choice in ["exact", "exact stem", "exact stem paraphrase", "exact paraphrase"]:
            table_option = ",paraphrase=paraphrases.txt" if "paraphrase" in choice else ""
            run(f"lang=en,norm=yes,modules={choice.replace(' ', '+')}{table_option}", Texts("en"),
                ["-l", "en", "-norm", "-m", choice, "-a", phrases])
        for task in ["rank", "adq", "hter", "util", "li", "tune"]:
            run(f"lang=en,norm=yes,task={task},paraphrase=paraphrases.txt", Texts("en", "other"),
                ["-l", "en", "-norm", "-t", task, "-a", phrases])
        english = ["-l", "en", *modules]
        run("lang=en,norm=no,modules=exact+stem+synonym", Texts("en odd"), english)
        run("lang=en,norm=no,lower=yes,modules=exact+stem+synonym", Texts("en odd"), [*english, "-lower"])
        run("lang=en,norm=yes,no_punct=yes,modules=exact+stem+synonym", Texts("en"), [*english, "-norm", "-noPunct"])
        run("lang=en,norm=yes,beam=1,modules=exact+stem+synonym", Texts("en"), [*english, "-norm", "-x", "1"])
        # With -p the jar takes other weights than those of the task, unless they are given.
        own = "alpha=0.6,beta=0.9,gamma=0.4,delta=0.3,weights=1:0.6:0.8"
        run(f"lang=en,norm=yes,{own},modules=exact+stem+synonym", Texts("en"),
            [*english, "-norm", "-p", "0.6 0.9 0.4 0.3", "-w", "1 0.6 0.8"])
        run("lang=en,norm=yes,weights=1:0.4:0.7,modules=exact+stem+synonym", Texts("en"),
            [*english, "-norm", "-w", "1 0.4 0.7"])
        for code, ours in [("de", "de"), ("fr", "fr"), ("es", "es"), ("cz", "cs"), ("ru", "ru")]:
            choice = "exact" if code == "cz" else "exact stem"
            run(f"lang={code},norm=yes,modules={choice.replace(' ', '+')}", Texts(ours, count=2),
                ["-l", code, "-norm", "-m", choice], True)
        for code in ["fi", "tr"]:
            run(f"lang={code},norm=no", Texts(code, count=2), ["-l", code], True)
    table.write()


def terp(arguments):
    table = Table("terp", "TERp (snover/terp e45c428), WordNet 3.0, files of resources/", relative=1e-9)
    kinds = ["insertions", "deletions", "substitutions", "stems", "synonyms", "phrases", "shifts", "shifted_words"]
    classes = Path(arguments.place)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        java = ["java", "-Xmx2g", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8", "-cp", classes]
        database = folder / "phrases"
        database.mkdir()
        make = [*java, "com.bbn.mt.terp.phrasedb.CreatePhraseDB", RESOURCES / "phrases.txt", database]
        subprocess.run([*map(str, make)], check=True, capture_output=True)
        wordnet = folder / "wordnet.param"
        wordnet.write_text(f"WordNet Database Directory (filename) : {arguments.wordnet}\n")

        def parameters(lines):
            path = folder / "more.param"
            path.write_text("".join(line + "\n" for line in lines))
            return ["-p", path]

        def run(options, texts, flags, counts=False):
            hypothesis, reference = folder / "hyp.trans", folder / "ref.trans"
            rows = list(enumerate(zip(texts.hypotheses, texts.references), 1))
            hypothesis.write_text("".join(f"{text[0]} ([x][w][d][{i}])\n" for i, text in rows), encoding="utf-8")
            lines = [f"{line} ([r{j}][w][d][{i}])\n" for i, text in rows for j, line in enumerate(text[1])]
            reference.write_text("".join(lines), encoding="utf-8")
            command = [*java, "com.bbn.mt.terp.TERplus", *flags, "-r", reference, "-h", hypothesis]
            command += ["-n", folder / "out.", "-o", "nist,sum,xml"]
            run = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=folder)
            assert run.returncode == 0, run.stderr
            scores = [line.split("\t") for line in (folder / "out.x.seg.scr").read_text().splitlines()]
            scores.sort(key=lambda row: int(row[3]))
            assert len(scores) == len(rows), run.stdout + run.stderr
            system = (folder / "out.x.sys.scr").read_text().split("\t")
            add = lambda what, corpus, figures: table.add(f"terp:{options}", what, texts, corpus, figures)
            add("score", 100 * float(system[2]), [100 * float(row[4]) for row in scores])
            add("ref_len", None, [float(row[5]) for row in scores])
            if counts:
                summary = (folder / "out.sum").read_text().splitlines()
                cells = [[cell.strip() for cell in line.split("|")] for line in summary if line.count("|") > 8]
                heads = next(row for row in cells if row[0] == "ID")
                rows_of = [row for row in cells if row[0].startswith("[")]
                found = {head: [row[i] for row in rows_of] for i, head in enumerate(heads)}
                for what, head in zip(kinds, ["Ins", "Del", "Sub", "Stem", "Syn", "Phrase", "Shft", "WdSh"]):
                    if len(found.get(head, [])) == len(rows):
                        add(what, None, [float(number) for number in found[head]])

        stop, table_of_phrases = ["-S", RESOURCES / "stop.txt"], ["-P", database]
        data = classes.parent / "data"
        ter, terpa, terph = (["-p", data / f"{name}.param", "-p", wordnet] for name in ["ter", "terpa", "terph"])
        texts, other, one = Texts("en"), Texts("en", "other"), Texts("en", count=1)
        run("costs=unit", texts, [], True)
        run("costs=unit,case_sensitive=yes", texts, ["-s"])
        run("costs=unit", Texts("de fr es cs ru fi", count=2), [])
        run("costs=ter", texts, ter, True)
        run("costs=ter", other, ter, True)
        run("costs=ter", one, ter)
        run("costs=ter,case_sensitive=yes,no_punct=yes", other,
            [*ter, *parameters(["Case Sensitive (boolean) : true", "Strip Punctuation (boolean) : true"])])
        run("costs=terpa", texts, terpa, True)
        run("costs=terpa", other, terpa, True)
        run("costs=terpa,stop=stop.txt", other, [*terpa, *stop])
        run("costs=terph,stop=stop.txt", texts, [*terph, *stop], True)
        run("costs=unit,phrases=phrases.txt", other, table_of_phrases)
        run("costs=terpa,phrases=phrases.txt", texts, [*terpa, *table_of_phrases], True)
        run("costs=terpa,phrases=phrases.txt,stop=stop.txt", other, [*terpa, *stop, *table_of_phrases], True)
        run("costs=stem_synonym.param", other, ["-p", RESOURCES / "stem_synonym.param", "-p", wordnet], True)
        for options, lines in [
            ("cap=yes", ["Cap Maximum TER (boolean) : true"]),
            ("shifts=noshift", ["Shift Constraint (string) : noshift"]),
            ("shifts=allow_mismatch", ["Shift Constraint (string) : allow_mismatch"]),
            ("numbers=digits", ["Normalize Numbers (boolean) : true"]),
            ("numbers=any", ["Generalize Numbers (boolean) : true"]),
            ("new_norm=yes", ["New Normalization (boolean) : true"]),
            ("beam=3", ["Beam Width (integer) : 3"]),
            ("shift_distance=2", ["Shift Distance (integer) : 2"]),
            ("mean_length=no", ["Use Average Length (boolean) : false"]),
            ("equivalents=equivalents.txt", [f"Normalization File (filename) : {RESOURCES / 'equivalents.txt'}"]),
        ]:
            run(f"costs=ter,{options}", other, [*ter, *parameters(lines)])
    table.write()


def mteval(arguments):
    table = Table("mteval", "mteval-v13a.pl", absolute=1e-11, relative=1e-12)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def run(texts, flags, tokenizer="mteval", lowercase="yes", more=""):
            def segments(lines):
                return "".join(f'<seg id="{i}">{html.escape(line, False)}</seg>\n' for i, line in enumerate(lines, 1))

            parts = {"src": [("", texts.hypotheses)], "tst": [(' sysid="x"', texts.hypotheses)], "ref": []}
            for j in range(texts.count):
                parts["ref"].append((f' sysid="r{j}"', [refs[j] for refs in texts.references]))
            for kind, documents in parts.items():
                text = f'<{kind}set setid="s" srclang="any" trglang="any">\n'
                for attributes, lines in documents:
                    text += f'<doc docid="d"{attributes}>\n{segments(lines)}</doc>\n'
                (folder / f"{kind}.sgm").write_text(f"{text}</{kind}set>\n", encoding="utf-8")
            command = ["perl", str(Path(arguments.place).resolve()), "-r", "ref.sgm", "-s", "src.sgm", "-t", "tst.sgm"]
            command += ["-d", "2", "--metricsMATR", *flags]
            for path in folder.glob("*.scr"):
                path.unlink()
            run = subprocess.run(command, capture_output=True, text=True, cwd=folder)
            assert run.returncode == 0, run.stderr
            options = f"tok={tokenizer},lowercase={lowercase}"
            for metric, file, scale in [("mteval-bleu", "BLEU", 100), ("nist", "NIST", 1)]:
                if metric == "nist" and more:
                    continue
                rows = [line.split() for line in (folder / f"{file}-seg.scr").read_text().splitlines()]
                system = (folder / f"{file}-sys.scr").read_text().split()
                figures = [scale * float(row[-1]) for row in rows]
                assert len(figures) == len(texts.hypotheses)
                spec = f"{metric}:{options}{more if metric != 'nist' else ''}"
                table.add(spec, "score", texts, scale * float(system[-1]), figures)

        for texts in [Texts("en"), Texts("en", "other"), Texts("en", count=1), Texts("en " + EUROPEAN[3:], count=1)]:
            run(texts, [])
        mixed = Texts("en de fr ru zh ja ar hi", count=1)
        run(mixed, ["-c"], lowercase="no")
        run(mixed, ["--international-tokenization"], "mteval-intl")
        run(mixed, ["--international-tokenization", "-c"], "mteval-intl", "no")
        run(mixed, ["--international-tokenization", "-e"], "mteval-intl+nonascii")
        run(Texts("en"), ["--no-smoothing"], more=",smooth=none")
        run(Texts("en"), ["--brevity-penalty", "shortest"], more=",brevity=shortest")
    table.write()


def gtm(arguments):
    table = Table("gtm", "GTM 1.4", relative=1e-12)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for texts in [Texts("en", count=1), Texts("en"), Texts("en", "other", 1), Texts(EUROPEAN, count=1)]:
            names = ["hyp", *(f"ref{j}" for j in range(texts.count))]
            columns = [texts.hypotheses, *zip(*texts.references)]
            for file, lines in zip(names, columns):
                (folder / file).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            for exponent in ["1", "1.5", "2", "3"]:
                command = ["java", "-Dfile.encoding=UTF-8", "-jar", str(Path(arguments.place).resolve())]
                command += ["-t", "+s", "+d", "-e", exponent, *names]
                printed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder).stdout
                rows = [line.split() for line in printed.splitlines() if line.strip()]
                figures = [row[-1] for row in rows]
                if len(figures) != len(texts.hypotheses) + 1:
                    raise SystemExit(printed)
                table.add(f"gtm:e={exponent}", "score", texts, figures[-1], figures[:-1])
    table.write()


def run_by_lines(texts, command, folder):
    """Runs a command with two files of lines and returns what it prints."""
    first = [references[0] for references in texts.references]
    for name, lines in [("hyp", texts.hypotheses), ("ref", first)]:
        (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    run = subprocess.run([*map(str, command)], capture_output=True, text=True, cwd=folder)
    if run.returncode != 0:
        raise SystemExit(run.stderr)
    return run.stdout


def per(arguments):
    table = Table("per", "PER.pl 1.0", absolute=1e-9)
    with tempfile.TemporaryDirectory() as name:
        for texts in [Texts("en", count=1), Texts("en", "other", 1), Texts(EUROPEAN + " zh ar hi", count=1)]:
            place = Path(arguments.place).resolve()
            printed = run_by_lines(texts, ["perl", place, "-t", "hyp", "-r", "ref", "-s"], Path(name))
            figures = [100 * float(line.split()[-1]) for line in printed.splitlines() if line.startswith("LINE")]
            table.add("per", "score", texts, None, figures)
    table.write()


def overlap(arguments):
    table = Table("overlap", "Ol.pl of Blend (Asiya's Ol)", absolute=1e-14)
    with tempfile.TemporaryDirectory() as name:
        for texts in [Texts("en", count=1), Texts("en", "other", 1)]:
            place = Path(arguments.place).resolve()
            printed = run_by_lines(texts, ["perl", place, "-t", "hyp", "-r", "ref"], Path(name))
            figures = [line.split()[-1] for line in printed.splitlines() if line.strip()]
            table.add("overlap", "score", texts, None, figures[:len(texts.hypotheses)])
    table.write()


def character(arguments):
    table = Table("character", "CharacTER.py (rwth-i6/CharacTER c4b25cb)", absolute=0.5001e-2, scale=100)
    with tempfile.TemporaryDirectory() as name:
        for texts in [Texts("en", count=1), Texts("en", "other", 1), Texts(EUROPEAN, count=1)]:
            place = Path(arguments.place).resolve()
            printed = run_by_lines(texts, [sys.executable, place, "-r", "ref", "-o", "hyp", "-v"], Path(name))
            lines = printed.splitlines()
            figures = [line.split()[-1] for line in lines if line.startswith("CharacTER of sentence")]
            table.add("character", "score", texts, lines[-1], figures)
    table.write()


def cer(_):
    from cer import calculate_cer

    table = Table("cer", "cer 1.2.0", relative=1e-9)
    for texts in [Texts("en", count=1), Texts("en", "other", 1), Texts(EUROPEAN + " zh ar hi", count=1)]:
        pairs = zip(texts.hypotheses, texts.references)
        figures = [100 * calculate_cer(hypothesis.split(), refs[0].split()) for hypothesis, refs in pairs]
        table.add("character", "score", texts, None, figures)
    table.write()


def moses(arguments):
    """Tokens, not scores."""
    found = []
    for language in ["en", "de", "fr", "es", "cs", "ru", "fi"]:
        lines = [line for text in TEXTS if text["set"] in [language, "odd"]
                 for line in [text["hyp"], text["other"], *text["refs"]]]
        command = ["perl", arguments.place, "-q", "-l", language]
        given = "".join(line + "\n" for line in lines)
        printed = subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout
        tokens = printed.removesuffix("\n").split("\n")
        assert len(tokens) == len(lines)
        name = "moses" if language == "en" else f"moses-{language}"
        found.append({"tokenizer": name, "lines": list(map(list, zip(lines, tokens)))})
    shown = ",\n".join(
        f'{{"tokenizer": {json.dumps(one["tokenizer"])}, "lines": [\n'
        + ",\n".join(json.dumps(pair, ensure_ascii=False) for pair in one["lines"]) + "\n]}" for one in found
    )
    text = f'{{"tool": "tokenizer.perl of mosesdecoder 34452895", "tokens": [\n{shown}\n]}}\n'
    (FOLDER / "moses.json").write_text(text, encoding="utf-8")


def judged():
    """Made-up judgements of both systems' outputs, and scores of sacreBLEU for them."""
    from sacrebleu.metrics import CHRF

    chrf = CHRF()
    scores, human = [], []
    for system in ["hyp", "other"]:
        texts = Texts("en", system)
        for i, (hypothesis, references) in enumerate(zip(texts.hypotheses, texts.references)):
            scores.append(round(chrf.sentence_score(hypothesis, references[:1]).score, 1))
            human.append([4, 3, 5, 2, 1, 4, 4, 3][(5 * i + 3 * len(system)) % 8] - (system == "other") * (i % 3))
    return human, scores


def scipy(_):
    from scipy import stats

    human, scores = judged()
    third = [round(math.sqrt(abs(score - 40 * value)), 3) for score, value in zip(scores, human)]
    found = {"tool": "scipy 1.17.1", "human": human, "scores": scores, "other": third}
    for name, metric in [("scores", scores), ("other", third)]:
        for key, statistic in [
            ("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall_b", stats.kendalltau),
            ("kendall_c", lambda x, y: stats.kendalltau(x, y, variant="c")),
        ]:
            result = statistic(human, metric)
            found[f"{key} {name}"] = [float(result.statistic), float(result.pvalue)]
        interval = stats.pearsonr(human, metric).confidence_interval(0.95)
        found[f"pearson_interval {name}"] = [float(interval.low), float(interval.high)]
    write_json("scipy", found)


def mt_metrics_eval(arguments):
    import numpy

    sys.path.insert(0, arguments.place)
    from mt_metrics_eval import pce, stats

    human, scores = judged()
    third = [round(math.sqrt(abs(score - 40 * value)), 3) for score, value in zip(scores, human)]
    # Eight systems with six segments each.
    matrix = lambda values: numpy.array(values, dtype=float).reshape(8, 6)
    gold, metric, other = map(matrix, [human, scores, third])
    found = {"tool": "mt_metrics_eval 68a481ae", "systems": 8, "gold": human, "metric": scores, "other": third}

    def correlation(rows):
        return stats.Correlation(8, rows.ravel().tolist(), metric.ravel().tolist())

    for grouping in ["none", "sys", "item"]:
        for key, call in [
            ("pearson", lambda c: c.Pearson(average_by=grouping)),
            ("kendall_b", lambda c: c.Kendall(average_by=grouping)),
            ("kendall_like", lambda c: c.KendallLike(average_by=grouping, thresh=1)),
            ("acc_23", lambda c: c.KendallVariants(average_by=grouping, variant="acc23")),
        ]:
            found[f"{key} {grouping}"] = [float(value) for value in call(correlation(gold))[:2]]
        for key, variant in [("ties_acc_23", "acc23"), ("ties_tau_23", "23")]:
            value, threshold, _ = stats.KendallWithTiesOpt(gold.ravel(), metric.ravel(), variant, 8, grouping, 1.0)
            found[f"{key} {grouping}"] = [float(value), float(threshold)]
    for name, rows in [("gold", gold), ("metric", metric), ("other", other)]:
        p_values = pce.compute_pairwise_p_values(rows)
        found[f"p_values {name}"] = [[None if math.isnan(p) else float(p) for p in row] for row in p_values]
    for name, rows in [("metric", metric), ("other", other)]:
        found[f"soft_pairwise_accuracy {name}"] = float(pce.compute_one_minus_pce(
            pce.compute_pairwise_p_values(gold), pce.compute_pairwise_p_values(rows)))
    write_json("mt_metrics_eval", found)


TOOLS = [sacrebleu, jiwer, nltk, pycocoevalcap, torchmetrics, rouge_score, rouge, meteor, terp, mteval, gtm, per,
         overlap, character, cer, moses, scipy, mt_metrics_eval]

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", nargs="+", choices=[tool.__name__ for tool in TOOLS])
    parser.add_argument("--place", help="the tool's program, library or folder")
    parser.add_argument("--wordnet", help="folder of WordNet 3.0's dictionary, for terp")
    given = parser.parse_args()
    for tool in TOOLS:
        if tool.__name__ in given.tools:
            tool(given)
