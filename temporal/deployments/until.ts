import { setTimeout as delay } from 'node:timers/promises';
import { EngineAway } from './problem';

/** The engine is asked so often while something is waited for, milliseconds. */
const LOOK_EVERY_MS = 500;

/** What is waited for, or what keeps it from being there, in words. */
export type Look<T> = { readonly value: T } | { readonly missing: string };

export interface WaitOptions {
  readonly waitMs: number;
  /** Hears what is missing, each time that it changes. */
  readonly tell: (line: string) => void;
}

/**
 * Looks until the value is there; an engine that does not answer may come back meanwhile.
 * @returns what the last look found, after `waitMs` at the latest
 */
export async function until<T>(
  look: () => Promise<Look<T>>,
  { waitMs, tell }: WaitOptions,
): Promise<Look<T>> {
  const deadline = Date.now() + waitMs;
  let told = '';
  for (;;) {
    const found = await look().catch(awayMeanwhile);
    if ('value' in found || Date.now() >= deadline) return found;
    if (found.missing !== told) tell(`waiting: ${found.missing}`);
    told = found.missing;
    await delay(Math.min(LOOK_EVERY_MS, Math.max(deadline - Date.now(), 0)));
  }
}

function awayMeanwhile(error: unknown): { readonly missing: string } {
  if (error instanceof EngineAway) return { missing: 'Temporal does not answer' };
  throw error;
}
