"""What a response is judged by: its clauses, its claims, what it answers, and the passages it quotes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import pairwise

from judging.heuristics import lexicons
from judging.heuristics.evidence import negated
from judging.heuristics.lexicons import words as listed
from judging.heuristics.text import READ_LIMIT, WORD, Sentence, cut, limited, lowered, sentences, squeezed, stem, tokens
from judging.rules import frameworks
from judging.types import Scene

# Word lists about fairness, and where their phrases stand in a run of words.


@dataclass(frozen=True, slots=True)
class PhraseHit:
    """A phrase of a list at a place in a run of words."""

    at: int
    phrase: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.at + len(self.phrase)


@cache
def phrases(name: str) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Return the phrases of a list by their first word."""
    every: dict[str, list[tuple[str, ...]]] = {}
    for phrase in lexicons.read("words")["cues"][name]:
        words = tuple(phrase.split())
        every.setdefault(words[0], []).append(words)
    return {first: tuple(listed) for first, listed in every.items()}


def hits(words: tuple[str, ...], name: str) -> Iterator[PhraseHit]:
    """Yield every place of every phrase of a list, whole words only, in the order of the words."""
    listed = phrases(name)
    for at, word in enumerate(words):
        for phrase in listed.get(word, ()):
            if words[at : at + len(phrase)] == phrase:
                yield PhraseHit(at, phrase)


def meant(words: tuple[str, ...], name: str) -> tuple[PhraseHit, ...]:
    """Return the places of phrases that no negation reaches, neither from before nor right after them."""
    return tuple(hit for hit in hits(words, name) if not denied(words, hit))


def denied(words: tuple[str, ...], hit: PhraseHit) -> bool:
    """Tell whether a phrase is denied: a negation before it, or "nothing", "no", "little" as what it is about."""
    after = words[hit.end : hit.end + 1]
    nothing = bool(after) and (after[0] in {"no", "nothing", "none", "neither", "little"})
    return nothing or (negated(words, hit.at) and not lexicons.words("negators").intersection(hit.phrase[:1]))


@cache
def framework_words(key: str) -> dict[str, int]:
    """Return the stems that speak for a framework, each with its weight 1..3; none for an unknown one."""
    listed = lexicons.read("words")["frameworks"].get(key, {})
    return {stem(word): int(weight) for weight, words in sorted(listed.items()) for word in words.split()}


@cache
def framework_keys() -> tuple[str, ...]:
    return tuple(lexicons.read("words")["frameworks"])


# A response as clauses, each with whose words or views it gives: the speaker's, an opponent's, or a bystander's.


QUOTED = re.compile(
    '\u201c[^\u201c\u201d]{12,}\u201d|"[^"]{12,}"|(?<!\\w)\u2018(?:[^\u2018\u2019]|\u2019(?=\\w)){12,}\u2019(?!\\w)'
)
MARKED = re.compile(QUOTED.pattern.replace("{12,}", "+"))
"""The same of any length: whoever is quoted with one word was quoted."""
PART = re.compile(r"[;:\u2014]|\s[-\u2013]\s")
JOINED = re.compile(r", (?=(?:and|or|so|because|since|which|who) )")
CARRIED = 3
"""Sentences over which an opponent's view goes on without being named again."""


class Holder(StrEnum):
    """Whose view a clause gives."""

    SPEAKER = "speaker"
    OPPONENT = "opponent"
    BYSTANDER = "bystander"


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence, ``text[start:end]`` of the response; ``turned`` where it begins an answer to a view."""

    start: int
    end: int
    sentence: int
    words: tuple[str, ...]
    stems: tuple[str, ...]
    holder: Holder = Holder.SPEAKER
    turned: bool = False
    granting: bool = False

    @property
    def content(self) -> frozenset[str]:
        weighty = zip(self.words, self.stems, strict=True)
        return frozenset(s for w, s in weighty if len(w) > 3 and not w[0].isdigit() and w not in lexicons.everyday())


@dataclass(frozen=True, slots=True)
class SideWords:
    """By which words opponents and the speaker's own position are named."""

    others: frozenset[tuple[str, ...]]
    own: frozenset[tuple[str, ...]]


