"""An endpoint on loopback that speaks the OpenAI chat API, and misbehaves on demand: the model's name says how."""

import base64
import gzip
import json
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWER = {"text": "Here is what I say.", "quotes": []}
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
LONG = 10_000_000
SAID = {
    "word": "moot",
    "score": "6",
    "confidence": "0.5",
    "persona": "skeptic",
    "quote": "",
    "challenge": "C1",
    "adjustment": "0.5",
    "impact": "0.1",
}
"""What stands for a field of this name in the smallest answer of a shape."""
LISTENER = re.compile("- \N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}(.*?)\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}")
TRIED = {"score": "20", "attempted": True, "notes": "So it is.", "quotes": []}
MOODS = (
    "broken", "limited-briefly", "slow", "cut", "long", "no-chat", "html", "half", "refusing", "empty", "filtered",
    "in-prose", "able-twice", "wrong-key",
)  # fmt: skip
"""Every way in which an endpoint misbehaves when it is to judge; after the last of them nobody asks again."""
EVERY_MOOD = (
    *MOODS, "deaf-to-tools", "prose-only", "limited", "packed", "no-usage", "telling", "telling-model",
    "telling-refusal", "telling-part",
)  # fmt: skip
"""Every way in which an endpoint misbehaves, whatever it is asked."""
FAIR = {
    "steel_manning": TRIED,
    "self_critique": TRIED,
    "consistency": {"score": "18", "violations": [], "notes": "", "quotes": []},
    "honesty": {"score": "17", "issues": [], "notes": "", "quotes": []},
}


