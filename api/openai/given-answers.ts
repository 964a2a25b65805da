import type { z } from 'zod';
import { parseJson } from '../../src/base/json/parse';
import { type HoldfastError, isHoldfastError, validationError } from '../../src/base/errors';
import type { ReachedLimit } from '../../src/contracts/runs/budgets';
import type { RunOwner } from '../../src/contracts/runs/run-owner';
import { findApproval, type FoundApproval } from '../../temporal/approvals/read-approval';
import type { StartedRun } from '../../temporal/runs/started-run';
import { answerBody } from '../approvals/approval-requests';
import { checkAnswer } from '../approvals/give-answer';
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

/** Which runs may be continued. */
interface ContinuedBy {
  /** Whose runs. */
  readonly owner: RunOwner;
  /** The one run; undefined: any of the owner. */
  readonly runId?: string | undefined;
  /** Whether the approvals of a run were handed to callers as items; absent: those of all were. */
  readonly isHanded?: (run: StartedRun) => Promise<boolean>;
}

/**
 * Gives a run the answers that it waits for, once all of them are checked. The same answer again changes nothing.
 * @throws HoldfastError `VALIDATION` for what the caller was not handed; `APPROVAL_ANSWERED` or `APPROVAL_EXPIRED` if the run does
 *   not wait for it any more; `ENGINE_UNAVAILABLE`
 */
export async function giveAnswers(
  answers: readonly GivenAnswer[],
  { owner, ...by }: ContinuedBy,
  ports: Pick<OpenAiPorts, 'engine' | 'shown'>,
  context: OpenAiContext,
): Promise<ContinuedRun> {
  const { engine, shown } = ports;
  const giving = { engine, taskQueue: shown.taskQueue, ...context.services };
  let continued: ContinuedRun | undefined;
  const checkedAnswers: { readonly names: Record<string, string>; readonly give: () => Promise<unknown> }[] =
    [];
  for (const answer of answers) {
    const foundApproval = await findAsked(answer, owner, ports);
    const run = await checkRun(answer, foundApproval, { before: continued?.run, ...by });
    const reason = answer.field.replace(/\w+$/, 'reason');
    const names = { comment: reason, budget: answer.field, output: answer.field };
    const give = await namingParams(names, () =>
      checkAnswer(giving, foundApproval, toBody(answer, foundApproval, context), context),
    );
    checkedAnswers.push({ names, give });
    continued = { run, lastQuestion: foundApproval.approval.id };
  }
  if (continued === undefined) throw validationError('tool_call_id', 'there is no output');
  for (const { names, give } of checkedAnswers) await namingParams(names, give);
  return continued;
}

/**
 * @param before the run that the answers before this one continue
 * @returns the run that an answer continues
 * @throws HoldfastError `VALIDATION` if it is not to be continued
 */
async function checkRun(
  answer: GivenAnswer,
  { question, workflowId }: FoundApproval,
  { before, runId, isHanded }: Omit<ContinuedBy, 'owner'> & { readonly before: StartedRun | undefined },
): Promise<StartedRun> {
  const run = { workflowId: runOfApproval(workflowId), runId: question.runId };
  if (runId !== undefined && run.runId !== runId)
    throw validationError(answer.field, 'belongs to another response than previous_response_id');
  if (before !== undefined && run.runId !== before.runId)
    throw validationError(answer.field, 'belongs to another run than the answer before it');
  if (!('output' in answer) && isHanded !== undefined && !(await isHanded(run))) throw unknownId(answer);
  return run;
}

async function findAsked(
  answer: GivenAnswer,
  owner: RunOwner,
  { engine, shown: { taskQueue } }: Pick<OpenAiPorts, 'engine' | 'shown'>,
): Promise<FoundApproval> {
  const { id } = answer;
  const isOutput = 'output' in answer;
  const prefix = isOutput ? CALL_PREFIX : APPROVAL_PREFIX;
  const foundApproval = await findApproval(engine, taskQueue, id.slice(prefix.length), owner).catch(
    (error: unknown) => {
      if (isHoldfastError(error) && error.code === 'APPROVAL_NOT_FOUND') return undefined;
      throw error;
    },
  );
  const isKind = (foundApproval?.question.kind === 'output') === isOutput;
  if (foundApproval === undefined || !isKind || !id.startsWith(prefix)) throw unknownId(answer);
  return foundApproval;
}

function unknownId({ id, field, ...answer }: GivenAnswer): HoldfastError {
  return validationError(
    field,
    `no ${'output' in answer ? 'call' : 'approval'} has the id "${id.slice(0, 64)}"`,
  );
}

/** The answer as `POST /api/approvals/:id` takes it. @throws HoldfastError `VALIDATION` */
function toBody(
  answer: GivenAnswer,
  { question: { kind, args } }: FoundApproval,
  { services }: OpenAiContext,
): z.output<typeof answerBody> {
  if ('output' in answer) return { decision: 'approve', output: toValue(answer.output) };
  const { approve, reason } = answer;
  const budget =
    approve && kind === 'budget' ? proposeBudget(args as ReachedLimit, services.budgets.ceilings) : undefined;
  if (approve && kind === 'budget' && budget === undefined)
    throw validationError(
      answer.field.replace(/\w+$/, 'approve'),
      'the run is at the limit of the settings, so that more can only be denied',
    );
  return parseInput(
    answerBody,
    {
      decision: approve ? 'approve' : 'deny',
      ...(reason === undefined || reason.trim() === '' ? {} : { comment: reason }),
      budget,
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
