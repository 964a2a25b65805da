import { setTimeout as delay } from 'node:timers/promises';
import { EngineAway } from './problem';

/** Time between two calls of the engine during a wait, ms. */
const LOOK_EVERY_MS = 500;

/** The value that is waited for, or a description of what is still missing. */
export type Look<T> = { readonly value: T } | { readonly missing: string };

export interface WaitOptions {
  readonly waitMs: number;
  /** Called with what is missing each time that it changes. */
  readonly report: (line: string) => void;
}

/**
 * Repeats `check` until it finds the value. It continues while the engine does not answer, because the engine may
 * come back.
 * @returns what the last call has found, after `waitMs` at the latest
 */
export async function pollUntil<T>(
  check: () => Promise<Look<T>>,
  { waitMs, report }: WaitOptions,
): Promise<Look<T>> {
  const deadline = Date.now() + waitMs;
  let reported = '';
  for (;;) {
    const look = await check().catch(awayMeanwhile);
    if ('value' in look || Date.now() >= deadline) return look;
    if (look.missing !== reported) report(`waiting: ${look.missing}`);
    reported = look.missing;
    await delay(Math.min(LOOK_EVERY_MS, Math.max(deadline - Date.now(), 0)));
  }
}

function awayMeanwhile(error: unknown): { readonly missing: string } {
  if (error instanceof EngineAway) return { missing: 'Temporal does not answer' };
  throw error;
}
