"""The words and shapes of attempts to instruct a judge, as data. How they are read is in judging/rules/injection.py.

In phrases a space stands for whatever may stand between words, ``~`` for up to four words more; they are matched
against text without case, accents and emphasis, from the trigger word on. Everything is bounded, so nothing is slow.
"""

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
