"""Mail is handed over once, waits for a server that is down, and says what became of it."""

import json
from base64 import b64encode
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from config import mail as mail_settings
from debates.errors import NotAllowedNow
from debates.mail import outbox, recipients, texts
from debates.models import Mail
from debates.services import invitations
from debates.services import mail_delivery as services
from debates.types import MailKind, News
from tests import factories
from tests.mail.sink import Sink

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def person():
    return factories.person("konrad", email="konrad@example.org")


@pytest.fixture
def written(sink, person):
    """A mail that a debate is concluded, due to one person."""
    debate = factories.debate(status="concluded", created_by=person, title="Masks")
    now = timezone.now()
    outbox.due(kind=MailKind.CONCLUDED, about="1", people=[person.pk], debate_id=debate.pk, now=now)
    return Mail.objects.get()


def state():
    row = Mail.objects.get()
    return row.state, row.attempts, row.problem


def test_a_mail_is_handed_over_once_with_text_and_html(written, sink, send):
    send()
    send()

    [(to, message)] = sink.mails
    assert (to, message["To"], message["Subject"]) == ("konrad@example.org", "konrad@example.org", "Concluded: Masks")
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"] == f"<{written.public_id.hex}@moot.example.org>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = f"https://moot.example.org/debates/{written.debate.public_id}/result/"
    assert all(link in part.get_content() for part in message.iter_parts())
    assert state() == ("sent", 1, "")


def test_words_that_look_encoded_are_decoded_by_no_reader_of_the_subject(sink, send, person):
    title = "=?utf-8?q?Closed=0D=0A=E2=80=AEtxt?="
    debate = factories.debate(status="concluded", created_by=person, title=title)
    outbox.due(kind=MailKind.CONCLUDED, about="1", people=[person.pk], debate_id=debate.pk, now=timezone.now())

    send()

    [(_, message)] = sink.mails
    assert message["Subject"] == "Concluded: = ?utf-8?q?Closed=0D=0A=E2=80=AEtxt?="


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN", "CRAM-MD5"])
def test_a_password_of_any_letters_is_sent_as_utf_8(written, sink, send, settings, mechanism):
    sink.answers |= {"EHLO": f"250-sink\r\n250 AUTH {mechanism}", "AUTH": "235 ok"}
    for name, value in mail_settings.settings_of(f"smtp://m%C3%BCller:k%C3%A4se@127.0.0.1:{sink.port}").items():
        setattr(settings, name, value)

    send()

    assert state() == ("sent", 1, "")
    [login] = [command for command in sink.commands if command.startswith("AUTH")]
    plain, user = (b64encode(words.encode()).decode() for words in ("\0müller\0käse", "müller"))
    assert login == {"PLAIN": f"AUTH PLAIN {plain}", "LOGIN": f"AUTH LOGIN {user}"}.get(mechanism, f"AUTH {mechanism}")


def test_the_same_occasion_is_written_down_once(written, person):
    for _ in range(2):
        outbox.due(kind=MailKind.CONCLUDED, about="1", people=[person.pk, person.pk], now=timezone.now())

    assert Mail.objects.count() == 1


def test_a_server_that_is_down_delays_and_loses_nothing(written, sink, send):
    sink.close()
    for minutes in (0, 30, 60, 24 * 60, 30 * 24 * 60):
        send(timezone.now() + minutes * MINUTE)
    assert state() == ("due", 5, "ConnectionRefusedError: [Errno 111] Connection refused")

    again = Sink(port=sink.port)
    send(timezone.now() + 31 * 24 * 60 * MINUTE)

    assert [to for to, _ in again.mails] == ["konrad@example.org"]
    assert state()[0] == "sent"
    again.close()
    sink.server.socket.close()


