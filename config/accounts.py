"""Who may sign up and in, and how: by invitation, and with a second factor where it is required of who has rights."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from functools import wraps
from http import HTTPStatus
from threading import local
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.authentication import get_authentication_records
from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SignupForm,
    UserTokenForm,
)
from allauth.account.internal.flows.email_verification import (
    consume_email_verification_rate_limit,
    send_verification_email_to_address,
)
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import EmailView, LoginView, SignupView
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView, ViewRecoveryCodesView
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import generate_totp_secret
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, connection, transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.forms import CharField, HiddenInput
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme

from debates import absolute_urls, addresses, sealing, selectors
from debates.errors import DomainError, NotPermitted
from debates.mail import outbox
from debates.models import Invitation
from debates.printable import Fields
from debates.reauthentication import BY_PROVIDER, View, and_back, has_second_factor, note_provider
from debates.sealing import Purpose
from debates.services import invitations
from debates.services.rights import keep_open
from debates.types import MailKind

log = logging.getLogger(__name__)
BY_LINK = frozenset({"invitation", "take-seat"})
writers = ThreadPoolExecutor(max_workers=2, thread_name_prefix="account-mail")
this_thread = local()
CONFIRMATION_IS_GOOD_FOR = timedelta(days=app_settings.EMAIL_CONFIRMATION_EXPIRE_DAYS)
LOCKOUTS = frozenset({"too_many_login_attempts", "rate_limited"})
PROOF = "proof:"
"""Before that under which proofs of who is signed in count: a sign-in's begins with an address, or is of a code."""


def count_as_failed(keys: Mapping[str, str]) -> ratelimit.RateLimitUsage:
    """Count a password or a code as wrong, for its network and by keys; whoever finds it right rolls that back.

    allauth's own count would be cleared by a right code, and with it all that the network has failed at.
    """
    counted = ratelimit.RateLimitUsage([])
    for action, key in {"failed_here": "", **keys}.items():
        usage = ratelimit.consume(context.request, app="allauth.account", action=action, key=key)
        if usage is None:
            raise get_adapter().validation_error("too_many_login_attempts")
        counted.usage += usage.usage
    return counted


def sign_in_keys(request: HttpRequest, name: str) -> dict[str, str]:
    """Return under what wrong passwords of a name count: from one network few, so that none alone locks anybody out."""
    return {"failed": f"{ratelimit.get_ip(request)} {name}", "failed_anywhere": name}


