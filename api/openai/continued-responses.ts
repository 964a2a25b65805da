import type { Approval } from '../../src/contracts/http/approvals';
import type { StartedRun } from '../../temporal/runs/started-run';
import { readRunNote } from '../../temporal/runs/run-memo';
import type { LocatedRun } from '../../temporal/runs/run-lookup';
import { locateYoungRun } from '../../temporal/runs/young-run';
import { passQuestions, untilHandedOver } from './answer-text';
import { ownerOf } from './caller';
import { type ContinuedRun, giveAnswers } from './given-answers';
import { readHandedItem } from './handed-over';
import type { OpenAiContext, OpenAiPorts } from './ports';
import { failedState, responseEvents } from './response-events';
import {
  buildResponse,
  endStatus,
  noteOf,
  type ResponseNote,
  type ResponsePart,
  type ResponseState,
} from './response-object';
import type { ResponseRequest } from './response-request';
import { sendEvents } from './server-sent';
import { limitWait } from './wait-limit';
import { locateRunOf, readNote, type StoredResponse } from './stored-responses';
import { followTurn } from './turn';

export interface FollowedPart extends Pick<ResponsePart, 'part'> {
  readonly run: StartedRun;
  readonly note: ResponseNote;
  /** The workflow type. */
  readonly type: string;
  readonly after: number;
}

/** Streams a part of a run, which has asked all the questions before it. */
export async function followResponse(
  ports: OpenAiPorts,
  { run, note, part, type, after }: FollowedPart,
  context: OpenAiContext,
) {
  const { pieces, answer } = followTurn(ports.feeds, run, { type, isLive: note.isLive }, context);
  if (part > 1) await passQuestions(pieces, (_, number) => number === part - 1, context.signal());
  return sendPart({ runId: run.runId, part }, { note, after, pieces, answer }, ports, context);
}

function sendPart(
  part: ResponsePart,
  { pieces, ...sent }: ReturnType<typeof followTurn> & Pick<FollowedPart, 'note' | 'after'>,
  ports: OpenAiPorts,
  context: OpenAiContext,
) {
  const handOver = (question: Approval) => readHandedItem(question, ports, context);
  const events = responseEvents(pieces, { ...sent, part, handOver });
  return sendEvents(events, (event) => (event as { readonly type: string }).type);
}

/** Gives a run the answers that it waits for; what follows is the next part of it, in progress if it takes longer than a request waits. */
export async function continueResponse(
  ports: OpenAiPorts,
  request: ResponseRequest,
  userId: string | undefined,
  context: OpenAiContext,
) {
  const wait = limitWait(context, ports);
  const { run: started, lastQuestion, previous } = await giveTo(ports, request, userId, context);
  context.noteRun(started);
  const { run, note = noteOf(request, { isLive: false }) } =
    previous ?? (await locateContinued(started, ports, context));
  const { runId, type } = run;
  const signal = wait.context.signal();
  const { pieces, answer } = followTurn(ports.feeds, run, { type, isLive: note.isLive }, wait.context);
  const part = (await passQuestions(pieces, ({ id }) => id === lastQuestion, signal)) + 1;
  if (request.stream) return sendPart({ runId, part }, { note, after: -1, pieces, answer }, ports, context);
  const describe = (state: ResponseState) => ({ body: buildResponse({ runId, part }, note, state) });
  if (request.background) {
    await pieces.return();
    return describe({ status: 'in_progress' });
  }
  const piece = await wait.within(untilHandedOver(pieces, signal));
  if (piece === undefined) return describe({ status: 'in_progress' });
  if (piece.type === 'waiting')
    return describe({ status: 'completed', handed: await readHandedItem(piece.approval, ports, context) });
  const whole = answer();
  return describe(whole === undefined ? failedState(piece.end) : { status: endStatus(whole), answer: whole });
}

/** Looks up a run by itself. One that Chat Completions have started has no note. */
async function locateContinued(
  { runId: traceId, workflowId }: StartedRun,
  { engine, shown }: OpenAiPorts,
  context: OpenAiContext,
): Promise<{ readonly run: LocatedRun; readonly note?: ResponseNote | undefined }> {
  const run = await locateYoungRun(engine, { ...shown, owner: context.owner }, { traceId, workflowId });
  return { run, note: await readNote(engine, run, context) };
}

/**
 * Approvals of runs that are no responses are unknown here, and outputs are also those of runs of Chat Completions. The run of a
 * workflow is not found by its user, so that the response before says whose it is.
 */
async function giveTo(
  ports: OpenAiPorts,
  { previous_response_id: previousId, answers }: ResponseRequest,
  userId: string | undefined,
  context: OpenAiContext,
): Promise<ContinuedRun & { readonly previous?: StoredResponse }> {
  if (previousId === undefined) {
    const isHanded = async (run: StartedRun): Promise<boolean> =>
      (await readRunNote(ports.engine, run)) !== undefined;
    return giveAnswers(answers, { owner: ownerOf(userId, context), isHanded }, ports, context);
  }
  const previous = await locateRunOf(previousId, ports, context, userId);
  const { runId } = previous.run;
  return { ...(await giveAnswers(answers, { owner: context.owner, runId }, ports, context)), previous };
}
