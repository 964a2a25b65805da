import type { Queue } from './deployments';

/** Names a build in messages; undefined stands for the workers without a build. */
export function describeBuild(buildId: string | undefined): string {
  return buildId === undefined ? 'the workers without a build' : `build ${buildId}`;
}

/** Names a worker of a build in messages; undefined stands for a worker without a build. */
export function describeWorker(buildId: string | undefined): string {
  return buildId === undefined ? 'worker without a build' : `worker of build ${buildId}`;
}

/** A count with its noun, as in "1 open run" and "2 open runs". */
export function pluralize(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Lists task queues with the kinds of their tasks, sorted, in one line. */
export function formatQueues(queues: readonly Queue[]): string {
  const names = [...new Set(queues.map(({ name }) => name))].sort();
  const kindsOf = (name: string): string[] =>
    queues.flatMap((queue) => (queue.name === name ? [queue.kind] : [])).sort();
  return names.map((name) => `"${name}" (${kindsOf(name).join(', ')})`).join(', ');
}
