"""``manage.py calibrate``: measures a judge, offline or a model, against labels that people gave."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from itertools import groupby
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from debates.errors import Invalid
from debates.management.base import INTERRUPTED, BaseCommand, write_whole
from judging.engine import calibration
from judging.engine.calibration import Calibration, Plan, Reader
from judging.formats import criterion, panel, shared_fields
from judging.formats.criterion.spec import CriterionSpec
from judging.formats.files import words_of
from judging.formats.panel.spec import LEAST_SEATS, MOST_SEATS, JudgeSeat, PanelSpec, template, typed
from judging.formats.spec import LONGEST_SUBJECT
from judging.heuristics.panel import STRATEGIES
from judging.management.commands.run_debate import BAD_INPUT, rubric_of, say_nothing, script_of
from judging.rules import calibration as rules
from judging.rules.text_probes import Expected
from judging.types import OFFLINE, WHY_UNABLE, Unable
from scoring.management.tables import aligned

LONGEST_FILE = 200_000_000
CRITERIA = "persuasiveness:1"
TASK = "Convince somebody who has not decided yet."
RUBRIC = "venture"
PROBED = 12
STEPS = 10
"""How often the progress is told at most."""
REVERSED = "Both run against the labels. Is a higher label the better text? A rank, 1 for the best, needs a minus sign."
EXPECTED = {Expected.SAME: "Must change nothing", Expected.NO_GAIN: "Must not raise the score"}


class Command(BaseCommand):
    refused = BAD_INPUT
    help = "Measure a judge against your own labels: a CSV file of text,label or of first,second,preferred."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="UTF-8 CSV: text,label or first,second,preferred; and group, if there is one")
        parser.add_argument(
            "--format", default=panel.NAME, choices=[panel.NAME, criterion.NAME], help="how texts are read"
        )
        parser.add_argument("--task", help=f'of a panel: what the texts were to accomplish, by default "{TASK}"')
        parser.add_argument("--criteria", help=f'of a panel, by default "{CRITERIA}"; of a rubric, for example "P1,S2"')
        parser.add_argument("--template", help="of a panel, instead of criteria: code, design, documentation")
        parser.add_argument(
            "--judges", type=int, help=f"of a panel, 1 to {MOST_SEATS}; by default 3 offline, 1 of a model"
        )
        parser.add_argument(
            "--rubric", help=f"of the criterion format: a stored rubric, or a file; by default {RUBRIC}"
        )
        parser.add_argument(
            "--criteria-per-assessment",
            type=int,
            default=1,
            metavar="N",
            help="of the criterion format: so many a call",
        )
        parser.add_argument("--provider", help=f"{OFFLINE} if left out")
        parser.add_argument("--model", default="", help="a model, or model@endpoint; it needs no --provider")
        parser.add_argument("--script", help="a file of answers for the scripted provider: JSON, or JSON lines")
        parser.add_argument(
            "--both-ways", action="store_true", help="show the texts of a pair together, in both orders"
        )
        parser.add_argument("--sample", type=int, help="measure so many rows, drawn by the seed; by default all")
        parser.add_argument(
            "--probes", type=int, help=f"try the probes on so many texts; by default {PROBED} offline, 0 else"
        )
        parser.add_argument("--seed", type=int, default=1, help="of samples and intervals")
        parser.add_argument("--max-calls", type=int, help="begin nothing that takes more, and make no more")
        parser.add_argument("--out", help="a file for the figures as JSON, written when all is done")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON and nothing else")

    def handle(self, *_args: Any, **options: Any) -> None:
        quiet = options["json"] or not options["verbosity"]
        try:
            measured = measure(options, say=say_nothing if quiet else lambda line: self.stderr.write(line, str))
        except KeyboardInterrupt as interrupt:
            raise CommandError("Interrupted. No figures were kept.", returncode=INTERRUPTED) from interrupt
        document = json.dumps(asdict(measured), indent=2, ensure_ascii=False, default=str)
        try:
            if options["out"]:
                write_whole(Path(options["out"]), f"{document}\n", replaces=True)
        except OSError as error:
            message = f"out: {options['out']} cannot be written: {error.strerror}."
            raise CommandError(message, returncode=BAD_INPUT) from error
        finally:  # they may be paid: where one of the two goes wrong, the other is done all the same
            self.stdout.write(document if options["json"] else table(measured))
        if measured.is_empty:
            why = " ".join(left_out(measured)) or calibration.EQUAL
            raise CommandError(f"Nothing could be compared. {why}", returncode=BAD_INPUT)


def measure(options: Mapping[str, Any], *, say: Callable[[str], object]) -> Calibration:
    """Have the judge that the options name read the file, and return its figures."""
    rows = rows_of(options["file"])
    judges = (len(STRATEGIES) if is_offline(options) else 1) if options["judges"] is None else options["judges"]
    check(options, judges=judges)
    reader = calibration.reader_of(spec_of(options, judges=judges), judges=judges)
    paired = None
    if options["both_ways"]:
        paired = calibration.reader_of(spec_of(options, judges=judges), judges=judges, sides=True)
    usual = PROBED if is_offline(options) else 0
    probed = usual if options["probes"] is None else options["probes"]
    planned = calibration.plan(
        rows, both_ways=options["both_ways"], sample=options["sample"], probed=probed, seed=options["seed"]
    )
    say(costs(planned, reader=reader, most=options["max_calls"]))
    return calibration.calibrate(
        reader=reader, paired=paired, planned=planned, most_calls=options["max_calls"], tell=Progress(say).tell
    )


def rows_of(path: str) -> rules.Labelled:
    text = words_of(path, what="file", longest=LONGEST_FILE)
    try:
        return rules.read_labels(text, longest=LONGEST_SUBJECT)
    except Invalid as error:
        raise type(error)(f"{path}, {error.message}") from error


def is_offline(options: Mapping[str, Any]) -> bool:
    return shared_fields.provider_from(options) == OFFLINE


def check(options: Mapping[str, Any], *, judges: int) -> None:
    """Refuse options that do not go together, and numbers that are out of their range."""
    if not 1 <= judges <= MOST_SEATS:
        raise Invalid(f"judges must be 1 to {MOST_SEATS}; got {judges}.")
    for name, least in (("sample", rules.LEAST_ROWS), ("probes", 0), ("max_calls", 1)):
        if options[name] is not None and options[name] < least:
            raise Invalid(f"{name.replace('_', '-')} must be at least {least}; got {options[name]}.")
    check_format(options)
    if options["out"]:
        check_place(Path(options["out"]))
    if options["both_ways"] and is_offline(options):
        raise Invalid("both-ways: the offline judge reads each text alone, so no order can sway it; leave it out.")
    if options["template"] and options["criteria"]:
        raise Invalid("criteria and template: give one of them.")


def check_place(path: Path) -> None:
    """Refuse what can be no file, before anything is asked and paid."""
    if path.is_dir():
        raise Invalid(f"out: {path} is a directory; name a file.")
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise Invalid(f"out: {path.parent} is no directory that can be written to.")


def check_format(options: Mapping[str, Any]) -> None:
    """Refuse options that the format does not look at."""
    is_panel = options["format"] == panel.NAME
    for name in ("task", "template", "judges"):
        if not is_panel and options[name] is not None:
            raise Invalid(f"{name}: only a panel has that; leave --format criterion out.")
    if not is_panel and options["both_ways"]:
        raise Invalid("both-ways: only the judges of a panel can be shown two texts; leave --format criterion out.")
    if is_panel and options["rubric"] is not None:
        raise Invalid("rubric: a panel judges by --criteria or --template; add --format criterion.")
    if is_panel and options["criteria_per_assessment"] != 1:
        raise Invalid("criteria-per-assessment: a panel asks about all criteria at once; add --format criterion.")


def spec_of(options: Mapping[str, Any], *, judges: int) -> PanelSpec | CriterionSpec:
    """Return the debate whose judge is measured. It is not created."""
    script = script_of(options["script"]) if options["script"] else ()
    provider = shared_fields.provider_from(options)
    if options["format"] == criterion.NAME:
        chosen = [code.strip() for code in (options["criteria"] or "").split(",") if code.strip()]
        return CriterionSpec(
            title=calibration.TITLE,
            subject=calibration.TITLE,
            rubric=rubric_of(options["rubric"] or RUBRIC),
            criteria=chosen,
            criteria_per_assessment=options["criteria_per_assessment"],
            provider=provider,
            model=options["model"],
            script=script,
        )
    return PanelSpec(
        title=calibration.TITLE,
        subject=calibration.TITLE,
        task=options["task"] or TASK,
        rubric=template(options["template"]) if options["template"] else typed(options["criteria"] or CRITERIA),
        seats=[JudgeSeat(provider=provider, model=options["model"])] * max(judges, LEAST_SEATS),
        script=script,
    )


def costs(planned: Plan, *, reader: Reader, most: int | None) -> str:
    """Return what a calibration takes, in words."""
    calls = planned.calls(parts=reader.parts)
    if most is not None and calls > most:
        alone = reader.parts * (len(planned.readings) + len(planned.pairs)) / len(planned.rows)
        raise Invalid(
            f"max-calls: {len(planned.rows)} rows take {calls} calls, and {most} are allowed. About {alone:.0f} go to "
            "a row: take fewer with --sample, or fewer texts with --probes."
        )
    probed = sum(len(ways) for _, ways in planned.probed)
    parts = [f"{len(planned.rows)} rows"]
    parts += [f"{len(planned.pairs)} pairs shown together"] if planned.pairs else []
    parts += [f"{len(planned.probed)} texts in {probed} other wordings"] if probed else []
    each = f", {reader.parts} for each text" if reader.parts > 1 else ""
    return f"{', '.join(parts)}: {calls} calls if nothing fails{each}."


class Progress:
    """Says how far the reading is, a few times."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.say = say

    def tell(self, done: int, whole: int) -> None:
        if done * STEPS // whole > (done - 1) * STEPS // whole and whole >= 2 * STEPS:
            self.say(f"{done} of {whole} read{'; resampling' if done == whole else ''}")


