import type { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { computeDigest } from '../../src/base/ids';
import { isJsonObject, type JsonObject } from '../../src/contracts/json';
import { mergePatch } from '../../src/contracts/merge-patch';
import type { ApprovalAnswer, ApprovalQuestion } from '../../src/contracts/runs/approvals';
import type { ReachedLimit } from '../../src/contracts/runs/budgets';
import type { Redactor } from '../../src/secrets/redactor';
import { restoreHidden } from '../../src/secrets/restore-hidden';
import { schemaOf } from '../../src/contracts/http/tool-schemas';
import type { ArgumentCheck } from '../../src/tools/argument-check';
import { checkedArguments } from '../../src/tools/argument-problems';
import { checkLiterals } from '../../src/tools/builtin/check-literals';
import type { BudgetPolicies } from '../../requests/budget-policies';
import type { answerBody } from './approval-requests';

type AnswerBody = z.output<typeof answerBody>;

/** What an answer is read with. */
export interface AnswerChecks {
  readonly redactor: Redactor;
  readonly budgets: Pick<BudgetPolicies, 'check'>;
  readonly check: ArgumentCheck;
  readonly signal: AbortSignal;
}

/**
 * Reads an answer, and checks it against its question: a patch is merged over the arguments as they were shown, credentials
 * that were hidden there get their originals back, other arguments pass the checks of the tool, and a budget that is approved
 * has room for more.
 * @returns the answer with all arguments of the call, if it changes some
 * @throws HoldfastError `VALIDATION`
 */
export async function readAnswer(
  { patch, args: whole, ...answer }: AnswerBody,
  question: ApprovalQuestion,
  { redactor, budgets, check, signal }: AnswerChecks,
): Promise<ApprovalAnswer> {
  const field = patch === undefined ? 'args' : 'patch';
  const given = patch ?? whole;
  if (question.kind === 'output') {
    const { decision, output } = answer;
    if (given !== undefined) throw validationError(field, 'has no meaning for a call that the caller runs');
    if (answer.budget !== undefined)
      throw validationError('budget', 'has no meaning for a call that the caller runs');
    if (decision === 'deny') return answer;
    if (output === undefined)
      throw validationError('output', 'is required; send null if the tool gives nothing');
    if (hasInfinity(output)) throw validationError('output', 'has a number that is too large to be kept');
    return { ...answer, output, outputDigest: computeDigest(output) };
  }
  if (answer.output !== undefined)
    throw validationError('output', 'has a meaning only for a call that the caller runs');
  if (question.kind === 'budget') {
    if (given !== undefined) throw validationError(field, 'has no meaning if a budget is approved');
    checkBudget(question.args as ReachedLimit, answer, budgets);
    return answer;
  }
  if (answer.budget !== undefined) throw validationError('budget', 'has no meaning if a call is approved');
  if (given === undefined) return answer;
  if (hasInfinity(given)) throw validationError(field, 'has a number that is too large to be kept');
  const changed = patch === undefined ? given : patchShown(question.args, patch, redactor);
  const restored = restoreHidden(changed, question.args, redactor, field);
  const { toolName: name = '', ...carried } = question;
  const inputSchema = schemaOf(carried);
  const args = inputSchema
    ? await checkedArguments(check, { name, inputSchema }, restored, signal, field)
    : restored;
  // No other tool has the name of a built-in one.
  if (question.toolName !== undefined)
    checkLiterals({ name: question.toolName, implementation: { kind: 'builtin' } }, args, field);
  return { ...answer, args: asStored(args) };
}

/**
 * Merges a patch over what the person saw, and not over the originals, so that a patch cannot send a hidden credential to
 * where whole arguments could not.
 */
function patchShown(args: unknown, patch: JsonObject, redactor: Redactor): JsonObject {
  if (!isJsonObject(args))
    throw validationError('patch', 'cannot be merged, because the arguments are too long; send args');
  return mergePatch(redactor.value(args), patch);
}

/** Whether a value has a number that JSON cannot express: `1e400` would become null. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** The arguments as Temporal stores them, which has no `-0`, so that the same answer again is the same. */
function asStored<T>(args: T): T {
  return JSON.parse(JSON.stringify(args)) as T;
}

/** @throws HoldfastError `VALIDATION` */
function checkBudget(
  { limit, used, usage }: ReachedLimit,
  { decision, budget }: ApprovalAnswer,
  budgets: Pick<BudgetPolicies, 'check'>,
): void {
  if (decision === 'deny') return;
  const raised = budget?.[limit];
  if (raised === undefined || raised <= used)
    throw validationError(`budget.${limit}`, `must be more than ${used}, which the run has used`);
  if (budget?.maxCostUsd !== undefined && usage.costUsd === null)
    throw validationError('budget.maxCostUsd', 'cannot be kept, since a model of the run has no price');
  budgets.check(budget ?? {}, 'budget');
}
