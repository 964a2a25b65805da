/**
 * Neo4j orders stored text by code point and parameters by UTF-16 code unit, and its planner chooses which of the two it
 * compares. The two orders differ from U+E000 on. So values that records are sorted by are stored, and queried, in a form that
 * has the order of code points in both cases: each character from U+D7FF on becomes U+D7FF, which is unassigned, and two
 * characters that carry its bits. All other characters, which are nearly all, stay the same.
 */
const MARK = 0xd7ff;
const DIGIT = 0x1000;
const NEEDS_ENCODING = /[\ud7ff-\uffff]/;

/** Encodes a text so that it sorts by code point. Different texts get different results; other values are returned unchanged. */
export function toSortable<T>(value: T): T | string {
  if (typeof value !== 'string' || !NEEDS_ENCODING.test(value)) return value;
  return Array.from(value, (character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < MARK) return character;
    return String.fromCharCode(MARK, DIGIT + (point >> 12), DIGIT + (point & 0xfff));
  }).join('');
}
