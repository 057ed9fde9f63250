"""The project itself as an app, so that its commands and the admin site are found."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Moot"
    default = True

    def ready(self) -> None:
        from config import checks  # noqa: F401, PLC0415 -- which registers itself


class ModerationConfig(admin_apps.AdminConfig):
    """Django's admin on our own site: everything registered on ``admin.site`` appears there."""

    default = False
    default_site = "config.site.ModerationSite"
