import type { Fact, FactMention, FactSource, SaidFact } from '../../contracts/facts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenFact = Mutable<Omit<Fact, 'sources'>> & { sources: FactMention[] };

/**
 * Works out the facts from all that was said, in the order in which it was said. Because nothing else is stored, a memory that is
 * deleted, or that arrives late, leaves the facts as if it had never been said, or had been said in its time.
 *
 * A new value of a single-valued attribute ends the one before; of another attribute it adds one. The same value again adds a
 * source. A correction ends the value before at the time when it began. Pure.
 * @returns facts of all times, in the order in which they began
 */
export function foldFacts(sources: readonly FactSource[]): Fact[] {
  const facts: OpenFact[] = [];
  const inOrder = [...sources].sort(
    (one, other) => one.at - other.at || (one.memoryId < other.memoryId ? -1 : 1),
  );
  for (const source of inOrder) source.said.forEach((said, place) => apply(facts, source, said, place));
  return facts;
}

function apply(facts: OpenFact[], source: FactSource, said: SaidFact, place: number): void {
  const { at } = source;
  const mention: FactMention = {
    memoryId: source.memoryId,
    start: said.start,
    end: said.end,
    ...(source.runId === undefined ? {} : { runId: source.runId }),
    ...(source.step === undefined ? {} : { step: source.step }),
  };
  const holding = facts.filter(({ subject, validTo }) => subject === said.subject && validTo === undefined);
  const ofAttribute = holding.filter(({ attribute }) => attribute === said.attribute);
  const id = `${source.memoryId}-${place}`;
  const { value, replaces } = said;
  if (replaces !== undefined)
    for (const fact of holding)
      if (sameValue(fact.value, replaces)) end(fact, at, value === null ? undefined : id);
  if (said.change === 'ends') {
    for (const fact of ofAttribute)
      if (value === null || sameValue(fact.value, value)) {
        end(fact, at);
        fact.sources.push(mention);
      }
    return;
  }
  if (value === null) return;
  const same = ofAttribute.find((fact) => fact.validTo === undefined && sameValue(fact.value, value));
  if (same !== undefined) same.sources.push(mention);
  const ended = said.single || said.change === 'corrects' ? ofAttribute : [];
  const before = said.change === 'corrects' && !said.single ? ended.slice(-1) : ended;
  for (const fact of before) {
    if (fact === same || fact.validTo !== undefined) continue;
    end(fact, said.change === 'corrects' ? fact.validFrom : at, same?.id ?? id);
    if (said.change === 'corrects') fact.neverHeld = true;
  }
  if (same !== undefined) return;
  const { subject, attribute, single, about } = said;
  facts.push({
    id,
    subject,
    attribute,
    value,
    single,
    ...(about === undefined ? {} : { about }),
    validFrom: at,
    learnedAt: at,
    sources: [mention],
  });
}

function end(fact: OpenFact, at: number, by?: string): void {
  fact.validTo = at;
  if (by !== undefined) fact.supersededBy = by;
}

/** Compares values without case, punctuation and a leading article. */
function sameValue(one: string, other: string): boolean {
  return normalise(one) === normalise(other);
}

function normalise(value: string): string {
  return value
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:an?|the|my|our) /, '');
}
