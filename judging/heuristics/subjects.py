"""What the offline judge can read in a subject: prose and code as units with measured features; and what it can judge
at all: the language of a text, how much of it there is, what a criterion asks.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from judging.heuristics import lexicons
from judging.heuristics.criteria import LEAST, Bearing, Lookout, bearings, lookout, shows
from judging.heuristics.evidence import Passage, Signs, passages
from judging.heuristics.text import READ_LIMIT, content_stems, cut, lines, stem
from judging.rules.quotes import own_words
from judging.types import CriterionCard, Item, NotAssessed, Unable

LINE_WORTH = 420
"""Weight of a line of code that shows one wanted thing, beside sentences, whose worth goes up to about 1,800."""
DISTANT = 3
"""Relevance of a sentence that does not name the criterion: most criteria are about all of a subject."""
LEAST_LINE = 4
"""Characters of a line that is more than a bracket."""
WIDE = 110
DEEP = 16
"""Characters of a wide line, and of an indentation that nests deep."""
SEEN = 1_000
"""Characters of a line in which signs of code are looked for; a line of code is shorter."""
FENCE = re.compile(r"^\s*(?:```|~~~)")
NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence or one line of code; ``kinds`` are what code shows, ``smells`` what speaks against it."""

    start: int
    text: str
    part: int
    stems: frozenset[str]
    is_code: bool
    signs: Signs
    kinds: tuple[str, ...] = ()
    smells: bool = False
    words: int = 0
    quality: int = 0

    @property
    def quote(self) -> str:
        return cut(self.text)


@dataclass(frozen=True, slots=True)
class BearingUnit:
    """A unit seen from one criterion. ``worth`` is what it shows for it, ``has`` which of the wanted things; it is
    ``near`` where it speaks of the criterion itself.
    """

    unit: Unit
    worth: int
    has: tuple[str, ...]
    bad: bool
    near: bool = True


@dataclass(frozen=True, slots=True)
class Reading:
    """A subject seen from one criterion: what bears on it in the order of the text, and what is wanted of it."""

    units: tuple[BearingUnit, ...]
    wants: tuple[str, ...]
    look: Lookout


def card_of(item: Item) -> CriterionCard:
    return CriterionCard(
        code=item.code, name=item.name, category="", question=item.question, high=item.high, low=item.low
    )


@lru_cache(maxsize=256)
def reading(subject: str, card: CriterionCard) -> Reading:
    look = lookout(card)
    near = {
        bearing.passage.sentence.start: bearing for bearing in bearings(subject, card) if bearing.relevance >= LEAST
    }
    kinds = wanted_kinds(card)
    rows = [
        of_code(unit, kinds, look) if unit.is_code else of_prose(unit, near.get(unit.start), look)
        for unit in units(subject)
    ]
    has_code = any(unit.is_code for unit in units(subject))
    return Reading(
        units=tuple(unit for unit in rows if unit is not None),
        wants=(*look.wants, *(kinds if has_code else ())),
        look=look,
    )


def of_prose(unit: Unit, near: Bearing | None, look: Lookout) -> BearingUnit:
    if near is not None:
        return BearingUnit(unit, near.worth, near.has, bool(near.bad or unit.signs.denied))
    has = tuple(want for want in look.wants if shows(unit.signs, want))
    return BearingUnit(unit, unit.quality * DISTANT, has, bool(unit.signs.denied), near=False)


def of_code(unit: Unit, kinds: tuple[str, ...], look: Lookout) -> BearingUnit | None:
    has = tuple(kind for kind in kinds if kind in unit.kinds)
    named = len(unit.stems & look.weights.keys())
    if not (has or named or unit.smells):
        return None
    worth = LINE_WORTH * len(has) + 60 * min(3, named)
    return BearingUnit(unit, worth, has, unit.smells)


def wanted_kinds(card: CriterionCard) -> tuple[str, ...]:
    """Return what good code shows for a criterion."""
    asked = content_stems(f"{card.name} {card.question}") | {stem(card.code)}
    calling = lexicons.read("words")["code"]["wanted"]
    named = tuple(kind for kind, listed in calling.items() if asked.intersection(map(stem, listed.split())))
    return named or ("structure", "checks", "words")


