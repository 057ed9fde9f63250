"""Words that speak to the judge instead of about the matter: finding them, fencing them off in prompts. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

# The words and shapes of attempts to instruct a judge, as data. How they are read is in judging/rules/injection.py.


JUDGES = (
    r"(?:judges?|arbiters?|evaluators?|graders?|referees?|adjudicators?|jury|jurors?|assistants?|ai|llm|model|chatbot"
    r"|scorers?|reviewing model|language model|ai model|ai judge|judge model)"
)
ORDERS = (
    r"(?:instructions?|prompts?|rules|guidelines|directions|directives?|orders|commands|rubrics?|criteria|messages?"
    r"|constraints|training|programming|policy|policies|guardrails|everything|text|context|system prompt|restrictions)"
)
EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|former|original|initial|existing|system|default|hidden|your|all"
    r"|any|other|developer)"
)
OBLIGED = (
    r"(?:must|should|shall|will|have to|need to|are to|ought to|are (?:required|instructed|obliged|ordered|told|bound) to"
    r"|may not|cannot|can only|are now|are hereby)"
)
PRIZE = (
    r"(?:(?:a |an |the )?(?:10|ten|5|five|100)(?:/10|/ 10|/5|/100| ?%)|(?:a )?(?:10|ten|5|five|100) (?:out of|of|points)"
    r"|\+ ?[1-3](?:\.[0-9]{1,2})?(?![0-9%/])|- ?3(?![0-9%/])|(?:minus|plus) (?:three|3)"
    r"|(?:the |a |our |my |its )?(?:full|top|maximum|maximal|max|highest|best|perfect|greatest)"
    r"(?: possible)? (?:marks?|points?|scores?|rating|grade|adjustment|credit|confidence|impact)"
    r"|(?:the |a )?(?:win|victory)|(?:a )?(?:ten|10|100)(?:[.!,]|\Z)|zero points?|the lowest (?:possible )?(?:score|mark))"
)
SIDES = r"(?:me|us|my side|our side|this side|the evaluator|the red team|our team|the proposer|the author|this (?:text|plan|proposal|answer|argument|response|submission))"

RUN_UP = (
    r"(?:\A|[.!?:;,()\[\]{}\"'<>|#\n=/-] ?"
    r"|\b(?:you|judges?|arbiters?|evaluators?|graders?|ai|models?|llms?|assistants?|referees?)"
    r" (?:must|should|shall|will|need to|have to|has to|is to|are to|ought to|can now|are (?:required|instructed|told) to)"
    r" |\b(?:want|need|order|command|ask|instruct|require|tell|told|instructed|asked|urge) (?:you|the \w{1,12}|all \w{1,12})"
    r" to |\b(?:please|kindly|must now|and now|then|simply|just|so|therefore|you to|instructed to|required to|reminder to"
    r"|remember to|sure to|job is to|task is to|bitte|veuillez|por favor|per favore|debes|debe|devez|dois) )"
    r"(?:(?:and|also|now|then|please|always|only|simply|just|immediately|therefore|kindly|completely|fully|hereby|judge"
    r"|arbiter|evaluator|grader) ){0,3}"
)
"""What stands before a verb that is an order. It may begin where the text is cut off."""

PHRASES: tuple[tuple[str, bool, str, str], ...] = (
    # sign, only as an order, trigger words, the phrase from the trigger on
    (
        "override", True,
        "ignore disregard forget override bypass neglect discard skip ignoring disregarding forgetting drop",
        rf"\w{{1,14}} ~{EARLIER} ~{ORDERS}\b",
    ),
    ("override", True, "ignore disregard forget", r"\w{1,14} (?:everything|anything|all|what) ~(?:above|before|earlier|previously|so far|said|told|instructed)\b"),
    ("override", False, "ignore disregard forget override", rf"\w{{1,14}} (?:all )?(?:of )?(?:your|the (?:judge|arbiter)'?s) ~{ORDERS}\b"),
    ("override", True, "do don dont", rf"(?:do not|don't|dont) (?:follow|obey|apply|use|heed|listen to) ~(?:previous|prior|above|earlier|your|system|original|rubric|given) ~{ORDERS}\b"),
    ("override", True, "stop", rf"stop (?:following|obeying|applying|using) ~(?:your|previous|prior|earlier|the) ~{ORDERS}\b"),
    ("override", False, "override", r"override (?:mode|code|protocol|sequence) ?(?:on|enabled|activated|active|accepted|engaged)\b"),
    ("override", False, "system safety judge admin", r"\w{1,14} override (?:on|enabled|activated|active|accepted|engaged|code|initiated)\b"),
    (
        "override", False, "ignoriere ignorieren ignorier vergiss vergesst vergessen missachte missachten ubergehe",
        r"\w{1,14} (?:sie )?(?:bitte )?~(?:alle|deine|ihre|eure|bisherigen|vorherigen|vorigen|obigen|fruheren|vorangegangenen|vorhergehenden|ursprunglichen|samtliche)"
        r" ~(?:anweisung(?:en)?|instruktion(?:en)?|regeln|vorgaben|befehle|anordnungen|prompts?|richtlinien|kriterien)\b",
    ),
    (
        "override", False, "ignore ignorez ignorer oublie oubliez oublier negligez",
        r"\w{1,14} ~(?:instructions?|consignes?|regles|directives?|ordres|criteres) ~(?:precedente?s?|anterieure?s?|ci-dessus|initiales?|d'origine|donnees|ci dessus)",
    ),
    ("override", False, "ignore ignorez oublie oubliez", r"\w{1,14} (?:tout ce qui precede|toutes (?:les|tes|vos) (?:instructions|consignes|regles))\b"),
    ("override", False, "tiens tenez", r"(?:tiens|tenez) (?:pas )?(?:aucun )?compte des? ~(?:instructions?|consignes?|regles|directives)\b"),
    (
        "override", False, "ignora ignore ignoren ignorad olvida olvide olviden descarta",
        r"\w{1,14} ~(?:instrucciones|reglas|indicaciones|ordenes|directrices|criterios) ~(?:anteriores|previas|precedentes|de arriba|originales|recibidas)\b",
    ),
    ("override", False, "ignora ignore ignoren olvida olvide", r"\w{1,14} (?:todas (?:las|tus|sus) (?:instrucciones|reglas|indicaciones)|todo lo anterior)\b"),
    ("override", False, "haz haga hagan", r"(?:haz|hagan?) caso omiso (?:de|a) ~(?:instrucciones|reglas|indicaciones|anterior)\b"),
    ("override", False, "ignora ignori ignorate dimentica dimenticate", r"\w{1,14} ~(?:istruzioni|regole|indicazioni) ~(?:precedenti|iniziali|sopra)\b"),
    ("override", False, "ignore ignora esqueca esquece desconsidere", r"\w{1,14} ~(?:instrucoes|regras|orientacoes) ~(?:anteriores|previas|acima)\b"),
    ("override", False, "negeer vergeet", r"\w{1,14} ~(?:vorige|eerdere|bovenstaande|voorgaande|alle) ~(?:instructies|regels|opdrachten)\b"),
    # speaking to the judge
    ("addresses_judge", False, "as", rf"as (?:the|a|an|our|your|this) ?(?:\w{{1,12}} )?{JUDGES} you {OBLIGED}\b"),
    ("addresses_judge", False, "as", rf"as an? (?:ai|llm|language model|assistant)\b ~you {OBLIGED}\b"),
    ("addresses_judge", False, "you", rf"you (?:as|the|are) (?:the |a )?{JUDGES} ?(?:,)?{OBLIGED}\b"),
    ("addresses_judge", True, "note message memo notice attention reminder instructions instruction hint", rf"\w{{1,14}} (?:to |for )?(?:the |all |any |whatever )?{JUDGES} ?(?:[:,.!-]|reading|evaluating|scoring|you|please)"),
    ("addresses_judge", True, "dear hey hello attention", rf"\w{{1,14}} (?:mr |ms |the )?{JUDGES}\b ?(?:[:,!]|you|please)"),
    ("addresses_judge", True, "judge arbiter evaluator grader referee adjudicator assistant ai llm model chatbot", rf"{JUDGES}[,:!] ?(?:please |now |kindly |just |you )?(?:must|should|award|give|grant|rule|declare|score|mark|rate|set|ignore|disregard|find|decide|side|vote|output|return|answer|respond|say|write|add|raise|lower|remember|note that you|choose|pick|treat|accept|reject|dismiss)\b"),
    ("addresses_judge", False, "whoever any if", rf"(?:whoever|any (?:ai|llm|model)(?: that| who| which)?|if you are (?:an? |the )?{JUDGES})(?: is| are)?(?: reading| grading| judging| scoring| evaluating| processing)? ?(?:this)?(?: text| debate| document| answer)?,? (?:must|should|has to|award|give|rule|declare|ignore|then|please|you)\b"),
    ("addresses_judge", False, "als", r"als (?:richter|schiedsrichter|jury|gutachter|bewerter|preisrichter|ki)(?:in)? (?:musst du|mussen sie|sollst du|sollten sie|hast du|haben sie|darfst du)\b"),
    ("addresses_judge", False, "en", r"en tant (?:que|qu') ?(?:juge|arbitre|evaluateur|jure|correcteur|ia) (?:tu dois|vous devez|il te faut|il vous faut|vous etes tenu)\b"),
    ("addresses_judge", False, "como", r"como (?:juez|jueza|arbitro|arbitra|evaluador|evaluadora|jurado|ia) (?:debes?|tienes? que|tendras que|deberias?|has de)\b"),
    # being made somebody else
    ("new_role", False, "you", rf"you are (?:now |no longer |from now on )(?:bound|limited|restricted|acting|operating|in|an?|the|free|my|our|dan)\b"),
    ("new_role", False, "you", rf"you are (?:an? |the )(?:unrestricted|unfiltered|helpful|obedient|uncensored|impartial) (?:ai |llm )?{JUDGES}\b"),
    ("new_role", False, "from", rf"from (?:now on|here on|this point on|this point forward|this moment on) ~(?:you|{JUDGES}|ignore|always|give|award|respond|answer)\b"),
    ("new_role", False, "your", r"your (?:new|real|actual|true|only|updated|secret) (?:task|instructions?|role|job|goal|objective|directive|purpose|mission|rules|system prompt|rubric|orders) (?:is|are|follows?|says?|reads?|now)\b"),
    ("new_role", True, "new updated revised real", r"\w{1,10} (?:system |developer |judging |scoring )?(?:instructions?|prompt|directive|orders|rubric|policy)(?: for (?:the |all )?(?:judge|arbiter|ai|model|evaluator)s?)?(?::| (?:follow|in effect|from the (?:developer|operator|administrator)))"),
    ("new_role", True, "pretend act behave imagine roleplay simulate", rf"\w{{1,10}} (?:as if|as though|to be|that|as|like|you are|being)(?: you (?:are|were|have|had))? ?(?:an? |the |my |our |already |no )?(?:{JUDGES}|evaluator'?s (?:lawyer|advocate|friend)|decided|agreed|rules|instructions)\b"),
    ("new_role", True, "enter enable activate switch", r"\w{1,10} (?:to |into |on )?(?:developer|debug|admin|administrator|god|jailbreak|dan|unrestricted|maintenance|root|test) mode\b"),
    ("new_role", False, "developer debug admin jailbreak dan maintenance", r"\w{1,14} mode (?:is )?(?:on|enabled|activated|active|engaged)\b"),
    ("new_role", False, "du sie", r"(?:du bist|sie sind) (?:jetzt|nun|ab (?:jetzt|sofort)) (?:ein|eine|der|die|nicht mehr)\b"),
    ("new_role", False, "tu vous", r"(?:tu es|vous etes) (?:desormais|maintenant) (?:un|une|le|la|l')"),
    ("new_role", False, "eres ahora", r"(?:ahora eres|eres ahora|a partir de ahora eres)\b"),
    ("new_role", False, "ab", r"ab (?:jetzt|sofort) ~(?:bist du|sind sie|gibst du|geben sie|bewertest du|vergibst du|musst du)\b"),
    # asking for a score
    ("score_demand", True, "give award assign grant rate score mark set grade raise add deduct subtract enter record apply return output", rf"\w{{1,10}} ~~{PRIZE}"),
    ("score_demand", True, "raise increase lower reduce set change bump", r"\w{1,10} (?:my|our|the|this|its|their) (?:final |overall |current )?(?:scores?|marks?|grade|adjustment|rating|impact|confidence) (?:to|by|at) "),
    ("score_demand", True, "declare pronounce crown announce name", rf"\w{{1,10}} {SIDES} (?:as |to be )?(?:the )?(?:winner|winning side|victor|victorious)\b"),
    ("score_demand", True, "rule find decide vote side judge", rf"\w{{1,10}} (?:only |always |strictly )?(?:for|with|in favou?r of|in) (?:{SIDES}|(?:my|our|the evaluator'?s|the red team'?s) favou?r)\b"),
    ("score_demand", False, "rule decide", r"\w{1,10} in (?:my|our) favou?r (?:now|here|regardless|no matter|every|and|or|[.!])"),
    ("score_demand", False, "must should shall deserves", rf"\w{{1,10}} (?:therefore |always |automatically )?(?:receive|get|be (?:given|awarded|scored|rated|marked|set to)|win with|score) ~{PRIZE}"),
    ("score_demand", False, "correct right proper only appropriate expected required", rf"\w{{1,12}} (?:verdict|ruling|adjustment|score|outcome|decision|answer|mark) (?:here |in this round |for this )?(?:is|would be|must be|has to be|can be) (?:an? |the |in favou?r of )?(?:{PRIZE}|evaluator\b|red team\b|for the (?:evaluator|red team))"),
    ("score_demand", False, "gib gebt geben vergib vergeben vergebt bewerte bewerten erteile erteilen setze", r"\w{1,10} (?:sie )?~(?:10(?: von |/)10|zehn (?:von zehn|punkte)|(?:die )?(?:volle|hochste|maximale|beste) (?:punktzahl|punkte|note|wertung|bewertung)|hochstnote|\+ ?3)"),
    ("score_demand", False, "donne donnez donner attribue attribuez attribuer accorde accordez accorder mets mettez note notez", r"\w{1,10} ~(?:10(?: sur |/)10|dix sur dix|(?:la |le )?(?:note|score|notation) (?:maximale?|la plus (?:haute|elevee)|parfaite?)|(?:la )?meilleure note|tous les points|\+ ?3)"),
    ("score_demand", False, "da dame danos dale den dele otorga otorgue otorgad asigna asigne asignad pon ponga ponle califica califique", r"\w{1,10} ~(?:10(?: de |/| sobre )10|diez (?:de|sobre) diez|(?:la |una )?(?:puntuacion|nota|calificacion) (?:maxima|mas alta|perfecta)|(?:la )?maxima (?:puntuacion|nota|calificacion)|\+ ?3)"),
    ("score_demand", False, "assegna assegnate dai date", r"\w{1,10} ~(?:10(?: su |/)10|(?:il )?punteggio massimo|il massimo dei punti|\+ ?3)"),
    # dictating what the judge answers
    ("dictates_answer", True, "respond reply answer output return print write say", r"\w{1,10} (?:only |just |exactly |solely )?(?:with |in )?(?:only |just |exactly |solely )?(?:the following|this|exactly this|the (?:exact )?(?:words?|string|text|line|json)|valid json|nothing but|this json)\b ?(?:[:\"'{]|json|verdict|and nothing|ruling|with|in your)"),
    ("dictates_answer", True, "respond reply answer output return", r"\w{1,10} (?:only|exactly|solely|just) (?:with )?"),
    ("dictates_answer", False, "your", r"your (?:final |next |only )?(?:answer|verdict|ruling|response|output|reply|judg(?:e)?ment|decision|reasoning) (?:must|should|shall|will|has to|needs to|is to) (?:be|contain|say|state|start|begin|read|end|favou?r|find|include|equal)\b"),
    ("dictates_answer", True, "begin start end copy repeat", r"\w{1,8} (?:your (?:answer|reply|response|verdict|ruling|output|reasoning)|the (?:verdict|ruling) below|the following (?:verdict|ruling|json))\b"),
    # asking for what the judge was told
    ("prompt_leak", True, "reveal print show repeat output display leak tell disclose recite quote", r"\w{1,10} (?:me |us |out )?~(?:your|the) (?:own |full |exact |original |hidden |entire |whole |complete )?(?:system |initial |hidden |secret |judging )?(?:prompt|instructions|system message|rubric prompt)\b"),
    ("prompt_leak", False, "what", r"what (?:is|are|were|was) your (?:system |initial |hidden |original |secret )(?:prompt|instructions?|message)\b"),
)  # fmt: skip

ABOUT = r"(?:judges?|arbiters?|scores?|scoring|instructions?|award|verdicts?|ignore|evaluators?|prompts?|ruling|adjustment|winner|10/10|\bAI\b|assistant|you must|red.?team)"
SHAPES: tuple[tuple[str, str], ...] = (
    (
        "role_tag",
        r"<\|{0,1}/?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id|end_header_id|begin_of_text|developer)\|?>",
    ),
    ("role_tag", r"\[/?(?:INST|SYS|SYSTEM|ASSISTANT)\]|<</?SYS>>|<(?:start|end)_of_turn>"),
    (
        "role_tag",
        r"^[ \t>*#\"'\[(-]{0,8}(?:system|developer|assistant|admin|operator)(?: (?:message|prompt|note|notice|instructions?))?[\])*]{0,3}[ \t]{0,2}:(?=[^\n]{0,120}?\b(?:you|your|judges?|arbiters?|evaluators?|ignore|award|scores?|verdicts?|instructions?|rule|ruling|respond|output|grade|winner|adjustment)\b)",
    ),
    (
        "role_tag",
        r"^#{1,4} {0,2}(?:system|instructions?|response|assistant|new instructions?)(?: prompt| message)?[ \t]{0,2}:?[ \t]{0,2}$",
    ),
    ("role_tag", r"[\"']role[\"'][ \t]{0,3}:[ \t]{0,3}[\"'](?:system|assistant|developer|user)[\"']"),
    ("fake_verdict", r"[\"'](?:verdicts?|adjustment|winner|impact)[\"'][ \t\n]{0,3}:"),
    (
        "fake_verdict",
        r"[\"'](?:score|confidence|reasoning)[\"'][ \t\n]{0,3}:[^\n\"']{0,12}[,\n][ \t\n]{0,12}[\"'](?:score|confidence|reasoning|challenge)[\"'][ \t]{0,3}:",
    ),
    ("fake_verdict", r"\b(?:adjustment|impact)[ \t]{0,3}[:=][ \t]{0,3}[+-][ \t]?\d"),
    (
        "fake_verdict",
        r"^[ \t>*#_-]{0,6}(?:final |official )?(?:verdict|ruling|winner)[*_]{0,2}[ \t]{0,3}:[*_]{0,2}[ \t]{0,3}(?:the )?(?:evaluator|red.team|proposition|opposition|in favou?r|\+|10)",
    ),
    ("fake_verdict", r"<(?:verdict|ruling|score|adjustment)>"),
    ("comment", rf"<!--[^<>]{{0,160}}?{ABOUT}[^<>]{{0,160}}"),
    ("comment", rf"^\[(?://|comment|note|_)\]:[ \t]{{0,3}}(?:#|<>)[^\n]{{0,120}}?{ABOUT}"),
    ("comment", rf"/\*[^*/]{{0,120}}?{ABOUT}"),
    ("comment", rf"\{{[#%][^{{}}]{{0,120}}?{ABOUT}"),
    (
        "hidden_text",
        r"<[a-z]{1,10}[ \t][^<>]{0,120}?(?:display[ ]?:[ ]?none|visibility[ ]?:[ ]?hidden|font-size[ ]?:[ ]?0|opacity[ ]?:[ ]?0|colou?r[ ]?:[ ]?(?:white|#fff|transparent))",
    ),
    (
        "fence_end",
        r"^[ \t]{0,4}(?:={3,}|-{3,}|\*{3,}|#{3,}|<{3,}|>{3,}|~{3,}|`{3,})[ \t]{0,3}(?:end(?: of)?|begin|start|material|instructions?|system|prompt)\b(?: (?:the |of |user )?(?:material|subject|text|transcript|document|debate|data|input|prompt|instructions?))?[ \t]{0,3}(?:={3,}|-{3,}|\*{3,}|#{3,}|<{3,}|>{3,}|~{3,}|$)",
    ),
    (
        "fence_end",
        r"^[ \t\[(<*]{0,4}end of (?:the )?(?:material|subject|transcript|fence|data|user input|user text|quoted text|untrusted (?:text|data|content)|debate text|submission|prompt|context)\b[ \t]{0,2}[.:\])>!*]",
    ),
    (
        "fence_end",
        r"</(?:material|subject|transcript|data|untrusted|user_?input|document|context|exchange|quote|text|prompt|instructions?|input|submission)>",
    ),
)
"""(sign, regular expression) pairs, matched against the text as it is, whatever its case."""


# Finding words that speak to the judge instead of about the matter. Pure, and linear in the length of the text.


MOST_HITS = 50
LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u0501\u03bf\u03b1\u0131", "aeopcyxisjdoai"
)
"""Letters of other scripts that are drawn like Latin ones."""
QUOTES = str.maketrans("\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u00ab\u00bb\u2013\u2014\u2212", '\'\'\'\'"""""---')
EMPHASIS = frozenset("*_~`")
WORD = re.compile("[a-z]+")
BEFORE = 80
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad"
HIDDEN = re.compile(
    f"(?<=[A-Za-z])[{ZERO_WIDTH}]{{1,8}}(?=[A-Za-z])"  # inside a word, where no script needs one
    f"|[\u200b\u2060-\u2064\ufeff]{{4,}}"  # a run of nothing
    "|[\u202d\u202e]"  # what follows is drawn in another order
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007e]{2,}"  # letters that are not drawn; flags use them
)
SEVERAL = 2


