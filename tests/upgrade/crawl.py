"""Looks at every page of the debates there are, as a visitor and as the moderator alice: prints path and status."""

import json
import os
import sys

KINDS = (
    "debates", "evaluations", "score-changes", "verdicts", "response-evaluations", "effects", "states", "standings",
    "reports", "judge-scores", "consensuses", "reviews", "alerts",
)  # fmt: skip
LISTS = ("/", "/admin/", *(f"/api/v1/{kind}/" for kind in KINDS))


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.test import Client

    from debates.models import Debate
    from scoring.models import Evaluation

    paths = [*LISTS]
    for debate in Debate.objects.all():
        paths += [f"/debates/{debate.public_id}/", f"/admin/debates/debate/{debate.pk}/change/"]
        if debate.status == "concluded":
            paths += [f"/debates/{debate.public_id}/result/", f"/debates/{debate.public_id}/result.json"]
    paths += [f"/admin/scoring/evaluation/{one.pk}/change/" for one in Evaluation.objects.all()]
    visitor = Client(headers={"host": "localhost"})
    visitor.force_login(User.objects.get(username="alice"))
    sys.stdout.write(json.dumps({path: visitor.get(path).status_code for path in paths}))


if __name__ == "__main__":
    main()
