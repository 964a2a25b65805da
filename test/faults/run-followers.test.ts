import { openEvents, readEvents, type SentEvent } from '../support/event-stream';
import { type Api, openStage, type Stage } from '../support/stage';
import { endedRun, type RunIds, startRun } from '../support/stop-runs';
import { killTemporal } from '../support/temporal-server';
import { pickCount } from '../support/thorough';
import { waitFor } from '../support/wait';
import { customBody, fetchStep, sumStep } from '../support/workflow-steps';

const FOLLOWERS = pickCount(20, 200);
const STEPS = ['first', 'held', 'last'];
const WHOLE = [
  'run.started',
  ...STEPS.flatMap((id) => [`step.scheduled ${id}`, `step.completed ${id}`]),
  'run.completed',
];

let stage: Stage;

afterEach(() => stage.close());

const held = (): object =>
  customBody([
    sumStep('first', 1, 2),
    fetchStep('held', `${stage.peer.url}/held`),
    sumStep('last', '{{first.result}}', 4),
  ]);

/** One who follows a run, and connects again at another API when the connection breaks. */
interface Reader {
  readonly events: SentEvent[];
  /** How often the connection was opened. */
  connections: number;
  readonly done: Promise<void>;
}

/** @param apiNow the API to connect to */
function startReader({ traceId, workflowId }: RunIds, apiNow: () => Api): Reader {
  const events: SentEvent[] = [];
  const path = `/api/runs/${traceId}/events?workflowId=${encodeURIComponent(workflowId)}`;
  const reader: Reader = { events, connections: 0, done: Promise.resolve() };
  const connect = async (): Promise<void> => {
    const id = events.at(-1)?.id;
    const headers: Record<string, string> = id === undefined ? {} : { 'last-event-id': id };
    const response = await openEvents(`${apiNow().url}${path}`, { headers });
    reader.connections += 1;
    for await (const event of readEvents(response)) if (event.id !== undefined) events.push(event);
  };
  const hasEnd = (): boolean => events.at(-1)?.event === 'run.completed';
  const read = async (): Promise<void> => {
    // Each connection that breaks is followed by another one, until the end of the run has arrived.
    await waitFor(
      async () => {
        await connect().catch(() => undefined);
        return hasEnd();
      },
      { what: 'the end of the run to arrive' },
    );
  };
  return Object.assign(reader, { done: read() });
}

const namesOf = ({ events }: Reader): string[] =>
  events.map(({ event, data }) => (data.step === undefined ? event : `${event} ${data.step.id}`));

/** Waits until each reader has what happened before the held step. */
function untilHeld(readers: readonly Reader[]): Promise<unknown> {
  return waitFor(() => readers.every(({ events }) => events.length === 4), {
    what: 'all readers to have the events so far',
  });
}

test('readers go on at another API, and hear the end, where their API and the worker of a step are killed', async () => {
  stage = await openStage();
  const { peer } = stage;
  const [first, second, worker] = await Promise.all([stage.api(), stage.api(), stage.worker()]);
  let api = first;
  const run = await startRun(first, '/api/workflow/execute-custom', held());
  const readers = Array.from({ length: FOLLOWERS }, () => startReader(run, () => api));
  await peer.arrived('/held');
  await untilHeld(readers);
  api = second;
  await first.process.kill();
  await waitFor(() => readers.every(({ connections }) => connections > 1), {
    what: 'all readers to connect again',
  });
  await worker.kill();
  await Promise.all([stage.worker(), peer.arrived('/held', 2)]);
  peer.release('/held');
  await Promise.all(readers.map(({ done }) => done));
  for (const reader of readers) {
    expect(namesOf(reader)).toEqual(WHOLE);
    expect(reader.events.map(({ id }) => Number(id))).toEqual(WHOLE.map((_, index) => index + 1));
  }
  const attempts = readers.map(({ events }) => events.find(({ id }) => id === '5')?.data.step.attempt);
  expect(new Set(attempts)).toEqual(new Set([2]));
});

test('readers keep their connections while Temporal is killed and started again', async () => {
  stage = await openStage({ ownTemporal: true });
  const temporal = await stage.temporal();
  const [api] = await Promise.all([stage.api(), stage.worker()]);
  const run = await startRun(api, '/api/workflow/execute-custom', held());
  const readers = Array.from({ length: FOLLOWERS }, () => startReader(run, () => api));
  await stage.peer.arrived('/held');
  await untilHeld(readers);
  await killTemporal(stage, temporal);
  await stage.temporal();
  stage.peer.release('/held');
  await Promise.all(readers.map(({ done }) => done));
  for (const reader of readers) {
    expect(namesOf(reader)).toEqual(WHOLE);
    expect(reader.connections).toBe(1);
  }
  const { result } = (await endedRun(api, run)).body.data;
  expect(readers[0]?.events.at(-1)?.data.result).toEqual(result);
});
