"""Measures of rulings over all samples and criteria, by a reader that shares no code with the judge.

``python -m tests.judging.heuristics.rulings`` prints them; with the name of a sample, its whole transcript.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import combinations
from pathlib import Path

import judging
from judging.rules import calibration
from judging.types import CriterionCard, Reply
from tests.judging.heuristics.dry_run import Played, Ruling, cards, parts, play, samples

NUMBER = (
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    r"|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)\b"
)
MONTH = r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
COUNT = rf"(?:{NUMBER})\S*"
MONEY = r"[€$£]|\b(?:euros?|pounds?|dollars?|cents?)\b"
TIME = (
    rf"{COUNT}\s(?:\w+\s)?(?:seconds?|minutes?|hours?|days?|nights?"
    r"|weeks?|weekends?|months?|years?|seasons?|summers?|winters?)\b"
)
SHARE = rf"%|\bper cent\b|{COUNT} (?:of|in|out of) (?:the )?(?:{NUMBER})|\b(?:half|a third|a quarter) of|\bone per\b"
SIZE = r"\d[\d.,]* ?(?:km|m|cm|mm|kg|g|t|l|ml|ha|kW|kWh|MW|°C|dB|GB|MB|TB)\b|\b(?:metres?|miles?|litres?)\b"
SOURCE = (
    "according to|surveys?|study|studies|register|records?|recorded|measured|counted|interviews?|interviewed|asked"
    "|report|invoices?|books|notebooks?|evaluation|simulated|prototype|logs?|logged|trials?|pilot|census|readings"
    "|permit|letters?|contract|tested|test|data|published"
)
REASON = "because|so that|therefore|due to|thanks to|hence|for this reason|as a result|which means|and so|which is why"
BESIDE = "than|compared|against|unlike|instead of|whereas|twice|half|versus|cheaper|faster"
ASKED = {
    "a sum of money": MONEY,
    "an amount of money": MONEY,
    "a length of time": TIME,
    "a date": rf"\b(?:18|19|20)\d\d\b|\d+ (?:{MONTH})|(?:{MONTH}) \d",
    "a share or rate": SHARE,
    "a measurement": SIZE,
    "a number": NUMBER,
    "a source": rf"\b(?:{SOURCE})\b|http",
    "a name that could be asked": rf"(?<=[a-z0-9,;:(] )(?!{MONTH})[A-Z][a-z]+",
    "a reason": rf"\b(?:{REASON})\b",
    "a comparison": rf"\b(?:{BESIDE})\b",
    "a way out if it fails": r"\b(?:if|unless|otherwise|in case|fallback|worst case)\b",
}
"""What each kind of evidence looks like to somebody who reads a passage for the first time."""
ANY_CASE = frozenset(ASKED) - {"a name that could be asked", "a date"}
HALF = re.compile(r"half|neither side|nor confirmed|open on both sides", re.IGNORECASE)
OPEN = re.compile(r"\b(?:not there|is open|still open|but not|did not appear|for lack of|is not there)\b")
BROUGHT = re.compile(": \u201c([^\u201c\u201d]*)\u201d")
QUOTED = re.compile("\u201c([^\u201c\u201d]*)\u201d")


@dataclass(frozen=True)
class Case:
    """One ruling, with the sample and the criterion that it is about."""

    sample: str
    card: CriterionCard
    ruling: Ruling

    @property
    def challenge(self) -> str:
        return [words for _, who, words in self.ruling.exchange.said if who == "challenger"][-1]

    @property
    def defence(self) -> str:
        return self.ruling.exchange.said[-1][2]

    @property
    def reasoning(self) -> str:
        return self.ruling.verdict["reasoning"]

    @property
    def winner(self) -> str:
        return self.ruling.verdict["winner"]

    @property
    def brought(self) -> list[str]:
        """Return the passages that a defence quotes, whole; those that a concession names answer nothing."""
        if self.ruling.exchange.reply is Reply.CONCEDE:
            return []
        return BROUGHT.findall(self.defence)


@cache
def played() -> Mapping[tuple[str, str], Played]:
    """Return every thread of every sample: 30 criteria, three rounds."""
    return {(name, card.code): play(text, card) for name, (_, text) in samples().items() for card in cards()}


@cache
def cases() -> tuple[Case, ...]:
    named = {card.code: card for card in cards()}
    return tuple(
        Case(name, named[code], ruling) for (name, code), thread in played().items() for ruling in thread.rulings
    )


def kinds_in(words: str) -> list[str]:
    """Return the kinds of evidence that are named in something that was said, outside of quotations."""
    plain = QUOTED.sub(" ", words)
    return [kind for kind in ASKED if re.search(rf"\b{kind}\b", plain)]


def shows(passage: str, kind: str) -> bool:
    return re.search(ASKED[kind], passage, re.IGNORECASE if kind in ANY_CASE else 0) is not None


def contradictions() -> Iterator[tuple[str, Case]]:
    """Yield every ruling that says something else than the passages it is about."""
    for case in cases():
        asked = kinds_in(case.challenge)
        exchange = case.ruling.exchange
        if exchange.reply is Reply.CONCEDE and any(shows(exchange.quote, kind) for kind in asked):
            yield "concedes what the attacked passage has", case
        if exchange.reply is Reply.CONCEDE and case.winner != "red_team":
            yield "conceded, and not lost", case
        have = {kind for kind in asked if any(shows(passage, kind) for passage in case.brought)}
        if case.winner == "draw" and case.brought and asked and have == set(asked) and OPEN.search(case.reasoning):
            yield "half way, and answered in full", case
        if case.winner == "red_team" and case.brought and asked and have == set(asked):
            yield "lost, and answered in full", case
        if case.winner == "evaluator" and asked and not have:
            yield "won, and nothing of what was asked is there", case


STOP = (
    "the and for are but not you all any can had her was one our out has him his how its may new now own see two "
    "way who did get let put too use off per yet nor she few about after again also among another because been "
    "before being both could does down each every from have here into itself just like made make many more most "
    "much must never nothing only other over said same should since some such than that their them then there "
    "these they this those through under until very well were what when where which while will with would your "
    "ours give gives given need needs text passage nobody anybody"
)
UNITS = "euros pounds years months weeks days hours minutes year month week hour"
"""Words that any two sentences may share; units tell something only where the rubric itself asks for them."""
ANAPHORA = re.compile(
    r"\W*(?:\w+\W+){0,3}?(?:it|its|they|them|their|this|that|these|those|he|she|his|her)\b", re.IGNORECASE
)


@cache
def named_by_rubric() -> Mapping[str, str]:
    """Return what belongs to each criterion: its own words, and those that the rubric is read by."""
    packaged = Path(judging.__file__).parent / "heuristics/data/criteria.json"
    lists = json.loads(packaged.read_text(encoding="utf-8"))["venture"]
    return {
        card.code: " ".join(
            [card.name, card.question, card.high, card.low, *(str(lists[card.code].get(key, "")) for key in "23")]
        )
        for card in cards()
    }


def content(words: str) -> set[str]:
    """Return the beginnings of words that carry meaning, so that "drilled" and "drilling" are one."""
    every = re.findall(r"[a-z]{3,}", words.lower().replace("-", " "))
    return {word[:4] for word in every if word not in STOP.split()}


def touches(one: str, other: str, *, units: bool) -> bool:
    idle = set() if units else {word[:4] for word in UNITS.split()}
    return bool(content(one) & content(other) - idle)


def follows(text: str, one: str, other: str) -> bool:
    """Tell whether one of two passages comes right after the other, and begins with a pronoun."""
    first, second = sorted((one, other), key=text.find)
    between = text[text.find(first) + len(first) : text.find(second)]
    return len(between) < 4 and ANAPHORA.match(second) is not None


def goes_on(text: str, passage: str, rubric: str) -> bool:
    """Tell whether one of the two sentences before a passage, in its paragraph, has a word of the rubric."""
    for paragraph in text.split("\n\n"):
        sentences = [part.strip() for part in parts(paragraph) if part.strip()]
        for at, sentence in enumerate(sentences):
            if passage in sentence or sentence in passage:
                return any(touches(before, rubric, units=False) for before in sentences[max(0, at - BESIDE_IT) : at])
    return False


def beside_the_point() -> list[Case]:
    """Return the wins by a passage that shares no word with what was attacked, or with what it was asked about, and
    where the criterion itself was asked about does not go on from one that does.
    """
    found = []
    for case in cases():
        if case.winner != "evaluator" or not case.brought:
            continue
        text = samples()[case.sample][1]
        quoted = [quote for quote in QUOTED.findall(case.challenge) if quote != case.card.name]
        asked = " ".join([*quoted, case.ruling.exchange.quote] if quoted else [named_by_rubric()[case.card.code]])
        if not any(
            touches(passage, asked, units=not quoted)
            or follows(text, passage, case.ruling.exchange.quote)
            or (not quoted and goes_on(text, passage, asked))
            for passage in case.brought
        ):
            found.append(case)
    return found


TIED = re.compile("speaks of (?:that with )?((?:\u201c[^\u201d]*\u201d(?: and )?)+)")


def ties_named(case: Case) -> list[str]:
    """Return the words by which a ruling says that a passage is to the point."""
    match = TIED.search(case.reasoning)
    return QUOTED.findall(match[1]) if match else []


def says_where_it_stands(case: Case) -> bool:
    return re.search(r"stands (?:next|beside)|of those behind it", case.reasoning) is not None


FIGURES = ("an amount of money", "a length of time", "a date", "a share or rate", "a way out if it fails")
"""What anybody recognises who reads a passage for the first time, and seldom stands somewhere by chance."""
BESIDE_IT = 2


def neighbours(case: Case) -> list[str]:
    """Return the sentences of the same paragraph around the one that was attacked."""
    for paragraph in samples()[case.sample][1].split("\n\n"):
        sentences = [part.strip() for part in parts(paragraph) if part.strip()]
        quote = case.ruling.exchange.quote
        for at, sentence in enumerate(sentences):
            if quote in sentence or sentence in quote:
                return [*sentences[max(0, at - BESIDE_IT) : at], *sentences[at + 1 : at + 1 + BESIDE_IT]]
    return []


def conceded_beside_an_answer() -> list[Case]:
    """Return the concessions on words of the text that have what was asked in a sentence beside them."""
    found = []
    for case in cases():
        exchange = case.ruling.exchange
        asked = [kind for kind in kinds_in(case.challenge) if kind in FIGURES]
        of_words = any(quote != case.card.name for quote in QUOTED.findall(case.challenge))
        if (
            exchange.reply is Reply.CONCEDE
            and of_words
            and any(shows(beside, kind) for beside in neighbours(case) for kind in asked)
        ):
            found.append(case)
    return found


def of_words(case: Case) -> list[str]:
    """Return the words of the subject that a challenge asks about; none where it asks about the criterion."""
    own = {case.card.name, case.card.question}
    return [quote for quote in QUOTED.findall(case.challenge) if quote not in own]


def denied() -> list[Case]:
    """Return the concessions of a whole criterion that deny what stands somewhere in the text, and do not name it."""
    found = []
    for case in cases():
        exchange = case.ruling.exchange
        if exchange.reply is not Reply.CONCEDE or not exchange.quote or of_words(case):
            continue
        text = samples()[case.sample][1].replace(exchange.quote, " ")
        has = [part for part in parts(text) if any(shows(part, kind) for kind in kinds_in(case.challenge))]
        if has and not any(quote in text for quote in QUOTED.findall(case.defence) if quote.count(" ") > 2):
            found.append(case)
    return found


def there_after_all() -> list[Case]:
    """Return the challenges of silence that name a word as not found which stands in the text."""
    return [
        case
        for case in cases()
        if not case.ruling.exchange.quote
        and any(
            re.search(rf"\b{word}\b", samples()[case.sample][1].partition("\n\n")[2], re.IGNORECASE)
            for word in of_words(case)
        )
    ]


def asked_twice() -> list[tuple[str, ...]]:
    """Return what the threads of one debate ask of the same words more than once: sample, kinds and words."""
    asked = Counter(
        (case.sample, *kinds_in(case.challenge), of_words(case)[-1])
        for case in cases()
        if case.ruling.round == 1 and case.ruling.exchange.quote and of_words(case)
    )
    return [what for what, times in asked.items() if times > 1]


def invented() -> list[Case]:
    """Return the rulings that put words between quotation marks which neither the subject nor the rubric has."""
    found = []
    for case in cases():
        own = f"{case.card.name} {named_by_rubric()[case.card.code]}"
        known = " ".join([*samples()[case.sample][1].split(), own]).lower()
        quotes = QUOTED.findall(f"{case.challenge} {case.reasoning}")
        if any(quote.removesuffix(" \u2026").lower() not in known for quote in quotes):
            found.append(case)
    return found


def winners(**only: object) -> Counter[str]:
    """Return how many rulings each side won; only those of a round, or of a severity."""
    return Counter(
        case.winner
        for case in cases()
        if all(
            getattr(case.ruling, name, getattr(case.ruling.exchange, name, None)) == value
            for name, value in only.items()
        )
    )


def share_of_evaluator(counted: Counter[str]) -> float:
    return counted["evaluator"] / max(1, counted["evaluator"] + counted["red_team"])


def most_used() -> dict[str, tuple[int, str]]:
    """Return for each sample in how many criteria the passage that answers most of them answers, and which it is."""
    used: dict[str, dict[str, set[str]]] = {}
    for case in cases():
        for passage in case.brought:
            used.setdefault(case.sample, {}).setdefault(passage, set()).add(case.card.code)
    return {name: max((len(codes), passage) for passage, codes in found.items()) for name, found in used.items()}


def likeness(one: str, other: str) -> float:
    """Return the share of words that two utterances have in common."""
    first, second = (set(re.findall(r"\w+", words.lower())) for words in (one, other))
    return len(first & second) / max(1, len(first | second))


def repeated(least: float = 0.6) -> list[tuple[str, str]]:
    """Return pairs of challenges of one thread, or of rulings of one thread, that say nearly the same."""
    found = []
    for thread in played().values():
        challenges = [[said for _, who, said in one.exchange.said if who == "challenger"][-1] for one in thread.rulings]
        rulings = [one.verdict["reasoning"] for one in thread.rulings]
        for said in (challenges, rulings):
            found.extend(pair for pair in combinations(said, 2) if likeness(*pair) >= least)
    return found


def rank_correlation(pairs: Iterable[tuple[Decimal, Decimal]]) -> float:
    return float(calibration.of_ranks(*map(calibration.middle_ranks, zip(*pairs, strict=True))) or 0)


def main(argv: list[str]) -> None:
    for name in argv:
        transcript(name)
    if argv:
        return
    print("rulings", len(cases()), dict(winners()), f"evaluator {share_of_evaluator(winners()):.0%} of those not drawn")
    for number in (1, 2, 3):
        counted = winners(round=number)
        print("  round", number, dict(counted), f"{share_of_evaluator(counted):.0%}")
    for severity in ("critical", "significant", "minor"):
        print("  ", severity, dict(winners(severity=severity)))
    for name in samples():
        mine = Counter(case.winner for case in cases() if case.sample == name)
        moved = [thread.final - thread.initial for (sample, _), thread in played().items() if sample == name]
        ended = sum(thread.initial for (sample, _), thread in played().items() if sample == name) / 30
        print(f"  {name:18} {dict(mine)} {share_of_evaluator(mine):.0%} from {ended:.2f} moved {sum(moved) / 30:+.2f}")
    found = Counter(what for what, _ in contradictions())
    print("contradictions", sum(found.values()), dict(found))
    print("beside the point", len(beside_the_point()))
    print("conceded beside an answer", len(conceded_beside_an_answer()))
    print(
        "denied and there",
        len(denied()),
        "looked for and there",
        len(there_after_all()),
        "asked twice",
        len(asked_twice()),
    )
    print("invented quotations", len(invented()))
    print("repeated", len(repeated()))
    print("most used passage", {name: number for name, (number, _) in most_used().items()})
    first = [(thread.initial, thread.final - thread.initial) for thread in played().values()]
    final = [(thread.initial, thread.final) for thread in played().values()]
    print(f"first and change {rank_correlation(first):.2f}, first and final {rank_correlation(final):.2f}")
    moved = [abs(change) for _, change in first]
    print(f"moved {sum(moved) / len(moved):.2f} at the mean, most {max(moved)}")


def transcript(name: str) -> None:
    for card in cards():
        thread = played()[name, card.code]
        print(f"\n== {card.code} {card.name}: {thread.initial} -> {thread.final}")
        for case in (one for one in cases() if one.sample == name and one.card is card):
            exchange = case.ruling.exchange
            print(f"-- round {case.ruling.round} {exchange.label} {exchange.persona} {exchange.severity}")
            if case.ruling.round == 1:
                print(f"   on: {exchange.quote}")
            print(f"   C: {case.challenge}\n   E: {case.defence}")
            print(f"   A: {case.winner} {case.ruling.verdict['adjustment']} {case.reasoning}")


if __name__ == "__main__":
    main(sys.argv[1:])
