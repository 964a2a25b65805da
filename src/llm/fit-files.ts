import { cutText } from '../base/text/well-formed';
import type { Degradation } from '../contracts/http/conversations';
import type { TextFile } from '../contracts/http/files';
import type { ChatMessage } from '../contracts/http/llm';
import type { ModelChoice } from '../contracts/runs/workflows';
import { isImage } from './file-parts';
import { estimateTokens } from './prompt-tokens';
import type { LlmProvider } from './provider';
import { roomFor } from './prompt-room';

/** Each try has this share of the characters of the one before, as tokens are only estimated. */
const SMALLER = 0.8;
const TRIES = 8;
/** A file keeps this many characters at least: if not even these fit, the server says so. */
const MIN_CHARACTERS = 200;

export interface FittedFiles {
  readonly messages: readonly ChatMessage[];
  /** Empty if nothing was cut. */
  readonly degraded: readonly Degradation[];
}

/** What a prompt has room for besides files. */
interface Besides {
  /** What is sent with the messages, as in `Prompt`. */
  readonly more?: unknown;
  /** Tokens that are kept for what is still added to the messages, if the context is large enough. Default 0. */
  readonly reserve?: number;
}

/**
 * Cuts the texts of files so that a prompt fits the model's context, if the size of that is known: the longest first, each to
 * the same length, and each from its end.
 */
export async function fitFiles(
  provider: Pick<LlmProvider, 'contextTokens' | 'estimatePrompt'>,
  choice: Pick<ModelChoice, 'model' | 'maxTokens'>,
  messages: readonly ChatMessage[],
  { more, reserve = 0 }: Besides = {},
): Promise<FittedFiles> {
  const { model } = choice;
  const { estimatePrompt } = provider;
  const whole = textFilesIn(messages);
  if (whole.length === 0 || estimatePrompt === undefined) return { messages, degraded: [] };
  const size = await provider.contextTokens?.(model);
  if (size === undefined) return { messages, degraded: [] };
  const estimate = (each: readonly ChatMessage[]): number => estimatePrompt({ messages: each, more, model });
  const room = roomFor(size, choice) - Math.min(reserve, size * MAX_RESERVED);
  if (estimate(messages) <= room) return { messages, degraded: [] };
  const rest = room - estimate(cutFiles(messages, 0));
  let length = lengthFor(whole, rest);
  let fitted = cutFiles(messages, length);
  for (let tries = 0; tries < TRIES && length > MIN_CHARACTERS && estimate(fitted) > room; tries += 1) {
    length = Math.max(MIN_CHARACTERS, Math.floor(length * SMALLER));
    fitted = cutFiles(messages, length);
  }
  const cut = textFilesIn(fitted).filter(({ wholeLength }) => wholeLength !== undefined);
  return { messages: fitted, degraded: cut.length === 0 ? [] : [describeCut(cut, model, size)] };
}

/** Maximum share of the context that is kept for what is added later. */
const MAX_RESERVED = 0.3;

/** The maximum length of each file, characters, at which all together have about this number of tokens. */
function lengthFor(files: readonly TextFile[], tokens: number): number {
  const lengths = files.map(({ text }) => text.length).sort((one, other) => one - other);
  const characters = lengths.reduce((sum, length) => sum + length, 0);
  const counted = files.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  let left = Math.max(0, tokens) * (characters / Math.max(1, counted));
  for (const [index, length] of lengths.entries()) {
    const share = left / (lengths.length - index);
    if (length > share) return Math.max(MIN_CHARACTERS, Math.floor(share));
    left -= length;
  }
  return Infinity;
}

function textFilesIn(messages: readonly ChatMessage[]): TextFile[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? (message.files ?? []).filter((file): file is TextFile => !isImage(file)) : [],
  );
}

function cutFiles(messages: readonly ChatMessage[], length: number): readonly ChatMessage[] {
  return messages.map((message) =>
    message.role === 'user' && message.files !== undefined
      ? { ...message, files: message.files.map((file) => (isImage(file) ? file : cutFile(file, length))) }
      : message,
  );
}

function cutFile(file: TextFile, length: number): TextFile {
  if (file.text.length <= length) return file;
  return { ...file, text: cutText(file.text, length), wholeLength: file.wholeLength ?? file.text.length };
}

function describeCut(cut: readonly TextFile[], model: string, size: number): Degradation {
  const parts = cut.map(
    ({ name, text, wholeLength }) => `${name} (after ${text.length} of ${wholeLength ?? 0} characters)`,
  );
  const reason = `The model "${model}" reads ${size} tokens`;
  return { service: 'llm', reason, consequence: `cut in its prompt: ${parts.join(', ')}` };
}
