"""Settings: read from the environment, safe on a laptop, refusing an insecure production."""

import fcntl
import logging
import os
import secrets
import sys
from collections.abc import Sequence
from decimal import Decimal
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
from django.core.exceptions import ImproperlyConfigured
from django.http.request import split_domain_port
from environs import Env, validate

from config import database_settings, embedded, llm, mail, openapi
from config.embedded import cluster, os_user

django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
env = Env()
ENV_FILE = os.environ.get("MOOT_ENV_FILE", "")
ENV_NAMED = f"MOOT_ENV_FILE names {ENV_FILE}, which" if ENV_FILE else f"{BASE_DIR / '.env'}"
if ENV_FILE and (Path(ENV_FILE).is_dir() or not os.access(ENV_FILE, os.R_OK)):
    raise ImproperlyConfigured(f"{ENV_NAMED} is no file that can be read.")
try:
    env.read_env(ENV_FILE or BASE_DIR / ".env", recurse=False)
except (OSError, ValueError) as unreadable:  # a directory, no permission, other bytes than text
    raise ImproperlyConfigured(f"{ENV_NAMED} is no file of text that can be read: {unreadable}.") from unreadable
if ENV_FILE and Path(ENV_FILE).is_file():
    os.environ["MOOT_ENV_FILE"] = str(Path(ENV_FILE).absolute())  # programs that are started from here begin elsewhere
elif ENV_FILE:  # what can be read once, such as a pipe, they have from here
    os.environ |= {**env._environ, **os.environ, "MOOT_ENV_FILE": os.devnull}  # noqa: SLF001 -- it says it nowhere else

ENVIRONMENT = env.str("MOOT_ENVIRONMENT", "laptop", validate=validate.OneOf(["laptop", "production"]))
IN_PRODUCTION = ENVIRONMENT == "production"
DEBUG = env.bool("MOOT_DEBUG", default=False)
DATA_DIR = embedded.location(base=BASE_DIR, chosen=env.str("MOOT_DATA_DIR", ""))


def laptop_secret() -> str:
    """Return the secret key of this laptop, written once beside its data and readable by nobody else."""
    try:
        return kept_secret(DATA_DIR / "secret_key")
    except OSError as error:
        place = next(path for path in (DATA_DIR, *DATA_DIR.parents) if os.access(path, os.F_OK))
        raise ImproperlyConfigured(
            f"{error.filename or DATA_DIR} cannot be read or made: {error.strerror}. {place} belongs to"
            f" {os_user.name_of(place.stat().st_uid)}; run as that user, or set MOOT_DATA_DIR to another directory."
        ) from error


def kept_secret(file: Path) -> str:
    if file.exists() and (secret := file.read_text()):
        return secret
    cluster.make_directory(file.parent, enterable=os.geteuid() == 0)
    with cluster.private(file) as kept:  # also where one was ended, or the disk was full, before anything was written
        cluster.locked(kept, fcntl.LOCK_EX)
        secret = kept.read().decode() or secrets.token_urlsafe(50)
        kept.seek(0)
        kept.write(secret.encode())
        kept.flush()
        os.fsync(kept.fileno())
    return secret


def is_site(address: str) -> bool:
    """Say whether an address is that of a whole site, such as https://moot.example.org."""
    try:
        parts = urlsplit(address)
        reachable = bool(parts.hostname) and parts.port != 0 and not parts.netloc.endswith(":")
    except ValueError:  # a bracket of IPv6 that is not closed, or a port that is no number
        return False
    plain = reachable and "@" not in address and len(address.split()) == 1
    return plain and parts.scheme in {"http", "https"} and address == f"{parts.scheme}://{parts.netloc}"


def listed(name: str, default: Sequence[str] = ()) -> list[str]:
    return [item.strip() for item in env.list(name, list(default)) if item.strip()]


def required(name: str) -> str:
    value = env.str(name, "")
    if not value:
        raise ImproperlyConfigured(f"Production needs {name}; set it in the environment.")
    return value


