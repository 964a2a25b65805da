import type { Asked } from './asked';
import { readAsked } from './asking';
import type { Clause } from './clause';
import { ageFrom, resolveDay } from './dates';
import { readPassages, type Passage, textOf, type Told } from './passages';
import { joinAll, tellClause, tellWords } from './phrase';
import { affirms } from './polarity';
import { rank } from './rank';
import type { Found } from './found';
import { hasAge } from './self';
import { conceptOf, termsOf } from './words';
import type { MemoryAnswer, RecalledText } from './types';

const ABOUT_USER: Asked = {
  want: 'what',
  words: [],
  kind: undefined,
  terms: [],
  ofUser: true,
  mine: [],
  open: false,
  verb: undefined,
  toUser: false,
  negated: false,
  past: true,
  isChoice: false,
  ofAssistant: false,
  taste: undefined,
  unit: undefined,
};

/** The maximum number of statements in one answer. */
const MAX_TOLD = 4;

/** The answer in the clauses that have most of the question and what it wants. */
export function findAnswer(
  query: string,
  memories: readonly RecalledText[],
  now: Date,
): MemoryAnswer | undefined {
  const question = readAsked(query);
  const found = question && findClauses(question, memories);
  if (!question || !found || found.length === 0) return undefined;
  const told = isOfMany(question) ? found.slice(0, MAX_TOLD) : found.slice(0, 1);
  return {
    text: tellAll(question, told, now),
    sourceIds: [...new Set(told.map(({ passage }) => passage.memory.id))],
  };
}

/** All that is known about somebody or something; `me` for the user. */
export function findAll(
  topic: Asked | 'me',
  memories: readonly RecalledText[],
  now: Date,
): MemoryAnswer | undefined {
  const question = topic === 'me' ? ABOUT_USER : topic;
  const best = topic === 'me' ? clausesOfUser(memories) : findClauses(question, memories);
  const found = topic === 'me' || best.length > 0 ? best : clausesNaming(topic, memories);
  if (found.length === 0) return undefined;
  const told = found.slice(0, MAX_TOLD);
  return {
    text: tellAll(question, told, now),
    sourceIds: [...new Set(told.map(({ passage }) => passage.memory.id))],
  };
}

function clausesOfUser(memories: readonly RecalledText[]): Found[] {
  return clausesSaid(
    memories,
    ({ speaker, words }) =>
      speaker === 'user' || words.some(({ lower }) => lower === 'my' || lower === 'our'),
  );
}

/** What names a topic in passing: coffee in `I drink 3 cups of coffee`. */
function clausesNaming({ terms }: Asked, memories: readonly RecalledText[]): Found[] {
  if (terms.length === 0) return [];
  return clausesSaid(memories, ({ words }) => {
    const named = new Set(termsOf(words.map(({ lower }) => lower)));
    return terms.every(({ word }) => named.has(word) || named.has(conceptOf(word)));
  });
}

/** What the user said as a fact and that is accepted, the latest first. */
function clausesSaid(memories: readonly RecalledText[], accepts: (clause: Clause) => boolean): Found[] {
  return readPassages(memories)
    .passages.filter(({ asks, memory }) => !asks && memory.role !== 'assistant')
    .flatMap((passage) =>
      passage.clauses.map((clause) => ({
        passage,
        clause,
        extent: 'clause' as const,
        denied: false,
        score: 1,
        isWhole: true,
        isMixed: false,
      })),
    )
    .filter(({ clause }) => !clause.open && accepts(clause))
    .reverse();
}

/** What answers a question, the best first. What the user said counts before what the assistant said. */
export function findClauses(question: Asked, memories: readonly RecalledText[]): Found[] {
  return findTold(question, readPassages(memories));
}

/** As `findClauses`, for several questions about the same memories. */
export function findTold(question: Asked, told: Told): Found[] {
  const ranked = rank(question, told);
  const found = question.want === 'whether' || question.past ? ranked : standing(question, ranked);
  const [first, second] = [true, false].map((isUser) =>
    found.filter(({ passage }) => (passage.memory.role !== 'assistant') === isUser),
  );
  return (
    (question.ofAssistant ? [second] : [first, second]).find((one) => one !== undefined && one.length > 0) ??
    []
  );
}

/** What was not taken back later. */
function standing({ terms }: Asked, found: readonly Found[]): Found[] {
  const asked = new Set(terms.map(({ word }) => conceptOf(word)));
  const gone = new Set<string>();
  return found.filter((one) => {
    const words = termsOf(one.clause.words.map(({ lower }) => lower)).filter((word) => !asked.has(word));
    const isEnd = !stands(one) || one.denied;
    if (isEnd) for (const word of words) gone.add(word);
    return !isEnd && !words.some((word) => gone.has(word));
  });
}

/** `used to be red but now it is teal` stands, `I sold the car` does not. */
function stands({ passage, clause }: Found): boolean {
  return (
    !clause.ended || /\b(?:now|these days|instead)\b/.test(passage.words.map(({ lower }) => lower).join(' '))
  );
}

function isOfMany({ taste, want, kind, terms }: Asked): boolean {
  return (
    (taste !== undefined && (want === 'kind' || want === 'what')) ||
    (want === 'kind' && kind?.endsWith('s') === true) ||
    (want === 'name' && terms.some(({ word }) => word.endsWith('s')))
  );
}

function tellAll(question: Asked, found: readonly Found[], now: Date): string {
  const [first] = found;
  if (!first) return '';
  const said = distinct(found.map((one) => ({ text: tell(question, one, now), day: dayOf(one.passage) })));
  const who = tellerOf(first.passage);
  const day = said[0]?.day;
  if (said.every((one) => one.day === day)) {
    const lead = question.want === 'whether' ? (affirms(question, first.clause) ? 'Yes. ' : 'No. ') : '';
    return `${lead}${who}${day === undefined ? '' : ` on ${day}`}: ${joinAll(said.map(({ text }) => text))}.`;
  }
  return `${who}: ${joinAll(said.map((one) => (one.day === undefined ? one.text : `${one.text} (${one.day})`)))}.`;
}

function distinct<T extends { readonly text: string }>(said: readonly T[]): T[] {
  return said.filter(({ text }, at) => said.findIndex((other) => other.text === text) === at);
}

function tellerOf({ memory }: Passage): string {
  if (memory.kind === 'semantic') return 'I have kept';
  return memory.role === 'assistant' ? 'I said' : 'You told me';
}

function dayOf({ at }: Passage): string | undefined {
  return Number.isFinite(at) ? new Date(at).toISOString().slice(0, 10) : undefined;
}

/** The clause to the one who said it, with the day or the age that follows from it. */
function tell({ want, taste, terms }: Asked, { passage, clause, extent, isMixed }: Found, now: Date): string {
  const isClause =
    extent === 'clause' &&
    (isMixed || taste !== undefined || terms.length === 0) &&
    want !== 'reason' &&
    !passage.updates &&
    !passage.clauses.some(({ closes }) => closes);
  const words = isClause ? clause.words : passage.words;
  const said = textOf(passage, words);
  const told = isClause ? tellClause(passage, clause) : tellWords(passage, passage.words);
  if (want === 'time') {
    const day = resolveDay(said, passage.at);
    return day === undefined ? told : `${told} (that is ${day})`;
  }
  const age = want === 'age' && !hasAge(words) ? ageFrom(said, now) : undefined;
  return age === undefined ? told : `${told} (so ${age} years old)`;
}
