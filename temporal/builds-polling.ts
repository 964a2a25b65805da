import { QUEUE_WORK } from '../src/contracts/queues';
import type { BuildOf, Poller } from './pollers';
import type { QueuePolls } from './task-queues';

/** A queue as messages name it. Pure. */
export function wordsFor({ taskQueue, kind }: Pick<QueuePolls, 'taskQueue' | 'kind'>): string {
  return `the task queue "${taskQueue}" (${QUEUE_WORK[kind]})`;
}

/** How a missing worker may be there all the same: one polls only while it has a slot free. */
export const GONE_OR_BUSY = 'none is there, or none has a slot free';

/**
 * What to say of a queue that only others poll than the builds of which one has to take the task (undefined: workers without
 * one); with `isPerhaps` the choice is between them and others. Pure.
 */
export function aboutBuilds(
  queue: Pick<QueuePolls, 'taskQueue' | 'kind'>,
  builds: readonly (BuildOf | undefined)[],
  polling: readonly Poller[],
  isPerhaps = false,
): string {
  if (builds.some((build) => build !== undefined)) {
    const which = isPerhaps ? 'which may have' : 'which has';
    return `No worker ${anyOf(builds)}, ${which} to take it, polls ${wordsFor(queue)}: ${GONE_OR_BUSY}`;
  }
  const others = polling.flatMap(({ build: one }) =>
    one ? [`${one.buildId} of ${one.deploymentName}`] : [],
  );
  return (
    `The workers of ${wordsFor(queue)} are of build ${[...new Set(others)].join(', ')}, and no build is current; ` +
    'make one so with npm run deploy -- promote'
  );
}

/** "of build 2 of shop or without a build". Pure. */
export function anyOf(builds: readonly (BuildOf | undefined)[]): string {
  return builds
    .map((build) => (build ? `of build ${build.buildId} of ${build.deploymentName}` : 'without a build'))
    .join(' or ');
}
