import { BytesInFlight } from '../../../src/base/async/bytes-in-flight';
import type { temporal } from '@temporalio/proto';
import { pino } from 'pino';
import type { RunEvent, RunSign } from '../../../src/contracts/http/run-events';
import { createRedactor } from '../../../src/secrets/redactor';
import type { Engine } from '../../../temporal/engine';
import { RunFeeds } from '../../../temporal/run-events/run-feeds';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Item = RunEvent | RunSign | undefined;

const RUN = { workflowId: 'w', runId: 'r' };
const started = { workflowExecutionStartedEventAttributes: { workflowType: { name: 'executeTool' } } };
const scheduled = {
  activityTaskScheduledEventAttributes: { activityId: '1', activityType: { name: 'recallMemories' } },
};
const done = { activityTaskCompletedEventAttributes: { scheduledEventId: 2 } };
const completed = { workflowExecutionCompletedEventAttributes: {} };
const lost = (): Error => Object.assign(new Error('14 UNAVAILABLE'), { code: 14, details: '', metadata: {} });
const gone = (): Error => Object.assign(new Error('5 NOT_FOUND'), { code: 5, details: '', metadata: {} });

/** A server with the history of one run, whose requests wait for events. */
class FakeServer {
  readonly #events: HistoryEvent[] = [];
  #waiting: (() => void)[] = [];
  #failure: Error | undefined;
  polls = 0;
  descriptions = 0;
  pending: object[] = [];
  onDescribe = (): void => undefined;

  readonly engine = {
    address: 'here:1',
    current: () => ({
      native: { withDeadline: (_: number, call: () => unknown) => call() },
      namespace: 'n',
      client: {
        options: { loadedDataConverter: {} },
        workflowService: {
          getWorkflowExecutionHistory: (request: { nextPageToken: Uint8Array }) => this.#poll(request),
          describeWorkflowExecution: async () => {
            this.descriptions += 1;
            const pendingActivities = this.pending;
            this.onDescribe();
            // The events that were added meanwhile are read first.
            for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
            return { pendingActivities };
          },
        },
      },
    }),
  } as unknown as Engine;

  add(...events: object[]): void {
    for (const event of events) {
      const eventTime = { seconds: this.#events.length, nanos: 0 };
      this.#events.push({ eventId: this.#events.length + 1, eventTime, ...event } as unknown as HistoryEvent);
    }
    this.#answerAll();
  }

  /** Fails the requests that wait, and the next one if none does. */
  fail(error: Error): void {
    this.#failure = error;
    this.#answerAll();
  }

  #answerAll(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const answer of waiting) answer();
  }

