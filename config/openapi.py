"""How the description of the API is made: what it says of itself, and the names of its enumerations."""

from __future__ import annotations

from typing import Any

SETTINGS: dict[str, Any] = {
    "TITLE": "Moot",
    "DESCRIPTION": "Debates, their scores and the ledger behind them. See docs/reference/api.md.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "debates.api.schema.share_problems",
        "debates.api.schema.tell_events",
        "judging.api.resources.tell_results",
    ],
    "ENUM_NAME_OVERRIDES": {
        "DebateStatusEnum": "debates.types.Status",
        "DebateFormat": "debates.types.Format",
        "CriterionFormat": "judging.formats.criterion.api.FORMAT",
        "OpenFormat": "judging.formats.open.api.FORMAT",
        "PanelFormat": "judging.formats.panel.api.FORMAT",
        "SpeakerKind": "debates.types.Kind",
        "BulkAction": "scoring.enums.BulkAction",
        "ReasonCode": "scoring.enums.ReasonCode",
        "GivenReasonCode": "scoring.api.moderation.GIVEN",
        "PlannedAction": "scoring.api.moderation.PLANNED",
        "AlertSeverity": "scoring.types.Severity",
        "AlertState": "scoring.enums.AlertState",
        "ApprovalState": "scoring.enums.ApprovalState",
        "RescoreState": "scoring.enums.RescoreState",
        "ReviewState": "judging.types.ReviewState",
        "HookState": "debates.types.HookState",
        "DeliveryState": "debates.types.DeliveryState",
        "AwaitedState": "debates.types.AwaitedState",
        "TurnKindEnum": "debates.types.TurnKind",
        "ChallengeSeverity": "judging.types.Severity",
    },
    "PATH_CONVERTER_OVERRIDES": {"code": str},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
