import { computeDigest } from '../base/digest';
import { isHoldfastError } from '../base/errors';
import type { JsonSchema } from '../contracts/http/tools';
import type { SchemaCheckRequest } from '../sandbox/sandbox';
import type { SchemaCheck } from '../sandbox/schema-checks';
import { toPath } from '../tools/argument-problems';

/** Checks the answers of models by schemas of callers. A check rejects with the reason of its signal. */
export interface AnswerSchemas {
  /** @returns why no answer can be checked by the schema; undefined if it can be used */
  findFault(schema: JsonSchema, signal?: AbortSignal): Promise<string | undefined>;
  /** @returns what the schema refuses in a value, or why it cannot be checked; undefined if it fits */
  findProblem(schema: JsonSchema, value: unknown, signal: AbortSignal): Promise<string | undefined>;
}

/** @param check that of the tenant whose callers wrote the schemas */
export function createAnswerSchemas(check: SchemaCheck): AnswerSchemas {
  async function describe(
    schema: JsonSchema,
    request: SchemaCheckRequest,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      const author = `an answer (${computeDigest(schema).slice(0, 8)})`;
      const { problems } = await check(author, schema, request, signal);
      const said = problems.map(({ pointer, message }) => `${toPath(pointer)} ${message}`.trim());
      return said.length === 0 ? undefined : said.join('; ');
    } catch (error) {
      signal.throwIfAborted();
      const isOfSchema = isHoldfastError(error) && error.code === 'TOOL_EXECUTION_FAILED' && !error.retryable;
      if (!isOfSchema) throw error;
      return error.message;
    }
  }

  return {
    findFault: (schema, signal = new AbortController().signal) => describe(schema, {}, signal),
    findProblem: (schema, value, signal) => describe(schema, { value }, signal),
  };
}
