import vocabulary from './vocabulary.json';

/** Names that people use for standard codes. */
const CODES = new Map(
  vocabulary.codes
    .map((group) => group.split(' '))
    .flatMap(([code = '', ...names]) => names.map((name) => [name, code] as const)),
);

/** Words that mean the same as a choice; which of them is a choice, the tool says. */
const GROUPS = vocabulary.choices.map((group) => group.split(' '));

/** True where a word says a choice by another name. */
export function isAlias(written: string, wanted: string): boolean {
  return (
    CODES.get(written) === wanted || GROUPS.some((group) => group.includes(written) && group.includes(wanted))
  );
}
