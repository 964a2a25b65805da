import { mayBeCharged, NotSentError } from '../../../src/llm/answer-errors';
import { createCallQueue, queuedProvider } from '../../../src/llm/call-queue';
import { type LlmProvider, runInPlace } from '../../../src/llm/provider';
import { HELLO } from './harness';

const { signal } = new AbortController();
const CONTEXT = { signal, timeoutMs: 60_000 };

interface Held {
  readonly end: () => void;
  readonly timeoutMs: number;
}

/** A provider whose calls end when the test ends them. */
function heldProvider() {
  const open: Held[] = [];
  const chat: LlmProvider['chat'] = (_request, { timeoutMs }) =>
    new Promise((resolve) => open.push({ end: () => resolve({} as never), timeoutMs }));
  return { open, provider: { name: 'local', defaultModel: 'm', chat } as unknown as LlmProvider };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('as many calls as the server works on are sent at once, the others in their order', async () => {
  const { open, provider } = heldProvider();
  const queued = queuedProvider(
    provider,
    createCallQueue(() => Promise.resolve(2)),
  );
  const ended: number[] = [];
  const calls = [0, 1, 2, 3].map((number) => queued.chat(HELLO, CONTEXT).then(() => void ended.push(number)));
  await settled();
  expect(open).toHaveLength(2);
  open[0]?.end();
  await settled();
  expect([open.length, ended]).toEqual([3, [0]]);
  // The time of a call that has waited is whole.
  expect(open[2]?.timeoutMs).toBe(60_000);
  for (let number = 1; number < 4; number += 1) {
    open[number]?.end();
    await settled();
  }
  await Promise.all(calls);
  expect(ended).toEqual([0, 1, 2, 3]);
});

test('calls wait for none while the limit is not known', async () => {
  const { open, provider } = heldProvider();
  const known: number[] = [];
  const queued = queuedProvider(
    provider,
    createCallQueue(() => Promise.resolve(known[0])),
  );
  const first = [queued.chat(HELLO, CONTEXT), queued.chat(HELLO, CONTEXT)];
  await settled();
  expect(open).toHaveLength(2);
  known.push(1);
  const later = [queued.chat(HELLO, CONTEXT), queued.chat(HELLO, CONTEXT)];
  await settled();
  expect(open).toHaveLength(3);
  for (const { end } of open) end();
  await settled();
  open[3]?.end();
  await Promise.all([...first, ...later]);
});

test('a call that finds no place in time says who is before it, and costs nothing', async () => {
  const { open, provider } = heldProvider();
  const queued = queuedProvider(
    provider,
    createCallQueue(() => Promise.resolve(1)),
  );
  const first = queued.chat(HELLO, CONTEXT);
  await settled();
  const late: unknown = await queued
    .chat(HELLO, { ...CONTEXT, maxWaitMs: 1 })
    .catch((error: unknown) => error);
  expect(late).toBeInstanceOf(NotSentError);
  expect(late).toMatchObject({
    code: 'MODEL_TIMEOUT',
    message:
      'The model provider "local" was not asked: it takes one call at once (LLM_MAX_CONCURRENT), 0 waited before this one, ' +
      'and no place was free within 1 ms',
    details: { provider: 'local', timeout: 1, waiting: 0 },
  });
  expect(mayBeCharged(late, signal)).toBe(false);
  open[0]?.end();
  await first;
  // The place of the late call is free again.
  const next = queued.chat(HELLO, CONTEXT);
  await settled();
  open[1]?.end();
  await next;
});

test('a call whose caller goes away leaves its place to the next', async () => {
  const { open, provider } = heldProvider();
  const queued = queuedProvider(
    provider,
    createCallQueue(() => Promise.resolve(1)),
  );
  const caller = new AbortController();
  const first = queued.chat(HELLO, CONTEXT);
  const gone = queued.chat(HELLO, { ...CONTEXT, signal: caller.signal });
  const next = queued.chat(HELLO, CONTEXT);
  await settled();
  caller.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  open[0]?.end();
  await settled();
  open[1]?.end();
  await Promise.all([first, next]);
});

test('several calls of one piece of work have one place', async () => {
  const { open, provider } = heldProvider();
  const queued = queuedProvider(
    provider,
    createCallQueue(() => Promise.resolve(1)),
  );
  const work = runInPlace(queued, { ...CONTEXT, model: undefined }, async (free) => {
    const calls = [free.chat(HELLO, CONTEXT), free.chat(HELLO, CONTEXT)];
    await settled();
    for (const { end } of open) end();
    return Promise.all(calls);
  });
  expect(await work).toHaveLength(2);
});
