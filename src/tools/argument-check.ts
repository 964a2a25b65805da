import { isDeepStrictEqual } from 'node:util';
import { toPointerPart } from '../base/json/pointer';
import type { JsonSchema } from '../contracts/http/tools';
import type { JsonObject } from '../contracts/json';
import type { RunOwner } from '../contracts/runs/run-owner';
import { closedAtRoot } from '../contracts/http/tool-schemas';
import type { SchemaProblem } from '../sandbox/sandbox';
import type { SchemaChecks } from '../sandbox/schema-checks';
import { type CompiledSchema, compileSchema } from '../sandbox/schema-engine';

/** One thing that the schema of a tool refuses in the arguments of a call. */
export type ArgumentProblem = SchemaProblem;

export interface CheckedTool {
  readonly name: string;
  readonly inputSchema: JsonSchema;
}

/**
 * Checks the arguments of a call by the schema of its tool, all of them at once.
 * @returns the arguments with the defaults of those that were left out, or what is wrong with them, at least one problem and at
 * most 20
 * @throws HoldfastError `TOOL_EXECUTION_FAILED` if the schema cannot be used, or its checks take too long; the reason of the
 * signal
 */
export type ArgumentCheck = (
  tool: CheckedTool,
  args: JsonObject,
  signal: AbortSignal,
) => Promise<{ readonly args: JsonObject } | { readonly problems: readonly ArgumentProblem[] }>;

/** The checks for the callers of all tenants. */
export interface ArgumentChecks {
  /** @param owner whose share of the threads the checks take */
  of(owner: RunOwner): ArgumentCheck;
}

const MAX_NAMES = 64;

/**
 * Creates the checks. Schemas of built-in tools are those of the service, so they are compiled once and used in place; all others
 * are used in threads.
 * @param builtin all built-in tools
 */
export function createArgumentChecks(checks: SchemaChecks, builtin: readonly CheckedTool[]): ArgumentChecks {
  const ownSchemas = new Map(builtin.map(({ name, inputSchema }) => [name, inputSchema]));
  const compiled = new Map<string, CompiledSchema>();

  function compileOwn(name: string, schema: JsonSchema): CompiledSchema {
    const validate = compiled.get(name) ?? compileSchema(closedAtRoot(schema), false);
    compiled.set(name, validate);
    return validate;
  }

  return {
    of(owner) {
      const check = checks.of(owner);
      return async ({ name, inputSchema }, args, signal) => {
        const infinite = findInfinite(args, '');
        if (infinite !== undefined) return { problems: [infinite] };
        if (takesAnything(inputSchema)) return { args };
        const { problems, filled = args } = isDeepStrictEqual(ownSchemas.get(name), inputSchema)
          ? { problems: compileOwn(name, inputSchema)(args) }
          : await check(authorOf(name), closedAtRoot(inputSchema), { value: args, fills: true }, signal);
        if (problems.length === 0) return { args: filled as JsonObject };
        return { problems: problems.map((problem) => naming(problem, inputSchema)) };
      };
    },
  };
}

/** Whether a schema says nothing but that it describes an object. */
function takesAnything({ type, properties = {}, required = [], ...rest }: JsonSchema): boolean {
  const isPlain = type === undefined || type === 'object';
  return isPlain && isEmpty(rest) && isEmpty(properties) && isEmpty(required);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** All tools of a remote server have one author. */
function authorOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? `the tool "${name}"` : `the server "${name.slice(0, dot)}"`;
}

/** Says of an argument that the tool does not have which ones it has. */
function naming(problem: ArgumentProblem, { properties }: JsonSchema): ArgumentProblem {
  if (problem.keyword !== 'additionalProperties' || problem.pointer.lastIndexOf('/') !== 0) return problem;
  const names = Object.keys(properties ?? {}).slice(0, MAX_NAMES);
  return { ...problem, message: `is not an argument of this tool; it takes ${names.join(', ')}` };
}

/** Finds a number that JSON cannot express, such as `1e400`, which would become null on its way. */
function findInfinite(value: unknown, pointer: string): ArgumentProblem | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? undefined
      : { pointer, message: `must be a finite number, got the number ${value}`, keyword: 'type' };
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, item] of Object.entries(value)) {
    const infiniteAt = findInfinite(item, `${pointer}/${toPointerPart(name)}`);
    if (infiniteAt !== undefined) return infiniteAt;
  }
  return undefined;
}
