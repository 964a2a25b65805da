import type { Token } from './token';
import { tokenize } from './tokenizer';

const ENDS = new Set(['.', '!', '?', ';', '…', '•']);

/** Sentences by their marks and by line breaks; the mark is the last token of its sentence. */
export function sentencesOf(source: string): Token[][] {
  const { tokens } = tokenize(source);
  const sentences: Token[][] = [];
  let current: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    const previous = tokens[at - 1];
    if (previous && current.length > 0 && source.slice(previous.end, token.start).includes('\n')) {
      sentences.push(current);
      current = [];
    }
    current.push(token);
    const next = tokens[at + 1];
    const isMark = token.kind === 'symbol' && ENDS.has(token.text) && next?.start !== token.end;
    if (isMark && !isAbbreviation(previous, token)) {
      sentences.push(current);
      current = [];
    }
  }
  if (current.length > 0) sentences.push(current);
  return sentences;
}

function isAbbreviation(previous: Token | undefined, mark: Token): boolean {
  return (
    mark.text === '.' &&
    previous !== undefined &&
    /^(?:mr|mrs|ms|dr|st|prof|vs|etc|e\.g|i\.e|no|approx|[a-z])$/.test(previous.lower) &&
    previous.lower !== 'i'
  );
}
