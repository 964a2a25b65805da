import { APIError } from 'openai';
import { isJsonObject } from '../../contracts/json';
import type { Body } from './messages';

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
  const found = REFUSALS.find(({ isIn, named: name, refused = NOT_TAKEN, inTemplate }) => {
    const naming = isTemplate ? inTemplate : name;
    return naming?.test(words) === true && isIn(body) && refused.test(words);
  });
  if (found !== undefined) return found.feature;
  const isUnnamed = isLocal && (status === 400 || status === 422);
  return isUnnamed && body.response_format !== undefined ? 'response_format' : undefined;
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
