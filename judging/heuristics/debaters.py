"""Debaters of an open debate by rule: they argue from what was said; a host introduces, interjects and sums up."""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import Any

from judging.heuristics import lexicons, motion
from judging.heuristics.arbiter import found_in
from judging.heuristics.evidence import Passage, Signs, passages
from judging.heuristics.response import GIVEN_BACK, KeyClaim, given_back, key_claims, rarity, stems_of
from judging.heuristics.text import cut, hundredths, sentences, squeezed
from judging.heuristics.wording import listed
from judging.rules import frameworks, persuasion
from judging.rules.adherence import Violation
from judging.rules.persuasion import Strategy
from judging.rules.standing import Side, position
from judging.types import Position, Scene, Utterance

# The sentences the chairs speak in: templates from the packaged lines, filled with what was found.


NAME_LIMIT = 40
QUOTE_LIMIT = 200
MARKS = re.compile('[\u201c\u201d"\u27e6\u27e7]')


def variants(key: str) -> tuple[str, ...]:
    listed = lexicons.read("chairs")
    for step in key.split("."):
        listed = listed[step]
    return (listed,) if isinstance(listed, str) else tuple(listed)


def line(key: str, *, seed: str = "", **values: str) -> str:
    """Return one template of a key, chosen by the seed alone, with its values put in."""
    return next(lines(key, seed=seed, **values))


def lines(key: str, *, seed: str = "", **values: str) -> Iterator[str]:
    """Yield every template of a key with its values put in; the seed alone says which comes first."""
    choices = variants(key)
    first = zlib.crc32(f"{key}|{seed}".encode("utf-8", "replace")) % len(choices)
    for choice in (*choices[first:], *choices[:first]):
        yield Template(choice).substitute(values)


RUN = 6
"""Words in a row that nobody says twice in a debate, whoever said them first; quotations aside."""
BETWEEN = re.compile("\u201c[^\u201c\u201d]*+\u201d")


def runs(text: str) -> frozenset[tuple[str, ...]]:
    """Return every run of words of a text outside quotation marks; a sentence that is shorter is one itself."""
    every: set[tuple[str, ...]] = set()
    for sentence in sentences(BETWEEN.sub("\u201c\u201d.\n\n", text)):
        every.update(sentence.words[at : at + RUN] for at in range(max(1, len(sentence.words) - RUN + 1)))
    return frozenset(run for run in every if len(run) > 2)


class NewWords:
    """A turn that is being put together, sentence by sentence, of what has not been said in this debate."""

    def __init__(self, scene: Scene) -> None:
        self.seed = seed_of(scene)
        self.parts: list[str] = []
        self.said = set().union(*(runs(utterance.text) for utterance in scene.said))
        self.short = squeezed(" ".join(utterance.text for utterance in scene.said))

    def say(self, key: str, **values: str) -> bool:
        """Say a template of a key that brings nothing that was said before; say whether there was one."""
        return self.take(lines(key, seed=self.seed, **values))

    def take(self, choices: Iterable[str]) -> bool:
        for text in choices:
            spoken = runs(text)
            if spoken & self.said:
                continue
            self.said |= spoken
            self.short = f"{self.short} {text}"
            self.parts.append(text)
            return True
        return False

    @property
    def text(self) -> str:
        return " ".join(self.parts)


def quoted(text: str, *, limit: int = QUOTE_LIMIT) -> str:
    """Return somebody's sentence in quotation marks, on one line, cut where it is long, as a sentence of its own."""
    plain = MARKS.sub("'", squeezed(text))
    short = cut(plain, limit=limit)
    bare = short.rstrip(" .,;:")
    if short != plain:
        return f"\u201c{bare} \u2026\u201d"
    return f"\u201c{bare}\u201d" if bare.endswith(("?", "!", "\u2026")) else f"\u201c{bare}.\u201d"


def called(name: str) -> str:
    """Return a name as it is spoken: on one line, and not too long."""
    return cut(squeezed(name), limit=NAME_LIMIT) or "somebody"


# What a chair has to go on: the words of the motion, and what others and itself mainly claimed.


def framework_of(chair: Position | None) -> frameworks.Framework | None:
    return frameworks.frameworks().get(chair.framework) if chair else None


def side_of(chair: Position | None) -> Side:
    return position(stance=chair.stance) if chair else Side.NEUTRAL


