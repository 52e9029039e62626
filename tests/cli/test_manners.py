"""Help, completion, streams, signals: how the command behaves towards people and scripts."""

import json
import os
import pty
import re
import signal
import subprocess
import termios
import time
from pathlib import Path

import numpy as np
import pytest

VERBS = (
    "build info search knn distances compare evaluate demo add update remove compact merge "
    "split encode merge-lists verify export bench help completion"
)


@pytest.mark.parametrize("verb", VERBS.split())
def test_every_verb_has_help_with_examples(call, verb):
    text = call(verb, "--help").stdout
    assert f"Usage: navvy {verb}" in text and "Examples:" in text
    assert re.search(rf"^  .*navvy {verb}", text, re.MULTILINE)
    assert call("help", verb).stdout == text
    common = {"--json", "--quiet", "--threads", "--memory"}
    if verb in ("help", "completion"):
        common = {"--quiet"}
    assert common <= set(re.findall(r"--[a-z]+", text))


def test_help_names_every_verb(call):
    text = call("--help").stdout
    assert re.findall(r"^  ([a-z][a-z-]*)  ", text, re.MULTILINE) == VERBS.split()
    assert call(code=2).stderr == text
    assert call("help").stdout == text
    assert "unknown command 'serch'; did you mean 'search'?" in call.fails(2, "help", "serch")


def test_completion_knows_every_verb_and_option(call, tmp_path):
    script = call("completion", "bash").stdout
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)
    (tmp_path / "completion").write_text(script)

    def complete(*words):
        line = f"""source ./completion; COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}
        _navvy; printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = subprocess.run(
            ["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    assert set(VERBS.split()) <= set(complete("navvy", '""'))
    assert complete("navvy", "sea") == ["search"]
    assert complete("navvy", "build", "--keep-b") == ["--keep-background"]
    assert "act-15" in complete("navvy", "search", "--measure", "act")
    assert complete("navvy", "help", "sea") == ["search"]
    assert complete("navvy", "search", "--print", "c") == ["csv"]
    assert "--queries" not in complete("navvy", "search", "--que")  # an old name
    for shell in ("zsh", "fish"):
        script = call("completion", shell).stdout
        assert all(verb in script for verb in VERBS.split())


def in_terminal(command, until=None, **environment) -> str:
    """What the command writes when stdout and stderr are a terminal; interrupted once that matches
    `until`."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=child, stderr=child, env=environment
    )
    os.close(child)
    output, code = b"", 0
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            break
        output += part
        if until and code == 0 and re.search(until, output.decode(errors="ignore")):
            process.send_signal(signal.SIGINT)
            code = 130
    os.close(parent)
    assert process.wait() == code
    return output.decode()


def test_colour_only_where_it_is_welcome(navvy, data):
    command = [navvy, "compare", data.index, "0", "1"]
    assert "\033[" in in_terminal(command, TERM="xterm", LANG="C.UTF-8")
    assert "\u2192" in in_terminal(command, TERM="xterm", LANG="C.UTF-8")
    assert "\u2192" not in in_terminal(command, TERM="xterm", LANG="C")
    assert "\033[" not in in_terminal(command, TERM="xterm", NO_COLOR="1")
    assert "\033[" not in in_terminal(command, TERM="dumb")
    piped = subprocess.run(command, capture_output=True, check=True)
    assert piped.stdout.isascii() and b"\033" not in piped.stdout + piped.stderr


class Prompt:
    """`navvy search --json` at a terminal: keys go in there, documents come out of a pipe."""

    def __init__(self, navvy, texts, *more, **environment):
        self.terminal, child = pty.openpty()
        self.child = child
        self.before = termios.tcgetattr(child)
        self.process = subprocess.Popen(
            [navvy, "search", texts, "--top", "1", *more],
            stdin=child,
            stdout=subprocess.PIPE,
            stderr=child,
            text=True,
            env={"TERM": "xterm", **environment},
        )
        self.shown = "\n"

    def wait(self):
        """Until the prompt stands on a new line."""
        while not re.search(r"\n[^\n]*query> ", self.shown):
            self.shown += os.read(self.terminal, 65536).decode()

    def type(self, keys):
        self.wait()
        self.shown = ""
        os.write(self.terminal, keys.encode())

    def ask(self, keys) -> str:
        """The query that an answer repeats."""
        self.type(keys + "\r")
        self.wait()  # who does not read what a terminal shows holds up who writes it
        return json.loads(self.process.stdout.readline())["queries"][0]["query"]

    def end(self, code):
        with self.process:
            self.process.stdout.read()
        assert self.process.returncode == code
        assert termios.tcgetattr(self.child) == self.before
        os.close(self.terminal)
        os.close(self.child)


LEFT, RIGHT, UP, DOWN = "\033[D", "\033[C", "\033[A", "\033[B"
HOME, END, DELETE, BACKSPACE = "\033[H", "\033OF", "\033[3~", "\x7f"


