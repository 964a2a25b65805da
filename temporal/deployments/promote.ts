import { QUEUE_KINDS, queueName } from '../../src/contracts/queues';
import type { Deployment } from './deployment';
import type { Deployments, Queue, Routing } from './deployments';
import { isOfBuild } from '../pollers';
import { DeploymentProblem } from './problem';
import { type Look, pollUntil, type WaitOptions } from './poll-until';
import { formatQueues, describeBuild, describeWorker } from './wording';

export interface Promotion extends WaitOptions {
  readonly name: string;
  /** Undefined for the workers without a build. */
  readonly buildId: string | undefined;
  /** Share of new runs that the build takes, percent; undefined for all of them. */
  readonly percent?: number | undefined;
  /**
   * The task queue on which runs are started. If no build is current, it determines which queues workers have to
   * poll.
   */
  readonly taskQueue: string;
  /** Whether the build may lack workers on activity queues that the previous build polls. */
  readonly ignoreMissingQueues: boolean;
}

/** An idle worker begins a new poll within this time, the length of a long poll, ms. */
const IDLE_POLL_MS = 60_000;
const IDLE_WORKER = 'an idle worker begins a new poll once a minute';
/** How long the server may take to apply a change of routing to all task queues, ms. */
const ROUTING_LIMIT_MS = 30_000;

/**
 * Routes new runs to a build once its workers poll every queue that the current build's workers poll, because runs
 * would wait otherwise. The server still lists polls of workers that are gone, so only polls count that began after
 * this call. Open runs stay on the build where they began, except runs that began without a build and runs of the
 * types that move. An earlier build is promoted to roll back.
 * @returns a sentence that says what was done
 * @throws DeploymentProblem if workers are missing after `waitMs`, or the server refuses the change
 */
export async function promote(deployments: Deployments, promotion: Promotion): Promise<string> {
  const { name, buildId, percent, ignoreMissingQueues } = promotion;
  const deployment = await waitForPollers(deployments, promotion);
  const { current, ramp } = deployment;
  const routing = { buildId, deployment, ignoreMissingQueues };
  if (percent !== undefined) {
    if (buildId === current)
      throw new DeploymentProblem(`${describeBuild(buildId)} takes all new runs already`);
    await deployments.setRamp({ ...routing, percent });
    return `${describeBuild(buildId)} of ${name} takes ${percent} % of new runs, and ${describeBuild(current)} the others`;
  }
  if (buildId === current && ramp === undefined)
    return `${describeBuild(buildId)} of ${name} is current already`;
  if (buildId === current) {
    await deployments.setRamp({ ...routing, buildId: undefined, percent: 0 });
    return `${describeBuild(buildId)} of ${name} takes all new runs again`;
  }
  await deployments.setCurrent(routing);
  await endRamp(deployments, routing);
  await waitUntilRouted(deployments, promotion);
  const before =
    current === undefined
      ? 'runs of workers without a build move to it'
      : `runs of build ${current} end where they began, except those of the types that move`;
  const taker = buildId === undefined ? 'workers without a build take' : `build ${buildId} of ${name} takes`;
  return `${taker} new runs; ${before}`;
}

/** Ends the ramp of a third build, which the server keeps when another build becomes current. */
async function endRamp(deployments: Deployments, routing: Routing): Promise<void> {
  const deployment = await deployments.describe(routing.deployment.name);
  if (deployment?.ramp === undefined) return;
  await deployments.setRamp({ ...routing, deployment, buildId: undefined, percent: 0 });
}

/** Waits until workers of the build poll all needed queues, and returns the deployment. */
async function waitForPollers(deployments: Deployments, promotion: Promotion): Promise<Deployment> {
  const { name, buildId, waitMs, ignoreMissingQueues } = promotion;
  const findUnpolled = createPollWatch(deployments, promotion);
  const look = await pollUntil(async (): Promise<Look<Deployment>> => {
    const deployment = await deployments.describe(name);
    if (deployment !== undefined && deployment.current === buildId) return { value: deployment };
    const queues = await listNeededQueues(deployments, promotion, deployment?.current);
    const missing = await findUnpolled(queues);
    if (deployment === undefined) return { missing: `no worker of a deployment ${name} has polled yet` };
    const isThere = missing.every(({ kind }) => ignoreMissingQueues && kind !== 'workflow');
    if (!isThere) {
      return {
        missing: `no ${describeWorker(buildId)} has begun to poll the task queues ${formatQueues(missing)}`,
      };
    }
    // The engine lists a worker's polls before it has registered the worker's build, which it refuses to route to.
    const isKnown = buildId === undefined || deployment.builds.some((build) => build.buildId === buildId);
    return isKnown
      ? { value: deployment }
      : { missing: `${describeBuild(buildId)} is not registered in the deployment ${name} yet` };
  }, promotion);
  if ('value' in look) return look.value;
  const patience = waitMs < IDLE_POLL_MS ? `, and give it time (--wait): ${IDLE_WORKER}` : '';
  throw new DeploymentProblem(
    `After ${waitMs / 1_000} s, ${look.missing}; start its workers, then try again${patience}`,
  );
}

/** Lists the queues that workers of the current build poll, or all queues of the service if no build is current. */
async function listNeededQueues(
  deployments: Deployments,
  { name, taskQueue }: Promotion,
  current: string | undefined,
): Promise<Queue[]> {
  const queues = current === undefined ? [] : await deployments.listQueues(name, current);
  if (queues.length > 0) return queues;
  const steps = QUEUE_KINDS.map((kind): Queue => ({ name: queueName(taskQueue, kind), kind: 'activity' }));
  return [{ name: taskQueue, kind: 'workflow' }, ...steps];
}

/**
 * Creates a function that returns those of its queues that no worker of the build has polled since the function was
 * first called for them. It compares times of the server alone, so that the server's clock may differ from this
 * machine's.
 */
function createPollWatch(
  deployments: Deployments,
  { name, buildId }: Promotion,
): (queues: readonly Queue[]) => Promise<Queue[]> {
  const build = buildId === undefined ? undefined : { deploymentName: name, buildId };
  const before = new Map<string, ReadonlyMap<string, number>>();

  async function isPolled(queue: Queue): Promise<boolean> {
    const key = `${queue.kind} ${queue.name}`;
    const pollers = (await deployments.describeQueue(queue)).pollers.filter((poller) =>
      isOfBuild(poller, build),
    );
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

/** Waits until all task queues route new runs to the build, so that a run started afterwards begins on it. */
async function waitUntilRouted(deployments: Deployments, promotion: Promotion): Promise<void> {
  const { name, buildId, report } = promotion;
  const queues = buildId === undefined ? [] : await deployments.listQueues(name, buildId);
  const look = await pollUntil<true>(
    async () => {
      const looks = await Promise.all(queues.map((queue) => deployments.describeQueue(queue)));
      const behind = queues.filter((_, index) => looks[index]?.current !== buildId);
      return behind.length === 0
        ? { value: true }
        : { missing: `the task queues ${formatQueues(behind)} do not route runs to it yet` };
    },
    { waitMs: ROUTING_LIMIT_MS, report },
  );
  if ('missing' in look) {
    throw new DeploymentProblem(
      `${describeBuild(buildId)} is current, but after ${ROUTING_LIMIT_MS / 1_000} s ${look.missing}; check the status`,
    );
  }
}
