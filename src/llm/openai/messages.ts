import type OpenAI from 'openai';
import type { ChatMessage, ChatRequest, ToolRequest } from '../../contracts/http/llm';
import type { FunctionNames } from './function-names';

export type Message = OpenAI.ChatCompletionMessageParam;

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

/** Appends the text to the system message, because models are trained on a single one at the beginning. */
export function withInstruction(messages: readonly Message[], instruction: string): Message[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system' || typeof first.content !== 'string') {
    return [{ role: 'system', content: instruction }, ...messages];
  }
  return [{ role: 'system', content: `${first.content}\n\n${instruction}` }, ...rest];
}

/** Appends an answer and an objection to it, so that the model can answer again. */
export function withObjection(messages: readonly Message[], answer: string, objection: string): Message[] {
  const said: Message[] = answer === '' ? [] : [{ role: 'assistant', content: answer }];
  return [...messages, ...said, { role: 'user', content: objection }];
}

/**
 * The settings that the caller has set; the provider has defaults for the rest.
 * @param isSampled whether temperature and the like are among them
 */
export function generationSettings(
  { temperature, topP, maxTokens }: ChatRequest,
  limitName: 'max_tokens' | 'max_completion_tokens',
  { isSampled }: { readonly isSampled: boolean },
): Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> {
  return {
    ...(isSampled ? { temperature, top_p: topP } : {}),
    [limitName]: maxTokens,
  };
}

function withRequests(
  { content, thoughts, toolRequests = [] }: Extract<ChatMessage, { readonly role: 'assistant' }>,
  names: FunctionNames,
): Message {
  if (toolRequests.length === 0) return { role: 'assistant', content };
  return toCallingMessage(
    { content, thoughts },
    toolRequests.map((request) => ({ request, name: names.functionOf(request.toolName) })),
  );
}

/** A message by which a model calls functions, with what its server wants back. */
export function toCallingMessage(
  { content, thoughts }: { readonly content: string; readonly thoughts?: string | undefined },
  calls: readonly { readonly request: ToolRequest; readonly name: string }[],
): Message {
  return {
    role: 'assistant',
    content,
    ...(thoughts === undefined ? {} : { reasoning_content: thoughts }),
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
