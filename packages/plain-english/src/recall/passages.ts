import { spend } from '../allowance';
import { readClauses, type Clause } from './clause';
import { sentencesOf } from '../text/sentences';
import { isQuestion } from './clauses';
import { isInstruction } from './instructions';
import { isNameWord, isPersonNoun } from './persons';
import { readAliases, type Aliases } from './aliases';
import type { RecalledText } from './types';
import { saidIn } from './said';
import { isFiniteVerb } from './finite';
import { BE } from './verbs';
import { lowerAt, plainText, toWords, type Word } from './words';
import { wordsTagged } from '../text/lexicon/words';

/** Most sentences read of a memory. */
const MAX_SENTENCES = 60;
const MAX_TOKENS = 200;

/** Work of one word of a sentence. */
const WORD_COST = 9;

export interface Passage {
  readonly memory: RecalledText;
  readonly at: number;
  readonly order: number;
  readonly source: string;
  readonly words: readonly Word[];
  readonly clauses: readonly Clause[];
  /** It asks, or wants something done, and states nothing. */
  readonly asks: boolean;
  /** May be about somebody whom an earlier sentence named: it has a pronoun for them, or leaves them out. */
  readonly pointsToPerson: boolean;
  /** Says that something changed: the newer of two statements may then share fewer words with a question. */
  readonly updates: boolean;
  readonly previous: Passage | undefined;
  /** Its memory begins with it, and the one before is of the same speaker: what it points to is uncertain. */
  readonly isApart: boolean;
  /** What was said before, where the passage points back to it; the nearest first. */
  readonly before: readonly Passage[];
}

export interface Told {
  readonly passages: readonly Passage[];
  readonly aliases: Aliases;
}

const POINTERS = wordsTagged('pointers');
/** A pronoun so far into a sentence stands for something in the sentence itself. */
const MAX_POINTER = 8;
const THINGS = new Set(['it', 'its', 'there', 'one']);
const NO_PERSONS = new Set(['it', 'its']);
const MAX_BEFORE = 2;

const DAY = 24 * 60 * 60 * 1_000;

/** Those of some memories that are not of the future. Clocks of machines differ, and a timestamp may be in another zone. */
export const knownBy = (now: Date, memories: readonly RecalledText[]): readonly RecalledText[] =>
  memories.filter(({ timestamp }) => !(Date.parse(timestamp ?? '') > now.getTime() + DAY));

/** What was said, one sentence at a time, the oldest first. */
export function readPassages(memories: readonly RecalledText[]): Told {
  const passages: Passage[] = [];
  const inOrder = memories
    .map((memory, index) => ({ memory, index, at: timeOf(memory) }))
    .sort((left, right) => left.at - right.at || right.index - left.index);
  for (const { memory, at } of inOrder) {
    const source = saidIn(memory);
    for (const sentence of sentencesOf(source).slice(0, MAX_SENTENCES)) {
      const words = toWords(sentence.slice(0, MAX_TOKENS));
      spend(WORD_COST * words.length);
      const previous = passages.at(-1);
      const isReply = previous?.memory.role !== memory.role;
      const isInside = previous?.memory === memory;
      const known = previous?.clauses.findLast(({ persons }) => persons.length > 0)?.persons ?? [];
      const first = lowerAt(words, 0);
      passages.push({
        memory,
        at,
        order: passages.length,
        source,
        words,
        clauses: readClauses(words, known),
        asks: isQuestion(sentence.slice(0, MAX_TOKENS)) || isInstruction(sentence.slice(0, MAX_TOKENS)),
        pointsToPerson: pointsToPerson(words),
        updates: UPDATES.test(plainText(words)),
        previous,
        isApart: !isInside && !isReply && !(POINTERS.has(first) && first !== 'there'),
        before:
          memory.role === 'assistant' || isInside || pointsBack(words, isReply) ? contextOf(passages) : [],
      });
    }
  }
  return { passages, aliases: readAliases(passages.map(({ words }) => words)) };
}

function timeOf({ timestamp }: RecalledText): number {
  const at = Date.parse(timestamp ?? '');
  return Number.isNaN(at) ? -Infinity : at;
}

function contextOf(passages: readonly Passage[]): readonly Passage[] {
  return passages
    .filter((one, at) => !one.asks || at === passages.length - 1)
    .slice(-MAX_BEFORE)
    .reverse();
}

/** True for a sentence that leaves out what the one before has named; `isReply` for one that follows what another said. */
function pointsBack(words: readonly Word[], isReply: boolean): boolean {
  const at = words.findIndex(
    ({ lower }, index) => POINTERS.has(lower) && !(lower === 'there' && BE.has(lowerAt(words, index + 1))),
  );
  const isNamedBefore = words
    .slice(0, at)
    .some((word, index) => isNameWord(words, index) || isPersonNoun(word));
  if (at >= 0 && at < MAX_POINTER && (THINGS.has(lowerAt(words, at)) || !isNamedBefore)) return true;
  if (plainText(words.slice(1)).includes("'s is")) return true;
  return isReply && (OPENERS.has(lowerAt(words, 0)) || !words.some((_, index) => isFiniteVerb(words, index)));
}

function pointsToPerson(words: readonly Word[]): boolean {
  const first = words.find(({ lower }) => POINTERS.has(lower) || SELF.has(lower))?.lower ?? '';
  return !NO_PERSONS.has(first) && !SELF.has(first);
}

const SELF = new Set(['i', 'we']);
const OPENERS = new Set(['no', 'yes', 'so', 'and', 'but', 'that', 'this']);

const UPDATES =
  /\b(?:now|new|changed|moved|instead|actually|correction|switched|these days|from now on|from today|as of|turns out|put off|postponed|rescheduled|cancell?ed|brought forward|sorry|meant|no longer|any ?more|down to|up to|raised|went up|renamed|replaced)\b/;

/** Some words of a passage as they were written. */
export function textOf(passage: Passage, words: readonly Word[]): string {
  const first = words[0]?.token;
  const last = words.at(-1)?.token;
  return first && last ? passage.source.slice(first.start, last.end) : '';
}
