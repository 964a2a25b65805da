import type { TokenText } from '../text/token';
import { addressOf, Draft } from './draft';
import { headerName } from './headers';
import { isReadingMethod, readMethod } from './methods';
import { readPairs, SENDS } from './pairs';

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ReadRequest {
  /** One for each address; empty without one. */
  readonly requests: readonly HttpRequest[];
  /** The same parts without an address. */
  readonly parts: Omit<HttpRequest, 'url'>;
  readonly draft: Draft;
  /** Whether the method stands there by its name. */
  readonly isNamed: boolean;
  /** What looks like a part of the request and has no place in it. */
  readonly unclear?: string;
}

/**
 * The parts of the HTTP request that a text describes.
 * @param earlier the reference that `it` stands for in `post it to …`
 */
export function readRequest(text: TokenText, earlier?: string): ReadRequest {
  const draft = new Draft(text);
  const { method = 'GET', readsOnly, isNamed } = readMethod(draft);
  const hasJson = draft.tokens.some(
    ({ kind }, at) => kind === 'json' && !draft.isHeaderWord(at - 1) && draft.word(at - 1) !== '=',
  );
  const pairs = readPairs(draft, readsOnly || hasJson);
  const { headers, fields, isQuery, cut } = pairs;
  const hasFields = fields.size > 0 && !isQuery;
  const given =
    pairs.body ??
    take(draft, 'json') ??
    (readsOnly ? undefined : take(draft, 'quoted')) ??
    referred(draft, earlier);
  const written = given ?? (hasFields ? Object.fromEntries(fields) : undefined);
  const body = given === undefined && hasFields && isForm(headers) ? formOf(fields) : written;
  const parts = {
    method: body !== undefined && method === 'GET' && !readsOnly ? 'POST' : method,
    ...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }),
    // Absent without a body: these become arguments, and a tool need not take a body.
    ...(body === undefined ? {} : { body }),
  };
  const target = draft.tokens[draft.target];
  const others = draft
    .rest()
    .flatMap((token) => (token.kind === target?.kind ? (addressOf(token) ?? []) : []));
  const urls = target ? [addressOf(target) ?? '', ...others] : [];
  const requests = urls.map((url) => ({ url: isQuery ? withQuery(url, fields) : url, ...parts }));
  const unclear =
    cut ??
    (given !== undefined && hasFields
      ? 'a body beside its fields'
      : leftOver(draft, parts, typeof given === 'object'));
  return { requests, parts, draft, isNamed, ...(unclear === undefined ? {} : { unclear }) };
}

function isForm(headers: ReadonlyMap<string, string>): boolean {
  return [...headers].some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.includes('x-www-form-urlencoded'),
  );
}

function formOf(fields: ReadonlyMap<string, unknown>): string {
  return new URLSearchParams(
    [...fields].map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}

/** The one JSON text or quotation; of two, neither is the body. */
function take(draft: Draft, kind: 'json' | 'quoted'): unknown {
  const [at, other] = [...draft.tokens.keys()].filter(
    (one) => draft.isFree(one) && draft.tokens[one]?.kind === kind,
  );
  if (at === undefined || other !== undefined) return undefined;
  draft.use(at);
  return draft.tokens[at]?.value;
}

/** `post it to …`, `send the result to …`. */
function referred({ tokens }: Draft, earlier: string | undefined): string | undefined {
  const verb = tokens.findIndex(({ lower }) => SENDS.test(lower));
  const after = verb === -1 ? [] : tokens.slice(verb + 1, verb + 4);
  const pointing = /^(?:it|that|this|result|answer|output|response|them|contents?)$/;
  return after.some(({ lower }) => pointing.test(lower)) ? earlier : undefined;
}

/** A part that the request leaves over: it is asked for rather than dropped, as a request without it may do harm. */
function leftOver(
  draft: Draft,
  { method, body }: Omit<HttpRequest, 'url'>,
  isComplete: boolean,
): string | undefined {
  const sends = !isReadingMethod(method);
  const said = valuesIn(body);
  const found = draft.tokens.find(({ kind, text, lower, value }, at) => {
    // `change the price to 5, so PATCH … with price = 5` says a value twice.
    if (!draft.isFree(at) || said.has((typeof value === 'string' ? value : text).toLowerCase())) return false;
    if (
      kind === 'json' ||
      kind === 'quoted' ||
      /^[={[]$/.test(text) ||
      headerName(draft, at)?.isWord === false
    )
      return true;
    if (/^(?:bearer|basic|credentials)$/.test(lower)) return true;
    if (
      sends &&
      !isComplete &&
      (/^(?:number|file|email|date)$/.test(kind) || /^(?:true|false|null)$/.test(lower) || names(draft, at))
    )
      return true;
    const leads =
      /^(?:with|set|setting|changing|where|containing|whose|to)$/.test(lower) && at > draft.target;
    return leads && sends && method !== 'DELETE' && body === undefined && !leadsToKnown(draft, at);
  });
  return found?.text;
}

/** `an item called Lamp`, but not `a parent called`. */
function names(draft: Draft, at: number): boolean {
  return /^(?:named|called|titled|saying)$/.test(draft.word(at)) && !draft.isMark(at + 1);
}

/** The values in a body that is an object, as texts in lower case. */
function valuesIn(body: unknown): ReadonlySet<string> {
  if (typeof body !== 'object' || body === null) return new Set();
  return new Set(Object.values(body).map((value) => String(value).toLowerCase()));
}

/** `with a POST`, `with no body`, and `with` before headers that were read. */
function leadsToKnown(draft: Draft, at: number): boolean {
  const isKnown = (one: number): boolean =>
    draft.isUsed(one) || /^(?:no|empty|it|post|put|patch)$/.test(draft.word(one));
  return draft.leadsOn(at) || [1, 2, 3].some((ahead) => isKnown(at + ahead));
}

function withQuery(url: string, values: ReadonlyMap<string, unknown>): string {
  const query = [...values].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  const [base = url, fragment] = url.split('#', 2);
  const joined = `${base}${base.includes('?') ? '&' : '?'}${query.join('&')}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}
