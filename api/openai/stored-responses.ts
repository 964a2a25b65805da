import { HoldfastError, isHoldfastError } from '../../src/base/errors';
import type { EarlierMessage } from '../../src/contracts/runs/turns';
import type { AgentTurnInput } from '../../src/contracts/runs/agent';
import type { Approval } from '../../src/contracts/http/approvals';
import { RUN_USER } from '../../src/secrets/pseudonyms';
import { mayBeOfApproval } from '../../temporal/run-events/logged-events';
import { readWholeLog } from '../../temporal/run-events/read-log';
import type { Engine } from '../../temporal/engine';
import { callEngine } from '../../temporal/runs/call-engine';
import type { LocatedRun, RunRecord } from '../../temporal/runs/run-lookup';
import { readRunNote } from '../../temporal/runs/run-memo';
import { readRunInput } from '../../temporal/runs/run-result';
import type { StartedRun } from '../../temporal/runs/started-run';
import { isOpenStatus } from '../../temporal/runs/run-status';
import { deleteRun } from '../../temporal/runs/user-runs';
import { findYoungRun, locateYoungRun } from '../../temporal/runs/young-run';
import { serverClock } from '../../temporal/server-clock';
import { readUser } from './caller';
import { readHandedItem } from './handed-over';
import { failedState } from './response-events';
import { endStatus, type KeptNote, type ResponseNote, type ResponseState, toNote } from './response-object';
import type { OpenAiContext, OpenAiPorts } from './ports';
import { readAnswer } from './turn';

const ID = /^resp_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_([1-9]\d{0,3}))?$/;
/** The runs whose responses were deleted. The server needs up to about half a minute for the deletion itself. */
const DELETED = 'openai-deleted-responses';
const KEPT_FOR_MS = 86_400_000;
const INPUT_LIMIT_MS = 5_000;

/** A response that its caller may see. */
export interface StoredResponse {
  readonly run: LocatedRun;
  readonly note: ResponseNote;
  /** As in `ResponsePart`. */
  readonly part: number;
  /** Present if they were read to find it. */
  readonly questions?: readonly Approval[] | undefined;
}

/** @throws HoldfastError `RUN_NOT_FOUND`, also if the response is that of another user; `ENGINE_UNAVAILABLE` */
export async function locateResponse(
  id: string,
  ports: Pick<OpenAiPorts, 'engine' | 'shown'>,
  context: OpenAiContext,
  user = readUser({}, context),
): Promise<StoredResponse> {
  const { part, ...located } = await locateRunOf(id, ports, context, user);
  if (part === 1) return { part, ...located };
  const questions = await questionsOf(located.run, ports, context);
  if (part > questions.length + 1) throw notFound(id);
  return { part, ...located, questions };
}

/** Looks up the run of a response, and not whether it has come to the part. @throws HoldfastError as `locateResponse` does */
export async function locateRunOf(
  id: string,
  { engine, shown }: Pick<OpenAiPorts, 'engine' | 'shown'>,
  context: OpenAiContext,
  user: string | undefined,
): Promise<StoredResponse> {
  const [, traceId, part = '1'] = ID.exec(id) ?? [];
  const { documents, pseudonyms } = context.services;
  if (traceId === undefined || (await documents.get(DELETED, traceId)) !== undefined) throw notFound(id);
  try {
    const run = await locateYoungRun(engine, { ...shown, owner: context.owner }, { traceId });
    const note = await readNote(engine, run, context);
    const isOfOther = user !== undefined && note?.owner !== pseudonyms(RUN_USER, user);
    if (note === undefined || isOfOther) throw notFound(id);
    return { run, note, part: Number(part) };
  } catch (error) {
    throw isHoldfastError(error) && error.code === 'RUN_NOT_FOUND' ? notFound(id) : error;
  }
}

/** Reads what the run of a response keeps of its request; undefined for a run that no response has. @throws HoldfastError `ENGINE_UNAVAILABLE` */
export async function readNote(
  engine: Engine,
  run: StartedRun,
  context: Pick<OpenAiContext, 'admit'>,
): Promise<ResponseNote | undefined> {
  const note = (await readRunNote(engine, run)) as KeptNote | undefined;
  if (note === undefined) return undefined;
  const { callerTools = [] } = note.hasTools === true ? await readTurnInput(engine, run, context) : {};
  return toNote(note, callerTools);
}

