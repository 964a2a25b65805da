import { median } from '../../bench/statistics';
import type { Answer } from '../support/http';
import { LEXICAL } from '../support/memories';
import type { ModelServer } from '../support/model-server';
import { says, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import type { Api, Stage } from '../support/stage';
import { openStage } from '../support/stage';
import type { StepKind } from '../support/step-kinds';
import { callOf, registerBusyTool, STEP_KINDS } from '../support/step-kinds';
import { waitFor } from '../support/wait';

jest.setTimeout(120_000);

const SLOTS = 2;
/** What fills the slots, and as many again behind them. */
const HOLDING = SLOTS * 3;
/** One call keeps the sandbox's thread for longer than a test measures. */
const BUSY_MS = 8_000;
/** With its own kind held up a call takes seconds. */
const MAX_TIMES_ALONE = 5;
const SLACK_MS = 150;
const CALLS = 5;

let models: ModelServer;
let stage: Stage;
let api: Api;

beforeAll(async () => {
  models = await startModelServer();
  stage = await openStage();
  const settings = {
    ...LEXICAL,
    ...hostedBy(models),
    WORKER_MAX_IO_ACTIVITIES: String(SLOTS),
    WORKER_MAX_SANDBOX_ACTIVITIES: String(SLOTS),
    WORKER_MAX_MODEL_ACTIVITIES: String(SLOTS),
    SANDBOX_THREADS: '1',
  };
  api = await stage.api(settings);
  await stage.worker(settings);
  await registerBusyTool(api);
  for (const kind of STEP_KINDS) await medianOf(kind);
});

afterAll(async () => {
  await stage.close();
  await models.close();
});

/** Milliseconds of a call of a kind, the median of several one after another. */
async function medianOf(kind: StepKind): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    const started = performance.now();
    const { status, text } = await callOf(kind, api, stage);
    if (status !== 200) throw new Error(`${kind}: ${status} ${text}`);
    times.push(performance.now() - started);
  }
  return median(times);
}

interface HeldUp {
  readonly answers: Promise<Answer[]>;
  /** How many of them have been answered. */
  done(): number;
  /** Lets those that wait be answered. */
  release(): void;
}

/** Takes every slot of a kind, and has more waiting for one. */
async function holdUp(kind: Exclude<StepKind, 'light'>): Promise<HeldUp> {
  const path = `/held-${Math.random()}`;
  let release = (): void => stage.peer.release(path);
  if (kind === 'models') {
    const gate = new Promise<void>((open) => (release = open));
    models.reset();
    models.otherwise(async (request, response) => {
      await gate;
      await says('ok')(request, response);
    });
  }
  let done = 0;
  const calls = Array.from({ length: HOLDING }, async () => {
    const answer = await callOf(kind, api, stage, { path, busyMs: BUSY_MS, timeout: BUSY_MS + 2_000 });
    done += 1;
    return answer;
  });
  if (kind === 'io') await stage.peer.arrived(path, SLOTS);
  if (kind === 'models') await waitFor(() => models.requests.length >= SLOTS, { what: 'models to be asked' });
  if (kind === 'sandbox') await waitFor(() => isStarted(SLOTS), { what: 'the sandbox to be taken' });
  return { answers: Promise.all(calls), done: () => done, release };
}

/** Whether so many steps in the sandbox are a worker's. */
async function isStarted(count: number): Promise<boolean> {
  let started = 0;
  const query = `TaskQueue = '${stage.taskQueue}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of stage.client.workflow.list({ query })) {
    const { raw } = await stage.client.workflow.getHandle(workflowId).describe();
    started += (raw.pendingActivities ?? []).filter(({ lastStartedTime }) => lastStartedTime).length;
  }
  return started >= count;
}

test.each(['io', 'sandbox', 'models'] as const)(
  'while every slot of %s is taken, other calls are answered as before',
  async (held) => {
    const others = STEP_KINDS.filter((kind) => kind !== held);
    const alone = new Map<StepKind, number>();
    for (const kind of others) alone.set(kind, await medianOf(kind));
    const { answers, done, release } = await holdUp(held);
    const late: string[] = [];
    for (const kind of others) {
      const bound = MAX_TIMES_ALONE * (alone.get(kind) ?? 0) + SLACK_MS;
      const beside = await medianOf(kind);
      if (beside > bound) late.push(`${kind} took ${beside} ms, ${alone.get(kind)} ms alone`);
    }
    expect(late).toEqual([]);
    expect(done()).toBe(0);
    release();
    const statuses = (await answers).map(({ status }) => status);
    // The one thread is never done with all of them in their time.
    expect(new Set(statuses)).toEqual(new Set(held === 'sandbox' ? [200, 500] : [200]));
  },
);

test('while all of them are taken at once, inline calls and turns that need no model go on', async () => {
  const remember = async (): Promise<number> => {
    const started = performance.now();
    const turn = { userId: 'ada', sessionId: 's', message: 'We sailed to Rhodes' };
    const { status } = await api.post('/api/memory-chat/chat', { ...turn, options: { model: 'builtin' } });
    expect(status).toBe(200);
    return performance.now() - started;
  };
  await api.post('/api/memory-chat/initialize', {});
  await remember();
  const alone = [await medianOf('light'), await remember()];
  const held = await Promise.all([holdUp('io'), holdUp('sandbox'), holdUp('models')]);
  const beside = [await medianOf('light'), await remember()];
  for (const [index, time] of beside.entries()) {
    expect(time).toBeLessThan(MAX_TIMES_ALONE * (alone[index] ?? 0) + SLACK_MS);
  }
  expect(held.map(({ done }) => done())).toEqual([0, 0, 0]);
  for (const { release } of held) release();
  await Promise.all(held.map(({ answers }) => answers));
});
