/** With the `u` flag a pair of surrogates is one code point, so this matches only lone ones. */
const LONE_SURROGATES = /\p{Surrogate}/gu;
const LONE_SURROGATE = /\p{Surrogate}/u;
/** An escape of JSON, of a surrogate or any other. */
const ESCAPE = /\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g;

/** Whether a text has no half of a surrogate pair. Pure. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/**
 * Replaces lone surrogates by U+FFFD, since UTF-8 has no form for them: stores change them, and servers refuse them. Pure.
 */
export function toWellFormed(text: string): string {
  return text.replace(LONE_SURROGATES, '\ufffd');
}

/**
 * Replaces lone surrogates in JSON text that `JSON.stringify` has written. That writes pairs as characters and the others as
 * escapes, so text without escapes is returned as it is. Pure.
 */
export function toWellFormedJson(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(ESCAPE, (escape) => (escape.length > 2 ? '\ufffd' : escape));
}

/** Replaces lone surrogates in the texts and names of a JSON value; one without any is returned as it is. Pure. */
export function toWellFormedValue<T>(value: T): T {
  const json = JSON.stringify(value);
  const wellFormed = toWellFormedJson(json);
  return wellFormed === json ? value : (JSON.parse(wellFormed) as T);
}

/** The first `max` UTF-16 units of a text, one less if these would end between the halves of a surrogate pair. Pure. */
export function cutText(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, Math.max(0, max)).replace(/[\uD800-\uDBFF]$/, '');
}