@lru_cache(maxsize=64)
def units(subject: str) -> tuple[Unit, ...]:
    """Return the sentences and lines of code of a subject, in order."""
    coded = code_lines(subject[:READ_LIMIT])
    inside = [False] * (min(len(subject), READ_LIMIT) + 1)
    for start, end, _ in coded:
        inside[start:end] = [True] * (end - start)
    sentences = (of_passage(passage) for passage in passages(subject) if not inside[passage.sentence.start])
    coded_units = (of_line(subject[start:end], start, part) for start, end, part in coded)
    return tuple(sorted([*sentences, *(unit for unit in coded_units if unit is not None)], key=lambda unit: unit.start))


def of_passage(passage: Passage) -> Unit:
    said = passage.sentence
    return Unit(
        start=said.start,
        text=said.text,
        part=said.paragraph,
        stems=frozenset(said.stems),
        is_code=False,
        signs=passage.signs,
        words=len(said.words),
        quality=passage.quality,
    )


def of_line(line: str, start: int, part: int) -> Unit | None:
    bare = line.strip()
    if len(bare) < LEAST_LINE:
        return None
    kinds = tuple(kind for kind, pattern in patterns() if pattern.search(line[:SEEN]))
    names = {stem(word.lower()) for word in NAME.findall(bare) if len(word) > 2}
    indent = len(line) - len(line.lstrip())
    return Unit(
        start=start + indent,
        text=bare,
        part=part,
        stems=frozenset(names),
        is_code=True,
        signs=Signs(),
        kinds=kinds,
        smells=bool(smells().search(line[:SEEN])) or (indent >= DEEP and len(bare) > WIDE // 2),
        words=len(bare),
    )


def code_lines(text: str) -> list[tuple[int, int, int]]:
    """Return (start, end, block) of every line of code: fenced, or in a block most of whose lines look like code.

    Where that is most of the text it is a program, and all of it is read by the line, its comments too.
    """
    every = list(blocks(text))
    coded = [fenced or looks_like_code(text, block) for block, fenced in every]
    lines_of = [len(block) for block, _ in every]
    program = 2 * sum(size for size, code in zip(lines_of, coded, strict=True) if code) > sum(lines_of)
    return [
        (start, end, number)
        for number, (block, _) in enumerate(every)
        if program or coded[number]
        for start, end in block
    ]


def looks_like_code(text: str, block: list[tuple[int, int]]) -> bool:
    """Say whether half of some lines or more look like a program, SQL, a shell's commands, or YAML that is nested."""
    seen = [text[start : min(end, start + SEEN)] for start, end in block]
    line, nested = yaml_patterns()
    alike = [line_pattern()]
    if any(nested.search(each) for each in seen):  # else it may be an agenda, a recipe or a dialogue
        alike.append(line)
    return any(2 * sum(map(bool, map(each.search, seen))) >= len(seen) + (len(seen) == 1) for each in alike)


def blocks(text: str) -> Iterator[tuple[list[tuple[int, int]], bool]]:
    """Yield runs of lines without an empty one between, and whether they stand between fences. A fence that is never
    closed is none.
    """
    run: list[tuple[int, int]] = []
    fenced = False
    marks = [start for start, end in lines(text) if FENCE.match(text[start:end])]
    unclosed = marks[-1] if len(marks) % 2 else None
    for start, end in lines(text):
        if start == unclosed:
            continue
        fence = FENCE.match(text[start:end]) is not None
        if (fence or not text[start:end].strip()) and run:
            yield run, fenced
            run = []
        if fence:
            fenced = not fenced
        elif text[start:end].strip():
            run.append((start, end))
    if run:
        yield run, fenced


@cache
def line_pattern() -> re.Pattern[str]:
    return re.compile("|".join(lexicons.read("words")["code"][kind] for kind in ("line", "sql", "shell")))


@cache
def yaml_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what a line of YAML looks like, and one that is part of another."""
    yaml = lexicons.read("words")["code"]["yaml"]
    return re.compile(yaml["line"]), re.compile(yaml["nested"])


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(pattern)) for kind, pattern in lexicons.read("words")["code"]["kinds"].items())


@cache
def smells() -> re.Pattern[str]:
    return re.compile(lexicons.read("words")["code"]["smells"])


def shows_want(unit: Unit, want: str) -> bool:
    """Say whether a unit shows one wanted thing, of sentences or of code."""
    return want in unit.kinds if unit.is_code else want not in dict(patterns()) and shows(unit.signs, want)


# -- what is not assessed, and why -------------------------------------------------------------------------------------


LEAST_WORDS = 12
"""Different words that a text must have before anything is judged by it."""
MOST_CODE = 50
"""Per cent of code in a text that is still read as prose."""
LEAST_LINES = 2
"""Lines of code from which there is code at all."""
FOREIGN_LEAST = 3
"""Everyday words of another language, more than of English, from which a text is in that language."""
SURE_FROM, LIST_FROM = 16, 40
"""Words from which a text with next to no everyday words of English is not written in English sentences, and from which
that is no mere list either, such as a criterion or the names in a program may be.
"""
ENGLISH_LEAST = 6
"""Per cent of everyday words that English prose never goes below; it has 20 to 60."""

LATIN = re.compile("[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]+(?:['\u2019][A-Za-z]+)*")
PART_OF_A_NAME = "(?:de|del|den|der|di|do|dos|da|du|el|la|las|le|les|los|y|e|ten|ter|van|von|zu|zur)"
CAPITAL, LETTER = r"[A-Z\u00c0-\u00d6\u00d8-\u00de]", r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"
NAMES = re.compile(rf"\b{CAPITAL}{LETTER}*(?:(?:[ -]{PART_OF_A_NAME})+[ -](?={CAPITAL}))?")
"""Words with a capital, with the small ones between two of them: San Jose del Cabo, van der Meer after Jan."""
SCRIPTS: Mapping[str, re.Pattern[str]] = {
    "Greek letters": re.compile("[\u0370-\u03ff]"),
    "Cyrillic letters": re.compile("[\u0400-\u052f]"),
    "Hebrew letters": re.compile("[\u0590-\u05ff]"),
    "Arabic letters": re.compile("[\u0600-\u06ff\u0750-\u077f]"),
    "Indic letters": re.compile("[\u0900-\u0dff]"),
    "Thai letters": re.compile("[\u0e00-\u0e7f]"),
    "Japanese": re.compile("[\u3040-\u30ff]"),
    "Chinese": re.compile("[\u4e00-\u9fff]"),
    "Korean": re.compile("[\u1100-\u11ff\uac00-\ud7a3]"),
}
"""Letters of other scripts, by ranges and not by Unicode tables: a newer Python must not answer otherwise."""

FOLLOWED = (
    r"(?:follow|fulfil|fulfill|obey|meet|satisfy|answer|address|complete|accomplish|carry out|do|adhere to|solve)"
)
TASKED = r"(?:task|instructions?|prompt|assignment|request|brief)"
ASKS_FOR_A_TASK = re.compile(
    r"\b(?:what|everything|all|anything)(?: that)? (?:the |its |this )?"
    rf"{TASKED} (?:asks?|wants?|requires?|demands?|says?)\b"
    rf"|\b{FOLLOWED}(?:s|es|ed|ing)? (?:\w+ ){{0,2}}{TASKED}\b"
    rf"|\A{TASKED}\b.{{0,3}}(?:fulfil|complet|follow|adher|success|accuracy|done)"
    rf"|\b(?:instruction|task|prompt)[- ](?:follow|fulfil|complet|adher)",
    re.IGNORECASE,
)
UNSEEN = (
    "truth truthfulness truthful true veracity factuality factual facts plagiarism authorship beauty aesthetics"
    " aesthetic elegance humour humor funniness irony sarcasm grammar spelling pronunciation"
)
"""Names of criteria that ask for what no rule here looks at."""


def unassessable_criterion(subject: str, card: CriterionCard) -> NotAssessed | None:
    """Say why an offline evaluator does not judge a text by a criterion; nothing where it does."""
    return unassessable_text(subject) or unassessable_card(card)


@lru_cache(maxsize=64)
def unassessable_text(subject: str) -> NotAssessed | None:
    """Say why a text is not read as prose; nothing where it is."""
    read = own_words(subject[:READ_LIMIT])
    share = code_share(read)
    if share > MOST_CODE:
        return NotAssessed(Unable.CODE, f"{share} % of it is code, and an offline evaluator reads prose.")
    return unassessable_prose(read)


@lru_cache(maxsize=64)
def unassessable_panel_subject(subject: str) -> NotAssessed | None:
    """Say why offline judges of a panel, who read code as well, do not read a subject; nothing where they do."""
    read = own_words(subject[:READ_LIMIT])
    lines = code_lines(read)
    return (
        unassessable_prose(without(read, lines), enough=True) if len(lines) >= LEAST_LINES else unassessable_prose(read)
    )


def unassessable_prose(text: str, *, enough: bool = False) -> NotAssessed | None:
    """Say why prose is not read; nothing where it is.

    Shape: ``enough``: there is something else to judge by, however little prose there is.
    """
    text = unicodedata.normalize("NFC", text)
    language = foreign(text)
    if language:
        return NotAssessed(Unable.LANGUAGE, f"The offline judge reads English, and this text is in {language}.")
    few = None if enough else unassessable_amount(text)
    if few is None and is_unlike_english(text, least=LIST_FROM if enough else SURE_FROM):
        why = "The offline judge reads English, and this text has hardly a word that English sentences are made of."
        return NotAssessed(Unable.LANGUAGE, why)
    return few


def unassessable_amount(text: str) -> NotAssessed | None:
    words = {word.lower() for word in LATIN.findall(text)}
    if len(words) >= LEAST_WORDS:
        return None
    number = {0: "no word", 1: "a single word"}.get(len(words), f"{len(words)} different words")
    return NotAssessed(Unable.TOO_LITTLE, f"It has {number}; nothing is judged by fewer than {LEAST_WORDS}.")


def foreign(text: str) -> str:
    """Return the language or script that a text is in if that is known and not English, else nothing."""
    text = unicodedata.normalize("NFC", text)  # many a PDF has accents as characters of their own
    words = words_of(text)
    letters = sum(map(len, words))
    others = {script: len(pattern.findall(text)) for script, pattern in SCRIPTS.items()}
    if sum(others.values()) > letters:
        return script_of(others)
    small = words_of(NAMES.sub(" ", text)) or words  # names of English texts are in all languages
    counts = {
        language: sum(word in listed for word in (words if language == "English" else small))
        for language, listed in everyday_by_language().items()
    }
    english = counts.pop("English")
    most = max(counts, key=lambda language: (counts[language], language))
    return most if counts[most] >= FOREIGN_LEAST and counts[most] > english else ""


def is_unlike_english(text: str, *, least: int) -> bool:
    """Tell whether a text of so many words has hardly any of those that no English sentence does without."""
    words = words_of(text)
    plain = sum(len(word) > 1 and word in lexicons.everyday() for word in words)
    return len(words) >= least and 100 * plain < ENGLISH_LEAST * len(words)


def words_of(text: str) -> list[str]:
    return [word.lower().replace("\u2019", "'") for word in LATIN.findall(text)]


def script_of(others: Mapping[str, int]) -> str:
    """Return the script with most letters; Japanese writes Chinese characters too."""
    most = max(others, key=others.__getitem__)
    return "Japanese" if most == "Chinese" and others["Japanese"] * 10 > others["Chinese"] else most


@cache
def everyday_by_language() -> Mapping[str, frozenset[str]]:
    """Return the words by which languages are told apart; English has none that is as common in another of them."""
    return {language: frozenset(words.split()) for language, words in lexicons.read("words")["languages"].items()}


def code_share(text: str) -> int:
    """Return how much of a text is code, per cent of what stands in its lines; a single line is taken for prose."""
    whole = sum(len(line.strip()) for line in text.splitlines())
    lines = code_lines(text)
    coded = sum(len(text[start:end].strip()) for start, end, _ in lines) if len(lines) >= LEAST_LINES else 0
    return 100 * coded // whole if whole else 0


def without(text: str, lines: Iterable[tuple[int, int, int]]) -> str:
    """Return a text with its lines of code left out."""
    kept, at = [], 0
    for start, end, _ in lines:
        kept.append(text[at:start])
        at = end
    return "\n".join([*kept, text[at:]])


@lru_cache(maxsize=512)
def unassessable_card(card: CriterionCard) -> NotAssessed | None:
    """Say why a criterion is one that no rule looks for; nothing where there is one."""
    asked = f"{card.name}. {card.question}"
    words = unicodedata.normalize("NFC", f"{asked} {card.high} {card.low}")
    if not content_stems(words):
        why = "The criterion has no word that a text could be searched for."
        return NotAssessed(Unable.CRITERION, why)
    if foreign(words) or is_unlike_english(words, least=LIST_FROM):
        return NotAssessed(Unable.CRITERION, "The criterion is not worded in English, so nothing can be searched for.")
    if ASKS_FOR_A_TASK.search(card.name) or ASKS_FOR_A_TASK.search(card.question):
        return NotAssessed(Unable.TASK, f"{card.name} asks whether a task was done, and that must be understood.")
    named = {stem(word.lower()) for word in LATIN.findall(card.name)}
    if named & unseen():
        return NotAssessed(Unable.CRITERION, f"{card.name} is not something that shows in words and sentences.")
    return None


@cache
def unseen() -> frozenset[str]:
    return frozenset(stem(word) for word in UNSEEN.split())
