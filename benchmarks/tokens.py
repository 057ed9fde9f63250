"""Tokens that a model reads in a criterion debate of 30 criteria and 3 rounds, and how many of them a cache may know.

The debate is about a sample of 6,000 characters; its words are those of the offline voices, and every question is built
as a model would get it. A cache of the usual kind knows what a question has in common with the beginning of an earlier
one, from 1,024 tokens on, in steps of 128. Nothing is asked.
"""

import json
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import report
from benchmarks.report import Row
from judging import heuristics
from judging.formats import prompts
from judging.formats.criterion import parsing
from judging.formats.criterion.spec import PERSONAS
from judging.rules import schemas
from judging.types import CriterionCard, EarlierRuling, Exchange, Material, Purpose

CRITERIA, ROUNDS = 30, 3
AT_ONCE = 5
"""Criteria to a question before play, where several are asked about together."""
CHALLENGES = 3
SUBJECT = Path("samples/vaccine-fridges.md")
RUBRIC = Path("samples/rubrics/venture.json")
CHARACTERS = 4
"""A token, as vendors count them in English."""
SHORTEST, STEP = 1024, 128


def questions(criteria: int, *, at_once: int = 1) -> Iterator[tuple[Purpose, Material]]:
    """Yield what is asked in the debate, in the order in which it is asked where all criteria are played at once."""
    subject = SUBJECT.read_text(encoding="utf-8")
    rubric = json.loads(RUBRIC.read_text(encoding="utf-8"))
    title = subject.splitlines()[0].lstrip("# ")
    named = ("code", "name", "category", "question", "high", "low")
    every = tuple(CriterionCard(**{name: row[name] for name in named}) for row in rubric["criteria"][:criteria])
    boards = [
        Material(title, subject, criterion=card, rubric=every, rounds=ROUNDS, personas=PERSONAS) for card in every
    ]
    for at in range(0, len(boards), at_once) if at_once > 1 else ():
        cards = tuple(board.criterion for board in boards[at : at + at_once] if board.criterion)
        yield Purpose.ASSESS_SEVERAL, Material(title, subject, criteria=cards)
    for at, board in enumerate(boards):
        if at_once == 1:
            yield Purpose.ASSESS, board
        score = parsing.assessment(json.dumps(heuristics.assess(board))).score
        boards[at] = replace(board, initial_score=score, score=score)
    for number in range(1, ROUNDS + 1):
        for at, board in enumerate(boards):
            if number == 1 or board.exchanges:
                boards[at] = yield from played(replace(board, round=number))


def played(board: Material) -> Iterator[tuple[Purpose, Material]]:
    """Yield the questions of one round of one criterion; return its board with what was said and ruled."""
    if board.round == 1:
        yield Purpose.CHALLENGE, board
        raised = parsing.challenges(json.dumps(heuristics.challenge(board)), keep=CHALLENGES, personas=PERSONAS)
        exchanges = {
            f"C{at}": Exchange(
                f"C{at}", challenge.persona, challenge.severity, challenge.quote, ((1, "challenger", challenge.text),)
            )
            for at, challenge in enumerate(raised, start=1)
        }
    else:
        exchanges = {exchange.label: exchange for exchange in board.exchanges}
        unruled = replace(board, exchanges=tuple(replace(exchange, rulings=()) for exchange in board.exchanges))
        yield Purpose.PRESS, unruled
        for pressed in parsing.presses(json.dumps(heuristics.press(unruled)), labels=exchanges):
            exchanges[pressed.label] = said(exchanges[pressed.label], board.round, "challenger", pressed.text)
    unruled = replace(board, exchanges=tuple(replace(exchange, rulings=()) for exchange in exchanges.values()))
    yield Purpose.DEFEND, unruled
    for defended in parsing.defences(json.dumps(heuristics.defend(unruled)), labels=exchanges):
        answered = said(exchanges[defended.label], board.round, "evaluator", defended.text)
        exchanges[defended.label] = replace(answered, reply=defended.reply)
    ruled_on = replace(board, exchanges=tuple(exchange for exchange in exchanges.values() if exchange.reply))
    yield Purpose.JUDGE, ruled_on
    labels = [exchange.label for exchange in ruled_on.exchanges]
    for ruled in parsing.verdicts(json.dumps(heuristics.judge(ruled_on)), labels=labels):
        ruling = EarlierRuling(board.round, ruled.winner, ruled.adjustment, ruled.reasoning)
        exchange = exchanges[ruled.label]
        exchanges[ruled.label] = replace(exchange, rulings=(*exchange.rulings, ruling))
    left = (exchange for exchange in exchanges.values() if exchange.reply != "concede")
    return replace(board, exchanges=tuple(replace(exchange, reply=None) for exchange in left))


def said(exchange: Exchange, number: int, who: str, words: str) -> Exchange:
    return replace(exchange, said=(*exchange.said, (number, who, words)))


def as_sent(purpose: Purpose, material: Material) -> str:
    """Return a question as an endpoint reads it: the shape of the answer, then what is asked."""
    asked = prompts.messages(purpose=purpose, material=material)
    return json.dumps(schemas.of(purpose)) + "".join(message.text for message in asked)


def common(text: str, other: str) -> int:
    """Return how many characters two texts have in common from their beginning on."""
    return next((at for at, (left, right) in enumerate(zip(text, other, strict=False)) if left != right), len(text))


def counted(texts: Sequence[str]) -> dict[str, int]:
    """Return how many tokens texts have, and how many of them a cache knows that has seen those before."""
    seen: list[str] = []
    known = 0
    for text in texts:
        at = bisect(seen, text)
        nearest = max((common(text, other) for other in seen[max(0, at - 1) : at + 1]), default=0)
        tokens = nearest // CHARACTERS
        known += tokens - tokens % STEP if tokens >= SHORTEST else 0
        seen.insert(at, text)
    return {"calls": len(texts), "tokens": sum(len(text) // CHARACTERS for text in texts), "known": known}


def measure(*, criteria: int = CRITERIA) -> dict[str, dict[str, int]]:
    """Return the figures of one criterion to a question, and of several."""
    return {
        name: counted([as_sent(purpose, material) for purpose, material in questions(criteria, at_once=number)])
        for name, number in (("newest", 1), ("several", AT_ONCE))
    }


def rows(figures: report.Figures) -> list[Row]:
    newest, several = figures["newest"], figures["several"]
    share = newest["known"] / newest["tokens"]
    return [
        Row(
            f"input of a model for 30 criteria and 3 rounds over 6,000 characters, {newest['calls']} calls",
            "at least half of it known to a cache of common beginnings",
            f"{newest['tokens']:,} tokens, {share:.0%} of them known",
            met=share >= 1 / 2,
        ),
        Row(
            f"the same, {AT_ONCE} criteria to a question before play, {several['calls']} calls",
            "fewer tokens",
            f"{several['tokens']:,} tokens, {several['known'] / several['tokens']:.0%} of them known, "
            f"{several['tokens'] - several['known']:,} not; one by one {newest['tokens'] - newest['known']:,} not",
            met=several["tokens"] < newest["tokens"],
        ),
    ]
