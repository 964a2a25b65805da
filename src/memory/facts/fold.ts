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
  const state: State = {
    facts: [],
    open: new Map(),
    neverHeld: new Map(),
    joined: new Map(),
    corrected: new Map(),
    endings: new Map(),
  };
  const inOrder = [...sources].sort(
    (one, other) => one.at - other.at || (one.memoryId < other.memoryId ? -1 : 1),
  );
  for (const source of inOrder)
    source.said.forEach((saidFact, place) =>
      apply(state, { said: saidFact, source, id: `${source.memoryId}-${place}` }),
    );
  // A value that took the place of another may have joined a fact that had it already.
  for (const fact of state.facts)
    if (fact.supersededBy !== undefined)
      fact.supersededBy = state.joined.get(fact.supersededBy) ?? fact.supersededBy;
  return state.facts;
}

/** Facts by their values without case and punctuation, in the order in which they began. */
type ByValue = Map<string, OpenFact>;

interface State {
  readonly facts: OpenFact[];
  /** The facts that hold, by subject and attribute. */
  readonly open: Map<string, Map<string, ByValue>>;
  /** The facts that never held, by subject, attribute and value. */
  readonly neverHeld: Map<string, OpenFact>;
  /** The facts to which later sayings only added a source, by the ids that these sayings would have given. */
  readonly joined: Map<string, string>;
  /** The sayings in whose place callers put others, by the keys of their values and by their ids. */
  readonly corrected: Map<string, string>;
  /** The clauses that say that a fact has ended, by subject, attribute and value, until that value holds again. */
  readonly endings: Map<string, { until?: number }>;
}

function apply(state: State, saying: Saying): void {
  const { said, id } = saying;
  if (said.retracted !== undefined) {
    retract(state, saying, said.retracted.by);
    return;
  }
  const ofSubject = state.open.get(said.subject) ?? new Map<string, ByValue>();
  state.open.set(said.subject, ofSubject);
  const { value, replaces, attribute } = said;
  const key = value === null ? undefined : normalise(value);
  const close = (from: ByValue, at: string, by?: string): void => {
    const fact = from.get(at);
    if (fact === undefined) return;
    end(state, fact, saying, by);
    from.delete(at);
  };
  if (replaces !== undefined) {
    const replaced = normalise(replaces);
    for (const [of, facts] of ofSubject)
      close(
        facts,
        heldAs(state, facts, { ...said, attribute: of, key: replaced }),
        value === null ? undefined : id,
      );
  }
  const holding: ByValue = ofSubject.get(attribute) ?? new Map<string, OpenFact>();
  if (said.change === 'ends') {
    for (const each of key === undefined ? [...holding.keys()] : [heldAs(state, holding, { ...said, key })]) {
      const ended = holding.get(each);
      if (ended === undefined) continue;
      const ends = {};
      ended.sources.push({ ...toMention(saying), ends });
      state.endings.set(keyOf(ended), ends);
      close(holding, each);
    }
    return;
  }
  if (value === null || key === undefined) return;
  if (said.change === 'doubts') {
    const doubted = holding.get(heldAs(state, holding, { ...said, key }));
    if (doubted !== undefined) doubted.doubtedAt = saying.source.at;
    return;
  }
  const same = holding.get(key);
  for (const each of superseded(holding, said)) if (each !== key) close(holding, each, same?.id ?? id);
  if (same !== undefined) {
    join(state, same, saying);
    delete same.doubtedAt;
    return;
  }
  const begun = begin(saying, value);
  state.facts.push(begun);
  ofSubject.set(attribute, holding.set(key, begun));
  holdAgain(state, begun);
}

/** Ends what says that the value of a new fact had ended. */
function holdAgain({ endings }: State, begun: OpenFact): void {
  if (endings.size === 0) return;
  const ended = endings.get(keyOf(begun));
  if (ended !== undefined) ended.until = begun.validFrom;
  endings.delete(keyOf(begun));
}

function join({ joined }: State, fact: OpenFact, saying: Saying): void {
  fact.sources.push(toMention(saying));
  joined.set(saying.id, fact.id);
}

/** A value as a saying names it. */
interface Named extends Pick<RecordedFact, 'subject' | 'attribute'> {
  /** The value without case and punctuation. */
  readonly key: string;
}

/**
 * The value under which a named value is held: itself or, if a caller has corrected it, what the caller put in its place. Who
 * says "I left Acme" means the employer that is called `Acme Ltd` since a correction.
 */
function heldAs({ corrected, joined }: State, holding: ByValue, named: Named): string {
  if (holding.has(named.key)) return named.key;
  let by = corrected.get(toKey(named));
  for (let next = by; next !== undefined; next = corrected.get(next)) by = next;
  if (by === undefined) return named.key;
  const id = joined.get(by) ?? by;
  return [...holding].find(([, fact]) => fact.id === id)?.[0] ?? named.key;
}

/** A fact that never held ends none; all that say it are sources of one fact. */
function retract(state: State, saying: Saying, by: string | undefined): void {
  if (saying.said.value === null) return;
  const fact = begin(saying, saying.said.value);
  if (by !== undefined) state.corrected.set(keyOf(fact), by).set(saying.id, by);
  const same = state.neverHeld.get(keyOf(fact));
  if (same !== undefined) {
    join(state, same, saying);
    return;
  }
  const ended = { validTo: saying.source.at, neverHeld: true } as const;
  const begun = { ...fact, ...ended, ...(by === undefined ? {} : { supersededBy: by }) };
  state.facts.push(begun);
  state.neverHeld.set(keyOf(fact), begun);
}

function keyOf({ subject, attribute, value }: OpenFact): string {
  return toKey({ subject, attribute, key: normalise(value) });
}

function toKey({ subject, attribute, key }: Named): string {
  return JSON.stringify([subject, attribute, key]);
}

/** The facts that give way to a new value. A correction of one of several values means the last. */
function superseded(holding: ByValue, { single, change }: RecordedFact): readonly string[] {
  if (single) return [...holding.keys()];
  return change === 'corrects' ? [...holding.keys()].slice(-1) : [];
}

function end(
  { neverHeld }: State,
  fact: OpenFact,
  { said: { change }, source: { at } }: Saying,
  by?: string,
): void {
  fact.validTo = change === 'corrects' ? fact.validFrom : at;
  if (change === 'corrects') {
    fact.neverHeld = true;
    if (!neverHeld.has(keyOf(fact))) neverHeld.set(keyOf(fact), fact);
  }
  if (by !== undefined) fact.supersededBy = by;
}

function begin(saying: Saying, value: string): OpenFact {
  const { said, source, id } = saying;
  const { subject, attribute, single, about, certain = true } = said;
  const { at: validFrom, storedAt = validFrom, correctedAt: learnedAt = storedAt } = source;
  const words = {
    about,
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
    correctedAt,
    runId,
    archived,
  };
}

/** Compares values without case, punctuation that says nothing, and a leading article or possessive. Pure. */
export function sameValue(one: string, other: string): boolean {
  return normalise(one) === normalise(other);
}

/** Words and numbers, and the signs that make another value: `C++` and `C#`, `A+` and `A-`, `$5` and `€5`, `5` and `-5`. */
const PARTS = /[\p{L}\p{N}]+|[\p{S}#%]+|(?<=\p{L})-(?!\S)|(?<!\S)-(?=\p{N})/gu;

function normalise(value: string): string {
  const parts = value.toLowerCase().match(PARTS) ?? [];
  return parts.join(' ').replace(/^(?:an?|the|my|our) /, '');
}
