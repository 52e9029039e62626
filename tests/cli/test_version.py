"""The command says who it is."""

import re
import subprocess


def test_version_is_that_of_the_project(navvy, root):
    done = subprocess.run([navvy, "--version"], capture_output=True, text=True, check=True)
    version = re.search(r"project\(navvy VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text())[
        1
    ]
    first, second = done.stdout.splitlines()
    assert first == f"navvy {version}"
    assert second.startswith("kernels: ")
