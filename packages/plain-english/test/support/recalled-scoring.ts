import { readFileSync } from 'node:fs';
import { answerFromMemories, type RecalledText } from '../../src';

type Told =
  | string
  | { readonly text: string; readonly role?: 'user' | 'assistant'; readonly kind?: RecalledText['kind'] };

/** A question, what is remembered (the oldest first), and what the answer has to hold; null where nothing is to be answered. */
export interface RecalledCase {
  readonly memories: readonly Told[];
  readonly query: string;
  readonly expect?: readonly string[] | null;
  /** What the answer must not hold. */
  readonly forbid?: readonly string[];
}

export type Outcome = 'right' | 'missed' | 'wrong';

export interface Scored {
  readonly right: number;
  readonly wrong: number;
  readonly failures: readonly {
    readonly outcome: Outcome;
    readonly query: string;
    readonly told: string;
    readonly got: string;
  }[];
}

export const NOW = new Date('2026-11-21T10:00:00Z');
const FIRST_DAY = Date.UTC(2026, 9, 1, 8);
const DAY_MS = 24 * 60 * 60 * 1_000;

export function readCases(file: string): RecalledCase[] {
  const cases = JSON.parse(readFileSync(file, 'utf8')) as RecalledCase[];
  // Remembered values are put into no query, so those cases are left out.
  return cases.filter((one) => !('fill' in one));
}

/** The memories of a case as a search gives them, the newest first. */
export function memoriesOf({ memories }: RecalledCase): RecalledText[] {
  return memories
    .map((told, index) => {
      const { text, role = 'user', kind = 'episodic' } = typeof told === 'string' ? { text: told } : told;
      const timestamp = new Date(FIRST_DAY + index * DAY_MS).toISOString();
      return { id: `memory-${index}`, kind, text, timestamp, role, relevance: 0.5 };
    })
    .reverse();
}

/** How often the rules answer right, and how often they answer wrongly; the rest is answers that they owe. */
export function score(cases: readonly RecalledCase[]): Scored {
  const failures = cases.flatMap((one) => {
    const { outcome, got } = scoreAnswer(one);
    return outcome === 'right'
      ? []
      : [{ outcome, query: one.query, told: JSON.stringify(one.memories), got }];
  });
  const wrong = failures.filter(({ outcome }) => outcome === 'wrong').length;
  return { right: 1 - failures.length / cases.length, wrong: wrong / cases.length, failures };
}

function scoreAnswer(one: RecalledCase): { readonly outcome: Outcome; readonly got: string } {
  const got = answerFromMemories(one.query, memoriesOf(one), NOW)?.text;
  if (got === undefined) return { outcome: one.expect === null ? 'right' : 'missed', got: '' };
  const has = (part: string): boolean => got.toLowerCase().includes(part.toLowerCase());
  const isRight = one.expect != null && one.expect.every(has) && !(one.forbid ?? []).some(has);
  return { outcome: isRight ? 'right' : 'wrong', got };
}
