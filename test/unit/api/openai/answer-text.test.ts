import { type AnswerPiece, followByEvents, passQuestions } from '../../../../api/openai/answer-text';
import type { Approval } from '../../../../src/contracts/http/approvals';
import type { RunEvent, RunSign } from '../../../../src/contracts/http/run-events';

type Item = RunEvent | RunSign;
const base = { runId: 'r', time: '2026-01-01T00:00:00Z' };
const step = (attempt: number, name = 'answerTurn') => ({
  id: `${name}-1`,
  name,
  kind: 'model' as const,
  attempt,
});
const says = (text: string, offset: number, attempt = 1, name?: string): Item => ({
  ...base,
  type: 'message.delta',
  step: step(attempt, name),
  offset,
  text,
});
const asks = (id: string): Item => ({
  ...base,
  type: 'approval.requested',
  sequence: 2,
  approval: { id } as Approval,
});
const ends: Item = { ...base, type: 'run.completed', sequence: 9 };

const { signal } = new AbortController();

function followed(items: readonly Item[], whole: string, isLive = true): AsyncGenerator<AnswerPiece, void> {
  async function* follow() {
    yield* items;
    return true;
  }
  return followByEvents({ follow }, isLive, () => Promise.resolve(whole))(
    { runId: 'r', workflowId: 'w' },
    signal,
  );
}

/** What a caller gets of a run: texts, `|` for a restart, `?` for a question. */
async function heardOf(items: readonly Item[], whole: string, isLive = true): Promise<string[]> {
  return textsOf(followed(items, whole, isLive));
}

async function textsOf(pieces: AsyncIterable<AnswerPiece>): Promise<string[]> {
  const heard: string[] = [];
  for await (const piece of pieces) {
    if (piece.type === 'waiting') heard.push('?');
    if (piece.type === 'text') heard.push(piece.text);
    if (piece.type === 'restart') heard.push('|');
  }
  return heard;
}

test('the text of the model is given as it comes, and the rest at the end', async () => {
  expect(await heardOf([says('One ', 0), says('two ', 4), ends], 'One two three')).toEqual([
    'One ',
    'two ',
    'three',
  ]);
});

test('what is heard with a gap waits for the end', async () => {
  expect(await heardOf([says('One ', 0), says('four ', 14), ends], 'One two three four ')).toEqual([
    'One ',
    'two three four ',
  ]);
});

test('an attempt that says the same again continues', async () => {
  const items = [says('One two ', 0), says('One ', 0, 2), says('two three ', 4, 2), ends];
  expect(await heardOf(items, 'One two three four')).toEqual(['One two ', 'three ', 'four']);
});

test('an attempt that says something else begins the answer again', async () => {
  expect(await heardOf([says('One ', 0), says('Two ', 0, 2), ends], 'Two three')).toEqual([
    'One ',
    '|',
    'Two three',
  ]);
});

test('what a planner says, and the text of an answer by a schema, is not given before the end', async () => {
  expect(await heardOf([says('I add ', 0, 1, 'plan'), ends], 'It is 5.')).toEqual(['It is 5.']);
  expect(await heardOf([says('{ "a": 1', 0), ends], '{"a":1}', false)).toEqual(['{"a":1}']);
});

test('an answer that a question has cut off is begun again', async () => {
  const items = [says('One ', 0), asks('a'), says('Two ', 0), ends];
  expect(await heardOf(items, 'Two three')).toEqual(['One ', '|', '?', 'Two ', 'three']);
});

test('what was said up to a known question is left out', async () => {
  const items = [asks('a'), says('One ', 0), asks('b'), says('Two ', 0), ends];
  const pieces = followed(items, 'Two three');
  expect(await passQuestions(pieces, ({ id }) => id === 'b', signal)).toBe(2);
  expect(await textsOf(pieces)).toEqual(['Two ', 'three']);
  await expect(passQuestions(followed(items, ''), ({ id }) => id === 'c', signal)).rejects.toThrow('lack');
});
