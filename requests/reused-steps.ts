import { HoldfastError, validationError } from '../src/base/errors';
import { jsonLength } from '../src/contracts/json-length';
import { mergePatch } from '../src/contracts/merge-patch';
import { type StepOutcome, type WorkflowStep, workflowStepSchema } from '../src/contracts/http/workflows';
import { isJsonObject, type JsonObject } from '../src/contracts/json';
import type { ExecuteToolsInput, ToolStepResult } from '../src/contracts/runs/tools';
import type { CustomWorkflowInput } from '../src/contracts/runs/workflows';
import { MAX_RESULTS_LENGTH } from '../src/contracts/workflow-limits';
import { didYouMean } from '../src/templates/known-names';
import { chooseReused } from '../src/workflow-definitions/plan-rerun';
import { type DerivedRun, resultOfCall } from '../temporal/run-events/derive-input';
import { readOutcomes } from '../temporal/run-events/read-outcomes';
import type { RequestedCall } from './prepare-calls';

/** What a rerun does otherwise than the first run. */
export interface RerunRequest {
  readonly fromStep?: string | undefined;
  readonly inputs?: JsonObject | undefined;
  readonly overrides?: Readonly<Record<string, StepOverride>> | undefined;
}

interface StepOverride {
  /** Merged with the configuration of the step (JSON Merge Patch). */
  readonly config?: JsonObject | undefined;
  /** Stands for the result of the step, which does not run. */
  readonly result?: unknown;
}

/** What a rerun takes instead of running it. */
export interface ReusedSteps<T> {
  /** The ids of the steps whose results are those of the first run. */
  readonly ids: readonly string[];
  /** By id: those, and the results that the caller gives. */
  readonly results: Readonly<Record<string, T>>;
}

/**
 * Chooses the steps of a custom workflow that do not run again.
 * @throws HoldfastError `VALIDATION` for a step or an input that the workflow does not have, `PAYLOAD_TOO_LARGE`; the error of
 *   the store
 */
export async function reuseSteps(
  derived: DerivedRun,
  input: CustomWorkflowInput,
  request: RerunRequest,
): Promise<ReusedSteps<StepOutcome>> {
  checkNames(
    request,
    input.steps.map(({ step }) => step.id),
    Object.keys(input.inputs),
  );
  const former = request.fromStep === undefined ? {} : await readOutcomes(derived, input);
  const ids = chooseReused(input.steps, new Set(Object.keys(former)), toChanges(request));
  const toOutcome = (result: unknown): StepOutcome => ({ status: 'completed', result, executionTime: 0 });
  return withReplaced(former, ids, request, toOutcome);
}

/**
 * Chooses the calls that are not made again. In a sequence each call depends on the one before it.
 * @throws as `reuseSteps` does
 */
export async function reuseCalls(
  derived: DerivedRun,
  input: ExecuteToolsInput,
  request: RerunRequest,
  isSequence: boolean,
): Promise<ReusedSteps<ToolStepResult>> {
  const steps = input.calls.map((_, index) => ({
    step: { id: String(index + 1) },
    waitsFor: isSequence && index > 0 ? [String(index)] : [],
  }));
  checkNames(
    request,
    steps.map(({ step }) => step.id),
    [],
  );
  const former: Record<string, ToolStepResult> = {};
  const count = request.fromStep === undefined ? 0 : Number(request.fromStep) - 1;
  for (let number = 1; number <= count; number += 1) {
    const result = await resultOfCall(derived, input, number);
    if (result === undefined) continue;
    const { output, executionTime, logs } = result;
    former[number] = { output, executionTime, ...(logs && { logs }) };
  }
  const ids = chooseReused(steps, new Set(Object.keys(former)), toChanges(request));
  return withReplaced(former, ids, request, (output) => ({ output, executionTime: 0 }));
}