def test_what_waits_is_neither_printed_nor_called_sent_by_a_worker_without_a_mail_server(
    written, sink, send, settings, capsys
):
    backend, settings.EMAIL_BACKEND, settings.MAIL_IS_SENT = settings.EMAIL_BACKEND, mail_settings.CONSOLE, False
    send()
    assert (capsys.readouterr().out, state()) == ("", ("due", 0, ""))

    settings.EMAIL_BACKEND, settings.MAIL_IS_SENT = backend, True
    send()

    assert ([to for to, _ in sink.mails], state()) == (["konrad@example.org"], ("sent", 1, ""))


def test_what_cannot_be_reached_is_tried_more_and_more_rarely(written, sink, send):
    sink.server.shutdown()
    sink.server.server_close()
    now = timezone.now()
    pauses = []
    for _ in range(9):
        send(now)
        due = Mail.objects.get().next_attempt_at
        pauses.append((due - now).total_seconds())
        now = due

    assert pauses == [5, 10, 20, 40, 80, 160, 320, 600, 600]


@pytest.mark.parametrize(
    ("word", "answer"),
    [("RCPT", "550 no such user <konrad@example.org>"), (".", "554 spam"), ("MAIL", "552 5.3.4 Too large")],
)
def test_what_is_refused_for_good_is_not_tried_again(word, answer, written, sink, send, caplog):
    sink.answers[word] = answer
    send()
    send(timezone.now() + 60 * MINUTE)

    assert state() == ("refused", 1, answer.replace("<konrad@example.org>", "…"))
    assert "mail refused" in caplog.text
    assert "konrad" not in caplog.text


def test_a_mail_that_is_refused_before_its_words_refuses_no_other(written, person, sink, send):
    for about in ("2", "3"):
        outbox.due(
            kind=MailKind.CONCLUDED, about=about, people=[person.pk], debate_id=written.debate_id, now=timezone.now()
        )
    sink.answers["DATA"] = "554 no words today"
    send()

    assert list(Mail.objects.values_list("state", "problem")) == [("refused", "554 no words today")] * 3
    assert sink.connections == 1


def test_what_a_server_says_is_written_down_as_it_can_be(written, sink, send):
    sink.answers["."] = "554 sp\0am\x1b[2J"
    send()

    assert state() == ("refused", 1, "554 spam[2J")


@pytest.mark.parametrize(
    ("word", "answer"),
    [
        ("MAIL", "530 5.7.0 Authentication required"),
        ("MAIL", "550 5.7.1 Sender rejected"),
        ("RCPT", "530 5.7.0 Authentication required"),
    ],
)
def test_a_server_that_refuses_the_site_puts_its_mail_off_and_takes_no_link_from_it(word, answer, written, sink, send):
    invitations.issue(offer=invitations.Offer(email="guest@example.org"), by=None, now=timezone.now())
    sink.answers[word] = answer
    send()
    assert list(Mail.objects.values_list("state", "attempts", "problem")) == [("due", 1, answer)] * 2

    del sink.answers[word]
    send(timezone.now() + MINUTE)

    assert sorted(to for to, _ in sink.mails) == ["guest@example.org", "konrad@example.org"]


def test_a_site_that_is_refused_for_five_days_has_its_mail_refused(written, sink, send):
    sink.answers["MAIL"] = "550 5.7.1 Sender rejected"
    send(timezone.now() + timedelta(days=6))

    assert state() == ("refused", 1, "550 5.7.1 Sender rejected")


@pytest.mark.parametrize("word", ["MAIL", "RCPT", "DATA", "."])
def test_what_is_put_off_is_sent_later(word, written, sink, send):
    sink.answers[word] = "451 try again later"
    send()
    assert state() == ("due", 1, "451 try again later")

    del sink.answers[word]
    send(timezone.now() + MINUTE)

    assert len(sink.mails) == 1
    assert state()[:2] == ("sent", 2)


