import { PlacesByKey } from '../base/async/places-by-key';
import { isHoldfastError, toolError } from '../base/errors';
import type { JsonSchema } from '../contracts/http/tools';
import type { Sandbox } from '../sandbox/sandbox';

/** The limit of one check, milliseconds, from when a thread takes it. A usual check takes less than one. */
const CHECK_LIMIT_MS = 5_000;
/** After a check that reached the limit, those of the same server are refused for this time, milliseconds. */
const REFUSAL_MS = 30_000;

/**
 * Checks what goes to a remote tool, or comes from it, by a schema of its server. It waits while another check of the server
 * runs.
 * @returns what the schema refuses; undefined where the value is valid
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` for a schema that cannot be used, such as one that refers to another
 * document, for a check that takes too long, and for one of a server whose check took too long just before; the reason of the
 * signal
 */
export type SchemaCheck = (
  server: string,
  schema: JsonSchema,
  value: unknown,
  signal: AbortSignal,
) => Promise<string | undefined>;

/** The checks of all tenants, which share the threads. */
export interface SchemaChecks {
  of(tenant: string): SchemaCheck;
}

/**
 * A server chooses both the schema and the result, and a pattern such as `^(a+)+$` takes hours for 45 characters. So each check
 * has a limit, and a server has one thread at most, for a small part of the time where its checks reach the limit.
 * @param sandbox whose threads can be terminated
 * @param now a clock in milliseconds
 */
export function createSchemaChecks(
  sandbox: Pick<Sandbox, 'findSchemaProblem'>,
  now: () => number = Date.now,
): SchemaChecks {
  const places = new PlacesByKey(1);
  /** Until when the checks of a server are refused, on the clock of `now`. */
  const refused = new Map<string, number>();

  function readRefusedMs(key: string): number {
    for (const [other, until] of refused) if (until <= now()) refused.delete(other);
    return (refused.get(key) ?? 0) - now();
  }

  return {
    of: (tenant) => async (server, schema, value, signal) => {
      const key = JSON.stringify([tenant, server]);
      const leave = await places.take(key, signal);
      try {
        const ms = readRefusedMs(key);
        if (ms > 0) throw refusal(server, ms);
        const call = { owner: { tenant }, timeoutMs: CHECK_LIMIT_MS, signal };
        return await sandbox.findSchemaProblem(schema, value, call);
      } catch (error) {
        signal.throwIfAborted();
        if (!isHoldfastError(error) || error.code !== 'TOOL_TIMEOUT') throw error;
        refused.set(key, now() + REFUSAL_MS);
        throw toolError(`A check by the schema of the tool took longer than ${CHECK_LIMIT_MS} ms`, {
          cause: error,
        });
      } finally {
        leave();
      }
    },
  };
}

function refusal(server: string, refusedMs: number): Error {
  const seconds = Math.ceil(refusedMs / 1_000);
  return toolError(
    `No schema of the server "${server}" is checked for ${seconds} s, because a check took longer than ${CHECK_LIMIT_MS} ms`,
  );
}
