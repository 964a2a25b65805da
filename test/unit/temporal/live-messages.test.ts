import { pino } from 'pino';
import type { RunSign } from '../../../src/contracts/http/run-events';
import { createRedactor } from '../../../src/secrets/redactor';
import { LiveMessages } from '../../../temporal/run-events/live-messages';

const STEP = { id: 'answerTurn-1', name: 'answerTurn', kind: 'model', attempt: 1 } as const;
const ADDRESS = 'http://worker:1/x';

/** A worker whose text the test says. */
function createWorker() {
  let say: (soFar: string) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  return {
    read: (_: string, onText: (soFar: string) => void): Promise<void> =>
      new Promise((_resolve, reject) => {
        say = onText;
        fail = reject;
      }),
    say: (soFar: string) => say(soFar),
    fail: () => fail(new Error('gone')),
  };
}

function listen() {
  const worker = createWorker();
  const given: RunSign[] = [];
  const messages = new LiveMessages({
    runId: 'r',
    redactor: createRedactor(),
    logger: pino({ level: 'silent' }),
    give: (sign) => given.push(sign),
    signal: new AbortController().signal,
    read: worker.read,
  });
  const texts = (): [number | undefined, string | undefined][] =>
    given.map(({ offset, text }) => [offset, text]);
  return { worker, messages, texts, given };
}

test('the text of a worker is given by whole words, and heartbeats add nothing to it', () => {
  const { worker, messages, texts } = listen();
  messages.hear(STEP, { attempt: 1, offset: 0, text: '', at: ADDRESS });
  worker.say('Once up');
  worker.say('Once upon a');
  messages.hear(STEP, { attempt: 1, offset: 0, text: 'Once upon a time ', at: ADDRESS });
  expect(texts()).toEqual([
    [0, 'Once '],
    [5, 'upon '],
  ]);
  expect(messages.whole()).toEqual([expect.objectContaining({ offset: 0, text: 'Once upon ' })]);
  messages.end(STEP.id);
  expect(messages.whole()).toEqual([]);
});

test('no part of a credential is given before all of it is hidden', () => {
  const { worker, messages, texts } = listen();
  messages.hear(STEP, { attempt: 1, offset: 0, text: '', at: ADDRESS });
  const said = 'Send bearer abcdefghijklmnopqrstuv to postgres://ann:hunter@db/x and go ';
  for (let length = 1; length <= said.length; length += 1) worker.say(said.slice(0, length));
  const given = texts()
    .map(([, text]) => text)
    .join('');
  // What follows a credential comes with the end of the step.
  expect(given).toBe('Send bearer ');
  const other = listen();
  other.messages.hear(STEP, { attempt: 1, offset: 0, text: '', at: ADDRESS });
  const address = `See postgres://ann:${'x'.repeat(200)}@db/x or https://example.com/a `;
  for (let length = 1; length <= address.length; length += 1) other.worker.say(address.slice(0, length));
  expect(
    other
      .texts()
      .map(([, text]) => text)
      .join(''),
  ).toBe('See postgres://');
});

test('without the worker, heartbeats carry the text: whole as long as they can, then its end', async () => {
  const { worker, messages, texts } = listen();
  messages.hear(STEP, { attempt: 1, offset: 0, text: '', at: ADDRESS });
  worker.fail();
  await new Promise((resolve) => setImmediate(resolve));
  messages.hear(STEP, { attempt: 1, offset: 0, text: 'one two ', at: ADDRESS });
  messages.hear(STEP, { attempt: 1, offset: 4, text: 'two three ', at: ADDRESS });
  messages.hear(STEP, { attempt: 1, offset: 20, text: 'nine ten ' });
  messages.hear(STEP, { attempt: 1, offset: 25, text: 'ten eleven ' });
  expect(texts()).toEqual([
    [0, 'one two '],
    [8, 'three '],
    [20, 'nine ten '],
    [29, 'eleven '],
  ]);
  expect(messages.whole()).toEqual([]);
});

test('another attempt begins at 0, and the heartbeat of the one before says nothing about it', () => {
  const { messages, given } = listen();
  messages.hear(STEP, { attempt: 1, offset: 0, text: 'Once ' });
  messages.hear({ ...STEP, attempt: 2 }, { attempt: 1, offset: 0, text: 'Once upon ' });
  messages.hear({ ...STEP, attempt: 2 }, { attempt: 2, offset: 0, text: 'It was ' });
  expect(given.map(({ step, offset, text }) => [step.attempt, offset, text])).toEqual([
    [1, 0, 'Once '],
    [2, 0, 'It was '],
  ]);
});
