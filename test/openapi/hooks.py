"""What Schemathesis has to know of this service beyond its OpenAPI documents."""

import json
import re

import schemathesis

# Refusals that no JSON Schema can express: they compare one part of a request with another, or with what is stored or
# configured. Each is a pattern of the path and one of `field: message` in the answer's details.
SEMANTIC_REFUSALS = [
    (r"", r"cursor: cursor is not one of a page"),
    (r"", r"body: Object contains forbidden prototype property"),
    (r"", r".*: must not have a min above its max"),
    (r"", r".*: must not end before it starts"),
    (r"", r".*: must end in the check digit of"),
    (r"", r".*: There is no (facility|shipment|contaminant|inspection) "),
    (r"^/api/memory", r"relationships\.\w+.*: .* (names no memory of this user|is not a memory of this session)"),
    (r"/(mcp|execute-with-llm|workflow/execute)$", r"query: "),
    (r"^/api/workflow/workflows", r"id: .* comes with the service and cannot be changed"),
    (r"^/api/workflow/", r"(dependsOn|when|config\.\w+.*|forEach(\.\w+.*)?): "),
    (r"^/api/workflow/", r"type: There is no tool named"),
    (r"/classify-batch$", r"queries.*: repeats the id"),
    (r"/initialize$", r".*: is needed, because \w+ is not set"),
    (r"/initialize$", r".*embedding\.model: has to be one of"),
    (r"/initialize$", r".*graphdb\.(username|password): is needed too"),
    (r"^/api/tools/register$", r"(execute|parameters).*"),
    (r"^/api/facilities", r"licence.validUntil: must not be before validFrom"),
    (r"^/api/shipments", r"\w+(\.max)?: must not be (planned|cancelled|before|given|below)"),
    (r"^/api/contaminants", r"detections\[\d+\]\.\w+: must not be given beside"),
    (r"^/api/(contaminants|inspections)", r".*(facilityId|shipmentId|lot): is required unless"),
    (r"^/api/(facilities|shipments|contaminants|inspections)/", r"id: .*: an id does not change"),
]


@schemathesis.check
def refusals_are_documented(ctx, response, case):
    """What the documents allow is accepted, or refused for a reason that no schema can express."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 400:
        return
    details = response.json().get("details", {})
    reason = f"{details.get('field')}: {details.get('message')}"
    for path, pattern in SEMANTIC_REFUSALS:
        if re.search(path, case.operation.path) and re.match(pattern, reason):
            return
    raise AssertionError(f"the document allows a request that is refused: {response.text[:500]}")


@schemathesis.check
def faults_are_expected(ctx, response, case):
    """A 500 tells of a tool or a run that failed, never of an unexpected error."""
    if response.status_code == 500:
        assert "Internal server error" not in response.text, response.text[:500]


@schemathesis.deserializer("application/x-ndjson")
def read_ndjson(ctx, response):
    """The schema is that of one item; all lines have to be JSON."""
    lines = [json.loads(line) for line in response.text.split("\n") if line]
    return lines[-1]


@schemathesis.serializer("application/x-ndjson")
def write_ndjson(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
