/**
 * Words that this project does not use in names, comments, messages and documents, each with what to write instead.
 * Many readers read in their second language. They understand the terms of the field at once, but have to decipher a
 * sentence with one of these words.
 */
const REFUSED_WORDS = [
  { pattern: /\btold\b/gi, instead: 'say who reports or learns it: "the API reports", "the caller gets"' },
  { pattern: /\bnobody\b/gi, instead: 'name the actor: "no process", "no caller"' },
  { pattern: /\bwhoever\b/gi, instead: 'name the actor: "any caller that", "the process that"' },
  { pattern: /\bis\s+none\b/gi, instead: 'say "does not exist", "is absent" or "is not a"' },
  { pattern: /\bso\s+many\b/gi, instead: 'say "up to N" or "that number of"' },
  {
    // In capitals it is SQL.
    pattern:
      /\b(?:[Aa]bsent|undefined|null|[Tt]rue|[Ff]alse|[Ee]mpty)\s+where\b|\b[Ww]here\s+there\s+(?:is|are)\b/g,
    instead: 'say "if" for a condition; "where" is a place',
  },
  { pattern: /\bbefall(?:s|ing|en)?\b|\bbefell\b/gi, instead: 'say "happens to"' },
];

/** Names that a limit must not have, because names of limits begin with MAX_ or MIN_. */
export const REFUSED_NAMES = /^(?:MOST|LONGEST|LARGEST|LEAST|FEWEST|SHORTEST)_/;

/**
 * What may stand between two words of a phrase: a line break, and the characters that begin a line of a comment or a
 * quotation.
 */
const LINE_START = /[^\S\n]*\n[^\S\n]*(?:\*(?!\/)|\/\/|#|>)?[^\S\n]*/g;

/**
 * Finds the refused words of a text. A phrase is also found if it continues on the next line of a comment.
 *
 * @param {string} text a comment, a message or a document
 * @returns {{ word: string, instead: string, index: number }[]} `index` is the offset of the word in the text, in
 * characters
 */
export function findRefusedWords(text) {
  // Each is replaced by blanks of the same length, so that the offsets stay.
  const flat = text.replace(LINE_START, (lineStart) => ' '.repeat(lineStart.length));
  return REFUSED_WORDS.flatMap(({ pattern, instead }) =>
    [...flat.matchAll(pattern)].map(({ 0: match, index }) => ({
      word: match.replace(/\s+/g, ' '),
      instead,
      index,
    })),
  );
}

/** Splits a name into words: `maxRunTime` and `MAX_RUN_TIME` both become "max run time". */
export function splitName(name) {
  return name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .replace(/_/g, ' ')
    .toLowerCase();
}
