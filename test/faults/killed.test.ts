import { type ModelServer, startModelServer } from '../support/model-server';
import { figures } from '../support/runs';
import { approvedCalls, waitingTurn } from './killed/approvals';
import {
  call,
  callerGone,
  foundAgain,
  killHolder,
  repeatable,
  repeatedByKey,
  sentOnce,
  sentOnceByStopped,
  sequence,
} from './killed/calls';
import { brokenCalls, delayedCalls, readOnlyTool, remoteTool, remoteToolByStopped } from './killed/mcp';
import { batch, plannedCall, takenArguments, thinking, thinkingForStopped } from './killed/planned';
import { agentSessions, chatSessions, chatTurn, nextTurnElsewhere } from './killed/turns';
import { type Begun, type Ground, type GroundOptions, openGround, type Work } from './killed/work';
import { besideLightSteps, forEachItems } from './killed/workflows';

jest.setTimeout(600_000);

interface Victim {
  readonly victim: string;
  readonly ground: GroundOptions;
  /** Lets the process die, and another one take its place after `whileGone`, if there is a time between the two. */
  replace(on: Ground, whileGone: () => Promise<void>): Promise<unknown>;
  readonly works: readonly Work[];
}

/** Works of a victim are under way at once, so that its death meets all of them. `kill()` of a process is SIGKILL. */
const VICTIMS: readonly Victim[] = [
  {
    victim: 'a worker that another one follows',
    ground: {},
    async replace({ workers, startWorker }, whileGone) {
      await workers[0]?.kill();
      await whileGone();
      await startWorker();
    },
    works: [
      sequence,
      repeatable,
      besideLightSteps,
      forEachItems,
      thinking('/api/tools/mcp'),
      thinking('/api/workflow/execute'),
      plannedCall,
      takenArguments,
      batch,
      chatTurn,
      agentSessions,
      readOnlyTool,
      delayedCalls,
      // These have time limits of a few seconds, so they begin last.
      remoteTool,
      sentOnce,
    ],
  },
  {
    victim: 'a worker beside another one',
    ground: { workers: 2 },
    replace: killHolder,
    works: [call, chatSessions],
  },
  {
    victim: 'a worker that is stopped, and has no time to end its steps',
    ground: { workerEnv: { SHUTDOWN_GRACE_MS: '500' } },
    async replace({ workers, startWorker }) {
      const [code] = await Promise.all([workers[0]?.stop(), startWorker()]);
      expect(code).toBe(0);
    },
    works: [thinkingForStopped, remoteToolByStopped, sentOnceByStopped],
  },
  {
    victim: 'the API',
    ground: {},
    async replace({ killApi, startApi }) {
      await killApi();
      await startApi();
    },
    works: [callerGone, foundAgain, repeatedByKey, brokenCalls, nextTurnElsewhere],
  },
  {
    victim: 'the API and the worker at once',
    ground: {},
    async replace({ workers, killApi, startApi, startWorker }) {
      await Promise.all([workers[0]?.kill(), killApi()]);
      await Promise.all([startWorker(), startApi()]);
    },
    works: [waitingTurn, approvedCalls],
  },
];

describe.each(VICTIMS)('$victim dies', ({ ground, replace, works }) => {
  const begun = new Map<Work, Begun>();
  let models: ModelServer;
  let on: Ground;

  beforeAll(async () => {
    models = await startModelServer();
    on = await openGround(models, ground);
    for (const work of works) await work.prepare?.(on);
    for (const work of works) begun.set(work, await work.begin(on));
    await replace(on, async () => {
      for (const work of works) await begun.get(work)?.whileGone?.();
    });
    for (const work of works) await begun.get(work)?.resume?.();
  });
  afterAll(async () => {
    // The model server closes first, so that nothing waits for a model while the stage closes.
    await models.close();
    await on.close();
  });

  test.each(works.map((work) => [work.name, work] as const))('%s', async (_name, work) => {
    await begun.get(work)?.holds();
  });

  const counted = works.flatMap(({ counted: calls }) => calls ?? []);
  if (counted.length === 0) return;

  test('every call is counted once', async () => {
    const total = (of: 'succeeded' | 'failed'): number =>
      counted.reduce((sum, calls) => sum + (calls[of] ?? 0), 0);
    const [succeeded, failed] = [total('succeeded'), total('failed')];
    expect(await figures(on.api)).toEqual({
      totalExecutions: succeeded + failed,
      successfulExecutions: succeeded,
      failedExecutions: failed,
    });
  });
});