@pytest.mark.parametrize("word", ["MAIL", "RCPT", "DATA", "."])
@pytest.mark.parametrize(("answer", "tried"), [("450 try again later", 2), ("421 closing", 1), (Sink.HANGS_UP, 1)])
def test_a_mail_that_is_put_off_ends_the_look_where_the_line_is_lost_and_nowhere_else(
    written, person, sink, send, word, answer, tried
):
    about = {"people": [person.pk], "debate_id": written.debate_id}
    outbox.due(kind=MailKind.CONCLUDED, about="2", now=timezone.now(), **about)
    sink.answers[word] = answer
    send()

    assert sorted(Mail.objects.values_list("attempts", flat=True)) == [tried - 1, 1]
    assert sink.connections == 1


def test_what_is_put_off_for_five_days_is_refused(written, sink, send):
    sink.answers["RCPT"] = "451 not today"
    send(timezone.now() + timedelta(days=6))

    assert state() == ("refused", 1, "451 not today")


def test_a_mail_that_is_due_later_or_sent_again_is_tried_for_as_long_as_any(written, sink, send):
    week_on = timezone.now() + timedelta(days=7)
    Mail.objects.update(due_at=week_on, next_attempt_at=week_on)
    sink.answers["RCPT"] = "451 not today"
    send(week_on)
    assert state() == ("due", 1, "451 not today")
    send(week_on + timedelta(days=6))
    assert state()[0] == "refused"

    later = week_on + timedelta(days=8)
    services.send_again(mail_id=written.pk, by=factories.moderator(), now=later)
    send(later)

    assert state() == ("due", 1, "451 not today")


