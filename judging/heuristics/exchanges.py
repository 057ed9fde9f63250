"""What an exchange is about: what was asked of which passage, which passages were brought, whether they have it."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from judging.heuristics import lexicons
from judging.heuristics.criteria import LEAST, bearings, lookout, shows
from judging.heuristics.evidence import (
    CURRENCY,
    Figure,
    Passage,
    brought_in,
    figures,
    is_number,
    passage_of,
    passages,
    place,
)
from judging.heuristics.text import READ_LIMIT, WORD, content_stems, lowered, squeezed, stem, tokens
from judging.types import CriterionCard, Exchange

# What a challenge asks for, read from its words by everybody who speaks after it.


CHALLENGER, EVALUATOR = "challenger", "evaluator"
BREAK = re.compile(r"(?:,(?![0-9])|[;:()\u2013\u2014\u201c\u201d\"])")
QUOTED = re.compile("\u201c([^\u201c\u201d]*)\u201d")


@dataclass(frozen=True, slots=True)
class Demand:
    """The kinds of evidence that a challenge asks for, and the words of the subject that it asks them for.

    ``any_of``: it names no kind, and one of those that its persona looks for is enough. ``of_criterion``: what it asks
    about is the criterion as a whole, by its name.
    """

    kinds: tuple[str, ...]
    about: str
    any_of: bool = False
    of_criterion: bool = False


def said_by(exchange: Exchange, role: str) -> tuple[str, ...]:
    """Return what the red team, or the evaluator, has said in this exchange, oldest first."""
    return tuple(words for _, who, words in exchange.said if who == role)


MOST_PUT = 3
"""Challenges of a criterion that are usually put; templates turn by it, so that a thread does not repeat itself."""


def turn_of(exchange: Exchange) -> int:
    """Return a number that no other exchange of a thread has in any round, by its label: C1, C2, ..."""
    digits = "".join(character for character in exchange.label if character in "0123456789")[:6]
    return int(digits or 0) + MOST_PUT * len(said_by(exchange, EVALUATOR))


def demands(exchange: Exchange, card: CriterionCard, *, otherwise: tuple[str, ...]) -> tuple[Demand, ...]:
    """Return what each challenge of an exchange has asked for, oldest first; ``otherwise`` where it names nothing."""
    return tuple(demand(words, card, otherwise) for words in said_by(exchange, CHALLENGER)) or (
        Demand(otherwise, "", any_of=True),
    )


def demand(words: str, card: CriterionCard, otherwise: tuple[str, ...]) -> Demand:
    """Return what a challenge names in the phrases of this judge; in those of others, what their words come to."""
    said = words[:READ_LIMIT]
    named = {squeezed(card.name), squeezed(card.question)}
    quoted = [phrase for phrase in map(squeezed, QUOTED.findall(said)) if phrase not in named]
    about = quoted[-1] if quoted else ""
    whole = not quoted and bool(card.name.strip()) and f"\u201c{squeezed(card.name)}\u201d" in squeezed(said)
    plain = lowered(raw=tokens(QUOTED.sub(" . ", said)))
    for listed in ("wants", "asks"):
        phrases = lexicons.read("phrases")[listed].items()
        kinds = tuple(
            kind
            for kind, named in phrases
            if any(place(plain, tuple(p.split())) >= 0 for p in ([named] if isinstance(named, str) else named))
        )
        if kinds:
            return Demand(kinds=kinds, about=about, of_criterion=whole)
    return Demand(kinds=otherwise, about=about, any_of=True, of_criterion=whole)


# Whether a passage has a kind of evidence. Between having it and lacking it lies what only sounds like it.


AS_GOOD = {"count": ("count", "share")}
"""Who asks for a number is answered by a share as well."""
COUNTED = ("share", "money", "measure", "count")
KINDS = (*COUNTED, "time", "date")
"""Kinds of figures, those that say most about a matter first."""
RATE = r"{0} (?:an?|per|each|every)\b|(?:of|an?|per) {0}"
LONGEST_TIME = 3
"""Words of a length of time: "340 working hours"."""
PER = re.compile(r" (?:an?|per|each|every) ")
"""A stretch of time that a figure counts by, or one of several, is not how long something takes."""
FULL_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+(?: [A-Z][a-z]+)+|(?<![.!?] )(?<!^)[A-Z][a-z]+ [A-Z][a-z]+")
"""One word may be a town; who can be asked has two, or stands beside others."""
SHARE = re.compile(r"%|\bper\b|percent| of |\b(?:in|out of) \S+$|half|third|quarter|fold|times")
FRACTION = re.compile(r"\b(?:an?|one|two|three) (?:half|third|quarter)s? of\b|\bhalf of (?:the|all|them|our)\b")
NAME_AND_SURNAME = re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b")
LISTED = re.compile(r"[,;:] ")
DATED = re.compile(r"\b(?:1[89]|20)[0-9]{2}\b|[A-Z][a-z]{2}")


def cues(passage: Passage, kind: str) -> tuple[str, ...]:
    """Return the words of a passage that plainly are of a kind; for figures, what they count as well."""
    signs = passage.signs
    phrases = lexicons.read("phrases")
    match kind:
        case "source":
            words_of_kind = () if signs.denied else signs.sources
        case "name":
            line = squeezed(passage.sentence.text)
            first = NAME_AND_SURNAME.match(line)
            full = tuple(FULL_NAME.findall(line)) if signs.names else ()
            full = (first[0], *full) if first and set(first[0].split()) <= set(signs.names) else full
            words_of_kind = full or (signs.names if len(signs.names) > 1 else ())
        case "reason":
            words_of_kind = signs.reasons
        case "comparison":
            words = passage.sentence.words
            counted = all(is_number(after) for word, after in pairwise((*words, "-")) if word == "than")
            words_of_kind = tuple(cue for cue in signs.comparisons if cue != "than" or not counted)
        case "condition":
            words_of_kind = () if signs.absolutes else signs.conditions
        case _:
            every = ((of, figure_text(passage, of)) for of in AS_GOOD.get(kind, (kind,)))
            fractions = FRACTION.findall(passage.sentence.text) if kind == "share" else []
            words_of_kind = (*(text for of, text in every if text and is_plain(passage, of, text)), *fractions)[:1]
    plain = phrases["plain"].get(kind)
    return tuple(
        cue for cue in words_of_kind if cue not in phrases["doubtful"].get(kind, ()) and (not plain or cue in plain)
    )


def is_plain(passage: Passage, kind: str, text: str) -> bool:
    """Tell a share, a number of things, a date and a length of time from figures that only look like one."""
    if kind == "share":
        return SHARE.search(text) is not None
    if kind == "count":
        return text.endswith("s") or text.rsplit(maxsplit=1)[-1] in lexicons.read("phrases")["people"]
    if kind == "time":
        rate = RATE.format(re.escape(text))
        counts = len(text.split()) <= LONGEST_TIME and not PER.search(text)
        return counts and not re.search(rate, squeezed(passage.sentence.text))
    return kind != "date" or DATED.search(text) is not None


def has(passage: Passage, kind: str) -> bool:
    """Tell whether a passage has what was asked for, plainly enough to win by it."""
    return bool(cues(passage, kind))


@lru_cache(maxsize=256)
def having(subject: str, kind: str) -> tuple[Passage, ...]:
    """Return the passages of a subject that have a kind of evidence; those that instruct the judge have none."""
    return tuple(passage for passage in passages(subject) if has(passage, kind) and not passage.signs.instructs)


def lacks(passage: Passage, kind: str) -> bool:
    """Tell whether a passage has nothing that anybody could take for what was asked for."""
    signs = passage.signs
    near = lexicons.read("phrases")["near"].get(kind, "").split()
    if shows(signs, kind) or not set(near).isdisjoint(passage.sentence.words):
        return False
    sounding = {
        "source": signs.names + signs.hollow + signs.denied,
        "name": signs.sources + signs.hollow,
        "condition": signs.mitigations,
        "money": tuple(character for character in passage.sentence.text if character in CURRENCY),
    }
    numbers = kind in {"count", "measure", "money"} and any(map(is_number, passage.sentence.words))
    return not sounding.get(kind) and not numbers


def hedges(passage: Passage) -> tuple[str, ...]:
    """Return the words by which a passage says that it may not be so, and not what is allowed, due or possible."""
    permissive = lexicons.read("phrases")["doubtful"]["hedge"]
    return tuple(cue for cue in passage.signs.hedges if cue not in permissive)


def taken_back(passage: Passage) -> str:
    """Return the words with which a passage takes back what it says, if it does."""
    signs = passage.signs
    words = (*signs.denied, *signs.limits, *hedges(passage))
    return context(passage, words[0], before=1, after=2) if words else ""


AROUND = {"source": (2, 2), "reason": (0, 5), "comparison": (2, 2), "condition": (0, 5)}
"""Words before and after a cue that tell what it is about."""


def evidence_of(passage: Passage, kind: str) -> str:
    """Return the words of a passage that are of a kind, as it has them, or nothing."""
    words = cues(passage, kind)
    if not words or kind not in AROUND:
        return words[0] if words else ""
    before, after = AROUND[kind]
    return context(passage, words[0], before=before, after=after)


REST = 3
"""Words at an end of a clause that are not cut off, and twice as many at its beginning: "The fee covers that" and never
"fee covers that".
"""
ARTICLES = frozenset(["a", "an"])
JOINS = frozenset(["and", "but", "or", "so", "that", "which"])


def context(passage: Passage, cue: str, *, before: int, after: int, whole: int = 0) -> str:
    """Return a cue as it stands in a passage, with some words on either side of it, no further than its clause; and
    with all of that clause, but for how it is joined to the one before, where only a few words (``whole``) would be
    left over at an end.
    """
    sentence = passage.sentence
    spans = [match.span() for match in WORD.finditer(sentence.text)]
    at = place(sentence.words, tuple(cue.split()))
    if at < 0 or len(spans) != len(sentence.words):
        return cue
    last = at + len(cue.split()) - 1
    breaks = [bool(BREAK.search(sentence.text[one[1] : other[0]])) for one, other in pairwise(spans)]
    if whole:  # "a bold, cheap plan" goes on behind its comma
        breaks = [here and sentence.words[max(0, place - 1)] not in ARTICLES for place, here in enumerate(breaks)]
    begin = next((place for place in range(at, 0, -1) if breaks[place - 1]), 0)
    end = next((place for place in range(last, len(spans) - 1) if breaks[place]), len(spans) - 1)
    first, until = max(begin, at - before), min(end, last + after)
    first = begin if first - begin <= 2 * whole else first
    until = end if end - until <= whole else until
    if whole and first == begin:
        while begin < at and sentence.words[begin] in JOINS:
            first = begin = begin + 1
    while first < at and sentence.words[first] in lexicons.everyday() and (first > begin or not whole):
        first += 1
    while until > last and sentence.words[until] in lexicons.everyday() and (until < end or not whole):
        until -= 1
    return squeezed(sentence.text[spans[first][0] : spans[until][1]])


def claim(passage: Passage, word: str) -> str:
    """Return the words around one by which its claim is named: to the ends of its clause, where those are near."""
    return context(passage, word, before=4, after=6, whole=REST)


OPENING = 7
"""So many words name a passage at the most."""


def opening(passage: Passage) -> str:
    """Return the first words of a passage by which it can be named: to its first break, never ending in "of the"."""
    sentence = passage.sentence
    spans = [match.span() for match in WORD.finditer(sentence.text)][:OPENING]
    until = 0
    while until < len(spans) - 1 and not (
        until > 1 and BREAK.search(sentence.text[spans[until][1] : spans[until + 1][0]])
    ):
        until += 1
    while until > 1 and sentence.words[until] in lexicons.everyday():
        until -= 1
    return squeezed(sentence.text[spans[0][0] : spans[until][1]])


def figure_text(passage: Passage, *kinds: str) -> str:
    """Return the figure of some kinds that says most about a matter, with what it counts: "38 euros", "6 of 10"."""
    sentence = passage.sentence
    spans = [match.span() for match in WORD.finditer(sentence.text)]
    every = [figure for figure in figures(words=sentence.words, text=sentence.text) if figure.kind in kinds]
    for figure in sorted(every, key=lambda figure: KINDS.index(figure.kind)):
        first, last = extent(sentence.words, figure)
        start, end = spans[first][0], spans[min(last, len(spans) - 1)][1]
        sign = sentence.text[max(0, start - 1) : start]
        text = squeezed(sentence.text[start - (sign in CURRENCY and bool(sign)) : end])
        if (not text.isalnum() or figure.kind == "date") and not LISTED.search(text):
            return text
    return ""


def extent(words: tuple[str, ...], figure: Figure) -> tuple[int, int]:
    """Return from which to which word a figure goes."""
    at = figure.position
    if figure.kind == "date":
        months = lexicons.words("months")
        first = at - 1 if at and words[at - 1] in months else at
        last = at + 1 if words[at + 1 : at + 2] and words[at + 1] in months else at
        return first, last
    if figure.kind == "share" and words[at + 1 : at + 2] in {("of",), ("in",)}:
        return at, next((then for then in range(at + 2, at + 5) if then < len(words) and is_number(words[then])), at)
    if figure.kind == "share" and words[at + 1 : at + 2] == ("per",):
        return at, min(at + 2, len(words) - 1)
    if figure.kind == "count":
        last = at
        while last < min(at + 2, len(words) - 1) and words[last + 1] not in lexicons.everyday():
            last += 1
            if words[last].endswith("s"):
                break
        return at, last
    units = lexicons.units()
    return at, next(
        (then for then in range(at + 1, min(at + 4, len(words))) if units.get(words[then]) == figure.kind), at
    )


# What was brought in an exchange, and what else in the subject would answer it.


@dataclass(frozen=True, slots=True)
class Answers:
    """The passage that was attacked, those that the last answer brings for the first time, and those before."""

    attacked: Passage | None
    fresh: tuple[Passage, ...]
    earlier: tuple[Passage, ...]

    @property
    def seen(self) -> tuple[Passage, ...]:
        """Return every passage that the exchange has spoken of."""
        return (*((self.attacked,) if self.attacked else ()), *self.earlier, *self.fresh)


def answers(exchange: Exchange, subject: str) -> Answers:
    every = passages(subject)
    attacked = passage_of(exchange.quote, every)
    said = said_by(exchange, EVALUATOR)
    earlier = tuple(dict.fromkeys(passage for words in said[:-1] for passage in brought_in(words, every)))
    latest = brought_in(said[-1], every) if said else ()
    fresh = tuple(passage for passage in latest if passage not in earlier and passage != attacked)
    return Answers(attacked=attacked, fresh=fresh, earlier=earlier)


COMMON = 6
"""A word that more than one sentence in so many has, and more than five, tells nothing about any of them."""
NEXT = 6


@lru_cache(maxsize=64)
def telling(subject: str) -> frozenset[str]:
    """Return the stems of a subject by which its sentences can be told apart."""
    every = passages(subject)
    seen = Counter(stem for passage in every for stem in content_stems(passage.sentence.text))
    counting = content_stems(" ".join([*lexicons.units(), *lexicons.small_numbers()]))
    return frozenset(stem for stem, number in seen.items() if number <= max(5, len(every) // COMMON)) - counting


def matter(passage: Passage, kinds: tuple[str, ...], *, beside: int = 1) -> str:
    """Return what the evidence of some kinds in a passage is about: the clauses that hold it and some beside them.

    A sentence that goes through many things has evidence for one of them.
    """
    text, words = passage.sentence.text, passage.sentence.words
    spans = [match.span() for match in WORD.finditer(text)]
    places = [place(words, lowered(raw=tokens(cue))) for kind in kinds for cue in cues(passage, kind)]
    at = [spans[number_of_word][0] for number_of_word in places if 0 <= number_of_word < len(spans)]
    ends = [0, *(match.start() for match in BREAK.finditer(text)), len(text)]
    clauses = list(pairwise(ends))
    held = {number for number, (start, end) in enumerate(clauses) for here in at if start <= here < end}
    if not held:
        return text
    return " ".join(
        text[start:end]
        for number, (start, end) in enumerate(clauses)
        if not held.isdisjoint(range(number - beside, number + beside + 1))
    )


@lru_cache(maxsize=1_024)
def relevance(subject: str, card: CriterionCard) -> dict[int, int]:
    """Return how much each passage that bears on a criterion does so, by its number."""
    return {bearing.passage.number: bearing.relevance for bearing in bearings(subject, card)}


UNDER_TOPIC = 2
"""Sentences that go on about what one of their paragraph names."""
BREAK_EVEN = re.compile(r"\bbreaks?[ -]even\b", re.IGNORECASE)
"""Nothing breaks there."""
FEW_BREAKS = 3
"""Commas and the like of a sentence all of which is about one thing."""
FOREMOST = 3
"""Weight of the words that no passage has by chance: one of them is enough, of others it takes two."""


def speaks_of(passage: Passage, kinds: tuple[str, ...], subject: str, card: CriterionCard) -> int:
    """Return how much of a criterion a passage names, in a long one only if some of it stands where the evidence of
    some kinds does, and 0 where it is about something else. What is asked of the authors is answered where people are
    spoken of.
    """
    look = lookout(card)
    if look.personal:
        bearing = relevance(subject, card).get(passage.number, 0)
        if "name" in kinds:
            is_there = bearing >= LEAST or bool(weights_in(passage.sentence.text, card))
        else:
            # A count is of what stands in its own clause, a time also of whoever is named beside it.
            is_count = "count" in kinds
            where = matter(passage, kinds, beside=0 if is_count else 1)
            is_theirs = bool(weights_in(where, card)) or (not is_count and NAME_AND_SURNAME.search(where) is not None)
            is_there = bearing >= LEAST and is_theirs
        return max(1, bearing) if is_there and of_people(passage) else 0
    beside = weights_in(matter(passage, kinds), card)
    is_whole = beside or len(BREAK.findall(passage.sentence.text)) <= FEW_BREAKS
    weights = weights_in(passage.sentence.text, card) if is_whole else beside
    if FOREMOST in weights.values() or len(weights) > 1:
        return sum(weights.values())
    return int(continues(passage, subject, card) or names_evidence(passage, kinds, card))


def names_evidence(passage: Passage, kinds: tuple[str, ...], card: CriterionCard) -> bool:
    """Tell whether one word of a criterion is enough: in the very clause of an amount of money, what is paid for, or
    the word for a source, as "recorded" is of what was counted.
    """
    money = "money" in kinds and weights_in(matter(passage, ("money",), beside=0), card)
    source = "source" in kinds and weights_in(" ".join(cues(passage, "source")), card)
    return bool(money or source)


def weights_in(text: str, card: CriterionCard) -> dict[str, int]:
    """Return the stems by which a criterion is found in a text, with their weights; units are left out as evidence."""
    weights = lookout(card).weights
    plain = text if stem("even") in weights else BREAK_EVEN.sub("", text)
    stems = {stem(word) for word in lowered(raw=tokens(plain))} - units()
    named = of_criterion(card)
    weighed = {word: max(weights.get(word, 0), FOREMOST - 1 if word in named else 0) for word in stems}
    return {word: weight for word, weight in weighed.items() if weight > 1}


@cache
def units() -> frozenset[str]:
    return frozenset(stem(word) for word in lexicons.units())


def continues(passage: Passage, subject: str, card: CriterionCard) -> bool:
    """Tell whether a sentence before a passage, in its paragraph, is about a criterion, by two of its words."""
    rows = passages(subject)[max(0, passage.number - UNDER_TOPIC) : passage.number]
    before = (weights_in(r.sentence.text, card) for r in rows if r.sentence.paragraph == passage.sentence.paragraph)
    return any(FOREMOST in weights.values() and len(weights) > 1 for weights in before)


def fit(passage: Passage, attacked: Passage | None, asked: Demand, subject: str, card: CriterionCard) -> int:
    """Return how far a passage speaks of the same matter as the attacked one, or of the question where none is; 0
    where it does not: what it has to say where the evidence stands shares two words with the other that few sentences
    have, or one and stands near it, or one with the very words that were asked about.
    """
    bearing = relevance(subject, card).get(passage.number, 0)
    whole = 0 if asked.about else speaks_of(passage, asked.kinds, subject, card)
    own = content_stems(matter(passage, asked.kinds))
    if attacked is None or asked.of_criterion:
        asked_for = 4 * min(3, len(own & of_criterion(card)))
        near = proximity(passage, attacked) if attacked else 0
        return asked_for + 3 * min(9, whole) + near + 2 * bearing + passage.quality // 6 if whole else 0
    common, near = own & content_stems(attacked.sentence.text), proximity(passage, attacked)
    shared = common & telling(subject)
    named = shared & content_stems(asked.about)
    if whole or len(shared) > 1 or (shared and near) or (near == NEXT and (common or goes_on(passage, attacked))):
        return 8 * min(3, len(shared)) + 4 * min(6, whole) + 4 * len(named) + near + 2 * bearing
    return 0


def ties(passage: Passage, attacked: Passage | None, asked: Demand, card: CriterionCard) -> tuple[str, ...]:
    """Return the words of a passage, as it has them, by which it speaks of a criterion, or of what was attacked: those
    that were asked about first, everyday words where there are no others.
    """
    if attacked is None or not asked.about:
        shared, named = frozenset(weights_in(passage.sentence.text, card)), lookout(card).foremost
    else:
        shared = content_stems(passage.sentence.text) & content_stems(attacked.sentence.text)
        named = content_stems(asked.about)
    pairs = zip(passage.sentence.stems, passage.sentence.raw_words, strict=True)
    written = {stem: word for stem, word in pairs if stem in shared}
    own = [stem for stem in written if written[stem].lower() not in lexicons.everyday()]
    return tuple(written[stem] for stem in sorted(own or written, key=lambda stem: stem not in named))


def nearest(attacked: Passage | None, asked: Demand, subject: str, card: CriterionCard) -> Passage | None:
    """Return the passage that comes nearest to what a criterion as a whole was asked for: one that has it, and names
    most of the criterion of those that do. None where no sentence has it.
    """
    rows = [row for kind in asked.kinds for row in having(subject, kind) if row != attacked]
    personal = lookout(card).personal
    return max(
        rows,
        key=lambda row: (
            personal and of_people(row),
            sum(weights_in(row.sentence.text, card).values()),
            row.quality,
            -row.number,
        ),
        default=None,
    )


def may_answer(passage: Passage, attacked: Passage) -> bool:
    """Tell whether a passage that has what is asked for could be taken to speak of the same matter: too little to win
    by, and enough that nobody may say that the text has none.
    """
    common = content_stems(passage.sentence.text) & content_stems(attacked.sentence.text)
    near = proximity(passage, attacked)
    return near == NEXT or len(common) > 1 or bool(common and near)


def goes_on(passage: Passage, attacked: Passage) -> bool:
    """Tell whether the later of two neighbours begins with a word for what the earlier speaks of, or ends on one."""
    if abs(passage.number - attacked.number) != 1:
        return False
    later = max(passage, attacked, key=lambda row: row.number).sentence.words
    return not set(lexicons.read("phrases")["pronouns"].split()).isdisjoint(later[:4])


def of_people(passage: Passage) -> bool:
    """Tell whether a passage speaks of somebody: by a name and surname, or by what people have done."""
    spoken = passage.sentence.words
    words, others, done = (frozenset(lexicons.read("phrases")[key].split()) for key in ("personal", "rivals", "done"))
    if not others.isdisjoint(spoken):
        return False
    acted = any(word == "we" and (after in done or after.endswith("ed")) for word, after in pairwise(spoken))
    named = NAME_AND_SURNAME.search(passage.line) is not None
    return acted or named or place(spoken, ("took", "us")) >= 0 or not words.isdisjoint(spoken)


@lru_cache(maxsize=256)
def of_criterion(card: CriterionCard) -> frozenset[str]:
    """Return the stems of what a criterion says of itself, to which an answer bears that is asked for it as a whole."""
    own = content_stems(f"{card.name} {card.question} {card.high} {lookout(card).missing}")
    return own - content_stems(" ".join(lexicons.units()))


def proximity(passage: Passage, attacked: Passage) -> int:
    """Return more for the sentence next to another, something in the same paragraph, else 0."""
    if passage.sentence.paragraph != attacked.sentence.paragraph:
        return 0
    return NEXT if abs(passage.number - attacked.number) <= 2 else NEXT // 2
