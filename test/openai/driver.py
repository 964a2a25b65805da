"""Calls OpenAI's client as lines of JSON on standard input say, each in a thread, and writes what it gives as lines of JSON.

The client refuses answers that do not have the types which OpenAI publishes.
"""

import json
import sys
import threading
from functools import reduce

import openai

writing = threading.Lock()


def write(message):
    with writing:
        print(json.dumps(message), flush=True)


def run(order):
    number = order["id"]
    try:
        # Embeddings are checked before they are decoded, so that the client would refuse all of them.
        strict = order["path"] != "embeddings.create"
        client = openai.OpenAI(
            base_url=order["url"], api_key=order["key"], max_retries=0, _strict_response_validation=strict
        )
        method = reduce(getattr, order["path"].split("."), client)
        result = method(*order["args"], **order["params"])
        if isinstance(result, openai.Stream):
            with result:
                for event in result:
                    write({"id": number, "event": event.to_dict(mode="json")})
                    if "until" in order and event.type == order["until"]:
                        break
            result = None
        write({"id": number, "result": None if result is None else result.to_dict(mode="json")})
    except Exception as error:
        facts = {name: getattr(error, name, None) for name in ("code", "param")}
        status = getattr(error, "status_code", None)
        write({"id": number, "error": {"name": type(error).__name__, "message": str(error), "status": status, **facts}})


for line in sys.stdin:
    threading.Thread(target=run, args=(json.loads(line),), daemon=True).start()
