"""Keep every single judgement where something is judged several times, with their spread and whether they flip."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("debates", "0005_epoch"),
        ("judging", "0012_erasure_v1"),
        ("scoring", "0006_erasure_v1"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="call",
            name="call_answers_once_per_round_and_purpose",
        ),
        migrations.AddField(
            model_name="call",
            name="reading",
            field=models.PositiveSmallIntegerField(
                default=1, help_text="Which of several judgements in this order it is."
            ),
        ),
        migrations.AddField(
            model_name="call",
            name="swapped",
            field=models.BooleanField(default=False, help_text="What is judged was shown in the other order."),
        ),
        migrations.AddField(
            model_name="effect",
            name="flipped",
            field=models.BooleanField(
                blank=True,
                help_text="The two orders came to different ends; empty where one order was judged.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="effect",
            name="readings",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="effect",
            name="spread",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="How far the single judgements lie apart.",
                max_digits=10,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="judgescore",
            name="flipped",
            field=models.BooleanField(
                blank=True,
                help_text="The two orders came to different ends; empty where one order was judged.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="judgescore",
            name="readings",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="judgescore",
            name="spread",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="How far the single judgements lie apart.",
                max_digits=10,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="responseevaluation",
            name="flipped",
            field=models.BooleanField(
                blank=True,
                help_text="The two orders came to different ends; empty where one order was judged.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="responseevaluation",
            name="spread",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="How far the single judgements lie apart.",
                max_digits=10,
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="verdict",
            name="flipped",
            field=models.BooleanField(
                blank=True,
                help_text="The two orders came to different ends; empty where one order was judged.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="verdict",
            name="readings",
            field=models.JSONField(blank=True, default=list),
        ),
        migrations.AddField(
            model_name="verdict",
            name="spread",
            field=models.DecimalField(
                blank=True,
                decimal_places=6,
                help_text="How far the single judgements lie apart.",
                max_digits=10,
                null=True,
            ),
        ),
        migrations.AddConstraint(
            model_name="call",
            constraint=models.UniqueConstraint(
                condition=models.Q(("outcome", "used"), ("thread__isnull", False)),
                fields=(
                    "thread",
                    "run_number",
                    "round_number",
                    "purpose",
                    "participant",
                    "about",
                    "swapped",
                    "reading",
                ),
                name="call_answers_once_per_round_and_purpose",
            ),
        ),
        migrations.AddConstraint(
            model_name="effect",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("flipped__isnull", True), ("readings", []), ("spread__isnull", True)),
                    models.Q(models.Q(("readings", []), _negated=True), ("spread__gte", 0), ("spread__isnull", False)),
                    _connector="OR",
                ),
                name="effect_has_a_spread_where_judged_several_times",
            ),
        ),
        migrations.AddConstraint(
            model_name="judgescore",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("flipped__isnull", True), ("readings", []), ("spread__isnull", True)),
                    models.Q(models.Q(("readings", []), _negated=True), ("spread__gte", 0), ("spread__isnull", False)),
                    _connector="OR",
                ),
                name="judge_score_has_a_spread_where_judged_several_times",
            ),
        ),
        migrations.AddConstraint(
            model_name="responseevaluation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("flipped__isnull", True), ("readings", []), ("spread__isnull", True)),
                    models.Q(models.Q(("readings", []), _negated=True), ("spread__gte", 0), ("spread__isnull", False)),
                    _connector="OR",
                ),
                name="response_has_a_spread_where_judged_several_times",
            ),
        ),
        migrations.AddConstraint(
            model_name="verdict",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("flipped__isnull", True), ("readings", []), ("spread__isnull", True)),
                    models.Q(models.Q(("readings", []), _negated=True), ("spread__gte", 0), ("spread__isnull", False)),
                    _connector="OR",
                ),
                name="verdict_has_a_spread_where_judged_several_times",
            ),
        ),
    ]
