"""A service behind a URL: which may be asked, how long an answer is waited for, and when it is asked again."""

import ipaddress
import json
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Collection, Mapping
from email.message import Message
from http.client import HTTPException, HTTPResponse
from typing import IO, Any
from urllib.parse import SplitResult, urlsplit

from context_graph.errors import ContextGraphError

__all__ = ["Service", "checked_url"]

FIRST_PAUSE_S = 0.5
AGAIN = {408, 425, 429, 500, 502, 503, 504}
READ_AT_ONCE = 65_536


class Service:
    """Takes JSON by POST at one URL. Neither redirections nor proxies are followed.

    Parameters
    ----------
    url : SplitResult
        A `checked_url`, with its whole path.
    where : str
        The model and its service, for a person.
    failure : type
        The error of an answer that is none.
    advice : str
        What to do about a service that is away.
    key_variable : str, optional
        The environment variable with the key, which is read for each request and never told.
    silence_s, whole_s : float
        How long the next part of an answer is waited for, and how long all of it after its beginning.
    attempts : int
        Requests before it is given up, after longer and longer pauses.
    max_bytes : int
        Of an answer.
    sleep : callable
        Waits some seconds before a request is made again.
    """

    def __init__(
        self,
        url: SplitResult,
        *,
        where: str,
        failure: type[ContextGraphError],
        advice: str,
        key_variable: str | None = None,
        silence_s: float,
        whole_s: float | None = None,
        attempts: int,
        max_bytes: int,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.url, self.where = url, where
        self._failure, self._advice, self._key_variable = failure, advice, key_variable
        self._silence_s, self._whole_s, self._attempts, self._max_bytes = silence_s, whole_s, attempts, max_bytes
        self._sleep = sleep
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirect())

    def post(self, body: Mapping[str, Any]) -> bytes:
        """The answer to one request, which is made again where that may help.

        Raises
        ------
        ContextGraphError
            A `failure`: it is away, refuses, or says too much.
        """
        data = json.dumps(body).encode()
        for attempt in range(self._attempts):
            try:
                return self._answer(data)
            except _Passing as trouble:
                if attempt == self._attempts - 1:
                    raise self._failure(
                        f"{self.where} did not answer in {self._attempts} attempts: {trouble}; {self._advice}"
                    ) from trouble
                self._sleep(FIRST_PAUSE_S * 2**attempt)
        raise AssertionError("unreachable")

    def _answer(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        key = None
        if self._key_variable is not None:
            key = os.environ.get(self._key_variable, "").strip()
            if not key or not key.isascii() or not key.isprintable():
                raise self._failure(
                    f"expected the key of {self.where} in {self._key_variable}, which is not set or no line of ASCII"
                )
            headers["Authorization"] = f"Bearer {key}"
        try:
            request = urllib.request.Request(self.url.geturl(), body, headers, method="POST")
            with self._opener.open(request, timeout=self._silence_s) as answer:
                return self._read(answer)
        except urllib.error.HTTPError as error:
            with error:
                reason = error.read(2_000).decode("utf-8", "replace").strip()
            reason = (reason.replace(key, "[key]") if key else reason)[:200]
            if error.code in AGAIN:
                raise _Passing(f"status {error.code} {reason}") from None
            raise self._failure(f"{self.where} refused with status {error.code}: {reason}") from None
        except UnicodeError:
            raise self._failure(f"expected a URL of ASCII, got {self.url.geturl()[:100]!r}") from None
        except (OSError, HTTPException) as error:  # URLError and time-outs are OSErrors
            raise _Passing(str(getattr(error, "reason", error)) or type(error).__name__) from None

    def _read(self, answer: HTTPResponse) -> bytes:
        end = None if self._whole_s is None else time.monotonic() + self._whole_s
        data = b""
        while part := answer.read1(READ_AT_ONCE):
            data += part
            if len(data) > self._max_bytes:
                raise self._failure(
                    f"expected an answer of at most {self._max_bytes} bytes from {self.where}, got more; nothing of it "
                    "is used"
                )
            if end is not None and time.monotonic() > end:
                raise _Passing(f"its answer took longer than {self._whole_s:g} s")
        if answer.length:
            raise _Passing(f"its answer broke off {answer.length} bytes before its end")
        return data


class _Passing(Exception):
    """Trouble that may pass."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Texts go where the user said, and nowhere else."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> None:
        return None  # which urllib turns into an HTTPError


def checked_url(
    url: str, hosts: Collection[str] = (), *, failure: type[ContextGraphError], key_option: str
) -> SplitResult:
    """The parts of a URL that texts may be sent to: of this machine, or of a host that the settings allow.

    Parameters
    ----------
    failure : type
        The error of a URL that is none of these.
    key_option : str
        What names the variable with the key.

    Raises
    ------
    ContextGraphError
        It is no such URL.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError as error:
        raise failure(f"{url[:100]!r} is no URL: {error}") from error
    if parts.username or parts.password:
        raise failure(f"expected a URL without a password; name the variable that holds the key: {key_option}")
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise failure(f"expected a URL such as http://localhost:11434, got {url[:100]!r}")
    if not _of_this_machine(host) and host.lower() not in {one.strip().lower() for one in hosts}:
        raise failure(f"texts of memories would leave this machine for {host}; set model_hosts to it if they may")
    return parts


def _of_this_machine(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
