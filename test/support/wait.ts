import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;

/**
 * A limit for what hangs, and below the limit of a test, so that the error says what was waited for. It measures no
 * speed: a busy machine may be many times slower than a quiet one.
 */
const HANG_LIMIT_MS = 240_000;

export interface WaitOptions {
  /** What is waited for, as the error names it: "the worker to poll". */
  readonly what: string;
  /** Only for a wait that is longer than usual. */
  readonly timeoutMs?: number;
}

/**
 * Polls until `condition` answers something other than false or undefined, and returns that. An error thrown by
 * the condition counts as "not yet", and the error at the end of the time reports it.
 */
export async function waitFor<T>(
  condition: () => Promise<T | false | undefined> | T | false | undefined,
  { what, timeoutMs = HANG_LIMIT_MS }: WaitOptions,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== undefined) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() >= deadline) {
      throw new Error(`waited ${timeoutMs} ms for ${what}${last === undefined ? '' : `: ${String(last)}`}`);
    }
    await delay(POLL_MS);
  }
}

/**
 * Repeats an operation on a server that has just been started, whose first answers may exceed the operation's limit.
 */
export async function answered<T>(operation: () => Promise<T>): Promise<T> {
  const { value } = await waitFor(async () => ({ value: await operation() }), {
    what: 'the server to answer in time',
  });
  return value;
}
