/** What the API takes as the name of a user or a session, and a path can have. */
const NAME = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]{1,200}$/u;

export const isName = (text: string | undefined): text is string => text !== undefined && NAME.test(text);

/** The time of a field of a form, in UTC, as the API takes it; undefined if the text is not a time. Pure. */
export function readTime(text: string | undefined): string | undefined {
  const time = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d$/.test(text ?? '') ? Date.parse(`${text}Z`) : NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