SECRET_KEY = required("SECRET_KEY") if IN_PRODUCTION else env.str("SECRET_KEY", "") or laptop_secret()
SECRET_KEY_FALLBACKS = listed("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = listed("ALLOWED_HOSTS", [] if IN_PRODUCTION else ["localhost", "127.0.0.1", "[::1]"])
if strange := [host for host in ALLOWED_HOSTS if host != "*" and split_domain_port(host) != (host.lower(), "")]:
    raise ImproperlyConfigured(
        f"ALLOWED_HOSTS are names alone, such as moot.example.org, separated by commas; got {strange[0]}."
    )
CSRF_TRUSTED_ORIGINS = [origin.rstrip("/") for origin in listed("CSRF_TRUSTED_ORIGINS")]
if strange := [origin for origin in CSRF_TRUSTED_ORIGINS if not is_site(origin)]:
    raise ImproperlyConfigured(f"CSRF_TRUSTED_ORIGINS names sites such as https://moot.example.org; got {strange[0]}.")
if IN_PRODUCTION and (DEBUG or not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS or len(SECRET_KEY) < 50):
    raise ImproperlyConfigured(
        "Production refuses MOOT_DEBUG, an empty ALLOWED_HOSTS or '*' in it, and a SECRET_KEY under 50 characters."
    )

INSTALLED_APPS = [
    *(["daphne"] if "runserver" in sys.argv else []),  # it loads Twisted, which other commands would wait for in vain
    "config.apps.ModerationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "procrastinate.contrib.django",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "config",
    "debates",
    "scoring",
    "judging",
]

MIDDLEWARE = [
    "config.middleware.Named",
    "config.middleware.limit_concurrency",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.security.Compressed",
    "config.security.ContentSecurityPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.accounts.NobodyWithoutSecondFactor",
    "config.middleware.in_own_zone",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

FORM_RENDERER = "django.forms.renderers.TemplatesSetting"  # templates/django/forms/ says how every field looks

# Two roles: the owner migrates, the app role serves. manage.py chooses.
APP_ROLE = env.str("MOOT_APP_ROLE", "moot_app")
OWNER_ROLE = "moot_owner"
DATABASE_URL, MIGRATION_DATABASE_URL = env.str("DATABASE_URL", ""), env.str("MIGRATION_DATABASE_URL", "")
if IN_PRODUCTION and not DATABASE_URL:
    raise ImproperlyConfigured("Production needs DATABASE_URL; the embedded server is for laptops.")
owners_place = (
    database_settings.named(MIGRATION_DATABASE_URL, setting="MIGRATION_DATABASE_URL")
    if MIGRATION_DATABASE_URL
    else None
)
if not DATABASE_URL and APP_ROLE != "moot_app":
    raise ImproperlyConfigured(f"MOOT_APP_ROLE needs DATABASE_URL: the embedded server has no use for {APP_ROLE}.")
EMBEDDED_ROOT = None if DATABASE_URL else DATA_DIR / "postgres"
# No session waits for a lock, or holds one and does nothing, for ever; the owner's may, for migrations take their time.
MOST_OF_POSTGRESQL = validate.Range(min=0.1, max=2_147_483)  # it counts milliseconds in 32 bits
LIMITS = database_settings.limited(
    lock_seconds=env.float("MOOT_LOCK_SECONDS", 10.0, validate=MOST_OF_POSTGRESQL),
    idle_seconds=env.float("MOOT_IDLE_IN_TRANSACTION_SECONDS", 60.0, validate=MOST_OF_POSTGRESQL),
)
SERVES_PAGES = "config.asgi" in sys.modules
POOL = env.int("MOOT_DATABASE_POOL", 10, validate=validate.Range(min=0, max=100))
# Threads of a worker keep their connections, so that a pool would leave others none.
POOLED = POOL if SERVES_PAGES else 0


def database(role: str) -> dict[str, Any]:
    """Return the connection of one role, ``app`` or ``owner``, to the database this environment names.

    Raises: ``ImproperlyConfigured`` if a URL cannot be read, or names another kind of database than PostgreSQL.
    """
    limits = LIMITS if role == "app" else ""
    if EMBEDDED_ROOT is None:
        place = (owners_place if role == "owner" else None) or database_settings.named(DATABASE_URL)
        return database_settings.held(place, pooled=POOLED, limits=limits)
    user = OWNER_ROLE if role == "owner" else APP_ROLE
    return database_settings.held(
        embedded.connection(root=EMBEDDED_ROOT, user=user, name="moot"), pooled=POOLED, limits=limits
    )


DATABASES = {"default": database(env.str("MOOT_DATABASE_ROLE", "app", validate=validate.OneOf(["app", "owner"])))}
# What may be a little old can be read from a replica, which is never written to; see docs/how-to/scale.md.
READ_URL = env.str("DATABASE_READ_URL", "")
REPLICA_LAG_SECONDS = env.float("MOOT_REPLICA_LAG_SECONDS", 10.0, validate=validate.Range(min=0))
DATABASE_ROUTERS: list[str] = []
if READ_URL:
    DATABASE_ROUTERS = ["debates.replica.Router"]
    MIDDLEWARE += ["config.middleware.FromReplica"]
    DATABASES["replica"] = database_settings.held(
        database_settings.named(READ_URL, setting="DATABASE_READ_URL"),
        pooled=POOLED,
        limits=f"{LIMITS} {database_settings.READ_ONLY}",
    ) | {"TEST": {"MIRROR": "default"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Sign-in limits are counted in the database, so that they hold across processes; the pace of the API in each process.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "moot_cache",
        # With the default, 300, whoever fails under enough names has other accounts' failures thrown away.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    },
    "pace": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pace",
        "OPTIONS": {"MAX_ENTRIES": 100_000},  # whom it forgot would begin to count anew
    },
}

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
ACCOUNT_ADAPTER = "config.accounts.SiteAccounts"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Moot] "
# Who makes an account by an invitation is bounded by its places: only other forms of sign-up count, see SignUpView.
# Links to confirm an address count for it, and for who asks: it takes several people to keep one from anybody for long.
ACCOUNT_RATE_LIMITS = {
    "signup": None,
    "signup_counted": "20/m/ip",
    "reset_password_sent": "5/h/key",  # see accounts.is_due
    "confirm_email": "20/h/key",
    "confirm_email_asked": "3/10m/key,5/h/key",
    "login_failed": None,  # see accounts.count_as_failed
    "failed_here": "10/m/ip",
    "failed": "5/5m/key",
    "failed_anywhere": "50/5m/key",
}
PASSWORD_RESET_TIMEOUT = 4 * 60 * 60
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_FORMS = {
    "add_email": "config.accounts.ChangeAddress",
    "change_password": "config.accounts.ChangePassword",
    "signup": "config.accounts.SignUp",
    "reset_password": "config.accounts.AskForReset",
    "reset_password_from_key": "config.accounts.NewPassword",
    "user_token": "config.accounts.ResetLink",
}
# Who signs up with an address that somebody has is told no other than who does with a new one.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
# Who may make an account: whoever is invited, or anybody.
SIGN_UP = env.str("MOOT_SIGN_UP", "invitation", validate=validate.OneOf(["invitation", "provider", "open"]))
# People whom a provider of OpenID Connect knows may sign in through it.
SOCIALACCOUNT_ADAPTER = "config.openid.ProviderAccounts"
OPENID_URL, OPENID_NAME = env.str("MOOT_OPENID_URL", ""), env.str("MOOT_OPENID_NAME", "")
OPENID_APP = {
    "provider_id": "openid",
    "name": OPENID_NAME,
    "client_id": env.str("MOOT_OPENID_CLIENT", ""),
    "secret": env.str("MOOT_OPENID_SECRET", ""),
    "settings": {"server_url": OPENID_URL},
}
if OPENID_URL and not is_site("/".join(OPENID_URL.split("/")[:3])):
    raise ImproperlyConfigured("MOOT_OPENID_URL is the address of the provider, such as https://id.example.org.")
if len({bool(OPENID_URL), bool(OPENID_NAME), bool(OPENID_APP["client_id"]), bool(OPENID_APP["secret"])}) > 1:
    raise ImproperlyConfigured("Of MOOT_OPENID_URL, _NAME, _CLIENT and _SECRET all are set, or none.")
SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [OPENID_APP] if OPENID_URL else [], "OAUTH_PKCE_ENABLED": True}}
MFA_ADAPTER = "config.accounts.SealedFactors"
MFA_FORMS = {
    "authenticate": "config.accounts.SignInCode",
    "reauthenticate": "config.accounts.ProofCode",
    "activate_totp": "config.accounts.FirstCode",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Moot"
# Accounts are known by name here, and an address that is not confirmed keeps nobody else from theirs.
MFA_ALLOW_UNVERIFIED_EMAIL = True
LOGIN_URL = "account_login"
# Whose word on where a request comes from is believed; config.asgi sees to it, and all below reads REMOTE_ADDR alone.
try:
    TRUSTED_PROXIES = list(map(ip_network, listed("MOOT_TRUSTED_PROXIES")))
except ValueError as error:
    raise ImproperlyConfigured(f"MOOT_TRUSTED_PROXIES names addresses and networks of proxies: {error}.") from error
ALLAUTH_TRUSTED_PROXY_COUNT = 0
STAFF_NEED_SECOND_FACTOR = env.bool("MOOT_STAFF_NEED_SECOND_FACTOR", default=IN_PRODUCTION)
ENVIRONMENT_LABEL = env.str("MOOT_ENVIRONMENT_LABEL", "" if IN_PRODUCTION else "laptop")

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles" if IN_PRODUCTION else None
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = not IN_PRODUCTION
WHITENOISE_ROOT = BASE_DIR / "static" / "root"  # what browsers look for at the root of a site
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if IN_PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024  # of a body without its files: the longest rubric in any script

SESSION_ENGINE = "config.session_store"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"  # a cookie would carry what it says readably
SESSION_COOKIE_AGE = 12 * 60 * 60
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_CSP = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
}
if IN_PRODUCTION:
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
    SECURE_REDIRECT_EXEMPT = ["^(healthz|readyz|metrics)$"]  # asked within, of each process by its own address
    SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", 365 * 24 * 60 * 60, validate=validate.Range(min=0))
    # For other sites under the same name, and hard to take back: only for who asks for it.
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("SECURE_HSTS_INCLUDE_SUBDOMAINS", default=False)
    SECURE_HSTS_PRELOAD = env.bool("SECURE_HSTS_PRELOAD", default=False)
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    if env.bool("MOOT_BEHIND_TLS_PROXY", default=False):
        if not TRUSTED_PROXIES:
            raise ImproperlyConfigured("MOOT_BEHIND_TLS_PROXY needs MOOT_TRUSTED_PROXIES: which proxy is believed.")
        SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

