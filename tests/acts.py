"""What moderators do, in a word each."""

from scoring.enums import EntryKind
from scoring.services import moderation
from scoring.services.actions import Intent


def freeze(*, order, now):
    return moderation.perform(order=order, intent=Intent(EntryKind.FREEZE), now=now)


def unfreeze(*, order, now, choice, then=None):
    return moderation.perform(order=order, intent=Intent(EntryKind.UNFREEZE, choice=choice, then=then), now=now)


def override(*, order, now, value):
    return moderation.perform(order=order, intent=Intent(EntryKind.OVERRIDE, value=value), now=now)


def lift(*, order, now):
    return moderation.perform(order=order, intent=Intent(EntryKind.OVERRIDE_LIFTED), now=now)


def strike(*, order, now, facts):
    return moderation.perform(order=order, intent=Intent(EntryKind.STRIKE, facts=facts), now=now)


def reinstate(*, order, now, facts):
    return moderation.perform(order=order, intent=Intent(EntryKind.REINSTATE, facts=facts), now=now)


def roll_back(*, order, now, target):
    return moderation.perform(order=order, intent=Intent(EntryKind.ROLLBACK, target=target), now=now)