def test_what_cannot_be_written_is_refused_after_five_days_and_may_be_sent_again(written, sink, send, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setitem(texts.BY_KIND, MailKind.CONCLUDED, lambda _mail, _now: 1 / 0)
        send()
        assert state()[0] == "due"
        send(timezone.now() + timedelta(days=6))
    assert state()[0] == "refused"
    assert state()[2] == "It could not be written; the log says why. ZeroDivisionError"

    services.send_again(mail_id=written.pk, by=factories.moderator(), now=timezone.now())
    send()

    assert state()[0] == "sent"


@pytest.mark.parametrize(("word", "becomes"), [("MAIL", "due"), ("RCPT", "due"), ("DATA", "due"), (".", "uncertain")])
def test_a_line_that_is_lost_leaves_in_doubt_only_what_had_begun(word, becomes, written, sink, send):
    sink.answers[word] = Sink.HANGS_UP
    send()
    del sink.answers[word]
    send(timezone.now() + 60 * MINUTE)

    assert state()[0] == {"due": "sent", "uncertain": "uncertain"}[becomes]
    assert len(sink.mails) == (becomes == "due")


def test_a_mail_whose_worker_died_is_uncertain_and_not_sent_again_by_itself(written, sink, send, caplog):
    assert services.claim(mail_id=written.pk, now=timezone.now()) is not None
    send(timezone.now() + 10 * MINUTE)
    send(timezone.now() + 20 * MINUTE)

    assert (state()[0], sink.mails) == ("uncertain", [])
    assert f"mail uncertain mail='{written.public_id}'" in caplog.text


def test_whoever_may_sends_an_uncertain_mail_again(written, sink, send):
    services.claim(mail_id=written.pk, now=timezone.now())
    send(timezone.now() + 10 * MINUTE)
    moderator = factories.moderator()

    services.send_again(mail_id=written.pk, by=moderator, now=timezone.now())
    send()

    assert (state()[0], len(sink.mails)) == ("sent", 1)
    with pytest.raises(NotAllowedNow, match="this one is sent"):
        services.send_again(mail_id=written.pk, by=moderator, now=timezone.now())


def test_one_mail_that_cannot_be_written_hinders_no_other(written, person, sink, send, monkeypatch):
    debate = factories.debate(status="concluded", created_by=person, title="Wells")
    outbox.due(kind=MailKind.CONCLUDED, about="2", people=[person.pk], debate_id=debate.pk, now=timezone.now())
    usual = services.messages.message

    def message(mail, *, now):
        if mail.pk == written.pk:
            raise ZeroDivisionError
        return usual(mail, now=now)

    monkeypatch.setattr(services.messages, "message", message)
    send()

    assert [message["Subject"] for _, message in sink.mails] == ["Concluded: Wells"]
    assert (Mail.objects.get(pk=written.pk).state, Mail.objects.get(pk=written.pk).attempts) == ("due", 1)


@pytest.mark.parametrize("given", [True, False])
def test_a_mail_whose_words_do_not_open_waits_until_they_do_or_five_days_are_over(sink, send, settings, given):
    secret = json.dumps(["A new password", "Follow the link.", 3600])
    outbox.due(kind=MailKind.ACCOUNT, about="1", now=timezone.now(), address="konrad@example.org", secret=secret)
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another"
    send()
    put_off = state()
    settings.SECRET_KEY = former if given else "another"
    send(timezone.now() + (MINUTE if given else timedelta(days=5)))

    assert put_off == ("due", 1, "Its words cannot be opened.")
    assert state() == (("sent", 2, "") if given else ("withdrawn", 1, "Its words cannot be opened."))
    assert len(sink.mails) == given


@pytest.mark.parametrize("change", [{"email": ""}, {"email": "nonsense"}, {"is_active": False}])
def test_who_cannot_be_written_to_is_not(change, written, person, sink, send):
    for name, value in change.items():
        setattr(person, name, value)
    person.save()
    send()

    assert (state()[0], sink.mails) == ("withdrawn", [])


def test_a_debate_that_may_not_be_read_any_more_is_not_written_about(written, sink, send):
    debate = written.debate
    debate.created_by, debate.visibility = None, "private"
    with (
        connection.cursor() as cursor
    ):  # who created it is kept; somebody else's debate would have no mail to begin with
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; ALTER TABLE debates_debate DISABLE TRIGGER USER")
        debate.save()
        cursor.execute("ALTER TABLE debates_debate ENABLE TRIGGER USER")
    send()

    assert (state()[0], sink.mails) == ("withdrawn", [])


def test_where_no_mail_is_sent_none_is_written(settings, person):
    settings.MAIL_IS_SENT = False

    outbox.due(kind=MailKind.CONCLUDED, about="1", people=[person.pk], now=timezone.now())

    assert Mail.objects.count() == 0


def test_no_title_breaks_out_of_its_line_or_into_html(person, sink, send):
    title = "Masks\r\nBcc: everybody@example.org\r\n\r\n<script>alert(1)</script>\u202e & more"
    debate = factories.debate(status="concluded", created_by=person, title=title)
    outbox.due(kind=MailKind.CONCLUDED, about="1", people=[person.pk], debate_id=debate.pk, now=timezone.now())
    send()

    [(to, message)] = sink.mails
    assert to == "konrad@example.org"
    assert message["Bcc"] is None
    assert message["Subject"] == "Concluded: Masks Bcc: everybody@example.org <script>alert(1)</script> & more"
    text, html = (part.get_content() for part in message.iter_parts())
    assert "Debate: Masks Bcc: everybody@example.org <script>alert(1)</script> & more" in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in html
    assert "<script>" not in html


def test_what_is_due_is_so_at_once_though_the_clock_of_who_wrote_it_is_ahead(sink, send, person):
    debate = factories.debate(status="concluded", created_by=person)
    ahead = timezone.now() + timedelta(days=300)
    for kind in ("debate:concluded", "result:changed"):
        recipients.write_mail(debate_id=debate.pk, news=[News(kind, {})], now=ahead)

    sink.answers["RCPT"] = "550 no such user"
    send(timezone.now() + MINUTE)
    assert list(Mail.objects.order_by("pk").values_list("kind", "state")) == [
        ("concluded", "refused"),
        ("changed", "due"),
    ]

    del sink.answers["RCPT"]
    concluded = Mail.objects.get(kind="concluded")
    services.send_again(mail_id=concluded.pk, by=factories.moderator(), now=ahead)
    send(timezone.now() + MINUTE)
    assert len(sink.mails) == 1

    send(timezone.now() + 3 * MINUTE)
    assert len(sink.mails) == 2
