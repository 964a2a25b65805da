"""What Schemathesis has to know of this service beyond its OpenAPI documents."""

import json
import re

import schemathesis
from hypothesis import strategies

# Schemathesis covers a header by letters and digits alone, and would send what the document forbids where its pattern asks
# for quotes: every request of its coverage phase with `If-Match` would be refused for that header, and show nothing else.
ENTITY_TAGS = strategies.sampled_from(["*", '"1"', 'W/"1"', '"1", W/"of,two"'])
schemathesis.openapi.format("entity-tags", ENTITY_TAGS)


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    for operations in raw_schema["paths"].values():
        for operation in operations.values():
            for parameter in operation.get("parameters", []):
                if parameter["name"] in ("If-Match", "If-None-Match"):
                    parameter["schema"]["format"] = "entity-tags"


EXECUTE_CUSTOM = r"POST /api/workflow/execute-custom"
CUSTOM = r"POST /api/workflow/(workflows|execute-custom)"

# Refusals that no JSON Schema can express. Each is a pattern of the operation and one of `field: message` in the answer's
# details, and has to match the whole of them.
SEMANTIC_REFUSALS = [
    # A cursor is what an earlier page has given.
    (r"GET /api/(facilities|shipments|contaminants|inspections|memory/list/\{userId\})", r"cursor: cursor is not one of a page"),
    (r"GET /api/(runs|approvals)", r"cursor: cursor is not one of a page( with these filters)?"),
    # The parser refuses `__proto__` wherever it is, also where the document allows any name.
    (r"POST .*", r"body: Object contains forbidden prototype property"),
    # JSON Schema cannot compare two values of a request.
    (r"POST /api/(memory|memory-chat)/.*search", r"(filters\.)?importance: must not have a min above its max"),
    (r"POST /api/(memory|memory-chat)/.*search", r"(filters\.)?timeRange: must not end before it starts"),
    (r"(POST|PUT) /api/facilities.*", r"licence\.validUntil: must not be before validFrom"),
    (r"(POST|PUT) /api/shipments.*", r"destinationFacilityId: must be another facility than the origin"),
    (r"(POST|PUT) /api/shipments.*", r"arrivedAt: must not be before departedAt"),
    (r"(POST|PUT) /api/shipments.*", r"plannedArrivalAt: must not be before plannedDepartureAt"),
    (r"(POST|PUT) /api/shipments.*", r"temperatureLimitsCelsius\.max: must not be below min"),
    (r"(POST|PUT) /api/contaminants.*", r"detections\[\d+\]\.presentSince: must not be after detectedAt"),
    (r"PUT /api/(facilities|shipments|contaminants|inspections)/\{id\}", r'id: id is ".*", and the record of the path ".*": an id does not change'),
    (r"POST /api/intent-classifier/classify-batch", r"queries\[\d+\]\.id: repeats the id of queries\[\d+\]"),
    # It cannot compute a check digit.
    (r"(POST|PUT) /api/facilities.*", r"gln: must end in the check digit of a GLN"),
    (r"(POST|PUT) /api/shipments.*", r"sscc: must end in the check digit of a SSCC"),
    (r"(POST|PUT) /api/shipments.*", r"contents\[\d+\]\.gtin: must end in the check digit of a GTIN"),
    # It does not know what is stored.
    (r"(POST|PUT) /api/shipments.*", r'(origin|destination)FacilityId: There is no facility ".*"'),
    (r"(POST|PUT) /api/contaminants.*", r'detections\[\d+\]\.(facilityId: There is no facility|shipmentId: There is no shipment) ".*"'),
    (r"(POST|PUT) /api/inspections.*", r'(facilityId: There is no facility|shipmentId: There is no shipment) ".*"'),
    (r"(POST|PUT) /api/(memory/(episodic|semantic)|memory-chat/knowledge).*", r"relationships\.(\w+): relationships\.\1 names no memory of this user"),
    (r"(POST|PUT) /api/memory/episodic.*", r"relationships\.(previous|next): relationships\.\1 is not a memory of this session"),
    (r"(POST|DELETE) /api/workflow/workflows(/\{id\})?", r'id: "[a-z-]+" comes with the service and cannot be changed; choose another id'),
    # The inputs of a workflow that is named by its id are declared where it is kept.
    (EXECUTE_CUSTOM, r'inputs\..*: is required by "[a-z0-9-]+"'),
    (EXECUTE_CUSTOM, r'inputs\..*: is not an input of "[a-z0-9-]+"; it takes .*'),
    # It cannot say that a field belongs to a value of another one.
    (r"POST /api/approvals/\{approvalId\}", r"(args|budget): has no meaning where .*"),
    (r"GET /api/runs", r"sessionId: sessionId needs userId, because a session belongs to a user"),
    (r"GET /api/runs", r"workflowId: workflowId cannot be combined with \w+"),
    (r"POST /api/mcp-servers", r"(url|headers|auth|command|args|env)(\..*)?: .*"),
    (r"POST /api/mcp-servers/\{name\}/login", r"name: The server .* has no login; add it with auth"),
    # It does not know what is configured.
    (r"POST /api/(agent|memory-chat)/initialize", r"(memoryConfig|config)\.graphdb\.uri: is needed, because NEO4J_URI is not set"),
    (r"POST /api/(agent|memory-chat)/initialize", r"(memoryConfig|config)\.vectordb\.apiKey: is needed, because PINECONE_API_KEY is not set"),
    (r"POST /api/(agent|memory-chat)/initialize", r"(memoryConfig|config)\.embedding\.model: has to be one of .*; the setting MEMORY_EMBEDDING_MODELS lists others that may be named"),
    # It cannot say that one list has names of another.
    (r"POST /api/tools/register", r"parameters\.required\[\d+\]: must be the name of one of the properties"),
    # Sentences, source and templates have grammars of their own.
    (r"POST /api/(tools/mcp|workflow/execute)", r'query: No tool fits (what the text asks for|".*")\.'),
    (r"POST /api/tools/register", r"execute: (does not parse: .*|uses [\w()]+) at line \d+, column \d+.*"),
    (CUSTOM, r'when: (cannot be read from ".*" on|".*" is not expected there|ends where a value is expected|lacks a closing parenthesis)'),
    (CUSTOM, r"(config\.\w+|forEach\.items): \{\{.*\}\} is not a valid reference; pass text with double braces as an input"),
    (CUSTOM, r'(config\.\w+|forEach\.items|when): \{\{.*\}\}: there is no (step or )?input ".*"'),
    # Steps refer to each other, and to tools that are stored.
    (CUSTOM, r'id: There are two steps with the id ".*"'),
    (CUSTOM, r'dependsOn: (There is no step ".*"|The step ".*" does not come earlier)'),
    (EXECUTE_CUSTOM, r'config\.toolName: There is no tool named ".*"'),
    (EXECUTE_CUSTOM, r'type: There is no tool named "api_call", which steps of this type run'),
    # Where templates may stand, the document has to allow any text.
    (EXECUTE_CUSTOM, r"config\.url: must be an http or https address"),
    (EXECUTE_CUSTOM, r"config\.method: must be one of [A-Z, ]+"),
    (EXECUTE_CUSTOM, r"timeout: must be at most \d+ ms \((TOOL|LLM)_TIMEOUT_MS\)"),
    (EXECUTE_CUSTOM, r"retry\.maximumInterval: must be at least initialInterval, \d+ ms"),
]