def claims_of(scene: Scene, utterance: Utterance) -> tuple[KeyClaim, ...]:
    """Return the main claims of an utterance, the weightiest first."""
    seen = rarity([other.text for other in scene.answered])
    claims = key_claims(speaker=utterance.speaker, text=utterance.text, seen=seen, motion=stems_of(scene.motion))
    return tuple(sorted(claims, key=lambda claim: (-claim.weight, claim.line)))


def unanswered(scene: Scene, opponent: str, *, quoted_by: Sequence[Utterance]) -> tuple[Utterance, KeyClaim] | None:
    """Return the weightiest claim of an opponent that none of some turns has quoted, from what was said last."""
    before = squeezed(" ".join(said for speech in quoted_by for said in BETWEEN.findall(speech.text)))
    for utterance in reversed([said for said in scene.earlier if said.speaker == opponent]):
        for claim in claims_of(scene, utterance):
            if is_case(claim) and claim.line.rstrip(" .?!")[:40] not in before:
                return utterance, claim
    return None


def is_case(claim: KeyClaim) -> bool:
    """Tell whether a sentence makes a case: no quotation, no question, no admission, no stock phrase of the chairs."""
    aside = {"admit", "weakness", "honesty", "motion", "question", "argument", "i", "my", "me"}.intersection(
        claim.words
    )
    quotes = set(claim.line) & set('\u201c\u201d"\u2026')
    return not aside and not quotes and not claim.line.endswith("?") and claim.line not in stock()


@cache
def stock() -> frozenset[str]:
    """Return the sentences that chairs say whatever the motion: nobody answers those."""
    listed = (
        text
        for group in ("answer", "close", "lack", "tell")
        for key in lexicons.read("chairs")[group].items()
        for text in key[1]
    )
    return frozenset(
        squeezed(sentence.text) for text in listed for sentence in sentences(text) if "$" not in sentence.text
    )


def arguments(scene: Scene) -> tuple[str, ...]:
    own = framework_of(scene.chair)
    side = "for" if scene.chair is None or scene.chair.stance >= 0 else "against"
    listed = lexicons.read("words")["topics"]["arguments"][own.key if own else "none"][side]
    thing = motion.read(scene.motion).thing
    named = thing if thing == motion.NOTHING else f"the question of {thing}"
    return tuple(text.replace(motion.NOTHING, named) for text in listed)


def passage_of(utterance: Utterance, claim: KeyClaim) -> Passage | None:
    """Return the sentence that a claim was made in, with what it brings."""
    return next((passage for passage in passages(utterance.text) if passage.line == claim.line), None)


def seed_of(scene: Scene) -> str:
    """Return what a choice of words depends on besides the words themselves."""
    return f"{scene.speaker}|{scene.exchange}|{scene.motion}"


# A chair's opening: its side, its ground, what it will ask, and what it must admit.


LEAST_LISTED = 2
SIDES = {Side.SUPPORTIVE: "for", Side.OPPOSED: "against", Side.NEUTRAL: "undecided"}


def opening(scene: Scene) -> dict[str, Any]:
    """Open for one chair: name the things of the motion, and what it would mean for whom.

    Shape: ``text``, and ``quotes`` of others' words in it (none, here).
    Source: docs/explanation/heuristic-chairs.md
    """
    speech, own = NewWords(scene), framework_of(scene.chair)
    about, side = motion.read(scene.motion), SIDES[side_of(scene.chair)]
    said = quoted(scene.motion, limit=300)
    if said not in speech.short:
        speech.say("opening.motion", motion=said)
    speech.say(f"opening.{side}")
    speech.take(
        text for things in orders(about.things) for text in lines("opening.things", seed=speech.seed, things=things)
    )
    if own is None:
        speech.say("opening.free")
    else:
        speech.say("opening.framework", name=own.name[0].lower() + own.name[1:], gist=own.gist)
        speech.say("opening.question", question=own.question)
    gain, cost = consequences(about, supports=side != "against")
    consequence(speech, about, gain)
    for argument in arguments(scene):
        if speech.say("opening.case", first=argument):
            break
    speech.say("opening.grant")
    consequence(speech, about, cost)
    speech.say("opening.admit", spot=own.blind_spots[0]) if own else speech.say("opening.admit_free")
    speech.say(f"opening.conclude_{side}")
    return {"text": speech.text, "quotes": []}


def orders(things: Sequence[str]) -> Iterator[str]:
    """Yield the things of a motion as they can be listed, each time beginning with another one; one is no list."""
    if len(things) < LEAST_LISTED:
        return
    for way in (tuple(things), tuple(reversed(things))):
        for at in range(len(way)):
            yield listed([*way[at:], *way[:at]])


