import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import { RUN_USER } from '../../src/secrets/pseudonyms';
import { stopRun } from '../../temporal/runs/stop-run';
import type { StartedRun } from '../../temporal/runs/started-run';
import { parseInput } from '../http/input';
import { readUser, sessionOf } from './caller';
import { continueResponse, followResponse } from './continued-responses';
import { beginningOf, keepLatest, readConversation } from './conversation';
import { readHandedItem } from './handed-over';
import { resolveModel } from './models';
import type { OpenAiContext, OpenAiOperation, OpenAiPorts } from './ports';
import {
  buildResponse,
  endStatus,
  noteOf,
  type ResponseNote,
  type ResponseState,
  toKeptNote,
} from './response-object';
import { readResponseRequest, RESPONSE_PARAMS, type ResponseRequest } from './response-request';
import {
  deleteResponse,
  locateResponse,
  questionsOf,
  readPrevious,
  readState,
  toState,
} from './stored-responses';
import { isStillOpen, notingRun, prepareTurn, startTurn, type Turn } from './turn';

const flag = z.enum(['true', 'false']).default('false');
const retrieveQuery = z.object({
  stream: flag,
  starting_after: z.coerce.number<string>().int().min(-1).default(-1),
});

/** Makes, retrieves, cancels and deletes responses, each of which is a run. */
export function responseOperations(ports: OpenAiPorts): readonly OpenAiOperation[] {
  const path = '/v1/responses/:id';
  return [
    {
      method: 'post',
      path: '/v1/responses',
      access: 'run',
      handler: ({ body }, context) => create(ports, body, context),
    },
    {
      method: 'get',
      path,
      access: 'run',
      async handler({ params: { id = '' }, query }, context) {
        const { stream, starting_after: after } = parseInput(retrieveQuery, query, 'query') as z.output<
          typeof retrieveQuery
        >;
        const response = await locateResponse(id, ports, context);
        const { run, note, part } = response;
        if (stream === 'true')
          return followResponse(ports, { run, note, part, type: run.type, after }, context);
        return {
          body: buildResponse({ runId: run.runId, part }, note, await readState(response, ports, context)),
        };
      },
    },
    {
      method: 'post',
      path: `${path}/cancel`,
      access: 'run',
      async handler({ params: { id = '' } }, context) {
        const { run, note, part } = await locateResponse(id, ports, context);
        const record = await cancel(ports, run, context);
        const state = await toState(context.redactor.value(record), context.admit);
        // The engine has the request, also if the run has not ended yet.
        const shownState: ResponseState = state.status === 'in_progress' ? { status: 'cancelled' } : state;
        return { body: buildResponse({ runId: run.runId, part }, note, shownState) };
      },
    },
    {
      method: 'delete',
      path,
      access: 'run',
      async handler({ params: { id = '' } }, context) {
        const response = await locateResponse(id, ports, context);
        // The turn gives its place in its session back.
        if (response.run.isOpen) await cancel(ports, response.run, context);
        await deleteResponse(response, ports, context.services);
        return { body: { id, object: 'response', deleted: true } };
      },
    },
  ];
}

function cancel({ engine, shown }: OpenAiPorts, { workflowId, runId }: StartedRun, context: OpenAiContext) {
  const { owner, admit } = context;
  const reference = { traceId: runId, workflowId };
  return stopRun(engine, { ...shown, owner, admit }, reference, {
    how: 'cancel',
    reason: 'requested by the caller',
  });
}

async function create(ports: OpenAiPorts, body: unknown, context: OpenAiContext) {
  const { request, ignored } = readResponseRequest(body);
  const userId = readUser({ user: request.user, safety_identifier: request.safety_identifier }, context);
  context.ignore(ignored);
  if (request.answers.length > 0) return continueResponse(ports, request, userId, context);
  const { turn, systemText } = await prepareResponse(ports, request, userId, context);
  const owner = userId === undefined ? undefined : context.services.pseudonyms(RUN_USER, userId);
  // An erasure of the user finds no run of a workflow, so that this names no user. It has no tools and no session.
  const ofWorkflow = { safety_identifier: undefined, conversation: undefined, callerTools: [] };
  const effective = turn.type === 'agentTurn' ? request : { ...request, ...ofWorkflow };
  const note = noteOf(effective, { owner, isLive: turn.isLive, systemText });
  const starting = { ...context, note: toKeptNote(note) };
  if (request.stream) {
    const run = await startTurn(turn, starting);
    return followResponse(ports, { run, note, part: 1, type: turn.type, after: -1 }, context);
  }
  if (request.background) {
    const { runId } = await startTurn(turn, starting);
    return { body: buildResponse({ runId, part: 1 }, note, { status: 'in_progress' }) };
  }
  return { body: await answerOnce(ports, turn, note, starting) };
}

