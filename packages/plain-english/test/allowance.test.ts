import { isPlainEnglishError, KNOWN_TOOLS, understand } from '../src';
import { ALLOWANCE, AllowanceSpent, measureReading, spend } from '../src/allowance';
import { CHOOSING, FACES, FACES_WITH_TOOLS, HOSTILE } from './support/hostile';

/** How a reading ended, and the work that it took. */
function read(
  face: (text: string) => unknown,
  text: string,
): { readonly end: string; readonly spent: number } {
  let end = 'answer';
  const { spent } = measureReading(() => {
    try {
      face(text);
    } catch (error) {
      if (!isPlainEnglishError(error)) throw error;
      end = error.message;
    }
  });
  return { end, spent };
}

/** Texts that stand for all when each takes most of the allowance. */
const FEW = ['ordinary words', 'random signs', '$.', 'email '].flatMap((one) =>
  [...HOSTILE].flatMap(([name, text]) => (name.includes(one) && text.length <= 1_000 ? [text] : [])),
);

describe.each([
  ...[...FACES].map(([name, face]) => ({ name, face, texts: [...HOSTILE.values()] })),
  ...[...FACES_WITH_TOOLS].map(([name, face]) => ({ name, face, texts: FEW })),
])('$name', ({ face, texts }) => {
  test('reads every hostile text within the allowance, and each time with the same work', () => {
    const first = texts.map((text) => read(face, text));
    for (const { spent } of first) expect(spent).toBeLessThanOrEqual(ALLOWANCE);
    // Caches are full of other texts by now.
    expect(read(face, texts[0] ?? '')).toEqual(first[0]);
  });
});

const reading =
  (text: string, tools = KNOWN_TOOLS) =>
  (): unknown =>
    understand(text, tools);

test.each([
  ['a path repeated', reading('$.'.repeat(500))],
  [
    'ordinary words for many tools',
    reading(HOSTILE.get('ordinary words') ?? '', [...KNOWN_TOOLS, ...CHOOSING]),
  ],
])('%s is refused with what would help', (_name, plan) => {
  expect(plan).toThrow(
    expect.objectContaining({
      code: 'QUERY_NOT_UNDERSTOOD',
      details: expect.objectContaining({ settings: ['OPENAI_API_KEY', 'LOCAL_LLM_BASE_URL'] }),
    }),
  );
});

test('a sentence of 1,000 characters is read for tools, and one more is refused', () => {
  const sentence = (length: number): string => `add 1 and 2${' '.repeat(length - 12)}.`;
  expect(understand(sentence(1_000), KNOWN_TOOLS).steps).toHaveLength(1);
  expect(reading(sentence(1_001))).toThrow('longer than the 1000 characters that are read for tools');
});

test.each([
  `what is $[?match(@, '(a+)+b')] in ["${'a'.repeat(60)}"]`,
  `what is $..[?count($..[?count($..[?count($..*)>0])>0])>0] in ${JSON.stringify(Array.from({ length: 60 }, (_, at) => [at]))}`,
  `read $${'..*'.repeat(8)} in ${JSON.stringify(Array.from({ length: 60 }, (_, at) => [at]))}`,
])('a path whose time grows without bound is left to the tool: %s', (query) => {
  const { steps } = understand(query, KNOWN_TOOLS);
  expect(steps).toEqual([
    { toolName: 'json_reader', args: expect.objectContaining({ path: expect.stringContaining('$') }) },
  ]);
});

describe('a reading', () => {
  test('that a rule would go on with ends all the same', () => {
    const { result, spent } = measureReading(() => {
      try {
        spend(ALLOWANCE + 1);
      } catch {
        return 'another reading';
      }
      return 'read';
    });
    expect({ result, spent }).toEqual({ result: undefined, spent: 0 });
  });

  test('is no problem of a text, so that rules do not try another one', () => {
    const tries = measureReading(() => {
      try {
        spend(ALLOWANCE + 1);
      } catch {
        // As a rule may that tries one reading after another.
      }
    });
    expect(tries.result).toBeUndefined();
    expect(isPlainEnglishError(new AllowanceSpent())).toBe(false);
  });

  test('begins with a whole allowance after one that failed', () => {
    const failing = (): unknown =>
      measureReading(() => {
        spend(ALLOWANCE);
        throw new RangeError('no');
      });
    expect(failing).toThrow(RangeError);
    expect(measureReading(() => spend(ALLOWANCE)).result).toBeDefined();
  });
});

/** Pseudo-random numbers below a bound (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

test('2,000 seeded texts each end as an answer or a refusal within the allowance', () => {
  const random = seeded(20_261_126);
  const [faces, withTools] = [[...FACES.values()], [...FACES_WITH_TOOLS.values()]];
  const words = [...HOSTILE.values()].flatMap((text) => text.slice(0, 60).split(/(?<=\s)/));
  const signs = Array.from('"a" !=}.€$[]{}()+-*/<>,;:?1x@\n');
  const pick = (from: readonly string[]): string => from[random(from.length)] ?? '';
  for (let count = 0; count < 2_000; count++) {
    const from = random(2) === 0 ? words : signs;
    const repeats = random(40) === 0 ? 1 + random(100) : 1;
    const text = Array.from({ length: 1 + random(20) }, () => pick(from))
      .join('')
      .repeat(repeats);
    const isWithTools = count % 100 === 0;
    const face = isWithTools ? withTools[random(withTools.length)] : faces[count % faces.length];
    if (face) expect(read(face, text.slice(0, 10_000)).spent).toBeLessThanOrEqual(ALLOWANCE);
  }
});
