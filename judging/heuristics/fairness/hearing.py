"""What a response is judged against: its clauses, what opponents claimed, and what its speaker said before."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from judging import frameworks
from judging.heuristics.fairness.claims import Claim, claim, key_claims, rarity, stems_of
from judging.heuristics.fairness.clauses import Clause, Table, assertions, clauses, named, unquoted
from judging.heuristics.text import READ_LIMIT, cut, sentences, squeezed
from judging.scene import Scene

OWN_TURNS = 6


@dataclass(frozen=True, slots=True)
class Hearing:
    """One response with everything it is compared with. ``own_words`` are its clauses with quotations left out;
    ``spoken`` is all that others have said, in lower case.
    """

    text: str
    clauses: tuple[Clause, ...]
    own_words: tuple[Clause, ...]
    claims: tuple[Claim, ...]
    gists: tuple[Claim, ...]
    before: tuple[Claim, ...]
    answered: str
    spoken: str
    framework: frameworks.Framework | None

    def line(self, one: Clause) -> str:
        """Return a clause as it is quoted: a slice of the response, cut."""
        return cut(self.text[one.start : one.end].strip())


def hearing(scene: Scene) -> Hearing:
    """Prepare a response for judgement."""
    text = scene.response[:READ_LIMIT]
    said = [one.text for one in scene.answered]
    seen = rarity([*said, *(one.text for one in scene.own[-OWN_TURNS:])])
    motion = stems_of(scene.motion)
    chair = scene.chair
    table = table_of(scene)
    return Hearing(
        text=text,
        clauses=clauses(text, table),
        own_words=clauses(unquoted(text), table),
        claims=tuple(
            found
            for one in scene.answered
            for found in key_claims(speaker=one.speaker, text=one.text, seen=seen, motion=motion)
        ),
        gists=gists(scene),
        before=tuple(
            claim(scene.speaker, one.text[part.start : part.end], part.words, seen, motion)
            for one in scene.own[-OWN_TURNS:]
            for part in assertions(one.text)
        ),
        spoken=squeezed(" ".join(one.text for one in scene.earlier if one.speaker != scene.speaker)).lower(),
        answered=squeezed(" ".join(said)),
        framework=frameworks.frameworks().get(chair.framework) if chair else None,
    )


def table_of(scene: Scene) -> Table:
    """Return by which words the sides are named: by name, and by framework where only one side has it."""
    known = frameworks.frameworks()
    mine = known.get(scene.chair.framework) if scene.chair else None
    own = titles(mine) if mine else ()
    theirs = [name for one in scene.opponents if one.framework in known for name in titles(known[one.framework])]
    return Table(
        others=named([*(one.name for one in scene.opponents), *(name for name in theirs if name not in own)]),
        own=named([scene.speaker, *own]),
    )


def titles(one: frameworks.Framework) -> tuple[str, ...]:
    """Return what a framework is called: its name, and the bare word."""
    return one.name, one.key.replace("_", " ")


def gists(scene: Scene) -> tuple[Claim, ...]:
    """Return what opponents' frameworks stand for: some of a view may be given back that was never spelled out."""
    known = frameworks.frameworks()
    held = [(one.name, known[one.framework]) for one in scene.opponents if one.framework in known]
    nothing: Counter[str] = Counter()
    return tuple(
        claim(name, found.text, found.words, nothing, frozenset())
        for name, framework in held
        for found in sentences(f"{framework.gist} {framework.question}")
    )
