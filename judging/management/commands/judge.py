"""``manage.py judge``: has a panel judge files, shows how it goes, and writes the reports out."""

import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.admin import site
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse
from django.utils import timezone

from debates.errors import Invalid, about
from debates.management.base import BaseCommand
from debates.models import Debate, Event
from debates.types import Status, Visibility
from judging.engine.creation import create_draft, requested
from judging.formats import costs, files, shared_fields
from judging.formats.files import Subject
from judging.formats.panel import NAME, results, spec
from judging.formats.panel import reports as panel_reports
from judging.formats.panel.spec import JudgeSeat
from judging.formats.registry import format_of
from judging.formats.spec import DebateSpec, whole
from judging.management.commands.run_debate import BAD_INPUT, LOUD, NOT_CONCLUDED, play, say_nothing, script_of, start
from judging.models import Review
from judging.types import OFFLINE, Purpose
from scoring.management.tables import aligned

REVIEW_NEEDED = 3
MOST_COPIES = 1_000
REPORTS = "reports"
"""Where reports are written, below the directory of Moot's data, unless somebody says otherwise."""
TERMS: Mapping[str, tuple[str, str]] = {
    "spread": ("POINTS", "how far apart the overall scores of judges who agree may lie, 0 to 4; 0.5 unless named"),
    "criterion_spread": ("POINTS", "the same on every criterion, 0 to 4; 1 unless named"),
    "quorum": ("N", "how many judges must count, at most the number of judges; 2 unless named, and more than half"),
    "pass_mark": ("MARK", "from which overall score on the recommendation is to pass, 1 to 5; 4 unless named"),
    "revision_mark": ("MARK", "from which on it is to revise, 1 to 5; 3 unless named. Judges see no marks"),
}
"""What a panel's policy says, as options, each with its unit and what it is."""


class Command(BaseCommand):
    refused = BAD_INPUT
    help = "Have a panel judge files: prints the scores, writes reports to --out. Exit status 3: a person must decide."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="source code, designs, documents: UTF-8 text, or a folder of it"
        )
        parser.add_argument("--task", required=True, help="what the files were to accomplish")
        criteria_group = parser.add_mutually_exclusive_group()
        criteria_group.add_argument("--criteria", help='names and weights, for example "correctness:30,design:25"')
        criteria_group.add_argument("--template", default="code", help=", ".join(spec.TEMPLATES))
        parser.add_argument("--judges", type=int, default=3, help="1 to 9; one alone argues with nobody")
        parser.add_argument("--rounds", type=int, default=3, help="debate rounds at most, 0 to 3")
        for term, (metavar, help_text) in TERMS.items():
            kind = int if metavar == "N" else str
            parser.add_argument(f"--{term.replace('_', '-')}", type=kind, metavar=metavar, help=help_text)
        parser.add_argument("--not-applicable", action="append", default=[], metavar="CRITERION=WHY")
        parser.add_argument("--provider", help=f"one for all, or one for each, with commas; {OFFLINE} if left out")
        parser.add_argument("--model", default="", help="one for all judges, or one for each, with commas between")
        shared_fields.add_fairness_arguments(parser, named=False)
        parser.add_argument("--script", help="a file of answers for the scripted provider: JSON, or JSON lines")
        shared_fields.add_limits(parser)
        kinds = [kind.value for kind in Visibility]
        parser.add_argument("--visibility", choices=kinds, default="public", help="who sees it on the site")
        parser.add_argument("--repeat-of", default="", help="the id of a panel that is held again")
        parser.add_argument(
            "--out",
            help="a directory for one report per judge and the final report; unless it is named, reports/ where Moot "
            'keeps its data, and with --json none is written; for "" none is written either',
        )
        parser.add_argument("--print-reports", action="store_true", help="print the reports, too")
        parser.add_argument("--json", action="store_true", help="print the result document and nothing else")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["verbosity"] < LOUD:
            logging.getLogger("scoring").setLevel(logging.WARNING)  # every score is shown here already
        news = partial(self.stderr.write, style_func=str)  # not in the red of errors
        out = directory_of(out_of(options))
        if options["json"] and options["print_reports"]:
            raise Invalid("print-reports: with --json the document is all that is printed; leave one of them out.")
        subject = files.read_paths(options["files"])
        debate = create_draft(spec=spec_of(options, subject=subject), by=None, now=timezone.now())
        if options["verbosity"] and not options["json"]:
            news(subject.told(), ending="")
            news(where(debate) + alike(debate.parameters["panel"]["strategies"], options), ending="")
            news(costs.told(format_of(debate.format).cost(debate=debate)))
        start(debate)
        write = news if options["verbosity"] and not options["json"] else say_nothing
        play(debate, tell=PanelProgress(write=write).tell)
        debate.refresh_from_db()
        document = results.panel_document(debate=debate)
        try:
            paths = written(document=document, out=out) if out else []
        finally:  # where one of the two goes wrong, the other is done all the same
            as_json = json.dumps(document, indent=2, ensure_ascii=False)
            self.stdout.write(as_json if options["json"] else table(document))
            if options["print_reports"]:
                self.stdout.write("\n\n".join(["", *panel_reports.papers(document=document).values()]))
        for path in paths:
            write(f"Written: {path}")
        _exit(debate, has_agreed=bool((document["outcome"] or {}).get("agreed")), write=write)


