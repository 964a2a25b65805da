import type { Logger } from '../base/logger';

export const UNTAKEN_REJECTION = 'a promise was rejected and no code took its error; the process continues';

/**
 * Logs a rejected promise that no code takes, although Node.js would end the process for it: its work failed, and nothing else did, but the
 * process also serves all other callers. An uncaught exception still ends the process.
 */
export function logUntakenRejections(logger: Pick<Logger, 'error'>): void {
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, UNTAKEN_REJECTION));
}
