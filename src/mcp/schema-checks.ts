import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { messageOf, toolError, validationError } from '../base/errors';
import type { JsonSchema } from '../contracts/http/tools';

type Check = (args: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

/** The number of compiled schemas that a process keeps. Compiling one takes about 10 ms. */
const MAX_KEPT = 200;
const MAX_MESSAGE = 500;

/** Checks the arguments of remote tools against the schemas of their servers. */
export class SchemaChecks {
  readonly #kept = new Map<string, Check>();

  /**
   * @param digest that of the definition, by which its compiled schema is kept
   * @throws HoldfastError `VALIDATION` for arguments that the schema refuses; `TOOL_EXECUTION_FAILED` for a schema that
   * cannot be used, such as one that refers to another document
   */
  check(digest: string, schema: JsonSchema, args: unknown): void {
    const { valid, errorMessage = 'are refused by the schema of the tool' } = this.#compiled(
      digest,
      schema,
    )(args);
    if (!valid) throw validationError('args', errorMessage.slice(0, MAX_MESSAGE));
  }

  #compiled(digest: string, schema: JsonSchema): Check {
    const kept = this.#kept.get(digest);
    if (kept !== undefined) return kept;
    let compiled: Check;
    try {
      // Each schema has a separate compiler, because a compiler never forgets what it has compiled.
      compiled = new AjvJsonSchemaValidator().getValidator({ ...schema });
    } catch (error) {
      throw toolError(
        `The input schema of the tool cannot be used: ${messageOf(error).slice(0, MAX_MESSAGE)}`,
      );
    }
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(digest, compiled);
    return compiled;
  }
}
