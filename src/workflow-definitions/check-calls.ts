import { type HoldfastError, isHoldfastError } from '../base/errors';
import { throwFirstOf } from '../base/problems';
import type { StoredTool } from '../contracts/http/tools';
import type { WorkflowStep } from '../contracts/http/workflows';
import { isJsonObject } from '../contracts/json';
import { hasExpressions } from '../templates/resolve';
import { fitArguments } from '../templates/resolved-arguments';
import type { ArgumentCheck } from '../tools/argument-check';
import { checkedArguments } from '../tools/argument-problems';
import { literalProblems } from '../tools/builtin/check-literals';
import { apiCallDeclaration, HTTP_METHODS } from '../tools/builtin/declarations';
import { toStepProblem, workflowProblem } from './problems';

/** The tool that steps of type `api_call` run. */
const API_CALL = apiCallDeclaration.name;

const ARGS = 'config.args';

/** What the check of calls needs. */
export interface CallChecks {
  readonly check: ArgumentCheck;
  readonly signal: AbortSignal;
}

/** The name of the tool that a step runs; undefined for one that asks a model. Pure. */
export function toolOf(step: WorkflowStep): string | undefined {
  switch (step.type) {
    case 'api_call':
      return API_CALL;
    case 'tool_execution':
      return step.config.toolName;
    case 'llm_call':
      return undefined;
  }
}

/**
 * Checks what is known before the run of the call of a tool.
 * @param known the configuration with the inputs filled in, or as it is written if they are not known
 * @throws HoldfastError `WORKFLOW_INVALID`, as `ArgumentCheck` does
 */
export async function checkCall(
  step: WorkflowStep,
  known: WorkflowStep['config'],
  tool: StoredTool,
  checks: CallChecks,
): Promise<void> {
  await throwFirstOf(callProblems(step, known, tool, checks));
}

/** Finds every problem that `checkCall` is about. @throws HoldfastError as `ArgumentCheck` does */
export async function* callProblems(
  step: WorkflowStep,
  known: WorkflowStep['config'],
  tool: StoredTool,
  { check, signal }: CallChecks,
): AsyncGenerator<HoldfastError, void> {
  // A condition may be there to skip the step for just these inputs, so that only what holds for all of them is checked.
  const filled = <T extends Fields>(values: T, written: T): Fields =>
    step.when === undefined ? values : withoutInputs(values, written);
  if (step.type === 'api_call') {
    const config = filled({ ...known }, { ...step.config });
    const problems = [...apiCallProblems(step.id, config)];
    yield* problems;
    // A step adds its parameters to the address, in which a nested value is JSON.
    const literals = withoutFields({ ...config, params: undefined }, 'config', problems);
    yield* literalProblemsOf(step.id, tool, literals, 'config');
  }
  if (step.type !== 'tool_execution') return;
  const given = filled((known as typeof step.config).args, step.config.args);
  const args = fitArguments(given, step.config.args, tool.inputSchema);
  const problems: HoldfastError[] = [];
  try {
    await checkedArguments(check, tool, args, signal, ARGS, { skip: isUnresolved });
  } catch (error) {
    if (!isHoldfastError(error) || error.code !== 'VALIDATION') throw error;
    problems.push(toStepProblem(step.id, error));
  }
  yield* problems;
  if (problems.length === 0) yield* literalProblemsOf(step.id, tool, args, ARGS);
}

function* literalProblemsOf(
  step: string,
  tool: StoredTool,
  args: Fields,
  prefix: string,
): Generator<HoldfastError> {
  for (const problem of literalProblems(tool, args, prefix, isUnresolved)) yield toStepProblem(step, problem);
}

/** Leaves out the fields that have problems already. */
function withoutFields(values: Fields, prefix: string, problems: readonly HoldfastError[]): Fields {
  const broken = new Set(problems.map(({ details }) => details?.['field']));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !broken.has(`${prefix}.${name}`)));
}

type Fields = Readonly<Record<string, unknown>>;

/** Puts what is written in the place of each value that has templates. */
function withoutInputs(values: Fields, written: Fields): Fields {
  const fields = Object.entries(values).map(([name, value]): [string, unknown] => [
    name,
    hasExpressions(written[name]) ? written[name] : value,
  ]);
  return Object.fromEntries(fields);
}

/**
 * Checks the calls of a definition that is stored and not run, as far as its inputs do not count. Only built-in tools stay as they
 * are now, so the calls of others are checked when the definition is run.
 * @throws HoldfastError `WORKFLOW_INVALID`
 */
export async function checkStoredCalls(
  steps: readonly WorkflowStep[],
  tools: ReadonlyMap<string, StoredTool>,
  checks: CallChecks,
): Promise<void> {
  for (const step of steps) {
    const tool = tools.get(toolOf(step) ?? '');
    if (tool?.implementation.kind === 'builtin') await checkCall(step, step.config, tool, checks);
  }
}

/**
 * True for a value that is known only in the run, and for one whose inputs have text that looks so. It does not count what it
 * finds, since the inputs that were filled in may look so millions of times.
 */
const isUnresolved = hasExpressions;

function* apiCallProblems(
  id: string,
  { url, method, headers, params }: Readonly<Record<string, unknown>>,
): Generator<HoldfastError> {
  if (!isUnresolved(url) && !isHttpAddress(url)) {
    yield workflowProblem(id, 'config.url', 'must be an http or https address');
  }
  const isMethod =
    method === undefined ||
    isUnresolved(method) ||
    (typeof method === 'string' && (HTTP_METHODS as readonly string[]).includes(method.toUpperCase()));
  if (!isMethod) yield workflowProblem(id, 'config.method', `must be one of ${HTTP_METHODS.join(', ')}`);
  for (const [name, value] of Object.entries({ headers, params })) {
    if (value === undefined || isJsonObject(value) || isUnresolved(value)) continue;
    yield workflowProblem(id, `config.${name}`, 'must be an object');
  }
}

function isHttpAddress(text: unknown): boolean {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}