class SiteAccounts(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """Accounts are made by moderators, by who comes by an invitation, and by anybody where the settings say so."""

    proves = False

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Say whether somebody may sign up here: whoever comes with an invitation that is good now."""
        return settings.SIGN_UP == "open" or is_good(invitation_of(request))

    def clean_email(self, email: str) -> str:
        """Refuse an address that is longer than any that is stored; it would be cut into another one."""
        if len(email) > invitations.LONGEST_ADDRESS:
            raise ValidationError(f"A mail address has at most {invitations.LONGEST_ADDRESS} characters.")
        return email

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return under what failures are counted that come from one visitor's network."""
        return addresses.counted(super().get_client_ip(request))

    def is_safe_url(self, url: str) -> bool:
        """Say whether an address is of this site, as it was asked for; the library goes on to hosts it trusts, too."""
        request = context.request
        return url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a password as wrong for its account, as that is looked up; one that is right is rolled back."""
        name = str(credentials.get("username", "")).upper()
        keys = {"failed": f"{PROOF}{name}"} if self.proves else sign_in_keys(request, name)
        self._login_failed_rl_usage = count_as_failed(keys)

    def reauthenticate(self, user: User, password: str) -> bool:
        """Count apart who is signed in and proves it: no stranger locks them out by failing under their name."""
        self.proves = True
        return bool(super().reauthenticate(user, password))

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        """Return where somebody begins who asked for no page: the desk, or the debates for whoever has no desk."""
        return reverse("admin:index" if request.user.is_staff else "index")

    def get_signup_redirect_url(self, request: HttpRequest) -> str:
        """Return where somebody begins who made an account: as who signs in."""
        return self.get_login_redirect_url(request)

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """Return how somebody proves to be here still: by the factor alone where there is one.

        Who has neither a factor nor a password goes to their provider.
        """
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        by_provider = {"id": BY_PROVIDER, "url": reverse("account_reauthenticate"), "description": settings.OPENID_NAME}
        others = [method for method in methods if method["id"] != "reauthenticate"] or methods
        return others or ([by_provider] if settings.OPENID_NAME else [])

    def should_send_confirmation_mail(self, request: Any, email_address: EmailAddress, signup: Any) -> bool:
        """Note where the library sends no link to who signs up: it would be silent."""
        request.gets_no_link = signup and settings.MAIL_IS_SENT and not gets_link(request, email_address.email)
        return bool(super().should_send_confirmation_mail(request, email_address, signup))

    def post_login(self, request: HttpRequest, user: User, **about: Any) -> HttpResponse:
        """Note when a provider through which somebody comes says that they proved themselves there; whoever signs up
        and gets no link is led on by the page that says so.
        """
        if login := (about.get("signal_kwargs") or {}).get("sociallogin"):
            note_provider(request, login.account.extra_data.get("id_token", {}))
        response: HttpResponse = super().post_login(request, user, **about)
        if getattr(request, "gets_no_link", False):
            response = redirect(and_back(reverse("profile"), response.headers["Location"]))
        return response

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Lead to the site by its own name: whoever asks for the mail of another says which host they ask."""
        return absolute_urls.whole("account_reset_password_from_key", *key.split("-", 1))

    def get_email_confirmation_url(self, _request: HttpRequest, emailconfirmation: Any) -> str:
        return absolute_urls.whole("account_confirm_email", emailconfirmation.key)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Have a mail written behind the page: neither what it answers nor when says whether there was one to write."""
        if not settings.MAIL_IS_SENT:
            log.warning(Fields("mail not written", kind=template_prefix, problem="EMAIL_URL is not set"))
            return
        mail = self.render_mail(template_prefix, email, {"request": self.request, "email": email, **context})
        resets = template_prefix.endswith("password_reset_key")
        good_for = timedelta(seconds=settings.PASSWORD_RESET_TIMEOUT) if resets else CONFIRMATION_IS_GOOD_FOR
        behind_the_page(into_outbox, email, [mail.subject, mail.body, good_for.total_seconds()])

    def add_message(self, *_about: Any, **_more: Any) -> None:
        """Leave messages of the library unsaid: pages say themselves what was done."""

    def validation_error(self, code: str, *args: Any) -> Exception:
        """Return what a form refuses with; a lockout is an answer of its own, whichever form it was met in."""
        if code in LOCKOUTS:
            self.request.has_failed_too_often = True
            raise ImmediateHttpResponse(ratelimit.respond_429(self.request))
        error: Exception = super().validation_error(code, *args)
        return error


def into_outbox(address: str, words: list[Any]) -> None:
    """Have a mail handed over by a worker; its words are sealed until then, for they hold a link."""
    secret = json.dumps(words)
    outbox.due(kind=MailKind.ACCOUNT, about=uuid4(), now=timezone.now(), address=address, secret=secret)


def behind_the_page(work: Callable[..., None], *about: Any) -> None:
    """Do something in a thread of its own, which gives its connection to the database back.

    What is asked for there is done at once: when the server ends, a pool finishes its work and takes no more.
    """

    def do() -> None:
        this_thread.is_writer = True
        try:
            work(*about)
        except Exception as error:  # nobody waits for it: the operator alone is told
            log.exception(Fields("not done behind a page", problem=type(error).__name__))
        finally:
            connection.close()

    if getattr(this_thread, "is_writer", False):
        do()
    else:
        writers.submit(do)


class SealedFactors(DefaultMFAAdapter):  # type: ignore[misc]  # as above
    """Second factors, sealed in the database."""

    def encrypt(self, text: str) -> str:
        return sealing.seal(text, purpose=Purpose.SECOND_FACTOR)

    def decrypt(self, encrypted_text: str) -> str:
        """Return what was written; where no key of the site opens it, what no code fits; to nothing some would."""
        return sealing.opened(encrypted_text, purpose=Purpose.SECOND_FACTOR) or generate_totp_secret()


class ChangePassword(ChangePasswordForm):  # type: ignore[misc]  # as above
    """A new password after the present one, which counts as a failed proof where it is wrong."""

    def clean_oldpassword(self) -> str:
        """Have the present password checked where failures are counted."""
        password: str = self.cleaned_data["oldpassword"]
        adapter = SiteAccounts()
        if not adapter.reauthenticate(self.user, password):
            raise adapter.validation_error("enter_current_password")
        return password


SENT_LATELY = "No link was sent: several went to this address lately. Look for one there, or ask again in a while."


def may_confirm(request: HttpRequest, *, user: User | AnonymousUser, address: str) -> bool:
    """Count that somebody asks for a link to confirm an address, and say whether the library will send it one."""
    mine = ratelimit.consume(
        request, app="allauth.account", action="confirm_email_asked", key=f"{user.pk} {address.lower()}"
    )
    return mine is not None and gets_link(request, address)


def gets_link(request: HttpRequest, address: str) -> bool:
    """Say whether the library would send a link to an address now; not whether anybody has it."""
    return bool(consume_email_verification_rate_limit(request, address, dry_run=True))


@contextmanager
def while_open(user: User) -> Iterator[None]:
    """Write what is somebody's own in one transaction, in which nobody erases them.

    Raises: ``PermissionDenied`` where they are erased already.
    """
    with transaction.atomic():
        try:
            keep_open(account=user)
        except NotPermitted as refusal:
            raise PermissionDenied(refusal.message) from refusal
        yield


class ChangeAddress(AddEmailForm):  # type: ignore[misc]  # as above
    """Another mail address. The one that mail goes to, confirmed or not, stays until the other is confirmed."""

    def clean_email(self) -> str:
        """Refuse what no link would be sent to."""
        address: str = super().clean_email()
        if not may_confirm(context.request, user=self.user, address=address):
            raise ValidationError(SENT_LATELY)
        return address

    def save(self, request: HttpRequest) -> EmailAddress:
        """Put it in the place of another that was asked for, and send it a link."""
        address = self.cleaned_data["email"].lower()
        with while_open(self.user):
            rows = EmailAddress.objects.filter(user=self.user, verified=False)
            rows.exclude(email=self.user.email.lower()).delete()
            row: EmailAddress
            row, created = EmailAddress.objects.get_or_create(user=self.user, email=address)
        if created:
            send_verification_email_to_address(request, row)
        return row


class AddressView(EmailView):  # type: ignore[misc]  # as above
    """The mail address of an account, and the one that it waits for."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Say where a link is asked for again and none is sent: the library would be silent."""
        address = request.POST.get("email", "")
        if "action_send" in request.POST and not may_confirm(request, user=request.user, address=address):
            page = self.get_context_data(form=self.get_form_class()(user=request.user), not_sent=SENT_LATELY)
            answer: HttpResponse = self.render_to_response(page, status=HTTPStatus.TOO_MANY_REQUESTS)
        else:
            answer = super().post(request, *args, **kwargs)
        return answer


class NewPassword(ResetPasswordKeyForm):  # type: ignore[misc]  # as above
    """A new password by mail. Failures before it count no more for its account, but those at other networks."""

    def save(self) -> None:
        super().save()
        name = self.user.username.upper()
        keys = sign_in_keys(context.request, name)
        for action, key in (*keys.items(), ("failed", f"{PROOF}{name}")):
            ratelimit.clear(context.request, app="allauth.account", action=action, key=key)


def may_reset(user: User) -> bool:
    """Say whether mail alone gives somebody another password.

    Not who never had one, or lost it to a moderator; and not who owes a second factor and has none, for whoever reads
    their mail would set one up and have their rights.
    """
    owes_a_first = settings.STAFF_NEED_SECOND_FACTOR and selectors.has_rights(user=user) and not is_mfa_enabled(user)
    return user.is_active and user.has_usable_password() and not owes_a_first


class AskForReset(ResetPasswordForm):  # type: ignore[misc]  # as above
    """To which address a link goes. Whether anybody has it is not told, nor looked up by the page: that takes time."""

    def clean_email(self) -> str:
        return SiteAccounts().clean_email(self.cleaned_data["email"])

    def save(self, request: HttpRequest, **_about: Any) -> str:
        """Have everything done behind the page."""
        address: str = self.cleaned_data["email"]
        behind_the_page(send_reset_links, request, address)
        return address


def send_reset_links(request: HttpRequest, address: str) -> None:
    """Write to whoever has an address, and may get another password by mail.

    Who confirmed it has it, else to whom mail goes there: not who asked to change to it, for it may be a stranger's.
    """
    address = address.lower()
    confirmed = EmailAddress.objects.filter(email=address, verified=True, user__is_active=True)
    theirs = Q(emailaddress__in=confirmed) if confirmed.exists() else Q(written=address)
    users = User.objects.alias(written=Lower("email")).filter(theirs, is_active=True)
    with context.request_context(request):
        request_password_reset(
            request, address, [user for user in users if may_reset(user) and is_due(request, user)], None
        )


def is_due(request: HttpRequest, user: User) -> bool:
    """Count a link for a new password, and say whether it is sent: not while as many of the hour's are still good.

    A sign-in or another password ends those before it, so that nobody who causes one keeps another out.
    """
    state = f"{user.pk} {user.last_login} {user.password}"
    return bool(ratelimit.consume(request, app="allauth.account", action="reset_password_sent", key=state))


class ResetLink(UserTokenForm):  # type: ignore[misc]  # as above
    """A link for a new password, good while its account may have one."""

    def clean(self) -> dict[str, Any]:
        """Refuse whoever has got rights since the link was sent."""
        values: dict[str, Any] = super().clean()
        if self.reset_user is None or not may_reset(self.reset_user):
            raise get_adapter().validation_error("invalid_password_reset")
        return values


class CountedCode:
    """A code of a second factor, wrong ones of which count like passwords."""

    counted_as = ""
    user: User

    def clean_code(self) -> str:
        usage = count_as_failed({"failed": f"{self.counted_as}code:{self.user.pk}"})
        code: str = super().clean_code()  # type: ignore[misc]  # of the forms below
        usage.rollback()
        return code


class SignInCode(CountedCode, AuthenticateForm):  # type: ignore[misc]  # as above
    """The code that is asked for after the password."""


class ProofCode(CountedCode, ReauthenticateForm):  # type: ignore[misc]  # as above
    """The code of who is signed in: whoever knows their password alone keeps them from nothing by failing."""

    counted_as = PROOF


class FirstCode(CountedCode, ActivateTOTPForm):  # type: ignore[misc]  # as above
    """The code with which a factor is set up, and where to go on from there."""

    counted_as = PROOF
    next = CharField(required=False, widget=HiddenInput)


class SetUpFactor(ActivateTOTPView):  # type: ignore[misc]  # as above
    """Set up a code generator. The code that proves it counts as given: nobody is asked for the next one at once."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep the factor, and that it was given."""
        response: HttpResponse = super().form_valid(form)
        factor = Authenticator.objects.get(user=self.request.user, type=Authenticator.Type.TOTP)
        post_authentication(self.request, factor, reauthenticated=True)
        return response

    def get_initial(self) -> dict[str, Any]:
        return {**super().get_initial(), "next": get_next_redirect_url(self.request)}

    def get_success_url(self) -> str:
        """Lead to where somebody wanted to go, by the page with their recovery codes where those are new."""
        page, way = str(super().get_success_url()), get_next_redirect_url(self.request)
        if way:
            return and_back(page, way) if self.did_generate_recovery_codes else way
        return page


class RecoveryCodesView(ViewRecoveryCodesView):  # type: ignore[misc]  # as above
    """Recovery codes, and the way on for whoever was led here."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "on": get_next_redirect_url(self.request)}


class NewRecoveryCodes(GenerateRecoveryCodesView):  # type: ignore[misc]  # as above
    """Make new recovery codes, in the place of those by which somebody may have signed in and proved it."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Let what was proved by the old codes, and when, be proved by the new ones."""
        codes = Authenticator.objects.filter(user=self.request.user, type=Authenticator.Type.RECOVERY_CODES)
        old = codes.values_list("pk", flat=True).first()
        response: HttpResponse = super().form_valid(form)
        for record in get_authentication_records(self.request, self.request.user):
            if record["method"] == "mfa" and record.get("id") == old:
                record["id"] = codes.get().pk
                self.request.session.modified = True
        return response


def invitation_of(request: HttpRequest) -> str:
    """Return the invitation that somebody comes with, by where they go on afterwards; nothing where there is none."""
    return invitation_at(get_next_redirect_url(request) or "")


def invitation_at(way: str) -> str:
    """Return the invitation that an address of this site is the page of, or nothing."""
    try:
        match = resolve(urlsplit(way).path)
    except Resolver404:
        return ""
    return str(match.kwargs["invitation"]) if match.url_name in BY_LINK else ""


def is_good(text: str) -> bool:
    try:
        return bool(invitations.invited(text=text, now=timezone.now()))
    except DomainError:
        return False


class SignUp(SignupForm):  # type: ignore[misc]  # as above
    """A new account, for who comes by an invitation together with what that is to: both, or neither."""

    field_order = ("username", "email", "password1", "password2")

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account, and let it in.

        Raises: ``DomainError`` where the invitation is good no more; ``ValidationError`` for a name taken meanwhile.
        """
        try:
            with transaction.atomic():
                user, response = super().try_save(request)
                text = invitation_of(request)
                if user is not None and text:
                    invitations.let_in(text=text, by=user, now=timezone.now())
        except IntegrityError:
            get_adapter(request).clean_username(self.cleaned_data["username"])
            raise
        return user, response


class SignUpView(SignupView):  # type: ignore[misc]  # as above
    """Sign up, told by what invitation one comes."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Count what a network sends, except accounts made by an invitation: its places bound them.

        Who has to wait has their form back, without the password, and nothing of it was looked at.
        """
        self.counted = ratelimit.consume(request, app="allauth.account", action="signup_counted")
        if self.counted is None:
            typed = {name: request.POST.get(name, "") for name in ("username", "email")}
            page = self.get_context_data(form=self.get_form_class()(initial=typed), waits=True)
            headers, status = {"Retry-After": "60"}, HTTPStatus.TOO_MANY_REQUESTS  # its limit is by the minute
            response: HttpResponse = self.render_to_response(page, status=status, headers=headers)
        else:
            response = super().post(request, *args, **kwargs)
        return response

    def form_valid(self, form: SignUp) -> HttpResponse:
        """Say in the form where an invitation was used, or a name taken, by somebody else meanwhile."""
        try:
            response: HttpResponse = super().form_valid(form)
            if invitation_of(self.request):
                self.counted.rollback()
        except ValidationError as taken:
            form.add_error("username", taken)
            response = self.form_invalid(form)
        except DomainError as refusal:
            form.add_error(None, refusal.message)
            response = self.form_invalid(form)
        return response

    def get_initial(self) -> dict[str, Any]:
        """Fill the address in that an invitation names."""
        row = self.invitation()
        return {**super().get_initial(), **({"email": row.email} if row else {})}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "row": self.invitation(), "openid": settings.OPENID_NAME}

    def invitation(self) -> Invitation | None:
        try:
            return invitations.invited(text=invitation_of(self.request), now=timezone.now())
        except DomainError:
            return None


class SignInView(LoginView):  # type: ignore[misc]  # as above
    """Sign in, or sign up where one may."""

    def get_form(self, form_class: Any = None) -> Any:
        """Leave the way to a new password to the page, which leads there anyway."""
        form = super().get_form(form_class)
        form.fields["password"].help_text = ""
        return form

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Say whether there is anything to sign up by."""
        open_here = get_adapter(self.request).is_open_for_signup(self.request)
        return {**super().get_context_data(**kwargs), "may_sign_up": open_here, "openid": settings.OPENID_NAME}


def owes_second_factor(request: HttpRequest, user: User) -> bool:
    """Say whether somebody with rights is in a session that lacks the second factor which the settings require."""
    required: bool = settings.STAFF_NEED_SECOND_FACTOR
    return required and not has_second_factor(request, user) and selectors.has_rights(user=user)


def lacks_second_factor(request: HttpRequest) -> bool:
    return getattr(request.user, "owes_second_factor", False)


class Unproved(AnonymousUser):
    """Somebody in a session that owes the second factor: nobody, but for templates that lead to where it is given."""

    owes_second_factor = True


class NobodyWithoutSecondFactor:
    """Has a session that owes the second factor count for nobody's, but where one signs in, proves it, and signs out.

    There the account is itself, without a permission.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Have the user looked up when somebody wants to know."""
        request.looked_up = in_session  # type: ignore[attr-defined]  # for who asks anew, as an export does
        request.user = SimpleLazyObject(lambda: in_session(request))  # type: ignore[assignment]  # as Django does
        return self.answer(request)


def in_session(request: HttpRequest) -> User | AnonymousUser:
    """Return who is signed in. See ``NobodyWithoutSecondFactor``."""
    user = get_user(request)
    if not isinstance(user, User) or not owes_second_factor(request, user):
        return user
    if not request.path.startswith(reverse("account_login").removesuffix("login/")):
        return Unproved()
    user.has_perm = user.has_perms = user.has_module_perms = no  # type: ignore[method-assign]  # of this object alone
    user.owes_second_factor = True  # type: ignore[attr-defined]  # said, not stored
    return user


def no(*_asked: object, **_about: object) -> bool:
    return False


def second_factor_first(view: View) -> View:
    """Send whoever is signed in and owes the second factor to where it is given or first set up, and on from there."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if lacks_second_factor(request):
            page = "mfa_reauthenticate" if is_mfa_enabled(request.user) else "mfa_activate_totp"
            return redirect(and_back(reverse(page), get_next_redirect_url(request) or reverse("index")))
        return view(request, *args, **kwargs)

    return guarded
