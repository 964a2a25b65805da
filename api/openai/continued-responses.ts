import type { Approval } from '../../src/contracts/http/approvals';
import { readRunNote } from '../../temporal/runs/run-memo';
import type { StartedRun } from '../../temporal/runs/started-run';
import { untilHandedOver } from './answer-text';
import { ownerOf } from './caller';
import { giveOutputs, readHandedCalls } from './caller-calls';
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
import { callsOf } from './stored-responses';
import { followTurn } from './turn';

export interface FollowedPart extends Pick<ResponsePart, 'part'> {
  readonly run: StartedRun;
  readonly note: ResponseNote;
  /** The workflow type. */
  readonly type: string;
  readonly after: number;
}

/** Streams a part of a run. */
export function followResponse(
  ports: OpenAiPorts,
  { run, note, part, type, after }: FollowedPart,
  context: OpenAiContext,
) {
  const turn = { type, isLive: note.isLive, isPast: beforePart(part) };
  const { pieces, answer } = followTurn(ports.feeds, run, turn, context);
  const events = responseEvents(pieces, {
    part: { runId: run.runId, part },
    note,
    after,
    answer,
    calls: (approval) => readHandedCalls([approval], ports, context),
  });
  return sendEvents(events, (event) => (event as { readonly type: string }).type);
}

/** Whether a question belongs to the parts of a run before one: each of them ends with a call that the caller runs. */
function beforePart(part: number): (approval: Approval) => Promise<boolean> {
  let at = 1;
  return ({ kind }) => {
    const isBefore = at < part;
    if (kind === 'output') at += 1;
    return Promise.resolve(isBefore);
  };
}

/** Gives a run the outputs that it waits for; what follows is the next part of it. */
export async function continueResponse(
  ports: OpenAiPorts,
  request: ResponseRequest,
  userId: string | undefined,
  context: OpenAiContext,
) {
  const { run, lastCall } = await giveOutputs(request.outputs, ports, { owner: ownerOf(userId, context) });
  context.noteRun(run);
  const { runId } = run;
  // A run that Chat Completions have started has no note.
  const known = (await readRunNote(ports.engine, run)) as ResponseNote | undefined;
  const note = known ?? { ...noteOf(request, undefined, false), hasTools: true };
  const calls = await callsOf({ run, note }, ports, context);
  const part = calls.findIndex(({ id }) => id === lastCall) + 2;
  const followed: FollowedPart = { run, note, part, type: 'agentTurn', after: -1 };
  if (request.stream) return followResponse(ports, followed, context);
  const describe = (state: ResponseState) => ({ body: buildResponse({ runId, part }, note, state) });
  if (request.background) return describe({ status: 'in_progress' });
  const turn = { type: 'agentTurn', isLive: false, isPast: beforePart(part) };
  const { pieces, answer } = followTurn(ports.feeds, run, turn, context);
  const piece = await untilHandedOver(pieces, context.signal());
  if (piece.type === 'waiting') {
    const handed = await readHandedCalls([piece.approval], ports, context);
    return describe(handed.length > 0 ? { status: 'completed', calls: handed } : { status: 'in_progress' });
  }
  const whole = answer();
  return describe(whole === undefined ? failedState(piece.end) : { status: endStatus(whole), answer: whole });
}
