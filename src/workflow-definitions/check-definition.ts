import type { HoldfastError } from '../base/errors';
import { problemOf, throwFirst } from '../base/problems';
import { TEMPLATE_ROOTS, type WorkflowStep } from '../contracts/http/workflows';
import { approvalOf } from '../contracts/runs/approval-needs';
import { FUNCTION_NAMES } from '../templates/functions';
import { didYouMean } from '../templates/known-names';
import { PREVIOUS_RESULT } from '../templates/previous-result';
import { findStrayBraces, followPath, showReference, TemplateReferenceError } from '../templates/resolve';
import { OWN_ROOTS, STEP_PARTS } from '../templates/workflow-scope';
import { workflowProblem } from './problems';
import { conditionProblems, findReferences, MESSAGE_FIELD, type StepReference } from './references';

/** The inputs of a workflow, with or without their values. */
export interface KnownInputs {
  /** Absent if a definition takes inputs that it does not name. */
  readonly names?: ReadonlySet<string> | undefined;
  /** Absent if a definition is stored and not run. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * Checks ids, dependencies and references of the steps. Steps may refer to earlier steps only, so there are no cycles.
 * @param isStored whether the steps were stored before. Earlier builds stored any message of an approval, and no wording
 *   fails a run, so its mistakes are passed over.
 * @returns for each step the ids of the steps that it waits for, in the order of the list
 * @throws HoldfastError `WORKFLOW_INVALID` for the first problem
 */
export function checkDefinition(
  steps: readonly WorkflowStep[],
  inputs: KnownInputs,
  isStored = false,
): ReadonlyMap<string, readonly string[]> {
  return throwFirst(definitionProblems(steps, inputs, isStored));
}

/** Finds every problem that `checkDefinition` is about, in the order of the steps. @returns as `checkDefinition` does */
export function* definitionProblems(
  steps: readonly WorkflowStep[],
  inputs: KnownInputs,
  isStored = false,
): Generator<HoldfastError, ReadonlyMap<string, readonly string[]>> {
  yield* idProblems(steps);
  const order = steps.map(({ id }) => id);
  const waits = new Map<string, readonly string[]>();
  for (const [index, step] of steps.entries()) {
    const earlier = order.slice(0, index);
    yield* dependencyProblems(step, order, index);
    // A step without `dependsOn` waits for the step that is listed before it.
    const waitsFor = new Set(step.dependsOn ?? earlier.slice(-1));
    yield* strayBraces(step, isStored);
    yield* conditionProblems(step);
    for (const reference of findReferences(step)) {
      const check = () => checkReference(step, reference, { earlier, order, inputs });
      const foundNeeded = problemOf('WORKFLOW_INVALID', check);
      const needed =
        isStored && reference.field === MESSAGE_FIELD ? passOver(foundNeeded) : yield* foundNeeded;
      if (needed !== undefined) waitsFor.add(needed);
    }
    waits.set(
      step.id,
      earlier.filter((id) => waitsFor.has(id)),
    );
  }
  return waits;
}

function* idProblems(steps: readonly WorkflowStep[]): Generator<HoldfastError> {
  const seen = new Set<string>();
  for (const { id } of steps) {
    if (seen.has(id)) yield workflowProblem(id, 'id', `There are two steps with the id "${id}"`);
    if ((TEMPLATE_ROOTS as readonly string[]).includes(id) || id === '__proto__') {
      yield workflowProblem(id, 'id', `"${id}" is a reserved name and cannot be an id`);
    }
    seen.add(id);
  }
}

function* dependencyProblems(
  { id, dependsOn = [] }: WorkflowStep,
  order: readonly string[],
  index: number,
): Generator<HoldfastError> {
  for (const other of dependsOn) {
    const at = order.indexOf(other);
    if (at < 0) yield workflowProblem(id, 'dependsOn', `There is no step "${other}"`);
    if (at >= index) yield workflowProblem(id, 'dependsOn', `The step "${other}" does not come earlier`);
  }
}

/** Finds double braces without a valid reference, because a misspelt template would otherwise be sent as literal text. */
function* strayBraces(step: WorkflowStep, isStored: boolean): Generator<HoldfastError> {
  const { id, config, forEach } = step;
  const fields: readonly (readonly [string, unknown])[] = [
    ...Object.entries(config).map(([name, value]) => [`config.${name}`, value] as const),
    ['forEach.items', forEach?.items],
    ...(isStored ? [] : [[MESSAGE_FIELD, approvalOf(step)?.message] as const]),
  ];
  for (const [field, value] of fields) {
    // Earlier builds took names of properties as they are written.
    for (const stray of findStrayBraces(value, !isStored)) {
      const problem = `${showReference(stray)} is not a valid reference; ${adviceFor(stray)}`;
      yield workflowProblem(id, field, `${problem}pass text with double braces as an input`);
    }
  }
}

function adviceFor(stray: string): string {
  return stray.includes('|') ? `functions are ${FUNCTION_NAMES.join(', ')}; ` : '';
}

function passOver<T>(problems: Generator<HoldfastError, T>): T | undefined {
  const first = problems.next();
  return first.done === true ? first.value : undefined;
}

interface Surroundings {
  readonly earlier: readonly string[];
  readonly order: readonly string[];
  readonly inputs: KnownInputs;
}

/** Checks one reference of a step. @returns the id of the step that it refers to; undefined if it refers to none */
function checkReference(
  step: WorkflowStep,
  { expression, field, perItem }: StepReference,
  { earlier, order, inputs }: Surroundings,
): string | undefined {
  const { root, path, text } = expression;
  const refuse = (message: string) => workflowProblem(step.id, field, `${showReference(text)}: ${message}`);
  if (root === 'item' || root === 'index') {
    if (!perItem) throw refuse('is defined only in the configuration of a step with forEach');
    if (root === 'index' && path.length > 0) throw refuse('is a number and has no parts');
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
      throw refuse(`a step has the parts ${STEP_PARTS.join(', ')}; its result is {{${root}.result}}`);
    }
    return root;
  }
  const isInput = inputs.names?.has(root) === true;
  if (OWN_ROOTS.has(root) && !isInput) {
    if (path.length !== 1 || path[0] !== 'id') throw refuse(`it has the part {{${root}.id}} alone`);
    return undefined;
  }
  if (!isInput) {
    const known = [...earlier, ...(inputs.names ?? [])];
    throw refuse(`there is no step or input "${showReference(root)}"${didYouMean(root, known)}`);
  }
  checkInput({ ...expression, path: [root, ...path] }, inputs, refuse, field);
  return undefined;
}

/** Checks a reference to an input before the run. Only a condition, or one with a default, may refer to a missing part. */
function checkInput(
  expression: StepReference['expression'],
  { names, values }: KnownInputs,
  refuse: (message: string) => Error,
  field: string,
): void {
  const [name] = expression.path;
  if (name === undefined) return;
  const hasDefault = expression.isOptional === true;
  // A run may lack an input that has a default; a definition that is stored names all of its inputs.
  if (hasDefault && values !== undefined) return;
  if (names?.has(String(name)) === false)
    throw refuse(`there is no input "${showReference(name)}"${didYouMean(name, [...names])}`);
  if (values === undefined || field === 'when') return;
  try {
    followPath(values, expression);
  } catch (error) {
    if (!(error instanceof TemplateReferenceError)) throw error;
    throw refuse(error.message);
  }
}
