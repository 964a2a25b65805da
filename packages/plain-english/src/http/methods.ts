import { HTTP_METHODS, type HttpMethod } from '../known-tools';
import type { Token } from '../text/token';

const VERBS: Readonly<Record<string, HttpMethod>> = {};
const define = (method: HttpMethod, verbs: string): void => {
  for (const verb of verbs.split(' ')) (VERBS as Record<string, HttpMethod>)[verb] = method;
};
define(
  'GET',
  'get fetch call hit load retrieve download open visit query request ping read check curl grab pull access browse look ' +
    'show see what wget view try test reach scrape getting fetching calling return returns looking checking opening reading ' +
    'loading pinging visiting requesting querying downloading inspect',
);
define(
  'POST',
  'post send submit create push publish posting sending upload add deliver transmit submitting creating',
);
define('PUT', 'put replace update putting updating overwrite replacing overwriting');
define('PATCH', 'patch modify patching modifying amend');
define('DELETE', 'delete remove deleting erase removing erasing destroy wipe');
define('HEAD', 'head');
define('OPTIONS', 'options');

const METHODS = new Set<string>(HTTP_METHODS.map((method) => method.toLowerCase()));
/** Verbs that say nothing about the method where there is a body to send. */
const NEUTRAL = new Set('call hit request query curl try reach'.split(' '));

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request of this method changes nothing at the other side. */
export function isReadingMethod(method: unknown): boolean {
  return typeof method === 'string' && READING.has(method.toUpperCase());
}

/** Words that make a clause one about an HTTP request even without an address. */
export function isRequestVerb(word: string): boolean {
  return Object.hasOwn(VERBS, word);
}

/** The method that a clause asks for; GET where it says nothing else. */
export function readMethod(tokens: readonly Token[], hasBody: boolean): HttpMethod {
  const words = tokens.filter(({ kind }) => kind === 'word');
  return namedMethod(words) ?? verbMethod(words, hasBody);
}

/** `a POST request`, `as a put`, or a method in capitals. */
function namedMethod(words: readonly Token[]): HttpMethod | undefined {
  const named = words.find(({ lower, text }, at) => {
    if (!METHODS.has(lower)) return false;
    const before = words[at - 1]?.lower ?? '';
    const after = words[at + 1]?.lower ?? '';
    return (
      text === text.toUpperCase() ||
      ['request', 'requests', 'method', 'call'].includes(after) ||
      isArticle(before)
    );
  });
  return named && toMethod(named.lower);
}

function isArticle(word: string): boolean {
  return ['a', 'an', 'method', 'via', 'using', 'with'].includes(word);
}

function toMethod(word: string): HttpMethod | undefined {
  return HTTP_METHODS.find((method) => method.toLowerCase() === word);
}

function verbMethod(words: readonly Token[], hasBody: boolean): HttpMethod {
  // `I need to update a record, so put … to …`: the method's own name says more than a verb.
  const verb =
    words.find(({ lower }) => METHODS.has(lower) && !isReadingMethod(lower)) ??
    words.find(({ lower }) => Object.hasOwn(VERBS, lower));
  const method = VERBS[verb?.lower ?? ''] ?? 'GET';
  const neutral = verb === undefined || NEUTRAL.has(verb.lower);
  return hasBody && neutral ? 'POST' : method;
}
