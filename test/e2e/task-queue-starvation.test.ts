import type { Answer } from '../support/http';
import { LEXICAL } from '../support/memories';
import { type ModelServer, says, startModelServer } from '../support/model-server';
import { hostedBy } from '../support/model-service';
import { type Api, openStage, type Stage } from '../support/stage';
import { callOf, registerBusyTool, STEP_KINDS, type StepKind } from '../support/step-kinds';
import { waitFor } from '../support/wait';

const SLOTS = 2;
/** The number of calls that fill the slots, with further ones that wait behind them. */
const HOLDING = SLOTS * 3;
/** One call keeps the sandbox's thread for longer than the calls beside it take, also on a busy machine. */
const BUSY_MS = 15_000;

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
  for (const kind of STEP_KINDS) await expectAnswered(kind);
});

afterAll(async () => {
  await stage.close();
  await models.close();
});

async function expectAnswered(kind: StepKind): Promise<void> {
  const { status, text } = await callOf(kind, api, stage);
  if (status !== 200) throw new Error(`${kind}: ${status} ${text}`);
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

/** Whether a worker runs this number of steps in the sandbox. */
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
  'while every slot of %s is taken, other calls are answered meanwhile',
  async (held) => {
    const others = STEP_KINDS.filter((kind) => kind !== held);
    const { answers, done, release } = await holdUp(held);
    for (const kind of others) await expectAnswered(kind);
    // None of the calls in the slots has ended, so a call that waited for a slot would still wait.
    expect(done()).toBe(0);
    release();
    const statuses = (await answers).map(({ status }) => status);
    // The sandbox has one thread, which cannot finish all calls within their time limit.
    expect(new Set(statuses)).toEqual(new Set(held === 'sandbox' ? [200, 500] : [200]));
  },
);

test('while all of them are taken at once, inline calls and turns that need no model go on', async () => {
  const remember = async (): Promise<void> => {
    const turn = { userId: 'ada', sessionId: 's', message: 'We sailed to Rhodes' };
    const { status } = await api.post('/api/memory-chat/chat', { ...turn, options: { model: 'builtin' } });
    expect(status).toBe(200);
  };
  await api.post('/api/memory-chat/initialize', {});
  await remember();
  const held = await Promise.all([holdUp('io'), holdUp('sandbox'), holdUp('models')]);
  await expectAnswered('light');
  await remember();
  expect(held.map(({ done }) => done())).toEqual([0, 0, 0]);
  for (const { release } of held) release();
  await Promise.all(held.map(({ answers }) => answers));
});
