"""Training from a recipe: a TOML file, a dict, or keyword arguments."""

from __future__ import annotations

import os
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, NamedTuple

from . import _native
from .aliases import Path, Progress
from .arguments import MAX_SEED, optional_whole
from .errors import Error, RequestError
from .progress import reporting


class Trained(NamedTuple):
    """A trained model: its file, the start of its hash, and its notes (data, seed, scores, recipe)."""

    model: str
    hash: str
    notes: dict[str, str]


class RecipeKind(NamedTuple):
    """A kind of recipe: its name, what it trains, and a recipe with all its keys."""

    name: str
    trains: str
    keys: str


def recipe_kinds() -> list[RecipeKind]:
    """Every kind of recipe."""
    return [RecipeKind(*kind) for kind in _native.recipe_kinds()]


def train(
    recipe: None | Path | Mapping[str, Any] = None,
    *,
    output: Path | None = None,
    folder: Path | None = None,
    resume: bool = False,
    force: bool = False,
    seed: int | None = None,
    epochs: int | None = None,
    steps: int | None = None,
    progress: Progress = True,
    **tables: Any,
) -> Trained:
    """Trains a model from a recipe.

    The recipe is a TOML file, or its keys as a dict or as keyword arguments: `train(kind="pairwise", data={"train":
    […]},
    output="model.safetensors")`. Files that it names are in `folder` (default: beside the recipe file, or the working
    folder).
    """
    if isinstance(recipe, (str, os.PathLike)):
        if tables:
            raise RequestError("give the keys of a recipe, or its file, not both")
        return _train(recipe, folder, output, resume, force, seed, epochs, steps, progress)
    if output is None:
        raise RequestError("name the model file: output='model.safetensors'")
    import tempfile

    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "recipe.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(to_toml({**(recipe or {}), **tables}))
        here = os.getcwd() if folder is None else folder
        try:
            return _train(path, here, output, resume, force, seed, epochs, steps, progress)
        except Error as error:
            # The file is not the user's.
            raise type(error)(str(error).replace(path, "the recipe")) from None


def _train(
    recipe: Path,
    folder: Path | None,
    output: Path | None,
    resume: bool,
    force: bool,
    seed: int | None,
    epochs: int | None,
    steps: int | None,
    progress: Progress,
) -> Trained:
    arguments = {
        "resume": resume,
        "force": force,
        "seed": optional_whole(seed, "seed", 0, MAX_SEED),
        "epochs": optional_whole(epochs, "epochs"),
        "steps": optional_whole(steps, "steps"),
    }
    data, target = (None if path is None else os.fspath(path) for path in (folder, output))
    with reporting(progress) as report:
        model, found, notes = _native.train_recipe(arguments, os.fspath(recipe), data, target, report)
    return Trained(os.fspath(model), found, dict(notes))


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def to_toml(recipe: Mapping[str, Any], prefix: str = "") -> str:
    """A recipe as TOML: values first, then tables."""
    values = {key: value for key, value in recipe.items() if not isinstance(value, Mapping)}
    tables = {key: value for key, value in recipe.items() if isinstance(value, Mapping)}
    text = "".join(f"{_quoted(key)} = {_value(key, value)}\n" for key, value in values.items())
    for key, table in tables.items():
        name = f"{prefix}{_quoted(key)}"
        text += f"\n[{name}]\n{to_toml(table, f'{name}.')}"
    return text


def _value(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return _quoted(os.fspath(value))
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value))  # numpy's own is no number of TOML
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(key, item) for item in value) + "]"
    raise TypeError(f"{key}: a recipe has no values of type {type(value).__name__}")
