import { isHoldfastError } from '../../../src/base/errors';
import { budgetLimitsSchema } from '../../../src/contracts/http/budgets';
import { answerApproval } from '../../../temporal/approvals/answer-approval';
import { readAskedApprovals } from '../../../temporal/approvals/pending-approvals';
import { findApproval } from '../../../temporal/approvals/read-approval';
import { readAnswer } from '../../../api/approvals/check-answer';
import { parseInput } from '../../../api/http/input';
import { readForm } from './approval-input';
import type { Exchange } from './exchange';
import type { McpPorts } from './mcp-ports';
import type { Run } from './task-ids';

/**
 * Answers the approvals that a run waits for with what a client's user filled in. Responses under other keys, and to approvals
 * that were answered already, are ignored, and cost no lookup, because a client may send any number of them.
 * @throws HoldfastError `VALIDATION` for an answer that is not possible; `ENGINE_UNAVAILABLE`
 */
export async function answerApprovals(
  ports: Pick<McpPorts, 'engine' | 'shown' | 'offerOf'>,
  run: Run,
  responses: Readonly<Record<string, unknown>>,
  { context: { caller, owner, logger, redactor, signal } }: Pick<Exchange, 'context'>,
): Promise<void> {
  const { engine, shown } = ports;
  const { budgets, argumentChecks } = await ports.offerOf(caller.tenant);
  const askedApprovals = await readAskedApprovals(engine, run.workflowId);
  await Promise.all(
    askedApprovals.map(async (approvalId) => {
      if (!Object.hasOwn(responses, approvalId)) return;
      try {
        const foundApproval = await findApproval(engine, shown.taskQueue, approvalId, owner);
        if (foundApproval.question.runId !== run.runId || foundApproval.approval.status !== 'pending') return;
        const form = readForm(foundApproval.question, responses[approvalId], caller.id);
        if (form === undefined) return;
        // The form takes any number.
        if (form.budget !== undefined) parseInput(budgetLimitsSchema, form.budget, 'limit');
        const reading = { redactor, budgets, check: argumentChecks.of(owner), signal: signal() };
        const answer = await readAnswer(form, foundApproval.question, reading);
        const { status } = await answerApproval(engine, shown.taskQueue, foundApproval, answer);
        // Who answered is the caller, whose subject may be the name of a user, so the line does not have it.
        logger.info({ approvalId, traceId: run.runId, status }, 'an approval was answered');
      } catch (error) {
        if (!isHoldfastError(error) || !IGNORED.has(error.code)) throw error;
      }
    }),
  );
}

const IGNORED: ReadonlySet<string> = new Set(['APPROVAL_NOT_FOUND', 'APPROVAL_ANSWERED', 'APPROVAL_EXPIRED']);
