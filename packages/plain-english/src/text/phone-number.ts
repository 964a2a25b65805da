/** In groups, or with a country code; two groups alone are as well a subtraction. */
const COMPLETE = /^(?:\+\d[\d-]{6,18}|\(?\d{3}\)?[-.]\d{3}[-.]\d{4})$/;
/** No number to calculate with is written with a zero before its other digits. */
const WITH_ZERO = /^(?:0\d{1,5}[-/]\d{3,10}|\d{3}-0\d{3}|0\d{8,13})$/;
const TWO_GROUPS = /^\d{3,5}-\d{4,8}$/;
const BEFORE_NUMBER =
  /(?:^|\s)(?:to|at|on|number|phone|call|text|sms|dial|ring|tel|tel\.|telephone|mobile|cell|message|msg)(?: is|'s)?:?\s*$/i;
const SPACED =
  /\+\d{1,3}(?: \(?\d{2,8}\)?){2,4}(?![\d.,]*\d)|0\d{2,4} \d{3,8}(?: \d{3,4}){0,2}(?![\d.,]*\d)/y;
/** Characters before a number that are looked at. */
const CONTEXT = 16;

/** True for a run of characters that is a telephone number whatever is around it. */
export function isPhoneNumber(run: string): boolean {
  return COMPLETE.test(run) || WITH_ZERO.test(run);
}

/** Where the telephone number that starts here ends: one with spaces, or one that only the words before it tell. */
export function findPhoneEnd(source: string, at: number, run: string): number | undefined {
  const first = source.charAt(at);
  if (first !== '+' && !/\d/.test(first)) return undefined;
  SPACED.lastIndex = at;
  const spaced = SPACED.exec(source)?.[0];
  if (spaced !== undefined) return at + spaced.length;
  const digits = run.replace(/[.,;:!?]+$/, '');
  const called = TWO_GROUPS.test(digits) && BEFORE_NUMBER.test(source.slice(Math.max(0, at - CONTEXT), at));
  return called ? at + digits.length : undefined;
}
