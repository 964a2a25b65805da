/** True for a word such as `ORD-1234` or `B-XY-123`, which is hardly anything but an id. */
export function isIdLike(text: string): boolean {
  return /\d/.test(text) && (/^[A-Z]+[-_]?\d[\w-]*$/i.test(text) || (text.includes('-') && text.length >= 8));
}
