import type { NameTest } from '../contracts/credential-names';

/** Where a credential is in a text. */
export interface FoundCredential {
  /** The name before it; that of its scheme, such as `bearer`; or `@` for what precedes the host of a URL. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Matches a name and what separates it from its value: `"name": `, `\"name\":`, `name: `, `name=`. It never reads a character twice. */
const NAME = /(?<![\w.-])([\w.-]{1,100})(?:\\*["']?\s{0,9}:\s{0,9}|=)/g;
const OPENING_QUOTE = /(\\*)(["'])/y;
/** The value of a form, a query or a connection string. */
const BARE_VALUE = /[^\s&;,"'<>\\]+/y;
const USER_INFO = /\b[a-z][a-z\d+.-]{0,20}:\/\/([^\s/?#@"'<>\\]+)@/gi;
/** Matches a scheme of HTTP authentication with something that looks like no word. */
const SCHEME = /\b(basic|bearer)\s{1,9}((?=\S{0,200}[\d_+/=-]|\S{20})[\w+/=.~-]{6,}|\[hidden\])/gi;

/** What every credential that is found in a text has before or after it. */
const SIGNS = /[=@]|:\s{0,9}\\*["']|\b(?:basic|bearer)\s/i;

/** Whether a text may have credentials, which is known sooner than where they are. Pure. */
export function mayHaveCredentials(text: string): boolean {
  return SIGNS.test(text);
}

/**
 * Finds the credentials of a text: the values of named fields in JSON, even if it was cut or escaped, in forms, queries and
 * connection strings; those in URLs before the host; and those after the schemes `Basic` and `Bearer`. Its time grows with the
 * length of the text alone. Pure.
 */
export function findCredentials(text: string, isCredential: NameTest): FoundCredential[] {
  const credentials: FoundCredential[] = [];
  for (const { 0: whole, 1: name = '', index } of text.matchAll(NAME)) {
    const isKeyOfQuery = name.toLowerCase() === 'key' && /[?&]/.test(text[index - 1] ?? '');
    if (!isKeyOfQuery && !isCredential(name)) continue;
    const value = valueAt(text, index + whole.length, whole.endsWith('='));
    if (value !== undefined) credentials.push({ name: name.toLowerCase(), ...value });
  }
  for (const { 0: whole, 1: info = '', index } of text.matchAll(USER_INFO)) {
    const end = index + whole.length - 1;
    credentials.push({ name: '@', start: end - info.length, end });
  }
  for (const { 0: whole, 1: scheme = '', 2: value = '', index } of text.matchAll(SCHEME)) {
    const end = index + whole.length;
    credentials.push({ name: scheme.toLowerCase(), start: end - value.length, end });
  }
  return withoutOverlaps(credentials);
}

type Range = Pick<FoundCredential, 'start' | 'end'>;

function valueAt(text: string, at: number, mayBeBare: boolean): Range | undefined {
  OPENING_QUOTE.lastIndex = at;
  const opening = OPENING_QUOTE.exec(text);
  if (opening !== null) {
    const [whole, escapes = '', quote = ''] = opening;
    const start = at + whole.length;
    const end = endOfQuoted(text, start, quote, escapes.length);
    return end > start ? { start, end } : undefined;
  }
  BARE_VALUE.lastIndex = at;
  const bare = mayBeBare ? BARE_VALUE.exec(text) : null;
  return bare === null ? undefined : { start: at, end: at + bare[0].length };
}

/** @param depth how many backslashes precede the quotes: none in JSON, one in JSON within a text of JSON */
function endOfQuoted(text: string, start: number, quote: string, depth: number): number {
  for (let at = text.indexOf(quote, start); at >= 0; at = text.indexOf(quote, at + 1)) {
    let first = at;
    while (first > start && text[first - 1] === '\\') first -= 1;
    // Further backslashes belong to a quote within the value, or, in pairs of that depth, to backslashes at its end.
    if ((at - first) % (2 * (depth + 1)) === depth) return at - depth;
  }
  return text.length;
}

function withoutOverlaps(credentials: readonly FoundCredential[]): FoundCredential[] {
  let end = 0;
  return credentials
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((one) => {
      if (one.start < end) return false;
      ({ end } = one);
      return true;
    });
}