class Sign(StrEnum):
    """What a passage does that an argument has no reason to do.

    Source: docs/reference/injection.md.
    """

    OVERRIDE = "override"
    ADDRESSES_JUDGE = "addresses_judge"
    NEW_ROLE = "new_role"
    ROLE_TAG = "role_tag"
    FAKE_VERDICT = "fake_verdict"
    SCORE_DEMAND = "score_demand"
    DICTATES_ANSWER = "dictates_answer"
    PROMPT_LEAK = "prompt_leak"
    COMMENT = "comment"
    FENCE_END = "fence_end"
    HIDDEN_TEXT = "hidden_text"


@dataclass(frozen=True, slots=True)
class Hit:
    """One suspicious passage: ``text[start:end]``."""

    sign: Sign
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that are suspicious from a trigger word on; ``imperative`` ones only where somebody is told to do so."""

    sign: Sign
    pattern: re.Pattern[str]
    imperative: bool


def _triggers() -> Mapping[str, Sequence[Phrase]]:
    found: dict[str, list[Phrase]] = {}
    for sign, imperative, words, rest in PHRASES:
        phrase = Phrase(Sign(sign), re.compile(spelled(rest)), imperative)
        for word in words.split():
            found.setdefault(word, []).append(phrase)
    return found


def spelled(pattern: str) -> str:
    """Return a pattern in which a space is what may stand between words, and ``~`` up to four words more."""
    between = r"(?:[ \n,:;\"'-]{1,3})"
    return pattern.replace("~", r"(?:[\w'/-]{1,20} ){0,4}?").replace(" ", between)


TRIGGERS = _triggers()
SHAPED = [(Sign(sign), re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for sign, pattern in SHAPES]
RUNS_UP = re.compile(spelled(RUN_UP) + r"\Z")


def find(text: str) -> tuple[Hit, ...]:
    """Return the passages that try to instruct a judge, in the order of the text, at most 50.

    Source: docs/reference/injection.md.
    """
    prose, places = folded(text)
    hits = {*_phrases(prose, places), *_shapes(text), *_hidden(text), *_fences(text)}
    return tuple(sorted(hits, key=lambda hit: (hit.start, hit.end, hit.sign)))[:MOST_HITS]


def folded(text: str) -> tuple[str, Sequence[int]]:
    """Return a text as it sounds, and for each of its characters the place of the one it came from.

    Accents, case, emphasis, invisible and look-alike characters are folded away, and white space to a single character.
    """
    kept: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        for one in _folded(character):
            if one == " " and kept and kept[-1] in " \n":
                continue
            if one == "\n" and kept and kept[-1] == " ":
                kept[-1] = one
                continue
            kept.append(one)
            places.append(at)
    return "".join(kept), places


def _folded(character: str) -> str:
    if "a" <= character <= "z" or character == " ":
        return character
    if character.isspace():
        return "\n" if character in "\n\r\u2028\u2029" else " "
    if character in EMPHASIS or unicodedata.category(character) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKD", character).casefold().translate(LOOKALIKES).translate(QUOTES)
    return "".join(one for one in plain if not unicodedata.combining(one))


def _phrases(prose: str, places: Sequence[int]) -> Iterator[Hit]:
    for word in WORD.finditer(prose):
        for phrase in TRIGGERS.get(word.group(), ()):
            found = phrase.pattern.match(prose, word.start())
            if found and (not phrase.imperative or _is_told(prose, word.start())):
                yield Hit(phrase.sign, places[found.start()], places[found.end() - 1] + 1)


def _is_told(prose: str, at: int) -> bool:
    """Say whether the verb at a place is an order: it begins a clause, or follows words that give one."""
    return RUNS_UP.search(prose, max(0, at - BEFORE), at) is not None if at else True


def _shapes(text: str) -> Iterator[Hit]:
    for sign, pattern in SHAPED:
        for found in pattern.finditer(text):
            yield Hit(sign, found.start(), found.end())


def _hidden(text: str) -> Iterator[Hit]:
    """Find characters that nobody sees; a single one inside a word comes from careless copying."""
    found = list(HIDDEN.finditer(text))
    long = [one for one in found if one.end() - one.start() >= SEVERAL or one.group() in "\u202d\u202e"]
    for one in found if len(found) >= SEVERAL else long:
        yield Hit(Sign.HIDDEN_TEXT, one.start(), one.end())


def _fences(text: str) -> Iterator[Hit]:
    """Find the mark that ends somebody's words where none has begun."""
    depth = 0
    for found in re.finditer("[\u27e6\u27e7]", text):
        depth += 1 if found.group() == "\u27e6" else -1
        if depth < 0:
            yield Hit(Sign.FENCE_END, found.start(), found.end())
            depth = 0


def fenced(text: str, *, limit: int) -> str:
    """Return somebody's words as they stand in a prompt: between marks that the words themselves cannot contain, cut at
    ``limit`` characters.
    """
    bare = text.replace("\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "[").replace(
        "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}", "]"
    )
    kept = bare if len(bare) <= limit else bare[:limit] + " (cut)"
    return f"\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}{kept}\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
