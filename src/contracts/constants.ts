// These are apart from the schemas, because modules that a workflow imports are evaluated for every run.

/**
 * Matches texts with more than white space. The byte order mark is listed, because JavaScript counts it as white space,
 * and other languages, whose programs read this pattern in the OpenAPI documents, do not.
 */
export const NOT_BLANK = /[^\s\uFEFF]/;

/**
 * The name in `_meta` of a tool call of MCP under which its idempotency key is: in calls that clients make of this service, and
 * in those that the service makes of remote servers.
 */
export const IDEMPOTENCY_META = 'holdfast/idempotencyKey';

/** The field of a result with what a remote tool sent beside its structured content: parts of the protocol, such as texts and images. */
export const CONTENT_MARK = '_content';
/** The field of a result that says in which respect it is not as the tool declares it. */
export const PROBLEM_MARK = '_problem';

/** The local model if the settings name none: what Ollama has after `ollama pull llama3.1`. */
export const DEFAULT_LOCAL_MODEL = 'llama3.1';
/** The address of the hosted provider if the settings name no other. */
export const OPENAI_URL = 'https://api.openai.com/v1';

/** Says as a part of a sentence why there are no rules that replace a language model. */
export const NO_RULES = 'the built-in rules are off (PLAIN_ENGLISH) or not installed';

/** The provider and the model of an answer that neither a model nor rules have written. */
export const NOT_ANSWERED = 'none';

/** Names of the built-in tools, in the order that lists show them. */
export const BUILTIN_TOOL_NAMES = ['calculator', 'api_call', 'json_reader', 'file_read', 'weather'] as const;
export type BuiltinToolName = (typeof BUILTIN_TOOL_NAMES)[number];

/** How names that callers chose are looked up: by the hosts file and the name servers, or by all that the system knows. */
export const NAME_SOURCES = ['servers', 'system'] as const;
export type NameSource = (typeof NAME_SOURCES)[number];
