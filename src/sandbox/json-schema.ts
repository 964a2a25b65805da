import type { ThreadReply, ThreadRequest } from './protocol';
import type { SchemaOutcome } from './sandbox';
import type * as SchemaEngine from './schema-engine';
import type { CompiledSchema } from './schema-engine';

/** The number of compiled schemas that a thread keeps. Compiling one takes some milliseconds. */
const MAX_KEPT = 50;
const MAX_MESSAGE = 500;

const compiledSchemas = new Map<string, CompiledSchema>();

/**
 * Checks a value by a schema, or a schema itself if there is no value. Only the pool's deadline limits the time: a pattern may
 * backtrack, and references may double the work at each level.
 */
export function checkBySchema({
  schemaText,
  valueText,
  fills,
}: Extract<ThreadRequest, { kind: 'schema' }>): ThreadReply {
  let validate: CompiledSchema;
  try {
    const { compileSchema, findSchemaFaults } = loadEngine();
    const schema = JSON.parse(schemaText) as Record<string, unknown>;
    if (valueText === undefined) return outcome({ problems: findSchemaFaults(schema) });
    const key = `${fills}${schemaText}`;
    validate = compiledSchemas.get(key) ?? compileSchema(schema, fills);
    keep(key, validate);
  } catch (error) {
    return failure(`The schema cannot be used: ${reasonOf(error)}`);
  }
  try {
    const value: unknown = JSON.parse(valueText);
    const problems = validate(value);
    if (problems.length > 0 || !fills) return outcome({ problems });
    const isFilled = JSON.stringify(value) !== valueText;
    return outcome(isFilled ? { problems, filled: value } : { problems });
  } catch (error) {
    return failure(`The value cannot be checked against the schema: ${reasonOf(error)}`);
  }
}

/** Threads that run registered tools alone do not need the engine, which takes some 30 ms to load. */
function loadEngine(): typeof SchemaEngine {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require('./schema-engine') as typeof SchemaEngine;
}

/** Keeps a compiled schema as the one that was used last, and forgets the one that was not used for longest. */
function keep(key: string, validate: CompiledSchema): void {
  compiledSchemas.delete(key);
  compiledSchemas.set(key, validate);
  const [oldest] = compiledSchemas.keys();
  if (compiledSchemas.size > MAX_KEPT && oldest !== undefined) compiledSchemas.delete(oldest);
}

function outcome(result: SchemaOutcome): ThreadReply {
  return { kind: 'value', text: JSON.stringify(result), logs: [] };
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply, or refers to itself without an end';
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE);
}

function failure(message: string): ThreadReply {
  return { kind: 'failure', message, logs: [] };
}