def consequences(about: motion.Motion, *, supports: bool) -> tuple[str, str]:
    """Return what speaks for a side and what it has to grant, as keys."""
    good, bad = ("relief", "loss") if about.restricts else ("gain", "load")
    return (good, bad) if supports else (bad, good)


def consequence(speech: NewWords, about: motion.Motion, key: str) -> bool:
    """Say what the motion would mean for those whom it reaches; who supports and who opposes says it of others."""
    topic = about.topic
    return speech.say(
        f"consequence.{key}",
        thing=about.thing,
        users=topic.users,
        users_first=topic.users[0].upper() + topic.users[1:],
        use=topic.use,
        bearers=topic.bearers,
        bearers_first=topic.bearers[0].upper() + topic.bearers[1:],
        burden=topic.burden,
    )


# A chair's answer: it tells an opponent's claim, says what the claim lacks, and what its own view must admit.


@dataclass(frozen=True, slots=True)
class Target:
    """A claim that is answered, and who made it."""

    utterance: Utterance
    claim: KeyClaim

    @property
    def name(self) -> str:
        return called(self.utterance.speaker)


def respond(scene: Scene) -> dict[str, Any]:
    """Answer for one chair, by its strategy.

    Shape: ``text``, and the ``quotes`` of opponents in it.
    Source: docs/explanation/heuristic-chairs.md
    """
    speech, strategy = NewWords(scene), strategy_of(scene)
    marks = targets(scene)
    if not marks:
        if not scene.answered:
            speech.say("first")
        stand(scene, speech)
        return {"text": speech.text or line("nothing", number=str(scene.exchange)), "quotes": []}
    answered = marks[: 1 if strategy is Strategy.AGGRESSIVE else 2]
    for key, target in zip((f"tell.{strategy}", "second"), answered, strict=False):
        if not speech.say(key, opponent=target.name, claim=quoted(target.claim.line)):
            speech.parts.append(f"{target.name}: {quoted(target.claim.line)}")
    for missing in lacks(answered[0]):
        if speech.take(
            text
            for lack in lines(missing[0], seed=speech.seed, found=missing[1])
            for text in lines(f"answer.{strategy}", seed=speech.seed, lack=lack)
        ) or speech.say(missing[0], found=missing[1]):
            break
    stand(scene, speech)
    if admits(scene, strategy):
        admission(scene, speech)
    speech.say(f"close.{strategy}", opponent=answered[0].name)
    return {"text": speech.text, "quotes": [target.claim.line for target in answered]}


def strategy_of(scene: Scene) -> Strategy:
    """Return how the chair argues; who is told to adapt and not how, analyses."""
    known = {strategy.value: strategy for strategy in Strategy}
    chosen = known.get(scene.chair.strategy if scene.chair else "", Strategy.ANALYTICAL)
    return Strategy.ANALYTICAL if chosen is Strategy.ADAPTIVE else chosen


def targets(scene: Scene) -> list[Target]:
    """Return one claim of each opponent, whoever spoke last first; in each exchange somebody else comes first.

    What anybody has quoted is left alone as long as there is something else.
    """
    every: list[Target] = []
    for quoted_by in (scene.said, scene.own):
        rows = [unanswered(scene, utterance.speaker, quoted_by=quoted_by) for utterance in reversed(scene.answered)]
        every = every or [Target(*row) for row in rows if row is not None]
    turn = max(0, scene.exchange - 1) % len(every) if every else 0
    return every[turn:] + every[:turn]


def lacks(target: Target) -> Iterator[tuple[str, str]]:
    """Yield what the claim lacks, what weighs most first: a key, and the word that it is about."""
    passage = passage_of(target.utterance, target.claim)
    signs = passage.signs if passage else Signs()
    if signs.absolutes:
        yield "lack.absolute", signs.absolutes[0]
    if signs.hedges:
        yield "lack.hedged", signs.hedges[0]
    if not signs.grounded:
        yield ("lack.unreasoned" if signs.reasons else "lack.bare"), ""
    elif signs.kinds and not signs.sources:
        yield "lack.unsourced", ""
    else:
        yield "lack.grounded", ""


def stand(scene: Scene, speech: NewWords) -> None:
    """Bring the speaker's own case: an argument of its framework that was not heard yet, or whom the motion reaches."""
    listed = arguments(scene)
    turn = (scene.exchange + 1) % len(listed)
    for argument in (*listed[turn:], *listed[:turn]):
        if speech.say("stand", argument=argument):
            break
    about = motion.read(scene.motion)
    consequence(speech, about, consequences(about, supports=side_of(scene.chair) is not Side.OPPOSED)[0])


