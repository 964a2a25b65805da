import { QUEUE_WORK } from '../src/contracts/queues';
import type { BuildRef, Poller } from './pollers';
import type { QueuePolls } from './task-queues';

/** Names a queue and what it is for, in the words of messages. Pure. */
export function describeQueue({ taskQueue, kind }: Pick<QueuePolls, 'taskQueue' | 'kind'>): string {
  return `the task queue "${taskQueue}" (${QUEUE_WORK[kind]})`;
}

/** Why no worker polls a queue. A worker polls only while it has a free slot, so a missing one may be busy. */
export const GONE_OR_BUSY = 'none is running, or none has a free slot';

/**
 * Describes a queue that workers poll, but none of the builds that have to take the task. Pure.
 * @param builds the builds that have to take it; undefined stands for workers without a build
 * @param isPerhaps true if other builds may take the task too
 */
export function describeMissingBuilds(
  queue: Pick<QueuePolls, 'taskQueue' | 'kind'>,
  builds: readonly (BuildRef | undefined)[],
  polling: readonly Poller[],
  isPerhaps = false,
): string {
  if (builds.some((build) => build !== undefined)) {
    const which = isPerhaps ? 'which may have' : 'which has';
    return `No worker ${describeBuilds(builds)}, ${which} to take it, polls ${describeQueue(queue)}: ${GONE_OR_BUSY}`;
  }
  const others = polling.flatMap(({ build: one }) =>
    one ? [`${one.buildId} of ${one.deploymentName}`] : [],
  );
  return (
    `The workers of ${describeQueue(queue)} are of build ${[...new Set(others)].join(', ')}, and no build is current; ` +
    'make one so with npm run deploy -- promote'
  );
}

/** "of build 2 of shop or without a build". Pure. */
export function describeBuilds(builds: readonly (BuildRef | undefined)[]): string {
  return builds
    .map((build) => (build ? `of build ${build.buildId} of ${build.deploymentName}` : 'without a build'))
    .join(' or ');
}
