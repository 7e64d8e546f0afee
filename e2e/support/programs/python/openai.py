"""The part of OpenAI's library for Python that the console's snippets use, for machines without it."""

import json
import urllib.request
from types import SimpleNamespace


def _record(fields):
    return SimpleNamespace(**{"content": None, "delta": None, "message": None, **_texts(fields), **fields})


def _texts(fields):
    if fields.get("object") != "response":
        return {}
    parts = [part for item in fields["output"] for part in item.content or []]
    return {"output_text": "".join(part.text for part in parts if part.type == "output_text")}


class _Calls:
    def __init__(self, client, path):
        self._client = client
        self._path = path

    def create(self, *, extra_body=None, stream=None, **fields):
        body = {**fields, **(extra_body or {}), **({} if stream is None else {"stream": stream})}
        reply = self._client.send(self._path, body)
        if stream:
            return self._events(reply)
        return json.loads(reply.read(), object_hook=_record)

    def _events(self, reply):
        for line in reply:
            data = line.decode().removeprefix("data:").strip()
            if line.startswith(b"data:") and data != "[DONE]":
                yield json.loads(data, object_hook=_record)


class OpenAI:
    def __init__(self, *, base_url, api_key):
        self._base_url = base_url
        self._api_key = api_key
        self.chat = SimpleNamespace(completions=_Calls(self, "/chat/completions"))
        self.responses = _Calls(self, "/responses")

    def send(self, path, body):
        headers = {"authorization": f"Bearer {self._api_key}", "content-type": "application/json"}
        data = json.dumps(body).encode()
        return urllib.request.urlopen(urllib.request.Request(self._base_url + path, data, headers))