class Endpoint(ThreadingHTTPServer):
    """Answers on a free port of 127.0.0.1; remembers what it was asked."""

    request_queue_size = 64  # tests ask many questions at once

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.headers: list[dict[str, str]] = []
        self.counted: Counter[str] = Counter()
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()
        self.closing = threading.Event()
        self.pair = threading.Barrier(2)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what some of the tests are about."""


class Handler(BaseHTTPRequestHandler):
    """One request: the model's name is the behaviour."""

    protocol_version = "HTTP/1.1"
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.asked.append(body)
            self.server.keys.append(self.headers["Authorization"])
            self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
            self.server.counted[body["model"]] += 1
            self.server.at_once += 1
            self.server.most_at_once = max(self.server.most_at_once, self.server.at_once)
        name = body["model"].replace("-", "_")
        if name.startswith("status_"):
            return self.send(int(name.removeprefix("status_")), {"error": {"message": "as you wish"}})
        for beginning, moods in (("sulky_", MOODS), ("fickle_", EVERY_MOOD)):
            if name.startswith(beginning):  # in one way after the other, each time
                name = moods[(self.server.counted[body["model"]] - 1) % len(moods)].replace("-", "_")
        return getattr(self, name)(body)

    def log_message(self, *args: Any) -> None:
        """Tests need no access log."""

    # -- behaviours --------------------------------------------------------------------------------------------------

    def good(self, body: dict[str, Any]) -> None:
        self.answer(body, json.dumps(ANSWER))

    def able(self, body: dict[str, Any]) -> None:
        """Answer whatever the arbiter of an open debate is asked, in the shape that is wanted."""
        self.answer(body, self.wanted(body))

    def able_in_prose(self, body: dict[str, Any]) -> None:
        """Answer in the shape that is wanted, among words."""
        self.say(body, f"With pleasure:\n{self.wanted(body)}\nIs there anything else?")

    def able_twice(self, body: dict[str, Any]) -> None:
        """Answer in the shape that is wanted, and then again, so that nobody knows which one is meant."""
        self.say(body, f"Either {self.wanted(body)} or {self.wanted(body)}.")

    def moody(self, body: dict[str, Any]) -> None:
        """Misbehave in one way after the other, and behave each time it is asked again."""
        count = self.server.counted["moody"]
        way = MOODS[count // 2 % len(MOODS)] if count % 2 else "able"
        getattr(self, way.replace("-", "_"))(body)

    def wanted(self, body: dict[str, Any]) -> str:
        wanted = body["tools"][0]["function"]["parameters"]["required"]
        _, _, rest = body["messages"][-1]["content"].partition("The listeners:\n")
        names = LISTENER.findall(rest.partition("What was answered:")[0])
        weighed = [{"listener": one, "persuasion": "0.7", "attack": "0", "evidence": "0.5"} for one in names]
        known = {**FAIR, "effects": weighed, "summary": "It is over.", "text": "Welcome to this debate of two."}
        return json.dumps({name: known.get(name, []) for name in wanted})

    def exact(self, body: dict[str, Any]) -> None:
        """Answer the question by which an endpoint is tried out."""
        self.answer(body, json.dumps({"word": "moot"}))

    def exact_once(self, body: dict[str, Any]) -> None:
        """Answer the question by which an endpoint is tried out, and have no time for another."""
        self.exact(body) if self.server.counted[body["model"]] == 1 else self.limited(body)

    def exact_once_then_shy(self, body: dict[str, Any]) -> None:
        """Answer that question once, and in words from then on."""
        self.exact(body) if self.server.counted[body["model"]] == 1 else self.say(body, "I would rather not say.")

    def exact_once_then_telling(self, body: dict[str, Any]) -> None:
        """Answer that question once, and refuse the key from then on, and say which."""
        self.exact(body) if self.server.counted[body["model"]] == 1 else self.telling_refusal(body)

    def wordy_once(self, body: dict[str, Any]) -> None:
        """Answer that question in words, and have no time for another."""
        self.say(body, "The word is moot.") if self.server.counted[body["model"]] == 1 else self.limited(body)

    def by_shape(self, body: dict[str, Any]) -> None:
        """Answer whatever is asked with the smallest answer of its shape."""
        self.answer(body, json.dumps(smallest(body["tools"][0]["function"]["parameters"])))

    def deaf_to_tools(self, body: dict[str, Any]) -> None:
        """Takes tools, and answers in text all the same; takes a schema and keeps to it."""
        text = json.dumps({"word": "moot"}) if "response_format" in body else "The word is moot."
        self.say(body, text)

    def prose_only(self, body: dict[str, Any]) -> None:
        if "tools" in body or "response_format" in body:
            return self.send(422, {"error": {"message": "unknown field"}})
        return self.say(body, json.dumps(ANSWER))

    def routed(self, body: dict[str, Any]) -> None:
        """Have nobody who takes tools, as a router of many models may."""
        if "tools" in body:
            return self.send(404, {"error": {"message": "No endpoints found that support tool use."}})
        return self.exact(body)

    def drowsy(self, body: dict[str, Any]) -> None:
        """Take a while for each answer, and answer no question."""
        self.server.closing.wait(0.5)
        self.say(body, "Was that a question?")

    def slow(self, body: dict[str, Any]) -> None:
        self.server.closing.wait(20)
        self.good(body)

    def in_pairs(self, body: dict[str, Any]) -> None:
        """Answer once a second call is here, however long that takes, and leave a third the time to come too early."""
        self.server.pair.wait(60)
        time.sleep(0.15)
        self.good(body)

    def alone_at_first(self, body: dict[str, Any]) -> None:
        """Answer by tool once; have nobody from then on who takes tools or a schema."""
        if self.server.counted[body["model"]] > 1 and {"tools", "response_format"} & set(body):
            return self.send(404, {"error": {"message": "No endpoints found."}})
        return self.exact(body)

    def limited(self, body: dict[str, Any]) -> None:
        self.send(429, {"error": {"message": "slow down"}}, {"Retry-After": "7"})

    def limited_briefly(self, body: dict[str, Any]) -> None:
        self.send(429, {"error": {"message": "slow down"}}, {"Retry-After": "0"})

    def broken(self, body: dict[str, Any]) -> None:
        self.send(500, {"error": {"message": "it hurts"}})

    def wrong_key(self, body: dict[str, Any]) -> None:
        self.send(401, {"error": {"message": "no such key"}})

    def telling(self, body: dict[str, Any]) -> None:
        """Answer with the key that came, in several ways of writing."""
        key = self.headers["Authorization"].removeprefix("Bearer ")
        ways = [
            key,
            f"Bearer {key}",
            "".join(f"%{ord(one):02x}" for one in key),
            base64.b64encode(f"x:{key}".encode()).decode(),
        ]
        escaped = "".join(f"\\u{ord(one):04x}" for one in key)
        self.answer(body, json.dumps({**ANSWER, "text": " ".join(ways)})[:-1] + f', "more": "{escaped}"}}')

    def telling_model(self, body: dict[str, Any]) -> None:
        """Call the model by the key that came."""
        made = self.completion(body, {"role": "assistant", "content": json.dumps(ANSWER)})
        self.send(200, {**made, "model": self.headers["Authorization"]})

    def telling_refusal(self, body: dict[str, Any]) -> None:
        """Refuse the key, and say which, across the place where long details are cut."""
        self.send(401, {"error": {"message": f"{'x' * 262} wrong key: {self.headers['Authorization']}"}})

    def telling_part(self, body: dict[str, Any]) -> None:
        """Refuse the key with its beginning."""
        self.send(401, {"error": {"message": f"wrong key: {self.headers['Authorization'][7:20]}****"}})

    def cut(self, body: dict[str, Any]) -> None:
        """Promise a whole answer, send a part of it, and hang up."""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(b'{"id": "1", "choices": [')
        self.wfile.flush()
        self.done()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def half(self, body: dict[str, Any]) -> None:
        self.answer(body, '{"text": "Here is what', finish="length")

    def in_prose(self, body: dict[str, Any]) -> None:
        self.say(body, f"Gladly! Here it is:\n```json\n{json.dumps(ANSWER)}\n```\nAnything else?")

    def refusing(self, body: dict[str, Any]) -> None:
        message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
        self.send(200, self.completion(body, message))

    def empty(self, body: dict[str, Any]) -> None:
        self.say(body, "")

    def filtered(self, body: dict[str, Any]) -> None:
        self.send(200, self.completion(body, {"role": "assistant", "content": ""}, finish="content_filter"))

    def packed(self, body: dict[str, Any]) -> None:
        """Pack what is long, be it wanted or not."""
        self.send_bytes(200, gzip.compress(b" " * 2 * LONG), "application/json", {"Content-Encoding": "gzip"})

    def long(self, body: dict[str, Any]) -> None:
        self.say(body, "a" * LONG)

    def no_chat(self, body: dict[str, Any]) -> None:
        self.send(200, {"hello": "world"})

    def html(self, body: dict[str, Any]) -> None:
        self.send_text(200, "<html>Bad gateway, sort of</html>", "text/html")

    def no_usage(self, body: dict[str, Any]) -> None:
        self.say_uncounted(body, json.dumps(ANSWER))

    def null_usage(self, body: dict[str, Any]) -> None:
        """Answer, and give its tokens as null."""
        self.say_counted(body, **dict.fromkeys(USAGE))

    def missing_total(self, body: dict[str, Any]) -> None:
        self.say_counted(body, total_tokens=None)

    def missing_out(self, body: dict[str, Any]) -> None:
        self.say_counted(body, completion_tokens=None)

    def only_in(self, body: dict[str, Any]) -> None:
        self.say_counted(body, completion_tokens=None, total_tokens=None)

    def only_out(self, body: dict[str, Any]) -> None:
        self.say_counted(body, prompt_tokens=None, total_tokens=None)

    def thinking_in_total(self, body: dict[str, Any]) -> None:
        """Count what was thought in the total alone, as gateways in front of other APIs do."""
        self.say_counted(body, total_tokens=5120)

    def less_in_total(self, body: dict[str, Any]) -> None:
        self.say_counted(body, total_tokens=7)

    def say_counted(self, body: dict[str, Any], **counts: int | None) -> None:
        """Answer, and give other numbers of tokens, or none."""
        made = self.completion(body, {"role": "assistant", "content": json.dumps(ANSWER)})
        self.send(200, {**made, "usage": {**USAGE, **counts}})

    def uncounted(self, body: dict[str, Any]) -> None:
        """Answer in the shape that is wanted, and say nothing of tokens."""
        self.say_uncounted(body, self.wanted(body))

    def say_uncounted(self, body: dict[str, Any], text: str) -> None:
        made = self.completion(body, {"role": "assistant", "content": text})
        del made["usage"]
        self.send(200, made)

    def told(self, body: dict[str, Any]) -> None:
        """Say what the test has put on the last message, between two marks."""
        self.answer(body, body["messages"][-1]["content"].split("@@")[1])

    def only_warm(self, body: dict[str, Any]) -> None:
        """Refuse to be sent a temperature, as models that reason do."""
        if "temperature" in body:
            said = (
                "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default is supported."
            )
            return self.send(400, {"error": {"message": said, "param": "temperature"}})
        return self.good(body)

    def gpt_5_mini(self, body: dict[str, Any]) -> None:
        """Do as ``only_warm`` does, by a name that the client library knows."""
        self.only_warm(body)

    def echoing(self, body: dict[str, Any]) -> None:
        """Know no tools, and say so with all that was sent; keep to a schema."""
        if "tools" in body:
            return self.send(400, {"error": {"message": f"Cannot do this: {json.dumps(body)}"}})
        return self.exact(body)

    def precise(self, body: dict[str, Any]) -> None:
        """Know no tools, and name them as what is wrong."""
        if "tools" in body:
            return self.send(400, {"error": {"message": f"Wrong: {json.dumps(body)}", "param": "tools"}})
        return self.exact(body)

    def unmeasured(self, body: dict[str, Any]) -> None:
        """Refuse to be told how long an answer may be."""
        if {"max_tokens", "max_completion_tokens"} & set(body):
            return self.send(422, {"detail": [{"loc": ["body", "max_tokens"], "msg": "Extra inputs"}]})
        return self.good(body)

    def modern(self, body: dict[str, Any]) -> None:
        """Take a longest answer by its newer name alone, as OpenAI's models that reason do."""
        if "max_tokens" in body:
            said = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
            return self.send(400, {"error": {"message": said, "param": "max_tokens", "code": "unsupported_parameter"}})
        return self.good(body)

    def brief(self, body: dict[str, Any]) -> None:
        """Give no answer of more than 2,000 tokens, and refuse to be asked for one."""
        if body.get("max_tokens", 0) > 2000:
            said = "max_tokens is too large: 2400. This model supports at most 2000 completion tokens."
            return self.send(400, {"error": {"message": said, "param": "max_tokens", "code": "invalid_value"}})
        return self.good(body)

    def full(self, body: dict[str, Any]) -> None:
        """Have no room for so long a question."""
        said = "This model's maximum context length is 8192 tokens. Reduce your messages, or max_tokens."
        self.send(400, {"error": {"message": said, "param": "max_tokens"}})

    def verbose(self, body: dict[str, Any]) -> None:
        """Need more room than 1,200 tokens."""
        if body.get("max_tokens", 9999) < 2000:
            return self.half(body)
        return self.good(body)

    def thoughtful(self, body: dict[str, Any]) -> None:
        """Think for 1,000 tokens before answering as ``exact`` does."""
        if body["max_tokens"] <= 1000:
            return self.half(body)
        return self.exact(body)

    def forgetful(self, body: dict[str, Any]) -> None:
        """Forget what was asked for until told."""
        told = "text must not" in body["messages"][-1]["content"] or "text must have" in body["messages"][-1]["content"]
        self.answer(body, json.dumps(ANSWER if told else {"quotes": []}))

    def done(self) -> None:
        with self.server.lock:
            self.server.at_once -= 1

    # -- answering ---------------------------------------------------------------------------------------------------

    def answer(self, body: dict[str, Any], text: str, *, finish: str = "stop") -> None:
        """Answer by tool where one is offered, else in text."""
        if "tools" not in body:
            return self.say(body, text, finish=finish)
        call = {"id": "c1", "type": "function", "function": {"name": "answer", "arguments": text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        return self.send(200, self.completion(body, message, finish="tool_calls" if finish == "stop" else finish))

    def say(self, body: dict[str, Any], text: str, *, finish: str = "stop") -> None:
        self.send(200, self.completion(body, {"role": "assistant", "content": text}, finish=finish))

    def completion(self, body: dict[str, Any], message: dict[str, Any], *, finish: str = "stop") -> dict[str, Any]:
        choice = {"index": 0, "message": message, "finish_reason": finish}
        made = {"id": "1", "object": "chat.completion", "created": 1, "model": f"{body['model']}-0001"}
        return {**made, "choices": [choice], "usage": dict(USAGE)}

    def send(self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self.send_text(status, json.dumps(body), "application/json", headers)

    def send_text(self, status: int, text: str, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_bytes(status, text.encode(), kind, headers)

    def send_bytes(self, status: int, sent: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.done()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(sent)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)


def smallest(schema: dict[str, Any], name: str = "") -> Any:
    """Return the smallest thing of a shape that a debate can go on with."""
    if schema["type"] == "object":
        return {key: smallest(one, key) for key, one in schema["properties"].items()}
    if schema["type"] == "array":
        return [smallest(schema["items"])] if schema["items"]["type"] == "object" else []
    return schema.get("enum", [SAID.get(name, "So it is.")])[0]


@contextmanager
def running() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
