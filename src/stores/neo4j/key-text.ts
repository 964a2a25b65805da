/**
 * Neo4j orders text by code point, and JavaScript orders strings by UTF-16 code unit; the two differ between
 * U+E000..U+FFFF and everything above. Keys are therefore kept as one code point for each code unit, in the order of
 * code units: those below U+D800 stand for themselves, and the rest move up, past the surrogates, which are no code
 * points of their own. A key of characters below U+D800 alone, which is most of them, reads as it is.
 */
const FIRST_SURROGATE = 0xd800;
const MOVE = 0x800;

const MOVED = /[\ud800-\uffff]/;

export function keyToText(key: string): string {
  if (!MOVED.test(key)) return key;
  let text = '';
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    text += String.fromCodePoint(unit < FIRST_SURROGATE ? unit : unit + MOVE);
  }
  return text;
}

/** The inverse of `keyToText`, for texts that it made. */
export function keyFromText(text: string): string {
  if (!MOVED.test(text)) return text;
  let key = '';
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    key += String.fromCharCode(point < FIRST_SURROGATE ? point : point - MOVE);
  }
  return key;
}
