import type { Fact, FactMention, FactSource, RecordedFact } from '../../contracts/facts';

type OpenFact = { -readonly [Key in keyof Omit<Fact, 'sources'>]: Fact[Key] } & { sources: FactMention[] };

/** What is said, by whom, and the id that a new fact gets. */
interface Saying {
  readonly said: RecordedFact;
  readonly source: FactSource;
  readonly id: string;
}

/**
 * Works out the facts from all that was said, in the order in which it was said. Because nothing else is stored, a memory that is
 * deleted, or that arrives late, leaves the facts as if it had never been said, or had been said in its time.
 *
 * A new value of a single-valued attribute ends the one before; of another attribute it adds one. The same value again adds a
 * source. A correction ends the value before at the time when it began. Pure.
 * @returns facts of all times, in the order in which they began
 */
export function foldFacts(sources: readonly FactSource[]): Fact[] {
  const state: State = { facts: [], open: new Map() };
  const inOrder = [...sources].sort(
    (one, other) => one.at - other.at || (one.memoryId < other.memoryId ? -1 : 1),
  );
  for (const source of inOrder)
    source.said.forEach((said, place) => apply(state, { said, source, id: `${source.memoryId}-${place}` }));
  return state.facts;
}

interface State {
  readonly facts: OpenFact[];
  /** The facts that hold, by subject and attribute. */
  readonly open: Map<string, Map<string, OpenFact[]>>;
}

function apply(state: State, saying: Saying): void {
  const { said, source, id } = saying;
  if (said.retracted !== undefined) {
    retract(state.facts, saying, said.retracted.by);
    return;
  }
  const ofSubject = state.open.get(said.subject) ?? new Map<string, OpenFact[]>();
  state.open.set(said.subject, ofSubject);
  const { value, replaces, attribute } = said;
  const close = (fact: OpenFact, by?: string): void => {
    end(fact, saying, by);
    const others = ofSubject.get(fact.attribute)?.filter((other) => other !== fact) ?? [];
    ofSubject.set(fact.attribute, others);
  };
  if (replaces !== undefined) {
    const replaced = [...ofSubject.values()].flat().filter((fact) => sameValue(fact.value, replaces));
    for (const fact of replaced) close(fact, value === null ? undefined : id);
  }
  const holding = ofSubject.get(attribute) ?? [];
  if (said.change === 'ends') {
    for (const fact of holding.filter((one) => value === null || sameValue(one.value, value))) {
      close(fact);
      fact.sources.push(toMention(saying));
    }
    return;
  }
  if (value === null) return;
  const same = holding.find((fact) => sameValue(fact.value, value));
  if (said.change === 'doubts') {
    if (same !== undefined) same.doubtedAt = source.at;
    return;
  }
  for (const fact of superseded(holding, said)) if (fact !== same) close(fact, same?.id ?? id);
  if (same !== undefined) {
    same.sources.push(toMention(saying));
    delete same.doubtedAt;
    return;
  }
  const begun = begin(saying, value);
  state.facts.push(begun);
  ofSubject.set(attribute, [...(ofSubject.get(attribute) ?? []), begun]);
}

/** A fact that never held ends none; all that say it are sources of one fact. */
function retract(facts: OpenFact[], saying: Saying, by: string | undefined): void {
  const { subject, attribute, value } = saying.said;
  if (value === null) return;
  const same = facts.find(
    (fact) =>
      fact.neverHeld === true &&
      fact.subject === subject &&
      fact.attribute === attribute &&
      sameValue(fact.value, value),
  );
  if (same !== undefined) {
    same.sources.push(toMention(saying));
    return;
  }
  const ended = { validTo: saying.source.at, neverHeld: true } as const;
  facts.push({ ...begin(saying, value), ...ended, ...(by === undefined ? {} : { supersededBy: by }) });
}

/** The facts that give way to a new value. A correction of one of several values means the last. */
function superseded(open: readonly OpenFact[], { single, change }: RecordedFact): readonly OpenFact[] {
  if (single) return open;
  return change === 'corrects' ? open.slice(-1) : [];
}

function end(fact: OpenFact, { said: { change }, source: { at } }: Saying, by?: string): void {
  fact.validTo = change === 'corrects' ? fact.validFrom : at;
  if (change === 'corrects') fact.neverHeld = true;
  if (by !== undefined) fact.supersededBy = by;
}

function begin(saying: Saying, value: string): OpenFact {
  const { said, source, id } = saying;
  const { subject, attribute, single, about, certain = true } = said;
  const { at: validFrom, correctedAt: learnedAt = validFrom } = source;
  const words = {
    ...(about === undefined ? {} : { about }),
    ...(source.correctedAt === undefined ? { drawnBy: said.drawnBy ?? ('rules' as const) } : {}),
  };
  const sources = [toMention(saying)];
  return { id, subject, attribute, value, single, certain, ...words, validFrom, learnedAt, sources };
}

function toMention({ said: { start, end }, source }: Saying): FactMention {
  const { memoryId, correctedAt, runId, archived } = source;
  return {
    memoryId,
    start,
    end,
    ...(correctedAt === undefined ? {} : { correctedAt }),
    ...(runId === undefined ? {} : { runId }),
    ...(archived === undefined ? {} : { archived }),
  };
}

/** Compares values without case, punctuation and a leading article or possessive. Pure. */
export function sameValue(one: string, other: string): boolean {
  return normalise(one) === normalise(other);
}

function normalise(value: string): string {
  return value
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:an?|the|my|our) /, '');
}
