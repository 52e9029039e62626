"""Debian's Chromium, driven through its debugging pipe: no package is needed for that."""

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest


class Chromium:
    """A headless browser with one tab."""

    def __init__(self, profile: Path):
        # The browser reads commands from descriptor 3 and writes answers to descriptor 4.
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        flags += ["--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe"]
        command = ["chromium", *flags, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", *command],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out = ours_in, ours_out
        self._buffer = b""
        self._number = 0
        self._session = None
        self._log = []
        target = self._first_tab()
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")

    def _first_tab(self) -> str:
        while True:
            for target in self.call("Target.getTargets")["targetInfos"]:
                if target["type"] == "page":
                    return target["targetId"]
            time.sleep(0.05)

    def _read(self) -> dict:
        while b"\0" not in self._buffer:
            part = os.read(self._in, 1 << 20)
            if not part:
                raise RuntimeError("Chromium ended")
            self._buffer += part
        message, self._buffer = self._buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method: str, **parameters) -> dict:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]
            self._log.append(answer)

    def _wait_for(self, event: str) -> None:
        while not any(entry.get("method") == event for entry in self._log):
            self._log.append(self._read())

    def open(self, page: Path, width: int, *, scheme: str = "light", media: str = "screen") -> None:
        """Shows a page as a window of this width would."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)
        self._log.clear()
        self.call("Page.navigate", url=page.as_uri())
        self._wait_for("Page.loadEventFired")

    def complaints(self) -> list[str]:
        """What the console said and what was fetched beside the page itself."""
        found = []
        for entry in self._log:
            method, parameters = entry.get("method"), entry.get("params", {})
            if method == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            elif method == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"]["text"])
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if url != parameters["documentURL"]:
                    found.append(f"asked for {url}")
        return found

    def ask(self, expression: str):
        """The value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def screenshot(self, path: Path) -> None:
        """The whole page, however long."""
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(picture["data"]))

    def close(self) -> None:
        self._session = None
        self.call("Browser.close")
        os.close(self._out)
        os.close(self._in)
        self._process.wait()


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    if shutil.which("chromium") is None:
        pytest.skip("no chromium in PATH; ./dev installs it on Debian")
    browser = Chromium(tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()
