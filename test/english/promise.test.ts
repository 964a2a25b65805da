import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecalledText } from '@holdfast/plain-english';
import { answerFromMessages } from '../support/answer-by-rules';

const FOLDER = join(__dirname, '..', '..', 'packages/plain-english/test/promise');
const NOW = new Date('2026-11-27T00:00:00Z');

interface Question {
  readonly ask: string;
  /** A part of the right answer; null if nothing answers. */
  readonly answer: string | null;
  /** What a right answer does not have. */
  readonly not?: readonly string[];
  readonly attribute?: string;
}

type Verdict = 'right' | 'refused' | 'wrong';

const readCases = <T>(file: string): T[] =>
  readFileSync(join(FOLDER, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** The messages of sessions that are a week apart. */
function toMessages(sessions: readonly (readonly string[])[]): RecalledText[] {
  return sessions.flatMap((texts, session) =>
    texts.map((text, index) => ({
      id: `m${session}.${index}`,
      kind: 'episodic' as const,
      role: 'user' as const,
      sessionId: `s${session}`,
      relevance: 0.5,
      text,
      timestamp: new Date(Date.UTC(2026, 8, 1 + session * 7, 10, index)).toISOString(),
    })),
  );
}

function has(text: string, part: string): boolean {
  const plain = part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:^|[^\\p{L}\\p{N}])${plain}(?:$|[^\\p{L}\\p{N}])`, 'iu').test(text);
}

function judge({ ask, answer, not = [] }: Question, messages: readonly RecalledText[]): Verdict {
  const given = answerFromMessages(ask, messages, NOW);
  if (given === undefined) return answer === null ? 'right' : 'refused';
  return answer !== null && has(given, answer) && !not.some((part) => has(given, part)) ? 'right' : 'wrong';
}

const count = (verdicts: readonly Verdict[]): Record<Verdict, number> => ({
  right: verdicts.filter((one) => one === 'right').length,
  refused: verdicts.filter((one) => one === 'refused').length,
  wrong: verdicts.filter((one) => one === 'wrong').length,
});

/** The scores so far. A better one replaces them. */
test('users who say many things are answered as well as before', () => {
  const asked = readCases<{ sessions: string[][]; questions: Question[] }>('users.jsonl').flatMap(
    ({ sessions, questions }) => {
      const messages = toMessages(sessions);
      return questions.map((question) => ({ question, verdict: judge(question, messages) }));
    },
  );
  const verdictsOf = (wanted: (question: Question) => boolean) =>
    count(asked.filter(({ question }) => wanted(question)).map(({ verdict }) => verdict));
  const isAttribute = ({ attribute }: Question): boolean => attribute !== undefined;
  expect(verdictsOf(isAttribute)).toEqual({ right: 286, refused: 21, wrong: 0 });
  expect(verdictsOf((one) => !isAttribute(one) && one.answer !== null)).toEqual({
    right: 65,
    refused: 28,
    wrong: 0,
  });
  expect(verdictsOf(({ answer }) => answer === null)).toEqual({ right: 32, refused: 0, wrong: 0 });
});

test('single facts are answered as well as before', () => {
  const asked = readCases<Question & { say: string[]; facts: object[] }>('facts.jsonl')
    .filter(({ ask, facts }) => ask !== undefined && facts.length > 0)
    .map((one) => judge(one, toMessages([one.say])));
  expect(count(asked)).toEqual({ right: 93, refused: 7, wrong: 0 });
});
