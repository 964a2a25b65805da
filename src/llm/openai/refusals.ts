import { APIError } from 'openai';
import { isJsonObject } from '../../contracts/json';
import { type Body, imagesIn } from './messages';

/** A part of a request that some servers refuse. `request-body.ts` has another way for each. */
export type Feature =
  | 'sampling'
  | 'max_tokens'
  | 'max_completion_tokens'
  | 'stream_options'
  | 'required_choice'
  | 'schema_keywords'
  | 'response_format'
  | 'tool_messages'
  | 'tools'
  | 'null_content'
  | 'system';

interface Refusal {
  readonly feature: Feature;
  isIn(body: Body): boolean;
  /** How servers name it. */
  readonly named: RegExp;
  /** How they say that they do not take it; absent: `NOT_TAKEN`. */
  readonly refused?: RegExp;
  /**
   * How chat templates name it, which fail with 500 at some servers; absent: no template refuses it. Other words in such an
   * error describe a fault that may pass.
   */
  readonly inTemplate?: RegExp;
}

/** Those of servers and gateways, and those of chat templates that failed. */
const STATUSES: ReadonlySet<unknown> = new Set([400, 404, 422]);
const TEMPLATE_STATUSES: ReadonlySet<unknown> = new Set([500, 501]);
/** Codes by which OpenAI says that a parameter itself is refused, and not its value. */
const UNSUPPORTED: ReadonlySet<unknown> = new Set([
  'unsupported_value',
  'unsupported_parameter',
  'unknown_parameter',
]);
/** Codes of a value that another request may correct. */
const WRONG_VALUE = /above|below|max_value|min_value|out_of_range/;
const NOT_TAKEN =
  /(?:not|n't|no longer) (?:be |yet |currently )?(?:support|permit|allow|implement|available|recogni[sz]e|enabled|expected|accept)|unsupported (?:parameter|value|field)|unknown (?:name|field|parameter|argument|key)|unrecogni[sz]ed|unexpected(?! (?:end|eof|error)\b)|extra (?:inputs|fields)|deprecated|cannot both|unavailable|requires|forbidden|no endpoints/i;
/** Characters of a message that are looked at, since patterns take time that grows with its length. */
const MAX_SEARCHED = 2_000;

function hasField(body: Body, name: string): boolean {
  return (body as unknown as Readonly<Record<string, unknown>>)[name] != null;
}

/** The refusals, in the order in which they are looked for: the more special ones first. */
const REFUSALS: readonly Refusal[] = [
  {
    feature: 'sampling',
    isIn: ({ temperature, top_p: topP }) => temperature !== undefined || topP !== undefined,
    named: /\b(?:temperature|top_p)\b/i,
  },
  { feature: 'max_tokens', isIn: (body) => hasField(body, 'max_tokens'), named: /\bmax_tokens\b/ },
  {
    feature: 'max_completion_tokens',
    isIn: (body) => hasField(body, 'max_completion_tokens'),
    named: /\bmax_completion_tokens\b/,
  },
  {
    feature: 'stream_options',
    isIn: (body) => hasField(body, 'stream_options'),
    named: /\bstream_options\b/,
  },
  {
    feature: 'required_choice',
    isIn: (body) => body.tool_choice === 'required',
    named: /\btool[_ ]choice\b/i,
  },
  {
    feature: 'schema_keywords',
    isIn: ({ tools, response_format: format }) => tools !== undefined || format !== undefined,
    named:
      /\b(?:invalid|unrecogni[sz]ed) schema|\bschema conversion|\bkeywords?\b|\badditional_?properties\b|\b(?:any|one|all)_?of\b|\$(?:ref|defs)\b|\bpattern_?properties\b/i,
    refused: /invalid|failed|cannot|permitted|support|allowed|unknown|unrecogni[sz]ed|unexpected/i,
  },
  {
    feature: 'response_format',
    isIn: (body) => body.response_format !== undefined,
    named: /response_format|json_schema|structured output/i,
    refused: /(?:)/,
  },
  {
    feature: 'tool_messages',
    isIn: ({ messages }) => messages.some(({ role }) => role === 'tool'),
    named: /\broles?\b.*\b(?:alternate|tool|after)\b|\btool\b.*\brole\b/is,
    refused: /(?:)/,
    inTemplate: /\broles?\b.*\b(?:alternate|tool)\b|\btool (?:role|messages?)\b/is,
  },
  {
    feature: 'system',
    isIn: ({ messages }) => messages.some(({ role }) => role === 'system'),
    named: /\bsystem\b|\broles?\b.*\balternate\b/is,
    refused: /support|beginning|first|alternate|allow|permit|unexpected|unknown|only/i,
    inTemplate: /\bsystem (?:role|messages?|prompt)\b|\broles?\b.*\b(?:alternate|system)\b/is,
  },
  {
    feature: 'tools',
    isIn: (body) => body.tools !== undefined,
    named: /\btools?\b|\bfunction[- ]?call/i,
    // The flag of llama.cpp without which it has no templates for tools.
    inTemplate: /\btools? .*--jinja\b/i,
  },
  {
    feature: 'null_content',
    isIn: ({ messages }) => messages.some(({ content }) => content === null),
    named: /\bcontent\b/i,
    refused: /\bnull\b|\bnone\b|string|required|missing|empty/i,
    inTemplate: /\bcontent\b/i,
  },
];

/**
 * Finds the part of a request because of which a server refused it, by its code or by its words; undefined if the
 * request is refused for another reason. Of an error of the server itself only the words of chat templates count. Pure.
 * @param isLocal whether the server is one of many that refuse fields without naming them
 */
export function findRefused(error: unknown, body: Body, { isLocal = false } = {}): Feature | undefined {
  if (!(error instanceof APIError)) return undefined;
  if (!STATUSES.has(error.status) && !TEMPLATE_STATUSES.has(error.status)) return undefined;
  return findFeature(error as APIError, body, isLocal);
}

function findFeature(error: APIError, body: Body, isLocal: boolean): Feature | undefined {
  const { code, param, status } = error;
  if (typeof code === 'string' && WRONG_VALUE.test(code)) return undefined;
  const named = UNSUPPORTED.has(code) && typeof param === 'string' ? `${param} is not supported. ` : '';
  const words = `${named}${messageIn(error)}`.slice(0, MAX_SEARCHED);
  if (isTooLong(words)) return undefined;
  const isTemplate = TEMPLATE_STATUSES.has(status);
  const refusal = REFUSALS.find(({ isIn, named: name, refused = NOT_TAKEN, inTemplate }) => {
    const naming = isTemplate ? inTemplate : name;
    return naming?.test(words) === true && isIn(body) && refused.test(words);
  });
  if (refusal !== undefined) return refusal.feature;
  const isUnnamed = isLocal && (status === 400 || status === 422);
  return isUnnamed && body.response_format !== undefined ? 'response_format' : undefined;
}

/** Those of servers that take no images, or not these. */
const IMAGE_STATUSES: ReadonlySet<unknown> = new Set([400, 404, 415, 422, 500, 501]);
/** How servers name images: OpenAI, OpenRouter, vLLM ("is not a multimodal model"), llama.cpp ("provide the mmproj"), Ollama. */
const IMAGES = /\bimages?\b|image_url|\bvision\b|multi-?modal|\bmmproj\b/i;
/** How they say it with a status of a fault, which passes by itself with any other words. */
const REFUSED_FOR_GOOD =
  /\bmmproj\b|\b(?:not|only) (?:be )?support|n't support|unsupported|missing data required/i;
/** How they say that there is no such model, whose name may be one of a model with images. */
const NO_MODEL =
  /\bmodels?\b[^\n]{0,200}(?:not found|not exist|n't exist)|(?:unknown|invalid|no such) model\b/i;
const IMAGES_REFUSED =
  /\bnot\b|n't\b|only supported|unsupported|invalid|missing|no endpoints|at most 0|unknown variant|fail|could not|unable/i;
/** How servers say it whose messages are texts alone: Groq, FastAPI's and serde's checks, Go's decoder, and older llama.cpp. */
const TEXTS_ALONE =
  /\bcontent\b.{0,300}\b(?:string|text)\b|\b(?:string|text)\b.{0,300}\bcontent\b|expected a string|unsupported content/is;

/** Whether a request has images. Pure. */
export function hasImages({ messages }: Pick<Body, 'messages'>): boolean {
  return messages.some(({ content }) => imagesIn(content) > 0);
}

/**
 * Whether a server refuses a request because of its images. Pure.
 * @param isLast whether nothing else of the request can be why, so that words about the form of messages count too
 */
export function refusesImages(
  error: unknown,
  body: Pick<Body, 'messages' | 'model'>,
  { isLast = false } = {},
): boolean {
  if (!(error instanceof APIError) || !IMAGE_STATUSES.has(error.status) || !hasImages(body)) return false;
  if (error.code === 'model_not_found') return false;
  const words = messageIn(error as APIError)
    .slice(0, MAX_SEARCHED)
    .replaceAll(body.model, '');
  if (isTooLong(words) || NO_MODEL.test(words)) return false;
  if (TEMPLATE_STATUSES.has(error.status) && !REFUSED_FOR_GOOD.test(words)) return false;
  return (IMAGES.test(words) && IMAGES_REFUSED.test(words)) || (isLast && TEXTS_ALONE.test(words));
}

/** Those of servers to which a request is too long. */
const LENGTH_STATUSES: ReadonlySet<unknown> = new Set([400, 413, 422, 500]);

/** Whether a server refuses a request because it is longer than its model reads. Pure. */
export function refusesLength(error: unknown): error is APIError {
  if (!(error instanceof APIError) || !LENGTH_STATUSES.has(error.status)) return false;
  return isTooLong(messageIn(error as APIError).slice(0, MAX_SEARCHED));
}

/** Whether a server says that a request is longer than its model reads, which no other form of it changes. Pure. */
export function isTooLong(words: string): boolean {
  return /context (?:size|length|window)|(?:prompt|input|messages?) (?:is|are) too (?:long|large)/i.test(
    words,
  );
}

/** The text of an answer that a server could not read as the call which its own model meant; undefined for other errors. Pure. */
export function failedGeneration(error: unknown): string | undefined {
  if (!(error instanceof APIError)) return undefined;
  const { code, error: sent } = error as { readonly code?: unknown; readonly error?: unknown };
  const text = isJsonObject(sent) ? sent['failed_generation'] : undefined;
  if (typeof text === 'string') return text;
  return code === 'tool_use_failed' ? '' : undefined;
}

/** The provider's message from the body of its response. Pure. */
export function messageIn({ error, message }: APIError): string {
  if (typeof error === 'string') return error;
  const words = (error as { message?: unknown } | null | undefined)?.message;
  return typeof words === 'string' ? words : message;
}
