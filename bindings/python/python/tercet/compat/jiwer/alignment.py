"""Alignments and errors as text."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Union

from .process import AlignmentChunk, CharacterOutput, WordOutput

Output = Union[WordOutput, CharacterOutput]

_LETTERS = {"equal": " ", "substitute": "S", "delete": "D", "insert": "I"}


def visualize_alignment(
    output: Output, show_measures: bool = True, skip_correct: bool = True, line_width: int | None = None
) -> str:
    """Each pair of lines with its errors, one above the other, and the rates."""
    is_words = not isinstance(output, CharacterOutput)
    shown = ""
    for number, chunks in enumerate(output.alignments):
        is_correct = not chunks or (len(chunks) == 1 and chunks[0].type == "equal")
        if not (skip_correct and is_correct):
            pairs = _pairs(output.references[number], output.hypotheses[number], chunks)
            rows = _rows(pairs, " " if is_words else "", line_width)
            shown += f"=== SENTENCE {number + 1} ===\n\n{rows}\n"
    if not show_measures:
        return shown[:-1]
    counts = ("substitutions", "deletions", "insertions", "hits")
    rates = ("mer", "wil", "wip", "wer") if is_words else ("cer",)
    return (
        f"{shown}=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n"
        + " ".join(f"{name}={getattr(output, name)}" for name in counts)
        + "\n"
        + "".join(f"\n{name}={getattr(output, name) * 100:.2f}%" for name in rates)
        + "\n"
    )


def _pairs(reference: list[str], hypothesis: list[str], chunks: list[AlignmentChunk]) -> list[tuple[str, str, str]]:
    """What stands one above the other: a unit of each text, or a star, and the letter of the error."""
    pairs = []
    for chunk in chunks:
        if chunk.type not in _LETTERS:
            raise ValueError(f"unknown kind of chunk {chunk.type!r}")
        above = reference[chunk.ref_start_idx : chunk.ref_end_idx]
        below = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
        if chunk.type == "delete":
            below = ["*"] * len(above)
        elif chunk.type == "insert":
            above = ["*"] * len(below)
        pairs += [(one, other, _LETTERS[chunk.type]) for one, other in zip(above, below)]
    return pairs


def _rows(pairs: list[tuple[str, str, str]], separator: str, line_width: int | None) -> str:
    starts = ("REF: ", "HYP: ", "     ")
    done, rows = "", list(starts)

    def finished() -> str:
        return "".join((row[:-1] if separator else row) + "\n" for row in rows)

    for above, below, letter in pairs:
        width = max(len(above), len(below), 1)
        if line_width is not None and len(rows[0]) + width > line_width:
            done, rows = done + finished() + "\n", list(starts)
        if above == "*":
            above = "*" * width
        elif below == "*":
            below = "*" * width
        for i, text in enumerate((above, below, letter)):
            rows[i] += f"{text:>{width}}{separator}"
    return done + finished()


def collect_error_counts(
    output: Output,
) -> tuple[dict[tuple[str, str], int], dict[str, int], dict[str, int]]:
    """How often each run of units was replaced (from, to), inserted and deleted."""
    substitutions: dict[tuple[str, str], int] = defaultdict(int)
    insertions: dict[str, int] = defaultdict(int)
    deletions: dict[str, int] = defaultdict(int)
    separator = " " if isinstance(output, WordOutput) else ""
    for reference, hypothesis, chunks in zip(output.references, output.hypotheses, output.alignments):
        for chunk in chunks:
            expected = separator.join(reference[chunk.ref_start_idx : chunk.ref_end_idx])
            found = separator.join(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "insert":
                insertions[found] += 1
            elif chunk.type == "delete":
                deletions[expected] += 1
            elif chunk.type == "substitute":
                substitutions[expected, found] += 1
    return substitutions, insertions, deletions


def visualize_error_counts(
    output: Output,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: int | None = None,
) -> str:
    """The errors, the most frequent ones first."""
    shown = (show_substitutions, show_insertions, show_deletions)
    titles = ("SUBSTITUTIONS", "INSERTIONS", "DELETIONS")
    counts: tuple[dict[Any, int], ...] = collect_error_counts(output)
    parts = [
        f"=== {title} ===\n{_listed(errors, top_k)}"
        for is_shown, title, errors in zip(shown, titles, counts)
        if is_shown
    ]
    text = "\n".join(parts)
    return text[:-1] if text.endswith("\n") else text


def _listed(errors: dict[Any, int], top_k: int | None) -> str:
    if not errors:
        return "none"
    ordered = sorted(errors.items(), key=lambda error: error[1], reverse=True)
    # A negative number leaves out the last ones where widths are measured only, as in jiwer.
    measured = [texts for texts, _ in ordered][:top_k] if top_k is not None else [texts for texts, _ in ordered]
    width = max(max(map(len, texts)) if isinstance(texts, tuple) else len(texts) for texts in measured)
    lines = ""
    for texts, count in ordered if top_k is None else ordered[: max(top_k, 0)]:
        words = texts if isinstance(texts, tuple) else (texts,)
        lines += " --> ".join(f"{word:<{width}}" for word in words) + f" = {count}x\n"
    return lines


__all__ = ["collect_error_counts", "visualize_alignment", "visualize_error_counts"]
