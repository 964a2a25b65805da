/** A text up to a length, characters. */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A value in a sentence, up to a length, characters: a text as it is, anything else as JSON. */
export function shown(value: unknown, length: number): string {
  if (value === undefined) return 'nothing';
  return cut(typeof value === 'string' ? value : JSON.stringify(value), length);
}

/** A text with a mark that ends a sentence. */
export function toSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
