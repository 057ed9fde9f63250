"""Words that speak to the judge instead of about the matter: finding them, fencing them off in prompts. Pure."""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

# -- the words and shapes of attempts to instruct a judge, as data ------------------------------------------------------

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
    r"|an? a(?:\+| plus)(?![a-z])|(?:the |a )?(?:win|victory)|(?:a )?(?:ten|10|100)(?:[.!,]|\Z)|zero points?|the lowest (?:possible )?(?:score|mark))"
)
SIDES = r"(?:me|us|my side|our side|this side|the evaluator|the red team|our team|the proposer|the author|this (?:text|plan|proposal|answer|argument|response|submission))"

RUN_UP = (
    r"(?:\A|[.!?:;,()\[\]{}\"'<>|#\n=/-] ?"
    r"|\b(?:you|judges?|arbiters?|evaluators?|graders?|ai|models?|llms?|assistants?|referees?)"
    r" (?:must|should|shall|will|need to|have to|has to|is to|are to|ought to|can now|are (?:required|instructed|told|obliged|ordered|bound) to)"
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
    (
        "override", False, "ignoruj zignoruj zignorujcie pomin pomincie zapomnij zapomnijcie",
        r"\w{1,14} ~(?:poprzedni\w*|wczesniejsz\w*|powyzsz\w*|wszystki\w*|swo\w*) ~(?:instrukcj\w*|polece\w*|zasad\w*|wytyczn\w*|regul\w*)",
    ),
    (
        "override", False, "ignoruj ignorujte zapomen zapomente zabudni zabudnite",
        r"\w{1,14} ~(?:predchozi\w*|predchadzajuc\w*|vsechn\w*|vsetk\w*|uvedene) ~(?:pokyn\w*|instrukc\w*|pravid\w*|prikaz\w*)",
    ),
    (
        "override", False, "ignorisi ignoriraj ignorirajte zanemari zanemarite zaboravi zaboravite",
        r"\w{1,14} ~(?:prethodn\w*|prijasnj\w*|ranij\w*|sve) ~(?:uput\w*|instrukcij\w*|pravil\w*|naredb\w*|naredjen\w*)",
    ),
    (
        "override", False, "ignorera ignorer glom glem bortse strunta overse",
        r"\w{1,14} ~(?:alla|alle|tidigare|tidligere|foregaende|ovanstaende|ovenstaende|forrige|dina|dine) ~(?:instruktion\w*|instruks\w*|regler\w*|anvisning\w*|direktiv\w*)",
    ),
    (
        "override", False, "ohita unohda jata",
        r"\w{1,14} ~(?:aiemmat|aikaisemmat|edelliset|ylla|kaikki) ~(?:ohjeet|maaraykset|saannot|kaskyt)",
    ),
    ("override", False, "hagyd hagyja", r"\w{1,14} figyelmen kivul ~(?:utasitas\w*|szabaly\w*|iranyelv\w*)"),
    (
        "override", False, "ignora ignorati uita uitati",
        r"\w{1,14} ~(?:instructiunile|regulile|indicatiile|comenzile) ~(?:anterioare|precedente|de mai sus)",
    ),
    ("override", False, "onceki yukaridaki tum butun", r"\w{1,14} ~(?:talimat\w*|yonerge\w*|kural\w*|komut\w*) ~(?:yok say\w*|gormezden gel\w*|unut\w*|dikkate alma\w*|goz ardi et\w*)"),
    ("override", False, "abaikan lupakan", r"\w{1,14} ~(?:instruksi|perintah|aturan|arahan|petunjuk) ~(?:sebelumnya|terdahulu|di atas)"),
    ("override", False, "bo hay", r"\w{1,4} (?:bo )?qua ~(?:huong dan|chi dan|chi thi|quy tac|menh lenh)\b"),
    ("override", False, "puuza sahau", r"\w{1,8} ~(?:maagizo|maelekezo|sheria|amri) ~(?:awali|yaliyotangulia|yote|hapo juu)"),
    ("override", False, "non", r"non ten(?:ere|ete|er|ga) conto del(?:le)? ~(?:istruzioni|regole|indicazioni)"),
    ("override", False, "the all any your previous prior earlier above", r"\w{1,10} (?:previous |prior |above |earlier |original |system )?(?:instructions|prompts?|guidelines|directives|rubric) (?:above |so far )?(?:is|are|have been|has been) (?:now |hereby )?(?:void|null|superseded|obsolete|overridden|no longer (?:valid|in force|in effect|binding))\b"),
    ("override", True, "do don dont", r"(?:do not|don't|dont) (?:evaluate|judge|grade|score|assess|rate|criticise|criticize) (?:this|our|my) (?:text|response|answer|argument|turn|plan|submission|proposal|speech|essay)\b"),
    ("override", True, "decode decipher decrypt unscramble", r"\w{1,10} ~(?:base64|rot13|this|following|text|message|string) ~~(?:and )(?:obey|follow|execute|comply|do (?:as|what)|carry out)\b"),
    ("override", True, "ignore disregard forget bypass skip", r"\w{1,10} (?:the |this |that |any )(?:scoring |judging |marking |grading |judge'?s )?(?:rubrics?|system prompt|scoring (?:rules|guide|guidelines|criteria)|marking scheme|judging (?:rules|criteria)|instructions)\b"),
    ("override", True, "pay", rf"pay (?:no|little) (?:attention|heed) to ~(?:rubrics?|instructions|prompts?|guidelines|system prompt|(?:scoring|judging) (?:rules|criteria))\b"),
    ("override", False, "your", r"your (?:guidelines|instructions|rubric|system prompt|prompt|guardrails) (?:do not|does not|don't|doesn't|no longer) (?:apply|hold|count|bind|matter)\b"),
    ("override", False, "vergiss vergesst vergessen ignoriere ignorieren", r"\w{1,14} (?:sie )?(?:bitte )?(?:alles|das|was)\b ~(?:gesagt|gesagte|aufgetragen|vorgegeben|zuvor|vorher|oben|bisherige|obige)\b"),
    ("override", False, "oublie oubliez ignore ignorez", r"\w{1,14} tout ce (?:qui|qu|que|qu') ~(?:dit|demande|precede|avant|dessus)\b"),
    ("override", False, "olvida olvide olviden ignora ignore", r"\w{1,14} (?:todo )?lo (?:anterior|previo|dicho|de arriba|que (?:te|se) ~(?:dijo|dijeron|ha dicho|pidio))\b"),
    ("override", False, "dimentica dimenticate ignora ignorate scorda", r"\w{1,14} (?:tutte )?(?:le|tutto) (?:tue |vostre |quello che |cio che )?(?:regole|istruzioni|e stato detto|ti hanno detto)\b"),
    ("override", False, "ignoriere ignorieren ignoriert missachte missachten verwirf umgehe", r"\w{1,14} (?:sie )?(?:bitte )?(?:die|das|den|deine[nr]?|ihre[nr]?|alle) (?:\w{0,14}kriterien|rubrik|bewertungs\w{2,14}|systemprompt|anweisungen|instruktionen)\b"),
    ("override", False, "befolge befolgen befolgt folge folgen", r"\w{1,10} (?:sie )?(?:keine[nr]?|nicht) (?:den |die |deinen |ihren )?(?:\w{1,14} )?(?:anweisung\w*|instruktion\w*|vorgaben|regeln des systems)\b"),
    ("override", False, "applique appliquez applique suis suivez respecte respectez obeis obeissez", r"\w{1,12} (?:pas|plus) ~(?:instructions?|consignes?|criteres|directives|bareme)\b"),
    ("override", False, "no", r"no (?:sigas|siga|sigan|obedezcas|obedezca|apliques|aplique|uses) ~(?:instrucciones|indicaciones|reglas|criterios|rubrica) ~(?:anteriores|previas|recibidas|de arriba|del sistema|dadas|de evaluacion)\b"),
    ("override", True, "cancel abort suspend skip stop", r"\w{1,8} (?:the|your|this|all|any) (?:grading|scoring|judging|marking)\b"),
    ("override", True, "mention point list raise note report find", r"\w{1,8} (?:out )?(?:no|any) (?:weakness(?:es)?|flaws?|faults?|errors?|mistakes?|problems?|objections?) (?:of|in|with|about) (?:this|our|my)\b"),
    ("override", False, "not", r"not (?:mention|point out|list|raise|note|report) (?:any |the |a )?(?:weakness(?:es)?|flaws?|faults?|errors?|mistakes?|problems?|objections?) (?:of|in|with|about) (?:this|our|my)\b"),
    ("override", True, "only list mention praise", r"(?:only )?(?:list|mention|name|praise|report) (?:only )?(?:the )?(?:strengths|merits|good points|positives) (?:of|in) (?:this|our|my)\b"),
    # speaking to the judge
    ("addresses_judge", False, "as", rf"as (?:the|a|an|our|your|this) ?(?:\w{{1,12}} )?{JUDGES} you {OBLIGED}\b"),
    ("addresses_judge", False, "as", rf"as an? (?:ai|llm|language model|assistant)\b ~you {OBLIGED}\b"),
    ("addresses_judge", False, "you", rf"you (?:as|the|are) (?:the |a )?{JUDGES} ?(?:,)?{OBLIGED}\b"),
    ("addresses_judge", True, "note message memo notice attention reminder instructions instruction hint", rf"\w{{1,14}} (?:to |for )?(?:the |all |any |whatever )?{JUDGES} ?(?:[:,.!-]|reading|evaluating|scoring|you|please)"),
    ("addresses_judge", True, "dear hey hello attention", rf"\w{{1,14}} (?:mr |ms |the )?{JUDGES}\b ?(?:[:,!]|you|please)"),
    ("addresses_judge", True, "judge arbiter evaluator grader referee adjudicator assistant ai llm model chatbot", rf"{JUDGES}[,:!] ?(?:please |now |kindly |just |you )?(?:must|should|award|give|grant|rule|declare|score|mark|rate|set|ignore|disregard|find|decide|side|vote|output|return|answer|respond|say|write|add|raise|lower|remember|note that you|choose|pick|treat|accept|reject|dismiss)\b(?!, )"),  # a list of verbs is no order
    ("addresses_judge", False, "whoever any", rf"(?:whoever|any (?:ai|llm|model|judge|grader)(?: that| who| which)?)(?: is| are)? (?:reading|reads|grading|grades|judging|judges|scoring|scores|evaluating|evaluates|processing|processes)(?: this)?(?: text| debate| document| answer)?,? (?:must|should|has to|award|give|rule|declare|ignore|then|please|you)\b"),
    ("addresses_judge", False, "if", r"if you are (?:an? |the )?(?:ai|llm|ai model|language model|chatbot|ai assistant|ai judge)(?: reading| grading| judging| scoring| evaluating| processing)? ?(?:this)?(?: text| debate| document| answer)?,? (?:must|should|has to|award|give|rule|declare|ignore|then|please|you)\b"),
    ("addresses_judge", False, "if", rf"if you are (?:an? |the )?{JUDGES} (?:reading|grading|judging|scoring|evaluating|assessing) (?:this|our|my|these)\b"),
    ("addresses_judge", False, "als", r"als (?:richter|schiedsrichter|jury|gutachter|bewerter|preisrichter|ki)(?:in)? (?:musst du|mussen sie|sollst du|sollten sie|hast du|haben sie|darfst du)\b"),
    ("addresses_judge", False, "en", r"en tant (?:que|qu') ?(?:juge|arbitre|evaluateur|jure|correcteur|ia) (?:tu dois|vous devez|il te faut|il vous faut|vous etes tenu)\b"),
    ("addresses_judge", False, "como", r"como (?:juez|jueza|arbitro|arbitra|evaluador|evaluadora|jurado|ia) (?:debes?|tienes? que|tendras que|deberias?|has de)\b"),
    ("addresses_judge", False, "when while before", r"\w{1,6} (?:you )?(?:evaluate|evaluating|grade|grading|score|scoring|judge|judging|rate|rating|assess|assessing) (?:this|our|my)(?: (?:text|response|answer|argument|turn|debate|essay|submission|plan))? (?:please|treat|assume|give|consider|keep|make|ignore|remember|award|always|add|start)\b"),
    ("addresses_judge", False, "graders judges evaluators arbiters", r"\w{1,10} (?:are|is) (?:hereby )?(?:required|instructed|ordered|obliged|told) to (?:pass|approve|award|give|accept|rate|score|mark|favou?r|declare)\b"),
    ("addresses_judge", True, "treat regard consider", r"\w{1,10} ~(?:everything|anything|claims?|statements?|arguments?|all) ~~(?:as|to be) (?:false|true|proven|correct|established|fact|facts|invalid|verified|decisive)\b"),
    ("addresses_judge", False, "this our my", r"\w{1,4} (?:text|response|answer|argument|turn|plan|submission|proposal|speech|essay) (?:has|was) (?:already )(?:been )?(?:graded|scored|marked|rated|evaluated|judged)\b"),
    ("addresses_judge", False, "juge arbitre juez jueza arbitro richter richterin schiedsrichter schiedsrichterin jury giudice juiz", r"\w{1,18}[,:!] ?(?:bitte |por favor |veuillez )?(?:donne|donnez|accorde|accordez|gib|geben|vergib|vergeben|erklare|otorg\w*|dad?nos|da|de|den|declara\w*|concede\w*|dai|date|assegna\w*|conceda\w*|atribua)\b"),
    # being made somebody else
    ("new_role", False, "you", rf"you are (?:now |no longer |from now on )(?:bound|limited|restricted|acting|operating|in|an?|the|free|my|our|dan)\b"),
    ("new_role", False, "you", rf"you are (?:an? |the )(?:unrestricted|unfiltered|helpful|obedient|uncensored|impartial) (?:ai |llm )?{JUDGES}\b"),
    ("new_role", False, "you", rf"you are (?:not|no longer) (?:an? |the |our )?{JUDGES} (?:any ?more|any longer|now|but)\b"),
    ("new_role", False, "you", r"you (?:will|must|shall|should) (?:now |henceforth |from now on )(?:act|serve|behave|speak|answer|argue|write|respond|work) (?:as|like|for|only)\b"),
    ("new_role", False, "from", rf"from (?:now on|here on|this point on|this point forward|this moment on) ~(?:you|{JUDGES}|ignore|always|give|award|respond|answer)\b"),
    ("new_role", False, "your", r"your (?:new|real|actual|true|only|updated|secret) (?:task|instructions?|role|job|goal|objective|directive|purpose|mission|rules|system prompt|rubric|orders)(?: (?:is|are|follows?|says?|reads?|now)\b|:)"),
    ("new_role", True, "new updated revised real", r"\w{1,10} (?:system |developer |judging |scoring )?(?:instructions?|prompt|directive|orders|rubric|policy)(?: for (?:the |all )?(?:judge|arbiter|ai|model|evaluator)s?)?(?::| (?:follow|in effect|from the (?:developer|operator|administrator)))"),
    ("new_role", True, "pretend act behave imagine roleplay simulate", rf"\w{{1,10}} (?:as if|as though|to be|that|as|like|you are|being)(?: you (?:are|were|have|had))? ?(?:an? |the |my |our |already |no )?(?:{JUDGES}|evaluator'?s (?:lawyer|advocate|friend)|decided|agreed|rules|instructions)\b"),
    ("new_role", True, "enter enable activate switch", r"\w{1,10} (?:to |into |on )?(?:developer|debug|admin|administrator|god|jailbreak|dan|unrestricted|maintenance|root|test) mode\b"),
    ("new_role", False, "developer debug admin jailbreak dan maintenance", r"\w{1,14} mode (?:is )?(?:on|enabled|activated|active|engaged)\b"),
    ("new_role", False, "du sie", r"(?:du bist|sie sind) (?:jetzt|nun|ab (?:jetzt|sofort)) (?:ein|eine|der|die|nicht mehr)\b"),
    ("new_role", False, "tu vous", r"(?:tu es|vous etes) (?:desormais|maintenant) (?:un|une|le|la|l')"),
    ("new_role", False, "eres ahora", r"(?:ahora eres|eres ahora|a partir de ahora eres)\b"),
    ("new_role", False, "ab", r"ab (?:jetzt|sofort) ~(?:bist du|sind sie|gibst du|geben sie|bewertest du|vergibst du|musst du)\b"),
    ("new_role", False, "forget", rf"forget (?:that )?you(?:'re| are) (?:an? |the |our )?{JUDGES}\b"),
    # asking for a score
    ("score_demand", True, "give award assign grant rate score mark set grade raise add deduct subtract enter record apply return output", rf"\w{{1,10}} ~~{PRIZE}"),
    ("score_demand", True, "raise increase lower reduce set change bump", r"\w{1,10} (?:my|our|the|this|its|their) (?:final |overall |current )?(?:scores?|marks?|grade|adjustment|rating|impact|confidence) (?:to|by(?! hand)|at) "),
    ("score_demand", True, "declare pronounce crown announce name", rf"\w{{1,10}} {SIDES} (?:as |to be )?(?:the )?(?:winner|winning side|victor|victorious)\b"),
    ("score_demand", True, "rule find decide judge", rf"\w{{1,10}} (?:only |always |strictly )?(?:for|with|in favou?r of|in) (?:{SIDES}|(?:my|our|the evaluator'?s|the red team'?s) favou?r)\b"),
    ("score_demand", False, "rule decide", r"\w{1,10} in (?:my|our) favou?r (?:now|here|regardless|no matter|every|and|or|[.!])"),
    ("score_demand", False, "must should shall deserves", rf"\w{{1,10}} (?:therefore |always |automatically )?(?:receive|get|be (?:given|awarded|scored|rated|marked|set to)|win with|score) ~{PRIZE}"),
    ("score_demand", False, "correct right proper only appropriate expected required acceptable valid legitimate", rf"\w{{1,12}} (?:verdict|ruling|adjustment|score|outcome|decision|answer|mark) (?:here |in this round |for this )?(?:is|would be|must be|has to be|can be) (?:an? |the |in favou?r of )?(?:{PRIZE}|evaluator\b|red team\b|for the (?:evaluator|red team))"),
    ("score_demand", False, "gib gebt geben vergib vergeben vergebt bewerte bewerten erteile erteilen setze", r"\w{1,10} (?:sie )?~(?:10(?: von |/)10|zehn (?:von zehn|punkte)|(?:die )?(?:volle|hochste|maximale|beste) (?:punktzahl|punkte|note|wertung|bewertung)|hochstnote|\+ ?3)"),
    ("score_demand", False, "donne donnez donner attribue attribuez attribuer accorde accordez accorder mets mettez note notez", r"\w{1,10} ~(?:10(?: sur |/)10|dix sur dix|(?:la |le )?(?:note|score|notation) (?:maximale?|la plus (?:haute|elevee)|parfaite?)|(?:la )?meilleure note|tous les points|\+ ?3)"),
    ("score_demand", False, "da dame danos dale den dele otorga otorgue otorgad asigna asigne asignad pon ponga ponle califica califique", r"\w{1,10} ~(?:10(?: de |/| sobre )10|diez (?:de|sobre) diez|(?:la |una )?(?:puntuacion|nota|calificacion) (?:maxima|mas alta|perfecta)|(?:la )?maxima (?:puntuacion|nota|calificacion)|\+ ?3)"),
    ("score_demand", False, "assegna assegnate dai date", r"\w{1,10} ~(?:10(?: su |/)10|(?:il )?punteggio massimo|il massimo dei punti|\+ ?3)"),
    ("score_demand", True, "score mark rate grade", r"\w{1,6} ~(?:at|with|to) (?:the )?(?:maximum|top|highest|very top|full)\b"),
    ("score_demand", False, "can must should may", rf"\w{{1,6}} (?:only|always|simply|just) (?:give|award|grant|assign|rate|score) ~~{PRIZE}"),
    ("score_demand", False, "are is", rf"\w{{1,3}} to (?:receive|get|be given|be awarded) ~{PRIZE}"),
    ("score_demand", False, "assegna assegnate dai date dammi dacci datemi metti attribuisci", r"\w{1,12} ~(?:(?:il )?(?:punteggio|voto) (?:massimo|piu alto|pieno)|dieci su dieci|10 (?:su|/) ?10)"),
    ("score_demand", False, "de deem da dar atribua atribui atribuam conceda", r"\w{1,8} ~(?:(?:nota|pontuacao|classificacao) (?:maxima|mais alta|10|dez)|(?:10|dez) (?:em|de) (?:10|dez))\b"),
    ("score_demand", False, "geef ken beoordeel", r"\w{1,10} ~(?:(?:maximale|hoogste|volle) (?:score|punten\w*|cijfer|waardering)|(?:een )?(?:10|tien) (?:van|op) (?:de )?(?:10|tien))\b"),
    ("score_demand", False, "przyznaj przyznajcie daj dajcie ocen wystaw", r"\w{1,12} ~(?:(?:maksymaln\w*|najwyzsz\w*|peln\w*) (?:ocen\w*|punkt\w*|not\w*|liczb\w*)|10 na 10)"),
    ("score_demand", False, "ge ger gi giv tildel", r"\w{1,8} ~(?:hogsta|hoyeste|hojeste|maximal\w*|maksimal\w*|full\w*|fulde) (?:poang|poeng|betyg|point|karakter\w*|score)\b"),
    ("score_demand", False, "tam en", r"(?:tam puan(?:i)?|en yuksek (?:puan\w*|not\w*)) ~ver\w*"),
    ("score_demand", False, "beri berikan", r"\w{1,8} ~(?:nilai|skor) (?:maksimum|maksimal|tertinggi|sempurna|penuh|10)\b"),
    ("score_demand", False, "require demand expect want need deserve deserves", r"\w{1,10} (?:a |the )?(?:score|mark|grade|rating) of (?:at least |no less than )?(?:10|ten|9|nine|100|25)\b"),
    ("score_demand", True, "make let help", r"\w{1,5} (?:us|me|our side|my side|our team|this side) win (?:this|the) (?:debate|round|exchange|argument|match)\b"),
    ("score_demand", False, "any anything", r"\w{1,10} (?:score |mark |rating |grade )?(?:below|under|less than|lower than) (?:a |an )?\w{1,6} ~(?:is|be|are|counts as) (?:an? )?(?:mistake|error|wrong|bug|unfair|incorrect|violation|unacceptable)"),
    ("score_demand", False, "minimum lowest", r"\w{1,8} (?:acceptable |allowed |permitted |possible )?(?:score|mark|rating|grade) for (?:this|our|my) (?:text|response|answer|argument|turn|plan|submission|proposal|speech|essay)\b"),
    ("score_demand", False, "gib gebt geben erklare erklaren kure kuren", r"\w{1,10} (?:sie )?(?:uns|mir|unsere seite|unserem team|unser team|dieser seite) ~(?:bestnote|(?:den |zum |zu )?sieger?n?|gewinner|hochstpunktzahl)\b"),
    ("score_demand", False, "donne donnez accorde accordez declare declarez", r"\w{1,10} (?:nous |moi |notre (?:equipe|camp) )~(?:victoire|gagnants?|vainqueurs?|meilleure note)\b"),
    ("score_demand", False, "declara declare declaren declarad", r"\w{1,10} (?:como )?~(?:ganador(?:a|es)?|vencedor(?:a|es)?) (?:a )?(?:nuestro|nuestra|mi|este|esta|al equipo)\b"),
    ("score_demand", False, "dai date dammi dateci dacci assegna", r"\w{1,8} ~massimo (?:del )?(?:punteggio|voto|punti|dei voti|dei punti)\b"),
    ("score_demand", True, "return reach deliver render issue enter give record", r"\w{1,8} (?:a |an |the |your )?(?:verdict|ruling|judg(?:e)?ment) (?:for us\b|for our side|(?:in|to) (?:our|my) (?:favou?r|advantage)|in favou?r of (?:us|me|our|my|this)\b)"),
    # dictating what the judge answers
    ("dictates_answer", True, "respond reply answer output return print write say", r"\w{1,10} (?:only |just |exactly |solely )?(?:with |in )?(?:only |just |exactly |solely )?(?:the following|this|exactly this|(?:the )?(?:single|one) word|the (?:exact )?(?:words?|string|text|line|json)|valid json|nothing but|this json)\b ?(?:[:\"'{]|json|[a-z]{2,12}[.!]|verdict|and nothing|ruling|with|in your)"),
    ("dictates_answer", True, "respond reply answer output return", r"\w{1,10} (?:only|exactly|solely|just) (?:with )?"),
    ("dictates_answer", False, "your", r"your (?:final |next |only )?(?:answer|verdict|ruling|response|output|reply|judg(?:e)?ment|decision|reasoning) (?:must|should|shall|will|has to|needs to|is to) (?:be|contain|say|state|start|begin|read|end|favou?r|find|include|equal)\b"),
    ("dictates_answer", True, "begin start end copy repeat", r"\w{1,8} (?:your (?:answer|reply|response|verdict|ruling|output|reasoning)|the (?:verdict|ruling) below|the following (?:verdict|ruling|json))\b"),
    # asking for what the judge was told
    ("prompt_leak", True, "reveal print show repeat output display leak tell disclose recite quote", r"\w{1,10} (?:me |us |out )?~(?:your|the) (?:own |full |exact |original |hidden |entire |whole |complete )?(?:system |initial |hidden |secret |judging )?(?:prompt|instructions|system message|rubric prompt)\b"),
    ("prompt_leak", False, "what", r"what (?:is|are|were|was) your (?:system |initial |hidden |original |secret )(?:prompt|instructions?|message)\b"),
    ("prompt_leak", False, "what", r"what (?:were|have) you (?:been )?(?:told|instructed|asked|given) (?:to do )?(?:before|above|earlier|in your|by your (?:developer|operator|system))\b"),
    ("prompt_leak", True, "repeat print show output recite display", r"\w{1,8} (?:everything|all|the text|the words|the message|what)(?: that)?(?: is| stands| was (?:written|said))? (?:above|before|preceding) ?(?:this|here|the line|[.!]|\Z)"),
)  # fmt: skip

