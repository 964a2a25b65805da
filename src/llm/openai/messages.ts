import type OpenAI from 'openai';
import type { ChatMessage, ToolChoiceResult, ToolRequest } from '../../contracts/http/llm';
import type { FunctionNames } from './function-names';

export type Message = OpenAI.ChatCompletionMessageParam;
/** A request, which asks for a stream if it is sent as one. */
export type Body = OpenAI.ChatCompletionCreateParamsNonStreaming & {
  stream_options?: { readonly include_usage: boolean };
};

/** A conversation in the form of the chat API. Results of tools are JSON text; those of failed tools are marked. */
export function toMessages(messages: readonly ChatMessage[], names: FunctionNames): Message[] {
  return messages.map((message): Message => {
    switch (message.role) {
      case 'system':
      case 'user':
        return { role: message.role, content: message.content };
      case 'assistant':
        return withRequests(message, names);
      case 'tool':
        return {
          role: 'tool',
          tool_call_id: message.requestId,
          content: toText(
            message.failed === true ? { failed: true, error: message.content } : message.content,
          ),
        };
      default:
        return assertNever(message);
    }
  });
}

/** Appends an answer and an objection to it, so that the model can answer again. */
export function withObjection(messages: readonly Message[], answer: string, objection: string): Message[] {
  const said: Message[] = answer === '' ? [] : [{ role: 'assistant', content: answer }];
  return [...messages, ...said, { role: 'user', content: objection }];
}

function withRequests(
  { content, thoughts, extra, toolRequests = [] }: Extract<ChatMessage, { readonly role: 'assistant' }>,
  names: FunctionNames,
): Message {
  if (toolRequests.length === 0) return { role: 'assistant', content };
  return toCallingMessage(
    { content, thoughts, extra },
    toolRequests.map((request) => ({ request, name: names.functionOf(request.toolName) })),
  );
}

/** What a model said and thought beside its calls. */
type Said = Pick<ToolChoiceResult, 'content'> & {
  readonly [field in 'thoughts' | 'extra']?: ToolChoiceResult[field] | undefined;
};

/** A message by which a model calls functions, with what its server wants back. */
export function toCallingMessage(
  { content, thoughts, extra: returned }: Said,
  calls: readonly { readonly request: ToolRequest; readonly name: string }[],
): Message {
  return {
    role: 'assistant',
    content,
    ...(thoughts === undefined ? {} : { reasoning_content: thoughts }),
    ...returned,
    tool_calls: calls.map(({ request: { id, args, extra }, name }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
      ...(extra === undefined ? {} : { extra_content: extra }),
    })),
  };
}

function toText(value: unknown): string {
  return JSON.stringify(value ?? null);
}

function assertNever(value: never): never {
  throw new Error(`unknown message ${JSON.stringify(value)}`);
}
