"""The man page and the page of all verbs, from what the command says of itself.

Usage: help_pages.py NAVVY MAN_PAGE
"""

import re
import subprocess
import sys
from pathlib import Path

VERB = re.compile(r"^  ([a-z][a-z-]*)  ", re.MULTILINE)
ENVIRONMENT = """.SH ENVIRONMENT
.TP
.B NAVVY_KERNELS
The kernels to use: avx512, avx2 or baseline. By default the fastest that the machine can run.
.TP
.B NAVVY_DEVICE
Who computes where no \\-\\-device is given: cpu, gpu, cuda:0, opencl:0 or several with
commas. By default cpu.
.TP
.B NO_COLOR
If set, no colours.
"""


def help_of(navvy: Path, *verb: str) -> str:
    return subprocess.run(
        [navvy, *verb, "--help"], check=True, capture_output=True, text=True
    ).stdout


def verbs(navvy: Path) -> list[str]:
    return VERB.findall(help_of(navvy))


def escaped(text: str) -> str:
    """Text for groff: backslashes and hyphens are themselves, no line is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def verbatim(text: str) -> str:
    return f".nf\n.ft CR\n{escaped(text.strip())}\n.ft\n.fi\n"


def man_page(navvy: Path, version: str) -> str:
    text = f'.TH NAVVY 1 "" "navvy {version}" "User Commands"\n'
    text += ".SH NAME\nnavvy \\- nearest neighbours under the Earth Mover's Distance\n"
    text += ".SH SYNOPSIS\n.B navvy\n.I COMMAND\n.RI [ options ]\n"
    text += ".SH DESCRIPTION\n" + verbatim(help_of(navvy))
    text += ".SH COMMANDS\n"
    for verb in verbs(navvy):
        text += f".SS navvy {verb}\n" + verbatim(help_of(navvy, verb))
    return text + ENVIRONMENT


def document(navvy: Path) -> str:
    text = f"```text\n{help_of(navvy).strip()}\n```\n"
    for verb in verbs(navvy):
        text += f"\n## navvy {verb}\n\n```text\n{help_of(navvy, verb).strip()}\n```\n"
    return text


def main(navvy: Path, man: Path) -> None:
    version = subprocess.run([navvy, "--version"], check=True, capture_output=True, text=True)
    man.write_text(man_page(navvy, version.stdout.split()[1]))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
