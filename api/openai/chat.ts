import type { Approval } from '../../src/contracts/http/approvals';
import { findApproval } from '../../temporal/approvals/read-approval';
import type { StartedRun } from '../../temporal/runs/started-run';
import { type AnswerPiece, passQuestions, untilHandedOver } from './answer-text';
import { ownerOf, readUser, sessionOf } from './caller';
import { readHandedCalls } from './caller-calls';
import { chatCalls, chatCompletion, type ChatHead, chatHead } from './chat-answer';
import { chatChunks } from './chat-chunks';
import { CHAT_PARAMS, type ChatRequest, readChatRequest } from './chat-request';
import { beginningOf, readConversation, readOutputs } from './conversation';
import { toRunFailure } from './errors';
import { type GivenAnswer, giveAnswers } from './given-answers';
import { resolveModel } from './models';
import type { OpenAiContext, OpenAiOperation, OpenAiPorts } from './ports';
import { sendEvents } from './server-sent';
import { approvalsIn, followTurn, NO_ANSWER, notingRun, prepareTurn, startTurn, type Turn } from './turn';
import { limitWait, type LimitedWait, stillGoing } from './wait-limit';
import { describeWaiting } from './waiting-text';

/** Answers a conversation. Each request is one run, but outputs of calls continue the run that has made these. */
export function chatOperation(ports: OpenAiPorts): OpenAiOperation {
  return {
    method: 'post',
    path: '/v1/chat/completions',
    access: 'run',
    async handler({ body }, context) {
      const { request, ignored } = readChatRequest(body);
      const outputs = readOutputs(request.messages, 'messages');
      if (outputs.length > 0) return continueChat(ports, request, outputs, context);
      const turn = await prepareChat(ports, request, context);
      context.ignore(ignored);
      if (!request.stream) return { body: await answerChat(ports, turn, request, context) };
      const run = await startTurn(turn, context);
      return streamChat(ports, run, request, followTurn(ports.feeds, run, turn, context), context);
    },
  };
}

async function prepareChat(ports: OpenAiPorts, request: ChatRequest, context: OpenAiContext): Promise<Turn> {
  const { model, messages } = request;
  const { user, safety_identifier } = request;
  const userId = readUser({ user, safety_identifier }, context);
  const conversation = readConversation(messages, 'messages');
  const target = await resolveModel(model, context.services);
  const session = sessionOf(userId, [model, beginningOf(messages)], context);
  return prepareTurn(
    ports,
    {
      target,
      session,
      conversation,
      maxTokens: request.max_completion_tokens ?? request.max_tokens,
      temperature: request.temperature,
      topP: request.top_p,
      responseSchema: request.responseSchema,
      callerTools: request.callerTools,
      withoutTools: request.withoutTools,
      mustCall: request.mustCall,
    },
    CHAT_PARAMS,
    context,
  );
}

async function answerChat(ports: OpenAiPorts, turn: Turn, { model }: ChatRequest, context: OpenAiContext) {
  const now = Date.now();
  const { starting, run } = notingRun(context);
  const head = (): ChatHead => chatHead(run() ?? { runId: context.requestId }, model, now);
  try {
    const answer = await turn.execute(starting);
    return chatCompletion(head(), answer);
  } catch (error) {
    const approvals = approvalsIn(error);
    if (approvals === undefined) throw error;
    return waitingChat(head(), approvals, ports, context);
  }
}

type Followed = ReturnType<typeof followTurn>;

function streamChat(
  ports: OpenAiPorts,
  run: StartedRun,
  { model, stream_options: options }: ChatRequest,
  { pieces, answer }: Followed,
  context: OpenAiContext,
) {
  return sendEvents(
    chatChunks(withoutAnswered(pieces, ports, context), {
      head: chatHead(run, model, Date.now()),
      includeUsage: options?.include_usage === true,
      answer: () => answer() ?? NO_ANSWER,
      calls: (approval) => readHandedCalls([approval], ports, context),
      describe: (approval) => describeWaiting([approval], ports, context),
    }),
  );
}

/** Gives a run the outputs that it waits for, and follows it from there. */
async function continueChat(
  ports: OpenAiPorts,
  request: ChatRequest,
  outputs: readonly GivenAnswer[],
  context: OpenAiContext,
) {
  const { model, responseSchema, stream } = request;
  const wait = limitWait(context, ports);
  const target = await resolveModel(model, context.services);
  const { user, safety_identifier } = request;
  const userId = readUser({ user, safety_identifier }, context);
  const owner = ownerOf(userId, context);
  const { run, lastQuestion } = await giveAnswers(outputs, { owner }, ports, context);
  context.noteRun(run);
  // A named agent may have a schema, by which an answer is known only at its end.
  const isLive = responseSchema === undefined && target.kind === 'agent' && target.agent === undefined;
  const followed = followTurn(ports.feeds, run, { type: 'agentTurn', isLive }, wait.context);
  await passQuestions(followed.pieces, ({ id }) => id === lastQuestion, wait.context.signal());
  if (stream) return streamChat(ports, run, request, followed, context);
  return { body: await collectChat(ports, run, chatHead(run, model, Date.now()), followed, wait) };
}

async function collectChat(
  ports: OpenAiPorts,
  run: StartedRun,
  head: ChatHead,
  { pieces, answer }: Followed,
  { context, within }: LimitedWait,
) {
  const piece = await within(untilHandedOver(withoutAnswered(pieces, ports, context), context.signal()));
  if (piece === undefined) throw stillGoing(run);
  if (piece.type === 'waiting') return waitingChat(head, [piece.approval], ports, context);
  if (piece.end.type !== 'run.completed') throw toRunFailure(piece.end.error).failure;
  return chatCompletion(head, answer() ?? NO_ANSWER);
}

/** Leaves out the approvals that people have answered by now, of which a text has said where they do. */
async function* withoutAnswered(
  pieces: AsyncIterable<AnswerPiece>,
  { engine, shown: { taskQueue } }: OpenAiPorts,
  { owner }: OpenAiContext,
): AsyncGenerator<AnswerPiece> {
  for await (const piece of pieces) {
    const isApproval = piece.type === 'waiting' && piece.approval.kind !== 'output';
    if (isApproval && !(await isPending(piece.approval.id))) continue;
    yield piece;
  }

  async function isPending(id: string): Promise<boolean> {
    return (await findApproval(engine, taskQueue, id, owner)).approval.status === 'pending';
  }
}

/** The response of a run that waits: the calls that the caller runs, or by which link a person answers. */
async function waitingChat(
  head: ChatHead,
  approvals: readonly Approval[],
  ports: OpenAiPorts,
  context: OpenAiContext,
) {
  const calls = await readHandedCalls(approvals, ports, context);
  if (calls.length > 0) return chatCalls(head, calls);
  return chatCompletion(head, { ...NO_ANSWER, text: describeWaiting(approvals, ports, context) });
}
