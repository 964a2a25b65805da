import { tokenize } from './tokenizer';

/** The JSON objects and arrays that are written out in a text, in their order. */
export function findJsonValues(text: string): readonly unknown[] {
  return tokenize(text)
    .tokens.filter(({ kind }) => kind === 'json')
    .map(({ value }) => value);
}
