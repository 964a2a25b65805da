import type { ModelChoice, ModelLimits, PreparedStep, StepExecution } from '../contracts/runs/workflows';
import type { ToolCall, ToolLimits } from '../contracts/runs/tools';
import { RETRY_DELAYS, type RetryDelays } from '../contracts/retries';
import type { StoredTool } from '../contracts/http/tools';
import type { WorkflowStep } from '../contracts/http/workflows';
import type { GenerationOptions } from '../contracts/http/llm';
import { type HoldfastError, isHoldfastError } from '../base/errors';
import { problemOf, throwFirst, throwFirstOf } from '../base/problems';
import type { AnswerSchemas } from '../llm/answer-schemas';
import { hasExpressions } from '../templates/resolve';
import { checkAll } from '../tools/all-problems';
import { callMarks } from '../tools/call-marks';
import { answerSchemaProblems } from './check-answer-schemas';
import { type CallChecks, checkCall, toolOf } from './check-calls';
import { checkDefinition } from './check-definition';
import { shapeProblems } from './check-shapes';
import { fillSteps } from './fill-steps';
import { asStepProblem, workflowProblem } from './problems';

export interface PrepareStepsPorts extends CallChecks {
  readonly registry: { getMany(names: readonly string[]): Promise<ReadonlyMap<string, StoredTool>> };
  /** @throws HoldfastError `MODEL_UNKNOWN`, `MODEL_NOT_CONFIGURED` */
  chooseModel(options: GenerationOptions): ModelChoice;
  /** Checks the schemas of answers. */
  readonly schemas: Pick<AnswerSchemas, 'findFault'>;
  /** The limits of a step that sets none itself, and the maximum of those that it may set. */
  readonly toolLimits: ToolLimits;
  readonly modelLimits: ModelLimits;
  /** The caller's limit of each tool call of a step that sets none itself, milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** As in `checkDefinition`. */
  readonly isStored?: boolean | undefined;
}

