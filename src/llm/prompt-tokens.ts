import type { ChatMessage, ProviderName } from '../contracts/http/llm';
import { countImages, textWithFiles } from './file-parts';
import { reckon } from './token-count';

/**
 * A character of a script without spaces; a word, a number of up to three digits with the space before it, a run of marks, or a line break.
 */
const PIECE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|[ \t]?\p{N}{1,3}|[\p{L}\p{M}]+|[^\s\p{L}\p{M}\p{N}]+|\n\s*/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const WORD = /^[\p{L}\p{M}]/u;
const ASCII = /^[\0-\x7f]*$/;

/** What a template adds to each message. */
const TOKENS_A_MESSAGE = 4;
/**
 * What an image counts, since the service does not decode it to learn its size: OpenAI counts 765 for 1,024 × 1,024 pixels, and up to 1,105 for larger
 * ones (https://platform.openai.com/docs/guides/images-vision, for the models of GPT-4o).
 */
export const TOKENS_AN_IMAGE = 1_000;

/** A prompt as its caller has it. */
export interface Prompt {
  readonly model?: string | undefined;
  readonly messages: readonly ChatMessage[];
  /** The tools or the schema that are sent with them, as JSON has them; absent: none. */
  readonly more?: unknown;
}

/** The estimates of the two parts of a prompt, which templates and tokenizers change in different ways. */
export interface PromptParts {
  readonly text: number;
  readonly more: number;
}

/**
 * Estimates the tokens of a text that a model is sent, prose, code or JSON: words count one for each six characters, in
 * other scripts than Latin's without accents four, and marks one for each three that stand together. Within a tenth of what the
 * tokenizers of current models count for English and JSON, and within a third for other languages. Pure.
 */
export function estimateTokens(text: string): number {
  return reckon(text, (counted) => {
    let count = 0;
    for (const [piece] of counted.matchAll(PIECE)) count += tokensOf(piece);
    return Math.ceil(count);
  });
}

function tokensOf(piece: string): number {
  if (UNSPACED.test(piece)) return 0.8;
  if (WORD.test(piece)) return Math.max(1, piece.length / (ASCII.test(piece) ? 6 : 4));
  if (/\p{N}/u.test(piece)) return /^\s/.test(piece) ? 2 : 1;
  if (piece.startsWith('\n')) return 0.5;
  return Math.max(1, piece.length / 3);
}

/** Estimates the parts of a prompt before any template or tokenizer is known. Pure. */
export function estimateParts({ messages, more }: Prompt): PromptParts {
  const words = messages.reduce(
    (sum, message) => sum + TOKENS_A_MESSAGE + estimateTokens(textOf(message)),
    0,
  );
  const text = words + countImages(messages) * TOKENS_AN_IMAGE;
  return { text, more: more === undefined ? 0 : estimateTokens(JSON.stringify(more)) };
}

function textOf(message: ChatMessage): string {
  switch (message.role) {
    case 'system':
      return message.content;
    case 'user':
      return textWithFiles(message);
    case 'assistant':
      return [message.content, message.thoughts ?? '', ...(message.toolRequests ?? []).map(toJson)].join(
        '\n',
      );
    case 'tool':
      return toJson(message.content);
  }
}

function toJson(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** What a provider makes of the estimates of the parts until it has said more. */
export const FIRST_FACTORS: Readonly<Record<ProviderName, PromptParts>> = {
  // OpenAI writes tools down in fewer words than JSON; templates of local models have JSON, with instructions before it.
  hosted: { text: 1, more: 0.8 },
  local: { text: 1, more: 1.3 },
  builtin: { text: 1, more: 1 },
};
