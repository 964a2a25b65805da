import type { RecalledText } from '../../recall/types';
import { isPersonNoun } from '../topics';
import { USER } from '../people';
import type { KnownFact } from '../types';

/** Texts that are read for one question; the latest are kept. */
const MAX_TEXTS = 200;

/** The ids by which texts stand for a fact: those of its memories, and its own for a sentence that is made of it. */
export function idsOf({ id, sources = [] }: KnownFact): string[] {
  return [id, ...sources.map(({ memoryId }) => memoryId)];
}

/**
 * What the user said, in the order in which it was said: the recalled memories, and a sentence for each fact of another memory. A
 * memory whose fact was corrected or retracted elsewhere than in a memory is left out.
 */
export function textsOf(recalled: readonly RecalledText[], facts: readonly KnownFact[]): RecalledText[] {
  const own = recalled.filter(({ role }) => role !== 'assistant');
  const ids = new Set(own.map(({ id }) => id));
  const isRecalled = (fact: KnownFact): boolean =>
    fact.sources?.some(({ memoryId }) => ids.has(memoryId)) === true;
  const inRecalled = new Set(facts.filter(isRecalled).map(({ id }) => id));
  const retracted = facts.filter(
    ({ neverHeld, supersededBy }) => neverHeld && !inRecalled.has(supersededBy ?? ''),
  );
  const dropped = new Set(retracted.flatMap(idsOf));
  const others = facts.filter((fact) => fact.certain !== false && !fact.neverHeld && !isRecalled(fact));
  return [...own.filter(({ id }) => !dropped.has(id)), ...others.flatMap(sentencesOf)]
    .map((text) => ({ text, at: Date.parse(text.timestamp ?? '') || 0 }))
    .sort((one, other) => one.at - other.at)
    .map(({ text }) => text)
    .slice(-MAX_TEXTS);
}

/** How sentences say the attributes that have a verb of their own. */
const VERBS: Readonly<Record<string, readonly [user: string, other: string]>> = {
  home: ['I live in', 'lives in'],
  employer: ['I work for', 'works for'],
  job: ['I work as', 'works as'],
};

function sentencesOf(fact: KnownFact): RecalledText[] {
  const { value, validFrom, validTo, supersededBy } = fact;
  const lead = leadOf(fact);
  const begins = toText(fact, `${lead} ${value}${validTo === undefined ? ' now' : ''}.`, validFrom);
  return validTo === undefined || supersededBy !== undefined
    ? [begins]
    : [begins, toText(fact, `${lead} ${value} no longer.`, validTo)];
}

function toText({ id }: KnownFact, text: string, at: number): RecalledText {
  return { id, kind: 'episodic', role: 'user', relevance: 0, text, timestamp: new Date(at).toISOString() };
}

function leadOf({ subject, attribute }: KnownFact): string {
  const verb = VERBS[attribute];
  if (subject === USER) return verb?.[0] ?? `My ${attribute} is`;
  const [first = ''] = subject.split(' ');
  const name = isPersonNoun(first) ? `My ${subject}` : `${first.charAt(0).toUpperCase()}${subject.slice(1)}`;
  return verb ? `${name} ${verb[1]}` : `${name}'s ${attribute} is`;
}
