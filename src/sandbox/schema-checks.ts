import { isHoldfastError, toolError } from '../base/errors';
import type { RunOwner } from '../contracts/runs/run-owner';
import type { Sandbox, SchemaCheckRequest, SchemaOutcome } from './sandbox';
import { PlacesByKey } from '../base/async/semaphore';

/** The limit of one check, milliseconds, from when a thread takes it. A usual check takes less than one. */
const CHECK_LIMIT_MS = 5_000;
/** After a check that reached the limit, those of the same author are refused for this time, milliseconds. */
const REFUSAL_MS = 30_000;

/**
 * Checks a value by a schema that somebody else wrote. It waits while another check of the author runs.
 * @param author whose schema it is, as in `the server "shop"`
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` for a schema that cannot be used, such as one that refers to another
 * document, for a check that takes too long, and for one of an author whose check took too long just before; the reason of the
 * signal
 */
export type SchemaCheck = (
  author: string,
  schema: object,
  check: SchemaCheckRequest,
  signal: AbortSignal,
) => Promise<SchemaOutcome>;

/** The checks of all tenants, which share the threads. */
export interface SchemaChecks {
  of(owner: RunOwner): SchemaCheck;
}

/**
 * An author chooses both the schema and, mostly, the value, and a pattern such as `^(a+)+$` takes hours for 45 characters. So each
 * check has a limit, and an author has one thread at most, for a small part of the time when its checks reach the limit.
 * @param sandbox whose threads can be terminated
 * @param now a clock in milliseconds
 */
export function createSchemaChecks(
  sandbox: Pick<Sandbox, 'checkBySchema'>,
  now: () => number = Date.now,
): SchemaChecks {
  const places = new PlacesByKey(1);
  /** Until when the checks of an author are refused, on the clock of `now`. */
  const refused = new Map<string, number>();

  function readRefusedMs(key: string): number {
    for (const [other, until] of refused) if (until <= now()) refused.delete(other);
    return (refused.get(key) ?? 0) - now();
  }

  return {
    of: (owner) => async (author, schema, check, signal) => {
      const key = JSON.stringify([owner.tenant, author]);
      const leave = await places.take(key, signal);
      try {
        const ms = readRefusedMs(key);
        if (ms > 0) throw refusal(author, ms);
        return await sandbox.checkBySchema(schema, check, { owner, timeoutMs: CHECK_LIMIT_MS, signal });
      } catch (error) {
        signal.throwIfAborted();
        if (!isHoldfastError(error) || error.code !== 'TOOL_TIMEOUT') throw error;
        refused.set(key, now() + REFUSAL_MS);
        throw toolError(`A check by the schema of ${author} took longer than ${CHECK_LIMIT_MS} ms`, {
          cause: error,
        });
      } finally {
        leave();
      }
    },
  };
}

function refusal(author: string, refusedMs: number): Error {
  const seconds = Math.ceil(refusedMs / 1_000);
  return toolError(
    `No schema of ${author} is checked for ${seconds} s, because a check took longer than ${CHECK_LIMIT_MS} ms`,
  );
}