def _exit(debate: Debate, *, has_agreed: bool, write: Callable[[str], Any]) -> None:
    if debate.status == Status.AWAITING_REVIEW.value:
        review = Review.objects.filter(debate=debate).latest("pk")
        place = reverse(f"{site.name}:judging_review_change", args=[review.pk])
        raise CommandError(
            f"No consensus. A person must decide; the review is in the admin: {place}", returncode=REVIEW_NEEDED
        )
    if debate.status != Status.CONCLUDED.value or debate.partial:
        why = (
            debate.problem
            or debate.stop_reason
            or (panel_reports.early(debate.partial_reason) if debate.partial else "")
        )
        ended = f"The panel is {debate.status}, without {'closing words' if has_agreed else 'a result'}"
        sentence = f"{ended}: {why}" if why else f"{ended}."
        if not has_agreed:
            raise CommandError(sentence, returncode=NOT_CONCLUDED)
        write(sentence)


def where(debate: Debate) -> str:
    return f"Panel {debate.public_id}; on the site: {reverse('debate', args=[debate.public_id])}\n"


def alike(strategies: Sequence[str], options: Mapping[str, Any]) -> str:
    """Return a line where offline judges read as others of the panel do: nothing is gained by their agreement."""
    others = options["provider"] not in {None, OFFLINE} or options["model"] or options["script"]
    offline = [] if others else list(strategies)
    ways = len(set(offline))
    if len(offline) == ways:
        return ""
    return f"{len(offline)} offline judges read in {ways} ways; those who read alike say the same.\n"


class PanelProgress:
    def __init__(self, *, write: Callable[[str], Any]) -> None:
        self.write = write

    def tell(self, event: Event) -> None:
        data = event.data
        if event.type == "round:started":
            self.write("The judges read, each alone." if data["round"] == 0 else f"Debate round {data['round']}.")
        elif event.type == "panel:report" and not data["readable"]:
            self.write("  a judge gives no scores")
        elif event.type == "panel:consensus":
            self.write(f"  {consensus_in_words(data)}")


def consensus_in_words(data: Mapping[str, Any]) -> str:
    if data["consensus"] and data["judges"] == 1:
        return f"One judge: {data['overall']} of 5."
    if data["consensus"]:
        return f"They agree: {data['overall']} of 5."
    because = panel_reports.REASONS[data["reason"]] if data["judges"] else "no judge gives any scores"
    return f"They do not agree: {because}. In dispute: {', '.join(data['criteria'])}."


# -- reading what was asked --------------------------------------------------------------------------------------------


def spec_of(options: Mapping[str, Any], *, subject: Subject) -> DebateSpec:
    whole(options["judges"], name="judges", low=spec.LEAST_SEATS, high=spec.MOST_SEATS)
    typed = options["criteria"]
    with about("template" if typed is None else "criteria"):
        rubric = spec.template(options["template"]) if typed is None else spec.typed(typed)
    pairs = [{"name": row["code"], "weight": row["weight"]} for row in rubric["criteria"]]
    script = script_of(options["script"]) if options["script"] else ()
    provider = "scripted" if options["script"] else options["provider"]
    seats = seats_of(judges=options["judges"], providers=provider, models=options["model"])
    common = shared_fields.body_from(options)
    body = {
        **{name: common[name] for name in ("limits", "fairness")},
        **({"template": options["template"]} if typed is None else {"criteria": pairs}),
        "script": script,
        "title": subject.title,
        "subject": subject.text,
        "task": options["task"],
        "judges": [{"provider": seat.provider, "model": seat.model} for seat in seats],
        "reporter": {"provider": "scripted"} if reports(script) else {},
        "rounds": options["rounds"],
        "policy": {name: options[name] for name in TERMS if options[name] is not None},
        "not_applicable": dict(left_out_of(code) for code in options["not_applicable"]),
        "visibility": options["visibility"],
        "repeat_of": options["repeat_of"] or None,
    }
    return requested(format_=format_of(NAME), body=body, by=None)


