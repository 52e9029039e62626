"""Makes the pictures of the gallery: each program of examples/gallery writes one to docs/images.

python tools/gallery.py [NAME...]
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    for program in sorted((ROOT / "examples" / "gallery").glob("*.py")):
        if sys.argv[1:] and program.stem not in sys.argv[1:]:
            continue
        picture = ROOT / "docs" / "images" / f"gallery-{program.stem}.png"
        subprocess.run([sys.executable, program, picture], check=True)


if __name__ == "__main__":
    main()