API_PER_MINUTE = env.int("MOOT_API_PER_MINUTE", 1200, validate=validate.Range(min=1))
API_PER_MINUTE_ANONYMOUS = env.int("MOOT_API_PER_MINUTE_ANONYMOUS", 240, validate=validate.Range(min=1))
CORS_ORIGINS = listed("MOOT_CORS_ORIGINS")
if strange := [origin for origin in CORS_ORIGINS if not is_site(origin)]:
    raise ImproperlyConfigured(f"MOOT_CORS_ORIGINS names sites such as https://lab.example; got {strange[0]}.")
EMBED_ORIGINS = listed("MOOT_EMBED_ORIGINS")
if strange := [origin for origin in EMBED_ORIGINS if origin != "*" and not is_site(origin)]:
    raise ImproperlyConfigured(f"MOOT_EMBED_ORIGINS names sites such as https://club.example, or *; got {strange[0]}.")
EMBED_REFRESH_SECONDS = 30  # after which a board on another site asks again
CARD_FONT = env.str("MOOT_CARD_FONT", "")
WEBHOOK_HOSTS = [host.lower() for host in listed("MOOT_WEBHOOK_HOSTS")]
if strange := [host for host in WEBHOOK_HOSTS if set("/@[ \t") & set(host) or host.count(":") == 1]:
    raise ImproperlyConfigured(
        f"MOOT_WEBHOOK_HOSTS are names alone, such as hooks.example, separated by commas; got {strange[0]}."
    )
