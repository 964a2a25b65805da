import type { NativeConnection } from '@temporalio/worker';

/** Lets the server's own answer about a deadline, which says more, come first. Milliseconds. */
const SLACK_MS = 100;

/** The engine did not answer in time. Whatever was asked of it may happen all the same. */
export class EngineDeadlineError extends Error {
  constructor() {
    super('no answer in time');
    this.name = 'EngineDeadlineError';
  }
}

/**
 * Runs calls to the engine and ends the wait for them at `deadline` (epoch milliseconds) or when `signal` aborts.
 * The SDK's own deadline is for each attempt at a call, and its core goes on trying a server that refuses
 * connections for about 10 s.
 * @throws EngineDeadlineError
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
  const timer = setTimeout(giveUp, deadline - Date.now() + SLACK_MS);
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted === true) giveUp();
  try {
    return await Promise.race([native.withDeadline(deadline, calls), late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
