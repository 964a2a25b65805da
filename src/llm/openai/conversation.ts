import type OpenAI from 'openai';
import { imagesIn, type Message, textOfContent } from './messages';

/** What a server takes of a conversation. */
export interface ConversationForm {
  /** False: what a system message says stands at the beginning of the first message of the user. */
  readonly hasSystem: boolean;
  /** What a message has as its content that calls functions and says nothing. */
  readonly emptyContent: null | '';
  /** False: calls and their results are texts of assistant and user. */
  readonly hasToolMessages: boolean;
}

type Role = 'system' | 'user' | 'assistant';

/**
 * Puts a conversation into the form that every chat template takes: one system message, first, with everything that
 * instructs; then user and assistant in turn, since templates raise an error otherwise. Neighbours of one role become one
 * message, and a message that says nothing is left out. Pure.
 * @param instructions further texts for the system message
 */
export function shapeConversation(
  messages: readonly Message[],
  instructions: readonly string[],
  form: ConversationForm,
): Message[] {
  const plain = form.hasToolMessages ? messages : withoutToolMessages(messages);
  const system = [...plain.filter(isSystem).map(textOf), ...instructions].filter(isSaid).join('\n\n');
  const rest = mergeNeighbours(plain.filter((message) => !isSystem(message)));
  const shaped = rest.map((message) => withEmptyContent(message, form.emptyContent));
  if (system === '') return shaped;
  if (form.hasSystem) return [{ role: 'system', content: system }, ...shaped];
  return mergeNeighbours([{ role: 'user', content: system }, ...shaped]);
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

function mergeNeighbours(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    if (isCalling(message) || message.role === 'tool') {
      merged.push(message);
      continue;
    }
    if (!isSaid(textOf(message))) continue;
    const before = merged.at(-1);
    if (before?.role === message.role && !isCalling(before))
      merged[merged.length - 1] = join(message.role as Role, before, message);
    else merged.push(message);
  }
  return merged;
}

/** Writes calls as JSON of the assistant, and their results as texts of the user. */
function withoutToolMessages(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>();
  return messages.map((message): Message => {
    if (message.role === 'tool') {
      const name = names.get(message.tool_call_id) ?? 'a tool';
      return { role: 'user', content: `Result of ${name}:\n${textOf(message)}` };
    }
    if (!isCalling(message)) return message;
    const calls = (message.tool_calls ?? []).flatMap((call) => {
      if (call.type !== 'function') return [];
      names.set(call.id, call.function.name);
      return `{"name": ${JSON.stringify(call.function.name)}, "arguments": ${call.function.arguments}}`;
    });
    return say('assistant', [textOf(message), ...calls].filter(isSaid), '\n');
  });
}

function isCalling(message: Message): message is Extract<Message, { readonly role: 'assistant' }> {
  return message.role === 'assistant' && (message.tool_calls ?? []).length > 0;
}

function withEmptyContent(message: Message, empty: null | ''): Message {
  return isCalling(message) && !isSaid(textOf(message)) ? { ...message, content: empty } : message;
}

function say(role: Role, texts: readonly string[], between = '\n\n'): Message {
  return { role, content: texts.join(between) };
}

/** Joins two messages of one role, of which images stay where they are. */
function join(role: Role, before: Message, message: Message): Message {
  if (imagesIn(before.content) + imagesIn(message.content) === 0)
    return say(role, [before, message].map(textOf));
  return { role: 'user', content: [...partsOf(before), { type: 'text', text: '\n\n' }, ...partsOf(message)] };
}

function partsOf({ content }: Message): OpenAI.ChatCompletionContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (content ?? []) as OpenAI.ChatCompletionContentPart[];
}

function isSaid(text: string): boolean {
  return text.trim() !== '';
}

function textOf({ content }: Message): string {
  return textOfContent(content);
}
