/**
 * Words that this project does not write in names, comments, messages and documents, each with what to write instead. Many readers
 * read in their second language: the words of the field are understood at once, and these are not.
 */
export const REFUSED_WORDS = [
  { pattern: /\btold\b/gi, instead: 'say who reports or learns it: "the API reports", "the caller gets"' },
  { pattern: /\bnobody\b/gi, instead: 'name the actor: "no process", "no caller"' },
  { pattern: /\bwhoever\b/gi, instead: 'name the actor: "any caller that", "the process that"' },
  { pattern: /\bis\s+none\b/gi, instead: 'say "does not exist", "is absent" or "is not a"' },
  { pattern: /\bso\s+many\b/gi, instead: 'say "up to N" or "that number of"' },
  { pattern: /\bbefall(?:s|ing|en)?\b|\bbefell\b/gi, instead: 'say "happens to"' },
];

/** Names of limits begin with MAX_ or MIN_: one name for one idea. */
export const REFUSED_NAMES = /^(?:MOST|LONGEST|LARGEST|LEAST|FEWEST|SHORTEST)_/;

/** Between two words of one sentence: a line break, and what a comment or a quotation begins its lines with. */
const LINE_START = /[^\S\n]*\n[^\S\n]*(?:\*(?!\/)|\/\/|#|>)?[^\S\n]*/g;

/**
 * @param {string} text a comment, a message or a document; a phrase is found across the lines of a comment too
 * @returns {{ word: string, instead: string, index: number }[]} `index` is where the word begins in the text, in characters
 */
export function findRefusedWords(text) {
  // Replaced by as many blanks, so that every index stays.
  const flat = text.replace(LINE_START, (lineStart) => ' '.repeat(lineStart.length));
  return REFUSED_WORDS.flatMap(({ pattern, instead }) =>
    [...flat.matchAll(pattern)].map(({ 0: match, index }) => ({
      word: match.replace(/\s+/g, ' '),
      instead,
      index,
    })),
  );
}

/** The words of a name in one sentence: `whoIsTold` and `WHO_IS_TOLD` are "who is told". */
export function wordsOfName(name) {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .replace(/_/g, ' ')
    .toLowerCase();
}