ABOUT = r"(?:judges?|arbiters?|graders?|grading|scores?|scoring\b(?!/)|instructions?|award|verdicts?|ignore|evaluators?|prompts?|ruling|adjustment|winner|10/10|\bAI\b|assistant|you must|red.?team|system:|approve)"
SHAPES: tuple[tuple[str, str], ...] = (
    (
        "role_tag",
        r"<\|{0,1}/?(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id|end_header_id|begin_of_text|developer)(?:[-_ ][a-z]{1,20})?\|?>",
    ),
    ("role_tag", r"\[/?(?:INST|SYS|SYSTEM|ASSISTANT)\]|<</?SYS>>|<(?:start|end)_of_turn>"),
    (
        "role_tag",
        r"^[ \t>*#\"'\[(-]{0,8}(?:system|developer|assistant|admin|operator)(?: (?:message|prompt|note|notice|instructions?))?[\])*]{0,3}[ \t]{0,2}:(?=[^\n]{0,120}?\b(?:you|your|judges?|arbiters?|evaluators?|ignore|award|scores?|verdicts?|instructions?|rule|ruling|respond|output|grad(?:e|ing)|winner|adjustment|evaluation|rubrics?|marks?|points|debater|responses?|comply|10)\b)",
    ),
    (
        "role_tag",
        r"(?-i:(?:^|[.!?\"')\]] )(?:SYSTEM|DEVELOPER|ADMIN|ADMINISTRATOR|ROOT)(?: (?:MESSAGE|PROMPT|NOTE|NOTICE|OVERRIDE|UPDATE|ALERT))?):[ \t]",
    ),
    (
        "role_tag",
        r"\[(?:system|developer|admin)[ -](?:notice|message|prompt|note|override|update|alert|instructions?)\]",
    ),
    (
        "role_tag",
        r"^[ \t>]{0,4}(?:human|user|prompt)[ \t]{0,2}:[^\n]{0,200}\n{1,2}[ \t>]{0,4}(?:assistant|ai|model|chatbot|bot)[ \t]{0,2}:",
    ),
    (
        "role_tag",
        r"\b(?:openai|anthropic|google|mistral|moot) (?:policy|safety|system|security|developer|judging)[ -]?(?:notice|update|override|instructions?|message|alert)[ \t]{0,2}:",
    ),
    (
        "role_tag",
        r"^#{1,4} {0,2}(?:system|instructions?|response|assistant|new instructions?)(?: prompt| message)?[ \t]{0,2}:?[ \t]{0,2}$",
    ),
    ("role_tag", r"[\"']role[\"'][ \t]{0,3}:[ \t]{0,3}[\"'](?:system|assistant|developer|user)[\"']"),
    ("fake_verdict", r"[\"'](?:verdicts?|adjustment|winner|impact)[\"'][ \t\n]{0,3}:"),
    (
        "fake_verdict",
        r"[\"']not_assessed[\"'][ \t\n]{0,3}:[ \t\n]{0,3}\{[ \t\n]{0,3}[\"'](?:reason|why)[\"'][ \t\n]{0,3}:[ \t\n]{0,3}[\"'][a-z]",
    ),
    (
        "fake_verdict",
        r"[\"'](?:final|overall|total|new)?[_ ]?(?:scores?|rating|grade|marks?|points|steel[_ ]?manning|self[_ ]?critique|honesty|persuasion|logic|clarity|evidence|consistency)[\"'][ \t\n]{0,3}:[ \t\n]{0,3}[\"']?(?:10|9(?:\.\d{1,2})?|25|5|100|1(?:\.0{1,2})?|0?\.9\d?|A\+?|max(?:imum)?|perfect)(?:[ ]?/[ ]?\d{1,3})?[\"']?[ \t\n]{0,6}[,}]",
    ),
    (
        "fake_verdict",
        r"[\"'](?:decision|recommendation|outcome|ruling|judg(?:e)?ment)[\"'][ \t\n]{0,3}:[ \t\n]{0,3}[\"'](?:accept|approve|pass|win|won|for|yes|pursue|evaluator|proposition|in favou?r)",
    ),
    (
        "fake_verdict",
        r"[{,][ \t\n]{0,3}[\"'](?:(?:side|team|speaker)[_ ]?)?[ab][\"'][ \t]{0,3}:[ \t]{0,3}[\"']?\d{1,3}",
    ),
    ("fake_verdict", r"[\"'](?:steel_?manning|self_?critique|honesty)[\"'][ \t\n]{0,3}:[ \t\n]{0,3}\{"),
    (
        "fake_verdict",
        r"^[ \t>*_-]{0,6}(?:final |overall )?(?:score|rating|grade|marks?)[*_]{0,2}[ \t]{0,2}[:=][ \t]{0,2}(?:10|25|5|100|9(?:\.\d)?)(?:[ \t]?/[ \t]?\d{1,3})?[ \t]{0,3}\n{1,2}[ \t>*_-]{0,6}(?:winner|verdict|ruling|decision|confidence|reason(?:ing)?)[*_]{0,2}[ \t]{0,2}[:=]",
    ),
    (
        "fake_verdict",
        r"[\"'](?:score|confidence|reasoning)[\"'][ \t\n]{0,3}:[^\n\"']{0,12}[,\n][ \t\n]{0,12}[\"'](?:score|confidence|reasoning|challenge)[\"'][ \t]{0,3}:",
    ),
    ("fake_verdict", r"\b(?:adjustment|impact)[ \t]{0,3}[:=][ \t]{0,3}[+-][ \t]?\d"),
    (
        "fake_verdict",
        r"^[ \t>*#_-]{0,6}(?:final |official )?(?:verdict|ruling|winner|judg(?:e)?ment)[*_]{0,2}[ \t]{0,3}:[*_]{0,2}[ \t]{0,3}(?:the )?(?:side [ab]\b|team [ab]\b|speaker [ab]\b|pro\b|con\b|we win|evaluator|red.team|proposition|opposition|in favou?r|\+|10)",
    ),
    ("fake_verdict", r"\b(?:verdict|ruling|winner)[ \t]{0,3}=[ \t]{0,3}[\"'(]"),
    ("fake_verdict", r"<(?:verdict|ruling|score|adjustment)>"),
    ("comment", rf"<!--[^<>]{{0,160}}?{ABOUT}[^<>]{{0,160}}"),
    ("comment", rf"^\[(?://|comment|note|_)\]:[ \t]{{0,3}}(?:#|<>)[^\n]{{0,120}}?{ABOUT}"),
    ("comment", rf"(?<!:/)/\*[^*/]{{0,120}}?{ABOUT}"),
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
        r"^[ \t]{0,4}-{3,}[ \t]{0,3}END (?:OF )?(?:THE )?(?:USER |QUOTED |UNTRUSTED )(?:CONTENT|TEXT|DATA|INPUT|MESSAGE)\b",
    ),
    (
        "fence_end",
        r"(?-i:^[ \t\[(<*]{0,4}END OF (?:THE )?(?:DEBATE|ROUND|QUOTATION|QUOTE|ARGUMENT|SPEECH|RESPONSE|ANSWER|MESSAGE|PLAN)[ \t]{0,2}[.:\])>!*])",
    ),
    (
        "fence_end",
        r"(?:\"{3}|'{3}|`{3})[ \t\n]{0,3}end of (?:the )?(?:text|debate|quotation|quote|material|document|response|argument|turn)\b",
    ),
    (
        "fence_end",
        r"</(?:material|subject|transcript|data|untrusted|user_?input|document|context|exchange|quote|text|prompt|instructions?|input|submission)>",
    ),
)
"""(sign, regular expression) pairs, matched against the text as it is, whatever its case."""

