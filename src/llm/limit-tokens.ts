import { countTokens } from './token-count';

/** A word with the space before it. All of a text's pieces joined are the text. */
const PIECE = /\s*\S+\s*$|\s*\S+/gu;

/** The beginning of a text that has at most `maxTokens` tokens. */
export function limitTokens(
  text: string,
  maxTokens: number | undefined,
): { readonly content: string; readonly finishReason: 'stop' | 'length' } {
  if (maxTokens === undefined || countTokens(text) <= maxTokens)
    return { content: text, finishReason: 'stop' };
  let content = '';
  let tokens = 0;
  for (const piece of text.match(PIECE) ?? [text]) {
    tokens += countTokens(piece);
    if (tokens > maxTokens) break;
    content += piece;
  }
  return { content, finishReason: 'length' };
}