def admits(scene: Scene, strategy: Strategy) -> bool:
    """Tell whether the chair names a limit now: an aggressive one in every other exchange, in heat in none."""
    if strategy is not Strategy.AGGRESSIVE:
        return True
    return scene.tone != "heated" and scene.exchange % 2 == 0


def admission(scene: Scene, speech: NewWords) -> None:
    """Name a blind spot that nobody has named yet, or else whom the speaker's side leaves worse off."""
    own, about = framework_of(scene.chair), motion.read(scene.motion)
    spots = own.blind_spots if own else ()
    if own is None and speech.say("admit_free"):
        return
    if not any(speech.say("admit", spot=spot) for spot in spots):
        supports = side_of(scene.chair) is not Side.OPPOSED
        losers = about.topic.users if consequences(about, supports=supports)[1] == "loss" else about.topic.bearers
        speech.say("admit_again", thing=about.thing, losers=losers)


# What a response does to its listeners, by the word lists of the rules.


def influence(scene: Scene) -> dict[str, Any]:
    """Weigh one response for every listener who has not given up.

    Shape: ``effects`` of listener, persuasion, attack and evidence.
    Units: 0..1 as decimal strings.
    """
    effect = persuasion.from_words(text=scene.response)
    listeners = [chair for chair in scene.opponents if not chair.surrendered]
    return {
        "effects": [
            {
                "listener": listener.name,
                "persuasion": str(effect.persuasion),
                "attack": str(effect.attack),
                "evidence": str(effect.evidence),
            }
            for listener in listeners
        ]
    }


# The arbiter at the table: introduces it, and interjects when somebody argues unfairly.


LEAST, MOST = 30, 75
"""Words of an interjection."""


def introduce(scene: Scene) -> dict[str, Any]:
    """Introduce the motion and who sits at the table.

    Shape: ``text``.
    """
    seed = scene.motion
    count = "one exchange" if scene.exchanges == 1 else f"{scene.exchanges} exchanges"
    parts = [line("introduction.welcome", motion=quoted(scene.motion, limit=600))]
    parts += [seat(chair, f"{seed}{chair.name}") for chair in scene.chairs]
    parts.append(line("introduction.rules", seed=seed, count=count))
    parts.append(frameworks.accountability().get(scene.accountability, ""))
    parts += [line("introduction.invite", name=called(chair.name)) for chair in scene.chairs[:1]]
    return {"text": " ".join(part for part in parts if part)}


def seat(chair: Position, seed: str) -> str:
    own = framework_of(chair)
    side = variants(f"sides.{side_of(chair).value}")[0]
    if own is None:
        return line("introduction.free", name=called(chair.name), side=side)
    return line(
        "introduction.seat", seed=seed, name=called(chair.name), side=side, framework=own.name.lower(), gist=own.gist
    )


def interject(scene: Scene) -> dict[str, Any]:
    """Speak to whoever argued unfairly, about one violation.

    Shape: ``text`` of 30 to 75 words.
    """
    violation = scene.violation if scene.violation in set(Violation) else Violation.LOW_ADHERENCE.value
    own = framework_of(scene.chair)
    if own is None and violation == Violation.FRAMEWORK_INCONSISTENCY.value:
        violation = Violation.LOW_ADHERENCE.value
    opponent, claim = answered(scene)
    text = line(
        f"interjection.{violation}",
        seed=seed_of(scene),
        speaker=brief(scene.speaker),
        opponent=opponent,
        claim=claim,
        spot=f"One that yours must live with: {own.blind_spots[0]}." if own else "",
        framework=own.name.lower() if own else "",
        gist=own.gist if own else "",
    )
    return {"text": text}


def answered(scene: Scene) -> tuple[str, str]:
    """Return who was to be answered, and what they mainly claimed, in at most fifteen words."""
    for utterance in reversed(scene.answered):
        for claim in claims_of(scene, utterance):
            words = claim.line.split()
            short = " ".join(words[:15]) if len(words) > 15 else claim.line
            return brief(utterance.speaker), quoted(short if len(words) <= 15 else f"{short} \u2026", limit=110)
    return "the table", line("interjection_none")


def brief(name: str) -> str:
    """Return a name in at most three words: an interjection is short."""
    return " ".join(called(name).split()[:3])


# The arbiter's last word on an open debate: what came of it, where they met, where they did not, what stayed open.


