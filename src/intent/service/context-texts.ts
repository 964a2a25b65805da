import { cutText } from '../../base/text/well-formed';

/** Maximum length of the text taken from a context, characters. */
const MAX_TEXT = 1_000;
const MAX_LEVELS = 8;

/** Collects the texts in a context of any form, without the names of properties. Pure. */
export function contextTexts(context: Readonly<Record<string, unknown>>): string {
  let text = '';
  let level: unknown[] = [context];
  for (let depth = 0; depth < MAX_LEVELS && level.length > 0; depth += 1) {
    for (const value of level) {
      if (typeof value === 'string') text += text === '' ? value : `\n${value}`;
      if (text.length >= MAX_TEXT) return cutText(text, MAX_TEXT);
    }
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return text;
}