async function prepareResponse(
  ports: OpenAiPorts,
  { model, messages, instructions, previous_response_id: previousId, ...request }: ResponseRequest,
  userId: string | undefined,
  context: OpenAiContext,
): Promise<{ readonly turn: Turn; readonly systemText: string | undefined }> {
  const target = await resolveModel(model, context.services);
  const conversation = readConversation(messages, 'input');
  const previous =
    previousId === undefined ? undefined : await readPrevious(previousId, ports, context, userId);
  const session = sessionOf(userId, [model, beginningOf(messages)], context);
  const { conversation: namedSession } = request;
  if (namedSession !== undefined && target.kind === 'workflow') context.ignore(['conversation']);
  else if (namedSession !== undefined && !session.isNamed)
    throw validationError('conversation', 'needs a user, whose session it names, as in safety_identifier');
  // Instructions are those of one request, and messages a part of the conversation.
  const systemText = joinNew(previous?.systemText, conversation.instructions);
  const all = [...(previous?.earlier ?? []), ...conversation.earlier];
  const earlier = keepLatest(all);
  if (earlier.length < all.length) context.ignore(['previous_response_id']);
  const isContinued = session.isNamed && context.header('X-Session-Id') === undefined;
  const sessionId = namedSession?.id ?? (isContinued ? previous?.sessionId : undefined) ?? session.sessionId;
  const turn = await prepareTurn(
    ports,
    {
      target,
      session: { ...session, sessionId },
      conversation: {
        ...conversation,
        instructions: joinTexts(instructions, systemText),
        earlier,
      },
      maxTokens: request.max_output_tokens,
      temperature: request.temperature,
      topP: request.top_p,
      responseSchema: request.responseSchema,
      callerTools: request.callerTools,
      withoutTools: request.withoutTools,
      mustCall: request.mustCall,
    },
    namedSession === undefined
      ? RESPONSE_PARAMS
      : { ...RESPONSE_PARAMS, 'options.sessionId': 'conversation' },
    context,
  );
  return { turn, systemText };
}

/** @returns undefined if there are none */
function joinTexts(...texts: readonly (string | undefined)[]): string | undefined {
  return texts.filter((text) => text !== undefined).join('\n\n') || undefined;
}

/** Joins what system messages say now to what they said before, without what they said before. Pure. */
function joinNew(before: string | undefined, text: string | undefined): string | undefined {
  const isKnown = text !== undefined && `\n\n${before ?? ''}\n\n`.includes(`\n\n${text}\n\n`);
  return isKnown ? before : joinTexts(before, text);
}

/** Waits for the answer, or for a question to the caller. A run that works longer than a request may wait is in progress. */
async function answerOnce(
  ports: OpenAiPorts,
  turn: Turn,
  note: ResponseNote,
  context: OpenAiContext,
): Promise<object> {
  const { starting, run } = notingRun(context);
  const describe = (state: ResponseState) =>
    buildResponse({ runId: run()?.runId ?? '', part: 1 }, note, state);
  async function firstQuestion(started: StartedRun | undefined): Promise<ResponseState | undefined> {
    const [question] = started === undefined ? [] : await questionsOf(started, ports, context);
    if (question === undefined) return undefined;
    return { status: 'completed', handed: await readHandedItem(question, ports, context) };
  }
  try {
    const answer = await turn.execute(starting);
    // A repeat of a request may find that its run has asked before.
    return describe((await firstQuestion(run()?.repeated && run())) ?? { status: endStatus(answer), answer });
  } catch (error) {
    if (run() === undefined || !isStillOpen(error)) throw error;
    return describe((await firstQuestion(run())) ?? { status: 'in_progress' });
  }
}
