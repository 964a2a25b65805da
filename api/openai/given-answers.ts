import type { z } from 'zod';
import { parseJson } from '../../src/base/json/parse';
import { isHoldfastError, validationError } from '../../src/base/errors';
import type { ReachedLimit } from '../../src/contracts/runs/budgets';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import { findApproval, type FoundApproval } from '../../temporal/approvals/read-approval';
import type { StartedRun } from '../../temporal/runs/started-run';
import { answerBody } from '../approvals/approval-requests';
import { giveAnswer } from '../approvals/give-answer';
import { parseInput } from '../http/input';
import { CALL_PREFIX, runOfApproval } from './caller-calls';
import { namingParams } from './errors';
import { APPROVAL_PREFIX, proposeBudget } from './handed-over';
import type { OpenAiContext, OpenAiPorts } from './ports';

/** What a caller says to what was handed over to it: the output of a call, or the answer to an approval. */
export type GivenAnswer = {
  /** The id that it was handed over with. */
  readonly id: string;
  /** The parameter that has the id. */
  readonly field: string;
} & ({ readonly output: string } | { readonly approve: boolean; readonly reason?: string | undefined });

/** A run that continues with answers, and the question that the last of them answers. */
export interface ContinuedRun {
  readonly run: StartedRun;
  readonly lastQuestion: string;
}

/**
 * Gives a run the answers that it waits for. The same answer again changes nothing.
 * @param owner whose runs may be continued
 * @param runId the one run that may be continued; undefined: any of the owner
 * @throws HoldfastError `VALIDATION` for what the caller was not handed; `APPROVAL_ANSWERED` or `APPROVAL_EXPIRED` if the run does
 *   not wait for it any more; `ENGINE_UNAVAILABLE`
 */
export async function giveAnswers(
  answers: readonly GivenAnswer[],
  { owner, runId }: { readonly owner: RunOwner; readonly runId?: string | undefined },
  ports: Pick<OpenAiPorts, 'engine' | 'shown'>,
  context: OpenAiContext,
): Promise<ContinuedRun> {
  const { engine, shown } = ports;
  let continued: ContinuedRun | undefined;
  for (const answer of answers) {
    const foundApproval = await findAsked(answer, owner, ports);
    const { question, workflowId, approval } = foundApproval;
    if (runId !== undefined && question.runId !== runId)
      throw validationError(answer.field, 'belongs to another response than previous_response_id');
    const giving = { engine, taskQueue: shown.taskQueue, ...context.services };
    const reason = answer.field.replace(/\w+$/, 'reason');
    await namingParams({ comment: reason, budget: answer.field, output: answer.field }, () =>
      giveAnswer(giving, foundApproval, toBody(answer, foundApproval, context), context),
    );
    continued = {
      run: { workflowId: runOfApproval(workflowId), runId: question.runId },
      lastQuestion: approval.id,
    };
  }
  if (continued === undefined) throw validationError('tool_call_id', 'there is no output');
  return continued;
}

async function findAsked(
  { id, field, ...answer }: GivenAnswer,
  owner: RunOwner,
  { engine, shown: { taskQueue } }: Pick<OpenAiPorts, 'engine' | 'shown'>,
): Promise<FoundApproval> {
  const isOutput = 'output' in answer;
  const prefix = isOutput ? CALL_PREFIX : APPROVAL_PREFIX;
  const foundApproval = await findApproval(engine, taskQueue, id.slice(prefix.length), owner).catch(
    (error: unknown) => {
      if (isHoldfastError(error) && error.code === 'APPROVAL_NOT_FOUND') return undefined;
      throw error;
    },
  );
  const isKind = (foundApproval?.question.kind === 'output') === isOutput;
  if (foundApproval === undefined || !isKind || !id.startsWith(prefix))
    throw validationError(field, `no ${isOutput ? 'call' : 'approval'} has the id "${id.slice(0, 64)}"`);
  return foundApproval;
}

/** The answer as `POST /api/approvals/:id` takes it. @throws HoldfastError `VALIDATION` */
function toBody(
  answer: GivenAnswer,
  { question: { kind, args } }: FoundApproval,
  { services }: OpenAiContext,
): z.output<typeof answerBody> {
  if ('output' in answer) return { decision: 'approve', output: toValue(answer.output) };
  const { approve, reason } = answer;
  const isRaised = approve && kind === 'budget';
  return parseInput(
    answerBody,
    {
      decision: approve ? 'approve' : 'deny',
      ...(reason === undefined || reason.trim() === '' ? {} : { comment: reason }),
      ...(isRaised ? { budget: proposeBudget(args as ReachedLimit, services.budgets.ceilings) } : {}),
    },
    'body',
  ) as z.output<typeof answerBody>;
}

/** Objects and lists are what they say, so that the built-in rules can answer with their values. Pure. */
function toValue(output: string): unknown {
  if (!/^\s*[[{]/.test(output)) return output;
  try {
    return parseJson(output);
  } catch {
    return output;
  }
}
