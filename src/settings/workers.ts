import { z } from 'zod';
import { QUERIES_PER_PART } from '../contracts/runs/intents';
import { QUEUE_KINDS, QUEUE_WORK } from '../contracts/queues';
import { count, port } from './fields';

/** Stands where a build is named for the workers that have none. */
export const UNVERSIONED = 'unversioned';

export const workerSettings = {
  WORKER_QUEUES: z
    .string()
    .default(QUEUE_KINDS.join())
    .describe(
      `Task queues a worker polls, comma-separated: ${QUEUE_KINDS.map((kind) => `${kind} (${QUEUE_WORK[kind]})`).join(', ')}`,
    ),
  WORKER_MAX_ACTIVITIES: count(1, 10_000)
    .default(100)
    .describe(
      'Most activities a worker runs at once that have no queue of their own, such as those of memory',
    ),
  WORKER_MAX_IO_ACTIVITIES: count(1, 10_000)
    .default(100)
    .describe('Most tools that wait for a network or a disk a worker runs at once'),
  WORKER_MAX_SANDBOX_ACTIVITIES: count(1, 1_000)
    .optional()
    .describe(
      'Most tools of the sandbox a worker takes at once; absent: 25 times SANDBOX_THREADS. One tenant has at most half of them',
    ),
  WORKER_MAX_MODEL_ACTIVITIES: count(1, 10_000)
    .default(50)
    .describe(
      `Most steps that ask a model a worker works on at once, while further ones wait in it (requests at once: LLM_MAX_CONCURRENT); a part of a batch of intents is one step and makes up to ${QUERIES_PER_PART} calls at once`,
    ),
  WORKER_MAX_LOCAL_ACTIVITIES: count(1, 10_000)
    .default(100)
    .describe('Most local activities a worker runs at once'),
  WORKER_MAX_WORKFLOW_TASKS: count(2, 10_000)
    .default(40)
    .describe('Most workflow tasks a worker runs at once'),
  // With none, workflow tasks of several runs at once stall the worker for minutes (SDK 1.24).
  WORKER_MAX_CACHED_WORKFLOWS: count(1, 100_000).default(500).describe('Workflows a worker keeps in memory'),
  WORKER_WORKFLOW_POLLERS: count(2, 1_000)
    .default(10)
    .describe('Most requests for workflow tasks that a worker has open, at most WORKER_MAX_WORKFLOW_TASKS'),
  WORKER_ACTIVITY_POLLERS: count(1, 1_000)
    .default(5)
    .describe('Most requests for activities that a worker has open, a queue, at most the slots there'),
  LIVE_TEXT_HOST: z
    .string()
    .default('127.0.0.1')
    .describe(
      'Address on which a worker gives texts to APIs while models make them; 0.0.0.0 lets APIs of other machines read them, and belongs in a private network. APIs that cannot reach it have about one piece a second',
    ),
  LIVE_TEXT_PORT: port.default(0).describe('Port for that; 0: a free one'),
  WORKER_UNFIT_RUN_WINDOW_MS: count(1_000, 3_600_000)
    .default(30_000)
    .describe(
      'Workers without builds end a run when an attempt to continue it by their workflow code has failed in three windows of this length',
    ),
  WORKER_DEPLOYMENT_NAME: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'it may have 1 to 100 letters, digits, _ and -')
    .optional()
    .describe(
      'What the builds of workers are builds of; with WORKER_BUILD_ID, runs stay on the build they began on',
    ),
  WORKER_BUILD_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/, 'it may have 1 to 100 letters, digits, ., _, + and -')
    .refine((id) => id !== UNVERSIONED, `${UNVERSIONED} stands for workers without a build`)
    .optional()
    .describe(
      "Build of a worker, another one with each change of code; new runs go to the build of npm run deploy's choice",
    ),
};
