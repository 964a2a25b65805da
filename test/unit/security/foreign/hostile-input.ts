import fc from 'fast-check';

/** What one of the other sides may send in place of an honest value. */
export interface HostileInput {
  readonly name: string;
  /** JSON text with a hostile value somewhere in it. */
  readonly text: string;
  /** The same value, which may also contain itself. */
  readonly value: unknown;
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const MARK = '@hostile@';
const WIDTH = 20_000;
/** Levels just above what is allowed, what overflows schemas, what overflows serialisers, and far beyond. */
const DEPTHS = [300, 1_500, 9_000, 12_000];

const nested = (open: string, close: string, depth: number): string =>
  `${open.repeat(depth)}1${close.repeat(depth)}`;

/** JSON texts of hostile values; `depth` is that of the nested ones. */
const SHAPES: Readonly<Record<string, (depth: number) => string>> = {
  'nested lists': (depth) => nested('[', ']', depth),
  'nested objects': (depth) => nested('{"a":', '}', depth),
  'nested schemas': (depth) => nested('{"type":"object","properties":{"a":', '}}', depth),
  'lists in objects': (depth) => nested('{"a":[', ']}', depth),
  'a wide list': () => `[${'0,'.repeat(WIDTH)}0]`,
  'a wide list of objects': () => `[${'{"type":"text"},'.repeat(WIDTH)}0]`,
  'a wide object': () =>
    `{${Array.from({ length: WIDTH }, (_, index) => `"n${index}":${index % 7}`).join(',')}}`,
  'a long text': () => JSON.stringify('\\"['.repeat(100_000)),
};

/** Puts each shape, and a value that contains itself, at places of an honest sample. The seed chooses places and depths. */
export function* hostileInputs(sample: unknown, seed: number): Generator<HostileInput> {
  const places = [MARK, ...marked(sample as Json)];
  const random = fc.sample(fc.nat(), { seed, numRuns: 2 * Object.keys(SHAPES).length + 1 });
  const pick = <T>(items: readonly T[]): T => items[(random.pop() ?? 0) % items.length]!;
  const at = (place: Json, what: string): string => `${what} in ${JSON.stringify(place).slice(0, 200)}`;
  for (const [shape, write] of Object.entries(SHAPES)) {
    const depth = pick(DEPTHS);
    // The whole input is one place, and the others differ from seed to seed.
    for (const place of new Set([MARK, pick(places)])) {
      // Not by a value, because JSON.stringify recurses.
      const text = JSON.stringify(place).replace(JSON.stringify(MARK), () => write(depth));
      yield { name: at(place, `${shape} (${depth})`), text, value: JSON.parse(text) };
    }
  }
  const cycle: Record<string, unknown> = { type: 'text', text: 'x' };
  cycle['self'] = cycle;
  cycle['list'] = [cycle, cycle];
  for (const place of places) {
    yield { name: at(place, 'a cycle'), text: JSON.stringify(place), value: replaceMark(place, cycle) };
  }
}

/** Copies of a value in which one part each is the mark. */
function marked(value: Json): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Record<string, Json>).flatMap(([name, part]) =>
    [MARK, ...marked(part)].map((changed) =>
      Array.isArray(value)
        ? value.map((item: Json, index) => (String(index) === name ? changed : item))
        : { ...(value as object), [name]: changed },
    ),
  );
}

function replaceMark(value: unknown, by: unknown): unknown {
  if (value === MARK) return by;
  if (Array.isArray(value)) return value.map((item) => replaceMark(item, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceMark(item, by)]));
}