# -- telling what came of it -------------------------------------------------------------------------------------------


def table(measured: Calibration) -> str:
    lines = [judge_in_words(measured)]
    if measured.texts is not None and measured.texts.texts:
        lines += ["", *of_texts(measured.texts)]
    if measured.pairs is not None:
        lines += ["", *of_pairs(measured.pairs)]
    for expected, figures in groupby(measured.probes, key=lambda probe: probe.expected):
        lines += ["", *of_probes(expected, list(figures))]
    if why := left_out(measured):
        lines += ["", "In no figure:", *(f"  {line}" for line in why)]
    lines += ["", spent(measured)]
    return "\n".join(lines)


def left_out(measured: Calibration) -> list[str]:
    unread = [f"{times} not read: {why}" for why, times in measured.unread.items()]
    unable = [f"{times} not assessed: {WHY_UNABLE[Unable(code)]}" for code, times in measured.not_assessed.items()]
    return [*unread, *unable]


def judge_in_words(measured: Calibration) -> str:
    judge = measured.judge
    who = f"{judge.judges} judges" if judge.judges > 1 else "1 judge"
    named = ", ".join(judge.answered_by) or judge.model or judge.provider
    return f"{judge.format}, {who}, {judge.provider} ({named}): {', '.join(judge.criteria)}"


