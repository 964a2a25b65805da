/** Maximum length of a piece of a text without spaces, characters. */
const MAX_PIECE = 24;
/** A word with the spaces before it. */
const WORD = new RegExp(`\\s*\\S{1,${MAX_PIECE}}`, 'gu');
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Cuts a text that grows into words, always at the same places: those that are complete, and what is left until more of the text
 * is known. Pure.
 */
export function cutWords(text: string): { readonly pieces: readonly string[]; readonly rest: string } {
  // The pattern would try to end each of many spaces at the end of the text.
  const words = text.trimEnd();
  const pieces = words.match(WORD) ?? [];
  const rest = text.slice(words.length);
  // The last word may go on.
  return rest === '' ? { pieces: pieces.slice(0, -1), rest: pieces.at(-1) ?? '' } : { pieces, rest };
}

/** Cuts a whole text into its sentences, each with the spaces behind it. Pure. */
export function cutSentences(text: string): string[] {
  return [...sentences.segment(text)].map(({ segment }) => segment);
}
