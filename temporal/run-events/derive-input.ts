import { createYielder } from '../../src/base/async/large-pieces';
import type { ChatResult } from '../../src/contracts/http/llm';
import type { StepOutcome } from '../../src/contracts/http/workflows';
import type { ApprovalOutcome } from '../../src/contracts/runs/approvals';
import type { CallFailure } from '../../src/contracts/runs/call-failures';
import type {
  ExecuteToolInput,
  ExecuteToolsInput,
  ToolCall,
  ToolLimits,
  ToolStepResult,
} from '../../src/contracts/runs/tools';
import type { CustomWorkflowInput, PlannerLoopInput, PreparedStep } from '../../src/contracts/runs/workflows';
import { previousResultScope } from '../../src/templates/previous-result';
import { findReferencesIn } from '../../src/templates/resolve';
import { resolveCall } from '../../src/templates/resolved-arguments';
import { buildArguments, resolveAll, toMessages } from '../../src/templates/step-arguments';
import { STEP_PARTS, type WorkflowValues } from '../../src/templates/workflow-scope';
import { EngineDeadlineError } from '../deadline';
import { readPlans } from './read-plans';
import type { StepPayloads } from './step-payloads';

/** What is known of a run whose steps' inputs are derived. */
export interface DerivedRun {
  readonly workflowType: string;
  /** The first run of the chain, its `traceId`. */
  readonly runId: string;
  readonly steps: ReadonlyMap<string, StepPayloads>;
  /** @throws the error of the store */
  readInput(): Promise<unknown>;
  /** Reads the files of a turn; undefined for other runs, and for a turn without. @throws the error of the store */
  readFiles(): Promise<unknown>;
  /** Reads what the activity of a step returned for it; undefined if it has not ended, or failed. @throws the error of the store */
  readResult(id: string): Promise<unknown>;
  /**
   * Describes how a tool call failed, as its run knew it; undefined if it has not ended, or did not fail.
   * @param call as it was made
   * @param limits those of the run's calls, for a call of which the history has no input
   * @throws the error of the store
   */
  readFailure(id: string, call: ToolCall, limits: ToolLimits): Promise<CallFailure | undefined>;
  /** Reads how the approval of a step ended; undefined if it had none. @throws the error of the store */
  readAnswer(id: string): Promise<ApprovalOutcome | undefined>;
  /** Ends the derivation. */
  readonly signal?: AbortSignal | undefined;
}

/** The input of a step cannot be built from what the history has. The message says why. */
export class UnderivableInput extends Error {
  override readonly name = 'UnderivableInput';
}

/**
 * Derives the input of a call that ran inside the workflow task, of which the history has the result alone: the call is a pure
 * function of the run's input and of the results before it, and the workflow builds it in the same way.
 * @param id of a tool call, or of a step that asks a model, as the log has it
 * @returns the arguments of a tool; the messages of a model
 * @throws UnderivableInput; TemplateReferenceError; the error of the store; `EngineDeadlineError` if the signal aborts
 */
export async function deriveInput(run: DerivedRun, id: string): Promise<unknown> {
  const approved = await run.readAnswer(id);
  switch (run.workflowType) {
    case 'executeTool':
      return approved?.args ?? ((await run.readInput()) as ExecuteToolInput).call.args;
    case 'executeToolsInParallel':
      return approved?.args ?? (await callAt(run, id)).args;
    case 'executeToolsInSequence':
      return approved?.args ?? (await callOfSequence(run, id)).args;
    case 'customWorkflow':
      return customInput(run, id, approved?.args);
    case 'mcpExecution':
    case 'queryWorkflow':
    case 'executeToolFromQuery':
    case 'agentTurn':
      return approved?.args ?? (await plannedCall(run, id)).args;
    default:
      throw new UnderivableInput('runs of this type keep no input of this step');
  }
}

async function callAt(run: DerivedRun, id: string): Promise<ToolCall> {
  const { calls } = (await run.readInput()) as ExecuteToolsInput;
  const call = calls[Number(id) - 1];
  if (call === undefined) throw unnamed();
  return call;
}

