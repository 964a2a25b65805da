/** A time in UTC, so that sorting the texts sorts the times; a text that is no time as it is. Pure. */
export const toUtc = (text: string): string =>
  Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString();

/** Whether a time has a year of four digits in UTC. Other years begin with a sign, which no request may have. Pure. */
export const hasPlainYear = (text: string): boolean => !/^[+-]/.test(toUtc(text));
export const NO_PLAIN_YEAR = 'must be in the years 0000 to 9999, in UTC too';
