/**
 * Neo4j orders text it has stored by code point, and text that came as a parameter by UTF-16 unit, and which of them it looks
 * at is the planner's choice. The two orders differ from U+E000 on. So what is sorted by is kept, and asked for, in a form
 * whose order is that of code points either way: each such character as U+D7FF, which is assigned to none, and two more that
 * carry its bits. Text below it, which is nearly all, stands for itself.
 */
const MARK = 0xd7ff;
const DIGIT = 0x1000;
const NEEDED = /[\ud7ff-\uffff]/;

/** Equal for equal values, and never equal for others; values that are no text stay as they are. */
export function sortable<T>(value: T): T | string {
  if (typeof value !== 'string' || !NEEDED.test(value)) return value;
  return Array.from(value, (character) => {
    const point = character.codePointAt(0) ?? 0;
    if (point < MARK) return character;
    return String.fromCharCode(MARK, DIGIT + (point >> 12), DIGIT + (point & 0xfff));
  }).join('');
}