OTHER_SCRIPTS: tuple[tuple[str, str], ...] = (
    # Russian, Bulgarian, Ukrainian
    ("override", r"\b(?:(?:про)?игнорируй(?:те)?|игнорирай(?:те)?|забудь(?:те)?|забрави|отбрось(?:те)?|не обращай(?:те)? внимания на|не учитывай(?:те)?|не следуй(?:те)?|не выполняй(?:те)?|ігноруй(?:те)?|не зважай(?:те)? на)\b[^\n.!?]{0,40}?(?:инструкц|указани|правил|команд|распоряжени|инструкции|інструкц|вказівк)"),
    ("score_demand", r"\b(?:поставь(?:те)?|дай(?:те)?|присуди(?:те)?|оцени(?:те)?|выстави(?:те)?|постав(?:те)?)\b[^\n.!?]{0,40}?(?:максимальн|высш|наивысш|найвищ|10 из 10|10 баллов|победу|десять баллов|десять из десяти)"),
    ("addresses_judge", r"\bкак (?:судья|арбитр|эксперт),? (?:ты|вы) (?:должен|должны|обязан)"),
    # Greek
    ("override", r"(?:αγν[οό][ηή]σ(?:ε|τε)|αγνοήστε|ξέχασε|ξεχάστε|παράβλεψε|παραβλέψτε)[^\n.!;]{0,40}?(?:οδηγ[ίι]|εντολ[έε]|καν[όο]ν)"),
    # Arabic, Persian, Hebrew
    ("override", r"(?:تجاهل|انس)[^\n.!؟]{0,24}?(?:التعليمات|تعليمات|الأوامر|القواعد|التوجيهات|الإرشادات)"),
    ("score_demand", r"(?:أعط|امنح|اعط)[^\n.!؟]{0,24}?(?:الدرجة|العلامة|النتيجة|النقاط)[^\n.!؟]{0,8}?(?:الكاملة|القصوى|الأعلى|كاملة)"),
    ("override", r"(?:دستور|قوانین|راهنما)[^\n.!؟]{0,24}?(?:نادیده بگیر|فراموش کن)"),
    ("override", r"(?:התעלמו|התעלם|התעלמי|שכח|שכחו)[^\n.!?]{0,24}?(?:הוראות|ההנחיות|הנחיות|הכללים|פקודות)"),
    # Hindi, Thai
    ("override", r"(?:पिछले|पूर्व|उपरोक्त|सभी|ऊपर)[^\n।!?]{0,24}?(?:निर्देश|आदेश|नियम)[^\n।!?]{0,12}?(?:अनदेखा|अनदेखी|नज़रअंदाज|नजरअंदाज|नज़रअंदाज़|भूल)"),
    ("override", r"(?:เพิกเฉย|ละเว้น|ไม่ต้องสนใจ|ลืม)[^\n]{0,24}?(?:คำสั่ง|คำแนะนำ|กฎ)"),
    # Chinese, Japanese, Korean
    ("override", r"(?:忽略|不要按照|不要按|无视|無視|忽视|忽視|忘记|忘記|忘掉|不要理会|不要理會|不要遵守|抛开)[^\n。！？]{0,12}?(?:指令|指示|说明|說明|提示|规则|規則|要求|命令|设定|設定|评分标准|標準)"),
    ("score_demand", r"(?:请|請|直接给|必须|必須|应该得|應該得|应当得|应得|给我|給我|给我们|给这|给出|給出)[^\n。！？]{0,12}?(?:满分|滿分|最高分|10 ?分|100 ?分)"),
    ("override", r"(?:指示|命令|ルール|指令|プロンプト|規則|ガイドライン)[^\n。]{0,8}?(?:無視|忘れ)(?:して|し|せよ|しろ|ろ|なさい|て)"),
    ("score_demand", r"(?:満点|最高(?:点|得点|スコア|評価)|10 ?点)[^\n。]{0,6}?(?:つけて|付けて|与えて|ください|くれ|つけろ|出して)"),
    ("override", r"(?:이전|위의|위|앞의|앞선|기존|모든)[^\n.]{0,12}?(?:지시|명령|지침|규칙|프롬프트)[^\n.]{0,8}?(?:무시하|무시해|잊어|잊으)"),
    ("score_demand", r"(?:만점|최고 ?점수|최고점|10점)(?:을|를)? ?(?:주세요|줘|주십시오|부여하|부여해|달라)"),
)  # fmt: skip
"""(sign, regular expression) pairs of commands in scripts that folding would mangle, matched like the shapes."""

