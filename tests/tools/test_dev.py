"""`./dev` sets up what is missing, once, and says what to do where it may not; fake tools."""

import os
import shutil
import subprocess

import pytest

# What a stand-in does beside writing down how it was called.
TOOLS = {
    "apt-get": """[ "$1" = update ] || [ "$FAKE_APT" != "${*##* }" ]""",
    "id": 'echo "$FAKE_USER"',
    "sudo": "exit 1",
    "dpkg-query": 'cat "$FAKE_INSTALLED"',
    "cmake": """
        tests=ON
        [ "$2" = command ] && tests=OFF
        mkdir -p build/release && touch build/release/build.ninja
        echo "NAVVY_BUILD_TESTS:BOOL=$tests" >build/release/CMakeCache.txt""",
    "ninja": "",
    "git": "",
    "clang-format-14": "",
    "python3": """
        [ "$1" = --version ] && echo Python 3.11 && exit
        mkdir -p .venv/bin
        printf '#!/bin/sh\\necho "pip $*" >>"$FAKE_LOG"\\n' >.venv/bin/pip
        printf '#!/bin/sh\\n' >.venv/bin/ruff
        chmod +x .venv/bin/*""",
}


class Machine:
    """A folder with ./dev and what it reads; knows which packages are installed and who calls."""

    def __init__(self, folder, root):
        self.folder = folder
        self.log = folder / "log"
        self.packages = []
        for line in (root / "packages.txt").read_text().splitlines():
            self.packages += line.split("#")[0].split()
        for name in ("dev", "packages.txt", "requirements-dev.txt", "CMakePresets.json"):
            shutil.copy(root / name, folder)
        tools = folder / "tools"
        tools.mkdir()
        for name, action in TOOLS.items():
            (tools / name).write_text(
                f'#!/bin/sh\nprintf "%s\\n" "{name} $*" >>"$FAKE_LOG"\n{action}\n'
            )
            (tools / name).chmod(0o755)

    def run(self, *arguments, installed, user=0, unknown=""):
        """Runs ./dev; returns what was done and the lines that the tools were called with. One
        package may be `unknown` to apt-get."""
        lines = "".join(f"installed {name}\n" for name in installed)
        (self.folder / "installed").write_text(lines)
        self.log.write_text("")
        environment = {
            "PATH": f"{self.folder / 'tools'}:{os.environ['PATH']}",
            "FAKE_LOG": str(self.log),
            "FAKE_INSTALLED": str(self.folder / "installed"),
            "FAKE_USER": str(user),
            "FAKE_APT": unknown,
        }
        done = subprocess.run(
            [self.folder / "dev", *arguments], env=environment, capture_output=True, text=True
        )
        return done, self.log.read_text().splitlines()

    def needs(self, *command):
        """The packages that ./dev says a command needs."""
        return self.run("packages", *command, installed=[])[0].stdout.split()


@pytest.fixture
def machine(root, tmp_path):
    return Machine(tmp_path, root)


def calls(lines, *tools):
    return [line for line in lines if line.split()[0] in tools]


def test_without_rights_one_line_names_the_packages(machine):
    missing = sorted(machine.packages)[:3]
    there = [name for name in machine.packages if name not in missing]
    done, lines = machine.run("bench", installed=there, user=1000)
    assert done.returncode == 1 and done.stdout == ""
    wanted = f"dev: no rights to install packages; please run: apt-get install {' '.join(missing)}"
    assert done.stderr == wanted + "\n"
    assert not calls(lines, "apt-get", "cmake", "ninja")


def test_root_installs_what_is_missing(machine):
    there, missing = machine.packages[1:], machine.packages[0]
    assert missing in machine.needs("build")
    done, lines = machine.run("build", installed=there)
    assert done.returncode == 0, done.stderr
    assert calls(lines, "apt-get") == [
        "apt-get update",
        f"apt-get install -y --no-install-recommends {missing}",
    ]
    assert [line.split()[0] for line in lines[-2:]] == ["cmake", "ninja"]


JAVA = "openjdk-17-jre-headless"
SKIPS = f"; tests skip what wants {JAVA}"


@pytest.mark.parametrize(("user", "why"), [(0, "apt-get failed"), (1000, "no rights to install")])
def test_tests_go_on_without_java(machine, user, why):
    there = [name for name in machine.packages if name != JAVA]
    done, lines = machine.run("bench", installed=there, user=user, unknown=JAVA)
    assert calls(lines, "ninja") and f"dev: warning: {why}" in done.stderr and SKIPS in done.stderr
    assert f"apt-get install -y --no-install-recommends {JAVA}" in lines or user
    done, lines = machine.run("build", "core_test", installed=there, user=user, unknown=JAVA)
    assert done.returncode == 0 and not calls(lines, "apt-get", "sudo")


def test_what_is_needed_ends_where_it_cannot_be_installed(machine):
    there = [name for name in machine.packages if name != "cmake"]
    done, lines = machine.run("test", installed=there, unknown="cmake")
    assert done.returncode == 1 and not calls(lines, "ninja")
    assert done.stderr == "dev: apt-get failed; please run: apt-get install cmake\n"


def test_a_second_run_sets_nothing_up(machine):
    for command, tools in (("build", ("cmake",)), ("format", ("pip",))):
        _, first = machine.run(command, installed=machine.packages, user=1000)
        done, second = machine.run(command, installed=machine.packages, user=1000)
        assert done.returncode == 0, done.stderr
        assert calls(first, *tools) and not calls(second, "apt-get", "sudo", *tools)


def test_the_demo_asks_for_no_tool_of_the_tests(machine):
    demo = machine.needs("demo")
    assert demo == machine.needs("build") == machine.needs("demo", "--json")
    assert {"cmake", "g++", "libhwy-dev"} <= set(demo) < set(machine.needs("wheel"))
    assert not {
        "chromium",
        "clang-14",
        "doxygen",
        "libgtest-dev",
        "liblemon-dev",
        "python3-dev",
    } & set(demo)
    for command in ("test", "lint", "bench", "build all"):
        assert machine.needs(*command.split()) == sorted(machine.packages)
    done, lines = machine.run("build", installed=demo, user=1000)
    assert done.returncode == 0 and not calls(lines, "apt-get", "sudo"), done.stderr


def test_tests_are_configured_once_somebody_builds_them(machine):
    for targets, configured in (
        ((), ["cmake --preset command"]),
        (("core_test",), ["cmake --preset release"]),
        (("all",), []),
        ((), []),  # the folder keeps its tests
    ):
        _, lines = machine.run("build", *targets, installed=machine.packages)
        assert calls(lines, "cmake") == configured
        assert lines[-1] == f"ninja -C build/release --quiet {' '.join(targets) or 'navvy_cli'}"


def test_the_packages_of_no_command_are_refused(machine):
    done, lines = machine.run("packages", "biuld", installed=[])
    assert (done.returncode, done.stderr) == (1, "dev: no such command: biuld (see ./dev help)\n")


def test_an_unknown_command_is_named(machine):
    done, lines = machine.run("biuld", installed=[], user=1000)
    assert (done.returncode, lines) == (1, [])
    assert done.stderr == "dev: no such command: biuld (see ./dev help)\n"


def test_help_names_every_command(machine, root):
    text = machine.run("help", installed=[])[0].stdout
    for line in (root / "dev").read_text().splitlines():
        if line.startswith("command_"):
            assert f"./dev {line.removeprefix('command_').split('(')[0]}" in text
