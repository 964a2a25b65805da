import { QUEUE_KINDS, queueName } from '../../src/contracts/queues';
import type { Deployment } from './deployment';
import type { Deployments, Queue } from './deployments';
import { isOf } from '../pollers';
import { DeploymentProblem } from './problem';
import type { Look, WaitOptions } from './until';
import { until } from './until';
import { listQueues, nameOf, workerOf } from './words';

export interface Promotion extends WaitOptions {
  readonly name: string;
  /** Undefined: the workers without a build. */
  readonly buildId: string | undefined;
  /** Share of new runs that the build takes, percent; undefined: all of them. */
  readonly percent?: number | undefined;
  /** The one that runs are started on; where no build is current it says which queues workers have to poll. */
  readonly taskQueue: string;
  /** Queues of steps of the build before may be without a worker of this one. */
  readonly ignoreMissingQueues: boolean;
}

/** An idle worker polls anew within this (a long poll's length), milliseconds. */
const IDLE_POLL_MS = 60_000;
const IDLE_WORKER = 'a worker that has nothing to do polls anew once a minute';
/** After a change the task queues learn of it within this, milliseconds. */
const ROUTING_LIMIT_MS = 30_000;

/**
 * Gives new runs to a build, once its workers poll every queue that the current build's do: before, runs would wait. The
 * server keeps the polls of workers that are gone, so only those count that began after the call. Runs under way stay where they
 * began, except where they began without a build and those of the types that move. A former build is promoted to roll back.
 * @returns what was done, in a sentence
 * @throws DeploymentProblem
 */
export async function promote(deployments: Deployments, promotion: Promotion): Promise<string> {
  const { name, buildId, percent, ignoreMissingQueues } = promotion;
  const deployment = await pollingDeployment(deployments, promotion);
  const { current, ramp } = deployment;
  const routing = { buildId, deployment, ignoreMissingQueues };
  if (percent !== undefined) {
    if (buildId === current) throw new DeploymentProblem(`${nameOf(buildId)} takes all new runs already`);
    await deployments.setRamp({ ...routing, percent });
    return `${nameOf(buildId)} of ${name} takes ${percent} % of new runs, and ${nameOf(current)} the others`;
  }
  if (buildId === current && ramp === undefined) return `${nameOf(buildId)} of ${name} is current already`;
  if (buildId === current) {
    await deployments.setRamp({ ...routing, buildId: undefined, percent: 0 });
    return `${nameOf(buildId)} of ${name} takes all new runs again`;
  }
  await deployments.setCurrent(routing);
  await untilRouted(deployments, promotion);
  const before =
    current === undefined
      ? 'runs of workers without a build move to it'
      : `runs of build ${current} end where they began, except those of the types that move`;
  const taker = buildId === undefined ? 'workers without a build take' : `build ${buildId} of ${name} takes`;
  return `${taker} new runs; ${before}`;
}

/** The deployment as soon as nothing is missing of the build's workers. */
async function pollingDeployment(deployments: Deployments, promotion: Promotion): Promise<Deployment> {
  const { name, buildId, waitMs, ignoreMissingQueues } = promotion;
  const unpolled = pollWatch(deployments, promotion);
  const found = await until(async (): Promise<Look<Deployment>> => {
    const deployment = await deployments.describe(name);
    if (deployment !== undefined && deployment.current === buildId) return { value: deployment };
    const queues = await neededQueues(deployments, promotion, deployment?.current);
    const missing = await unpolled(queues);
    if (deployment === undefined) return { missing: `no worker of a deployment ${name} has polled yet` };
    const isThere = missing.every(({ kind }) => ignoreMissingQueues && kind !== 'workflow');
    return isThere
      ? { value: deployment }
      : { missing: `no ${workerOf(buildId)} has begun to poll the task queues ${listQueues(missing)}` };
  }, promotion);
  if ('value' in found) return found.value;
  const patience = waitMs < IDLE_POLL_MS ? `, and give it time (--wait): ${IDLE_WORKER}` : '';
  throw new DeploymentProblem(
    `After ${waitMs / 1_000} s, ${found.missing}; start its workers, then try again${patience}`,
  );
}

/** What the current build's workers poll, or where there is none every queue of the service. */
async function neededQueues(
  deployments: Deployments,
  { name, taskQueue }: Promotion,
  current: string | undefined,
): Promise<Queue[]> {
  const queues = current === undefined ? [] : await deployments.queuesOf(name, current);
  if (queues.length > 0) return queues;
  const steps = QUEUE_KINDS.map((kind): Queue => ({ name: queueName(taskQueue, kind), kind: 'activity' }));
  return [{ name: taskQueue, kind: 'workflow' }, ...steps];
}

/**
 * Tells which queues no worker of the build has polled since it was first asked about them. By the server's own times, so that
 * its clock may be another one.
 */
function pollWatch(
  deployments: Deployments,
  { name, buildId }: Promotion,
): (queues: readonly Queue[]) => Promise<Queue[]> {
  const build = buildId === undefined ? undefined : { deploymentName: name, buildId };
  const before = new Map<string, ReadonlyMap<string, number>>();

  async function isPolled(queue: Queue): Promise<boolean> {
    const key = `${queue.kind} ${queue.name}`;
    const pollers = (await deployments.queue(queue)).pollers.filter((poller) => isOf(poller, build));
    const known = before.get(key);
    if (known === undefined) {
      before.set(key, new Map(pollers.map(({ identity, lastPoll }) => [identity, lastPoll])));
      return false;
    }
    return pollers.some(({ identity, lastPoll }) => lastPoll > (known.get(identity) ?? 0));
  }

  return async (queues) => {
    const polled = await Promise.all(queues.map(isPolled));
    return queues.filter((_, index) => polled[index] !== true);
  };
}

/** A run that starts afterwards begins on the build. */
async function untilRouted(deployments: Deployments, promotion: Promotion): Promise<void> {
  const { name, buildId, tell } = promotion;
  const queues = buildId === undefined ? [] : await deployments.queuesOf(name, buildId);
  const found = await until<true>(
    async () => {
      const looks = await Promise.all(queues.map((queue) => deployments.queue(queue)));
      const behind = queues.filter((_, index) => looks[index]?.current !== buildId);
      return behind.length === 0
        ? { value: true }
        : { missing: `the task queues ${listQueues(behind)} have yet to hear of it` };
    },
    { waitMs: ROUTING_LIMIT_MS, tell },
  );
  if ('missing' in found) {
    throw new DeploymentProblem(
      `${nameOf(buildId)} is current, but after ${ROUTING_LIMIT_MS / 1_000} s ${found.missing}; look at the status`,
    );
  }
}
