import { isHoldfastError } from '../../src/base/errors';
import { answerApproval } from '../../temporal/approvals/answer-approval';
import { findApproval } from '../../temporal/approvals/read-approval';
import type { StartedRun } from '../../temporal/started-run';
import { checkAnswer } from '../approvals/check-answer';
import { readForm } from './approval-input';
import type { Exchange } from './exchange';
import type { McpPorts } from './mcp-ports';

/**
 * Answers the approvals of a run with what a client's user filled in. Responses under other keys, and to approvals that were
 * answered already, are ignored.
 * @throws HoldfastError `VALIDATION` for an answer that is not possible; `ENGINE_UNAVAILABLE`
 */
export async function answerApprovals(
  ports: Pick<McpPorts, 'engine' | 'shown' | 'offerOf'>,
  run: Pick<StartedRun, 'runId'>,
  responses: Readonly<Record<string, unknown>>,
  { context: { caller, owner, logger } }: Pick<Exchange, 'context'>,
): Promise<void> {
  const { engine, shown } = ports;
  const { budgets } = await ports.offerOf(caller.tenant);
  await Promise.all(
    Object.entries(responses).map(async ([approvalId, response]) => {
      try {
        const found = await findApproval(engine, shown.taskQueue, approvalId, owner);
        if (found.question.runId !== run.runId || found.approval.status !== 'pending') return;
        const answer = readForm(found.question, response, caller.id);
        if (answer === undefined) return;
        checkAnswer(found.question, answer, budgets);
        const { status } = await answerApproval(engine, shown.taskQueue, found, answer);
        // Who answered is the caller, whose subject may be the name of a user, so the line does not have it.
        logger.info({ approvalId, traceId: run.runId, status }, 'an approval was answered');
      } catch (error) {
        if (!isHoldfastError(error) || !IGNORED.has(error.code)) throw error;
      }
    }),
  );
}

const IGNORED: ReadonlySet<string> = new Set(['APPROVAL_NOT_FOUND', 'APPROVAL_ANSWERED', 'APPROVAL_EXPIRED']);