SPELLED_OUT = (
    "ignore", "disregard", "override", "instruction", "prompt", "rubric", "verdict", "winner", "award", "maximum",
    "fullmarks", "fullpoints", "fullscore", "topscore", "tenpoints", "arbiter", "evaluator", "grader", "highestscore",
)  # fmt: skip
"""Words that nobody writes letter by letter unless they are to be read by a program and by no filter."""


# -- how they are read -------------------------------------------------------------------------------------------------


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
APART = re.compile(r"(?<![^\W_])(?:[^\W\d_][ .\-_*]{1,3}){5,400}[^\W\d_](?![^\W_])")
"""Letters with something between each and the next, six and more."""
ENCODED = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,4000}={0,2}")
FIGURES = re.compile(r"(?<![a-z013457@$])(?:[a-z]++[013457@$]|[013457@$]++[a-z])[a-z013457@$]*+")
LETTERS = str.maketrans("013457@$", "oieastas")
ROTATED = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")


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


@cache
def _triggers() -> Mapping[str, Sequence[Phrase]]:
    # When they are first asked for: compiling them takes a tenth of the start of a process.
    phrases_by_word: dict[str, list[Phrase]] = {}
    for sign, imperative, words, rest in PHRASES:
        phrase = Phrase(Sign(sign), re.compile(spelled(rest)), imperative)
        for word in words.split():
            phrases_by_word.setdefault(word, []).append(phrase)
    return phrases_by_word


