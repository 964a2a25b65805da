/**
 * Neo4j orders text by code point, and JavaScript orders strings by UTF-16 code unit. The two orders differ when characters in
 * U+E000..U+FFFF meet characters above. Neo4j therefore stores a key as one code point for each code unit, in the order of code
 * units: units below U+D800 stay the same, and the others are shifted past the surrogates, which are not valid code points.
 * Most keys have characters below U+D800 only and are stored unchanged.
 */
const FIRST_SURROGATE = 0xd800;
const SHIFT = 0x800;

const SHIFTED = /[\ud800-\uffff]/;

export function keyToText(key: string): string {
  if (!SHIFTED.test(key)) return key;
  let text = '';
  for (let index = 0; index < key.length; index += 1) {
    const unit = key.charCodeAt(index);
    text += String.fromCodePoint(unit < FIRST_SURROGATE ? unit : unit + SHIFT);
  }
  return text;
}

/** The inverse of `keyToText`, for texts that `keyToText` returned. */
export function keyFromText(text: string): string {
  if (!SHIFTED.test(text)) return text;
  let key = '';
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    key += String.fromCharCode(point < FIRST_SURROGATE ? point : point - SHIFT);
  }
  return key;
}
