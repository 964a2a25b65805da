import type { WorkflowStep } from '../contracts/http/workflows';
import { TEMPLATE_ROOTS } from '../contracts/http/workflows';
import { PREVIOUS_RESULT } from '../templates/previous-result';
import { findStrayBraces, followPath, TemplateReferenceError } from '../templates/resolve';
import { STEP_PARTS } from '../templates/workflow-scope';
import { workflowProblem } from './problems';
import type { StepReference } from './references';
import { referencesOf } from './references';

/** The inputs of a run, or, where only their names are known, a value for each that is undefined. */
export interface KnownInputs {
  readonly names: ReadonlySet<string>;
  /** Absent while a definition is only being stored. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * Checks what the steps say of one another: ids, dependencies, references. Steps may refer to earlier ones only, so there
 * are no cycles.
 * @returns for each step the ids of the steps it waits for, in the order of the list
 * @throws HoldfastError `WORKFLOW_INVALID` for the first problem
 */
export function checkDefinition(
  steps: readonly WorkflowStep[],
  inputs: KnownInputs,
): ReadonlyMap<string, readonly string[]> {
  checkIds(steps);
  const order = steps.map(({ id }) => id);
  return new Map(
    steps.map((step, index) => {
      const earlier = order.slice(0, index);
      const waitsFor = new Set(declared(step, order, index));
      refuseStrayBraces(step);
      for (const reference of referencesOf(step)) {
        const needed = checkReference(step, reference, { earlier, order, inputs });
        if (needed !== undefined) waitsFor.add(needed);
      }
      return [step.id, earlier.filter((id) => waitsFor.has(id))];
    }),
  );
}

function checkIds(steps: readonly WorkflowStep[]): void {
  const seen = new Set<string>();
  for (const { id } of steps) {
    if (seen.has(id)) throw workflowProblem(id, 'id', `There are two steps with the id "${id}"`);
    if ((TEMPLATE_ROOTS as readonly string[]).includes(id) || id === '__proto__') {
      throw workflowProblem(id, 'id', `"${id}" has a meaning of its own and cannot be an id`);
    }
    seen.add(id);
  }
}

/** A step that names no dependencies comes after the one listed before it. */
function declared({ id, dependsOn }: WorkflowStep, order: readonly string[], index: number): string[] {
  for (const other of dependsOn ?? []) {
    const at = order.indexOf(other);
    if (at < 0) throw workflowProblem(id, 'dependsOn', `There is no step "${other}"`);
    if (at >= index) throw workflowProblem(id, 'dependsOn', `The step "${other}" does not come earlier`);
  }
  return dependsOn ?? order.slice(Math.max(0, index - 1), index);
}

/** Sent as it stands, a misspelt template would be worse than refused. */
function refuseStrayBraces({ id, config, forEach }: WorkflowStep): void {
  for (const [name, value] of [...Object.entries(config), ['items', forEach?.items] as const]) {
    const [stray] = findStrayBraces(value);
    if (stray === undefined) continue;
    const field = name === 'items' ? 'forEach.items' : `config.${name}`;
    throw workflowProblem(
      id,
      field,
      `${stray} is no reference; text with double braces can come as an input`,
    );
  }
}

interface Surroundings {
  readonly earlier: readonly string[];
  readonly order: readonly string[];
  readonly inputs: KnownInputs;
}

/** @returns the id of the step that the reference needs, if it needs one */
function checkReference(
  step: WorkflowStep,
  { expression, field, perItem }: StepReference,
  { earlier, order, inputs }: Surroundings,
): string | undefined {
  const { root, path, text } = expression;
  const refuse = (message: string) => workflowProblem(step.id, field, `${text}: ${message}`);
  if (root === 'item' || root === 'index') {
    if (!perItem) throw refuse('means something only in the configuration of a step with forEach');
    return undefined;
  }
  if (root === PREVIOUS_RESULT) {
    const previous = earlier.at(-1);
    if (previous === undefined) throw refuse('no step comes before the first');
    return previous;
  }
  if (root === 'input') {
    checkInput(expression, inputs, refuse, field);
    return undefined;
  }
  if (order.includes(root)) {
    if (!earlier.includes(root)) throw refuse(`the step "${root}" does not come earlier`);
    if (!STEP_PARTS.includes(String(path[0] ?? ''))) {
      throw refuse(`of a step there is ${STEP_PARTS.join(', ')}; its result is {{${root}.result}}`);
    }
    return root;
  }
  if (!inputs.names.has(root)) throw refuse(`there is no step or input "${root}"`);
  checkInput({ ...expression, path: [root, ...path] }, inputs, refuse, field);
  return undefined;
}

/** What is known of an input is checked before anything runs; only a condition may ask for a part that is not there. */
function checkInput(
  expression: StepReference['expression'],
  { names, values }: KnownInputs,
  refuse: (message: string) => Error,
  field: string,
): void {
  const [name] = expression.path;
  if (name === undefined) return;
  if (!names.has(String(name))) throw refuse(`there is no input "${name}"`);
  if (values === undefined || field === 'when') return;
  try {
    followPath(values, expression);
  } catch (error) {
    if (!(error instanceof TemplateReferenceError)) throw error;
    throw refuse(error.message);
  }
}
