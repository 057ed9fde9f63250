"""The supervisor, with small programs for children: they are kept, restarted, and never left behind."""

import itertools
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from config import parent_watch
from config.supervisor import FIRST_DELAY, LONGEST_DELAY, STEADY_AFTER, Child, Program, Stopped, Supervisor
from judging.management.commands import worker
from tests.config.supervisor_harness import PROJECT, Supervised

# Short naps: a signal that comes between a look and a long sleep would be slept over.
POLITE = """
def leave(*_):
    write("terminated")
    sys.exit(0)
signal.signal(signal.SIGTERM, leave)
write(os.getpid())
while True:
    time.sleep(0.1)
"""
STUBBORN = """
signal.signal(signal.SIGTERM, lambda *_: write("ignored"))
write(os.getpid())
while True:
    time.sleep(0.1)
"""
SHORT = "write(os.getpid())\nsys.exit(3)\n"


@pytest.fixture
def supervised(tmp_path):
    made = Supervised(tmp_path)
    yield made
    if made.process is not None and made.process.poll() is None:
        made.process.kill()
        made.process.communicate()


def gone(pid: str, *, within: float = 10) -> bool:
    """Tell whether a process is gone, or a zombie nobody reaps, within so many seconds."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        try:
            if psutil.Process(int(pid)).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_one_signal_ends_every_child_politely(supervised, number):
    supervised.script("web", POLITE)
    supervised.script("worker", POLITE)
    supervised.start()
    pids = [supervised.notes("web")[0], supervised.notes("worker")[0]]

    supervised.send(number)
    status, said = supervised.finish()

    assert (status, said) == (0, ["end"])
    assert supervised.noted("web")[1:] == ["terminated"]
    assert supervised.noted("worker")[1:] == ["terminated"]
    assert all(gone(pid) for pid in pids)


def test_ctrl_c_reaches_the_supervisor_alone(supervised):
    supervised.script("web", POLITE)
    supervised.start(process_group=0)
    supervised.notes("web")

    os.killpg(supervised.process.pid, signal.SIGINT)
    status, _ = supervised.finish()

    assert status == 0
    assert supervised.noted("web")[1:] == ["terminated"]


def test_nohup_is_respected(supervised):
    supervised.script("web", POLITE)
    supervised.start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    supervised.notes("web")

    supervised.send(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        supervised.process.wait(timeout=0.5)
    supervised.send(signal.SIGTERM)

    assert supervised.finish()[0] == 0


def test_a_child_that_dies_is_started_again_and_the_others_go_on(supervised):
    supervised.script("web", POLITE)
    supervised.script("worker", POLITE)
    supervised.start()
    web, worker = supervised.notes("web")[0], supervised.notes("worker")[0]

    os.kill(int(worker), signal.SIGKILL)
    again = supervised.notes("worker", at_least=2)[1]
    supervised.send(signal.SIGTERM)
    _, said = supervised.finish()

    assert again != worker
    assert said == ["worker was ended by SIGKILL; again in 0.5 s.", "end"]
    assert supervised.noted("web") == [web, "terminated"]


def test_a_child_that_keeps_dying_is_left_longer_each_time(supervised):
    supervised.script("web", SHORT)
    supervised.start()
    supervised.notes("web", at_least=3)

    supervised.send(signal.SIGTERM)
    _, said = supervised.finish()

    assert said[:2] == ["web ended with status 3; again in 0.5 s.", "web ended with status 3; again in 1 s."]


def test_delays_double_up_to_a_limit_and_start_anew_after_a_steady_life():
    child = Child(program=Program(name="web", arguments=[]), started=0)

    young = [child.delay(now=STEADY_AFTER) for _ in range(9)]
    old = child.delay(now=STEADY_AFTER + 1)

    assert young == [0.5, 1, 2, 4, 8, 16, LONGEST_DELAY, LONGEST_DELAY, LONGEST_DELAY]
    assert old == FIRST_DELAY


def test_a_child_that_dies_again_and_again_for_a_day_is_still_started_again():
    child = Child(program=Program(name="web", arguments=[]), deaths=5000)

    assert child.delay(now=STEADY_AFTER) == LONGEST_DELAY


def test_whoever_ends_a_worker_leaves_it_time_to_hand_back_what_it_waited_for_in_vain():
    page = (PROJECT / "docs" / "how-to" / "start-and-stop.md").read_text(encoding="utf-8")

    assert min(Supervisor.grace, parent_watch.GRACE) >= worker.GRACE_SECONDS + 5
    assert f"SIGTERM and {Supervisor.grace:g} seconds to hand their work back" in page
    assert f"SIGKILL after {parent_watch.GRACE:g} seconds" in page


def test_a_child_that_does_not_end_is_killed_after_the_grace(supervised):
    supervised.script("worker", STUBBORN)
    supervised.start(grace=0.5)
    pid = supervised.notes("worker")[0]

    supervised.send(signal.SIGTERM)
    status, said = supervised.finish()

    assert (status, said) == (0, ["worker did not end within 0.5 s and was killed.", "end"])
    assert supervised.noted("worker")[1] == "ignored"
    assert gone(pid)


def test_a_second_signal_kills_at_once(supervised):
    supervised.script("worker", STUBBORN)
    supervised.start(grace=600)
    pid = supervised.notes("worker")[0]

    supervised.send(signal.SIGINT)
    supervised.notes("worker", at_least=2)
    supervised.send(signal.SIGINT)
    supervised.finish()  # which waits for less than the grace

    assert gone(pid)


def test_children_do_not_outlive_a_killed_supervisor(supervised):
    supervised.script("web", POLITE)
    supervised.script("worker", POLITE)
    supervised.start()
    pids = [supervised.notes("web")[0], supervised.notes("worker")[0]]

    supervised.send(signal.SIGKILL)

    assert all(gone(pid) for pid in pids)
    assert supervised.noted("worker")[1:] == ["terminated"]
    supervised.finish()


def test_a_child_deaf_to_the_leash_is_killed_by_it(supervised):
    supervised.script("worker", STUBBORN)
    leash = supervised.directory / "short_leash.py"
    leash.write_text("from config import parent_watch\nparent_watch.GRACE = 0.5\nparent_watch.main()\n")
    reader, writer = os.pipe()
    script = supervised.scripts[0]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    command = [sys.executable, str(leash), str(reader), script]
    child = subprocess.Popen(command, pass_fds=[reader], cwd=PROJECT, env=environment)
    supervised.process = child
    supervised.notes("worker")

    os.close(writer)

    assert child.wait(timeout=120) == -signal.SIGKILL
    assert supervised.noted("worker")[1:] == ["ignored"]
    os.close(reader)


def test_a_step_runs_to_its_end_before_the_children_start(supervised):
    supervised.script("step", SHORT, once=True)
    supervised.script("web", POLITE)
    supervised.start()
    supervised.notes("web")

    supervised.send(signal.SIGTERM)

    assert supervised.finish() == (0, ["once 3", "end"])


def test_a_step_is_broken_off_by_a_signal(supervised):
    supervised.script("step", POLITE, once=True)
    supervised.script("web", POLITE)
    supervised.start()
    supervised.notes("step")

    supervised.send(signal.SIGTERM)

    assert supervised.finish() == (0, ["stopped"])
    assert supervised.noted("step")[1] == "terminated"
    assert supervised.noted("web") == []


def test_what_is_interruptible_is_interrupted(tmp_path):
    with Supervisor(say=print, directory=tmp_path) as supervisor:
        with pytest.raises(Stopped), supervisor.interruptible():  # noqa: PT012 -- the signal comes first
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(10)
        with pytest.raises(Stopped), supervisor.interruptible():
            raise AssertionError("nothing is begun after the end was asked for")

    assert supervisor.stopping


def test_the_signal_handlers_of_before_come_back(tmp_path):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)]

    with Supervisor(say=print, directory=tmp_path):
        during = signal.getsignal(signal.SIGTERM)
    after = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)]

    assert after == before
    assert during not in before


def test_watches_are_looked_at_while_children_run(tmp_path):
    looks: list[float] = []

    with Supervisor(say=print, directory=tmp_path) as supervisor:

        def look() -> None:
            looks.append(time.monotonic())
            if len(looks) == 3:
                os.kill(os.getpid(), signal.SIGTERM)

        supervisor.watch(look, every=0.3)
        supervisor.run()

    assert len(looks) == 3
    assert all(later - earlier >= 0.3 for earlier, later in itertools.pairwise(looks))
