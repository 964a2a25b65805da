import type { Build, Deployment } from './deployment';
import type { Deployments, Queue } from './deployments';
import type { BuildOf } from '../pollers';
import { isFresh, isOf, POLLER_FRESHNESS_MS } from '../pollers';
import { counted, listQueues } from './words';

/** The server tells of polls that have ended, too. */
const LATELY = `polled in the last ${POLLER_FRESHNESS_MS / 1_000} s`;

/** Which builds of a deployment there are, and which of them is used how, in lines. @throws DeploymentProblem */
export async function status(deployments: Deployments, deployment: Deployment): Promise<string[]> {
  const { name, builds, current, ramp } = deployment;
  const rows = await Promise.all(builds.map((build) => rowOf(deployments, name, build, ramp?.percent)));
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const queues = distinct(
    (await Promise.all(builds.map(({ buildId }) => deployments.queuesOf(name, buildId)))).flat(),
  );
  const others = await workersOf(deployments, queues, undefined);
  return [
    `deployment ${name}, task queues ${listQueues(queues)}`,
    ...rows.map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd(),
    ),
    ...(current === undefined ? ['  no build is current: new runs go to workers without a build'] : []),
    ...(others > 0 ? [`  ${counted(others, 'worker')} without a build ${LATELY}`] : []),
  ];
}

async function rowOf(
  deployments: Deployments,
  deploymentName: string,
  { buildId, state, since }: Build,
  percent = 0,
): Promise<string[]> {
  const [runs, queues] = await Promise.all([
    deployments.openRuns(deploymentName, buildId),
    deployments.queuesOf(deploymentName, buildId),
  ]);
  const workers = await workersOf(deployments, queues, { deploymentName, buildId });
  const share = state === 'ramping' ? ` (${percent} %)` : '';
  return [
    `build ${buildId}`,
    `${state}${share}${since === 0 ? '' : ` since ${new Date(since).toISOString()}`}`,
    counted(runs, 'open run'),
    `${counted(workers, 'worker')} ${LATELY}`,
  ];
}

/** How many workers of a build, or with undefined of none, may poll still. */
async function workersOf(
  deployments: Deployments,
  queues: readonly Queue[],
  build: BuildOf | undefined,
): Promise<number> {
  const looks = await Promise.all(queues.map((queue) => deployments.queue(queue)));
  const now = Date.now();
  const polling = looks
    .flatMap(({ pollers }) => pollers)
    .filter((poller) => isOf(poller, build) && isFresh(poller.lastPoll, now));
  return new Set(polling.map(({ identity }) => identity)).size;
}

function distinct(queues: readonly Queue[]): Queue[] {
  return [...new Map(queues.map((queue) => [`${queue.kind} ${queue.name}`, queue])).values()];
}
