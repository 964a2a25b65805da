import type { JsonSchema } from '../contracts/http/tools';
import type { JsonObject } from '../contracts/json';
import { saysWhatElse } from '../contracts/http/tool-schemas';
import type { PredefinedWorkflow } from '../contracts/http/workflows';
import { apiCallDeclaration } from '../tools/builtin/declarations';
import type { ArgumentProblem } from '../tools/argument-check';
import { argumentsError } from '../tools/argument-problems';
import { readInputs } from '../tools/parameters';
import type { CallChecks } from './check-calls';
import { asStepProblem } from './problems';

const MAX_NAMES = 64;

/**
 * Builds the inputs of a run of a predefined workflow: the given ones, the defaults of those that are not given, and null for others.
 * @throws HoldfastError as `checkInputs` does
 */
export async function fillInputs(
  workflow: Pick<PredefinedWorkflow, 'id' | 'inputs'>,
  given: JsonObject,
  checks: CallChecks,
): Promise<JsonObject> {
  const absent = namesOf(readInputs(workflow.inputs)).map((name) => [name, null] as const);
  return { ...Object.fromEntries(absent), ...(await checkInputs(workflow, given, checks)) };
}

/**
 * Checks the inputs of a predefined workflow.
 * @returns them with the defaults of those that are not given
 * @throws HoldfastError `WORKFLOW_INVALID` naming the first problem, with all of them as JSON pointers; as `ArgumentCheck` does
 */
export async function checkInputs(
  { id, inputs }: Pick<PredefinedWorkflow, 'id' | 'inputs'>,
  given: JsonObject,
  { check, signal }: CallChecks,
): Promise<JsonObject> {
  const declared = readInputs(inputs);
  const inputSchema = saysWhatElse(declared) ? declared : { ...declared, additionalProperties: false };
  const checked = await check({ name: id, inputSchema }, given, signal);
  if ('args' in checked) return checked.args;
  const problems = checked.problems.map((problem) => namingWorkflow(problem, id, declared));
  return asStepProblem(null, () => {
    throw argumentsError('inputs', problems);
  });
}

/** The names that references to inputs may have; undefined if a workflow takes inputs that it does not name. Pure. */
export function inputNames(schema: JsonSchema): ReadonlySet<string> | undefined {
  const isOpen = saysWhatElse(schema) && schema['additionalProperties'] !== false;
  return isOpen ? undefined : new Set(namesOf(schema));
}

/** Says of an input that is missing or not known of which workflow it is. */
function namingWorkflow(problem: ArgumentProblem, id: string, schema: JsonSchema): ArgumentProblem {
  if (problem.pointer.lastIndexOf('/') !== 0) return problem;
  if (problem.keyword === 'required') return { ...problem, message: `is required by "${id}"` };
  if (problem.keyword !== 'additionalProperties') return problem;
  const known = namesOf(schema).slice(0, MAX_NAMES).join(', ') || 'none';
  return { ...problem, message: `is not an input of "${id}"; it takes ${known}` };
}

function namesOf({ properties }: JsonSchema): string[] {
  return Object.keys(properties ?? {});
}

/** Lists the tools that a workflow's steps run, each once, in the order of the steps. */
export function requiredTools({ steps }: Pick<PredefinedWorkflow, 'steps'>): string[] {
  const names = steps.flatMap((step) => {
    if (step.type === 'tool_execution') return [step.config.toolName];
    return step.type === 'api_call' ? [apiCallDeclaration.name] : [];
  });
  return [...new Set(names)];
}
