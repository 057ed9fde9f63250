"""What a prompt shows of an open debate, and what it hides of who speaks. Pure."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, count
from string import ascii_uppercase

from judging.formats.open.parsing import Grounds, JudgedResponse, WeighedEffect
from judging.formats.parsing import LONGEST_TEXT
from judging.heuristics import lexicons
from judging.rules import frameworks, prompt_values
from judging.rules.adherence import Violation
from judging.rules.injection import fenced
from judging.rules.persuasion import Strategy
from judging.types import AUDIENCE, HOST, Position, Scene, Utterance

MOTION_CHARACTERS = 2_000
NAME_CHARACTERS = 80
RESPONSE_CHARACTERS = LONGEST_TEXT
"""How much of what is judged: all of it."""
TURN_CHARACTERS = 4_000
"""How much of a turn that is told beside it."""
OWN_CHARACTERS = 6_000
HISTORY_CHARACTERS = 1_000
"""How much of what was said before a judge of fairness sees: the end of it."""
SAID_CHARACTERS = 60_000
NOTES_CHARACTERS = 1_000
FRAMEWORK_CHARACTERS = 1_000
RULES: Mapping[str, str] = {
    Violation.STRAW_MANNING.value: "An opponent's view must be told fairly before it is answered.",
    Violation.MISSING_SELF_CRITIQUE.value: "Everybody names a limit of their own position.",
    Violation.FRAMEWORK_INCONSISTENCY.value: "Reasons must follow from the framework one argues from.",
    Violation.RHETORICAL_EVASION.value: "Questions are answered, and nobody is misrepresented.",
    Violation.LOW_ADHERENCE.value: "Fair to others, open about oneself, consistent, honest: all four are expected.",
}


def fields(scene: Scene) -> Mapping[str, str]:
    """Return what a template about an open debate may name. Everything that people wrote is fenced, names too."""
    way = -1 if scene.swapped else 1
    response = fenced(scene.response, limit=RESPONSE_CHARACTERS)
    return {
        "motion": fenced(scene.motion, limit=MOTION_CHARACTERS),
        "table": "\n".join(_seat(position) for position in scene.chairs),
        "listeners": "\n".join(_seat(position) for position in scene.opponents[::way] if not position.surrendered),
        "speaker": _speaker(scene),
        "framework": _framework(scene.chair),
        "tone": frameworks.tones().get(scene.tone, ""),
        "manner": _manner(scene.chair),
        "accountability": frameworks.accountability().get(scene.accountability, ""),
        "exchange": str(scene.exchange),
        "exchanges": str(scene.exchanges),
        "own": _own(scene),
        "before": _before(scene),
        "answered": _answered(scene),
        "history": _end(scene.earlier),
        "said": _turns(scene.said, limit=SAID_CHARACTERS) or "Nothing yet.",
        "response": response,
        "words": "\n\n".join([f"What was answered:\n{_answered(scene)}", f"The response:\n{response}"][::way]),
        "violation": RULES.get(scene.violation, RULES[Violation.LOW_ADHERENCE.value]),
        "notes": fenced(" ".join(scene.notes), limit=NOTES_CHARACTERS),
        "result": fenced(prompt_values.result(scene.result), limit=prompt_values.RESULT_CHARACTERS),
    }


def name_of(name: str) -> str:
    return fenced(name, limit=NAME_CHARACTERS)


def _own(scene: Scene) -> str:
    return _turns(scene.own, limit=OWN_CHARACTERS) or "Nothing yet."


def _before(scene: Scene) -> str:
    """Return the words that a speaker without a framework is held to."""
    framed = scene.chair is not None and scene.chair.framework
    return "" if framed else f"\nWhat the speaker said before:\n{_own(scene)}"


def _answered(scene: Scene) -> str:
    return "\n".join(_turn(utterance) for utterance in scene.answered) or "Nothing yet."


PARTS: Mapping[str, str] = {
    HOST: "hosts the debate, takes no side and is not judged",
    AUDIENCE: "speaks from the audience, takes no side and is not judged",
}


def _seat(position: Position) -> str:
    if position.part in PARTS:
        return f"- {name_of(position.name)}, {PARTS[position.part]}"
    own = frameworks.frameworks().get(position.framework)
    ground = f"argues from {own.name}: {own.gist}" if own else "argues from no framework"
    gone = ", has given up" if position.surrendered else ""
    side = f", speaks for {name_of(position.side)}" if position.side else ""
    return f"- {name_of(position.name)}{side}, {_stand(position)}{gone}; {ground}"


def _speaker(scene: Scene) -> str:
    chair = scene.chair
    if chair is None or not scene.exchanges:
        return name_of(scene.speaker)
    return f"{name_of(chair.name)}, {_stand(chair)}"


def _stand(chair: Position) -> str:
    return f"stance {prompt_values.number(chair.stance)}, conviction {prompt_values.number(chair.conviction)}"


def _framework(chair: Position | None) -> str:
    own = frameworks.frameworks().get(chair.framework) if chair else None
    if own is None and chair is not None and chair.framework:
        return f"Framework, as it says itself: {fenced(chair.framework, limit=FRAMEWORK_CHARACTERS)}"
    if own is None:
        return "No framework."
    return (
        f"Framework: {own.name}. {own.gist}\nIts question: {own.question}\n"
        f"Its strengths: {'; '.join(own.strengths)}.\nIts blind spots: {'; '.join(own.blind_spots)}."
    )


def _manner(chair: Position | None) -> str:
    known = {strategy.value: strategy for strategy in Strategy}
    return frameworks.manner(known[chair.strategy]) if chair and chair.strategy in known else ""


def _turn(utterance: Utterance) -> str:
    place = f"exchange {utterance.exchange}" if utterance.exchange else utterance.kind
    return f"{name_of(utterance.speaker)} ({place}): {fenced(utterance.text, limit=TURN_CHARACTERS)}"


def _turns(said: Sequence[Utterance], *, limit: int) -> str:
    kept: list[str] = []
    room = limit
    for utterance in reversed(said):
        line = _turn(utterance)
        room -= len(line)
        if room < 0 and kept:
            break
        kept.insert(0, line)
    return "\n".join(kept)


def _end(said: Sequence[Utterance]) -> str:
    """Return the last characters of what was said, in one fence."""
    whole = "\n".join(f"{utterance.speaker}: {utterance.text}" for utterance in said)
    return fenced(whole[-HISTORY_CHARACTERS:], limit=HISTORY_CHARACTERS)


# Labels for judges instead of names, in whatever anybody says; and the names again in what judges say. Pure.


WORDS = ("Speaker", "Chair", "Voice", "Debater")
"""What labels begin with: the first of them that nobody uses with a letter or name behind it."""
UNSEEN = "[\u00ad\u200b-\u200f\u2060\ufeff]*"
"""Characters without a shape, which would hide a name from a search and not from a reader."""
NOTHING = "(?!)"
"""What is found nowhere."""
TITLES = frozenset(["the", "and", "von", "van", "der", "doctor", "professor", "judge", "lady", "lord", "captain"])
NAMES_AND_WORDS = (
    "april art august autumn baker bell bill bishop brown carter chance chase christian cliff con cook cross daisy dale"
    " dawn dean drew earl faith fisher fox frank free gene ginger grace grant green guy hall harmony heath hill holly"
    " hope hunter iris ivy jack jade jean joy june justice king lane lee lily major mark market mason may mercy miles"
    " mill miller noble olive page pat patience pearl penny pierce piper pro ray rich rob robin rock rose ruby sandy"
    " sky smith stone sue summer taylor victor ward will winter wood young"
)
ALSO_WORDS = frozenset(NAMES_AND_WORDS.split())
"""Names that are everyday words as well: they count as names only where they begin with a capital."""
BEFORE_WORDS = re.compile(
    r"\b(?:an?|the|these|those|some|any|every|each|another|my|your|his|her|its|our|their|very|too|more|most)\s+(\w+)",
    re.IGNORECASE,
)
"""What stands before a word, and in small letters hardly before a name."""
SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Labels:
    """Who is called what. ``names`` and ``labels`` go together, in speaking order; ``words`` are what begins names and
    was said as a word, too.
    """

    names: tuple[str, ...]
    labels: tuple[str, ...]
    words: frozenset[str] = frozenset()

    def hide(self, text: str) -> str:
        """Return a text with labels for names, all at once: whole names, and the parts that only one name has."""
        said = {"", *(word.casefold() for word in re.findall(r"\w+", _shown(text)))}
        called = [(form, label) for form, label, begin in spoken(self.names, self.labels) if begin in said]
        if not called:
            return text
        spellings = "|".join(f"({_spelt(form, self.words)})" for form, _ in called)
        return re.sub(rf"(?<!\w)(?:{spellings})(?!\w)", lambda match: called[(match.lastindex or 1) - 1][1], text)

    def restore(self, text: str) -> str:
        known = dict(zip(self.labels, self.names, strict=True))
        return re.sub(
            "|".join(rf"{re.escape(label)}(?!\w)" for label in self.labels), lambda match: known[match.group()], text
        )

    def quoted(self, quote: str, *, within: str) -> str:
        """Return a quotation from a text with labels as it stands in the text itself; white space may differ."""
        parts = re.split("(" + "|".join(rf"{re.escape(label)}(?!\w)" for label in self.labels) + ")", quote)
        loose = (
            self._any_form(part) if part in self.labels else r"\s+".join(map(re.escape, re.split(r"\s+", part)))
            for part in parts
        )
        match = re.search("".join(loose), within)
        return match.group() if match else self.restore(quote)

    def _any_form(self, label: str) -> str:
        spellings = [_spelt(form, self.words) for form, of, _ in spoken(self.names, self.labels) if of == label]
        return rf"(?<!\w)(?:{'|'.join(spellings)})(?!\w)" if spellings else NOTHING


def labels_for(scene: Scene) -> Labels:
    """Return labels that nobody in a scene has used, so that they can be told from what was said."""
    names = tuple(position.name for position in scene.chairs)
    stands = (words for position in scene.chairs for words in (position.side, position.framework))
    said = "\n".join([scene.motion, *names, *stands, *(utterance.text for utterance in scene.said), scene.response])
    letters = [lettered(at) for at in range(len(names))]
    label = rf"\s+[a-z]{{1,{max(map(len, letters), default=1)}}}\b"
    words = chain(WORDS, (f"{WORDS[0]} {number}" for number in count(2)))
    word = next(word for word in words if not re.search(rf"\b{word}{label}", said, re.IGNORECASE))
    lower = frozenset(word for word in BEFORE_WORDS.findall(_shown(said)) if word.islower())
    return Labels(names, tuple(f"{word} {letter}" for letter in letters), lower)


def lettered(at: int) -> str:
    """Return a place in letters: A to Z, then AA, AB and so on."""
    before, letter = divmod(at, len(ascii_uppercase))
    return (lettered(before - 1) if before else "") + ascii_uppercase[letter]


def blinded(scene: Scene) -> Scene:
    """Return a scene in which nobody is named: neither as a speaker, nor in what anybody says.

    Shape: a judge's scene has no notes; those are for what the arbiter says under its own name.
    """
    labels = labels_for(scene)
    called = dict(zip(labels.names, labels.labels, strict=True))
    shipped = frameworks.frameworks()
    return replace(
        scene,
        motion=labels.hide(scene.motion),
        chairs=tuple(
            replace(
                position,
                name=called[position.name],
                side=labels.hide(position.side),
                framework=position.framework if position.framework in shipped else labels.hide(position.framework),
            )
            for position in scene.chairs
        ),
        speaker=called.get(scene.speaker, scene.speaker),
        said=tuple(
            replace(
                utterance, speaker=called.get(utterance.speaker, utterance.speaker), text=labels.hide(utterance.text)
            )
            for utterance in scene.said
        ),
        response=labels.hide(scene.response),
    )


@lru_cache(maxsize=16)
def spoken(names: tuple[str, ...], labels: tuple[str, ...]) -> tuple[tuple[str, str, str], ...]:
    """Return all that anybody may be called, as a reader sees it, the longest first, with label and first word."""
    owners = Counter(part for name in names for part in {part.casefold() for part in name.split()})
    every = [
        (shown, label, _beginning(shown))
        for name, label in zip(names, labels, strict=True)
        for form in (name, *(part for part in name.split() if owners[part.casefold()] == 1 and is_telling(part)))
        if (shown := _shown(form))
    ]
    return tuple(sorted(dict.fromkeys(every), key=lambda called: (-len(called[0]), called[1])))


def is_telling(part: str) -> bool:
    """Tell whether a part of a name says who that is: no title, and no word without a meaning of its own."""
    word = part.casefold()
    return len(part) >= SHORTEST and word not in TITLES | (lexicons.everyday() - ALSO_WORDS)


def _shown(name: str) -> str:
    """Return what a reader sees of a name. Each run of blanks is one: two would be found in many ways, and slowly."""
    return " ".join(re.sub(UNSEEN, "", name).split())


def _beginning(form: str) -> str:
    """Return the first word of what somebody is called, if there is a word in it."""
    word = re.search(r"\w+", form)
    return word.group().casefold() if word else ""


def _spelt(form: str, words: frozenset[str]) -> str:
    """Return a search for a name: capitals or not, except for one that is a letter or a word as well."""
    first, *letters = (r"\s+" if character.isspace() else re.escape(character) for character in form)
    folded = form.casefold()
    known = len(form) == 1 or folded in ALSO_WORDS or folded in lexicons.everyday()
    begin = re.escape(form[0].upper()) if known or _beginning(form) in words else f"(?i:{first})"
    return UNSEEN.join([begin, *(f"(?i:{letter})" for letter in letters)])


# -- answers ---------------------------------------------------------------------------------------------------------


def judged(answer: JudgedResponse, *, scene: Scene, judges_scene: Scene) -> JudgedResponse:
    """Return a judgement with the names in it again, and its passages as they stand in the response."""
    if judges_scene.chairs == scene.chairs:
        return answer
    labels = labels_for(scene)

    def named(grounds: Grounds) -> Grounds:
        quotes = (labels.quoted(quote, within=scene.response) for quote in grounds.quotes)
        kept = tuple(quote for quote in dict.fromkeys(quotes) if quote in scene.response)
        return Grounds(notes=labels.restore(grounds.notes), quotes=kept)

    return replace(
        answer,
        grounds={name: named(grounds) for name, grounds in answer.grounds.items()},
        violations=tuple(labels.restore(violation) for violation in answer.violations),
    )


def weighed(answer: tuple[WeighedEffect, ...], *, scene: Scene, judges_scene: Scene) -> tuple[WeighedEffect, ...]:
    """Return what a response does to its listeners, under their names."""
    if judges_scene.chairs == scene.chairs:
        return answer
    labels = labels_for(scene)
    called = dict(zip(labels.labels, labels.names, strict=True))
    return tuple(replace(effect, listener=called[effect.listener]) for effect in answer)
