import { z } from 'zod';
import { validationError } from '../../src/base/errors';
import type { Attachment } from '../../src/contracts/http/files';
import type { EarlierMessage } from '../../src/contracts/runs/turns';
import type { GivenAnswer } from './given-answers';
import type { LinkedFile } from './linked-files';
import { partSchema, readPart } from './message-parts';

/** A message of Chat Completions, and the items of Responses that are messages. */
export const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(partSchema)]).nullish(),
});
export type Message = z.output<typeof messageSchema>;

/** A conversation, as a turn takes it. */
export interface Conversation {
  /** The last message of the user. */
  readonly query: string;
  /** What system and developer messages say; absent: nothing. */
  readonly instructions?: string | undefined;
  /** The messages before the query, the oldest first. */
  readonly earlier: readonly EarlierMessage[];
  /** The files of the last message. */
  readonly attachments: readonly (Attachment | LinkedFile)[];
  /** Where parts stand that no model will read: files and outputs of earlier messages, and messages that are too far back. */
  readonly ignored: readonly string[];
}

/** A message of the user or of the assistant, and its place among all. */
interface SaidMessage {
  readonly at: number;
  readonly role: EarlierMessage['role'];
  readonly message: Message;
}

/** Maximum length of the messages before the query, characters: each call of a model sends them. */
const MAX_EARLIER = 200_000;

/**
 * Divides the messages of a conversation into what a turn takes: query, instructions and earlier messages. Pure.
 * @param field the parameter that has them
 * @throws HoldfastError `VALIDATION`
 */
export function readConversation(messages: readonly Message[], field: string): Conversation {
  const instructions: string[] = [];
  const saidMessages: SaidMessage[] = [];
  const outputs: string[] = [];
  for (const [at, message] of messages.entries()) {
    const { role } = message;
    if (role === 'system' || role === 'developer') {
      const { text } = readContent(message, `${field}[${at}]`);
      if (text !== '') instructions.push(text);
    } else if (role === 'user' || role === 'assistant') saidMessages.push({ at, role, message });
    // The answer after a call says what its output was good for.
    else if (role === 'tool') outputs.push(`${field}[${at}]`);
    else throw validationError(`${field}[${at}].role`, 'must be system, developer, user, assistant or tool');
  }
  const last = saidMessages.pop();
  if (last?.role !== 'user')
    throw validationError(field, 'must end with a message of the user, to which the answer is given');
  const { earlier, ignored } = readEarlier(saidMessages, field);
  const { text: query, files } = readContent(last.message, `${field}[${last.at}]`);
  return {
    query,
    ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
    attachments: files.map(({ file }) => file),
    earlier,
    ignored: [...outputs, ...ignored],
  };
}

function readEarlier(
  saidMessages: readonly SaidMessage[],
  field: string,
): Pick<Conversation, 'earlier' | 'ignored'> {
  const earlier: EarlierMessage[] = [];
  const ignored: string[] = [];
  let room = MAX_EARLIER;
  for (const { at, role, message } of [...saidMessages].reverse()) {
    const { text, files } = readContent(message, `${field}[${at}]`);
    room -= text.length;
    if (room < 0) ignored.unshift(`${field}[${at}]`);
    else {
      ignored.unshift(...files.map((file) => file.field));
      if (text.trim() !== '') earlier.unshift({ role, content: text });
    }
  }
  return { earlier, ignored };
}

/** Keeps the latest messages, as many as a turn takes. Pure. */
export function keepLatest(earlier: readonly EarlierMessage[]): readonly EarlierMessage[] {
  let room = MAX_EARLIER;
  const isTooFar = ({ content }: EarlierMessage): boolean => (room -= content.length) < 0;
  return earlier.slice(earlier.findLastIndex(isTooFar) + 1);
}

/** What the first message of the user says, by which a conversation without a name is known. Pure. */
export function beginningOf(messages: readonly Message[]): unknown {
  return messages.find(({ role }) => role === 'user')?.content;
}

function readContent({ content }: Message, field: string) {
  const texts: string[] = [];
  const files: { readonly field: string; readonly file: Attachment | LinkedFile }[] = [];
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  for (const [index, part] of parts.entries()) {
    const place = `${field}.content[${index}]`;
    const read = readPart(part, place, files.length + 1);
    if ('text' in read) texts.push(read.text);
    else files.push({ field: place, file: read.file });
  }
  return { text: texts.join('\n'), files };
}

/**
 * Reads the outputs of calls of the caller's tools with which a conversation ends; empty if it ends otherwise. Pure.
 * @throws HoldfastError `VALIDATION`
 */
export function readOutputs(messages: readonly Message[], field: string): readonly GivenAnswer[] {
  const first = messages.findLastIndex(({ role }) => role !== 'tool') + 1;
  return messages.slice(first).map((message, index) => {
    const place = `${field}[${first + index}]`;
    const { tool_call_id: id } = message;
    if (typeof id !== 'string') throw validationError(`${place}.tool_call_id`, 'is required');
    return { id, output: readContent(message, place).text, field: `${place}.tool_call_id` };
  });
}
