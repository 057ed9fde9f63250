"""One site for all tests of live delivery: a database, a daphne and a uvicorn of their own."""

import pytest

from tests.debates.live_site import site
from tests.debates.servers import SERVERS


@pytest.fixture(scope="session")
def place():
    with site() as made:
        made.here.act("log", 1)
        for server in SERVERS:
            made.webs[server] = made.serve(server, wait=False)
        for web in made.webs.values():
            made.wait(web)
        yield made


@pytest.fixture(params=SERVERS)
def web(place, request):
    return place.webs[request.param]


@pytest.fixture(scope="session")
def long_log(place):
    """A debate with more events than a room keeps when it is opened."""
    return place.debate(events=1200)


@pytest.fixture
def log(place):
    """A debate of the test's own, with three events."""
    return place.debate()