LISTED = 4
UNKNOWN = -1


def sum_up(scene: Scene) -> dict[str, Any]:
    """Sum up a debate from its result and its words. Missing keys leave their sentence out.

    Shape: ``summary``, and lists of ``agreements``, ``disagreements`` and ``open_questions``, with quotations.
    """
    heard = list(claims(scene))
    met: dict[str, list[str]] = {}
    for claim, names, _ in heard:
        met.setdefault(named(claim), []).extend(names)
    agreed = [f"{', '.join(dict.fromkeys(names))} took up {what}" for what, names in met.items() if names]
    apart = [f"Nobody gave back {named(claim)}" for claim, _, last in heard if last and not met[named(claim)]]
    return {
        "summary": summary(scene),
        "agreements": agreed[:LISTED],
        "disagreements": list(dict.fromkeys(apart))[:LISTED],
        "open_questions": list(dict.fromkeys(questions(scene)))[:LISTED],
    }


def claims(scene: Scene) -> Iterator[tuple[KeyClaim, list[str], bool]]:
    """Yield what each chair mainly claimed, who took it up afterwards, and whether it is among its last words, with
    others heard after them.
    """
    chairs = {chair.name for chair in scene.chairs}
    spoken = [speech for speech in scene.said if speech.speaker in chairs]
    for place, utterance in enumerate(spoken):
        for claim in cases(scene, utterance)[:2]:
            later = spoken[place + 1 :]
            yield (
                claim,
                taken_up(claim, later),
                utterance in scene.answered and any(it.speaker != utterance.speaker for it in later),
            )


def cases(scene: Scene, utterance: Utterance) -> list[KeyClaim]:
    return [claim for claim in claims_of(scene, utterance) if is_case(claim)]


def named(claim: KeyClaim) -> str:
    return f"what {called(claim.speaker)} said: {quoted(claim.line)}"


def taken_up(claim: KeyClaim, later: Sequence[Utterance]) -> list[str]:
    """Return who gave a claim back in something they said later; who said it before took nothing up."""
    names = [
        utterance.speaker
        for utterance in later
        if utterance.speaker != claim.speaker
        and any(given_back(claim, stems_of(sentence.text)) >= GIVEN_BACK for sentence in sentences(utterance.text))
    ]
    return [called(name) for name in dict.fromkeys(names)]


def questions(scene: Scene) -> Iterator[str]:
    """Yield what was asked last and may not have been answered, the latest first."""
    chairs = {chair.name for chair in scene.chairs}
    for utterance in reversed([said for said in scene.said if said.speaker in chairs]):
        for sentence in reversed(sentences(utterance.text)):
            if squeezed(sentence.text).endswith("?"):
                yield f"{called(utterance.speaker)}: {quoted(sentence.text)}"


def summary(scene: Scene) -> str:
    result = scene.result
    exchanges = scene.exchange
    count = "one exchange" if exchanges == 1 else f"{exchanges} exchanges"
    victory = result.get("victory")
    how = line(f"victories.{victory}") if victory in KNOWN else ""
    winner = result.get("winner")
    exercise = result.get("exercise")
    if not exchanges or not (how or exercise or result.get("scores")):
        parts = [line("summary.none", motion=quoted(scene.motion, limit=300))]
    elif exercise:
        parts = [line("summary.exercise", count=count, motion=quoted(scene.motion, limit=300))]
    elif not how:
        parts = [line("summary.silent", count=count, motion=quoted(scene.motion, limit=300))]
    elif isinstance(winner, str) and winner:
        parts = [line("summary.won", count=count, winner=called(winner), how=how)]
    else:
        parts = [line("summary.nobody", count=count, how=how)]
    gone = [called(chair.name) for chair in scene.chairs if chair.surrendered]
    if gone:
        parts.append(line("summary.surrendered", names=listed(gone)))
    return " ".join([*parts, *fairness(scene)])


KNOWN = frozenset(["uncontested", "mutual_surrender", "draw", "overwhelming", "clear", "narrow"])


def fairness(scene: Scene) -> Iterator[str]:
    """Tell how fairly those argued who were judged, which says nothing about who argued better."""
    judged = found_in(scene.result, "adherence")
    scores = judged if isinstance(judged, Mapping) else {}
    known = [name for name in scores if hundredths(scores[name], otherwise=UNKNOWN) != UNKNOWN]
    if known:
        yield line("summary.fair", scores=listed([f"{called(name)} {scores[name]}" for name in known]))
