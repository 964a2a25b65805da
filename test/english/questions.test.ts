import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecalledText } from '@holdfast/plain-english';
import { answerFromMessages } from '../support/answer-by-rules';

const FOLDER = join(__dirname, '..', '..', 'packages', 'plain-english', 'test', 'held-out');
const FIRST_DAY = Date.UTC(2026, 9, 1, 8);
const DAY_MS = 86_400_000;
const NOW = new Date('2026-11-21T10:00:00Z');

interface Case {
  readonly memories: readonly (string | (Partial<RecalledText> & { readonly text: string }))[];
  readonly query: string;
  /** What the answer has to hold; null if nothing is to be answered. */
  readonly expect?: readonly string[] | null;
  readonly forbid?: readonly string[];
  readonly fill?: unknown;
}

/** Measured. A change that makes answers better raises the numbers that are right, and lowers the others. */
const MEASURED = [
  ['memory.jsonl', { right: 100, wrong: 5 }],
  ['recalled.jsonl', { right: 49, wrong: 0 }],
] as const;

/** If it is not clear what holds, an answer says so. */
const REFUSAL = /know of nothing in its place/;

describe('questions to memory where the facts of all messages are drawn too', () => {
  test.each(MEASURED)('%s: no worse than measured', (file, measured) => {
    const lines = readFileSync(join(FOLDER, file), 'utf8').trim().split('\n');
    const cases = lines.map((line) => JSON.parse(line) as Case);
    const verdicts = cases.filter((one) => !('fill' in one)).map(judge);
    expect(verdicts.filter((verdict) => verdict === 'right').length).toBeGreaterThanOrEqual(measured.right);
    expect(verdicts.filter((verdict) => verdict === 'wrong').length).toBeLessThanOrEqual(measured.wrong);
  });
});

function judge({ memories, query, expect: wanted, forbid = [] }: Case): 'right' | 'wrong' | 'refused' {
  const messages = memories.map((said, day): RecalledText => {
    const timestamp = new Date(FIRST_DAY + day * DAY_MS).toISOString();
    const message = typeof said === 'string' ? { text: said } : said;
    return { id: `m${day}`, kind: 'episodic', role: 'user', relevance: 0.5, timestamp, ...message };
  });
  const answer = answerFromMessages(query, messages, NOW)?.toLowerCase();
  if (answer === undefined || REFUSAL.test(answer)) return wanted === null ? 'right' : 'refused';
  const has = (part: string): boolean => answer.includes(part.toLowerCase());
  return wanted?.every(has) === true && !forbid.some(has) ? 'right' : 'wrong';
}
