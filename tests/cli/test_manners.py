"""Help, completion, streams, signals: how the command behaves towards people and scripts."""

import os
import pty
import re
import signal
import subprocess
import time

import numpy as np
import pytest
import scipy.sparse

VERBS = "build info search knn distances compare evaluate demo add remove merge verify completion"


@pytest.mark.parametrize("verb", VERBS.split())
def test_every_verb_has_help_with_examples(call, verb):
    text = call(verb, "--help").stdout
    assert f"Usage: navvy {verb}" in text and "Examples:" in text
    assert re.search(rf"^  .*navvy {verb}", text, re.MULTILINE)
    if verb != "completion":
        assert {"--json", "--threads", "--memory"} <= set(re.findall(r"--[a-z]+", text))


def test_help_names_every_verb(call):
    text = call("--help").stdout
    assert re.findall(r"^  ([a-z]+)  ", text, re.MULTILINE) == VERBS.split()
    assert call(code=2).stderr == text


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
    for shell in ("zsh", "fish"):
        script = call("completion", shell).stdout
        assert all(verb in script for verb in VERBS.split())


def in_terminal(command, **environment) -> str:
    """What the command writes when stdout and stderr are a terminal."""
    parent, child = pty.openpty()
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=child, stderr=child, env=environment
    )
    os.close(child)
    output = b""
    while True:
        try:
            part = os.read(parent, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            break
        output += part
    os.close(parent)
    assert process.wait() == 0
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
    return random_index(navvy, tmp_path_factory.mktemp("wide"), 1500, 500, 3)


LONG_WORK = [
    ["distances", "x.navvy", "--measure", "emd", "-o", "d.npy"],
    ["knn", "x.navvy", "--measure", "emd", "-o", "g.npz"],
    ["search", "x.navvy", "--row", ":", "--measure", "emd"],
    ["evaluate", "x.navvy", "--measures", "emd", "--top", "1"],
]


def seconds_to_stop(navvy, folder, arguments, after=0.7) -> float:
    """From Ctrl-C in the middle of the work to the end of the process."""
    process = subprocess.Popen(
        [navvy, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(after)
    assert process.poll() is None, "the work ended before it could be interrupted"
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert output == b""
    return time.monotonic() - start


@pytest.mark.parametrize("arguments", LONG_WORK, ids=lambda arguments: arguments[0])
def test_an_interrupt_is_obeyed_at_once(navvy, slow, arguments):
    before = sorted(slow.iterdir())
    # A machine busy with other work may wake a process late, so one prompt end of five suffices.
    assert any(seconds_to_stop(navvy, slow, arguments) < 0.2 for _ in range(5))
    assert sorted(slow.iterdir()) == before


@pytest.mark.parametrize(
    "work",
    [
        ["search", "x.navvy", "--row", "7", "--top", "100"],
        ["search", "x.navvy", "--row", ":", "--top", "100"],
        ["distances", "x.navvy", "-o", "d.npy"],
    ],
    ids=str,
)
def test_an_interrupt_is_obeyed_among_large_solves(navvy, wide, work):
    """Bounds are long done: what is interrupted are solves of 500 by 500 bins."""
    work = [*work, "--measure", "emd"]
    assert any(seconds_to_stop(navvy, wide, work, after=2.5) < 0.2 for _ in range(5))


def test_a_graph_can_be_resumed(navvy, slow):
    question = [navvy, "knn", "x.navvy", "--measure", "act-1"]
    subprocess.run([*question, "-o", "at-once.npz"], cwd=slow, check=True, capture_output=True)
    process = subprocess.Popen([*question, "--resume", "-o", "g.npz"], cwd=slow)
    parts = slow / "g.npz.parts"
    while not (parts.exists() and parts.stat().st_size > 1000) and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130, "the work ended before it could be interrupted"
    assert parts.exists() and not (slow / "g.npz").exists()
    with open(parts, "ab") as file:
        file.write(b"half a block")
    other = [*question, "--top", "5", "--resume", "-o", "g.npz"]
    refused = subprocess.run(other, cwd=slow, capture_output=True, text=True)
    assert refused.returncode == 2 and "belongs to another" in refused.stderr
    done = [*question, "--resume", "-o", "g.npz"]
    subprocess.run(done, cwd=slow, check=True, capture_output=True)
    assert not parts.exists()
    first, second = (scipy.sparse.load_npz(slow / name) for name in ("at-once.npz", "g.npz"))
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(first, part), getattr(second, part))


def test_progress_speaks_of_the_time_left(navvy, data, slow):
    command = [navvy, "distances", slow / "x.navvy", "--measure", "ict", "--threads", "1"]
    command += ["-o", slow / "D.npy"]
    shown = in_terminal(command, TERM="xterm")
    assert re.search(r"\d+ %  \d+:\d\d left", shown)
    quiet = subprocess.run(
        [navvy, "knn", data.index, "-o", slow / "h.npz", "--json"], capture_output=True, check=True
    )
    assert quiet.stderr == b""
