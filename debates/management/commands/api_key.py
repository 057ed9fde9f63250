"""``manage.py api_key``: make, list and revoke API keys without a browser."""

from datetime import timedelta
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from debates import selectors
from debates.management.base import BaseCommand, person, whole_number
from debates.models import ApiKey
from debates.services import keys
from debates.types import Scope


class Command(BaseCommand):
    help = "Make, list and revoke API keys. The text of a key is printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        make = actions.add_parser("make", help="make a key and print it")
        make.add_argument("owner", help="whose name the key acts under")
        make.add_argument("--name", required=True, help="what the key is for")
        scopes = f"some of {','.join(Scope)}, separated by commas; without it, read alone"
        make.add_argument("--scopes", default="read", help=scopes)
        make.add_argument("--days", type=whole_number(1, 36_500), help="how long it is good; for ever without")
        actions.add_parser("list", help="list the keys that are good").add_argument("owner", nargs="?")
        actions.add_parser("revoke", help="revoke a key").add_argument("prefix", help="how the key begins")

    def handle(self, *_args: Any, **options: Any) -> None:
        getattr(self, options["action"])(options)

    def make(self, options: dict[str, Any]) -> None:
        owner = person(options["owner"])
        now = timezone.now()
        expires = now + timedelta(days=options["days"]) if options["days"] else None
        scopes = [scope.strip() for scope in options["scopes"].split(",")]
        _, text = keys.issue(owner=owner, by=None, name=options["name"], scopes=scopes, now=now, expires_at=expires)
        self.stdout.write(text)

    def list(self, options: dict[str, Any]) -> None:
        rows = selectors.valid_keys(now=timezone.now()).select_related("owner")
        for key in rows.filter(owner=person(options["owner"])) if options["owner"] else rows:
            self.stdout.write(f"{key.prefix}  {key.owner}  {','.join(key.scopes)}  {key.name}")

    def revoke(self, options: dict[str, Any]) -> None:
        key = ApiKey.objects.filter(prefix=options["prefix"]).first()
        if key is None:
            raise CommandError(f"No key begins with {options['prefix']}.")
        keys.revoke(key_id=key.pk, by=None, now=timezone.now())
        self.stdout.write(f"{key} is revoked.")
