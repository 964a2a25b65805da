import { textOf, type Token, type TokenText } from '../text/token';
import { areQueryParameters, findPairs, toRecord, withQuery } from './pairs';
import { readHeaders } from './headers';
import { readMethod } from './methods';

export interface HttpRequestWords {
  /** The addresses named, in order. */
  readonly urls: readonly string[];
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Where a body comes from outside the clause. */
export interface BodySource {
  /** The reference that `it` stands for. */
  readonly earlier?: string;
}

const BODY_WORDS = new Set(['body', 'payload', 'data', 'content', 'json']);
const PRONOUNS = new Set([
  'it',
  'that',
  'this',
  'result',
  'answer',
  'output',
  'response',
  'them',
  'content',
  'contents',
]);
const SENDING = new Set([
  'post',
  'send',
  'put',
  'patch',
  'submit',
  'push',
  'publish',
  'upload',
  'body',
  'forward',
]);

/** The parts of an HTTP request that a clause names. */
export function readHttpRequest(text: TokenText, { earlier }: BodySource = {}): HttpRequestWords {
  const { headers, used } = readHeaders(text);
  const rest = text.tokens.filter((_, index) => !used.has(index));
  const words = { source: text.source, tokens: rest };
  const named = rest.flatMap((token) => (isAddress(token) ? [String(token.value)] : []));
  const pairs = findPairs(words);
  const inAddress = areQueryParameters(words, pairs);
  const urls = inAddress ? named.map((url) => withQuery(url, pairs)) : named;
  const given = readBody(words, earlier);
  // Pairs are a body where the method takes one: `post name=Ann to …`.
  const takesPairs =
    !inAddress && pairs.length > 0 && !hasOpaqueBody(rest) && readMethod(rest, true) !== 'GET';
  const body = takesPairs ? toRecord(pairs) : inAddress && given === undefined ? undefined : given;
  return {
    urls,
    method: readMethod(rest, body !== undefined),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    // Absent where there is none: these become arguments, and a tool need not take a body.
    ...(body === undefined ? {} : { body }),
  };
}

/** A body that stands in the clause as a whole. */
function hasOpaqueBody(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind }) => kind === 'json');
}

export function isAddress({ kind }: Token): boolean {
  return kind === 'url' || kind === 'domain';
}

function readBody(text: TokenText, earlier: string | undefined): unknown {
  const { tokens } = text;
  const json = tokens.find(({ kind }) => kind === 'json');
  if (json) return json.value;
  const quoted = tokens.find(({ kind }) => kind === 'quoted');
  if (quoted && tokens.some(({ lower }) => SENDING.has(lower))) return quoted.value;
  return readReferenceBody(tokens, earlier) ?? readPlainBody(text);
}

/** `post it to …`, `send the result to …`. */
function readReferenceBody(tokens: readonly Token[], earlier: string | undefined): string | undefined {
  if (earlier === undefined) return undefined;
  const verb = tokens.findIndex(({ lower }) => SENDING.has(lower));
  if (verb === -1) return undefined;
  const after = tokens.slice(verb + 1, verb + 4);
  return after.some(({ lower }) => PRONOUNS.has(lower)) ? earlier : undefined;
}

/** `with body hello`: the words after it, to the end of the clause. */
function readPlainBody(text: TokenText): string | undefined {
  const { tokens } = text;
  const at = tokens.findIndex(
    ({ lower }, index) =>
      BODY_WORDS.has(lower) && ['with', 'and', 'the'].includes(tokens[index - 1]?.lower ?? ''),
  );
  if (at === -1 || tokens[at - 1]?.lower === 'the') return undefined;
  const start = [':', '=', 'of', 'is'].includes(tokens[at + 1]?.lower ?? '') ? at + 2 : at + 1;
  const end = tokens.findIndex(
    (token, index) => index >= start && (isAddress(token) || token.lower === 'to'),
  );
  const value = textOf(text, start, end === -1 ? tokens.length : end).replace(/[.?!]+$/, '');
  return value === '' ? undefined : value;
}

/** True where values stand before the address that are no body as they are: `post Ann and 30 to https://…`. */
export function hasLooseValues(tokens: readonly Token[], { method, body }: HttpRequestWords): boolean {
  if (body !== undefined || !['POST', 'PUT', 'PATCH'].includes(method)) return false;
  const verb = tokens.findIndex(({ lower }) => SENDING.has(lower));
  const address = tokens.findIndex(isAddress);
  const between = verb === -1 || address < verb ? [] : tokens.slice(verb + 1, address);
  return between.some(
    ({ kind, text }) => kind === 'number' || (kind === 'word' && /^\p{Lu}\p{Ll}/u.test(text)),
  );
}
