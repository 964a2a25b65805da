import { baseForm, singular } from '../text/base-forms';

const MAX_TERMS = 24;

/** The base forms of irregular words of a question, by which memory is searched besides: `bought` finds `buy`. At most 24. */
export function recallTerms(query: string): readonly string[] {
  const words: readonly string[] =
    query
      .slice(0, 1_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const found = words
    .map((word) => baseForm(singular(word)))
    .filter((word) => word.length > 2 && !words.includes(word));
  return [...new Set(found)].slice(0, MAX_TERMS);
}
