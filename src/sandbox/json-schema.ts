import type { ThreadReply } from './protocol';

/** The part of the package's validator that chooses the compiler of a schema, which the package does not let callers set. */
interface Compilers {
  _engineFor(schema: object): {
    readonly opts: { ownProperties?: boolean; readonly code: { regExp: typeof toRegExp } };
  };
}

type Validate = (value: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

/** The number of compiled schemas that a thread keeps. Compiling one takes some milliseconds. */
const MAX_KEPT = 50;
const MAX_MESSAGE = 500;

const kept = new Map<string, Validate>();

/**
 * Finds out what a schema refuses in a value, as `{ problem? }`. Only the pool's deadline limits the time: a pattern may
 * backtrack, and references may double the work at each level.
 */
export async function findSchemaProblem(schemaText: string, valueText: string): Promise<ThreadReply> {
  let validate: Validate;
  try {
    validate = kept.get(schemaText) ?? (await compile(schemaText));
  } catch (error) {
    return failure(`The schema cannot be used: ${reasonOf(error)}`);
  }
  keep(schemaText, validate);
  try {
    const { valid, errorMessage = 'is refused by the schema' } = validate(JSON.parse(valueText));
    const result = valid ? {} : { problem: errorMessage.slice(0, MAX_MESSAGE) };
    return { kind: 'value', text: JSON.stringify(result), logs: [] };
  } catch (error) {
    return failure(`The value cannot be checked against the schema: ${reasonOf(error)}`);
  }
}

async function compile(schemaText: string): Promise<Validate> {
  // Threads that run registered tools alone do not need the validator, which takes 20 ms to load.
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv');
  // Each schema has a separate compiler, because a compiler never forgets what it has compiled.
  const validator = new AjvJsonSchemaValidator();
  const schema = JSON.parse(schemaText) as Record<string, unknown>;
  // Otherwise a value without the property `constructor` would count as one that has it, as every object inherits it.
  const { opts } = (validator as unknown as Compilers)._engineFor(schema);
  opts.ownProperties = true;
  opts.code.regExp = toRegExp;
  return validator.getValidator(schema);
}

/**
 * Makes the regular expression of a pattern. With the flag `u`, as JSON Schema recommends, escapes such as `\-` and `\@` are no
 * regular expression, but some libraries write them into schemas.
 */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

/** Keeps a compiled schema as the one that was used last, and forgets the one that was not used for longest. */
function keep(schemaText: string, validate: Validate): void {
  kept.delete(schemaText);
  kept.set(schemaText, validate);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deeply, or refers to itself without an end';
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE);
}

function failure(message: string): ThreadReply {
  return { kind: 'failure', message, logs: [] };
}