  async #poll({ nextPageToken }: { nextPageToken: Uint8Array }): Promise<object> {
    this.polls += 1;
    const from = nextPageToken[0] ?? 0;
    if (from === this.#events.length && this.#failure === undefined) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
    const hasEnded = this.#events.some((event) => event.workflowExecutionCompletedEventAttributes != null);
    return {
      history: { events: this.#events.slice(from) },
      nextPageToken: hasEnded ? new Uint8Array() : Uint8Array.of(this.#events.length),
    };
  }
}

let server: FakeServer;
let feeds: RunFeeds;
let leave: AbortController;

beforeEach(() => {
  server = new FakeServer();
  leave = new AbortController();
  feeds = new RunFeeds({
    engine: server.engine,
    logger: pino({ level: 'silent' }),
    redactor: createRedactor(),
    inFlight: new BytesInFlight(Infinity),
    toData: (type, result) => Promise.resolve({ type, result }),
  });
});
afterEach(() => {
  leave.abort();
  feeds.close();
});

const follow = (after = 0, silenceMs = 60_000): AsyncGenerator<Item, boolean, undefined> =>
  feeds.follow(RUN, { after, silenceMs, signal: leave.signal });

async function collect(items: AsyncIterable<Item>): Promise<(string | undefined)[]> {
  const types: (string | undefined)[] = [];
  for await (const item of items) types.push(item?.type);
  return types;
}

const turns = async (count = 50): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

const WHOLE = ['run.started', 'step.scheduled', 'step.completed', 'run.completed'];

test('five hundred who follow a run cost one request that waits', async () => {
  server.add(started, scheduled);
  const all = Array.from({ length: 500 }, (_, index) => collect(follow(index % 3)));
  await turns();
  // One request had the events so far, and one waits for further ones.
  expect(server.polls).toBe(2);
  server.add(done, completed);
  const read = await Promise.all(all);
  expect(server.polls).toBe(2);
  expect(read).toEqual(read.map((_, index) => WHOLE.slice(index % 3)));
});

test('one who joins later has the whole log, and one who comes after the end too', async () => {
  server.add(started, scheduled);
  const first = collect(follow());
  await turns();
  const second = collect(follow());
  server.add(done, completed);
  expect(await Promise.all([first, second])).toEqual([WHOLE, WHOLE]);
  expect(await collect(follow(2))).toEqual(WHOLE.slice(2));
});

test('the result is what callers see of it', async () => {
  server.add(started, completed);
  const items: Item[] = [];
  for await (const item of follow()) items.push(item);
  expect(items.at(-1)).toMatchObject({ sequence: 2, result: { type: 'executeTool', result: null } });
});

test('a slow reader has each event when it asks for it', async () => {
  server.add(started);
  const slow = follow();
  expect((await slow.next()).value).toMatchObject({ type: 'run.started' });
  server.add(scheduled, done, completed);
  await turns();
  for (const type of WHOLE.slice(1)) expect((await slow.next()).value).toMatchObject({ type });
  expect(await slow.next()).toEqual({ value: true, done: true });
});

test('readers of a run that has ended share one reading of its log', async () => {
  server.add(started, scheduled, done, completed);
  const slow = follow();
  await slow.next();
  await turns();
  const { polls } = server;
  expect(await collect(follow(2))).toEqual(WHOLE.slice(2));
  expect(server.polls).toBe(polls);
  expect(await collect(slow)).toEqual(WHOLE.slice(1));
});

test('a reader is informed whether the run has ended or the following', async () => {
  server.add(started);
  const stopped = follow(1).next();
  await turns();
  feeds.close();
  expect(await stopped).toEqual({ value: false, done: true });
});

test('a sign of a step that ended meanwhile is not given', async () => {
  jest.useFakeTimers();
  try {
    server.add(started, scheduled);
    server.pending = [{ activityId: '1', state: 2, attempt: 1 }];
    const items = follow(2);
    const next = items.next();
    // The step ends while the server is asked for the pending steps.
    server.onDescribe = () => server.add(done);
    await jest.advanceTimersByTimeAsync(1_500);
    expect((await next).value).toMatchObject({ type: 'step.completed' });
    const end = items.next();
    server.add(completed);
    expect((await end).value).toMatchObject({ type: 'run.completed' });
  } finally {
    jest.useRealTimers();
  }
});

test('a silence is given as nothing, and reading goes on', async () => {
  server.add(started);
  const items = follow(1, 5);
  expect(await items.next()).toEqual({ value: undefined, done: false });
  const next = items.next();
  server.add(completed);
  expect((await next).value).toMatchObject({ type: 'run.completed' });
});

test('a lost connection is followed by another request, without a gap or a repeat', async () => {
  server.add(started, scheduled);
  const reading = collect(follow());
  await turns();
  server.fail(lost());
  await turns();
  server.add(done, completed);
  expect(await reading).toEqual(WHOLE);
});

test('a run that is deleted ends the reading with an error', async () => {
  server.add(started);
  const reading = collect(follow());
  await turns();
  server.fail(gone());
  await expect(reading).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
});

test('no request waits when the last reader has gone, and another one starts anew', async () => {
  server.add(started);
  const reading = collect(follow());
  await turns();
  leave.abort();
  expect(await reading).toEqual(['run.started']);
  const { polls } = server;
  await turns();
  expect(server.polls).toBe(polls);
  leave = new AbortController();
  const again = collect(follow());
  server.add(completed);
  expect(await again).toEqual(['run.started', 'run.completed']);
});

test('all reading ends when the process stops', async () => {
  server.add(started);
  const readings = [collect(follow()), collect(follow(1))];
  await turns();
  feeds.close();
  expect(await Promise.all(readings)).toEqual([['run.started'], []]);
});

test('a step that begins, and one that is tried again, is a sign without a sequence, given once', async () => {
  jest.useFakeTimers();
  try {
    server.add(started, scheduled);
    const items = follow();
    await items.next();
    await items.next();
    server.pending = [{ activityId: '1', state: 2, attempt: 1 }];
    const first = items.next();
    await jest.advanceTimersByTimeAsync(3_500);
    const sign = (await first).value as RunSign;
    expect(sign).toMatchObject({ type: 'step.started', step: { id: 'recallMemories-1', attempt: 1 } });
    expect(sign).not.toHaveProperty('sequence');
    server.pending = [
      { activityId: '1', state: 1, attempt: 2, lastFailure: { message: 'away', applicationFailureInfo: {} } },
    ];
    const second = items.next();
    await jest.advanceTimersByTimeAsync(3_500);
    expect((await second).value).toMatchObject({
      type: 'step.retrying',
      step: { attempt: 2 },
      lastError: { code: 'INTERNAL', message: 'away' },
    });
    expect(server.descriptions).toBe(7);
    // A sign that was not read before the step ended says nothing any more.
    server.pending = [{ activityId: '1', state: 2, attempt: 2 }];
    await jest.advanceTimersByTimeAsync(1_500);
    server.add(done);
    await jest.advanceTimersByTimeAsync(10);
    expect((await items.next()).value).toMatchObject({ type: 'step.completed' });
    const end = items.next();
    server.add(completed);
    expect((await end).value).toMatchObject({ type: 'run.completed' });
  } finally {
    jest.useRealTimers();
  }
});