async function callOfSequence(run: DerivedRun, id: string): Promise<ToolCall> {
  const call = await callAt(run, id);
  if (id === '1') return call;
  const before = await resultOfCall(run, (await run.readInput()) as ExecuteToolsInput, Number(id) - 1);
  if (before === undefined) throw unnamed();
  return resolveCall(call, previousResultScope(before.output ?? null));
}

/** Reads what a call of several returned, or what stands for it. @param number from 1 @throws the error of the store */
export async function resultOfCall(
  run: DerivedRun,
  { reused = {} }: ExecuteToolsInput,
  number: number,
): Promise<ToolStepResult | undefined> {
  return reused[number] ?? ((await run.readResult(String(number))) as ToolStepResult | undefined);
}

async function plannedCall(run: DerivedRun, id: string): Promise<ToolCall> {
  const plans = await readPlans(run, (await run.readInput()) as PlannerLoopInput);
  for (const { first, plan } of plans) {
    const planned = plan?.calls[Number(id) - first];
    if (planned !== undefined) return planned.call;
  }
  throw unnamed();
}

/** A custom workflow of which inputs are derived. */
export interface Derivation {
  readonly run: DerivedRun;
  readonly input: CustomWorkflowInput;
  /** The outcomes that are known by now, by the ids of their steps: many steps may name the same one. */
  readonly outcomes: Map<string, KnownOutcome>;
  /** Yields the event loop now and then. @throws EngineDeadlineError if the signal aborted */
  pause(): Promise<void>;
}

interface KnownOutcome {
  readonly outcome: StepOutcome;
  /** The parts of the outcome that the history tells. */
  readonly parts: readonly string[];
}

/** Begins to derive inputs of a custom workflow, which share what they find. */
export function beginDerivation(run: DerivedRun, input: CustomWorkflowInput): Derivation {
  const takeTurn = createYielder();
  const pause = async (): Promise<void> => {
    await takeTurn();
    if (run.signal?.aborted === true) throw new EngineDeadlineError();
  };
  return { run, input, outcomes: new Map(), pause };
}

async function customInput(run: DerivedRun, id: string, approved?: ToolCall['args']): Promise<unknown> {
  const input = (await run.readInput()) as CustomWorkflowInput;
  const [, stepId = '', index] = /^(.*?)(?:\[(\d+)\])?$/.exec(id) ?? [];
  const prepared = input.steps.find(({ step }) => step.id === stepId);
  if (prepared === undefined) throw unnamed();
  const derivation = beginDerivation(run, input);
  const args = approved ?? (await customArguments(derivation, prepared, index));
  if (prepared.execution.kind === 'tool') return args;
  const { step } = prepared;
  return { messages: toMessages(args), schema: step.type === 'llm_call' ? step.config.schema : undefined };
}

async function customArguments(
  derivation: Derivation,
  prepared: PreparedStep,
  index: string | undefined,
): Promise<ToolCall['args']> {
  const { step } = prepared;
  const values = await valuesOf(derivation, step, [step.config, step.forEach?.items]);
  if (index === undefined) return buildArguments(prepared, values);
  const value = itemsOf(prepared, values)[Number(index)];
  return buildArguments(prepared, { ...values, item: { value, index: Number(index) } });
}

/**
 * Builds what the templates of a step refer to, as they found it.
 * @param templates those that are to be resolved
 * @throws UnderivableInput; the error of the store; `EngineDeadlineError` if the signal aborted
 */
