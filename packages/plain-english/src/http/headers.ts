import type { Token, TokenText } from '../text/token';

const KNOWN: Readonly<Record<string, string>> = {
  authorization: 'Authorization',
  authorisation: 'Authorization',
  accept: 'Accept',
  'content-type': 'Content-Type',
  'content type': 'Content-Type',
  'user-agent': 'User-Agent',
  'user agent': 'User-Agent',
};
const LINKS = new Set([':', '=', 'of', 'to', 'set', 'as', 'is', 'being', 'with', 'value', 'the']);
const STARTS = new Set(['header', 'headers']);
const ENDS = new Set(['body', 'payload', 'data', 'then', 'please', 'thanks', 'json']);
const SCHEMES = new Set(['bearer', 'basic', 'token', 'apikey', 'digest']);

export interface HeadersFound {
  readonly headers: Readonly<Record<string, string>>;
  /** Numbers of the tokens they are made of. */
  readonly used: ReadonlySet<number>;
}

/** Headers as people write them: `with header X-Key: 1 and Accept: text/csv`, `with the authorization header Bearer abc`. */
export function readHeaders(text: TokenText): HeadersFound {
  const reader = new HeaderReader(text);
  return reader.read();
}

class HeaderReader {
  private readonly headers: Record<string, string> = {};
  private readonly used = new Set<number>();

  constructor(private readonly text: TokenText) {}

  read(): HeadersFound {
    const { tokens } = this.text;
    for (let at = 0; at < tokens.length; at++) {
      if (this.used.has(at)) continue;
      const token = tokens[at];
      if (token?.kind === 'word' && STARTS.has(token.lower)) this.readAfter(at);
      else if (this.isPair(at)) this.readPair(at);
      const bearer = this.used.has(at) ? undefined : this.bearerAt(at);
      if (bearer !== undefined) this.readBearer(at, bearer);
    }
    return { headers: this.headers, used: this.used };
  }

  /** From the word `header` on; its name may stand before it. */
  private readAfter(start: number): void {
    const { tokens } = this.text;
    this.used.add(start);
    let at = start + 1;
    if (tokens[at]?.lower === ':') this.used.add(at++);
    const json = tokens[at];
    if (json?.kind === 'json' && isPlain(json.value)) {
      for (const [name, value] of Object.entries(json.value)) this.headers[name] = String(value);
      this.used.add(at);
      return;
    }
    const before = this.nameBefore(start);
    if (before && !this.isPair(at)) {
      this.readValue(before.name, before.from, at);
      return;
    }
    if (this.isPair(at)) this.readPair(at);
    else this.readValue(headerName(tokens[at]), at, at + 1);
  }

  private nameBefore(start: number): { name: string; from: number } | undefined {
    const { tokens } = this.text;
    const [first, second] = [tokens[start - 2], tokens[start - 1]];
    const two = KNOWN[`${first?.lower ?? ''} ${second?.lower ?? ''}`];
    if (two !== undefined) return { name: two, from: start - 2 };
    const one = second && (KNOWN[second.lower] ?? (isHeaderLike(second) ? second.text : undefined));
    return one === undefined ? undefined : { name: one, from: start - 1 };
  }

  /** A name directly followed by a colon. */
  private isPair(at: number): boolean {
    const { tokens } = this.text;
    const name = tokens[at];
    const colon = tokens[at + 1];
    if (!name || colon?.text !== ':' || colon.start !== name.end) return false;
    return isHeaderLike(name) || this.afterHeader(at);
  }

  /** Inside the list that the word `headers` opened. */
  private afterHeader(at: number): boolean {
    const before = this.text.tokens[at - 1]?.lower ?? '';
    return STARTS.has(before) || (['and', ','].includes(before) && Object.keys(this.headers).length > 0);
  }

  private readPair(at: number): void {
    this.readValue(headerName(this.text.tokens[at]), at, at + 1);
  }

  private readValue(name: string | undefined, from: number, start: number): void {
    const { tokens } = this.text;
    let at = start;
    while (LINKS.has(tokens[at]?.lower ?? '')) at++;
    const end = this.valueEnd(at);
    if (name !== undefined && end > at) this.take(name, from, at, end);
    const next = tokens[end];
    const after = next && ['and', ','].includes(next.lower) ? end + 1 : end;
    if (after > end && this.isPair(after)) this.readPair(after);
  }

  /** A value ends at a space, unless a scheme such as `Bearer` stands before it. */
  private valueEnd(start: number): number {
    const { tokens } = this.text;
    const first = tokens[start];
    if (!first || ENDS.has(first.lower)) return start;
    if (first.kind === 'quoted') return start + 1;
    let end = start + 1;
    if (SCHEMES.has(first.lower) && tokens[end]?.kind !== 'symbol') end++;
    while (tokens[end] && tokens[end]?.start === tokens[end - 1]?.end && !this.isSentenceMark(end)) end++;
    return end;
  }

  private isSentenceMark(at: number): boolean {
    const { source, tokens } = this.text;
    const token = tokens[at];
    return (
      token !== undefined &&
      /^[,.;!?]$/.test(token.text) &&
      /^\s|^$/.test(source.slice(token.end, token.end + 1))
    );
  }

  private take(name: string, from: number, at: number, end: number): void {
    const { source, tokens } = this.text;
    const [first, last] = [tokens[at], tokens[end - 1]];
    if (!first || !last) return;
    this.headers[name] = first.kind === 'quoted' ? String(first.value) : source.slice(first.start, last.end);
    for (let index = from; index < end; index++) this.used.add(index);
  }

  /** `Bearer abc`, `a bearer token abc` with no header named: where the token itself stands. */
  private bearerAt(at: number): number | undefined {
    const { tokens } = this.text;
    if (tokens[at]?.lower !== 'bearer') return undefined;
    let value = at + 1;
    while (['token', ':', 'of', 'is', '='].includes(tokens[value]?.lower ?? '')) value++;
    const token = tokens[value];
    return token && token.kind !== 'symbol' && !ENDS.has(token.lower) ? value : undefined;
  }

  private readBearer(at: number, value: number): void {
    this.take('Authorization', value, value, this.valueEnd(value));
    const token = this.headers['Authorization'];
    if (token !== undefined) this.headers['Authorization'] = `Bearer ${token}`;
    this.used.add(at);
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function headerName(token: Token | undefined): string | undefined {
  if (!token) return undefined;
  if (token.kind === 'quoted') return String(token.value);
  return token.kind === 'word' ? (KNOWN[token.lower] ?? token.text) : undefined;
}

function isHeaderLike(token: Token): boolean {
  if (token.kind !== 'word') return false;
  return (
    KNOWN[token.lower] !== undefined ||
    /^x-/i.test(token.text) ||
    /^[A-Z][\w]*(?:-[A-Z]\w*)+$/.test(token.text)
  );
}
