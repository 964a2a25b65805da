import type { StepOutcome } from '../contracts/http/workflows';
import type { TemplateExpression } from './expression';
import { followPath, KEEP, TemplateReferenceError } from './resolve';

/** What templates of one step may refer to. */
export interface WorkflowValues {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Outcomes of the steps that have ended, by id. */
  readonly outcomes: Readonly<Record<string, StepOutcome>>;
  /** Id of the step listed before; absent for the first. */
  readonly previous?: string | undefined;
  /** Inside forEach. */
  readonly item?: { readonly value: unknown; readonly index: number };
}

/** What of a step a template may name after its id. */
export const STEP_PARTS: readonly string[] = ['result', 'status', 'error', 'errors', 'usage'];

/**
 * Resolves the references of a workflow: `input.<name>`, `<stepId>.result` and deeper, `previous_result`, `item` and
 * `index` inside forEach, and a bare input name where no step has it.
 * @throws TemplateReferenceError naming what is not there
 */
export function workflowReference(expression: TemplateExpression, values: WorkflowValues): unknown {
  const { root, path } = expression;
  if (root === 'input') return followPath(values.inputs, expression);
  if (root === 'previous_result' && values.previous !== undefined) {
    return followPath(resultOf(values, values.previous, expression), expression);
  }
  if (values.item !== undefined && root === 'item') return followPath(values.item.value, expression);
  if (values.item !== undefined && root === 'index' && path.length === 0) return values.item.index;
  if (Object.hasOwn(values.outcomes, root)) return partOf(values.outcomes[root] as StepOutcome, expression);
  if (Object.hasOwn(values.inputs, root)) return followPath(values.inputs[root], expression);
  throw new TemplateReferenceError(expression.text, `there is no step or input "${root}"`);
}

/** Resolves what is known before a run: inputs. Everything else keeps its text. */
export function inputReference(
  expression: TemplateExpression,
  inputs: Readonly<Record<string, unknown>>,
  stepIds: ReadonlySet<string>,
): unknown {
  const { root } = expression;
  if (root === 'input') return followPath(inputs, expression);
  return !stepIds.has(root) && Object.hasOwn(inputs, root) ? followPath(inputs[root], expression) : KEEP;
}

function resultOf(values: WorkflowValues, id: string, { text }: TemplateExpression): unknown {
  const outcome = values.outcomes[id];
  if (outcome === undefined) throw new TemplateReferenceError(text, `the step "${id}" has not ended`);
  return outcome.result;
}

function partOf(outcome: StepOutcome, expression: TemplateExpression): unknown {
  const [part, ...rest] = expression.path;
  if (part !== 'result') return followPath(outcome, expression);
  const { result } = outcome;
  // A tool whose output is a bare value shows it under `result` elsewhere; here it is the step's result itself.
  const bare = typeof result !== 'object' || result === null || Array.isArray(result);
  const path = bare && rest[0] === 'result' ? rest.slice(1) : rest;
  return followPath(result, { ...expression, path });
}
