import type { ChatResult } from '../../src/contracts/http/llm';
import type { StepOutcome } from '../../src/contracts/http/workflows';
import { addUsage, NO_USAGE } from '../../src/contracts/runs/token-usage';
import type { ToolStepResult } from '../../src/contracts/runs/tools';
import type { CustomWorkflowInput, PreparedStep } from '../../src/contracts/runs/workflows';
import { TemplateReferenceError } from '../../src/templates/resolve';
import {
  beginDerivation,
  type Derivation,
  type DerivedRun,
  itemsOf,
  outputOfModel,
  UnderivableInput,
  valuesOf,
} from './derive-input';

/**
 * Reads the outcomes of the steps of a custom workflow that were completed with all their calls, as its result has them.
 * @throws the error of the store
 */
export async function readOutcomes(
  run: DerivedRun,
  input: CustomWorkflowInput,
): Promise<Record<string, StepOutcome>> {
  const derivation = beginDerivation(run, input);
  const outcomes: Record<string, StepOutcome> = {};
  for (const prepared of input.steps) {
    const outcome = await completedOutcome(derivation, prepared);
    if (outcome !== undefined) outcomes[prepared.step.id] = outcome;
  }
  return outcomes;
}

/** @returns undefined for a step that was not completed, or of which the history does not say so */
async function completedOutcome(
  derivation: Derivation,
  prepared: PreparedStep,
): Promise<StepOutcome | undefined> {
  const { run, input, pause } = derivation;
  const { id, forEach } = prepared.step;
  await pause();
  if (input.reused !== undefined && Object.hasOwn(input.reused, id)) return input.reused[id];
  const isTool = prepared.execution.kind === 'tool';
  if (forEach === undefined) {
    const result = await run.readResult(id);
    return result === undefined ? undefined : toOutcome(result, isTool);
  }
  try {
    const items = itemsOf(prepared, await valuesOf(derivation, prepared.step, forEach.items));
    const results: StepOutcome[] = [];
    for (const index of items.keys()) {
      const result = await run.readResult(`${id}[${index}]`);
      if (result === undefined) return undefined;
      results.push(toOutcome(result, isTool));
    }
    if (results.length === 0) return undefined;
    const usages = results.flatMap(({ usage }) => usage ?? []);
    const { provider, model } = results[0] ?? {};
    return {
      status: 'completed',
      result: results.map(({ result }) => result),
      executionTime: results.reduce((sum, { executionTime }) => sum + executionTime, 0),
      ...(usages.length === 0 ? {} : { provider, model, usage: usages.reduce(addUsage, NO_USAGE) }),
    };
  } catch (error) {
    if (error instanceof UnderivableInput || error instanceof TemplateReferenceError) return undefined;
    throw error;
  }
}

function toOutcome(result: unknown, isTool: boolean): StepOutcome {
  if (isTool) {
    const { output = null, logs, executionTime } = result as ToolStepResult;
    return {
      status: 'completed',
      result: output,
      executionTime: Math.round(executionTime),
      ...(logs && { logs }),
    };
  }
  const answer = result as ChatResult;
  const { provider, model, usage, finishReason } = answer;
  return {
    status: 'completed',
    result: outputOfModel(answer),
    executionTime: 0,
    provider,
    model,
    usage,
    ...(finishReason === 'length' ? { finishReason } : {}),
  };
}