def reports(script: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a script has closing words; without, the offline reporter writes them."""
    return isinstance(script, list) and any(
        isinstance(answer, dict) and answer.get("purpose") == Purpose.REPORT.value for answer in script
    )


def seats_of(*, judges: int, providers: str | None, models: str) -> Sequence[JudgeSeat]:
    asked = each_of(providers or "", judges=judges, name="provider")
    named = each_of(models, judges=judges, name="model")
    return [
        JudgeSeat(provider=shared_fields.provider_for(provider, model=model), model=model)
        for provider, model in zip(asked, named, strict=True)
    ]


def each_of(text: str, *, judges: int, name: str) -> list[str]:
    """Return what every judge gets: one for all, or one for each."""
    named = [code.strip() for code in text.split(",")]
    if len(named) not in {1, judges}:
        raise Invalid(f"{name}: name one for all, or {judges}, one for each judge; got {len(named)}.")
    return named * max(judges, 0) if len(named) == 1 else named


def left_out_of(text: str) -> tuple[str, str]:
    """Return a criterion that does not apply, and why."""
    code, sign, why = text.partition("=")
    if not sign:
        raise Invalid(f"not-applicable: {text!r} must be a criterion, an equals sign and why it does not apply.")
    return code.strip().lower(), why.strip()


def out_of(options: Mapping[str, Any]) -> str:
    """Return where reports go; nothing where none is to be written."""
    if options["out"] is not None:
        return str(options["out"])
    return "" if options["json"] else str(settings.DATA_DIR / REPORTS)


def directory_of(path: str) -> Path | None:
    """Return a directory to write to, made if it is not there; none without a path."""
    if not path:
        return None
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Invalid(f"out: {path} is no directory that can be written to: {error.strerror}.") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise Invalid(f"out: {path} is no directory that can be written to.")
    return Path(path)


# -- telling what came of it -------------------------------------------------------------------------------------------


def table(document: Mapping[str, Any]) -> str:
    names = [judge["name"] for judge in document["judges"]]
    rows = [["Criterion", *names, "Final"]]
    for criterion in document["criteria"]:
        scores = [criterion["scores"].get(name) or "-" for name in names]
        rows.append([criterion["name"], *scores, panel_reports.standing(criterion) or missing(criterion)])
    rows.append(
        [
            "Overall",
            *(panel_reports.short(judge["overall"]) or "-" for judge in document["judges"]),
            document["decided"]["overall"] or "-",
        ]
    )
    said = [
        *(f"Not assessed. {problem}" for problem in panel_reports.unable(document)),
        panel_reports.of_task(document),
    ]
    return "\n".join([*aligned(rows), "", in_words(document), *(line for line in said if line)])


def missing(criterion: Mapping[str, Any]) -> str:
    return "not assessed" if criterion["notAssessed"] else "does not apply" if criterion["notApplicable"] else "-"


def in_words(document: Mapping[str, Any]) -> str:
    outcome = document["outcome"]
    if outcome is None:
        return "Nothing was judged."
    if not outcome["agreed"]:
        return f"No consensus: {panel_reports.reason(document)}. In dispute: {', '.join(outcome['disputed'])}."
    recommended = panel_reports.RECOMMENDED.get(document["decided"]["recommendation"], "None")
    return f"{panel_reports.came_to(document)}. Recommendation: {recommended.lower()}."


def written(*, document: Mapping[str, Any], out: Path) -> list[Path]:
    """Write one report per judge and the final report to a directory, beside what is there; return their paths.

    Raises: ``CommandError`` if the directory takes no files; the panel itself is stored all the same.
    """
    papers = panel_reports.papers(document=document)
    paths = free_paths(document=document, out=out, parts=list(papers))
    try:
        for part, paper in papers.items():
            with paths[part].open("x", encoding="utf-8", newline="\n") as file:
                file.write(paper)
    except OSError as error:
        message = f"out: {error.filename or out} cannot be written: {error.strerror}. The panel is stored."
        raise CommandError(message, returncode=BAD_INPUT) from error
    return list(paths.values())


def free_paths(*, document: Mapping[str, Any], out: Path, parts: Sequence[str]) -> dict[str, Path]:
    """Return paths of papers of which none is there yet."""
    for number in range(1, MOST_COPIES):
        about = {"title": document["debate"]["title"], "date": document["date"], "number": number}
        paths = {part: out / panel_reports.file_name(**about, part=part) for part in parts}
        if not any(path.exists() for path in paths.values()):
            return paths
    raise CommandError(f"{out} holds {MOST_COPIES} reports of this subject already.", returncode=BAD_INPUT)
