"""Serves a model by llama.cpp's HTTP server until a signal: `serve.py SETTINGS`, a JSON object.

`model` and `context` are required; `slots`, `threads` and `template` (a path) are not. It prints the address on a line.
"""

import json
import signal
import sys

import xllamacpp


def serve(model, context, slots=1, threads=2, template=None):
    settings = xllamacpp.CommonParams()
    settings.model.path = model
    settings.n_ctx = context * slots
    settings.n_parallel = slots
    settings.port = 0
    settings.use_jinja = True
    settings.ui = False
    for cpu in (settings.cpuparams, settings.cpuparams_batch):
        cpu.n_threads = threads
    if template is not None:
        with open(template, encoding="utf-8") as text:
            settings.chat_template = text.read()
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    signal.sigwait([signal.SIGTERM, signal.SIGINT])


serve(**json.loads(sys.argv[1]))
