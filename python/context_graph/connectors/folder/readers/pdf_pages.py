"""A process of its own: the path of a PDF on standard input, the text of its pages on standard output."""

import json
import logging
import resource
import sys
from typing import Any

__all__ = ["pages"]

MAX_PAGES, MAX_PAGE_CHARS = 1_000, 20_000
MAX_ROOM_BYTES, MAX_CPU_S = 1_500_000_000, 60


def pages(path: str) -> dict[str, Any]:
    """The pages with text, as [number, text]; or the reason why there are none."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(path)
        if reader.is_encrypted and not reader.decrypt(""):
            return {"reason": "needs a password"}
        texts = []
        for number, page in enumerate(reader.pages, 1):
            if number > MAX_PAGES:
                break
            text = page.extract_text()[:MAX_PAGE_CHARS].encode("utf-8", "replace").decode()
            if text.strip():
                texts.append([number, text])
    except MemoryError:
        return {"reason": "needs too much memory"}
    except (PyPdfError, ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError):
        return {"reason": "no PDF that can be read"}  # what a damaged file leads to
    return {"pages": texts} if texts else {"reason": "holds no text, only pictures"}


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MAX_ROOM_BYTES, MAX_ROOM_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
    print(json.dumps(pages(json.load(sys.stdin))))
