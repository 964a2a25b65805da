import { answerFromKnowledge } from './knowledge';
import { match, type Match } from './match';
import { tellMatches, tellWhether } from './phrase';
import { readQuestion } from './questions';
import { readStatements } from './statements';
import { conceptOf } from './words';
import type { MemoryAnswer, Question, RecalledText, Statement } from './types';

/** Most statements told in one answer. */
const MAX_TOLD = 4;
/** Longest query, characters, and most questions of one that are answered. */
const MAX_QUERY = 4_000;
const MAX_PARTS = 3;
/** Where one question ends and the next begins. */
const SEVERAL = /(?<=\?)\s+(?=\p{L})|,?\s+and\s+(?=(?:what|where|who|when|which|how)\b)/iu;
/** Relations of which somebody may have several at once. */
const MANY = new Set(['like', 'dislike', 'own', 'favourite', 'learn', 'speak', 'play']);

/**
 * The answer that the memories support, with the ids of those it rests on; undefined where they support none. Newer
 * statements win over older ones, and what the user said over what the assistant said.
 */
export function answerFromMemories(
  query: string,
  memories: readonly RecalledText[],
  now: Date,
): MemoryAnswer | undefined {
  const known = memories.filter(({ timestamp }) => !(Date.parse(timestamp ?? '') > now.getTime() + DAY));
  const parts = query.slice(0, MAX_QUERY).split(SEVERAL).slice(0, MAX_PARTS);
  const answers = parts.map((part) => answerOne(part, known)).filter((one) => one !== undefined);
  if (answers.length === 0) return undefined;
  return {
    text: [...new Set(answers.map(({ text }) => text))].join(' '),
    sourceIds: [...new Set(answers.flatMap(({ sourceIds }) => sourceIds))],
  };
}

function answerOne(query: string, known: readonly RecalledText[]): MemoryAnswer | undefined {
  const question = readQuestion(query);
  if (question) {
    const matches = findMatches(question, known);
    if (matches.length > 0) {
      return question.wanted === 'whether' ? tellWhether(matches) : tellMatches(matches.slice(0, MAX_TOLD));
    }
  }
  const isPersonal = question?.subject.who === 'user' || /\bmy\b/i.test(query);
  return answerFromKnowledge(query, question?.wanted ?? 'what', known, isPersonal);
}

/** Clocks of machines differ, and a timestamp may be in another zone. */
const DAY = 24 * 60 * 60 * 1_000;

/** What answers a question, the best first; what was taken back or is not so any more is left out. */
export function findMatches(question: Question, memories: readonly RecalledText[]): Match[] {
  const byUser = memories.filter(({ role }) => role !== 'assistant');
  const found = matchesIn(question, byUser);
  return found.length > 0
    ? found
    : matchesIn(
        question,
        memories.filter(({ role }) => role === 'assistant'),
      );
}

function matchesIn(question: Question, memories: readonly RecalledText[]): Match[] {
  const found = memories
    .flatMap(readStatements)
    .map((statement) => match(question, statement))
    .filter((one) => one !== undefined)
    .sort(byRecency);
  if (question.wanted === 'whether') return found.slice(0, 1);
  const least = Math.min(...found.map(({ surplus }) => surplus));
  const standing = found.filter(
    (one, at) =>
      one.holds &&
      one.surplus === least &&
      !found.slice(0, at).some((later) => !later.holds && withdraws(later.statement, one.statement)),
  );
  const distinct = standing.filter(
    (one, at) =>
      standing.findIndex(({ statement }) => statement.clause.text === one.statement.clause.text) === at,
  );
  return isOfMany(question) ? distinct : distinct.slice(0, 1);
}

function isOfMany({ relation, subject, wanted, terms }: Question): boolean {
  if (relation !== undefined)
    return (
      MANY.has(relation) ||
      (relation === 'name' &&
        (subject.terms.includes(conceptOf('child')) || subject.terms.includes(conceptOf('pet'))))
    );
  if (wanted === 'about') return true;
  return wanted === 'what' && terms.includes(conceptOf('allergic'));
}

function byRecency(left: Match, right: Match): number {
  return right.statement.at - left.statement.at || right.statement.order - left.statement.order;
}

/** True where what is denied is what was said before. */
function withdraws(later: Statement, earlier: Statement): boolean {
  const said = new Set(earlier.objects.flatMap(({ words }) => words));
  return (
    later.objects.length === 0 ||
    later.objects.some(({ words }) => words.some((word) => word.length > 2 && said.has(word)))
  );
}
