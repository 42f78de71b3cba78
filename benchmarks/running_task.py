"""The rows of the thread's table (course_lib/running_task.tsv), measured once.

    python benchmarks/running_task.py                      # which models there are
    python benchmarks/running_task.py "additive attention" # three seeds of one of them
    python benchmarks/running_task.py all --seeds 0 1 2    # everything: some minutes

Every run is trained as `running_task.trained` trains, on one thread, tested on both
test sets and put into the table in place of the run of the same lecture, model and
seed. A lecture that has a new model adds it to MODELS, with the settings it uses
itself.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from course_lib import running_task
from course_lib.models.additive import AttentionSeq2Seq
from course_lib.models.efficient import LinearAttention
from course_lib.models.gpt import Prompted, SinusoidalGPT
from course_lib.models.placed import PlacedTransformer
from course_lib.models.recurrent_gpt import RecurrentGPT
from course_lib.models.seq2seq import Seq2Seq
from course_lib.models.transformer import Transformer
from course_lib.running_task import Result, Translator
from course_lib.seeds import set_seed


@dataclass(frozen=True)
class Entry:
    """A row of the table: who trains what, and how it differs from the usual."""

    lecture: str
    make: Callable[[int, int], Any]  # sizes of both vocabularies -> the model
    options: dict[str, Any] = field(default_factory=dict)  # of running_task.trained


def with_linear_attention(english: int, french: int) -> Transformer:
    """Lecture 15's: every self-attention layer swapped, cross-attention kept."""
    model = Transformer(english, french)
    for layer in [*model.encoder, *model.layers]:
        layer.attend = LinearAttention(64, 4)
    return model


def with_linear_attention_everywhere(english: int, french: int) -> Transformer:
    """The decoder reads the source by linear attention, too."""
    model = with_linear_attention(english, french)
    for layer in model.layers:
        layer.cross = LinearAttention(64, 4)
    return model


def decoder_only(english: int, french: int) -> Prompted:
    """Lecture 11's: one stack that reads English and goes on in French.

    As many blocks as lecture 10's Transformer has in its two stacks, the same positions
    and, with d_ff = 200, as many parameters within one in a hundred.
    """
    sizes = {"d_model": 64, "heads": 4, "layers": 4, "d_ff": 200}
    return Prompted(english, french, SinusoidalGPT, **sizes)


def recurrent(*attention: int) -> Entry:
    """Lecture 17's: lecture 11's stack with a recurrence in place of attention.

    The layers named keep softmax attention. Nobody is told positions.
    """
    sizes = {"d_model": 64, "heads": 4, "layers": 4, "d_ff": 200}
    make = partial(Prompted, kind=RecurrentGPT, **sizes, attention=attention)
    return Entry("17", make, {"lr": 3e-3})


def placed(way: str, d_model: int = 64) -> Entry:
    """Lecture 10's Transformer, told positions in another way, all else equal.

    At width 40 it has about as many parameters as lecture 08's additive attention.
    """
    make = partial(PlacedTransformer, way=way, d_model=d_model)
    return Entry("10", make, {"lr": 3e-3})


MODELS: dict[str, Entry] = {
    "plain LSTM": Entry("07", lambda en, fr: Seq2Seq(en, fr, 32, 64)),
    "plain LSTM, input reversed": Entry(
        "07", lambda en, fr: Seq2Seq(en, fr, 32, 64, reverse=True)
    ),
    "additive attention": Entry("08", AttentionSeq2Seq),
    "Transformer": Entry("10", Transformer, {"lr": 3e-3}),
    "Transformer, no positions": placed("none"),
    "Transformer, learned positions": placed("learned"),
    "Transformer, relative positions": placed("relative"),
    "Transformer, rotary positions": placed("rotary"),
    "Transformer, width 40": placed("sinusoidal", 40),
    "Transformer, rotary, width 40": placed("rotary", 40),
    "decoder only": Entry("11", decoder_only, {"lr": 3e-3}),
    "linear attention": Entry("15", with_linear_attention, {"lr": 3e-3}),
    "linear attention everywhere": Entry(
        "15", with_linear_attention_everywhere, {"lr": 3e-3}
    ),
    "gated recurrence": recurrent(),
    "recurrence and attention": recurrent(1, 3),
    "decoder only, no positions": recurrent(0, 1, 2, 3),
}


def run(name: str, seed: int, **changed: Any) -> Result:
    """Train and test one model of MODELS."""
    entry, data = MODELS[name], running_task.load()
    set_seed(seed)  # also: one thread
    model: Translator = entry.make(len(data.english), len(data.french))
    options = entry.options | changed
    result, _ = running_task.trained(entry.lecture, name, model, seed=seed, **options)
    return result


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("models", nargs="*", help="names of models, or all")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--steps", type=int, help="instead of the model's own")
    parser.add_argument("--table", type=Path, default=running_task.TABLE)
    options = parser.parse_args(words)
    names = list(MODELS) if options.models == ["all"] else options.models
    unknown = [name for name in names if name not in MODELS]
    if unknown or not names:
        parser.exit(2 if unknown else 0, f"models: {', '.join(MODELS)}\n")
    changed = {} if options.steps is None else {"steps": options.steps}
    for name in names:
        for seed in options.seeds:
            running_task.record(run(name, seed, **changed), options.table)
    print(running_task.table(running_task.recorded(options.table)))


if __name__ == "__main__":
    main()
