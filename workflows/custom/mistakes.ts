import { ApplicationFailure } from '@temporalio/common';
import type { PreparedStep } from '../../src/contracts/runs/workflows';
import { ConditionError, conditionReferences, parseCondition } from '../../src/templates/condition';
import { parseTemplate, type TemplateReference } from '../../src/templates/expression';
import {
  findReferencesIn,
  hasExpressions,
  TemplateFunctionError,
  TemplateLimitError,
  TemplateReferenceError,
} from '../../src/templates/resolve';
import { followShape, resultReference, type Shape, shapeOfResult } from '../../src/templates/result-shapes';
import { OWN_ROOTS, type WorkflowValues } from '../../src/templates/workflow-scope';

/** The references that an error of a step comes from. */
interface Origin {
  readonly references: readonly TemplateReference[];
  /** Whether the error depends on the values themselves, and not on their kinds alone. */
  readonly ofValues: boolean;
}

/**
 * Whether an error of a step is a mistake in the definition: the step would fail in the same way whatever tools, servers and
 * models answer. What is missing or wrong in their data is no mistake, and neither is a tool that failed. Pure.
 * @param values what the templates of the step refer to
 */
export function isMistake(
  error: unknown,
  prepared: PreparedStep,
  steps: readonly PreparedStep[],
  values: WorkflowValues,
): boolean {
  const origin = originOf(error, prepared);
  return origin?.references.every((one) => isSettled(one, origin, prepared, steps, values)) ?? false;
}

/** @returns undefined for an error that does not come from the step's own fields */
function originOf(error: unknown, prepared: PreparedStep): Origin | undefined {
  const { step, execution } = prepared;
  if (error instanceof ConditionError) {
    return { references: conditionReferences(parseCondition(step.when ?? 'true')), ofValues: false };
  }
  if (error instanceof TemplateReferenceError) {
    return {
      references: findReferencesIn(writtenAs(error.expression, step)),
      ofValues: error instanceof TemplateLimitError || error instanceof TemplateFunctionError,
    };
  }
  const field = invalidArgument(error);
  if (field === undefined || execution.kind !== 'tool') return undefined;
  const args: Readonly<Record<string, unknown>> =
    step.type === 'tool_execution' ? step.config.args : { ...step.config };
  // A remote tool has a schema, which says more of its arguments than their kinds.
  const ofValues = execution.tool.implementation.kind === 'mcp';
  return { references: findReferencesIn(Object.hasOwn(args, field) ? args[field] : args), ofValues };
}

/** What is written in the place that an error of a template names: a reference, or a field of the step. */
function writtenAs(place: string, { forEach, config }: PreparedStep['step']): unknown {
  if (parseTemplate(place).some((part) => typeof part !== 'string')) return place;
  if (place === 'forEach.items') return forEach?.items;
  return (config as Readonly<Record<string, unknown>>)[place.replace('config.', '')];
}

/** @returns the name of the argument that the tool has refused; undefined if that is not why it failed */
function invalidArgument(error: unknown): string | undefined {
  const cause = error instanceof ApplicationFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || cause.type !== 'VALIDATION') return undefined;
  const { field = '' } = (cause.details?.[0] ?? {}) as { readonly field?: string };
  return field.split('.')[1] ?? '';
}

/** Whether the definition and its inputs alone decide what a reference stands for, or of which kind it is. */
function isSettled(
  expression: TemplateReference,
  { ofValues }: Origin,
  { step }: PreparedStep,
  steps: readonly PreparedStep[],
  { inputs, outcomes, previous }: WorkflowValues,
): boolean {
  const { root } = expression;
  if (root === 'item') return Array.isArray(step.forEach?.items) && !hasExpressions(step.forEach.items);
  const shapeOf = (id: string): Shape | undefined => {
    const preparedStep = steps.find((one) => one.step.id === id);
    if (preparedStep === undefined) return undefined;
    const { execution } = preparedStep;
    return shapeOfResult(preparedStep.step, execution.kind === 'tool' ? execution.tool : undefined);
  };
  const isStep = (id: string): boolean => Object.hasOwn(outcomes, id);
  const named = resultReference(expression, { isStep, previous, shapeOf });
  if (named === undefined) {
    return (
      !isStep(root) &&
      (root === 'input' || root === 'index' || Object.hasOwn(inputs, root) || OWN_ROOTS.has(root))
    );
  }
  const { status, result } = outcomes[named.step] ?? { result: null };
  // The step failed, was skipped, or its tool answered nothing.
  if (ofValues || status !== 'completed' || result === null) return false;
  const known = followShape(shapeOf(named.step), named.path);
  return 'problem' in known || !known.isOutside;
}
