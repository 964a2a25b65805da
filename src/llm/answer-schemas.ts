import { PlacesByKey } from '../base/async/places-by-key';
import { isHoldfastError } from '../base/errors';
import type { JsonSchema } from '../contracts/http/tools';
import type { Sandbox } from '../sandbox/sandbox';

/** The limit of one check, milliseconds, from when a thread takes it. A usual check takes less than one. */
const CHECK_LIMIT_MS = 5_000;
const TOO_LONG = `checking by the schema takes longer than ${CHECK_LIMIT_MS} ms`;

/** Checks the answers of models by schemas of callers. A check rejects with the reason of its signal. */
export interface AnswerSchemas {
  /** @returns why no answer can be checked by the schema; undefined where it can be used */
  findFault(schema: JsonSchema, signal?: AbortSignal): Promise<string | undefined>;
  /** @returns what the schema refuses in a value, or why it cannot be checked; undefined where it fits */
  findProblem(schema: JsonSchema, value: unknown, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Creates the checks of all tenants. A caller chooses the schema, and a pattern such as `^(a+)+$` takes hours for 45
 * characters. So each check runs in a thread that can be terminated, and a tenant has one check at a time.
 */
export function createAnswerSchemas(sandbox: Pick<Sandbox, 'findSchemaProblem'>): {
  of(tenant: string): AnswerSchemas;
} {
  const places = new PlacesByKey(1);
  return {
    of(tenant) {
      const check = async (
        schema: JsonSchema,
        value: unknown,
        signal: AbortSignal,
      ): Promise<{ readonly refused?: string | undefined; readonly fault?: string }> => {
        const leave = await places.take(tenant, signal);
        try {
          const call = { owner: { tenant }, timeoutMs: CHECK_LIMIT_MS, signal };
          return { refused: await sandbox.findSchemaProblem(schema, value, call) };
        } catch (error) {
          signal.throwIfAborted();
          if (!isHoldfastError(error)) throw error;
          if (error.code === 'TOOL_TIMEOUT') return { fault: TOO_LONG };
          if (error.code !== 'TOOL_EXECUTION_FAILED' || error.retryable) throw error;
          return { fault: error.message };
        } finally {
          leave();
        }
      };
      return {
        async findFault(schema, signal = new AbortController().signal) {
          return (await check(schema, null, signal)).fault;
        },
        async findProblem(schema, value, signal) {
          const { fault, refused } = await check(schema, value, signal);
          return fault ?? refused;
        },
      };
    },
  };
}
