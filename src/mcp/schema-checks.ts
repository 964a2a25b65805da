import { Semaphore } from '../base/async/semaphore';
import { takePlace } from '../base/async/take-place';
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

/** What the checks of one server share. */
interface Lane {
  readonly places: Semaphore;
  /** Checks that run or wait. */
  users: number;
  /** Until when checks are refused, on the clock of `now`. */
  refusedUntil: number;
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
  const lanes = new Map<string, Lane>();

  function forgetUnused(): void {
    for (const [key, { users, refusedUntil }] of lanes) {
      if (users === 0 && refusedUntil <= now()) lanes.delete(key);
    }
  }

  async function check(
    lane: Lane,
    tenant: string,
    server: string,
    ...[schema, value, signal]: [JsonSchema, unknown, AbortSignal]
  ): Promise<string | undefined> {
    const leave = await takePlace(lane.places, signal);
    try {
      const refusedMs = lane.refusedUntil - now();
      if (refusedMs > 0) throw refusal(server, refusedMs);
      return await sandbox.findSchemaProblem(schema, value, {
        owner: { tenant },
        timeoutMs: CHECK_LIMIT_MS,
        signal,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!isHoldfastError(error) || error.code !== 'TOOL_TIMEOUT') throw error;
      lane.refusedUntil = now() + REFUSAL_MS;
      throw toolError(`A check by the schema of the tool took longer than ${CHECK_LIMIT_MS} ms`, {
        cause: error,
      });
    } finally {
      leave();
    }
  }

  return {
    of: (tenant) => async (server, schema, value, signal) => {
      const key = JSON.stringify([tenant, server]);
      const lane = lanes.get(key) ?? { places: new Semaphore(1), users: 0, refusedUntil: 0 };
      lanes.set(key, lane);
      lane.users += 1;
      try {
        return await check(lane, tenant, server, schema, value, signal);
      } finally {
        lane.users -= 1;
        forgetUnused();
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
