import { z } from 'zod';
import { type HoldfastError, validationError } from '../../src/base/errors';
import {
  commonStepFields,
  STEP_TYPES,
  type WorkflowStep,
  workflowStepSchema,
} from '../../src/contracts/http/workflows';
import { MAX_STEPS } from '../../src/contracts/workflow-limits';
import { isJsonObject, type JsonObject } from '../../src/contracts/json';
import { inputProblems } from '../http/input';
import type { KeyRules } from '../http/unknown-keys';
import { toWorkflowProblem } from './execution-routes';

/** No step refers to a longer id. */
const MAX_ID_LENGTH = 64;

/** Stands for the step of an unknown type, and for one whose configuration cannot be read. Nothing has it. */
const NO_TYPE = 'unknown' as WorkflowStep['type'];

/** What a step of an unknown type may have. */
const anyStepSchema = z.strictObject({ ...commonStepFields, type: z.unknown(), config: z.unknown() });

/**
 * Finds what a schema refuses of a request to run a workflow, in the steps of unknown types too.
 * @param schema that of the request
 * @returns the steps, as far as they can be read
 */
export function* readDefinition(
  schema: z.ZodType,
  request: { readonly workflow: unknown },
  rules: KeyRules,
): Generator<HoldfastError, readonly WorkflowStep[]> {
  const toProblem = (error: HoldfastError): HoldfastError => toWorkflowProblem(error, request);
  const checking = inputProblems(schema, request, 'workflow', rules);
  let next = checking.next();
  for (; next.done !== true; next = checking.next()) yield toProblem(next.value);
  const steps = stepsOf(next.value.rest);
  for (const [index, step] of steps.entries()) {
    if (!isJsonObject(step) || isKnownType(step['type'])) continue;
    for (const problem of inputProblems(anyStepSchema, step, 'type')) {
      const field = `workflow.steps[${index}].${String(problem.details?.['field'])}`;
      yield toProblem(validationError(field, problem.message));
    }
  }
  return steps.slice(0, MAX_STEPS).map(readStep);
}

function stepsOf(request: unknown): readonly unknown[] {
  const { workflow } = request as { readonly workflow?: unknown };
  const steps = isJsonObject(workflow) ? workflow['steps'] : undefined;
  return Array.isArray(steps) ? (steps as readonly unknown[]) : [];
}

function isKnownType(type: unknown): boolean {
  return (STEP_TYPES as readonly unknown[]).includes(type);
}

/** Reads a step without the fields that are invalid. What only counts if it is known is replaced by what counts least. */
function readStep(raw: unknown, index: number): WorkflowStep {
  const given: JsonObject = isJsonObject(raw) ? raw : {};
  const id = isShown(given['id']) ? given['id'] : `steps[${index}]`;
  const common = Object.entries(commonStepFields).flatMap(([name, field]) => {
    if (given[name] === undefined) return [];
    const parsed = field.safeParse(given[name]);
    const value: unknown = parsed.success ? parsed.data : REPLACED[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const options = Object.fromEntries(common);
  const { type, config } = given;
  const whole = workflowStepSchema.safeParse({ ...options, id: 'step', type, config });
  if (whole.success) return { ...whole.data, id };
  return { ...options, id, type: NO_TYPE, config: isJsonObject(config) ? config : {} } as WorkflowStep;
}

function isShown(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH;
}

/** A step with an invalid condition may be skipped, and one with invalid items has `{{item}}`. */
const REPLACED: Readonly<Record<string, unknown>> = {
  when: 'true',
  forEach: { items: [], concurrency: 1 },
};
