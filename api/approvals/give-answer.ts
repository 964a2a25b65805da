import type { z } from 'zod';
import type { Logger } from '../../src/base/logger';
import type { Approval } from '../../src/contracts/http/approvals';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import type { Redactor } from '../../src/secrets/redactor';
import type { ArgumentChecks } from '../../src/tools/argument-check';
import { answerApproval } from '../../temporal/approvals/answer-approval';
import type { FoundApproval } from '../../temporal/approvals/read-approval';
import type { Engine } from '../../temporal/engine';
import type { BudgetPolicies } from '../../requests/budget-policies';
import type { answerBody } from './approval-requests';
import { readAnswer } from './check-answer';

export interface GivingPorts {
  readonly engine: Engine;
  readonly taskQueue: string;
  readonly budgets: Pick<BudgetPolicies, 'check'>;
  readonly argumentChecks: ArgumentChecks;
}

/** The request that brings an answer. */
export interface AnsweringRequest {
  readonly logger: Logger;
  /** Whose tools the arguments of the answer are checked by. */
  readonly owner: RunOwner;
  readonly redactor: Redactor;
  signal(): AbortSignal;
}

/**
 * Answers an approval as a caller says.
 * @param how the line of the log about it
 * @throws HoldfastError as `readAnswer` and `answerApproval` do
 */
export async function giveAnswer(
  ports: GivingPorts,
  foundApproval: FoundApproval,
  body: z.output<typeof answerBody>,
  request: AnsweringRequest,
  how?: string,
): Promise<Approval> {
  const give = await checkAnswer(ports, foundApproval, body, request, how);
  return give();
}

/**
 * Checks what a caller says to an approval.
 * @returns what answers the approval, which throws as `answerApproval` does
 * @throws HoldfastError as `readAnswer` does
 */
export async function checkAnswer(
  { engine, taskQueue, budgets, argumentChecks }: GivingPorts,
  foundApproval: FoundApproval,
  body: z.output<typeof answerBody>,
  { logger, owner, redactor, signal }: AnsweringRequest,
  how = 'an approval was answered',
): Promise<() => Promise<Approval>> {
  const reading = { redactor, budgets, check: argumentChecks.of(owner), signal: signal() };
  const answer = await readAnswer(body, foundApproval.question, reading);
  return async () => {
    const approval = await answerApproval(engine, taskQueue, foundApproval, answer);
    const { id: approvalId, runId: traceId, status, by } = approval;
    logger.info({ approvalId, traceId, status, by }, how);
    return approval;
  };
}
