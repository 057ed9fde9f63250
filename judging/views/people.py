"""People and what they may do: invitations, made and accepted; the roles and seats of a debate on one page."""

from datetime import timedelta
from functools import partial
from http import HTTPStatus
from secrets import token_urlsafe
from typing import Any, cast
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.models import Group, User
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from debates import selectors
from debates.errors import ConflictOfInterest, DomainError, Invalid, NotAllowedNow, NotFound, NotPermitted
from debates.form_fields import LinesField
from debates.idempotent_forms import ONCE, done_once, once_field
from debates.models import Debate, Invitation, Membership, Participant
from debates.models.people import MOST_PLACES
from debates.reauthentication import ask_for_proof, proved_lately
from debates.rules import OVER
from debates.services import invitations, rights
from debates.services.invitations import Offer
from debates.types import LONGEST_REASON, Conduct, Kind, MemberRole, Role, Status
from debates.unsaved_text import ReturnsUnsavedText, return_unsaved_text, returns_unsaved_text, typed_in
from judging.engine import ballots
from judging.formats.forms import FormPage
from judging.formats.registry import format_of
from judging.pages import participants
from judging.views.debate import known, visible_debate
from judging.views.seat import at_seat

ROLES = {
    MemberRole.GUEST: "Guest: may read this debate",
    MemberRole.PARTICIPANT: "Participant: reads what is for those who take part",
    MemberRole.JUDGE: "Judge without a seat: reads what is for those who take part, and gives no ballot",
    MemberRole.ORGANISER: "Organiser: conducts this debate, and invites others",
}
SEAT = "seat:"
LINK = "invitation_link"
"""Where a session keeps the link to a new invitation until it was shown."""
SENT_BEFORE = "This form was sent before, and its invitation is in the list below. Send it again to make another."
PER_PAGE = 50


class InvitationForm(forms.Form):
    """Whom one lets in, and for how long."""

    email = forms.EmailField(
        required=False,
        max_length=invitations.LONGEST_ADDRESS,
        label="Mail address",
        help_text="Whom it is for: a mail goes there, where this site sends any. Leave it empty for a link to pass on.",
    )
    places = forms.IntegerField(
        min_value=1,
        max_value=MOST_PLACES,
        initial=1,
        label="For how many people",
        help_text="A mail address is one person's.",
    )
    days = forms.IntegerField(
        min_value=1,
        max_value=invitations.LONGEST.days,
        initial=invitations.GOOD_FOR.days,
        label="Good for how many days",
    )
    once = once_field()

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("email") and values.get("places", 1) > 1:
            self.add_error("places", "An invitation to a mail address is for one person.")
        return values

    def offer(self, **to: Any) -> Offer:
        values = self.cleaned_data
        return Offer(email=values["email"], places=values["places"], good_for=timedelta(days=values["days"]), **to)


def seats_of(debate: Debate) -> QuerySet[Participant]:
    """Return where people and programs sit, or may; a debate that is conducted elsewhere has no free seat."""
    seats = debate.participants.exclude(kind=Kind.ENGINE.value).select_related("user", "replacement__because")
    return seats.exclude(user=None) if debate.conducted_by == Conduct.EXTERNAL.value else seats