CSRF_FAILURE_VIEW = "config.problems.no_csrf"
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["debates.api.authentication.BearerKey", "config.sessions.SignedIn"],
    "DEFAULT_PERMISSION_CLASSES": ["debates.api.permissions.MayEnter"],
    "DEFAULT_THROTTLE_CLASSES": ["debates.api.permissions.Pace"],
    "DEFAULT_PARSER_CLASSES": ["debates.api.parsers.Body"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "debates.api.schema.Described",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "config.problems.answer",
    "URL_FORMAT_OVERRIDE": None,
    "NUM_PROXIES": 0,
}
SPECTACULAR_SETTINGS = openapi.SETTINGS

# Mail, and the address under which what is in it is found; see docs/how-to/send-mail.md.
HOST_NAME = next((name.lstrip(".") for name in ALLOWED_HOSTS if name), "localhost")
NAMED_SITE_URL = env.str("MOOT_SITE_URL", "")  # what somebody said, who runs the site with `up`
SITE_URL = (NAMED_SITE_URL or (f"https://{HOST_NAME}" if IN_PRODUCTION else "http://127.0.0.1:8000")).rstrip("/")
if not is_site(SITE_URL):
    raise ImproperlyConfigured("MOOT_SITE_URL is the address of the site, such as https://moot.example.org.")