def test_lines_at_the_prompt_are_edited_and_remembered(navvy, texts):
    prompt = Prompt(navvy, texts, "--json")
    assert prompt.ask("milj" + BACKSPACE + "k") == "milk"
    assert prompt.ask("tea" + HOME + "cub " + LEFT * 2 + DELETE + "p" + END + " x") == "cup tea x"
    assert prompt.ask(UP) == "cup tea x"
    assert prompt.ask("music" + UP * 5 + DOWN + UP + " tea") == "milk tea"
    assert prompt.ask("music" + UP + DOWN + RIGHT + " hall") == "music hall"
    assert prompt.ask("a tea rocket\x17cat\x01the \x05s\x02\x0b") == "the a tea cat"
    accents = "caf\xe9 \u6f22 music" + "\033b" + LEFT * 3 + BACKSPACE
    assert prompt.ask("nothing\x15" + accents) == "caf \u6f22 music"
    assert prompt.ask("x" * 300 + HOME + "tea " + END + BACKSPACE * 300) == "tea "
    prompt.type("dropped\x03")
    assert prompt.ask("\x1b[5~\x1b[200~tea\x07") == "tea"
    prompt.type("\x04")
    prompt.end(0)


@pytest.mark.parametrize("way", ["ctrl-c", "signal"])
def test_a_terminal_is_left_as_it_was(navvy, texts, way):
    prompt = Prompt(navvy, texts)
    prompt.wait()
    if way == "signal":
        prompt.process.send_signal(signal.SIGTERM)
    else:
        prompt.type("\x03")
    prompt.end(130)


def test_a_dumb_terminal_has_a_plain_prompt(navvy, texts):
    prompt = Prompt(navvy, texts, "--json", TERM="dumb")
    assert prompt.ask("tea") == "tea"
    prompt.type("\x04")
    prompt.end(0)


def test_quiet_is_silent_but_for_errors(call, texts, images):
    build = ["build", "--images", images / "all.idx", "-o", "q.navvy"]
    assert "wrote" in call(*build).stderr
    assert call(*build, "--quiet").stderr == ""
    question = ["search", texts, "--text", "milk qqq", "--quiet"]
    assert call(*question).stderr == ""
    assert "qqq" in call.fails(3, "search", texts, "--text", "qqq", "--quiet")


