r"""English and French sentences from one synchronous grammar, with true alignments.

Data: generated here from a seed; nothing is downloaded and no licence applies.

A synchronous grammar writes both languages at once. Every phrase is a pair, and a rule
joins phrases in one order in English and in another in French, so it is known which
French word comes from which English ones. What the grammar knows of French: adjectives
after the noun in mirrored order ("Economic Area", "zone économique"),
a few before it ("nouvel accord"), gender and number, ne ... pas around the verb,
l' before a vowel, de + le = du. Introduced in lecture 07, used in 08 and 10.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Words = tuple[str, ...]

# English, plural; French singular, plural; gender
TEXTS = [
    ("agreement", "agreements", "accord", "accords", "m"),
    ("treaty", "treaties", "traité", "traités", "m"),
    ("report", "reports", "rapport", "rapports", "m"),
    ("law", "laws", "loi", "lois", "f"),
    ("decision", "decisions", "décision", "décisions", "f"),
]
TOPICS = [
    ("Area", "Areas", "zone", "zones", "f"),
    ("Market", "Markets", "marché", "marchés", "m"),
    ("Union", "Unions", "union", "unions", "f"),
    ("Budget", "Budgets", "budget", "budgets", "m"),
    ("School", "Schools", "école", "écoles", "f"),
]
PEOPLE = [
    ("minister", "ministers", "ministre", "ministres", "m"),
    ("commission", "commissions", "commission", "commissions", "f"),
    ("assembly", "assemblies", "assemblée", "assemblées", "f"),
    ("president", "presidents", "président", "présidents", "m"),
]
# English; French m, f, m plural, f plural
AFTER = [
    ("European", "européen", "européenne", "européens", "européennes"),
    ("Economic", "économique", "économique", "économiques", "économiques"),
    ("National", "national", "nationale", "nationaux", "nationales"),
    ("Social", "social", "sociale", "sociaux", "sociales"),
    ("Industrial", "industriel", "industrielle", "industriels", "industrielles"),
]
BEFORE = [  # the last one: m singular before a vowel
    ("new", "nouveau", "nouvelle", "nouveaux", "nouvelles", "nouvel"),
    ("old", "vieux", "vieille", "vieux", "vieilles", "vieil"),
    ("long", "long", "longue", "longs", "longues", "long"),
]
# English participle; French m; and the present: English, plural, base; French, plural
VERBS = [
    ("signed", "signé", "signs", "sign", "signe", "signent"),
    ("rejected", "rejeté", "rejects", "reject", "rejette", "rejettent"),
    ("accepted", "accepté", "accepts", "accept", "accepte", "acceptent"),
    ("published", "publié", "publishes", "publish", "publie", "publient"),
]
MONTHS = [("May", "mai"), ("June", "juin"), ("August", "août"), ("October", "octobre")]
YEARS = ("1957", "1986", "1992", "2004", "2016")
VOWELS = "aeiouéèêâîôûh"


@dataclass(frozen=True)
class Pair:
    """A phrase in both languages; links are (French, English) positions, from 0."""

    english: Words
    french: Words
    links: frozenset[tuple[int, int]]

    @property
    def matrix(self) -> np.ndarray:
        """The alignment as a picture: (French words, English words), True = linked."""
        linked = np.zeros((len(self.french), len(self.english)), dtype=bool)
        for row, column in self.links:
            linked[row, column] = True
        return linked


@dataclass(frozen=True)
class Corpus:
    """Sentences to learn from and sentences kept back; no sentence is in both."""

    train: tuple[Pair, ...]
    test: tuple[Pair, ...]


def word(english: str, french: str) -> Pair:
    """Words for words, each linked with each: "of the" and "du" are linked twice."""
    en, fr = tuple(english.split()), tuple(french.split())
    links = {(i, j) for i in range(len(fr)) for j in range(len(en))}
    return Pair(en, fr, frozenset(links))


def join(*parts: Pair, order: tuple[int, ...] | None = None) -> Pair:
    """A rule: English in the given order, French in `order`, links carried along."""
    order = order or tuple(range(len(parts)))
    if sorted(order) != list(range(len(parts))):
        raise ValueError(f"order {order} is no rearrangement of {len(parts)} parts")
    english, start = (), {}
    for number, part in enumerate(parts):
        start[number] = len(english)
        english += part.english
    french, links = (), set()
    for number in order:
        part = parts[number]
        links |= {(len(french) + i, start[number] + j) for i, j in part.links}
        french += part.french
    return Pair(english, french, frozenset(links))


@dataclass(frozen=True)
class Noun:
    """A noun with its adjectives, before the article is known."""

    pair: Pair
    gender: str
    plural: bool


def noun(
    entry: Words,
    after: Sequence[Words] = (),
    before: Words | None = None,
    plural: bool = False,
) -> Noun:
    """adjective noun -> noun adjective; two adjectives after the noun are mirrored."""
    english, english_s, french, french_s, gender = entry
    column = 1 + (gender == "f") + 2 * plural
    head = word(english_s if plural else english, french_s if plural else french)
    adjectives = [word(entry[0], entry[column]) for entry in after]
    last = len(adjectives)
    pair = join(*adjectives, head, order=tuple(range(last, -1, -1)))
    if before:
        vowel = pair.french[0][0] in VOWELS and column == 1
        pair = join(word(before[0], before[5 if vowel else column]), pair)
    return Noun(pair, gender, plural)


def the(noun: Noun, of: bool = False) -> Pair:
    """Article and noun: le, la, l', les; with `of`: du, de la, de l', des."""
    vowel = noun.pair.french[0][0] in VOWELS
    if noun.plural:
        article = "des" if of else "les"
    elif vowel:
        article = "de l'" if of else "l'"
    elif noun.gender == "f":
        article = "de la" if of else "la"
    else:
        article = "du" if of else "le"
    if of and " " in article:
        start, article = article.split()
        return join(word("of", start), word("the", article), noun.pair)
    return join(word("of the" if of else "the", article), noun.pair)


def passive(
    subject: Noun, about: list[Pair], verb: Words, month: tuple[str, str], year: str
) -> Pair:
    """the agreement on ... was signed in August 1992"""
    ending = ("e" if subject.gender == "f" else "") + ("s" if subject.plural else "")
    parts = [
        the(subject),
        *about,
        word("were", "ont été") if subject.plural else word("was", "a été"),
        word(verb[0], verb[1] + ending),
        word("in", "en"),
        word(*month),
        word(year, year),
    ]
    return join(*parts)


def active(subject: Noun, verb: Words, what: Noun, negated: bool) -> Pair:
    """the minister does not sign the law: le ministre ne signe pas la loi"""
    french = verb[5] if subject.plural else verb[4]
    if not negated:
        english = verb[3] if subject.plural else verb[2]
        return join(the(subject), word(english, french), the(what))
    ne = "n'" if french[0] in VOWELS else "ne"
    does = word("do" if subject.plural else "does", ne)
    parts = the(subject), does, word("not", "pas"), word(verb[3], french), the(what)
    return join(*parts, order=(0, 1, 3, 2, 4))


def famous() -> Pair:
    """the agreement on the European Economic Area was signed in August 1992"""
    area = noun(TOPICS[0], after=AFTER[:2])
    about = [join(word("on", "sur"), the(area))]
    return passive(noun(TEXTS[0]), about, VERBS[0], MONTHS[2], "1992")


def sentence(rng: np.random.Generator) -> Pair:
    """One sentence, drawn from the grammar."""
    one = lambda items: items[rng.integers(len(items))]  # noqa: E731
    chance = lambda share: bool(rng.random() < share)  # noqa: E731

    def adjectives() -> list:
        how_many = int(rng.choice([0, 1, 2], p=[0.25, 0.35, 0.4]))
        return [AFTER[i] for i in rng.permutation(len(AFTER))[:how_many]]

    def small(entries: Sequence[Words]) -> Noun:
        return noun(one(entries), [], one(BEFORE) if chance(0.4) else None, chance(0.3))

    def topic() -> Noun:
        return noun(one(TOPICS), adjectives())

    if chance(0.4):
        return active(small(PEOPLE), one(VERBS), small(TEXTS), chance(0.6))
    about = []
    if chance(0.8):
        about.append(join(word("on", "sur"), the(topic())))
    if chance(0.3):
        about.append(the(topic(), of=True))
    return passive(small(TEXTS), about, one(VERBS), one(MONTHS), one(YEARS))


def load(seed: int = 0, train: int = 4_000, test: int = 400) -> Corpus:
    """Distinct sentences; the famous one is always the first of the test sentences."""
    if train < 1 or test < 1:
        raise ValueError(f"train and test must be positive, got {train} and {test}")
    rng = np.random.default_rng(seed)
    found = {famous().english: famous()}
    while len(found) < train + test:
        made = sentence(rng)
        found.setdefault(made.english, made)
    pairs = tuple(found.values())
    return Corpus(pairs[test:], pairs[:test])