def named(names: Collection[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(words for name in names if (words := lowered(raw=tuple(WORD.findall(name)))))


def unquoted(text: str) -> str:
    """Return a text of the same length in which what stands in quotation marks is blank."""
    return QUOTED.sub(lambda match: " " * len(match.group()), text)


def clauses(text: str, table: SideWords) -> tuple[Clause, ...]:
    """Return the clauses of a response in order, each with its holder."""
    bare = [part for number, sentence in enumerate(sentences(text)) for part in parts(text, sentence, number)]
    framing = MARKED.sub(lambda match: " " * len(match.group()), text)
    return tuple(assented(list(held([(part, *framed(text, framing, part)) for part in bare], table))))


def framed(text: str, framing: str, part: Clause) -> tuple[Clause, bool]:
    """Return a clause with only the words that stand in no quotation marks, and whether it begins inside some."""
    first = WORD.search(text, part.start, part.end)
    quoted = first is not None and framing[first.start()] == " "
    return clause(framing, part.start, part.end, part.sentence), quoted


def assertions(text: str) -> Iterator[Clause]:
    """Yield the clauses of a text, split further where "and" begins another one: each asserts one thing."""
    for number, sentence in enumerate(sentences(text)):
        yield from parts(text, sentence, number, *(match.end() for match in JOINED.finditer(sentence.text)))


def parts(text: str, sentence: Sentence, number: int, *further: int) -> Iterator[Clause]:
    """Split a sentence before each contrast, at semicolons, colons and dashes, and at further places in it."""
    begun = sentence.start
    cuts = [at + sentence.start for at in (*further, *(match.end() for match in PART.finditer(sentence.text)))]
    cuts += [
        match.start() + sentence.start
        for match in WORD.finditer(sentence.text)
        if match.start() and match.group().lower() in lexicons.words("contrasts")
    ]
    for before, after in pairwise([begun, *sorted(cuts), sentence.end]):
        own_clause = clause(
            text, before, after, number
        )  # nothing between ``begun`` and here is a word: it is not read again
        if own_clause.words:
            yield replace(own_clause, start=begun)
            begun = after


def clause(text: str, start: int, end: int, number: int) -> Clause:
    words = lowered(raw=tuple(WORD.findall(text[start:end])))
    return Clause(start=start, end=end, sentence=number, words=words, stems=tuple(stem(word) for word in words))


def held(bare: Sequence[tuple[Clause, Clause, bool]], table: SideWords) -> Iterator[Clause]:
    """Say of each clause whose view it gives; a view goes on until it is answered or somebody else's begins.

    Shape: each clause, the same without what it quotes, and whether it begins inside a quotation. A quotation's own
    words say nothing about whose they are: "I" in it is whoever is quoted.
    """
    holder, since, known = Holder.SPEAKER, 0, False
    for at, (part, framing, quoted) in enumerate(bare):
        introduces = any(after and later.sentence == part.sentence for later, _, after in bare[at + 1 : at + 2])
        spoken = mentions(framing, table, known=known)
        turned = not quoted and is_turn(framing)
        granting = bool(meant(framing.words, "grants"))
        if any(hits(framing.words, "bystanders")):
            holder, since = Holder.BYSTANDER, part.sentence
        elif (spoken and (reports(framing) or introduces)) or (granting and not is_own(framing, table)):
            holder, since = Holder.OPPONENT, part.sentence
        elif not quoted and (turned or speaks_for_itself(framing) or part.sentence - since >= CARRIED):
            holder = Holder.SPEAKER
        known = known or spoken
        yield replace(part, holder=holder, turned=turned, granting=granting and holder is Holder.OPPONENT)


def assented(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Give what a bare "granted" follows to the opponent: whoever grants a view has told one that is not its own."""
    granted = {own_clause.sentence - 1 for own_clause in clauses if is_assent(own_clause)}
    for clause in clauses:
        reported = clause.sentence in granted and clause.holder is Holder.SPEAKER and not speaks_for_itself(clause)
        yield replace(clause, holder=Holder.OPPONENT, granting=True) if reported else clause


def is_assent(clause: Clause) -> bool:
    """Tell whether a clause does nothing but grant what stands before it."""
    return any(hit.at == 0 and hit.end == len(clause.words) for hit in hits(clause.words, "assents"))


def is_turn(clause: Clause) -> bool:
    return clause.words[0] in lexicons.words("contrasts") or any(hits(clause.words, "turns"))


def mentions(clause: Clause, table: SideWords, *, known: bool) -> bool:
    """Tell whether an opponent is named or addressed; "they" only means one once somebody was named."""
    if any(within(clause.words, name) for name in table.others):
        return True
    pronouns = {"they", "their", "he", "his", "she", "her"}
    return any(known or one_hit.phrase[0] not in pronouns for one_hit in hits(clause.words, "opponents"))


def reports(clause: Clause) -> bool:
    return any(hits(clause.words, "reports")) or bool(meant(clause.words, "grants"))


def is_own(clause: Clause, table: SideWords) -> bool:
    """Tell whether what is granted is the speaker's own fault rather than an opponent's point."""
    own = any(meant(clause.words, "failings")) and bool({"my", "our", "mine", "ours"}.intersection(clause.words))
    return own or (any(within(clause.words, name) for name in table.own) and any(meant(clause.words, "failings")))


def speaks_for_itself(clause: Clause) -> bool:
    """Tell whether a clause is in the first person: not about a view, but the speaker's own word."""
    return clause.words[0] in {"i", "i'll", "i'm", "i've", "my", "we", "our"} and not any(hits(clause.words, "grants"))


def within(words: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Tell whether a name stands in a run of words, with or without an 's behind it."""
    size = len(name)
    return any(
        words[at : at + size - 1] == name[:-1] and words[at + size - 1] in {name[-1], f"{name[-1]}'s", f"{name[-1]}s"}
        for at in range(len(words) - size + 1)
    )


# What an utterance mainly claims, and how much of a claim some other words give back.


KEY = 5
"""Claims of an utterance that count as what it mainly says."""
GIVEN_BACK = 30
"""Per cent of a claim's weight that other words must share with it."""
RARITY = 12


@dataclass(frozen=True, slots=True)
class KeyClaim:
    """A sentence somebody said, with the stems that carry it and what each weighs: the rarer, the more."""

    speaker: str
    line: str
    words: tuple[str, ...]
    weights: dict[str, int]

    @property
    def weight(self) -> int:
        return sum(self.weights.values())


def content(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    return frozenset(
        stem(word) for word in words if len(word) > 3 and not word[0].isdigit() and word not in lexicons.everyday()
    )


def weighty(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of all but everyday words, the short ones (ban, van, tax) among them."""
    return frozenset(stem(word) for word in words if len(word) > 2 and word not in lexicons.everyday())


def rarity(texts: Sequence[str]) -> Counter[str]:
    """Count in how many sentences of all texts each stem occurs."""
    return Counter(word for text in texts for sentence in sentences(text) for word in content(sentence.words))


def key_claims(*, speaker: str, text: str, seen: Counter[str], motion: frozenset[str]) -> tuple[KeyClaim, ...]:
    """Return the weightiest sentences of an utterance in their order. Words of the motion carry little."""
    claims = [claim(speaker, sentence.text, sentence.words, seen, motion) for sentence in sentences(text)]
    worthy = [claim for claim in claims if len(claim.weights) >= 3]
    best = sorted(range(len(worthy)), key=lambda at: (-worthy[at].weight * 10 // (len(worthy[at].weights) + 4), at))
    return tuple(worthy[at] for at in sorted(best[:KEY]))


def claim(speaker: str, text: str, words: tuple[str, ...], seen: Counter[str], motion: frozenset[str]) -> KeyClaim:
    """Return a sentence or clause as a claim; the rarer a word among all sentences, the more it weighs."""
    weights = {word: 1 if word in motion else max(2, RARITY // max(1, seen[word])) for word in content(words)}
    return KeyClaim(speaker, squeezed(cut(text)), words, weights)


def given_back(claim: KeyClaim, stems: frozenset[str]) -> int:
    """Return how much of a claim the stems give back, in per cent; one word alone is no match."""
    shared = [weight for weight in claim.weights if weight in stems]
    if len(shared) < 2 or not claim.weight:
        return 0
    return 100 * sum(claim.weights[word] for word in shared) // claim.weight


def stems_of(text: str) -> frozenset[str]:
    return content(lowered(raw=tokens(text)))


# Quotations in a response: those that nobody has said, and those that stop too early.


LONG_QUOTE = 5
"""Words from which a quotation is meant to be one."""
STOPS = " .,;:!?\u2026"


def inventions(heard: Hearing) -> Iterator[re.Match[str]]:
    """Yield quotations put into an opponent's mouth that nobody at the table has said."""
    for match in QUOTED.finditer(heard.text):
        around = next((clause for clause in heard.clauses if clause.start <= match.start() + 1 < clause.end), None)
        before = next((clause for clause in reversed(heard.clauses) if clause.end <= match.start() + 1), None)
        said_by = [
            clause for clause in (around, before) if clause and clause.sentence == (around or before or clause).sentence
        ]
        words = squeezed(match.group()[1:-1]).rstrip(STOPS).lower()
        attributed = any(clause.holder is Holder.OPPONENT for clause in said_by)
        if attributed and len(words.split()) >= LONG_QUOTE and words not in heard.spoken:
            yield match


def clipped(heard: Hearing) -> Iterator[re.Match[str]]:
    """Yield quotations of an opponent that stop right before the "but" of the same sentence."""
    for match in QUOTED.finditer(heard.text):
        quote = squeezed(match.group()[1:-1]).rstrip(STOPS)
        at = heard.answered.lower().find(quote.lower())
        if at < 0 or heard.answered[at + len(quote) :].lstrip()[:1] in {".", "!", "?"}:
            continue
        after = heard.answered[at + len(quote) :].lstrip(" ,;:\u2014-").lower().split()
        if after and after[0] in listed("contrasts"):
            yield match


def misquoting(heard: Hearing) -> frozenset[int]:
    """Return the sentences that hold such a quotation: they tell nobody's view fairly."""
    places = [match.start() + 1 for match in (*inventions(heard), *clipped(heard))]
    return frozenset(clause.sentence for clause in heard.clauses for at in places if clause.start <= at < clause.end)


# What a response is judged against: its clauses, what opponents claimed, and what its speaker said before.


OWN_TURNS = 6


@dataclass(frozen=True, slots=True)
class Hearing:
    """One response with everything it is compared with. ``own_words`` are its clauses with quotations left out;
    ``copied`` where those of them begin that the answered text has word for word, sentence by sentence; ``spoken`` is
    all that others have said, in lower case; ``at_issue`` are the words of weight of it and of the motion,
    ``vocabulary`` those and the speaker's own from before.
    """

    text: str
    clauses: tuple[Clause, ...]
    own_words: tuple[Clause, ...]
    copied: frozenset[int]
    claims: tuple[KeyClaim, ...]
    gists: tuple[KeyClaim, ...]
    before: tuple[KeyClaim, ...]
    answered: str
    spoken: str
    at_issue: frozenset[str]
    vocabulary: frozenset[str]
    framework: frameworks.Framework | None

    def line(self, clause: Clause) -> str:
        """Return a clause as it is quoted: a slice of the response, cut."""
        return cut(self.text[clause.start : clause.end].strip())


def hearing(scene: Scene) -> Hearing:
    text = scene.response[:READ_LIMIT]
    said = [utterance.text for utterance in scene.answered]
    seen = rarity([*said, *(utterance.text for utterance in scene.own[-OWN_TURNS:])])
    motion = stems_of(scene.motion)
    chair = scene.chair
    table = table_of(scene)
    spoken = squeezed(
        " ".join(utterance.text for utterance in scene.earlier if utterance.speaker != scene.speaker)
    ).lower()
    at_issue = weighty(lowered(raw=tokens(f"{scene.motion} {spoken}")))
    own_words = clauses(unquoted(text), table)
    return Hearing(
        text=text,
        clauses=clauses(text, table),
        own_words=own_words,
        copied=copied(scene, unquoted(text), own_words),
        claims=tuple(
            claim
            for utterance in scene.answered
            for claim in key_claims(speaker=utterance.speaker, text=utterance.text, seen=seen, motion=motion)
        ),
        gists=gists(scene),
        before=tuple(
            claim(scene.speaker, utterance.text[part.start : part.end], part.words, seen, motion)
            for utterance in scene.own[-OWN_TURNS:]
            for part in assertions(utterance.text)
        ),
        spoken=spoken,
        at_issue=at_issue,
        vocabulary=at_issue.union(
            *(weighty(lowered(raw=tokens(utterance.text))) for utterance in scene.own[-OWN_TURNS:])
        ),
        answered=squeezed(" ".join(said)),
        framework=frameworks.frameworks().get(chair.framework) if chair else None,
    )


def copied(scene: Scene, text: str, own_words: Iterable[Clause]) -> frozenset[int]:
    """Return where clauses of sentences begin that the answered text has word for word, and the speaker never said."""
    theirs, own = (
        {sentence.words for utterance in utterances for sentence in sentences(utterance.text)}
        for utterances in (scene.answered, scene.own[-OWN_TURNS:])
    )
    numbers = {number for number, sentence in enumerate(sentences(text)) if sentence.words in theirs - own}
    return frozenset(clause.start for clause in own_words if clause.sentence in numbers)


def table_of(scene: Scene) -> SideWords:
    """Return by which words the sides are named: by name, and by framework where only one side has it."""
    known = frameworks.frameworks()
    mine = known.get(scene.chair.framework) if scene.chair else None
    own = titles(mine) if mine else ()
    theirs = [
        name
        for position in scene.opponents
        if position.framework in known
        for name in titles(known[position.framework])
    ]
    return SideWords(
        others=named([*(position.name for position in scene.opponents), *(name for name in theirs if name not in own)]),
        own=named([scene.speaker, *own]),
    )


def titles(framework: frameworks.Framework) -> tuple[str, ...]:
    """Return what a framework is called: its name, and the bare word."""
    return framework.name, framework.key.replace("_", " ")


def gists(scene: Scene) -> tuple[KeyClaim, ...]:
    """Return what opponents' frameworks stand for: some of a view may be given back that was never spelled out."""
    known = frameworks.frameworks()
    held = [(position.name, known[position.framework]) for position in scene.opponents if position.framework in known]
    nothing: Counter[str] = Counter()
    return tuple(
        claim(name, sentence.text, sentence.words, nothing, frozenset())
        for name, framework in held
        for sentence in sentences(f"{framework.gist} {framework.question}")
    )


# A mark with its grounds.


HIGHEST = 25
MOST_QUOTES = 4


@dataclass(frozen=True, slots=True)
class Mark:
    """Whole points 0..25, what they rest on, and what was found amiss. Quotes are slices of the response."""

    points: int
    notes: str
    quotes: tuple[str, ...] = ()
    attempted: bool = False
    codes: tuple[str, ...] = ()


def points(value: int) -> int:
    return limited(value, least=0, most=HIGHEST)


def distinct(quotes: list[str]) -> tuple[str, ...]:
    """Return each quote once, in order, and not too many."""
    return tuple(dict.fromkeys(quote for quote in quotes if quote))[:MOST_QUOTES]
