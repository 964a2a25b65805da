import { countTokens } from './token-count';

const PIECE = /\s*\S+\s*$|\s*\S+/gu;

/**
 * Splits a text into the pieces in which it is streamed: words with the space before them. Joined they are the text.
 */
export function toPieces(text: string): string[] {
  const pieces = text.match(PIECE);
  return pieces ?? (text === '' ? [] : [text]);
}

/** The beginning of a text that has at most `maxTokens` tokens. */
export function limitTokens(
  text: string,
  maxTokens: number | undefined,
): { readonly content: string; readonly finishReason: 'stop' | 'length' } {
  if (maxTokens === undefined || countTokens(text) <= maxTokens)
    return { content: text, finishReason: 'stop' };
  let content = '';
  let tokens = 0;
  for (const piece of toPieces(text)) {
    tokens += countTokens(piece);
    if (tokens > maxTokens) break;
    content += piece;
  }
  return { content, finishReason: 'length' };
}
