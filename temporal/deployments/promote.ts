import { QUEUE_KINDS, queueName } from '../../src/contracts/queues';
import type { Deployment } from './deployment';
import type { Deployments, Queue } from './deployments';
import { isFresh, isOf } from './pollers';
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
  /** Queues of the build before may be without a worker of this one. */
  readonly ignoreMissingQueues: boolean;
}

/** After a change the task queues learn of it within this, milliseconds. */
const ROUTING_LIMIT_MS = 30_000;

/**
 * Gives new runs to a build, once its workers poll every queue that the current build's do: before, runs would wait. Runs
 * under way stay where they began, except where they began without a build. A former build is promoted to roll back.
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
      : `runs of build ${current} end where they began`;
  const taker = buildId === undefined ? 'workers without a build take' : `build ${buildId} of ${name} takes`;
  return `${taker} new runs; ${before}`;
}

/** The deployment as soon as nothing is missing of the build's workers. */
async function pollingDeployment(deployments: Deployments, promotion: Promotion): Promise<Deployment> {
  const { name, buildId, waitMs, ignoreMissingQueues } = promotion;
  const found = await until(async (): Promise<Look<Deployment>> => {
    const deployment = await deployments.describe(name);
    if (deployment === undefined) return { missing: `no worker of a deployment ${name} has polled yet` };
    if (deployment.current === buildId) return { value: deployment };
    const queues = await neededQueues(deployments, promotion, deployment);
    const missing = await unpolled(deployments, queues, promotion);
    const isThere = missing.length === 0 || (ignoreMissingQueues && missing.length < queues.length);
    return isThere
      ? { value: deployment }
      : { missing: `no ${workerOf(buildId)} polls the task queues ${listQueues(missing)}` };
  }, promotion);
  if ('value' in found) return found.value;
  throw new DeploymentProblem(
    `After ${waitMs / 1_000} s, ${found.missing}; ` + 'start its workers, then try again',
  );
}

/** What the current build's workers poll, or where there is none every queue of the service. */
async function neededQueues(
  deployments: Deployments,
  { name, taskQueue }: Promotion,
  { current }: Deployment,
): Promise<Queue[]> {
  const queues = current === undefined ? [] : await deployments.queuesOf(name, current);
  if (queues.length > 0) return queues;
  const steps = QUEUE_KINDS.map((kind): Queue => ({ name: queueName(taskQueue, kind), kind: 'activity' }));
  return [{ name: taskQueue, kind: 'workflow' }, ...steps];
}

async function unpolled(
  deployments: Deployments,
  queues: readonly Queue[],
  { name, buildId }: Promotion,
): Promise<Queue[]> {
  const build = buildId === undefined ? undefined : { deploymentName: name, buildId };
  const looks = queues.map(async (queue) => {
    const { pollers } = await deployments.queue(queue);
    const now = Date.now();
    return pollers.some((poller) => isOf(poller, build) && isFresh(poller.lastPoll, now)) ? [] : [queue];
  });
  return (await Promise.all(looks)).flat();
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
