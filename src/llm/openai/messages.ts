import type OpenAI from 'openai';
import type { ChatMessage, ToolChoiceResult, ToolRequest } from '../../contracts/http/llm';
import { partsOf } from '../file-parts';
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
        return { role: 'system', content: message.content };
      case 'user':
        return { role: 'user', content: toContent(message) };
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
  const answerMessages: Message[] = answer === '' ? [] : [{ role: 'assistant', content: answer }];
  return [...messages, ...answerMessages, { role: 'user', content: objection }];
}

/** A text or, if there are images, the parts of it and the images in their order. */
function toContent(
  message: Extract<ChatMessage, { readonly role: 'user' }>,
): OpenAI.ChatCompletionUserMessageParam['content'] {
  const parts = partsOf(message).map((part): OpenAI.ChatCompletionContentPart => {
    if ('text' in part) return { type: 'text', text: part.text };
    const { type, data } = part.image;
    return { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } };
  });
  return imagesIn(parts) > 0 ? parts : textOfContent(parts);
}

/** The texts of a message's content. Pure. */
export function textOfContent(content: Message['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join('');
}

/** The number of images in a message's content. Pure. */
export function imagesIn(content: Message['content']): number {
  return typeof content === 'string' ? 0 : (content ?? []).filter(({ type }) => type === 'image_url').length;
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
