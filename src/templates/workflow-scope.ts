import type { StepOutcome } from '../contracts/http/workflows';
import { isJsonObject } from '../contracts/json';
import type { TemplateReference } from './expression';
import { didYouMean } from './known-names';
import { followPath, KEEP, showReference, TemplateReferenceError } from './resolve';

/** The values that templates of one step may refer to. */
export interface WorkflowValues {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Outcomes of the steps that have ended, by id. */
  readonly outcomes: Readonly<Record<string, StepOutcome>>;
  /** Id of the step that is listed before; absent for the first. */
  readonly previous?: string | undefined;
  /** Present inside forEach. */
  readonly item?: { readonly value: unknown; readonly index: number };
  /** The id of the run, its `traceId`. Absent when an activity of an earlier build resolves. */
  readonly runId?: string | undefined;
  /** The id of the step itself. */
  readonly stepId?: string | undefined;
}

/** The names by which templates refer to the run and to the step itself, if no step or input has that name. */
export const OWN_ROOTS: ReadonlySet<string> = new Set(['run', 'step']);

/** The parts of a step's outcome that a template may name after the step's id. */
export const STEP_PARTS: readonly string[] = ['result', 'status', 'error', 'errors', 'usage'];

/**
 * Resolves a reference of a workflow: `input.<name>`, `<stepId>.result` and deeper, `previous_result`, `item` and
 * `index` inside forEach, a bare name of an input if no step has that name, and `run.id` and `step.id` if neither
 * has it.
 * @throws TemplateReferenceError naming the missing part
 */
export function workflowReference(expression: TemplateReference, values: WorkflowValues): unknown {
  const { root, path } = expression;
  if (root === 'input') return followPath(values.inputs, expression);
  if (root === 'previous_result' && values.previous !== undefined) {
    return followPath(resultOf(values, values.previous, expression), expression);
  }
  if (values.item !== undefined && root === 'item') return followPath(values.item.value, expression);
  if (values.item !== undefined && root === 'index' && path.length === 0) return values.item.index;
  if (Object.hasOwn(values.outcomes, root)) return partOf(values.outcomes[root] as StepOutcome, expression);
  if (Object.hasOwn(values.inputs, root)) return followPath(values.inputs[root], expression);
  const ownId = root === 'run' ? values.runId : root === 'step' ? values.stepId : undefined;
  if (ownId !== undefined) return followPath({ id: ownId }, expression);
  const known = [...Object.keys(values.outcomes), ...Object.keys(values.inputs)];
  throw new TemplateReferenceError(
    expression.text,
    `there is no step or input "${showReference(root)}"${didYouMean(root, known)}`,
  );
}

/**
 * Resolves references to inputs, which are known before the run. Every other reference keeps its text.
 * @param taken the roots that stand for something else in the run, even if an input has the same name
 */
export function inputReference(
  expression: TemplateReference,
  inputs: Readonly<Record<string, unknown>>,
  taken: ReadonlySet<string>,
): unknown {
  const { root } = expression;
  if (root === 'input') return followPath(inputs, expression);
  return !taken.has(root) && Object.hasOwn(inputs, root) ? followPath(inputs[root], expression) : KEEP;
}

function resultOf(values: WorkflowValues, id: string, { text }: TemplateReference): unknown {
  const outcome = values.outcomes[id];
  if (outcome === undefined) throw new TemplateReferenceError(text, `the step "${id}" has not ended`);
  return outcome.result;
}

function partOf(outcome: StepOutcome, expression: TemplateReference): unknown {
  const [part, ...rest] = expression.path;
  if (part !== 'result') return followPath(outcome, expression);
  const { result } = outcome;
  // An output that is not an object is the step's result itself. Other responses show it under `result`, so that is
  // accepted too.
  const path = !isJsonObject(result) && rest[0] === 'result' ? rest.slice(1) : rest;
  return followPath(result, { ...expression, path });
}
