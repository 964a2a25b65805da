import { validationError } from '../src/base/errors';
import { findNearest } from '../src/base/text/nearest';
import type { CallerTool } from '../src/contracts/http/caller-tools';
import { isAgentTool } from '../src/contracts/runs/agent-calls';
import { namesTool } from '../src/contracts/tool-names';
import type { ModelChoice } from '../src/contracts/runs/workflows';
import type { JsonSchema } from '../src/contracts/http/tools';
import type { AnswerSchemas } from '../src/llm/answer-schemas';
import type { ToolRegistry } from '../src/tools/registry';

/** What entries may name besides registered tools, and where they stand in the request. */
export interface KnownNames {
  readonly field?: string;
  /** The names by which agents are called that the turn may call. */
  readonly ofAgents?: readonly string[];
}

/**
 * Checks that each entry names a tool, since a model would silently go without a misspelt one.
 * @throws HoldfastError `VALIDATION`
 */
export async function checkOfferedTools(
  registry: Pick<ToolRegistry, 'list'>,
  tools: readonly string[] | undefined,
  { field = 'options.tools', ofAgents = [] }: KnownNames = {},
): Promise<void> {
  if (tools === undefined || tools.length === 0) return;
  const known = [...ofAgents, ...(await registry.list()).map(({ name }) => name)];
  const index = tools.findIndex((entry) => !known.some((name) => namesTool([entry], name)));
  const entry = tools[index];
  if (entry === undefined) return;
  const isBeginning = entry.endsWith('*');
  const near = findNearest(entry, isBeginning ? beginnings(known) : known);
  const advice = near === undefined ? 'GET /api/tools lists them' : `the nearest is ${near.name}`;
  const missing = isBeginning
    ? `there is no tool whose name begins with "${entry.slice(0, -1)}"`
    : `there is no tool named "${entry}"`;
  throw validationError(`${field}[${index}]`, `${missing}; ${advice}`);
}

/**
 * Checks that no tool of the caller has the name of another one, which would hide it.
 * @throws HoldfastError `VALIDATION`
 */
export async function checkCallerTools(
  registry: Pick<ToolRegistry, 'list'>,
  tools: readonly CallerTool[] | undefined,
): Promise<void> {
  if (tools === undefined || tools.length === 0) return;
  const known = new Set((await registry.list()).map(({ name }) => name));
  const index = tools.findIndex(({ name }) => known.has(name) || isAgentTool(name));
  const name = tools[index]?.name;
  if (name !== undefined)
    throw validationError(`options.callerTools[${index}].name`, `the service has a tool named "${name}"`);
}

/** The entries that stand for the tools of one server or area, such as `shop.*`, then the names themselves. */
function beginnings(names: readonly string[]): string[] {
  const areas = names
    .filter((name) => name.includes('.'))
    .map((name) => `${name.slice(0, name.indexOf('.'))}.*`);
  return [...new Set([...areas, ...names])];
}

/**
 * Checks that an answer can be asked for by a schema.
 * @param choice the model of the turn
 * @param field where the schema stands
 * @throws HoldfastError `VALIDATION`; the reason of the signal
 */
export async function checkResponseSchema(
  schemas: Pick<AnswerSchemas, 'findFault'>,
  schema: JsonSchema | undefined,
  choice: ModelChoice,
  signal: AbortSignal,
  field = 'options.responseSchema',
): Promise<void> {
  if (schema === undefined) return;
  if (choice.provider === 'builtin')
    throw validationError(field, 'takes a language model; the built-in rules cannot answer by a schema');
  const fault = await schemas.findFault(schema, signal);
  if (fault !== undefined) throw validationError(field, `cannot be used: ${fault}`);
}