export interface PreparedWorkflow {
  readonly steps: readonly PreparedStep[];
  /** Each step's configuration with the inputs filled in, for a dry run. */
  readonly configurations: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

/**
 * Checks everything that can be checked before a run, and adds to each step what it needs to run: its tool as it is
 * now, its model, and the steps that it waits for.
 * @throws HoldfastError `WORKFLOW_INVALID` for the first problem, with those of all calls, `STORE_UNAVAILABLE`
 */
export async function prepareSteps(
  ports: PrepareStepsPorts,
  steps: readonly WorkflowStep[],
  inputs: Readonly<Record<string, unknown>>,
): Promise<PreparedWorkflow> {
  const given = { names: new Set(Object.keys(inputs)), values: inputs };
  const waitsFor = checkDefinition(steps, given, ports.isStored);
  await throwFirstOf(answerSchemaProblems(steps, ports.schemas));
  const tools = await readTools(steps, ports);
  throwFirst(shapeProblems(steps, tools));
  const filled = throwFirst(fillSteps(steps, inputs));
  const prepared = await checkAll(steps, async (step): Promise<PreparedStep> => {
    const known = filled.get(step) ?? step.config;
    const execution = await asStepProblem(step.id, () => prepareExecution(step, known, tools, ports));
    return { step, execution, waitsFor: waitsFor.get(step.id) ?? [] };
  });
  return { steps: prepared, configurations: new Map(steps.map((step) => [step.id, filled.get(step) ?? {}])) };
}

/** Reads the tools that steps run, as they are now. */
export function readTools(
  steps: readonly WorkflowStep[],
  { registry }: Pick<PrepareStepsPorts, 'registry'>,
): Promise<ReadonlyMap<string, StoredTool>> {
  return registry.getMany([...new Set(steps.flatMap((step) => toolOf(step) ?? []))]);
}

/**
 * Prepares the execution of a step: its tool or its model, with their limits.
 * @param known the configuration with inputs filled in
 * @throws HoldfastError `WORKFLOW_INVALID`
 */
export async function prepareExecution(
  step: WorkflowStep,
  known: WorkflowStep['config'],
  tools: ReadonlyMap<string, StoredTool>,
  ports: PrepareStepsPorts,
): Promise<StepExecution> {
  switch (step.type) {
    case 'api_call': {
      const tool = tools.get(toolOf(step) ?? '');
      if (tool === undefined) {
        const problem = 'There is no tool named "api_call", which steps of this type run';
        throw workflowProblem(step.id, 'type', problem);
      }
      await checkCall(step, known, tool, ports);
      return { kind: 'tool', tool: withoutArguments(tool), limits: toolLimits(step, ports) };
    }
    case 'llm_call':
      return {
        kind: 'model',
        choice: chooseModel(step.id, known as typeof step.config, ports),
        limits: modelLimits(step, ports),
      };
    case 'tool_execution': {
      const { toolName } = step.config;
      const tool = tools.get(toolName);
      if (tool === undefined) {
        throw workflowProblem(step.id, 'config.toolName', `There is no tool named "${toolName}"`);
      }
      await checkCall(step, known, tool, ports);
      return { kind: 'tool', tool: withoutArguments(tool), limits: toolLimits(step, ports) };
    }
  }
}

function withoutArguments(tool: StoredTool): Omit<ToolCall, 'args'> {
  const { name, implementation, inputSchema } = tool;
  return { toolName: name, implementation, inputSchema, ...callMarks(tool) };
}

function chooseModel(
  id: string,
  { model, temperature, maxTokens, topP }: Omit<GenerationOptions, 'model'> & { readonly model?: unknown },
  ports: PrepareStepsPorts,
): ModelChoice {
  const refuse = (message: string): Error => workflowProblem(id, 'config.model', message);
  if (hasExpressions(model)) throw refuse('has to be known before the run; it may refer to inputs only');
  // An input may have any type.
  if (model !== undefined && typeof model !== 'string') throw refuse('must be the name of a model');
  try {
    return ports.chooseModel({ model, temperature, maxTokens, topP });
  } catch (error) {
    // If the step names no model, the error is about the service and not about the step.
    if (!isHoldfastError(error) || model === undefined) throw error;
    throw refuse(error.message);
  }
}

/** Finds what is wrong with the time limit and the retries of a step, which preparing it refuses too. */
export function* limitProblems(step: WorkflowStep, ports: PrepareStepsPorts): Generator<HoldfastError> {
  const { timeoutMs, source } = ports.toolLimits;
  const [max, setting] =
    step.type === 'llm_call' ? [ports.modelLimits.timeoutMs, 'LLM_TIMEOUT_MS'] : [timeoutMs, source];
  yield* problemOf('WORKFLOW_INVALID', () => checkTimeout(step, max, setting));
  yield* problemOf('WORKFLOW_INVALID', () => readDelays(step));
}

function toolLimits(step: WorkflowStep, { toolLimits: defaults, timeoutMs }: PrepareStepsPorts): ToolLimits {
  const { timeout, retry } = step;
  checkTimeout(step, defaults.timeoutMs, defaults.source);
  return {
    ...chooseTimeout(timeout, timeoutMs, defaults),
    maxAttempts: retry?.maximumAttempts ?? defaults.maxAttempts,
    ...(defaults.allowPrivate === true ? { allowPrivate: true } : {}),
    ...readDelays(step),
  };
}

/** Chooses the limit of a step's calls: that of the step, else that of the caller, else that of the settings. */
function chooseTimeout(
  stepMs: number | undefined,
  callerMs: number | undefined,
  { timeoutMs, source }: ToolLimits,
): Pick<ToolLimits, 'timeoutMs' | 'source'> {
  if (stepMs !== undefined) return { timeoutMs: stepMs, source: 'timeout' };
  return callerMs === undefined ? { timeoutMs, source } : { timeoutMs: callerMs, source: 'options.timeout' };
}

function modelLimits(step: WorkflowStep, { modelLimits: defaults }: PrepareStepsPorts): ModelLimits {
  checkTimeout(step, defaults.timeoutMs, 'LLM_TIMEOUT_MS');
  return {
    ...defaults,
    timeoutMs: step.timeout ?? defaults.timeoutMs,
    maxAttempts: step.retry?.maximumAttempts ?? defaults.maxAttempts,
    ...readDelays(step),
  };
}

/** Reads the waits between attempts; empty if the step sets none of them. */
function readDelays({ id, retry }: WorkflowStep): { delays?: RetryDelays } {
  const { initialInterval: first, backoffCoefficient: factor, maximumInterval: longest } = retry ?? {};
  if (first === undefined && factor === undefined && longest === undefined) return {};
  if (first !== undefined && longest !== undefined && longest < first) {
    throw workflowProblem(id, 'retry.maximumInterval', `must be at least initialInterval, ${first} ms`);
  }
  const delays = {
    firstMs: first ?? Math.min(RETRY_DELAYS.firstMs, longest ?? Infinity),
    factor: factor ?? RETRY_DELAYS.factor,
    longestMs: longest ?? Math.max(RETRY_DELAYS.longestMs, first ?? 0),
  };
  return { delays };
}

function checkTimeout({ id, timeout }: WorkflowStep, max: number, setting: string): void {
  if (timeout === undefined || timeout <= max) return;
  throw workflowProblem(id, 'timeout', `must be at most ${max} ms (${setting})`);
}
