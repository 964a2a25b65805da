import type { HoldfastError } from '../base/errors';
import type { WorkflowStep } from '../contracts/http/workflows';
import { approvalOf } from '../contracts/runs/approval-needs';
import { ConditionError, conditionReferences, parseCondition } from '../templates/condition';
import type { TemplateReference } from '../templates/expression';
import { findReferencesIn } from '../templates/resolve';
import { workflowProblem } from './problems';

/** The field of a step that says what a person is asked. */
export const MESSAGE_FIELD = 'approval.message';

/** A reference, and the field of the step that contains it. */
export interface StepReference {
  readonly expression: TemplateReference;
  readonly field: string;
  /** Whether `item` and `index` are defined in that field. */
  readonly perItem: boolean;
}

/** Finds every reference of a step, but for those of a condition that cannot be parsed. */
export function findReferences(step: WorkflowStep): StepReference[] {
  const perItem = step.forEach !== undefined;
  const inConfig = Object.entries(step.config).flatMap(([name, value]) =>
    findReferencesIn(value).map((expression) => ({ expression, field: `config.${name}`, perItem })),
  );
  const inItems = findReferencesIn(step.forEach?.items).map((expression) => ({
    expression,
    field: 'forEach.items',
    perItem: false,
  }));
  const inMessage = findReferencesIn(approvalOf(step)?.message).map((expression) => ({
    expression,
    field: MESSAGE_FIELD,
    perItem,
  }));
  const condition = readCondition(step);
  const inCondition = 'problem' in condition ? [] : condition.references;
  return [...inCondition, ...inItems, ...inConfig, ...inMessage];
}

/** Finds what is wrong with the condition of a step. */
export function* conditionProblems(step: WorkflowStep): Generator<HoldfastError> {
  const condition = readCondition(step);
  if ('problem' in condition) yield workflowProblem(step.id, 'when', condition.problem);
}

type Condition = { readonly references: readonly StepReference[] } | { readonly problem: string };

function readCondition({ when }: WorkflowStep): Condition {
  if (when === undefined) return { references: [] };
  try {
    const named = conditionReferences(parseCondition(when));
    return { references: named.map((expression) => ({ expression, field: 'when', perItem: false })) };
  } catch (error) {
    if (error instanceof ConditionError) return { problem: error.message };
    throw error;
  }
}
