"""The arbiter's last word on an open debate: what came of it, where they met, where they did not, what stayed open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judging.heuristics.chairs import ground
from judging.heuristics.chairs.lines import called, line, quoted
from judging.heuristics.fairness.claims import GIVEN_BACK, Claim, given_back, stems_of
from judging.heuristics.numbers import hundredths
from judging.heuristics.synthesis import found_in
from judging.heuristics.text import sentences, squeezed
from judging.heuristics.wording import listed
from judging.scene import Scene, Utterance

LISTED = 4
UNKNOWN = -1


def sum_up(scene: Scene) -> dict[str, Any]:
    """Sum up a debate from its result and its words. Missing keys leave their sentence out.

    Shape: ``summary``, and lists of ``agreements``, ``disagreements`` and ``open_questions``, with quotations.
    """
    heard = list(claims(scene))
    met: dict[str, list[str]] = {}
    for claim, names, _ in heard:
        met.setdefault(told(claim), []).extend(names)
    agreed = [f"{', '.join(dict.fromkeys(names))} took up {what}" for what, names in met.items() if names]
    apart = [f"Nobody gave back {told(claim)}" for claim, _, last in heard if last and not met[told(claim)]]
    return {
        "summary": summary(scene),
        "agreements": agreed[:LISTED],
        "disagreements": list(dict.fromkeys(apart))[:LISTED],
        "open_questions": list(dict.fromkeys(questions(scene)))[:LISTED],
    }


def claims(scene: Scene) -> Iterator[tuple[Claim, list[str], bool]]:
    """Yield what each chair mainly claimed, who took it up afterwards, and whether it was among its last words."""
    chairs = {one.name for one in scene.chairs}
    spoken = [one for one in scene.said if one.speaker in chairs]
    for place, one in enumerate(spoken):
        for claim in cases(scene, one)[:2]:
            yield claim, taken_up(claim, spoken[place + 1 :]), one in scene.answered


def cases(scene: Scene, one: Utterance) -> list[Claim]:
    return [claim for claim in ground.claims_of(scene, one) if ground.is_case(claim)]


def told(claim: Claim) -> str:
    return f"what {called(claim.speaker)} said: {quoted(claim.line)}"


def taken_up(claim: Claim, later: Sequence[Utterance]) -> list[str]:
    """Return who gave a claim back in something they said later; who said it before took nothing up."""
    names = [one.speaker for one in later if one.speaker != claim.speaker and gave_back(claim, one)]
    return [called(name) for name in dict.fromkeys(names)]


def gave_back(claim: Claim, one: Utterance) -> bool:
    return any(given_back(claim, stems_of(found.text)) >= GIVEN_BACK for found in sentences(one.text))


def questions(scene: Scene) -> Iterator[str]:
    """Yield what was asked last and may not have been answered, the latest first."""
    chairs = {one.name for one in scene.chairs}
    for one in reversed([said for said in scene.said if said.speaker in chairs]):
        for found in reversed(sentences(one.text)):
            if squeezed(found.text).endswith("?"):
                yield f"{called(one.speaker)}: {quoted(found.text)}"


def summary(scene: Scene) -> str:
    result = scene.result
    exchanges = scene.exchange or scene.exchanges
    count = "one exchange" if exchanges == 1 else f"{exchanges} exchanges"
    victory = result.get("victory")
    how = line(f"victories.{victory}") if victory in KNOWN else ""
    winner = result.get("winner")
    if not how:
        parts = [line("summary.none", motion=quoted(scene.motion, limit=300))]
    elif isinstance(winner, str) and winner:
        parts = [line("summary.won", count=count, winner=called(winner), how=how)]
    else:
        parts = [line("summary.nobody", count=count, how=how)]
    gone = [called(one.name) for one in scene.chairs if one.surrendered]
    if gone:
        parts.append(line("summary.surrendered", names=listed(gone)))
    return " ".join([*parts, *fairest(result)])


KNOWN = frozenset(["uncontested", "mutual_surrender", "draw", "overwhelming", "clear", "narrow"])


def fairest(result: Mapping[str, Any]) -> Iterator[str]:
    """Name who argued most fairly, all of them where some are equal, where adherence was judged."""
    judged = found_in(result, "adherence")
    scores = judged if isinstance(judged, Mapping) else {}
    known = {str(name): hundredths(score, otherwise=UNKNOWN) for name, score in scores.items()}
    best = max(known.values(), default=UNKNOWN)
    first = [name for name in known if known[name] == best]
    if best != UNKNOWN:
        yield line("summary.fair", name=listed([called(name) for name in first]), score=str(scores[first[0]]))