# Faults that are the answer to a request and not to a fault of the service. Each is a pattern of the operation, the status,
# and a pattern of the text that says what happened; all three have to match whole.
EXPECTED_FAULTS = [
    # The run did what it was asked, and that fails.
    (r"POST /api/workflow/execute(-custom)?", 500, r'Step .* failed: The tool ".*" is a definition without an implementation'),
    # No model is configured here.
    (EXECUTE_CUSTOM, 500, r"Step .* failed: No language model is configured, and without one this cannot be answered\. .*"),
    # The stores and models that a caller names are not there.
    (r"POST /api/(agent|memory-chat)/initialize", 503, r"The (graph store|vector store|embedding model) cannot be used: .*"),
    (r"POST /api/memory/reindex", 503, r"The embedding model [\w/.-]+ cannot be used now; the log says why"),
]


@schemathesis.check
def refusals_are_documented(ctx, response, case):
    """What the documents allow is accepted, or refused for a reason that no schema can express."""
    meta = case.meta
    if meta is None or not meta.generation.mode.is_positive or response.status_code != 400:
        return
    details = response.json().get("details", {})
    reason = f"{details.get('field')}: {details.get('message')}"
    for operation, pattern in SEMANTIC_REFUSALS:
        if re.fullmatch(operation, case.operation.label) and re.fullmatch(pattern, reason, re.DOTALL):
            return
    raise AssertionError(f"the document allows a request that is refused: {response.text[:500]}")


@schemathesis.check
def faults_are_expected(ctx, response, case):
    """A 500 or a 503 is one of those that a request may ask for, whatever data it was made from."""
    if response.status_code not in (500, 503):
        return
    answer = response.json()
    for operation, status, pattern in EXPECTED_FAULTS:
        if status == response.status_code and re.fullmatch(operation, case.operation.label):
            # Areas differ in which of the two is the short title.
            if any(re.fullmatch(pattern, answer[name], re.DOTALL) for name in ("error", "message")):
                return
    raise AssertionError(f"no fault is expected here: {response.text[:500]}")


@schemathesis.deserializer("application/x-ndjson")
def read_ndjson(ctx, response):
    """The schema is that of one item; all lines have to be JSON."""
    lines = [json.loads(line) for line in response.text.split("\n") if line]
    return lines[-1]


@schemathesis.serializer("application/x-ndjson")
def write_ndjson(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