function readTurnInput(
  engine: Engine,
  run: StartedRun,
  { admit }: Pick<OpenAiContext, 'admit'>,
): Promise<AgentTurnInput> {
  return callEngine(engine, INPUT_LIMIT_MS, (connection) =>
    readRunInput(connection, run, admit),
  ) as Promise<AgentTurnInput>;
}

/** What a run has asked so far, in the order of its questions, each of which ends a part of it. */
export async function questionsOf(
  run: StartedRun,
  { engine }: Pick<OpenAiPorts, 'engine'>,
  { admit, signal }: OpenAiContext,
): Promise<readonly Approval[]> {
  if (run.mayPause !== true) return [];
  const { events } = await readWholeLog(engine, run, {
    needs: mayBeOfApproval,
    toData: (_type, result) => Promise.resolve(result),
    admit,
    signal: signal(),
  });
  return events.flatMap(({ type, approval }) =>
    type === 'approval.requested' && approval !== undefined ? [approval] : [],
  );
}

/** Reads how far a response has come. */
export async function readState(
  response: StoredResponse,
  ports: Pick<OpenAiPorts, 'engine' | 'shown'>,
  context: OpenAiContext,
): Promise<ResponseState> {
  const questions = response.questions ?? (await questionsOf(response.run, ports, context));
  const question = questions[response.part - 1];
  if (question !== undefined)
    return { status: 'completed', handed: await readHandedItem(question, ports, context) };
  const { engine, shown } = ports;
  const { owner, admit, redactor } = context;
  const { run } = response;
  const { workflowId, runId } = run;
  const scope = { ...shown, owner, admit };
  return toState(redactor.value(await findYoungRun(engine, scope, { traceId: runId, workflowId })), admit);
}

/** The state of a response by the record of its run. */
export async function toState(
  { type, status, result, error }: RunRecord,
  admit: OpenAiContext['admit'],
): Promise<ResponseState> {
  if (isOpenStatus(status)) return { status: 'in_progress' };
  if (error !== undefined || result === undefined)
    return failedState({ type: status === 'cancelled' ? 'run.cancelled' : 'run.failed', error });
  const answer = await readAnswer(type, result, admit);
  return { status: endStatus(answer), answer };
}

/** The conversation up to the end of a response, and the session that it was in. */
export interface PreviousTurn {
  readonly earlier: readonly EarlierMessage[];
  readonly sessionId: string | undefined;
  /** What its system and developer messages say; absent: nothing. */
  readonly systemText?: string | undefined;
}

/**
 * Reads the conversation that a response ends.
 * @throws HoldfastError `VALIDATION` if it has no answer; as `locateResponse` does
 */
export async function readPrevious(
  id: string,
  ports: OpenAiPorts,
  context: OpenAiContext,
  userId: string | undefined,
): Promise<PreviousTurn> {
  const response = await locateResponse(id, ports, context, userId);
  const { answer } = await readState(response, ports, context);
  const field = 'previous_response_id';
  if (answer === undefined) {
    const message = `The response ${id} has no answer, so that nothing can follow it`;
    throw new HoldfastError('VALIDATION', message, { details: { field, message } });
  }
  const { run, note } = response;
  if (run.type !== 'agentTurn')
    return { earlier: [{ role: 'assistant', content: answer.text }], sessionId: undefined };
  const { earlier = [], query, sessionId } = await readTurnInput(ports.engine, run, context);
  const turnMessages: EarlierMessage[] = [
    { role: 'user', content: query },
    { role: 'assistant', content: answer.text },
  ];
  const { systemText } = note;
  return {
    earlier: [...earlier, ...turnMessages.filter(({ content }) => content.trim() !== '')],
    sessionId,
    systemText,
  };
}

/** Ends the run of a response and removes it. From then on no process finds the response. */
export async function deleteResponse(
  { run }: StoredResponse,
  { engine, blobs }: Pick<OpenAiPorts, 'engine' | 'blobs'>,
  { documents }: Pick<OpenAiContext['services'], 'documents'>,
): Promise<void> {
  const { workflowId, runId } = run;
  await deleteRun({ connection: engine.current(), blobs }, { workflowId, runId }, 'the response is deleted');
  const expiresAt = serverClock.now() + KEPT_FOR_MS;
  await documents.write([{ type: 'put', collection: DELETED, key: runId, value: {}, expiresAt }]);
}

function notFound(id: string): HoldfastError {
  return new HoldfastError('RUN_NOT_FOUND', `Response with id '${id.slice(0, 64)}' not found`);
}
