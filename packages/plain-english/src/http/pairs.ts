import type { Token, TokenText } from '../text/token';

/** `name=Ann`, `price: 25.5`. */
export interface Pair {
  readonly name: string;
  readonly value: unknown;
  /** First token, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

const SEPARATORS = new Set(['and', ',', '&', ';']);
const CONSTANTS: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };

/** Names with values, in order: `name=Ann and age=30`, `title: Lamp, price: 25.5`. */
export function findPairs(text: TokenText): Pair[] {
  const { tokens } = text;
  const pairs: Pair[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const pair = pairAt(text, at, pairs.length > 0);
    if (!pair) continue;
    pairs.push(pair);
    at = pair.to - 1;
  }
  return pairs;
}

function pairAt(text: TokenText, at: number, isLater: boolean): Pair | undefined {
  const { tokens } = text;
  const name = tokens[at];
  const link = tokens[at + 1];
  const value = tokens[at + 2];
  if (!name || !link || !value || (name.kind !== 'word' && name.kind !== 'quoted')) return undefined;
  if (link.text === '=') return { name: keyOf(name), ...valueFrom(text, at + 2), from: at };
  // `to the server: please` is no pair: a colon belongs to its name, and a list or `with` leads to it.
  const before = tokens[at - 1]?.lower ?? '';
  const led =
    before === 'with' || before === 'body' || before === 'data' || (isLater && SEPARATORS.has(before));
  if (link.text !== ':' || link.start !== name.end || value.start === link.end || !led) return undefined;
  return { name: keyOf(name), ...valueFrom(text, at + 2), from: at };
}

function keyOf({ kind, text, value }: Token): string {
  return kind === 'quoted' ? String(value) : text;
}

/** One token, or a run without space: `a-1/b`. */
function valueFrom({ source, tokens }: TokenText, start: number): { value: unknown; to: number } {
  const first = tokens[start];
  let to = start + 1;
  while (tokens[to]?.start === tokens[to - 1]?.end && !/^[,.;!?&]$/.test(tokens[to]?.text ?? ',')) to++;
  if (!first) return { value: '', to: start };
  if (to > start + 1) return { value: source.slice(first.start, tokens[to - 1]?.end), to };
  if (first.kind === 'quoted' || first.kind === 'number' || first.kind === 'json')
    return { value: first.value, to };
  return { value: Object.hasOwn(CONSTANTS, first.lower) ? CONSTANTS[first.lower] : first.text, to };
}

/** The pairs as one object. */
export function toRecord(pairs: readonly Pair[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

const QUERY_WORDS = new Set(['query', 'parameter', 'parameters', 'params', 'param']);

/** True where the words before the first pair call it part of the address. */
export function areQueryParameters({ tokens }: TokenText, [first]: readonly Pair[]): boolean {
  if (!first) return false;
  return tokens.slice(Math.max(0, first.from - 4), first.from).some(({ lower }) => QUERY_WORDS.has(lower));
}

/** The address with the pairs as its query. */
export function withQuery(url: string, pairs: readonly Pair[]): string {
  const query = pairs.map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  const [base = url, fragment] = url.split('#', 2);
  const joined = `${base}${base.includes('?') ? '&' : '?'}${query.join('&')}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}
