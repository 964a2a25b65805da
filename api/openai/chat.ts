import { readUser, sessionOf } from './caller';
import { chatCompletion, chatHead } from './chat-answer';
import { chatChunks } from './chat-chunks';
import { CHAT_PARAMS, type ChatRequest, readChatRequest } from './chat-request';
import { beginningOf, readConversation } from './conversation';
import { resolveModel } from './models';
import type { OpenAiContext, OpenAiOperation, OpenAiPorts } from './ports';
import { sendEvents, type SentItem } from './server-sent';
import { approvalsIn, followTurn, NO_ANSWER, notingRun, prepareTurn, startTurn, type Turn } from './turn';
import { describeWaiting } from './waiting-text';

/** Answers a conversation, each request by one run. */
export function chatOperation(ports: OpenAiPorts): OpenAiOperation {
  return {
    method: 'post',
    path: '/v1/chat/completions',
    access: 'run',
    async handler({ body }, context) {
      const { request, ignored } = readChatRequest(body);
      const turn = await prepareChat(ports, request, context);
      context.ignore(ignored);
      return request.stream
        ? sendEvents(await streamChat(ports, turn, request, context))
        : { body: await answerChat(ports, turn, request, context) };
    },
  };
}

async function prepareChat(ports: OpenAiPorts, request: ChatRequest, context: OpenAiContext): Promise<Turn> {
  const { model, messages } = request;
  const userId = readUser(request, context);
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
      withoutTools: request.tool_choice === 'none',
    },
    CHAT_PARAMS,
    context,
  );
}

async function answerChat(ports: OpenAiPorts, turn: Turn, { model }: ChatRequest, context: OpenAiContext) {
  const now = Date.now();
  const { starting, run } = notingRun(context);
  const answer = await turn.execute(starting).catch((error: unknown) => {
    const approvals = approvalsIn(error);
    if (approvals === undefined) throw error;
    return { ...NO_ANSWER, text: describeWaiting(approvals, ports, context) };
  });
  return chatCompletion(chatHead(run() ?? { runId: context.requestId }, model, now), answer);
}

async function streamChat(
  ports: OpenAiPorts,
  turn: Turn,
  { model, stream_options: options }: ChatRequest,
  context: OpenAiContext,
): Promise<AsyncIterable<SentItem>> {
  const now = Date.now();
  const run = await startTurn(turn, context);
  const { pieces, answer } = followTurn(ports.feeds, run, turn, context);
  return chatChunks(pieces, {
    head: chatHead(run, model, now),
    includeUsage: options?.include_usage === true,
    answer: () => answer() ?? NO_ANSWER,
    describe: (approval) => describeWaiting([approval], ports, context),
  });
}
