"""People and groups in the admin: Django's own pages, made of fields that everybody can read and use."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User

admin.site.unregister([Group, User])


@admin.register(Group)
class Groups(GroupAdmin):
    """A group with its permissions in a plain list: the labels of Django's pair of lists are not read out."""

    filter_horizontal = ()


@admin.register(User)
class People(UserAdmin[User]):
    """Somebody with an account; when they came is no field to fill in."""

    filter_horizontal = ()
    readonly_fields = ("last_login", "date_joined")
