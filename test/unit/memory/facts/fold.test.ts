import * as fc from 'fast-check';
import type { FactSource, RecordedFact } from '../../../../src/contracts/facts';
import { foldFacts } from '../../../../src/memory/facts/fold';
import { createStandingText } from '../../../../src/memory/facts/sayings';

const said = (fact: Partial<RecordedFact>): RecordedFact => ({
  subject: 'user',
  attribute: 'home',
  value: 'Leeds',
  change: 'holds',
  single: true,
  start: 0,
  end: 10,
  ...fact,
});
const source = (n: number, ...facts: Partial<RecordedFact>[]): FactSource => ({
  memoryId: `m${n}`,
  at: n,
  said: facts.map(said),
});
const holding = (...sources: FactSource[]): string[] =>
  foldFacts(sources)
    .filter(({ validTo }) => validTo === undefined)
    .map(({ value }) => value);

describe('facts as all that was said leaves them', () => {
  test('a value that comes back is a fact of its own', () => {
    const facts = foldFacts([source(1, {}), source(2, { value: 'York' }), source(3, { value: 'leeds' })]);
    expect(facts.map(({ value, validFrom, validTo }) => [value, validFrom, validTo])).toEqual([
      ['Leeds', 1, 2],
      ['York', 2, 3],
      ['leeds', 3, undefined],
    ]);
  });

  test.each([
    ['C++', 'C#'],
    ['A+', 'A-'],
    ['$500', '€500'],
    ['5 °C', '-5 °C'],
    ['🐱', '🐶'],
  ])('%s and %s are two values', (former, latter) => {
    expect(holding(source(1, { value: former }), source(2, { value: latter }))).toEqual([latter]);
  });

  test.each([
    ['Leeds', 'leeds.'],
    ['a twenty-year-old car', 'the twenty year old car'],
    ["St John's, Leeds", 'st john’s - leeds'],
  ])('%s and %s are one value', (former, latter) => {
    expect(holding(source(1, { value: former }), source(2, { value: latter }))).toEqual([former]);
  });

  test('several values stand beside each other and end one by one', () => {
    const pet = (value: string, fact: Partial<RecordedFact> = {}) => ({
      attribute: 'pet',
      single: false,
      value,
      ...fact,
    });
    const two = [source(1, pet('a cat')), source(2, pet('a dog'))];
    expect(holding(...two)).toEqual(['a cat', 'a dog']);
    expect(holding(...two, source(3, pet('the cat', { change: 'ends' })))).toEqual(['a dog']);
    expect(
      holding(...two, source(3, { attribute: 'pet', single: false, value: null, change: 'ends' })),
    ).toEqual([]);
    expect(holding(...two, source(3, pet('a parrot', { change: 'corrects' })))).toEqual([
      'a cat',
      'a parrot',
    ]);
    expect(holding(...two, source(3, pet('a parrot', { replaces: 'Cat' })))).toEqual(['a dog', 'a parrot']);
  });

  test('a correction says that the value before never held', () => {
    const [first, second] = foldFacts([source(1, {}), source(2, { value: 'York', change: 'corrects' })]);
    expect(first).toMatchObject({ validFrom: 1, validTo: 1, neverHeld: true, supersededBy: second?.id });
  });

  test('a saying that joins a fact is not named as what took the place of another', () => {
    const retracted = { by: 'z-0' };
    const facts = foldFacts([
      source(1, {}),
      source(2, { value: 'York', retracted }),
      { memoryId: 'z', at: 2, correctedAt: 9, said: [said({ value: 'leeds' })] },
    ]);
    expect(facts).toMatchObject([{ id: 'm1-0' }, { id: 'm2-0', neverHeld: true, supersededBy: 'm1-0' }]);
  });

  describe('a value that a caller has corrected', () => {
    const corrected = (n: number, by: string, to: string): FactSource[] => [
      source(n, { attribute: 'employer', value: 'Acme', retracted: { by: 'z1-0' } }),
      {
        ...source(n, {
          attribute: 'employer',
          value: 'Acme Ltd',
          ...(by === 'z1-0' ? {} : { retracted: { by } }),
        }),
        memoryId: 'z1',
      },
      ...(by === 'z1-0' ? [] : [{ ...source(n, { attribute: 'employer', value: to }), memoryId: 'z2' }]),
    ];
    const once = corrected(1, 'z1-0', '');
    const twice = corrected(1, 'z2-0', 'Acme plc');

    test.each([
      ['once', once, 'Acme Ltd'],
      ['twice', twice, 'Acme plc'],
    ])('that was corrected %s ends where the words that were said of it end it', (_, sources, value) => {
      expect(holding(...sources)).toEqual([value]);
      const ended = source(2, { attribute: 'employer', value: 'Acme', change: 'ends' });
      expect(holding(...sources, ended)).toEqual([]);
      expect(foldFacts([...sources, ended]).find((fact) => fact.value === value)).toMatchObject({
        validTo: 2,
      });
      const other = source(2, { attribute: 'employer', value: 'Bolt', change: 'ends' });
      expect(holding(...sources, other)).toEqual([value]);
    });

    test('gives way and is doubted by these words too', () => {
      const pet = { attribute: 'pet', single: false } as const;
      const rex = [
        source(1, { ...pet, value: 'Rex', retracted: { by: 'z-0' } }),
        { ...source(1, { ...pet, value: 'Max' }), memoryId: 'z' },
      ];
      expect(holding(...rex, source(2, { ...pet, value: 'Tom', replaces: 'Rex' }))).toEqual(['Tom']);
      const doubted = foldFacts([...rex, source(2, { ...pet, value: 'Rex', change: 'doubts' })]);
      expect(doubted.find(({ value }) => value === 'Max')).toMatchObject({ doubtedAt: 2 });
    });

    test('is another fact where it is said again', () => {
      expect(holding(...once, source(2, { attribute: 'employer', value: 'Acme' }))).toEqual(['Acme']);
    });
  });

  test('twice as many facts take about twice as long', () => {
    const work = (count: number): number => {
      let normalised = 0;
      const counted = {
        toLowerCase() {
          normalised += 1;
          return `value ${normalised}`;
        },
      } as unknown as string;
      foldFacts(
        Array.from({ length: count }, (_, n) =>
          source(n, { single: false, attribute: 'allergy', value: counted }),
        ),
      );
      return normalised;
    };
    expect(work(200)).toBeLessThanOrEqual(2 * work(100));
  });

  test('people have facts of their own', () => {
    expect(holding(source(1, {}), source(2, { subject: 'mia', value: 'York' }))).toEqual(['Leeds', 'York']);
  });

  test('what is retracted ends nothing, and what it ended holds again', () => {
    expect(holding(source(1, {}), source(2, { value: 'York', retracted: {} }))).toEqual(['Leeds']);
  });

  const anySaid = fc.record({
    subject: fc.constantFrom('user', 'mia'),
    attribute: fc.constantFrom('home', 'pet'),
    value: fc.constantFrom('Leeds', 'York', 'Hull'),
    change: fc.constantFrom('holds' as const, 'ends' as const, 'corrects' as const),
  });
  const anySources = fc
    .array(fc.array(anySaid, { maxLength: 3 }), { maxLength: 8 })
    .map((all) =>
      all.map((facts, n) =>
        source(n, ...facts.map((fact) => ({ ...fact, single: fact.attribute === 'home' }))),
      ),
    );

  test('the order in which memories are stored does not matter', () => {
    fc.assert(
      fc.property(
        anySources.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(foldFacts(shuffled)).toEqual(foldFacts(all));
        },
      ),
    );
  });

  test('of one attribute with one value, one fact at most holds at any time', () => {
    fc.assert(
      fc.property(anySources, (all) => {
        const homes = foldFacts(all).filter(
          ({ subject, attribute }) => subject === 'user' && attribute === 'home',
        );
        for (let time = 0; time < 10; time += 1) {
          const held = homes.filter(
            ({ validFrom, validTo = Infinity }) => validFrom <= time && time < validTo,
          );
          expect(held.length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('the same said nine times is one fact with nine sources', () => {
    const [fact, ...others] = foldFacts(Array.from({ length: 9 }, (_, n) => source(n, {})));
    expect([fact?.sources.length, others]).toEqual([9, []]);
  });
});

describe('what stands of a text', () => {
  const text = 'I live in Leeds. The bus is late.';
  const leeds = source(1, { start: 0, end: 16 });

  test('a clause that holds no more is left out, and the rest stays', () => {
    expect(createStandingText(foldFacts([leeds]))('m1', text)).toBe(text);
    const facts = foldFacts([leeds, source(2, { value: 'York' })]);
    expect(createStandingText(facts)('m1', text)).toBe('The bus is late.');
    expect(createStandingText(facts)('m1', 'I live in Leeds.')).toBeUndefined();
    expect(createStandingText(facts)('m2', text)).toBe(text);
    expect(createStandingText(facts)('m3', '12:30')).toBe('12:30');
  });

  test('a clause stands until the time when it was superseded, or doubted', () => {
    const facts = foldFacts([leeds, source(3, { value: 'York' })]);
    const doubted = foldFacts([leeds, source(3, { change: 'doubts' })]);
    for (const [at, stands] of [
      [2, text],
      [3, 'The bus is late.'],
    ] as const) {
      expect(createStandingText(facts, false, at)('m1', text)).toBe(stands);
      expect(createStandingText(doubted, true, at)('m1', text)).toBe(stands);
      expect(createStandingText(doubted, false, at)('m1', text)).toBe(text);
    }
  });

  test('a clause that says that something has ended stands until the same holds again, and is nothing for rules', () => {
    const left = source(2, { change: 'ends', end: 13 });
    const facts = foldFacts([leeds, left]);
    expect(createStandingText(facts)('m2', 'I left Leeds.')).toBe('I left Leeds.');
    expect(createStandingText(facts, true)('m2', 'I left Leeds.')).toBeUndefined();
    expect(createStandingText(facts)('m1', 'I live in Leeds.')).toBeUndefined();
    const again = foldFacts([leeds, left, source(3, { value: 'York' }), source(5, { value: 'leeds' })]);
    expect(createStandingText(again, false, 4)('m2', 'I left Leeds.')).toBe('I left Leeds.');
    expect(createStandingText(again, false, 5)('m2', 'I left Leeds.')).toBeUndefined();
    expect(createStandingText(again)('m1', 'I live in Leeds.')).toBeUndefined();
  });
});

test('what an entry of an older build says was drawn by rules', () => {
  const [rules, model, corrected] = foldFacts([
    source(1, { retracted: {} }),
    source(2, { drawnBy: 'model' }),
    { ...source(3, { subject: 'mia' }), correctedAt: 9 },
  ]);
  expect([rules?.drawnBy, model?.drawnBy, corrected?.drawnBy]).toEqual(['rules', 'model', undefined]);
});
