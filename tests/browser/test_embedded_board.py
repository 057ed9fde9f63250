"""A score board in a frame of another site: shown where the settings name that site, and nowhere else."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.browser.page_checks import faults_to_all_eyes
from tests.texts import WITHOUT_COLLECTED_FILES

pytestmark = [pytest.mark.browser, WITHOUT_COLLECTED_FILES]


class Club(BaseHTTPRequestHandler):
    """Another site, which puts what its address names into a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        _, _, framed = self.path.partition("?")
        self.wfile.write(f'<!doctype html><iframe src="{framed}" width="900" height="600"></iframe>'.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def club() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Club) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_board_can_be_read_by_itself_by_everybody(room, played):
    page = room.sit_down(at=f"/debates/{played.public_id}/embed/")

    assert page.complaints == []
    assert page.locator("h1").count() == 1
    assert faults_to_all_eyes(page, whole=True) == {}


@pytest.mark.parametrize(
    ("origins", "way", "boards"),
    [
        pytest.param(["{}"], "embed/", 1, id="named"),
        pytest.param(["https://other.example"], "embed/", 0, id="another one"),
        pytest.param([], "embed/", 0, id="as it comes"),
        pytest.param(["*"], "", 0, id="another page"),
    ],
)
def test_a_site_frames_the_board_and_nothing_else_where_it_is_named(room, played, club, settings, origins, way, boards):
    settings.EMBED_ORIGINS = [origin.format(club) for origin in origins]
    page = room.sit_down(at="/rubrics/")

    page.goto(f"{club}/?{room.url}/debates/{played.public_id}/{way}", wait_until="load")

    assert page.frame_locator("iframe").locator("#scoreboard").count() == boards
