import words from './words.json';

const TAGGED = new Map<string, Set<string>>();
for (const [word, tags] of Object.entries(words))
  for (const tag of tags.split(' ')) TAGGED.set(tag, (TAGGED.get(tag) ?? new Set()).add(word));

/** The words of a text. */
export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** The words that have a tag in words.json, where each word stands once. */
export function wordsTagged(tag: string): ReadonlySet<string> {
  const tagged = TAGGED.get(tag);
  if (!tagged) throw new Error(`words.json has no word with the tag ${tag}`);
  return tagged;
}
