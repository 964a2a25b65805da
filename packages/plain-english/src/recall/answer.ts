import { readAsked } from './asking';
import { findAll, findAnswer } from './find';
import { answerFromKnowledge } from './knowledge';
import { knownBy } from './passages';
import { readTopic } from './topic';
import type { MemoryAnswer, RecalledText } from './types';

/** Longest query, characters, and most questions of one that are answered. */
const MAX_QUERY = 4_000;
const MAX_PARTS = 3;
/** Where one question ends and the next begins. */
const SEVERAL = /(?<=\?)\s+(?=\p{L})|,?\s+and\s+(?=(?:what|where|who|when|which|how)\b)/iu;

/**
 * The answer that the memories support, with the ids of those it rests on; undefined where they support none. Newer
 * statements win over older ones, and what the user said over what the assistant said.
 */
export function answerFromMemories(
  query: string,
  memories: readonly RecalledText[],
  now: Date,
): MemoryAnswer | undefined {
  const known = knownBy(now, memories);
  const parts = query.slice(0, MAX_QUERY).split(SEVERAL).slice(0, MAX_PARTS);
  const answers = parts.map((part) => answerOne(part, known, now)).filter((one) => one !== undefined);
  if (answers.length === 0) return undefined;
  return {
    text: [...new Set(answers.map(({ text }) => text))].join(' '),
    sourceIds: [...new Set(answers.flatMap(({ sourceIds }) => sourceIds))],
  };
}

function answerOne(query: string, known: readonly RecalledText[], now: Date): MemoryAnswer | undefined {
  const topic = readTopic(query);
  const question = readAsked(query);
  const found = topic === undefined ? findAnswer(question, known, now) : findAll(topic, known, now);
  const isPersonal = question?.ofUser === true || /\bmy\b/i.test(query);
  return found ?? answerFromKnowledge(query, question?.want ?? 'what', known, isPersonal);
}
