import type { Queue } from './deployments';

/** How a build is called; undefined: workers without one. */
export function nameOf(buildId: string | undefined): string {
  return buildId === undefined ? 'the workers without a build' : `build ${buildId}`;
}

/** Undefined: one without a build. */
export function workerOf(buildId: string | undefined): string {
  return buildId === undefined ? 'worker without a build' : `worker of build ${buildId}`;
}

/** "1 open run", "2 open runs". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** Task queues with what is taken from each, in one line, sorted. */
export function listQueues(queues: readonly Queue[]): string {
  const names = [...new Set(queues.map(({ name }) => name))].sort();
  const kindsOf = (name: string): string[] =>
    queues.flatMap((queue) => (queue.name === name ? [queue.kind] : [])).sort();
  return names.map((name) => `"${name}" (${kindsOf(name).join(', ')})`).join(', ');
}