/** Builds the steps of a rerun. @throws HoldfastError `VALIDATION` for a step that does not have its form any more */
export function changeSteps(
  { steps }: CustomWorkflowInput,
  { overrides = {} }: RerunRequest,
): WorkflowStep[] {
  return steps.map(({ step }) => {
    const patch = overrides[step.id]?.config;
    if (patch === undefined || !isJsonObject(step.config)) return step;
    const changed = workflowStepSchema.safeParse({ ...step, config: mergePatch(step.config, patch) });
    if (changed.success) return changed.data;
    const [issue] = changed.error.issues;
    throw validationError(
      `overrides.${step.id}.${issue?.path.join('.') ?? 'config'}`,
      issue?.message ?? 'is not valid',
    );
  });
}

/** As `changeSteps`, for calls, whose configuration has `toolName` and `args`. */
export function changeCalls({ calls }: ExecuteToolsInput, { overrides = {} }: RerunRequest): RequestedCall[] {
  return calls.map(({ toolName, args }, index) => {
    const step = String(index + 1);
    const patch = overrides[step]?.config;
    if (patch === undefined) return { toolName, args };
    const { toolName: name, args: changed, ...unknown } = mergePatch({ toolName, args }, patch) as JsonObject;
    const [field] = Object.keys(unknown);
    if (field !== undefined)
      throw validationError(`overrides.${step}.config.${field}`, 'is no field of a call');
    if (typeof name !== 'string' || !isJsonObject(changed))
      throw validationError(`overrides.${step}.config`, 'must leave a toolName, and args that are an object');
    return { toolName: name, args: changed };
  });
}

/** @throws HoldfastError `VALIDATION` if something is asked to be otherwise, for a run that can only be repeated as it was */
export function checkWhole({ fromStep, inputs, overrides }: RerunRequest): void {
  for (const [field, value] of Object.entries({ fromStep, inputs, overrides }))
    if (value !== undefined)
      throw validationError(field, 'a run of this type can only be run again as a whole');
}

/** @throws HoldfastError `VALIDATION` for a step or an input that the run does not have */
export function checkNames(request: RerunRequest, ids: readonly string[], names: readonly string[]): void {
  const { fromStep, overrides = {}, inputs = {} } = request;
  const check = (kind: 'step' | 'input', known: readonly string[], name: string, field: string): void => {
    if (!known.includes(name))
      throw validationError(field, `the run has no ${kind} "${name}"${didYouMean(name, known)}`);
  };
  if (fromStep !== undefined) check('step', ids, fromStep, 'fromStep');
  for (const id of Object.keys(overrides)) check('step', ids, id, `overrides.${id}`);
  for (const name of Object.keys(inputs)) check('input', names, name, `inputs.${name}`);
}

function toChanges({ fromStep, inputs = {}, overrides = {} }: RerunRequest) {
  const having = (part: keyof StepOverride): Set<string> =>
    new Set(Object.keys(overrides).filter((id) => overrides[id]?.[part] !== undefined));
  return {
    fromStep,
    inputs: new Set(Object.keys(inputs)),
    configured: having('config'),
    replaced: having('result'),
  };
}

function withReplaced<T>(
  former: Readonly<Record<string, T>>,
  ids: readonly string[],
  { overrides = {} }: RerunRequest,
  toResult: (value: unknown) => T,
): ReusedSteps<T> {
  const replaced = Object.entries(overrides).filter(([, { result }]) => result !== undefined);
  const results = Object.fromEntries([
    ...ids.map((id) => [id, former[id] as T] as const),
    ...replaced.map(([id, { result }]) => [id, toResult(result)] as const),
  ]);
  checkLength(results, MAX_RESULTS_LENGTH);
  return { ids, results };
}

/** @param max characters of JSON @throws HoldfastError `PAYLOAD_TOO_LARGE` */
export function checkLength(results: unknown, max: number): void {
  if (jsonLength(results, max) > max)
    throw new HoldfastError('PAYLOAD_TOO_LARGE', 'The results that would be taken from the run are too long');
}
