import { type Asked, build } from './asked';
import type { Clause } from './clause';
import { ageFrom, resolveDay } from './dates';
import { readPassages, type Passage, textOf, type Told } from './passages';
import { joinAll, tellClause, tellWords } from './phrase';
import { affirms } from './polarity';
import { rank } from './rank';
import type { Found } from './lookup';
import { hasAge } from './self';
import { conceptOf, hasWord, plainText, termsOf } from './words';
import type { MemoryAnswer, RecalledText } from './types';

/** The maximum number of statements in one answer. */
const MAX_TOLD = 4;

/** The answer in the clauses that have most of the question and what it wants. */
export function findAnswer(
  question: Asked | undefined,
  memories: readonly RecalledText[],
  now: Date,
): MemoryAnswer | undefined {
  if (!question) return undefined;
  const found = findTold(question, readPassages(memories));
  return answerOf(question, isOfMany(question) ? found : found.slice(0, 1), now);
}

/** All that is known about somebody or something; `me` for the user. */
export function findAll(
  topic: Asked | 'me',
  memories: readonly RecalledText[],
  now: Date,
): MemoryAnswer | undefined {
  const told = readPassages(memories);
  if (topic === 'me') return answerOf(build({ want: 'what', rest: [] }, []), clausesOfUser(told), now);
  const found = findTold(topic, told);
  return answerOf(topic, found.length > 0 ? found : clausesNaming(topic, told), now);
}

function answerOf(question: Asked, found: readonly Found[], now: Date): MemoryAnswer | undefined {
  if (found.length === 0) return undefined;
  const told = found.slice(0, MAX_TOLD);
  return {
    text: tellAll(question, told, now),
    sourceIds: [...new Set(told.map(({ passage }) => passage.memory.id))],
  };
}

const clausesOfUser = (told: Told): Found[] =>
  clausesSaid(told, ({ speaker, words }) => speaker === 'user' || hasWord(words, 'my', 'our'));

/** What names a topic in passing: coffee in `I drink 3 cups of coffee`. */
function clausesNaming({ terms }: Asked, told: Told): Found[] {
  if (terms.length === 0) return [];
  return clausesSaid(told, ({ words }) => {
    const named = new Set(termsOf(words.map(({ lower }) => lower)));
    return terms.every(({ word }) => named.has(word) || named.has(conceptOf(word)));
  });
}

/** What the user said as a fact and that is accepted, the latest first. */
function clausesSaid({ passages }: Told, accepts: (clause: Clause) => boolean): Found[] {
  const found = { extent: 'clause', denied: false, score: 1, isWhole: true, isMixed: false } as const;
  return passages
    .filter(({ asks, memory }) => !asks && memory.role !== 'assistant')
    .flatMap((passage) => passage.clauses.map((clause) => ({ ...found, passage, clause })))
    .filter(({ clause }) => clause.open === undefined && accepts(clause))
    .reverse();
}

/** What answers a question, the best first. What the user said counts before what the assistant said. */
export function findTold(question: Asked, told: Told): Found[] {
  const ranked = rank(question, told);
  const found = question.want === 'whether' || question.past ? ranked : standing(question, ranked);
  const isOfUser = ({ passage }: Found): boolean => passage.memory.role !== 'assistant';
  const ofUser = found.filter(isOfUser);
  return question.ofAssistant || ofUser.length === 0 ? found.filter((one) => !isOfUser(one)) : ofUser;
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
  return !clause.ended || /\b(?:now|these days|instead)\b/.test(plainText(passage.words));
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
  const said = new Map<string, string | undefined>();
  for (const one of found) {
    const text = tell(question, one, now);
    if (!said.has(text)) said.set(text, dayOf(one.passage));
  }
  const parts = [...said];
  const who = tellerOf(first.passage);
  const [, day] = parts[0] ?? [];
  if (parts.some(([, other]) => other !== day)) {
    const dated = parts.map(([text, on]) => (on === undefined ? text : `${text} (${on})`));
    return `${who}: ${joinAll(dated, ';')}.`;
  }
  const lead = question.want === 'whether' ? (affirms(question, first.clause) ? 'Yes. ' : 'No. ') : '';
  const texts = parts.map(([text]) => text);
  return `${lead}${who}${day === undefined ? '' : ` on ${day}`}: ${joinAll(texts, ';')}.`;
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
