"""Second voices of 00_start_here: what else there is to read, watch and try."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Resource:
    """Something outside the course: where it belongs, what it is, where it is."""

    lectures: str  # "02-05": from the first to the last
    author: str
    title: str
    address: str
    what: str = ""

    @property
    def markdown(self) -> str:
        after = f", {self.what}" if self.what else ""
        return f"{self.author}, [{self.title}]({self.address}){after}"


RESOURCES = (
    Resource(
        "02-05",
        "Goodfellow, Bengio and Courville",
        "Deep Learning, chapter 10",
        "https://www.deeplearningbook.org/contents/rnn.html",
        "sections 10.1 to 10.5, 10.7, 10.10 and 10.11",
    ),
    Resource(
        "02-06",
        "Karpathy",
        "The unreasonable effectiveness of recurrent neural networks",
        "https://karpathy.github.io/2015/05/21/rnn-effectiveness/",
        "an essay, and a program of a hundred lines",
    ),
    Resource(
        "04",
        "Olah",
        "Understanding LSTM networks",
        "https://colah.github.io/posts/2015-08-Understanding-LSTMs/",
        "the diagrams that everybody knows",
    ),
    Resource(
        "04-05",
        "Phi",
        "Illustrated guide to LSTM's and GRU's: a step by step explanation",
        "https://towardsdatascience.com/illustrated-guide-to-lstms-and-gru-s-a-step-by-step-explanation-44e9eb85bf21",
    ),
    Resource(
        "01-07",
        "Zhang and others, Dive into Deep Learning",
        "recurrent neural networks",
        "https://d2l.ai/chapter_recurrent-neural-networks/index.html",
        "with code in four libraries",
    ),
    Resource(
        "08-10",
        "Zhang and others, Dive into Deep Learning",
        "attention mechanisms and Transformers",
        "https://d2l.ai/chapter_attention-mechanisms-and-transformers/index.html",
    ),
    Resource(
        "09",
        "Karim",
        "Illustrated: self-attention",
        "https://towardsdatascience.com/illustrated-self-attention-2d627e33b20a",
        "with numbers and code",
    ),
    Resource(
        "10",
        "Alammar",
        "The illustrated Transformer",
        "https://jalammar.github.io/illustrated-transformer/",
    ),
    Resource(
        "10",
        "Rush and others",
        "The annotated Transformer",
        "https://nlp.seas.harvard.edu/annotated-transformer/",
        "the paper, line by line in code",
    ),
    Resource(
        "09-11",
        "Cho and others",
        "Transformer explainer",
        "https://poloclub.github.io/transformer-explainer/",
        "GPT-2 in the browser",
    ),
    Resource(
        "10",
        "TensorFlow",
        "Neural machine translation with a Transformer",
        "https://www.tensorflow.org/text/tutorials/transformer",
        "a notebook",
    ),
    Resource(
        "11",
        "Hugging Face",
        "Transformers notebooks",
        "https://huggingface.co/docs/transformers/notebooks",
    ),
    Resource(
        "01-11",
        "MIT 6.S191",
        "Introduction to deep learning",
        "https://introtodeeplearning.com/",
        "films, slides and labs; the second lecture is on sequences",
    ),
    Resource(
        "01-11",
        "DAIR.AI",
        "ML course notes",
        "https://github.com/dair-ai/ML-Course-Notes",
        "notes on that lecture and on others",
    ),
    Resource(
        "01-06",
        "Kaggle",
        "Daily climate time series data",
        "https://www.kaggle.com/datasets/sumanthvrao/daily-climate-time-series-data",
        "to practise forecasting on",
    ),
)


def second_voices() -> str:
    """The resources as a table in Markdown."""
    rows = [f"| {item.lectures} | {item.markdown} |" for item in RESOURCES]
    return "\n".join(["| lectures | |", "|---|---|", *rows])
