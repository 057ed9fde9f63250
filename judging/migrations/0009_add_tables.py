"""Add what open debates keep: judgements of responses, effects, states, standings; tell alike calls apart."""

import uuid

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("debates", "0002_guards_v1"),
        ("judging", "0008_panels_v1"),
        ("scoring", "0004_desk_v1"),
    ]

    operations = [
        migrations.CreateModel(
            name="CachedJudgement",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("answer", models.TextField(blank=True, default="")),
                ("model", models.CharField(blank=True, default="", max_length=120)),
                ("holder", models.CharField(blank=True, default="", max_length=40)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["at"],
            },
        ),
        migrations.CreateModel(
            name="Effect",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("persuasion", models.DecimalField(decimal_places=6, max_digits=10)),
                ("attack", models.DecimalField(decimal_places=6, max_digits=10)),
                ("evidence", models.DecimalField(decimal_places=6, max_digits=10)),
                ("persuasion_words", models.PositiveSmallIntegerField(default=0)),
                (
                    "source",
                    models.CharField(
                        choices=[("judge", "judge"), ("words", "words"), ("factors", "factors")], max_length=20
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="ParticipantState",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("stance", models.DecimalField(decimal_places=6, max_digits=10)),
                ("conviction", models.DecimalField(decimal_places=6, max_digits=10)),
                (
                    "surrender",
                    models.CharField(
                        blank=True,
                        choices=[("persuaded", "persuaded"), ("wavering", "wavering"), ("consecutive", "consecutive")],
                        default="",
                        max_length=20,
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["participant_id", "number"],
            },
        ),
        migrations.CreateModel(
            name="ResponseEvaluation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("scored", "scored"), ("quick", "quick"), ("failed", "failed")], max_length=20
                    ),
                ),
                ("steel_manning", models.DecimalField(blank=True, decimal_places=2, max_digits=4, null=True)),
                ("self_critique", models.DecimalField(blank=True, decimal_places=2, max_digits=4, null=True)),
                ("consistency", models.DecimalField(blank=True, decimal_places=2, max_digits=4, null=True)),
                ("honesty", models.DecimalField(blank=True, decimal_places=2, max_digits=4, null=True)),
                ("steel_attempted", models.BooleanField(blank=True, null=True)),
                ("critique_attempted", models.BooleanField(blank=True, null=True)),
                (
                    "violations",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Breaks with the framework; words in grounds."
                    ),
                ),
                (
                    "issues",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20), blank=True, default=list, size=None
                    ),
                ),
                ("requires_interjection", models.BooleanField(default=False)),
                (
                    "violation",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("straw_manning", "straw manning"),
                            ("missing_self_critique", "missing self critique"),
                            ("framework_inconsistency", "framework inconsistency"),
                            ("rhetorical_evasion", "rhetorical evasion"),
                            ("low_adherence", "low adherence"),
                        ],
                        default="",
                        max_length=40,
                    ),
                ),
                ("grounds", models.JSONField(blank=True, default=dict)),
                ("readings", models.JSONField(blank=True, default=list)),
                (
                    "digest",
                    models.CharField(
                        blank=True, default="", help_text="By what the judgement is known again.", max_length=64
                    ),
                ),
                ("from_cache", models.BooleanField(default=False)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Standing",
            fields=[
                (
                    "fact",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="standing",
                        serialize=False,
                        to="scoring.fact",
                    ),
                ),
                ("stance", models.DecimalField(decimal_places=6, max_digits=10)),
                ("persuasion", models.DecimalField(decimal_places=6, max_digits=10)),
                ("resistance", models.DecimalField(decimal_places=6, max_digits=10)),
                ("penalty", models.DecimalField(decimal_places=6, max_digits=10)),
            ],
            options={
                "ordering": ["fact_id"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="call",
            name="call_answers_once_per_round_and_purpose",
        ),
        migrations.AddField(
            model_name="call",
            name="about",
            field=models.CharField(
                blank=True, default="", help_text="Which of several such questions of one round this is.", max_length=60
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.UniqueConstraint(
                condition=models.Q(("outcome", "used"), ("thread__isnull", False)),
                fields=("thread", "run_number", "round_number", "purpose", "participant", "about"),
                name="call_answers_once_per_round_and_purpose",
            ),
        ),
        migrations.AddField(
            model_name="cachedjudgement",
            name="debate",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="cached_judgements",
                to="debates.debate",
            ),
        ),
        migrations.AddField(
            model_name="effect",
            name="call",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="effects",
                to="judging.call",
            ),
        ),
        migrations.AddField(
            model_name="effect",
            name="listener",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="effects_felt", to="debates.participant"
            ),
        ),
        migrations.AddField(
            model_name="effect",
            name="speaker",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="effects_made", to="debates.participant"
            ),
        ),
        migrations.AddField(
            model_name="effect",
            name="turn",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="effects", to="debates.turn"
            ),
        ),
        migrations.AddField(
            model_name="participantstate",
            name="effect",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="state_after",
                to="judging.effect",
            ),
        ),
        migrations.AddField(
            model_name="participantstate",
            name="participant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="states", to="debates.participant"
            ),
        ),
        migrations.AddField(
            model_name="responseevaluation",
            name="call",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="response_evaluations",
                to="judging.call",
            ),
        ),
        migrations.AddField(
            model_name="responseevaluation",
            name="fact",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="response_evaluation",
                to="scoring.fact",
            ),
        ),
        migrations.AddField(
            model_name="responseevaluation",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="response_evaluations", to="debates.round"
            ),
        ),
        migrations.AddField(
            model_name="responseevaluation",
            name="turn",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT, related_name="response_evaluation", to="debates.turn"
            ),
        ),
        migrations.AddField(
            model_name="standing",
            name="participant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="standings", to="debates.participant"
            ),
        ),
        migrations.AddField(
            model_name="standing",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="standings", to="debates.round"
            ),
        ),
        migrations.AddConstraint(
            model_name="cachedjudgement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("answer", ""), ("lease_until__isnull", False), models.Q(("holder", ""), _negated=True)),
                    models.Q(models.Q(("answer", ""), _negated=True), ("holder", ""), ("lease_until__isnull", True)),
                    _connector="OR",
                ),
                name="cached_judgement_is_known_or_being_made",
            ),
        ),
        migrations.AddConstraint(
            model_name="effect",
            constraint=models.CheckConstraint(
                condition=models.Q(("source__in", ["judge", "words", "factors"])), name="effect_source_is_known"
            ),
        ),
        migrations.AddConstraint(
            model_name="effect",
            constraint=models.UniqueConstraint(fields=("turn", "listener"), name="effect_once_per_turn_and_listener"),
        ),
        migrations.AddConstraint(
            model_name="effect",
            constraint=models.CheckConstraint(
                condition=models.Q(("speaker", models.F("listener")), _negated=True), name="effect_is_on_somebody_else"
            ),
        ),
        migrations.AddConstraint(
            model_name="effect",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("persuasion__range", (0, 1)), ("attack__range", (0, 1)), ("evidence__range", (0, 1))
                ),
                name="effect_inside_limits",
            ),
        ),
        migrations.AddConstraint(
            model_name="participantstate",
            constraint=models.UniqueConstraint(
                fields=("participant", "number"), name="state_number_once_per_participant"
            ),
        ),
        migrations.AddConstraint(
            model_name="participantstate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("effect__isnull", True), ("number", 0), ("surrender", "")),
                    models.Q(("effect__isnull", False), ("number__gt", 0)),
                    _connector="OR",
                ),
                name="state_starts_without_an_effect",
            ),
        ),
        migrations.AddConstraint(
            model_name="participantstate",
            constraint=models.CheckConstraint(
                condition=models.Q(("stance__range", (-1, 1)), ("conviction__range", (0, 1))),
                name="state_inside_limits",
            ),
        ),
        migrations.AddConstraint(
            model_name="participantstate",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("surrender", ""), ("surrender__in", ["persuaded", "wavering", "consecutive"]), _connector="OR"
                ),
                name="state_surrender_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="responseevaluation",
            constraint=models.CheckConstraint(
                condition=models.Q(("state__in", ["scored", "quick", "failed"])),
                name="response_evaluation_state_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="responseevaluation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("state", "scored"),
                        ("fact__isnull", False),
                        ("steel_manning__isnull", False),
                        ("self_critique__isnull", False),
                        ("consistency__isnull", False),
                        ("honesty__isnull", False),
                    ),
                    models.Q(
                        models.Q(("state", "scored"), _negated=True),
                        ("fact__isnull", True),
                        ("steel_manning__isnull", True),
                        ("self_critique__isnull", True),
                        ("consistency__isnull", True),
                        ("honesty__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="response_has_marks_where_scored",
            ),
        ),
        migrations.AddConstraint(
            model_name="responseevaluation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("steel_manning__isnull", True),
                    models.Q(
                        ("steel_manning__range", (0, 25)),
                        ("self_critique__range", (0, 25)),
                        ("consistency__range", (0, 25)),
                        ("honesty__range", (0, 25)),
                    ),
                    _connector="OR",
                ),
                name="response_marks_inside_scale",
            ),
        ),
        migrations.AddConstraint(
            model_name="responseevaluation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("critique_attempted__isnull", True), ("state", "failed"), ("steel_attempted__isnull", True)
                    ),
                    models.Q(
                        models.Q(("state", "failed"), _negated=True),
                        ("critique_attempted__isnull", False),
                        ("steel_attempted__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="response_has_flags_unless_failed",
            ),
        ),
        migrations.AddConstraint(
            model_name="responseevaluation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("requires_interjection", False),
                    models.Q(
                        ("state", "scored"),
                        (
                            "violation__in",
                            [
                                "straw_manning",
                                "missing_self_critique",
                                "framework_inconsistency",
                                "rhetorical_evasion",
                                "low_adherence",
                            ],
                        ),
                    ),
                    _connector="OR",
                ),
                name="response_requires_interjection_with_a_reason_where_scored",
            ),
        ),
        migrations.AddConstraint(
            model_name="responseevaluation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "issues__contained_by",
                        ["evasion", "misrepresentation", "cherry_picking", "moving_goalposts", "false_equivalence"],
                    )
                ),
                name="response_issues_are_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="standing",
            constraint=models.UniqueConstraint(
                fields=("round", "participant"), name="standing_once_per_round_and_participant"
            ),
        ),
        migrations.AddConstraint(
            model_name="standing",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("penalty__in", [0, 50]),
                    ("persuasion__gte", 0),
                    ("resistance__range", (0, 20)),
                    ("stance__range", (0, 30)),
                ),
                name="standing_parts_inside_limits",
            ),
        ),
    ]
