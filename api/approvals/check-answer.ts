import { validationError } from '../../src/base/errors';
import type { ApprovalAnswer, ApprovalQuestion } from '../../src/contracts/runs/approvals';
import type { ReachedLimit } from '../../src/contracts/runs/budgets';
import type { Redactor } from '../../src/secrets/redactor';
import { restoreHidden } from '../../src/secrets/restore-hidden';
import { checkArguments } from '../../src/tools/arguments';
import type { BudgetPolicies } from '../runs/budget-policies';

/**
 * Puts the originals back where the arguments of an answer have credentials as they were shown.
 * @throws HoldfastError as `restoreHidden` does
 */
export function restoreArgs(
  answer: ApprovalAnswer,
  { args }: ApprovalQuestion,
  redactor: Redactor,
): ApprovalAnswer {
  if (answer.args === undefined) return answer;
  return { ...answer, args: restoreHidden(answer.args, args, redactor, 'args') };
}

/**
 * Checks an answer against its question: other arguments pass the checks of the tool, and a budget that is approved has
 * room for more.
 * @throws HoldfastError `VALIDATION`
 */
export function checkAnswer(
  { kind, args: asked, parameters }: ApprovalQuestion,
  { decision, args, budget }: ApprovalAnswer,
  budgets: Pick<BudgetPolicies, 'check'>,
): void {
  if (kind !== 'budget') {
    if (budget !== undefined) throw validationError('budget', 'has no meaning where a call is approved');
    if (args !== undefined && parameters !== undefined) checkArguments(parameters, args);
    return;
  }
  if (args !== undefined) throw validationError('args', 'has no meaning where a budget is approved');
  if (decision === 'deny') return;
  const { limit, used, usage } = asked as ReachedLimit;
  const raised = budget?.[limit];
  if (raised === undefined || raised <= used)
    throw validationError(`budget.${limit}`, `must be more than ${used}, which the run has used`);
  if (budget?.maxCostUsd !== undefined && usage.costUsd === null)
    throw validationError('budget.maxCostUsd', 'cannot be kept, since a model of the run has no price');
  budgets.check(budget ?? {}, 'budget');
}
