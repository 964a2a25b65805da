import { escaped } from '../base/text/elements';
import type { ImageFile, TextFile, TurnFile } from '../contracts/http/files';
import type { ChatMessage } from '../contracts/http/llm';

/** A tag of an element that separates data from the request, also in a form that a model might take for one. */
const TAG = /<(?=[\s/]*(?:files?|facts?|memor(?:y|ies)|knowledge|message|instructions?)\b)/gi;

type UserMessage = Extract<ChatMessage, { readonly role: 'user' }>;

/** A part of what a model is sent of a message. */
export type MessagePart = { readonly text: string } | { readonly image: ImageFile };

/** The number of images in a conversation. Pure. */
export function countImages(messages: readonly ChatMessage[]): number {
  let count = 0;
  for (const message of messages)
    if (message.role === 'user') count += (message.files ?? []).filter(isImage).length;
  return count;
}

/** Whether a conversation has texts of files, which may be longer than a model reads. Pure. */
export function hasTextFiles(messages: readonly ChatMessage[]): boolean {
  return messages.some(
    (message) => message.role === 'user' && message.files?.some((file) => !isImage(file)) === true,
  );
}

/** Gives the last message of the user what was sent with it. Pure. */
export function withFiles(
  messages: readonly ChatMessage[],
  files: readonly TurnFile[] | undefined,
): readonly ChatMessage[] {
  if (files === undefined) return messages;
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) =>
    index === last && message.role === 'user' ? { ...message, files } : message,
  );
}

/** The parts of a message: its files, each named by an element that its content cannot close, and then its words. Pure. */
export function partsOf({ content, files = [] }: UserMessage): MessagePart[] {
  const parts: MessagePart[] = [];
  let text = '';
  for (const file of files) {
    text += `${elementOf(file)}\n`;
    if (!isImage(file)) continue;
    parts.push({ text }, { image: file });
    text = '';
  }
  return [...parts, { text: files.length === 0 ? content : `${text}\n${content}` }];
}

/** The texts of a message with its files. Pure. */
export function textWithFiles(message: UserMessage): string {
  return partsOf(message)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
}

export function isImage(file: TurnFile): file is ImageFile {
  return 'data' in file;
}

function elementOf(file: TurnFile): string {
  const head = `<file name="${escaped(file.name)}" type="${escaped(file.type)}"`;
  if (isImage(file)) return `${head}>The image follows.</file>`;
  return `${head}${noteOfCut(file)}>\n${withoutTags(file.text)}\n</file>`;
}

function noteOfCut({ text, wholeLength }: TextFile): string {
  return wholeLength === undefined ? '' : ` cut="the first ${text.length} of ${wholeLength} characters"`;
}

/** Other marks stay as they are, because code and tables are read better so. */
function withoutTags(text: string): string {
  return text.replace(TAG, '&lt;');
}
