import type { HoldfastError } from '../base/errors';
import { problemOf } from '../base/problems';
import { TEMPLATE_ROOTS, type WorkflowStep } from '../contracts/http/workflows';
import { jsonLength } from '../contracts/json-length';
import { MAX_ITEMS, MAX_SENT_LENGTH } from '../contracts/workflow-limits';
import {
  Allowance,
  hasExpressions,
  resolveTemplates,
  TemplateReferenceError,
  type TemplateScope,
} from '../templates/resolve';
import { MAX_INSERTED } from '../templates/resolved-arguments';
import { inputReference } from '../templates/workflow-scope';
import { workflowProblem } from './problems';

/** Characters of JSON of all configurations and lists with the inputs filled in, since they are in memory at once. */
const MAX_FILLED = 67_108_864;

const TOO_MUCH = `the calls of the steps up to this one would send more than ${MAX_SENT_LENGTH} characters together`;

/** The configuration of each step with the inputs filled in. */
export type FilledSteps = ReadonlyMap<WorkflowStep, WorkflowStep['config']>;

/**
 * Fills in the inputs, and finds lists and configurations that cannot be filled in or become too long.
 * @param inputs absent if they are not known: all templates stay as they are
 * @returns the configurations; without those after one that is too long
 */
export function* fillSteps(
  steps: readonly WorkflowStep[],
  inputs: Readonly<Record<string, unknown>> | undefined,
): Generator<HoldfastError, FilledSteps> {
  const configurations = new Map<WorkflowStep, WorkflowStep['config']>();
  const taken = new Set<string>([...TEMPLATE_ROOTS, ...steps.map(({ id }) => id)]);
  let filled = 0;
  function* fill({ id }: WorkflowStep, field: string, value: unknown): Generator<HoldfastError, unknown> {
    if (inputs === undefined) return value;
    const scope: TemplateScope = (expression) => inputReference(expression, inputs, taken);
    const allowance = new Allowance(MAX_INSERTED);
    const known = yield* problemOf('WORKFLOW_INVALID', () => fillKnown(id, field, value, scope, allowance));
    if (known !== undefined) return known;
    // What was inserted before the problem took as much time as in a step without one.
    filled += allowance.taken;
    return value;
  }
  function* isTooLong(id: string, field: string, length: number): Generator<HoldfastError, boolean> {
    filled += length;
    if (filled <= MAX_FILLED) return false;
    yield workflowProblem(id, field, 'the steps up to this one become too long with their inputs');
    return true;
  }
  const items = new Map<WorkflowStep, unknown>();
  for (const step of steps.filter(({ forEach }) => forEach !== undefined)) {
    const known = yield* fill(step, 'forEach.items', step.forEach?.items);
    if (yield* isTooLong(step.id, 'forEach.items', jsonLength(known))) return configurations;
    items.set(step, known);
  }
  yield* itemProblems(items);
  let sent = 0;
  for (const step of steps) {
    const known = yield* fill(step, 'config', step.config);
    const length = jsonLength(known);
    if (yield* isTooLong(step.id, 'config', length)) return configurations;
    // A step with a condition may run or not, so its calls are not counted here; the run itself limits what it sends.
    if (step.when === undefined) sent += length * countKnownCalls(items.get(step));
    if (sent > MAX_SENT_LENGTH) {
      yield workflowProblem(step.id, step.forEach ? 'forEach' : 'config', TOO_MUCH);
      return configurations;
    }
    configurations.set(step, known as WorkflowStep['config']);
  }
  return configurations;
}

/** Counts the calls that a step certainly makes: one, or one for each item of a list that is known before the run. */
function countKnownCalls(items: unknown): number {
  return Array.isArray(items) ? items.length : 1;
}

/** Fills in the inputs, within the limit that the run has too, since a short text can name a long input many times. */
function fillKnown(
  id: string,
  field: string,
  value: unknown,
  scope: TemplateScope,
  allowance: Allowance,
): unknown {
  try {
    return resolveTemplates(value, scope, allowance);
  } catch (error) {
    if (error instanceof TemplateReferenceError) throw workflowProblem(id, field, error.message);
    throw error;
  }
}

/**
 * Finds the lists of forEach steps that are known before the run and are no lists or too long. The run itself checks the others.
 * @param items those of each forEach step, with the inputs filled in
 */
function* itemProblems(items: ReadonlyMap<WorkflowStep, unknown>): Generator<HoldfastError> {
  let certain = 0;
  for (const [step, list] of items) {
    const problem = (message: string) => workflowProblem(step.id, 'forEach.items', message);
    if (!Array.isArray(list)) {
      if (hasExpressions(list)) continue;
      yield problem(`must be a list, it is of type ${list === null ? 'null' : typeof list}`);
      continue;
    }
    // A step with a condition may be skipped, so its items count towards the total only in the run.
    if (step.when === undefined) certain += list.length;
    const count = Math.max(certain, list.length);
    if (count > MAX_ITEMS) {
      yield problem(`the run would have ${count} items; at most ${MAX_ITEMS} are allowed`);
    }
  }
}