def spelled(pattern: str) -> str:
    """Return a pattern in which a space is what may stand between words, and ``~`` up to four words more.

    What joins words stands between them, too: a word ends at its first joint or with all that hangs together, nowhere
    else, or a row of dashes could be cut up in more ways than anybody can try.
    """
    between = r"(?:[ \n,:;\"'-]{1,3})"
    word = r"(?:[\w/]{1,20}+(?:['-]{1,3}+[\w/][\w'/-]{0,19}+)?|(?<=\s)['-]{1,20}+)"
    for words in ("~~", "~"):
        pattern = pattern.replace(words, f"(?:{word} ){{0,{4 * len(words)}}}?")
    return pattern.replace(" ", between)


@cache
def _shaped() -> Sequence[tuple[Sign, re.Pattern[str]]]:
    patterns = (*SHAPES, *OTHER_SCRIPTS)
    return [(Sign(sign), re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for sign, pattern in patterns]


JOINTS = "'-"
RUNS = re.compile(r"[a-z]+|.", re.DOTALL)
"""What sounds as it is written, as far as it goes, or a single other character."""
RUNS_UP = re.compile(spelled(RUN_UP) + r"\Z")


def find(text: str) -> tuple[Hit, ...]:
    """Return the passages that try to instruct a judge, in the order of the text, at most 50.

    Source: docs/reference/injection.md.
    """
    prose, places = folded(text)
    hits = {
        *_phrases(prose, places), *_shapes(text), *_hidden(text), *_fences(text), *_spaced(text), *_encoded(text),
        *_dressed(prose, places),
    }  # fmt: skip
    return tuple(sorted(hits, key=lambda hit: (hit.start, hit.end, hit.sign)))[:MOST_HITS]


def folded(text: str) -> tuple[str, Sequence[int]]:
    """Return a text as it sounds, and for each of its characters the place of the one it came from.

    Accents, case, emphasis, invisible and look-alike characters are folded away, white space to a single character, and
    a row of what joins words to two.
    """
    kept: list[str] = []
    places: list[int] = []
    for run in RUNS.finditer(text):
        at, letters = run.start(), run.group()
        if "a" <= letters[0] <= "z":
            kept.extend(letters)
            places.extend(range(at, run.end()))
            continue
        for letter in _folded(letters):
            if letter == " " and kept and kept[-1] in " \n":
                continue
            if letter == "\n" and kept and kept[-1] == " ":
                kept[-1] = letter
                continue
            if letter in JOINTS and len(kept) > 1 and kept[-1] in JOINTS and kept[-2] in JOINTS:
                continue
            kept.append(letter)
            places.append(at)
    return "".join(kept), places


def _folded(character: str) -> str:
    if character.isspace():
        return "\n" if character in "\n\r\u2028\u2029" else " "
    if character in EMPHASIS or unicodedata.category(character) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKD", character).casefold().translate(LOOKALIKES).translate(QUOTES)
    return "".join(character for character in plain if not unicodedata.combining(character))


def _phrases(prose: str, places: Sequence[int]) -> Iterator[Hit]:
    for word in WORD.finditer(prose):
        phrases = _triggers().get(word.group(), ())
        told = any(phrase.imperative for phrase in phrases) and _is_told(prose, word.start())
        for phrase in phrases:
            match = phrase.pattern.match(prose, word.start()) if told or not phrase.imperative else None
            if match:
                yield Hit(phrase.sign, places[match.start()], places[match.end() - 1] + 1)


def _is_told(prose: str, at: int) -> bool:
    """Say whether the verb at a place is an order: it begins a clause, or follows words that give one."""
    return RUNS_UP.search(prose, max(0, at - BEFORE), at) is not None if at else True


def _shapes(text: str) -> Iterator[Hit]:
    for sign, pattern in _shaped():
        for match in pattern.finditer(text):
            yield Hit(sign, match.start(), match.end())


def _hidden(text: str) -> Iterator[Hit]:
    """Find characters that nobody sees; a single one inside a word comes from careless copying."""
    matches = list(HIDDEN.finditer(text))
    long = [match for match in matches if match.end() - match.start() >= SEVERAL or match.group() in "\u202d\u202e"]
    for match in matches if len(matches) >= SEVERAL else long:
        yield Hit(Sign.HIDDEN_TEXT, match.start(), match.end())


def _spaced(text: str) -> Iterator[Hit]:
    """Find an order that is spelled with something between its letters."""
    for match in APART.finditer(text):
        letters = "".join(character for character in match.group().casefold() if character.isalpha())
        if any(word in letters for word in SPELLED_OUT):
            yield Hit(Sign.HIDDEN_TEXT, match.start(), match.end())


def _encoded(text: str) -> Iterator[Hit]:
    """Find an order in base64."""
    for match in ENCODED.finditer(text):
        plain = _decoded(match.group())
        prose, places = folded(plain)
        if any(_phrases(prose, places)) or any(_shapes(plain)):
            yield Hit(Sign.HIDDEN_TEXT, match.start(), match.end())


def _decoded(run: str) -> str:
    whole = run.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(whole + "=" * (-len(whole) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _dressed(prose: str, places: Sequence[int]) -> Iterator[Hit]:
    """Find an order written with figures for letters, thirteen letters on, or from its end."""
    plain = FIGURES.sub(lambda match: match.group().translate(LETTERS), prose)
    dresses = [(prose.translate(ROTATED), places), (prose[::-1], places[::-1])]
    for dress, at in [(plain, places), *dresses] if plain != prose else dresses:
        for hit in _phrases(dress, range(len(dress))):
            if dress[hit.start : hit.end] == prose[hit.start : hit.end]:
                continue
            first, last = sorted((at[hit.start], at[hit.end - 1]))
            yield Hit(Sign.HIDDEN_TEXT, first, last + 1)


def _fences(text: str) -> Iterator[Hit]:
    """Find the mark that ends somebody's words where none has begun."""
    depth = 0
    for match in re.finditer("[\u27e6\u27e7]", text):
        depth += 1 if match.group() == "\u27e6" else -1
        if depth < 0:
            yield Hit(Sign.FENCE_END, match.start(), match.end())
            depth = 0


def unmarked(text: str) -> str:
    """Return words without the two marks between which other people's words stand in a prompt."""
    return text.replace("\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "[").replace(
        "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}", "]"
    )


def fenced(text: str, *, limit: int) -> str:
    """Return somebody's words as they stand in a prompt: between marks that the words themselves cannot contain, cut at
    ``limit`` characters.
    """
    bare = unmarked(text)
    kept = bare if len(bare) <= limit else bare[:limit] + " (cut)"
    return f"\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}{kept}\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