def of_texts(figures: rules.TextFigures) -> list[str]:
    within = f", compared within {figures.groups} groups" if figures.groups else ""
    alike = (
        f"; {figures.uncompared} more in groups whose labels are all equal, in no figure" if figures.uncompared else ""
    )
    return [
        f"{figures.texts} texts{within}{alike}; in brackets where 95 % of the resamples lie",
        *beside_length(
            row("Rank correlation with the labels", figures.correlation),
            row("Kappa of who is in the better half", figures.kappa),
        ),
        verdict(figures.correlation),
        *([REVERSED] if is_below(figures.correlation.judge) and is_below(figures.correlation.length) else []),
    ]


def of_pairs(figures: rules.PairFigures) -> list[str]:
    within = f" in {figures.groups} groups" if figures.groups else ""
    undecided = figures.pairs - figures.decided
    ties = f"; people preferred neither in {undecided}" if undecided else ""
    lines = [
        f"{figures.pairs} pairs{within}{ties}; the judge prefers neither in {figures.tied}, which counts as half right",
        *beside_length(row("Pairs right", figures.accuracy), row("Kappa of the preferred text", figures.kappa)),
        verdict(figures.accuracy),
    ]
    if figures.both_ways:
        lines.append(
            f"Shown in both orders: {figures.both_ways} pairs. Another answer in the other order: "
            f"{estimate(figures.flips)}; what was shown first preferred: {estimate(figures.first_shown)}."
        )
    else:
        lines.append("Each text was read alone, so no order could sway the judge.")
    return lines


def of_probes(expected: Expected, figures: Sequence[rules.ProbeFigure]) -> list[str]:
    rows = [
        (probe.name, f"{probe.mean:+.2f}", f"{probe.most:.2f}", str(probe.texts), "" if probe.held else "too much")
        for probe in figures
    ]
    return aligned([(EXPECTED[expected], "mean", "most", "texts", ""), *rows])


def row(name: str, figures: rules.BesideLength) -> tuple[str, str, str, str]:
    return (name, estimate(figures.judge), estimate(figures.length), estimate(figures.gain))


def estimate(figure: rules.Estimate) -> str:
    if figure.value is None:
        return "-"
    between = f" [{figure.low:.3f}, {figure.high:.3f}]" if figure.low is not None else ""
    return f"{figure.value:.3f}{between}"


def is_below(figure: rules.Estimate) -> bool:
    return figure.high is not None and figure.high < 0


def verdict(figures: rules.BesideLength) -> str:
    """Return whether the judge knows more than how long a text is."""
    gain = figures.gain
    if gain.low is None or gain.high is None:
        return "Too few to say whether the judge follows the labels better than the length of the text does."
    if gain.low > 0:
        return "The judge follows the labels better than the length of the text does."
    if gain.high < 0:
        return "The judge follows the labels LESS well than the length of the text does."
    return "Nothing here shows that the judge follows the labels better than the length of the text does."


def beside_length(*rows: Sequence[str]) -> list[str]:
    return aligned([("", "judge", "length", "judge less length"), *rows])


def spent(measured: Calibration) -> str:
    tokens = measured.tokens_in + measured.tokens_out
    money = f", {measured.cost} in money" if measured.cost > Decimal(0) else ""
    failed = f", of which {measured.failed} gave nothing usable" if measured.failed else ""
    return f"{measured.calls} calls{failed}; {tokens} tokens{money}. Seed {measured.seed}."
