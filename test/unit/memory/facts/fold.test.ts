import fc from 'fast-check';
import type { FactSource, SaidFact } from '../../../../src/contracts/facts';
import { foldFacts } from '../../../../src/memory/facts/fold';

function said(value: string | null, more: Partial<SaidFact> = {}): SaidFact {
  return {
    subject: 'user',
    attribute: 'home',
    value,
    change: 'holds',
    single: true,
    start: 0,
    end: 5,
    ...more,
  };
}

function source(at: number, ...facts: SaidFact[]): FactSource {
  return { memoryId: `m${String(at).padStart(3, '0')}`, at, said: facts };
}

const value = fc.constantFrom('Leeds', 'York', 'Bath', 'the Crown');
const saidFact = fc.record({
  subject: fc.constantFrom('user', 'sister'),
  attribute: fc.constantFrom('home', 'pet'),
  value: fc.option(value),
  change: fc.constantFrom('holds' as const, 'ends' as const, 'corrects' as const),
  single: fc.boolean(),
  start: fc.constant(0),
  end: fc.constant(5),
});
const sources = fc
  .array(fc.array(saidFact, { maxLength: 3 }), { maxLength: 12 })
  .map((list) => list.map((facts, at) => source(at, ...facts)));

test('any order of arrival gives the same facts', () => {
  const shuffled = sources.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      expect(foldFacts(other)).toEqual(foldFacts(list));
    }),
  );
});

test('a deleted memory leaves the facts as if it had never been said', () => {
  const moved = [source(1, said('Leeds')), source(2, said('York')), source(3, said('Bath'))];
  const left = foldFacts(moved.filter(({ at }) => at !== 3));
  expect(left.map(({ value: place, validTo }) => [place, validTo])).toEqual([
    ['Leeds', 2],
    ['York', undefined],
  ]);
});

test('a single-valued attribute has at most one value that holds', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (values) => {
      const facts = foldFacts(values.map((one, at) => source(at, said(one))));
      const holding = facts.filter(({ validTo }) => validTo === undefined);
      expect(holding.map((fact) => fact.value)).toEqual([values.at(-1)]);
    }),
  );
});

test('the same thing said nine times is one fact with nine sources', () => {
  const [fact, ...others] = foldFacts(Array.from({ length: 9 }, (_, at) => source(at, said('Leeds'))));
  expect(others).toEqual([]);
  expect(fact?.sources).toHaveLength(9);
});

test('a correction says that the value before never held', () => {
  const facts = foldFacts([source(1, said('Leeds')), source(2, said('York', { change: 'corrects' }))]);
  expect(facts[0]).toMatchObject({ value: 'Leeds', validFrom: 1, validTo: 1, neverHeld: true });
  expect(facts[1]).toMatchObject({ value: 'York' });
  expect(facts[1]).not.toHaveProperty('validTo');
});

test('what a fact replaces ends with it, and the words by which it is found stay', () => {
  const facts = foldFacts([
    source(1, said('bike', { attribute: 'own', single: false })),
    source(2, said('scooter', { attribute: 'have', single: false, replaces: 'bike', about: 'ride work' })),
  ]);
  expect(facts[0]).toMatchObject({ validTo: 2, supersededBy: facts[1]?.id });
  expect(facts[1]).toMatchObject({ about: 'ride work' });
});
