"""People, groups and second factors in the admin: Django's own pages, on which nobody gives rights but a superuser."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group, User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.decorators import method_decorator

from debates import selectors
from debates.models import IdempotencyKey, Invitation, Mail
from debates.reauthentication import proof_required
from debates.services import invitations
from debates.types import MailKind

admin.site.unregister([Group, User, EmailAddress, Authenticator, SocialAccount, SocialApp, SocialToken])
M = TypeVar("M", bound=Model)
RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
GO_WITH_ACCOUNT = {str(model._meta.verbose_name) for model in (Mail, IdempotencyKey, Authenticator)}  # noqa: SLF001 -- Django's public name
"""What goes with somebody, though whoever deletes them deletes none of it alone."""
ACTED = "Lines in Django's history: who has acted at the desk cannot be deleted. Their words can be erased."
OWN = "Your own account: somebody else deletes it."


def gives_rights(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and invitations.gives_rights(request.user)


def after_proof(view: Callable[..., Any], request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
    return (proof_required(view) if gives_rights(request) else view)(request, *args, **kwargs)


class ProofBeforeRights(admin.ModelAdmin[Any]):
    """Whoever may give rights proves to be here still before a form that gives or takes them is shown or taken."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return after_proof(super().changeform_view, request, *args, **kwargs)

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return after_proof(super().delete_view, request, *args, **kwargs)

    def delete_model(self, request: HttpRequest, obj: Model) -> None:
        self.delete_queryset(request, self.get_queryset(request).filter(pk=obj.pk))

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Show the list to a session alone, and do nothing to what is chosen there."""
        view = super().changelist_view
        if request.method != "POST":
            return view(request, *args, **kwargs)
        return after_proof(view, request, *args, **kwargs)


def forget_mail(*, to: Iterable[str]) -> None:
    """Let go of the mail about an account that waits for these addresses, but of one that somebody still has."""
    for address in to:
        if not User.objects.filter(email__iexact=address).exists():
            Mail.objects.filter(kind=MailKind.ACCOUNT.value, address__iexact=address).delete()


@admin.register(Group)
class Groups(ProofBeforeRights, GroupAdmin):
    """A group with its permissions in a plain list: the labels of Django's pair of lists are not read out."""

    filter_horizontal = ()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return gives_rights(request) and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return gives_rights(request) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return gives_rights(request) and super().has_delete_permission(request, obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Group]) -> None:
        """Revoke the invitations to what goes: they would be to the site alone, which nobody offered."""
        offered = Invitation.objects.filter(group__in=queryset, revoked_at=None)
        offered.update(revoked_at=Now(), revoked_by=request.user)
        super().delete_queryset(request, queryset)


class OwnName(UserChangeForm[User]):
    """An account, whose name is nobody else's in other letters' case: at sign-in the two would be one."""

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        if User.objects.exclude(pk=self.instance.pk).filter(username__iexact=name).exists():
            raise ValidationError(self.instance.unique_error_message(User, ("username",)))
        return name


@admin.register(User)
class People(ProofBeforeRights, UserAdmin[User]):
    """Somebody with an account; when they came is no field to fill in. Staff is kept by superusers alone.

    An address is given by its owner alone: whoever reads its mail can set their password.
    """

    form = OwnName
    filter_horizontal = ()
    readonly_fields = ("email", "last_login", "date_joined")

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Look at the form once more where somebody else has got the name meanwhile: then it says so."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except IntegrityError:
            return super().changeform_view(request, *args, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return (*self.readonly_fields, *(() if gives_rights(request) else RIGHTS))

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Let only superusers change staff, and whoever has rights: who sets a password can sign in with it."""
        plain = obj is None or not selectors.has_rights(user=obj)
        return super().has_change_permission(request, obj) and (plain or gives_rights(request))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Let only superusers delete staff and whoever has rights, and so many at once; nobody deletes themselves."""
        if obj is not None and obj.pk == request.user.pk:
            return False
        plain = obj is not None and not selectors.has_rights(user=obj)
        return super().has_delete_permission(request, obj) and (plain or gives_rights(request))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Let go with somebody what is theirs alone, and say why who has acted here stays."""
        tree, count, lacking, protected = super().get_deleted_objects(objs, request)
        acted = lacking & {LogEntry._meta.verbose_name}  # noqa: SLF001 -- Django's public name
        own = [OWN for user in objs if user.pk == request.user.pk]
        if own and gives_rights(request):  # what is lacking is not a right
            lacking -= {self.opts.verbose_name}
        return tree, count, lacking - acted - GO_WITH_ACCOUNT, [*protected, *(ACTED for _ in acted), *own]

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Take the names of who goes out of the history, and the mail to them: no erasure would find it afterwards."""
        asked_for = EmailAddress.objects.filter(user__in=queryset).values_list("email", flat=True)
        addresses = {*queryset.values_list("email", flat=True), *asked_for} - {""}
        accounts = ContentType.objects.get_for_model(User)
        history = LogEntry.objects.filter(content_type=accounts, object_id__in=[str(user.pk) for user in queryset])
        history.update(object_repr="[erased]", change_message="")
        super().delete_queryset(request, queryset)
        forget_mail(to=addresses)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> Any:
        """Give somebody else another password; one's own is changed where the present one is asked for."""
        user = self.get_object(request, unquote(id))
        if user is not None and user.pk == request.user.pk:
            return redirect("account_change_password")
        return proof_required(super().user_change_password)(request, id, form_url)


class Unwritten(admin.ModelAdmin[M]):
    """What comes and changes elsewhere: here it is read, and let go of by whom its own rule lets."""

    list_select_related = ("user",)
    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False


@admin.register(EmailAddress)
class Addresses(Unwritten[EmailAddress]):
    """Who has which address. Nobody gives or confirms one here: whoever reads its mail can set its owner's password."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    search_fields = ("email", "user__username")

    def has_delete_permission(self, request: HttpRequest, obj: EmailAddress | None = None) -> bool:
        """Let go with a person what whoever deletes that person may delete."""
        plain = obj is not None and not selectors.has_rights(user=obj.user)
        return super().has_delete_permission(request, obj) and (plain or gives_rights(request))

    def log_deletions(self, request: HttpRequest, queryset: Iterable[EmailAddress]) -> list[LogEntry]:
        """Say in the history of whose address it was that it went, not which: others read the history, too."""
        return [self.log_change(request, row.user, "Deleted a mail address.") for row in queryset]

    def delete_model(self, request: HttpRequest, obj: EmailAddress) -> None:
        """Send its owner no mail there any more, nor to one that was asked for and is not confirmed."""
        User.objects.filter(pk=obj.user_id, email__iexact=obj.email).update(email="")
        super().delete_model(request, obj)
        forget_mail(to=[obj.email])


@admin.register(Authenticator)
class Factors(Unwritten[Authenticator]):
    """Who has a second factor, never the factor. A superuser takes away another's that was lost, one's own oneself."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_filter = ("type",)
    fields = readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_delete_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        """Let superusers take away what is not their own."""
        return gives_rights(request) and (obj is None or obj.user_id != request.user.pk)

    @method_decorator(proof_required)
    def delete_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> Any:
        """Ask for one's own factor first."""
        return super().delete_view(request, object_id, extra_context)

    def delete_model(self, request: HttpRequest, obj: Authenticator) -> None:
        """Take all of somebody's factors away: recovery codes alone are none."""
        Authenticator.objects.filter(user=obj.user_id).delete()
