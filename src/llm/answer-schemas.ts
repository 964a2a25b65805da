import { isHoldfastError } from '../base/errors';
import type { JsonSchema } from '../contracts/http/tools';
import type { SchemaCheckRequest } from '../sandbox/sandbox';
import type { SchemaCheck } from '../sandbox/schema-checks';
import { toPath } from '../tools/argument-problems';
import { computeDigest } from '../base/ids';
import type { AnswerSchema } from './provider';

/** Maximum length of a schema, characters of JSON, because each call sends it to a model. */
export const MAX_ANSWER_SCHEMA = 32_768;

/** Checks the answers of models by schemas of callers. A check rejects with the reason of its signal. */
export interface AnswerSchemas {
  /** @returns why no answer can be checked by the schema; undefined if it can be used */
  findFault(schema: JsonSchema, signal?: AbortSignal): Promise<string | undefined>;
  /** @returns what the schema refuses in a value, or why it cannot be checked; undefined if it fits */
  findProblem(schema: JsonSchema, value: unknown, signal: AbortSignal): Promise<string | undefined>;
}

/** Builds what a provider needs of a schema of a caller. Pure. */
export function toAnswerSchema(
  document: JsonSchema | undefined,
  schemas: Pick<AnswerSchemas, 'findProblem'>,
): AnswerSchema | undefined {
  if (document === undefined) return undefined;
  return { document, findProblem: (value, signal) => schemas.findProblem(document, value, signal) };
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
      const sentences = problems.map(({ pointer, message }) => `${toPath(pointer)} ${message}`.trim());
      return sentences.length === 0 ? undefined : sentences.join('; ');
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
