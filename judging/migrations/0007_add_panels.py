"""Add what panels keep: reports, scores and consensus; let calls be made for what panels ask, by each judge."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("debates", "0002_guards_v1"),
        ("judging", "0006_guards_v2"),
        ("scoring", "0004_desk_v1"),
    ]

    operations = [
        migrations.CreateModel(
            name="Consensus",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "policy",
                    models.JSONField(
                        help_text="Thresholds, weights, quorum, pass mark and prompt versions as they were."
                    ),
                ),
                ("found", models.JSONField()),
                ("agreed", models.BooleanField()),
                (
                    "reason_code",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("spread", "spread"),
                            ("criterion_spread", "criterion spread"),
                            ("not_accepted", "not accepted"),
                            ("quorum_lost", "quorum lost"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("overall", models.DecimalField(blank=True, decimal_places=6, max_digits=10, null=True)),
                (
                    "recommendation",
                    models.CharField(
                        blank=True,
                        choices=[("pass", "pass"), ("needs_revision", "needs revision"), ("fail", "fail")],
                        default="",
                        max_length=20,
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "consensuses",
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="JudgeReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("readable", models.BooleanField()),
                ("body", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="JudgeScore",
            fields=[
                (
                    "fact",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="judge_score",
                        serialize=False,
                        to="scoring.fact",
                    ),
                ),
                ("key", models.CharField(help_text="The code of the criterion.", max_length=40)),
                ("given", models.DecimalField(decimal_places=6, max_digits=10)),
                (
                    "wanted",
                    models.DecimalField(
                        blank=True,
                        decimal_places=6,
                        help_text="What the judge wanted to revise it to, if anything.",
                        max_digits=10,
                        null=True,
                    ),
                ),
                (
                    "refused",
                    models.BooleanField(default=False, help_text="A revision without evidence, which was not taken."),
                ),
                ("quotes_found", models.PositiveSmallIntegerField(default=0)),
                ("quotes_missing", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "ordering": ["fact_id"],
            },
        ),
        migrations.RemoveConstraint(
            model_name="call",
            name="call_answers_once_per_round_and_purpose",
        ),
        migrations.RemoveConstraint(
            model_name="call",
            name="call_purpose_is_known",
        ),
        migrations.AlterField(
            model_name="call",
            name="purpose",
            field=models.CharField(
                choices=[
                    ("assess", "assess"),
                    ("challenge", "challenge"),
                    ("press", "press"),
                    ("defend", "defend"),
                    ("judge", "judge"),
                    ("synthesise", "synthesise"),
                    ("introduce", "introduce"),
                    ("open", "open"),
                    ("respond", "respond"),
                    ("evaluate", "evaluate"),
                    ("influence", "influence"),
                    ("interject", "interject"),
                    ("sum_up", "sum up"),
                    ("analyse", "analyse"),
                    ("argue", "argue"),
                    ("report", "report"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "purpose__in",
                        [
                            "assess",
                            "challenge",
                            "press",
                            "defend",
                            "judge",
                            "synthesise",
                            "introduce",
                            "open",
                            "respond",
                            "evaluate",
                            "influence",
                            "interject",
                            "sum_up",
                            "analyse",
                            "argue",
                            "report",
                        ],
                    )
                ),
                name="call_purpose_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.UniqueConstraint(
                condition=models.Q(("outcome", "used"), ("thread__isnull", False)),
                fields=("thread", "run_number", "round_number", "purpose", "participant"),
                name="call_answers_once_per_round_and_purpose",
            ),
        ),
        migrations.AddField(
            model_name="consensus",
            name="debate",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="consensuses", to="debates.debate"
            ),
        ),
        migrations.AddField(
            model_name="consensus",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="consensuses", to="debates.round"
            ),
        ),
        migrations.AddField(
            model_name="judgereport",
            name="call",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="judge_reports",
                to="judging.call",
            ),
        ),
        migrations.AddField(
            model_name="judgereport",
            name="debate",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="judge_reports", to="debates.debate"
            ),
        ),
        migrations.AddField(
            model_name="judgereport",
            name="participant",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="judge_reports", to="debates.participant"
            ),
        ),
        migrations.AddField(
            model_name="judgereport",
            name="round",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="judge_reports", to="debates.round"
            ),
        ),
        migrations.AddField(
            model_name="judgereport",
            name="turn",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="judge_report",
                to="debates.turn",
            ),
        ),
        migrations.AddField(
            model_name="judgescore",
            name="report",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="scores", to="judging.judgereport"
            ),
        ),
        migrations.AddConstraint(
            model_name="consensus",
            constraint=models.UniqueConstraint(fields=("round",), name="consensus_once_per_round"),
        ),
        migrations.AddConstraint(
            model_name="consensus",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("agreed", True), ("overall__isnull", False), ("reason_code", "")),
                    models.Q(
                        ("agreed", False),
                        ("reason_code__in", ["spread", "criterion_spread", "not_accepted", "quorum_lost"]),
                    ),
                    _connector="OR",
                ),
                name="consensus_or_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="consensus",
            constraint=models.CheckConstraint(
                condition=models.Q(("overall__isnull", True), ("overall__range", (1, 5)), _connector="OR"),
                name="consensus_overall_inside_scale",
            ),
        ),
        migrations.AddConstraint(
            model_name="consensus",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("overall__isnull", True), ("recommendation", "")),
                    models.Q(("overall__isnull", False), ("recommendation__in", ["pass", "needs_revision", "fail"])),
                    _connector="OR",
                ),
                name="consensus_recommends_where_there_is_an_overall",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgereport",
            constraint=models.UniqueConstraint(fields=("round", "participant"), name="judge_reports_once_per_round"),
        ),
        migrations.AddConstraint(
            model_name="judgereport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("readable", True), ("turn__isnull", False)),
                    models.Q(("readable", False), ("turn__isnull", True)),
                    _connector="OR",
                ),
                name="judge_report_is_spoken_where_readable",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgescore",
            constraint=models.UniqueConstraint(
                fields=("report", "key"), name="judge_scores_a_criterion_once_per_report"
            ),
        ),
        migrations.AddConstraint(
            model_name="judgescore",
            constraint=models.CheckConstraint(
                condition=models.Q(("given__range", (1, 5))), name="judge_score_given_inside_scale"
            ),
        ),
        migrations.AddConstraint(
            model_name="judgescore",
            constraint=models.CheckConstraint(
                condition=models.Q(("wanted__isnull", True), ("wanted__range", (1, 5)), _connector="OR"),
                name="judge_revision_inside_scale",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgescore",
            constraint=models.CheckConstraint(
                condition=models.Q(("refused", False), ("wanted__isnull", False), _connector="OR"),
                name="judge_refused_revision_was_wanted",
            ),
        ),
    ]