EMAIL_URL = env.str("EMAIL_URL", "" if IN_PRODUCTION else "console:")
MAIL_IS_SENT, MAIL_GOES_NOWHERE = bool(EMAIL_URL), EMAIL_URL.startswith("console:")
try:
    globals().update(mail.settings_of(EMAIL_URL or "console:"))
except ValueError as error:
    raise ImproperlyConfigured(f"EMAIL_URL is not understood: {error}.") from error
EMAIL_TIMEOUT = env.float("MOOT_MAIL_SECONDS", 10.0, validate=validate.Range(min=0.1, max=300))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", mail.sender_at(urlsplit(SITE_URL).hostname or ""))
if not mail.is_sender(DEFAULT_FROM_EMAIL):
    raise ImproperlyConfigured("DEFAULT_FROM_EMAIL is an address, such as Moot <moot@example.org>.")

# Live delivery; see docs/reference/stream.md.
LIVE_HEARTBEAT_SECONDS = env.float("MOOT_LIVE_HEARTBEAT_SECONDS", 15.0, validate=validate.Range(min=0.1))
LIVE_STALLED_SECONDS = env.float("MOOT_LIVE_STALLED_SECONDS", 30.0, validate=validate.Range(min=0.5))
LIVE_ROTATE_SECONDS = env.float("MOOT_LIVE_ROTATE_SECONDS", 1200.0, validate=validate.Range(min=1))
LIVE_RIGHTS_SECONDS = env.float("MOOT_LIVE_RIGHTS_SECONDS", 10.0, validate=validate.Range(min=0.1))
LIVE_PER_ADDRESS = env.int("MOOT_LIVE_PER_ADDRESS", 200, validate=validate.Range(min=1))

