import { withinTime } from '../src/base/async/time-limit';

const MOMENT_MS = 5_000;

/**
 * Waits up to MOMENT_MS for a server, so that a process usually reports that it is up once it can do its work. The
 * wait is short, because the process answers requests also while the server is away.
 * @returns whether `ready` was resolved in that time
 */
export async function waitBriefly(ready: Promise<unknown>): Promise<boolean> {
  const came = ready.then(
    () => true,
    () => false,
  );
  return withinTime(came, MOMENT_MS, () => false);
}