def test_a_full_disk_is_an_error(navvy):
    with open("/dev/full", "w") as full:
        done = subprocess.run([navvy, "info"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr == "navvy: standard output: No space left on device\n"


def test_a_reader_that_leaves_is_no_error_to_talk_about(navvy, data):
    process = subprocess.Popen(
        [navvy, "search", data.index, "--row", ":", "--top", "59"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == -signal.SIGPIPE


def random_index(navvy, folder, rows, bins, dimensions):
    """x.navvy in the folder, of rows that all have that many bins."""
    random = np.random.default_rng(3)
    np.save(folder / "x.npy", random.random((rows, bins)))
    np.save(folder / "v.npy", random.random((bins, dimensions)))
    source = ["--histograms", "x.npy", "--coordinates", "v.npy", "--labels", "labels.txt"]
    (folder / "labels.txt").write_text("a\nb\n" * (rows // 2))
    subprocess.run(
        [navvy, "build", *source, "-o", "x.navvy"], cwd=folder, check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="module")
def slow(navvy, tmp_path_factory):
    """An index on which exact distances of all pairs take minutes."""
    return random_index(navvy, tmp_path_factory.mktemp("slow"), 2000, 200, 2)


@pytest.fixture(scope="module")
def wide(navvy, tmp_path_factory):
    """One exact distance takes long, and bounds leave many rows to solve."""
    return random_index(navvy, tmp_path_factory.mktemp("wide"), 6000, 500, 3)


LONG_WORK = [
    ["distances", "x.navvy", "--measure", "emd", "-o", "d.npy"],
    ["knn", "x.navvy", "--measure", "emd", "-o", "g.npz"],
    ["search", "x.navvy", "--row", ":", "--measure", "emd"],
    ["evaluate", "x.navvy", "--measures", "emd", "--top", "1"],
]


def seconds_of(process) -> float:
    """The processor time that a running process has taken."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share_after_ctrl_c(navvy, folder, arguments, seconds) -> float:
    """How much processor time it takes to stop, as a share of the time worked before.

    Both depend in the same way on how fast the machine is and how busy with other work.
    """
    process = subprocess.Popen(
        [navvy, *arguments, "--threads", "2"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    while (before := seconds_of(process)) < seconds:
        assert process.poll() is None, "the work ended before it could be interrupted"
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    with process.stdout as output:
        assert output.read() == b""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 130
    return (usage.ru_utime + usage.ru_stime - before) / before


@pytest.mark.parametrize("arguments", LONG_WORK, ids=lambda arguments: arguments[0])
def test_an_interrupt_is_obeyed_at_once(navvy, slow, arguments):
    before = sorted(slow.iterdir())
    assert share_after_ctrl_c(navvy, slow, arguments, seconds=1) < 1
    assert sorted(slow.iterdir()) == before


@pytest.mark.parametrize(
    "work",
    [
        ["search", "x.navvy", "--row", "7", "--top", "1400"],
        ["search", "x.navvy", "--row", ":", "--top", "1400"],
        ["distances", "x.navvy", "-o", "d.npy"],
    ],
    ids=str,
)
def test_an_interrupt_is_obeyed_among_large_solves(navvy, wide, work):
    """Bounds are done by then: what is interrupted are solves of 500 by 500 bins, many more than
    can be done before."""
    work = [*work, "--measure", "emd"]
    assert share_after_ctrl_c(navvy, wide, work, seconds=4) < 1


def interrupted_in_the_middle(command, folder, parts) -> bool:
    """Whether an interrupt after the first results came before the last ones."""
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL) as process:
        while not (parts.exists() and parts.stat().st_size > 1000) and process.poll() is None:
            time.sleep(0.001)
        process.send_signal(signal.SIGINT)
        return process.wait() == 130


def test_a_graph_can_be_resumed(navvy, tmp_path):
    random_index(navvy, tmp_path, 150, 60, 3)
    question = [navvy, "knn", "x.navvy", "--measure", "sinkhorn"]
    subprocess.run([*question, "-o", "at-once.npz"], cwd=tmp_path, check=True, capture_output=True)
    # Saved after every row: a save comes long before the end, however fast the machine is.
    resumed = [*question, "--resume", "--save-every", "0", "-o", "g.npz"]
    parts = tmp_path / "g.npz.parts"
    # This process may be woken so late that the work is done; not time after time.
    for _ in range(20):
        if interrupted_in_the_middle(resumed, tmp_path, parts):
            break
        (tmp_path / "g.npz").unlink()
    assert parts.exists() and not (tmp_path / "g.npz").exists()
    saved = parts.read_bytes()

    def refused(command) -> tuple[int, str]:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        return done.returncode, done.stderr

    code, message = refused([*resumed, "--top", "5"])
    assert code == 2 and "g.npz.parts: belongs to another" in message
    parts.write_bytes(saved[:-1])
    code, message = refused(resumed)
    assert code == 3 and "g.npz.parts: " in message
    parts.write_bytes(saved)
    subprocess.run(resumed, cwd=tmp_path, check=True, capture_output=True)
    assert not parts.exists()
    assert (tmp_path / "g.npz").read_bytes() == (tmp_path / "at-once.npz").read_bytes()


def test_progress_speaks_of_the_time_left(navvy, data, slow):
    time_left = r"\d+ %  (\d+:)?\d+:\d\d left"
    command = [navvy, "search", slow / "x.navvy", "--row", "0:50", "--measure", "emd"]
    assert re.search(time_left, in_terminal(command, until=time_left, TERM="xterm"))
    quiet = subprocess.run(
        [navvy, "knn", data.index, "-o", slow / "h.npz", "--json"], capture_output=True, check=True
    )
    assert quiet.stderr == b""


def test_quiet_shows_no_progress(navvy, slow):
    parent, child = pty.openpty()
    process = subprocess.Popen(
        [navvy, "search", slow / "x.navvy", "--row", ":", "--measure", "emd", "--quiet"],
        stdout=child,
        stderr=child,
        env={"TERM": "xterm"},
    )
    os.close(child)
    while seconds_of(process) < 2:
        assert process.poll() is None, "the work ended before it could be interrupted"
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    output = b""
    while True:
        try:
            output += os.read(parent, 65536)
        except OSError:  # the end of a terminal
            break
    os.close(parent)
    assert process.wait() == 130 and b"%" not in output


def test_a_loop_of_links_is_not_replaced(call, images, tmp_path):
    (tmp_path / "a.navvy").symlink_to("b.navvy")
    (tmp_path / "b.navvy").symlink_to("a.navvy")
    line = call.fails(2, "build", "--images", images / "all.idx", "-o", "a.navvy")
    assert "a.navvy: is a loop of links; expected a name for a navvy index" in line
    assert os.readlink(tmp_path / "a.navvy") == "b.navvy"


def is_asleep(process) -> bool:
    """Waiting for something other than a disk."""
    return Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "S"


def test_who_ends_a_build_is_told_that_its_output_was_written(navvy, images, tmp_path):
    """Nobody reads what the command prints once it has written the index, so there it waits."""
    output = tmp_path / "x.navvy"
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with pytest.raises(BlockingIOError):
        while True:
            os.write(writer, bytes(4096))
    os.set_blocking(writer, True)
    command = [navvy, "build", "--images", images / "all.idx", "-o", output]
    process = subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE, text=True)
    while not (output.exists() and is_asleep(process)):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    _, message = process.communicate()
    for end in (reader, writer):
        os.close(end)
    assert process.returncode == 130
    assert message.endswith(f"navvy: interrupted; {output} was written before\n")
