"""tercet in training loops, harnesses, data frames and loggers."""

from __future__ import annotations

import textwrap

import numpy
import pandas
import pytest
import tercet
from tercet.integrations import evaluate_metric, lm_eval, transformers

HYPOTHESES = ["the cat sat on a mat", "it rained"]
REFERENCES = ["the cat sat on the mat", "it rained all day"]


def quiet_score(*arguments, **options):
    return tercet.score(*arguments, checks=False, progress=False, **options)


def test_numbers_under_flat_names():
    one = quiet_score(HYPOTHESES, REFERENCES, ["bleu:tok=intl", "chrf++"], confidence=True).to_flat("eval_")
    names = ["bleu_tok_intl", "chrfpp"]
    assert list(one) == [f"eval_{name}{end}" for name in names for end in ("", "_low", "_high")]
    assert all(isinstance(value, float) for value in one.values())
    two = quiet_score({"a": HYPOTHESES, "b x=1": REFERENCES}, REFERENCES, "chrf", paired="ar", resamples=20)
    flat = two.to_flat()
    assert list(flat) == ["a/chrf", "b x_1/chrf", "b x_1/chrf_p"]
    assert flat["b x_1/chrf_p"] == two.comparisons[0].p


def test_flat_names_are_taken_by_mlflow(tmp_path):
    pytest.importorskip("mlflow", reason="mlflow is not installed: pip install mlflow-skinny")
    from mlflow.utils.validation import _validate_metric_name

    for name in quiet_score({"a+": HYPOTHESES, "b": REFERENCES}, REFERENCES, ["chrf++", "bleu:tok=intl"]).to_flat():
        _validate_metric_name(name)


class Words:
    """A tokenizer whose tokens are the numbers of words."""

    pad_token_id = 0

    def __init__(self, lines):
        self.words = ["", *dict.fromkeys(word for line in lines for word in line.split())]

    def encode(self, lines, padding):
        numbers = [[self.words.index(word) for word in line.split()] for line in lines]
        width = max(map(len, numbers))
        return numpy.array([line + [padding] * (width - len(line)) for line in numbers])

    def batch_decode(self, tokens, skip_special_tokens):
        assert skip_special_tokens
        return [" ".join(self.words[number] for number in line if number) for line in tokens]


def test_a_trainer_computes_metrics():
    tokenizer = Words(HYPOTHESES + REFERENCES)
    compute = transformers.compute_metrics(tokenizer, ["bleu", "chrf"], prefix="x_")
    predictions, labels = tokenizer.encode(HYPOTHESES, 0), tokenizer.encode(REFERENCES, -100)
    expected = {**quiet_score(HYPOTHESES, REFERENCES, ["bleu", "chrf"]).to_flat("x_"), "x_gen_len": 4.0}
    assert compute((predictions, labels)) == expected
    assert compute(((predictions, None), labels)) == expected
    logits = numpy.eye(len(tokenizer.words))[predictions]
    assert compute((logits, labels)) == expected
    tokenizer.pad_token_id = None
    with pytest.raises(tercet.DataError, match="no pad_token"):
        compute((predictions, labels))


def test_a_data_frame_is_scored():
    import tercet.integrations.pandas  # noqa: F401

    frame = pandas.DataFrame({"hypothesis": HYPOTHESES, "b": REFERENCES, "reference": REFERENCES}, index=[7, 3])
    assert frame.tercet.score(metrics="chrf", checks=False) == quiet_score(HYPOTHESES, REFERENCES, "chrf")
    two = frame.tercet.score(["hypothesis", "b"], ["reference", "b"], "chrf", checks=False)
    assert two.systems == ["hypothesis", "b"] and two["chrf"]["b"].score == 100
    scored = frame.tercet.segments(metrics=["chrf", "ter"])
    assert list(scored.columns) == ["hypothesis", "b", "reference", "chrf", "ter"] and list(scored.index) == [7, 3]
    assert scored["chrf"].tolist() == tercet.Metric("chrf").segment_scores(HYPOTHESES, REFERENCES)
    with pytest.raises(KeyError, match="there is no column 'output': the columns are hypothesis"):
        frame.tercet.score("output")


