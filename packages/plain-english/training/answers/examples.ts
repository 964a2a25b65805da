import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { common } from '../../src/facts/answers/features';
import { type Case, readCase } from '../../src/facts/answers/rank';
import type { StoryClause } from '../../src/facts/answers/story';
import type { RecalledText } from '../../src/recall/types';

/** What somebody said, a question, and what its answer has and has not. */
export interface Example {
  readonly author: string;
  readonly kind: string;
  readonly read: Case;
  readonly messages: readonly RecalledText[];
  readonly question: string;
  /** Empty where nothing is known. */
  readonly right: readonly string[];
  readonly stale: readonly string[];
  readonly never: readonly string[];
}

interface Told extends Pick<Example, 'author' | 'kind' | 'question' | 'right' | 'stale' | 'never'> {
  readonly sessions: readonly (readonly string[])[];
}

/** Authors whose answers are measured; the others only train. */
export const LIVES = /^(?:development|unseen)-/;
/** Lives that were written for training. */
const TRAINING = ['lives.json', 'second-lives.json'];
const BEGINNING = Date.UTC(2026, 0, 1, 9);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Sets of recalled sentences have no authors; each of this number of parts is left out one at a time. */
const PARTS = 3;
/** The kind of examples of which nothing was said. */
export const FOREIGN = 'foreign';
const FOREIGN_STEP = 37;
const FOREIGN_SHARE = 3;

export const NOW = new Date(BEGINNING + 30 * DAY_MS);

/** Reads all examples that are no held-out ones: scripted lives, those written for training, and questions of memories. */
export function readExamples(root: string): Example[] {
  const folder = join(root, '..', '..', 'bench', 'facts', 'lives');
  const lives = readdirSync(folder)
    .filter((name) => LIVES.test(name))
    .sort()
    .flatMap((name) => toldLives(join(folder, name), name));
  const own = TRAINING.flatMap((name) =>
    toldLives(join(root, 'training', 'answers', name), `training ${name}`),
  );
  const memories = [
    ...toldMemories(join(root, 'test', 'areas', 'development', 'memory.json')),
    ...toldMemories(join(root, 'test', 'recalled', 'development.json')),
  ];
  const told = [...lives, ...own].flatMap(toExample);
  return [...told, ...told.flatMap((one, at) => toForeign(one, told, at)), ...memories.flatMap(toExample)];
}

/** A question of another life, of which the messages say nothing: for every third one, as most questions are of what was said. */
function toForeign({ author, messages, read }: Example, all: readonly Example[], at: number): Example[] {
  const question = at % FOREIGN_SHARE === 0 ? all[(at + FOREIGN_STEP) % all.length]?.question : undefined;
  const found = question === undefined ? undefined : readCase(question, messages, NOW);
  if (question === undefined || found === undefined) return [];
  const isForeign = ({ topics, classes }: StoryClause): boolean =>
    common(topics, found.question.topics) + common(classes, found.question.classes) === 0;
  if (!read.story.clauses.every(isForeign)) return [];
  const nothing = { right: [], stale: [], never: [] };
  return [{ author, kind: FOREIGN, read: found, messages, question, ...nothing }];
}

function toldLives(file: string, author: string): Told[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as Told[]).map((life) => ({ ...life, author }));
}

interface Question {
  readonly memories: readonly (string | { readonly text: string })[];
  readonly query: string;
  readonly expect: readonly string[] | null;
  readonly forbid?: readonly string[];
}

function toldMemories(file: string): Told[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as Question[]).map(
    ({ memories, query, expect, forbid = [] }, at) => ({
      author: `memory ${at % PARTS}`,
      kind: 'memory',
      sessions: [memories.map((one) => (typeof one === 'string' ? one : one.text))],
      question: query,
      right: expect ?? [],
      stale: forbid,
      never: [],
    }),
  );
}

function toExample({ sessions, ...told }: Told): Example[] {
  const messages = sessions.flatMap((session, day) =>
    session.map((text, minute) => ({
      id: `${day}-${minute}`,
      kind: 'episodic' as const,
      role: 'user' as const,
      relevance: 0.5,
      text,
      timestamp: new Date(BEGINNING + day * DAY_MS + minute * MINUTE_MS).toISOString(),
      sessionId: `${day}`,
    })),
  );
  const read = readCase(told.question, messages, NOW);
  return read ? [{ ...told, messages, read }] : [];
}

/** Whether a text has one of the parts, in any case. */
export function has(text: string, parts: readonly string[]): boolean {
  return parts.some((part) => text.toLowerCase().includes(part.toLowerCase()));
}
