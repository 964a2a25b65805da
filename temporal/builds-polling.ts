import { QUEUE_WORK } from '../src/contracts/queues';
import type { BuildOf, Poller } from './deployments/pollers';
import type { QueuePolls } from './task-queues';

/** A queue as messages name it. Pure. */
export function wordsFor({ taskQueue, kind }: Pick<QueuePolls, 'taskQueue' | 'kind'>): string {
  return `the task queue "${taskQueue}" (${QUEUE_WORK[kind]})`;
}

/** What to say of a queue that only others poll than the build that has to take the task. Pure. */
export function aboutBuilds(
  queue: Pick<QueuePolls, 'taskQueue' | 'kind'>,
  build: BuildOf | undefined,
  polling: readonly Poller[],
): string {
  if (build !== undefined) {
    const { buildId, deploymentName } = build;
    return `. No worker of build ${buildId} of ${deploymentName}, which has to take it, polls ${wordsFor(queue)}`;
  }
  const builds = polling.flatMap(({ build: one }) =>
    one ? [`${one.buildId} of ${one.deploymentName}`] : [],
  );
  return (
    `. The workers of ${wordsFor(queue)} are of build ${[...new Set(builds)].join(', ')}, and no build is current; ` +
    'make one so with npm run deploy -- promote'
  );
}