# A round is played by one async job; see docs/explanation/conductor.md.
ROUNDS_AT_ONCE = env.int("MOOT_ROUNDS_AT_ONCE", 32, validate=validate.Range(min=1, max=500))
HEARTBEAT_SECONDS = env.float("MOOT_HEARTBEAT_SECONDS", 5.0, validate=validate.Range(min=0.2))
STALLED_SECONDS = env.float("MOOT_STALLED_SECONDS", 30.0, validate=validate.Range(min=0.5))
if STALLED_SECONDS <= HEARTBEAT_SECONDS:
    raise ImproperlyConfigured(
        f"MOOT_STALLED_SECONDS ({STALLED_SECONDS:g}) must be greater than MOOT_HEARTBEAT_SECONDS"
        f" ({HEARTBEAT_SECONDS:g}): workers that live would be taken for dead."
    )
PROVIDER_RETRIES = env.int("MOOT_PROVIDER_RETRIES", 2, validate=validate.Range(min=0, max=10))

# Models that can be asked, by endpoint; see docs/reference/providers.md.
LLM_ENDPOINTS = llm.endpoints(env)

# Whether public accounts of scores name who acted, besides the role in which they did.
NAME_MODERATORS: bool = env.bool("MOOT_NAME_MODERATORS", False)

# Overrides of at least so many points wait for a second moderator; empty: none does.
SECOND_PERSON_FROM = (
    env.decimal("MOOT_SECOND_PERSON_FROM", validate=validate.Range(min=Decimal("0.01"), max=Decimal(9999)))
    if env.str("MOOT_SECOND_PERSON_FROM", "")
    else None
)
if SECOND_PERSON_FROM is not None and round(SECOND_PERSON_FROM, 6) != SECOND_PERSON_FROM:
    raise ImproperlyConfigured("MOOT_SECOND_PERSON_FROM has at most six decimal places: the database keeps no more.")

# Who may appeal, for how many days, and how many appeals are taken; none where the days are 0.
APPEALS_FROM = env.str("MOOT_APPEALS_FROM", "participants", validate=validate.OneOf(["participants", "signed_in"]))
APPEALS_DAYS = env.int("MOOT_APPEALS_DAYS", 7, validate=validate.Range(min=0, max=3650))
APPEALS_PER_DAY = env.int("MOOT_APPEALS_PER_DAY", 10, validate=validate.Range(min=1))
APPEALS_OPEN_PER_PERSON = env.int("MOOT_APPEALS_OPEN_PER_PERSON", 5, validate=validate.Range(min=1))
APPEALS_OPEN_PER_DEBATE = env.int("MOOT_APPEALS_OPEN_PER_DEBATE", 50, validate=validate.Range(min=1))

# Whether whoever created or organises a debate moderates it, too; what they do then says so.
ORGANISERS_MODERATE = env.bool("MOOT_ORGANISERS_MODERATE", True)

# A laptop's terminal shows what needs attention; a server, or MOOT_LOG_LEVEL=INFO, also every change of a score.
# Alerts wait in the admin: unless it is asked for, a laptop's terminal is told of critical ones alone.
LOG_LEVEL = env.log_level("MOOT_LOG_LEVEL", logging.INFO if IN_PRODUCTION else logging.WARNING)
ALERT_LOG_LEVEL = LOG_LEVEL if IN_PRODUCTION or env.str("MOOT_LOG_LEVEL", "") else logging.ERROR
MISTAKES_OF_CALLERS = ("DisallowedHost", "RequestDataTooBig", "TooManyFieldsSent", "TooManyFilesSent")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {
            "()": "debates.printable.Formatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "filters": {"as_warning": {"()": "debates.printable.AsWarning"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["stderr"], "level": "WARNING"},
    "loggers": {
        "config": {"level": LOG_LEVEL},
        "debates": {"level": LOG_LEVEL},
        "scoring": {"level": LOG_LEVEL},
        "scoring.services.alerts": {"level": ALERT_LOG_LEVEL},
        "judging": {"level": LOG_LEVEL},
        # An address that is not there is news for who asked, and on a server for its log; not for a laptop's terminal.
        "django.request": {"level": "WARNING" if IN_PRODUCTION else "ERROR"},
        **{f"django.security.{mistake}": {"filters": ["as_warning"]} for mistake in MISTAKES_OF_CALLERS},
    },
}
