import type { ModelChoice, ModelLimits, PreparedStep, StepExecution } from '../contracts/runs/workflows';
import type { ToolCall, ToolLimits } from '../contracts/runs/tools';
import { RETRY_DELAYS, type RetryDelays } from '../contracts/retries';
import type { StoredTool } from '../contracts/http/tools';
import { TEMPLATE_ROOTS, type WorkflowStep } from '../contracts/http/workflows';
import type { GenerationOptions } from '../contracts/http/llm';
import { jsonLength } from '../contracts/json-length';
import { isHoldfastError } from '../base/errors';
import type { AnswerSchemas } from '../llm/answer-schemas';
import {
  hasExpressions,
  resolveTemplates,
  TemplateReferenceError,
  type TemplateScope,
} from '../templates/resolve';
import { MAX_INSERTED } from '../templates/resolved-arguments';
import { inputReference } from '../templates/workflow-scope';
import { checkAll } from '../tools/all-problems';
import { callMarks } from '../tools/call-marks';
import { checkAnswerSchemas } from './check-answer-schemas';
import { type CallChecks, checkCall, toolOf } from './check-calls';
import { checkDefinition } from './check-definition';
import { checkShapes } from './check-shapes';
import { MAX_SENT_LENGTH, MAX_ITEMS } from '../contracts/workflow-limits';
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

/** Characters of JSON of all configurations and lists with the inputs filled in, since they are in memory at once. */
const MAX_FILLED = 67_108_864;

const TOO_MUCH = `the calls of the steps up to this one would send more than ${MAX_SENT_LENGTH} characters together`;

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
  await checkAnswerSchemas(steps, ports.schemas);
  const names = steps.flatMap((step) => toolOf(step) ?? []);
  const tools = await ports.registry.getMany([...new Set(names)]);
  checkShapes(steps, tools);
  const taken = new Set<string>([...TEMPLATE_ROOTS, ...steps.map(({ id }) => id)]);
  const configurations = new Map<string, Readonly<Record<string, unknown>>>();
  const fill = ({ id }: WorkflowStep, field: string, value: unknown): unknown =>
    fillKnown(id, field, value, (expression) => inputReference(expression, inputs, taken));
  let filled = 0;
  const countFilled = (id: string, field: string, length: number): void => {
    filled += length;
    if (filled <= MAX_FILLED) return;
    throw workflowProblem(id, field, 'the steps up to this one become too long with their inputs');
  };
  const items = new Map<string, unknown>();
  for (const step of steps.filter(({ forEach }) => forEach !== undefined)) {
    const known = fill(step, 'forEach.items', step.forEach?.items);
    countFilled(step.id, 'forEach.items', jsonLength(known));
    items.set(step.id, known);
  }
  checkItems(steps, ({ id }) => items.get(id));
  let sent = 0;
  for (const step of steps) {
    const known = fill(step, 'config', step.config);
    const length = jsonLength(known);
    countFilled(step.id, 'config', length);
    // A step with a condition may run or not, so its calls are not counted here; the run itself limits what it sends.
    if (step.when === undefined) sent += length * countKnownCalls(items.get(step.id));
    if (sent > MAX_SENT_LENGTH) throw workflowProblem(step.id, step.forEach ? 'forEach' : 'config', TOO_MUCH);
    configurations.set(step.id, known as Readonly<Record<string, unknown>>);
  }
  const prepared = await checkAll(steps, async (step): Promise<PreparedStep> => {
    const known = configurations.get(step.id) as WorkflowStep['config'];
    const execution = await asStepProblem(step.id, () => prepareExecution(step, known, tools, ports));
    return { step, execution, waitsFor: waitsFor.get(step.id) ?? [] };
  });
  return { steps: prepared, configurations };
}

/** Counts the calls that a step certainly makes: one, or one for each item of a list that is known before the run. */
function countKnownCalls(items: unknown): number {
  return Array.isArray(items) ? items.length : 1;
}

/** Fills in the inputs, within the limit that the run has too, since a short text can name a long input many times. */
function fillKnown(id: string, field: string, value: unknown, scope: TemplateScope): unknown {
  try {
    return resolveTemplates(value, scope, MAX_INSERTED);
  } catch (error) {
    if (error instanceof TemplateReferenceError) throw workflowProblem(id, field, error.message);
    throw error;
  }
}

/**
 * Prepares the execution of a step: its tool or its model, with their limits.
 * @param known the configuration with inputs filled in
 */
async function prepareExecution(
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

/**
 * Checks the lists of forEach steps that are known before the run. The run itself checks the others.
 * @param itemsOf returns a step's items with the inputs filled in
 * @throws HoldfastError `WORKFLOW_INVALID` if the items are not a list, or there are too many
 */
function checkItems(steps: readonly WorkflowStep[], itemsOf: (step: WorkflowStep) => unknown): void {
  let certain = 0;
  for (const step of steps.filter(({ forEach }) => forEach !== undefined)) {
    const items = itemsOf(step);
    const refuse = (message: string) => workflowProblem(step.id, 'forEach.items', message);
    if (!Array.isArray(items)) {
      if (hasExpressions(items)) continue;
      throw refuse(`must be a list, it is of type ${items === null ? 'null' : typeof items}`);
    }
    // A step with a condition may be skipped, so its items count towards the total only in the run.
    if (step.when === undefined) certain += items.length;
    const count = Math.max(certain, items.length);
    if (count > MAX_ITEMS)
      throw refuse(`the run would have ${count} items; at most ${MAX_ITEMS} are allowed`);
  }
}
