const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words between a label and its value. */
export const LINKS = list(': = is of as being to set should be it reads text that says');
/** Words before a label. */
export const BEFORE = list('with and , the a an its has having for of from in by : ; as using my .');
/** Words between a value and the next label. */
export const SEPARATORS = list(', and with ; . as that to for');
/** Labels that are hardly ever anything else. */
export const STRONG = list(
  'saying says called named titled entitled labelled labeled about regarding assigned assign assignee reading',
);
/** Words that no value begins with. */
export const NOT_A_VALUE = list(
  'to from in on at for with of and about , . ? ! please by it is are ; me him her',
);
/** Roles whose values are short: they end where the next phrase begins. */
export const SHORT = ['person', 'place', 'id', 'code', 'origin', 'destination'] as const;
export const ENDS_SHORT = list(
  'were was are is have has that and , with to from in on at for by about please . ? ! ; then as who whose',
);