def test_a_metric_of_the_package_evaluate(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    evaluate = pytest.importorskip("evaluate", reason="evaluate is not installed: pip install evaluate")
    module = evaluate.load(evaluate_metric(), "chrf++", cache_dir=str(tmp_path))
    expected = quiet_score(HYPOTHESES, REFERENCES, "chrf++").to_flat()
    assert module.compute(predictions=HYPOTHESES, references=REFERENCES) == expected
    several = module.compute(predictions=HYPOTHESES, references=[[one] for one in REFERENCES], metrics=["bleu", "ter"])
    assert several == quiet_score(HYPOTHESES, REFERENCES, ["bleu", "ter"]).to_flat()


DOCUMENTS = [
    {"source": "Die Katze", "target": "the cat sat on the mat"},
    {"source": "Es", "target": ["it rained", "x"]},
]


def test_functions_of_a_task():
    process = lm_eval.process_results("bleu", "chrf", reference="target")
    items = [process(doc, [f" {line}\n"]) for doc, line in zip(DOCUMENTS, HYPOTHESES)]
    assert items[1] == {"bleu": (["it rained", "x"], "it rained"), "chrf": (["it rained", "x"], "it rained")}
    expected = tercet.Metric("chrf").score(HYPOTHESES, [["the cat sat on the mat"], ["it rained", "x"]])
    assert lm_eval.aggregation("chrf")([item["chrf"] for item in items]) == expected
    by_function = lm_eval.process_results("chrf", reference=lambda doc: doc["source"])
    assert by_function(DOCUMENTS[0], ["a"]) == {"chrf": (["Die Katze"], "a")}
    with pytest.raises(tercet.DataError, match="generate_until"):
        process(DOCUMENTS[0], [(0.5, True)])


def test_a_task_of_the_evaluation_harness(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    harness = pytest.importorskip("lm_eval", reason="lm_eval is not installed: pip install lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    (tmp_path / "task").mkdir()
    (tmp_path / "texts.jsonl").write_text(
        "".join(f'{{"source": "{line}", "target": "{other}"}}\n' for line, other in zip(HYPOTHESES, REFERENCES))
    )
    (tmp_path / "task" / "utils.py").write_text(
        textwrap.dedent("""
        from tercet.integrations import lm_eval

        process_results = lm_eval.process_results("bleu", "chrf", reference="target")
        bleu, chrf = lm_eval.aggregation("bleu"), lm_eval.aggregation("chrf")
        """)
    )
    (tmp_path / "task" / "task.yaml").write_text(
        textwrap.dedent(f"""
        task: my_translation
        dataset_path: json
        dataset_kwargs: {{data_files: {{test: "{tmp_path / "texts.jsonl"}"}}}}
        test_split: test
        output_type: generate_until
        doc_to_text: "{{{{source}}}}"
        doc_to_target: "{{{{target}}}}"
        process_results: !function utils.process_results
        metric_list:
          - {{metric: bleu, aggregation: !function utils.bleu, higher_is_better: true}}
          - {{metric: chrf, aggregation: !function utils.chrf, higher_is_better: true}}
        """)
    )

    class Copy(LM):
        """A model that gives the prompt back."""

        def generate_until(self, requests):
            return [request.args[0] for request in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

    tasks = TaskManager(include_path=str(tmp_path / "task"), include_defaults=False)
    found = harness.simple_evaluate(Copy(), tasks=["my_translation"], task_manager=tasks, bootstrap_iters=0)
    scores = found["results"]["my_translation"]
    for metric in ("bleu", "chrf"):
        assert scores[f"{metric},none"] == tercet.Metric(metric).score(HYPOTHESES, REFERENCES)
