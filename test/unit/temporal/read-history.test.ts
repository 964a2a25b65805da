import { ExternalStorage, StorageDriverClaim } from '@temporalio/common';
import { encodeReferencePayload } from '@temporalio/common/lib/internal-non-workflow/extstore-helpers';
import type { temporal } from '@temporalio/proto';
import { QUESTION_MEMO } from '../../../src/contracts/runs/approvals';
import { untilPaused } from '../../../temporal/approvals/until-paused';
import type { Engine } from '../../../temporal/engine';
import { readHistory } from '../../../temporal/run-events/read-history';
import { readRunSteps } from '../../../temporal/run-events/read-run-steps';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Payload = temporal.api.common.v1.IPayload;

const RUN = { workflowId: 'w', runId: 'r' };
const MEGABYTE = 1_048_576;
const signal = (): AbortSignal => new AbortController().signal;
const inline = (value: unknown): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(JSON.stringify(value)),
});

/** A reference to a stored value, as a history has it. */
function stored(sizeBytes: number): Payload {
  const claim = new StorageDriverClaim({ name: 'any' });
  return encodeReferencePayload({ driverName: 'folder', claim, sizeBytes });
}

const called = (input: Payload): object => ({
  activityTaskScheduledEventAttributes: {
    activityType: { name: 'runTool' },
    input: { payloads: [input] },
  },
});
const done = (result: Payload): object => ({
  activityTaskCompletedEventAttributes: { scheduledEventId: 1, result: { payloads: [result] } },
});

/** An engine with the history of one run, whose store of values counts what is read of it. */
function engineOf(events: readonly object[]): { readonly engine: Engine; readonly reads: () => number } {
  let reads = 0;
  const externalStorage = new ExternalStorage({
    drivers: [
      {
        name: 'folder',
        type: 'test',
        store: () => Promise.reject(new Error('nothing is stored here')),
        retrieve(_, claims) {
          reads += claims.length;
          return Promise.resolve(claims.map(() => ({ data: Buffer.from('{"step":"s"}') })));
        },
      },
    ],
  });
  const numbered = events.map((event, at) => ({ eventId: at + 1, eventTime: { seconds: at }, ...event }));
  const history = { events: numbered as unknown as HistoryEvent[] };
  const engine = {
    address: 'here:1',
    current: () => ({
      native: { withDeadline: (_: number, call: () => unknown) => call() },
      namespace: 'n',
      client: {
        options: { loadedDataConverter: { externalStorage } },
        workflow: { getHandle: () => ({ describe: () => Promise.reject(new Error('gone')) }) },
        workflowService: {
          getWorkflowExecutionHistory: () => Promise.resolve({ history, nextPageToken: new Uint8Array() }),
        },
      },
    }),
  } as unknown as Engine;
  return { engine, reads: () => reads };
}

test('the stored values of a page are read in parts of a few megabytes', async () => {
  const calls = Array.from({ length: 6 }, () => [called(stored(3 * MEGABYTE)), done(stored(MEGABYTE))]);
  const small = Array.from({ length: 50 }, () => called(stored(2_000)));
  const { engine, reads } = engineOf([...calls.flat(), ...small, done(inline(1))]);
  const readBefore: number[] = [];
  const sizes: number[] = [];
  for await (const part of readHistory(engine, RUN, { follow: false, signal: signal() })) {
    sizes.push(part.length);
    readBefore.push(reads());
  }
  expect(sizes).toEqual([2, 2, 2, 2, 2, 2, 51]);
  // What follows a part is not read before the part was taken.
  expect(readBefore).toEqual([2, 4, 6, 8, 10, 12, 62]);
});

test('waiting for a pause reads no arguments and results of calls', async () => {
  const question = {
    kind: 'tool',
    runId: 'r',
    step: '2',
    args: {},
    requestedAt: '2026-11-26T00:00:00.000Z',
    deadline: '2026-11-27T00:00:00.000Z',
    onDeadline: 'deny',
  };
  const { engine, reads } = engineOf([
    called(stored(8 * MEGABYTE)),
    done(stored(8 * MEGABYTE)),
    {
      startChildWorkflowExecutionInitiatedEventAttributes: {
        workflowId: 'w/approval/2',
        workflowType: { name: 'approval' },
        memo: { fields: { [QUESTION_MEMO]: inline(question) } },
      },
    },
    { childWorkflowExecutionStartedEventAttributes: { initiatedEventId: 3 } },
  ]);
  const approvals = await untilPaused(engine, 'queue', RUN, signal());
  expect(approvals).toMatchObject([{ step: '2', status: 'pending' }]);
  expect(reads()).toBe(0);
});

test('the steps of a run are read without its result', async () => {
  const { engine, reads } = engineOf([
    called(inline({ step: 'a', toolName: 'api_call' })),
    done(inline({ step: 'a', toolName: 'api_call', output: 1, executionTime: 2 })),
    { workflowExecutionCompletedEventAttributes: { result: { payloads: [stored(60 * MEGABYTE)] } } },
  ]);
  const record = {
    ...RUN,
    traceId: 'r',
    type: 'executeTool',
    status: 'completed',
    startedAt: '',
    closedAt: '',
  };
  expect(await readRunSteps(engine, record)).toMatchObject({
    steps: [{ id: 'a', name: 'api_call', status: 'completed', executionTime: 2 }],
  });
  expect(reads()).toBe(0);
});