export async function valuesOf(
  derivation: Derivation,
  step: PreparedStep['step'],
  templates: unknown,
): Promise<WorkflowValues> {
  const { run, input } = derivation;
  const at = input.steps.findIndex((one) => one.step.id === step.id);
  const previous = input.steps[at - 1]?.step.id;
  const parts = new Map<string, Set<unknown>>();
  for (const { root, path } of findReferencesIn(templates)) {
    const [id, part] = root === 'previous_result' ? [previous ?? '', 'result'] : [root, path[0]];
    parts.set(id, (parts.get(id) ?? new Set()).add(part));
  }
  const outcomes: Record<string, StepOutcome> = {};
  for (const earlier of input.steps.slice(0, at)) {
    const { id } = earlier.step;
    const named = parts.get(id);
    if (named === undefined) continue;
    const known = derivation.outcomes.get(id) ?? (await outcomeOf(derivation, earlier));
    derivation.outcomes.set(id, known);
    if (![...named].every((part) => known.parts.includes(part as string)))
      throw new UnderivableInput(`the history does not say what "${id}" had besides its result`);
    outcomes[id] = known.outcome;
  }
  return { inputs: input.inputs, outcomes, previous, runId: run.runId, stepId: step.id };
}

/** Reads the outcome of a step. Of a step without one result of its own, the history has the result alone. */
async function outcomeOf(derivation: Derivation, prepared: PreparedStep): Promise<KnownOutcome> {
  const { run, pause } = derivation;
  const { id, forEach } = prepared.step;
  const { input } = derivation;
  if (input.reused !== undefined && Object.hasOwn(input.reused, id))
    return { outcome: input.reused[id] as StepOutcome, parts: STEP_PARTS };
  await pause();
  const status = 'completed';
  const parts = ['result'];
  if (forEach !== undefined) {
    const result = await itemResults(derivation, prepared);
    return { outcome: { status, result, executionTime: 0 }, parts };
  }
  const result = await run.readResult(id);
  if (!run.steps.has(id)) checkNamed(run);
  // It was skipped, or failed.
  if (result === undefined) return { outcome: { status: 'skipped', result: null, executionTime: 0 }, parts };
  const { usage } = result as Partial<ChatResult>;
  const used = prepared.execution.kind === 'tool' ? {} : { usage };
  const outcome = { status, result: outputOf(prepared, result), ...used, executionTime: 0 } as const;
  return { outcome, parts: [...parts, 'status', 'usage'] };
}

function outputOf({ execution }: PreparedStep, result: unknown): unknown {
  return execution.kind === 'tool'
    ? ((result as ToolStepResult).output ?? null)
    : outputOfModel(result as ChatResult);
}

/** What a template reads of the answer of a model: the value that was asked for by a schema, else the text. Pure. */
export function outputOfModel(answer: Pick<ChatResult, 'content' | 'value'>): unknown {
  return 'value' in answer ? answer.value : answer.content;
}

/** The result of a forEach step: those of its items, and null for an item that failed. */
async function itemResults(derivation: Derivation, prepared: PreparedStep): Promise<unknown[]> {
  const { run, pause } = derivation;
  const { step } = prepared;
  const items = itemsOf(prepared, await valuesOf(derivation, step, step.forEach?.items));
  const ids = items.map((_, index) => `${step.id}[${index}]`);
  if (!ids.every((item) => run.steps.has(item))) checkNamed(run);
  if (step.when !== undefined && !ids.some((item) => run.steps.has(item)))
    throw new UnderivableInput(`the history does not say whether "${step.id}" was skipped`);
  const results: unknown[] = [];
  for (const item of ids) {
    await pause();
    const result = await run.readResult(item);
    results.push(result === undefined ? null : outputOf(prepared, result));
  }
  return results;
}

/** Reads the items of a step. @throws UnderivableInput, TemplateReferenceError */
export function itemsOf({ step }: PreparedStep, values: WorkflowValues): readonly unknown[] {
  const items = resolveAll(step.forEach?.items, values);
  if (!Array.isArray(items)) throw new UnderivableInput(`the items of "${step.id}" are no list`);
  return items as readonly unknown[];
}

/** @throws UnderivableInput if a call that is missing may be one without a name */
function checkNamed({ steps }: DerivedRun): void {
  const isUnnamed = ({ step: { id, kind } }: StepPayloads): boolean =>
    kind === 'tool' && /^run(Light)?Tools?-\d+$/.test(id);
  if ([...steps.values()].some(isUnnamed)) throw unnamed();
}

function unnamed(): UnderivableInput {
  return new UnderivableInput('a run of an earlier build does not name its steps');
}
