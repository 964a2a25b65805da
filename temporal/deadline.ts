import type { NativeConnection } from '@temporalio/worker';

/** Time for the server's own deadline error to arrive first, because it says more, ms. */
const SLACK_MS = 100;

/** The engine did not answer in time. It may still do what it was asked to do. */
export class EngineDeadlineError extends Error {
  constructor() {
    super('no answer in time');
    this.name = 'EngineDeadlineError';
  }
}

/**
 * Runs calls to the engine and stops waiting for them at `deadline` (epoch milliseconds) or when `signal` aborts.
 * The SDK's own deadline limits each attempt at a call, and its core retries for about 10 s while a server refuses
 * connections.
 * @throws EngineDeadlineError when the wait was stopped
 */
export async function beforeDeadline<T>(
  native: NativeConnection,
  deadline: number,
  calls: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let giveUp = (): void => undefined;
  const late = new Promise<never>((_, reject) => {
    giveUp = () => reject(new EngineDeadlineError());
  });
  const timer = setTimeout(giveUp, Math.max(0, deadline - Date.now() + SLACK_MS));
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted === true) giveUp();
  try {
    return await Promise.race([native.withDeadline(deadline, calls), late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