class RoleForm(InvitationForm):
    """What somebody is to be in a debate: a role, or who sits on a seat that is free."""

    field_order = ("role",)

    def __init__(self, *args: Any, debate: Debate, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.debate = debate
        does = {Role.JUDGE.value: "Judge"}
        free = seats_of(debate).filter(user=None)
        in_vain = invitations.in_vain(free)
        seats = {
            f"{SEAT}{row.public_id}": f"{does.get(row.role, 'Speaker')}: takes the seat of {row.name}"
            for row in free
            if row.pk not in in_vain
        }
        choices = [*((role.value, words) for role, words in ROLES.items()), *seats.items()]
        gone = "This is not free any more. Choose what is offered here."
        self.fields["role"] = forms.ChoiceField(
            choices=choices, label="As what", error_messages={"invalid_choice": gone}
        )
        self.order_fields(self.field_order)

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        if values.get("role", "").startswith(SEAT) and values.get("places", 1) > 1:
            self.add_error("places", "On a seat sits one person.")
        return values

    def offered(self) -> Offer:
        role = self.cleaned_data["role"]
        if role.startswith(SEAT):
            seat = Participant.objects.get(debate=self.debate, public_id=role.removeprefix(SEAT))
            return self.offer(debate=self.debate, seat=seat)
        return self.offer(debate=self.debate, role=MemberRole(role))


class SiteForm(InvitationForm):
    """Who gets an account; from a superuser perhaps with a group of the site."""

    group = forms.ModelChoiceField(
        Group.objects.order_by("name"),
        required=False,
        empty_label="None: an account without rights of its own",
        help_text="It gives rights. Whoever comes by the invitation has them at once.",
    )

    def __init__(self, *args: Any, gives_rights: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not gives_rights:
            del self.fields["group"]

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        if values.get("group") and values.get("places", 1) > 1:
            self.add_error("places", "An invitation to a group is for one person.")
        return values

    def offered(self) -> Offer:
        return self.offer(group=self.cleaned_data.get("group"))


@returns_unsaved_text(RoleForm)
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HttpRequest, address: UUID) -> HttpResponse:
    """Show everybody who has a part in a debate, and let whoever conducts it invite others."""
    assert isinstance(request.user, User)  # noqa: S101 -- whoever is signed in
    debate = visible_debate(request, known(request), address)
    require(rights.may_conduct, debate=debate, by=request.user)
    form = RoleForm(request.POST or None, debate=debate)
    if request.method == "POST" and invites(request, form):
        return redirect("people", debate.public_id)
    roles, seats = debate.memberships.select_related("user", "created_by"), seats_of(debate)
    in_vain, barred = invitations.in_vain(seats), barred_in(debate)
    values = {
        "debate": debate,
        "form": form,
        "standing": roles.filter(revoked_at=None).order_by("role", "user__username"),
        "former": roles.exclude(revoked_at=None),
        "seats": [(seat, in_vain.get(seat.pk), barred.get(seat.pk)) for seat in seats],
        "replaces": format_of(debate.format).replaces_judges and Status(debate.status) not in OVER,
        "kept_out": rights.refused(by=request.user, debates=[debate.pk]).get(debate.pk),
        "invitations": page_of(Invitation.objects.filter(debate=debate), request),
    }
    return render_form(request, "people/debate.html", values, form)


def barred_in(debate: Debate) -> dict[int, str]:
    """Return why judges of a debate may not judge, by their seats, and what can be done while something can be."""
    in_time = set(selectors.barred_in_time(debates=[debate.pk]).values_list("pk", flat=True))
    todo = f" {rights.way_out(format_=debate.format)}"
    barred = selectors.barred_judges(debates=[debate.pk]).values_list("pk", "kept")
    return {pk: f"{rights.BARRED[kept]}.{todo if pk in in_time else ''}" for pk, kept in barred}


REPLACES = (
    "For a judge who has to go, such as one whose conflict of interest turns up, before anybody has reported. A ballot "
    "that they gave is struck: it stays, and does not count. Their place is free again, and you invite somebody to it; "
    "everybody who is awaited has the whole time anew. Who was replaced, and why, is public."
)


class ReplaceForm(forms.Form):
    reason = LinesField(
        label="Why",
        min_length=10,
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="At least 10 characters, which everybody can read.",
    )


class ReplacementPage(ReturnsUnsavedText, LoginRequiredMixin, FormPage[ReplaceForm]):
    """Replace a judge: for whoever conducts the debate, and whoever may strike what judges gave."""

    template_name, form_class = "debates/lifecycle.html", ReplaceForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let in whoever may, to the seat of a judge."""
        if request.user.is_authenticated:
            self.debate = visible_debate(request, known(request), kwargs["address"])
            require(rights.may_moderate, debates=[self.debate.pk], by=request.user)
            if not rights.conducts(by=request.user, debate=self.debate):
                require(rights.permitted, permission=ballots.STRIKES, by=request.user)
            judges = Participant.objects.exclude(kind=Kind.ENGINE.value).filter(role=Role.JUDGE.value)
            self.judge = get_object_or_404(judges, debate=self.debate, public_id=kwargs["seat"])
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        title = f"Replace {self.judge.name}"
        action = {"title": title, "says": REPLACES, "button": title}
        closed = ballots.irreplaceable(judge=self.judge, debate=self.debate)
        return super().get_context_data(**{"debate": self.debate, "action": action, "closed": closed, **kwargs})

    def form_valid(self, form: ReplaceForm) -> HttpResponse:
        """Do it, and go on where somebody else is invited; what is refused is said next to the button."""
        try:
            ballots.replace_judge(
                participant_id=self.judge.pk, by=self.request.user, now=timezone.now(), **form.cleaned_data
            )
        except DomainError as refusal:
            page = self.get_context_data(form=form, refused=refusal.message)
            status = HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(refusal, Invalid) else HTTPStatus.CONFLICT
            return self.render_to_response(page, status=status)
        conducts = rights.conducts(by=self.request.user, debate=self.debate)
        return redirect("people" if conducts else "debate", self.debate.public_id)


@returns_unsaved_text(SiteForm)
@require_http_methods(["GET", "HEAD", "POST"])
def site(request: HttpRequest) -> HttpResponse:
    """Show whom one invited to the site, and who came; superusers see all, after their own proof."""
    assert isinstance(request.user, User)  # noqa: S101 -- as above
    require(rights.permitted, permission=invitations.INVITES, by=request.user)
    gives_rights = invitations.gives_rights(request.user)
    if gives_rights and not proved_lately(request):
        proof = ask_for_proof(request)
        return return_unsaved_text(request, prove=proof.headers["Location"]) if typed_in(request) else proof
    form = SiteForm(request.POST or None, gives_rights=gives_rights)
    if request.method == "POST" and invites(request, form):
        return redirect("invitations")
    rows = Invitation.objects.filter(debate=None)
    values = {
        "form": form,
        "invitations": page_of(rows if gives_rights else rows.filter(created_by=request.user), request),
    }
    return render_form(request, "people/site.html", values, form)


def invites(request: HttpRequest, form: RoleForm | SiteForm) -> bool:
    """Make the invitation that was asked for, and keep its link to be shown once; or say in the form why not."""
    if not form.is_valid():
        return False
    by, now = cast("User", request.user), timezone.now()
    try:
        invite = partial(invitations.invite.once, offer=form.offered(), by=by, now=now)
        _, just_now = done_once(request, invite, answer=partial(keep_link, request))
    except DomainError as refusal:
        form.add_error(None, refusal.message)
        return False
    if not just_now and LINK not in request.session.load():
        form.add_error(None, SENT_BEFORE)
        sent = request.POST.copy()
        sent[ONCE] = token_urlsafe()
        form.data = sent
        return False
    return True


def keep_link(request: HttpRequest, made: tuple[Invitation, str]) -> str:
    """Keep the link to an invitation in the session at once, for a double click cuts off the request that would."""
    row, text = made
    link = request.build_absolute_uri(invitations.path_of(row, text))
    sent_to = row.email if settings.MAIL_IS_SENT and not settings.MAIL_GOES_NOWHERE else ""
    request.session[LINK] = {"address": link, "sent_to": sent_to, "places": row.places}
    try:
        request.session.save()
    except UpdateError as error:  # whoever invites has signed out meanwhile, in another tab
        raise SessionInterrupted("The session of whoever invites has ended meanwhile.") from error
    return str(row.public_id)


def render_form(request: HttpRequest, template: str, values: dict[str, Any], form: forms.Form) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    link = request.session.pop(LINK, None) if request.method == "GET" else None
    return render(request, template, {**values, "link": link, "now": timezone.now()}, status=status)


def page_of(rows: QuerySet[Invitation], request: HttpRequest) -> Any:
    """Return a page of invitations, newest first, with who came, and whether they are to a seat where nobody speaks any
    more, or of somebody who may not invite any more.
    """
    related = ("debate", "seat__debate", "group", "created_by")
    rows = rows.select_related(*related).prefetch_related("acceptances__user")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    in_vain = invitations.in_vain([row.seat for row in page if row.seat])
    still_inviting: dict[tuple[int | None, int | None], bool] = {}
    row: Any
    for row in page:
        to = (row.created_by_id, row.group_id)  # all of a page are to one debate, or to the site
        if to not in still_inviting:
            still_inviting[to] = invitations.maker_may_invite(row)
        row.maker_gone = not still_inviting[to]
        row.in_vain = in_vain.get(row.seat_id)
    return page


def require(check: Any, **about: Any) -> None:
    """Ask whether somebody may see a page; who may not is told so."""
    try:
        check(**about)
    except ConflictOfInterest as refusal:
        raise PermissionDenied(refusal.message) from refusal
    except NotPermitted as refusal:
        raise PermissionDenied from refusal


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: HttpRequest, number: UUID) -> HttpResponse:
    row = Invitation.objects.select_related("debate").filter(public_id=number).first()
    if row and not invitations.may_revoke(invitation=row, by=cast("User", request.user)):
        row = None
    back = reverse("people", args=[row.debate.public_id]) if row and row.debate else reverse("invitations")
    return act_and_return(partial(invitations.revoke, invitation_id=row.pk if row else 0), request, back)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def end_role(request: HttpRequest, address: UUID, number: UUID) -> HttpResponse:
    """End a role: another's as who conducts the debate, or one's own."""
    row = Membership.objects.filter(debate__public_id=address, public_id=number).first()
    is_own = row is not None and row.user_id == request.user.pk
    back = reverse("my-debates") if is_own else reverse("people", args=[address])
    return act_and_return(partial(invitations.take_role, membership_id=row.pk if row else 0), request, back)


def act_and_return(act: Any, request: HttpRequest, back: str) -> HttpResponse:
    """Do something and go back; what is done already is no refusal to somebody who asks for it twice.

    Whoever had to sign in again first comes by GET: nothing is done, and they are back at the button.
    """
    if request.method != "POST":
        return HttpResponseRedirect(back)
    try:
        act(by=request.user, now=timezone.now())
    except NotFound as refusal:
        raise Http404(refusal.message) from refusal
    except NotAllowedNow:
        pass
    return HttpResponseRedirect(back)


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, invitation: str) -> HttpResponse:
    """Say what an invitation is to, and let in whoever accepts it; without an account one signs up first."""
    person = request.user if isinstance(request.user, User) else None
    try:
        row = invitations.invited(text=invitation, now=timezone.now(), by=person)
        another = person is not None and meant_for_another(row, person)
        agreed = not another or "as_me" in request.POST
        came = invitations.came(invitation=row, by=person)
        if person is not None and not came:
            invitations.may_come(invitation=row, by=person)
            if request.method == "POST" and agreed:
                row, came = invitations.accept(text=invitation, by=person, now=timezone.now()), True
    except DomainError as refusal:
        is_good = isinstance(refusal, ConflictOfInterest)
        values = {"why": refusal.message, "is_good": is_good}
        status = HTTPStatus.FORBIDDEN if is_good else HTTPStatus.GONE
        return render(request, "people/no_invitation.html", values, status=status)
    if came and person is not None:
        return HttpResponseRedirect(where_it_leads(row, person))
    if person is None and request.method == "POST":
        return redirect_to_login(request.path)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if request.method == "POST" else HTTPStatus.OK
    offer: dict[str, Any] = dict(participants.offer(seat=row.seat, now=timezone.now())) if row.seat else {}
    if row.debate:
        offer["ballot"] = format_of(row.debate.format).ballot_kind
    offered = {"row": row, "seat": row.seat, "debate": row.debate, "another": another, **offer}
    return render(request, "people/invitation.html", offered, status=status)


def meant_for_another(row: Invitation, person: User) -> bool:
    """Say whether an invitation names a mail address that is none of this person's."""
    confirmed = person.emailaddress_set.filter(verified=True)  # type: ignore[attr-defined]  # allauth's
    own = {person.email.lower(), *confirmed.values_list("email", flat=True)}
    return row.email != "" and row.email.lower() not in own


def where_it_leads(row: Invitation, person: User) -> str:
    """Return where somebody goes on who came by an invitation: to its seat or debate while they may read that."""
    readable = row.debate and selectors.visible_debates(visitor=person).filter(pk=row.debate.pk).exists()
    if row.debate is None or not readable:
        return reverse("my-debates")
    return at_seat(debate=row.debate, seat=row.seat) if row.seat else reverse("debate", args=[row.debate.public_id])
