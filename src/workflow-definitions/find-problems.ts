import { setImmediate as nextIteration } from 'node:timers/promises';
import { nextLargePiece } from '../base/async/large-pieces';
import { type HoldfastError, isHoldfastError } from '../base/errors';
import type { ErrorCode } from '../base/error-codes';
import { namesIn } from '../base/json/pointer';
import { STEP_TYPES, type WorkflowProblem, type WorkflowStep } from '../contracts/http/workflows';
import { findReferencesIn } from '../templates/resolve';
import { answerSchemaProblems } from './check-answer-schemas';
import { callProblems, toolOf } from './check-calls';
import { definitionProblems } from './check-definition';
import { shapeProblems } from './check-shapes';
import { fillSteps } from './fill-steps';
import { limitProblems, prepareExecution, type PrepareStepsPorts, readTools } from './prepare-steps';

/** The errors that are about the definition. Others, such as those of stores, are about the service. */
const OF_DEFINITIONS: ReadonlySet<ErrorCode> = new Set([
  'WORKFLOW_INVALID',
  'MODEL_UNKNOWN',
  'MODEL_NOT_CONFIGURED',
]);

/**
 * Finds everything that `prepareSteps` would refuse, and continues behind each problem.
 * @param steps may have types that do not exist: their templates and options are checked
 * @param inputs absent if they are not known: references to them are not followed
 * @throws HoldfastError `STORE_UNAVAILABLE`, or as `ArgumentCheck` does
 */
export async function* stepProblems(
  ports: PrepareStepsPorts,
  steps: readonly WorkflowStep[],
  inputs: Readonly<Record<string, unknown>> | undefined,
): AsyncGenerator<WorkflowProblem, void> {
  const faulty = new Set<unknown>();
  const given = inputs === undefined ? {} : { names: new Set(Object.keys(inputs)), values: inputs };
  for (const problem of definitionProblems(steps, given)) {
    faulty.add(problem.details?.['step']);
    yield* toProblems(problem);
  }
  for await (const problem of answerSchemaProblems(steps, ports.schemas)) yield* toProblems(problem);
  const tools = await readTools(steps, ports);
  for (const problem of shapeProblems(steps, tools)) yield* toProblems(problem);
  const filling = fillSteps(steps, inputs);
  let filled = filling.next();
  for (; filled.done !== true; filled = filling.next()) {
    await nextLargePiece();
    // The step cannot be filled in because of the problem that it has already.
    if (!faulty.has(filled.value.details?.['step'])) yield* toProblems(filled.value);
  }
  for (const step of steps.filter(({ type }) => STEP_TYPES.includes(type))) {
    await nextIteration();
    for (const problem of limitProblems(step, ports)) yield* toProblems(problem);
    const known = filled.value.get(step) ?? step.config;
    const tool = tools.get(toolOf(step) ?? '');
    if (tool !== undefined) {
      for await (const problem of callProblems(step, known, tool, ports)) yield* toProblems(problem);
      continue;
    }
    try {
      const config = inputs === undefined ? withoutInputModel(known) : known;
      await prepareExecution(step, config, tools, ports);
    } catch (error) {
      if (!isHoldfastError(error) || !OF_DEFINITIONS.has(error.code)) throw error;
      const { details = {} } = error;
      yield* toProblems(error, { ...details, step: step.id, field: details['field'] ?? 'config.model' });
    }
  }
}

/** Leaves out a model that only the inputs decide. */
function withoutInputModel(config: WorkflowStep['config']): WorkflowStep['config'] {
  const references = 'model' in config ? findReferencesIn(config.model) : [];
  const isOfInputs = references.length > 0 && references.every(({ root }) => root === 'input');
  return isOfInputs ? { ...config, model: undefined } : config;
}

/** The problems of an error: those of its `details.problems`, else the error itself. */
export function* toProblems(
  error: HoldfastError,
  details: Readonly<Record<string, unknown>> = error.details ?? {},
): Generator<WorkflowProblem> {
  const { step, field, problems } = details;
  const id = typeof step === 'string' ? step : null;
  if (!Array.isArray(problems)) {
    yield { step: id, field: String(field), message: error.message };
    return;
  }
  for (const problem of problems as readonly { pointer: string; message: string }[])
    yield { step: id, field: toField(problem.pointer), message: problem.message };
}

/** Writes a JSON pointer as the path of a field, as in `config.args.items[0]`. */
function toField(pointer: string): string {
  return namesIn(pointer).reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}
